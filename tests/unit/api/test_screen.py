"""What a person sees and reads at the terminal."""

import re
from io import StringIO
from string import Formatter
from typing import Any

import pytest
from rich.console import Console, RenderableType

from support import counted
from terziglio import Card, Contract, Phase, Seat, SeatView, Suit
from terziglio.view import MatchView
from terziglio.words import LANGUAGES, Language, catalogue
from terziglio_api import screen
from terziglio_api.voice import Voice
from typist import Asked, Line, Typist, bidding

TIMES = "\N{MULTIPLICATION SIGN}"
ENTRY = re.compile(rf"([{TIMES}+ ]) ?\d+\) (\w\w) ")
COMMANDS = ("?", "l", "s", "r", "")


def commands(_: Typist, __: SeatView) -> list[Line]:
    return [(typed, None) for typed in COMMANDS]


def played(
    language: Language = "en", bid: Contract = Contract.CHIAMO, seed: str = "a"
) -> Typist:
    """A whole match."""
    typist = Typist(language, None, seed, bidding(bid))
    typist.play()
    return typist


def turns(typist: Typist) -> list[Asked]:
    """The questions that came with a page of the table."""
    pages = []
    due = None
    for one in typist.asked:
        now = one.view.match.deal, one.view.decision
        if one.view.turn is not None and now != due:
            pages.append(one)
        due = now
    return pages


def printed(what: RenderableType) -> str:
    """What is printed, on a wide page."""
    out = StringIO()
    Console(file=out, width=240, color_system=None).print(what)
    return out.getvalue()


