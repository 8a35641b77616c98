"""The match at the terminal: whole matches, wrong answers, ways to leave."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256

import pytest

from terziglio import (
    Card,
    Contract,
    Illegal,
    IllegalAction,
    Phase,
    Seat,
    SeatView,
    new_match,
    seat_view,
)
from terziglio.players import Player, house
from terziglio.words import LANGUAGES, Deck, Language
from terziglio_api.commands import Chance
from terziglio_api.decisions import opening_dealer
from terziglio_api.screen import in_order
from terziglio_api.shuffle import shuffle
from terziglio_api.terminal import Game, Quit
from typist import Line, Typist, bidding

PLAY = [sys.executable, "-m", "terziglio_api.cli", "play", "--seed", "x"]
NONSENSE = ("4X", "0", "99", "-1", "٣", "9" * 5000, "3S3S", "\x1b[2J", "\0", "[b]", "ß")


def on_the_engine(seed: str, player: Player) -> tuple[int, int, int]:
    """The final scores of the same match without a terminal."""
    match = new_match(7, opening_dealer(None, seed, Chance(b"", 0)))
    while match.winner is None:
        key = sha256(f"{seed}/{match.deal_no + 1}".encode()).digest()
        match = match.deal(shuffle(key))
        while (seat := match.turn) is not None:
            answer = player if seat is Seat.S0 else house
            match = match.apply(seat, answer(seat_view(match, seat)))
    return match.scores


@pytest.mark.parametrize(
    ("language", "deck"), [("en", "french"), ("en", "italian"), ("it", None)]
)
@pytest.mark.parametrize("bid", Contract)
def test_R62_a_match_ends_as_it_does_on_the_engine(
    language: Language, deck: Deck | None, bid: Contract
) -> None:
    typist = Typist(language, deck, "m", bidding(bid))
    typist.play()
    match = typist.game.view.match
    assert match.winner is not None
    assert match.scores[match.winner] >= 7
    assert match.scores == on_the_engine("m", bidding(bid))
    assert typist.text.endswith(f"{typist.voice.about('won', match.winner)}\n")
    assert typist.text.count(typist.voice.data["count"]["total"]) == match.hand
    assert not set("{}[]") & set(typist.text)


def test_R10_the_first_dealer_is_drawn() -> None:
    assert {Game().view.match.dealer for _ in range(200)} == set(Seat)


def test_without_a_seed_every_deal_is_another() -> None:
    hands = set()
    for _ in range(20):
        game = Game()
        game.deal()
        hands.add(game.view.hand)
    assert len(hands) == 20


def test_R69_the_person_is_given_the_views_of_one_seat_alone() -> None:
    game = Game(7, "a")
    views = [game.view]
    for _ in range(5):
        game.deal()
        while game.view.turn is not None:
            views.append(game.view)
            views += game.others()
            if game.view.turn is Seat.S0:
                game.act(house(game.view))
    assert len(views) > 100
    assert {view.seat for view in views} == {Seat.S0}


def test_R20_a_thrown_in_deal_is_told_and_the_next_one_follows() -> None:
    for seed in map(str, range(20)):
        typist = Typist("en", None, seed, bidding(None, 99))
        typist.play()
        told = typist.voice.data["events"]["bid.thrown_in"]
        after = [asked for asked in typist.asked if asked.shown.count(told)]
        assert all(asked.view.phase is Phase.THROWN_IN for asked in after)
        assert all(asked.question == "Enter for the next deal" for asked in after)
        if after:
            return
    raise AssertionError("no deal was thrown in")


class Refusals:
    """Every wrong thing there is to try at a decision, with the sentence for it."""

    def __init__(self) -> None:
        self.met: set[Illegal] = set()

    def __call__(self, typist: Typist, view: SeatView) -> list[Line]:
        self._typist = typist
        legal, away = view.legal, next(c for c in Card if c not in view.hand)
        if legal.bids:
            return list(self._bids(view))
        if legal.calls:
            own = str(view.hand[0])
            return [self._line(own, Illegal.CARD_IN_OWN_HAND, card=own)]
        if legal.discard is not None:
            return list(self._discards(view, str(away), legal.discard.give_back))
        return list(self._plays(view, str(away))) if legal.cards else []

    def _line(self, typed: str, code: Illegal, **params: str | int) -> Line:
        self.met.add(code)
        return typed, self._typist.voice.refusal(IllegalAction(code, params))

    def _bids(self, view: SeatView) -> Iterator[Line]:
        made = [call.bid for call in view.auction if call.bid is not None]
        for low in made:
            highest = max(made).code
            yield self._line(low.code, Illegal.BID_TOO_LOW, highest=highest)

    def _discards(self, view: SeatView, away: str, passed: bool) -> Iterator[Line]:
        a, b, c, d, e = map(str, view.hand[:5])
        count = Illegal.WRONG_DISCARD_COUNT
        yield self._line("1 2 3", count, expected=4, got=3)
        yield self._line(f"{a} {b} {c} {d} {e}", count, expected=4, got=5)
        yield self._line(f"{a} {b} {c} {b}", Illegal.DUPLICATE_DISCARD, card=b)
        yield self._line(f"{a} {b} {c} {away}", Illegal.DISCARD_NOT_HELD, card=away)
        if passed:
            four = f"{a} {b} {c} {d}", None
            yield four
            yield self._line(away, Illegal.GIVE_BACK_NOT_HELD, card=away)
            yield four
            yield self._line(d, Illegal.GIVE_BACK_ALSO_DISCARDED, card=d)
            yield four
            yield "1 2", self._typist.voice.say("unclear.one", count=2)

    def _plays(self, view: SeatView, away: str) -> Iterator[Line]:
        yield self._line(away, Illegal.CARD_NOT_HELD, card=away)
        if view.trick is None or len(view.trick.cards) in {0, 3}:
            return
        led = view.trick.cards[0].suit
        off = [card for card in view.hand if card.suit is not led]
        held = len(view.hand) - len(off)
        if held and off:
            number = str(in_order(view.hand).index(off[-1]) + 1)
            for typed in (str(off[0]), number):
                code = Illegal.MUST_FOLLOW_SUIT
                yield self._line(typed, code, led=str(led), held=held)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_refusal_is_told_and_changes_nothing(language: Language) -> None:
    refusals = Refusals()
    for seed in ("a", "b", "c"):
        Typist(language, None, seed, bidding(Contract.CHIAMO), refusals).play()
    cannot_be_typed = {
        Illegal.HAND_OVER,
        Illegal.NOT_YOUR_TURN,
        Illegal.WRONG_PHASE,
        Illegal.GIVE_BACK_MISSING,
        Illegal.GIVE_BACK_NOT_WANTED,
    }
    assert refusals.met == set(Illegal) - cannot_be_typed


def test_nonsense_is_told_and_changes_nothing() -> None:
    def nonsense(typist: Typist, view: SeatView) -> list[Line]:
        say, kind = typist.voice.say, "bid" if view.legal.bids else "card"
        if view.turn is None:
            return [(text, say("unclear.next")) for text in NONSENSE]
        told = ["".join(filter(str.isprintable, text[:12])) for text in NONSENSE]
        said = [say(f"unclear.{kind}", text=text) for text in told]
        return list(zip(NONSENSE, said, strict=True))

    Typist("en", None, "a", bidding(Contract.CHIAMO), nonsense).play()


def test_R29_the_give_back_is_asked_for_only_when_a_card_was_passed() -> None:
    asked = {False: 0, True: 0}
    for contract in (Contract.CHIAMO, Contract.SOLO):
        for seed in ("a", "b"):
            typist = Typist("en", None, seed, bidding(contract))
            typist.play()
            for one, after in zip(typist.asked, typist.asked[1:], strict=False):
                rule = one.view.legal.discard
                if rule is not None and one.question == typist.voice.say("ask.discard"):
                    back = after.question == typist.voice.say("ask.give_back")
                    assert back == rule.give_back
                    asked[back] += 1
    assert min(asked.values()) > 2


def test_commands_come_at_every_question_and_change_nothing() -> None:
    def commands(_: Typist, __: SeatView) -> list[Line]:
        return [(typed, None) for typed in ("?", "l", "S", "r", "q", "no")]

    typist = Typist("en", None, "a", bidding(Contract.CHIAMO), commands)
    typist.play()
    without = Typist("en", None, "a", bidding(Contract.CHIAMO))
    without.play()
    assert typist.game.view == without.game.view
    assert {one.question for one in without.asked} < {
        one.question for one in typist.asked
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("at", [0, 1, 7, 20])
def test_q_leaves_only_when_confirmed(language: Language, at: int) -> None:
    def detours(typist: Typist, _: SeatView) -> list[Line]:
        leaving = len({one.view.decision for one in typist.asked}) >= at
        return [("Q", None), ("", None), ("q", None), ("Y" if leaving else "n", None)]

    typist = Typist(language, None, "a", house, detours)
    with pytest.raises(Quit):
        typist.play()
    assert typist.asked[-1].question == typist.voice.phrases["ask.quit"]


def run(
    typed: bytes, *options: str, **env: str
) -> "subprocess.CompletedProcess[bytes]":
    """The command with its input from a pipe."""
    return subprocess.run(
        [*PLAY, *options],
        input=typed,
        capture_output=True,
        env=os.environ | env,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("typed", [b"q\ny\n", b"", b"q\n", b"2\n", b"?\nl\ns\nr\n\n"])
def test_the_command_ends_well_whenever_the_input_does(typed: bytes) -> None:
    done = run(typed)
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.decode().endswith("Goodbye.\n")


def test_a_terminal_without_the_symbols_shows_the_words() -> None:
    done = run(b"\xff\xfe\nq\ny\n", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"? hearts" in done.stdout
    assert done.stdout.isascii()


def test_a_pipe_gets_no_escape_codes() -> None:
    assert b"\x1b" not in run(b"2\nq\ny\n").stdout


CONTROL_C, CONTROL_D = b"\x03", b"\x04"
SPAWN = """
import os, pty, signal, sys
# A job in the background inherits that interrupts are ignored: no person sits there.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
"""


def at_a_terminal(*typed: bytes, options: Sequence[str] = (), **env: str) -> str:
    """What the command shows at a pseudo-terminal; it is typed to when it asks."""
    plain = {k: v for k, v in os.environ.items() if not k.endswith("_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-c", SPAWN, *PLAY, *options],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=plain | {"TERM": "xterm-256color"} | env,
    )
    try:
        shown = converse(process, typed)
        assert process.wait() == 0
        return shown.decode()
    finally:
        process.kill()
        process.communicate()


def converse(process: "subprocess.Popen[bytes]", typed: Sequence[bytes]) -> bytes:
    """Type one of these at each prompt, and return all that is shown."""
    assert process.stdin is not None
    assert process.stdout is not None
    shown, count = b"", 0
    while True:
        if select.select([process.stdout], [], [], 2)[0]:
            some = process.stdout.read(4096)
            if not some:
                return shown
            shown += some
            if count < len(typed) and shown.count(b" > ") > count:
                process.stdin.write(typed[count])
                count += 1
        elif count:
            # While the terminal turns from printing to reading it can lose what is
            # typed, an interrupt above all; a person types it again.
            process.stdin.write(typed[count - 1])


@pytest.mark.parametrize(
    "typed",
    [
        (b"q\r", b"y\r"),
        (CONTROL_C,),
        (CONTROL_D,),
        (b"2\r", CONTROL_C),
        (b"q\r", CONTROL_D),
    ],
)
def test_q_control_c_and_control_d_leave_a_terminal_quietly(
    typed: tuple[bytes, ...],
) -> None:
    shown = at_a_terminal(*typed)
    assert "Traceback" not in shown
    assert shown.rstrip().endswith("Goodbye.")


RED = "\x1b[31m"


def test_R72_colour_comes_by_itself_and_can_be_switched_off() -> None:
    assert RED in at_a_terminal(CONTROL_D)
    assert RED not in at_a_terminal(CONTROL_D, options=["--no-color"])
    assert RED not in at_a_terminal(CONTROL_D, NO_COLOR="1")