def named(voice: Voice, text: str) -> list[Card]:
    """The cards that are named in a text, in order."""
    names = {voice.card(card): card for card in Card}
    return [names[name] for name in re.findall(rf"\b(?:{'|'.join(names)})\b", text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_R71_a_turn_shows_how_everything_stands(language: Language) -> None:
    typist = played(language)
    say = typist.voice.say
    assert len(turns(typist)) > 30
    for one in turns(typist):
        view, shown = one.view, one.shown
        assert say("dealer", dealer=typist.voice.seat(view.match.dealer)) in shown
        for seat in Seat:
            assert f"{typist.voice.seat(seat)} {view.match.scores[seat]}" in shown
        if view.contract is not None:
            assert typist.voice.offer(view.contract.bid) in shown
            assert typist.voice.seat(view.contract.soloist) in shown
        if view.thirds is not None and view.trick is not None:
            soloist, defenders = re.findall(r"\) (\d+) ·", shown)[-2:]
            assert (int(soloist), int(defenders)) == view.thirds
            assert say("needed") in shown
            assert say("trick", number=len(view.tricks) + 1) in shown
            on_table = view.trick.cards if len(view.trick.cards) < 3 else ()
            table = next(li for li in shown.splitlines() if say("label.table") in li)
            assert named(typist.voice, table) == list(on_table)


@pytest.mark.parametrize("language", LANGUAGES)
def test_R38_refused_cards_have_a_sign_and_the_reason(language: Language) -> None:
    typist = played(language)
    refusals = 0
    for one in turns(typist):
        legal = one.view.legal
        if not legal.cards:
            continue
        marks = {Card(code): mark for mark, code in ENTRY.findall(one.shown)}
        assert marks.keys() == set(one.view.hand)
        assert {card for card, mark in marks.items() if mark == TIMES} == set(legal.why)
        for error in legal.why.values():
            refusals += 1
            assert f"{TIMES} {typist.voice.refusal(error)}\n" in one.shown
    assert refusals > 30


def test_R28_cards_that_came_with_the_exchange_have_a_sign() -> None:
    typist = played()
    met = 0
    for one in turns(typist):
        if one.view.phase is Phase.EXCHANGE:
            assert one.view.monte is not None
            assert one.view.monte.shown is not None
            assert one.view.contract is not None
            fresh = set(one.view.monte.shown)
            if one.view.contract.passed_by is not None:
                assert one.view.contract.called is not None
                fresh.add(one.view.contract.called)
            marks = {Card(code): mark for mark, code in ENTRY.findall(one.shown)}
            assert marks.keys() == set(one.view.hand)
            assert {card for card, mark in marks.items() if mark == "+"} == fresh
            met += 1
    assert met


def public(view: SeatView) -> set[Card | None]:
    """Every card that the person may know by now."""
    known: set[Card | None] = set(view.hand)
    for trick in (*view.tricks, *((view.trick,) if view.trick else ())):
        known.update(trick.cards)
    if view.monte is not None:
        known.update(view.monte.shown or ())
        known.update(view.monte.cards or ())
    if view.contract is not None:
        known |= {view.contract.called, view.contract.given_back} - {None}
    return known


@pytest.mark.parametrize("bid", Contract)
def test_no_card_is_shown_that_the_seat_may_not_know(bid: Contract) -> None:
    typist = Typist("en", None, "a", bidding(bid), commands)
    typist.play()
    for one in typist.asked:
        if one.view.legal.calls:
            continue  # every card that may be called is listed
        shown = one.shown
        for example in typist.voice.phrases["help"].values():
            shown = shown.replace(example, "")
        told = {Card(code) for code in re.findall(r"\b[2-7AJQK][SCHD]\b", shown)}
        assert told | set(named(typist.voice, shown)) <= public(one.view)


@pytest.mark.parametrize("language", LANGUAGES)
def test_O25_commands_show_last_trick_scores_rules_help(language: Language) -> None:
    typist = Typist(language, None, "a", bidding(Contract.CHIAMO), commands)
    typist.play()
    voice, seen = typist.voice, set[str]()
    for one, after in zip(typist.asked, typist.asked[1:], strict=False):
        view, shown = one.view, after.shown
        if one.typed == "l" and view.tricks:
            trick = view.tricks[-1]
            assert named(voice, shown) == list(trick.cards)
            leader = voice.seat(trick.leader)
            assert shown.startswith(f"{voice.say('label.last')}  {leader}: ")
            seen.add("l")
        elif one.typed == "l":
            assert shown == f"{voice.say('no_trick')}\n"
        elif one.typed == "s" and view.monte is not None and view.monte.shown:
            assert voice.cards(view.monte.shown) in shown
            seen.add("s")
        elif one.typed == "r":
            assert "3 2 A K Q J 7 6 5 4" in shown
            seen.add("r")
        elif one.typed == "?":
            assert all(f"{suit} {voice.suit(suit)}" in shown for suit in Suit)
            shown = " ".join(shown.split())
            for told in voice.phrases["help.bid"].values():
                assert (told in shown) is bool(view.legal.bids)
            seen.add("bids" if view.legal.bids else "?")
        elif one.typed == "" and view.turn is not None:
            page = printed(screen.turn_page(voice, view))
            assert shown == page
            seen.add("")
    assert seen == {*COMMANDS, "bids"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("bid", Contract)
def test_you_are_spoken_to_as_you_and_one_is_no_plural(
    language: Language, bid: Contract
) -> None:
    wrong = {
        "en": r"\bYou [a-z]*[^s]s\b|\b1 (?:third|point)s",
        "it": r"\bTu [a-z]+(?:a|e)\b|\b1 (?:terz|punt)i",
    }
    assert re.findall(wrong[language], played(language, bid).text) == []


@pytest.mark.parametrize(
    ("contract", "tricks", "in_tricks", "last", "sentences"),
    [
        pytest.param(  # the stake as it is
            Contract.CHIAMO,
            (7, 5),
            (15, 14),
            "S",
            [
                "The soloist has 21 thirds of 35, needs 18, and wins.",
                "The stake of chiamo is 1 point.",
                "No cappotto and no stramazzo: the stake counts once.",
                "Each defender pays the soloist 1 point.",
            ],
            id="W1",
        ),
        pytest.param(
            Contract.SOLISSIMO,
            (0, 12),
            (0, 27),
            "D",
            [
                "The soloist has 0 thirds of 35, needs 18, and loses.",
                "The stake of solissimo is 4 points.",
                f"Cappotto (all twelve tricks): double. 4 {TIMES} 2 = 8.",
                "The soloist pays each defender 8 points.",
            ],
            id="W15",
        ),
        pytest.param(
            Contract.SOLO,
            (10, 2),
            (27, 2),
            "D",
            [
                "The soloist has 27 thirds of 35, needs 18, and wins.",
                "The stake of solo is 2 points.",
                "Stramazzo (the losers' tricks hold less than a whole point): triple. "
                f"2 {TIMES} 3 = 6.",
                "Each defender pays the soloist 6 points.",
            ],
            id="W26",
        ),
    ],
)
def test_R50_to_R53_the_stake_is_told_in_words(
    contract: Contract,
    tricks: tuple[int, int],
    in_tricks: tuple[int, int],
    last: str,
    sentences: list[str],
) -> None:
    result = counted(contract, Seat.S1, tricks, in_tricks, last).result
    assert list(Voice("en").payment(result)) == sentences


def at_the_count(scores: tuple[int, int, int], winner: Seat | None) -> str:
    """The end of a hand that led to these scores: W5, seat 0 loses a solo on 17."""
    hand = counted(Contract.SOLO, Seat.S0, (7, 5), (17, 14), "D")
    match = MatchView(7, scores, 9, 9, Seat.S2, winner)
    view = SeatView(Seat.S0, Phase.COUNT, match, count=hand.result)
    return printed(screen.hand_end(Voice("en"), view))


def test_R44_the_count_is_shown_step_by_step() -> None:
    shown = at_the_count((-4, 2, 2), None)
    rows = {
        re.sub(r"  .*", "", line): [int(n) for n in re.findall(r"[+-]?\d+", line)][-2:]
        for line in shown.splitlines()
    }
    assert rows["Cards in tricks"] == [17, 14]
    assert rows["Last trick"] == [0, 3]
    assert rows["Monte"] == [0, 1]
    assert rows["Total of 35 thirds, 18 needed"] == [17, 18]
    assert rows["You"] == [-4, -4]
    assert rows["Ada"] == [2, 2]
    assert "wins the match" not in shown
    assert "tie" not in shown


def test_R63_a_tie_at_the_top_is_told() -> None:
    assert "A tie at the top: another hand must decide." in at_the_count(
        (-14, 7, 7), None
    )


def test_R64_the_winner_is_told() -> None:
    assert at_the_count((-15, 8, 7), Seat.S1).endswith("Ada wins the match.\n")
    assert at_the_count((8, -6, -2), Seat.S0).endswith("You win the match!\n")


def leaves(data: Any, path: str = "") -> dict[str, set[str]]:
    """The params of every phrase."""
    if isinstance(data, str):
        return {path: {name for _, name, _, _ in Formatter().parse(data) if name}}
    found: dict[str, set[str]] = {}
    for key, value in data.items():
        found |= leaves(value, f"{path}/{key}")
    return found


def test_both_languages_have_the_same_phrases() -> None:
    assert leaves(catalogue("en")["terminal"]) == leaves(catalogue("it")["terminal"])
