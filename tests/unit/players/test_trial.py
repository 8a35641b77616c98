"""One decision put to a player: the failures, and what is said of each."""

from pathlib import Path
from random import Random

import pytest

from strategies import Script, line, rng, shuffled
from support import at, cards, golden, on_table, prefix, random_hand, read_tries, steps
from terziglio import (
    Bid,
    Call,
    Card,
    Contract,
    Discard,
    Illegal,
    IllegalAction,
    Phase,
    Play,
    Seat,
    SeatView,
    check,
    new_match,
    seat_view,
)
from terziglio.hand import history
from terziglio.notation import parse
from terziglio.players import house
from terziglio.trial import (
    Failed,
    Kind,
    answer,
    ask,
    dealt,
    one_line,
    refusal,
    rule_of,
    spoken,
    unfolded,
    where,
    would_do,
)
from terziglio.trial import (
    on_table as laid_out,
)
from terziglio.words import rulebook


def view_at(phase: Phase, name: str = "chiamo_lost") -> SeatView:
    match = on_table(at(golden(name), phase))
    assert match.turn is not None
    return seat_view(match, match.turn)


def mid_trick() -> SeatView:
    """A view of a seat that must follow suit and has other cards."""
    for now, seat, _ in steps(golden("chiamo_lost")):
        view = seat_view(on_table(now), seat)
        if view.legal.why:
            return view
    raise AssertionError("nobody ever had to follow")


@pytest.mark.parametrize("seed", range(12))
def test_a_view_knows_what_the_engine_refuses(seed: int) -> None:
    random = rng("refusal", seed)
    for hand in line(Script.drawn(random), Seat(seed % 3), shuffled(random)):
        if hand.turn is None:
            continue
        view = seat_view(on_table(hand), hand.turn)
        for action in tries(random):
            assert refusal(view, action) == check(hand, hand.turn, action)
        for action, _ in zip(view.legal.actions(), range(50), strict=False):
            assert refusal(view, action) is None


def tries(random: Random) -> list[Bid | Call | Discard | Play]:
    some = random.choices(list(Card), k=random.choice((3, 4, 4, 4, 5)))
    back = random.choice((None, random.choice(list(Card))))
    bids = [Bid(bid) for bid in (None, *Contract)]
    any_cards = [kind(card) for card in Card for kind in (Call, Play)]
    return [*bids, *any_cards, Discard(tuple(some), back)]


def test_every_refusal_has_its_rule() -> None:
    known = {r["id"] for s in rulebook()["sections"] for r in s["rules"]}
    for code in Illegal:
        for phase in Phase:
            refused = IllegalAction(code, {"phase": phase.value})
            assert rule_of(refused) in known
    told = {t.refusal.code: rule_of(t.refusal) for t in read_tries()}
    assert told[Illegal.MUST_FOLLOW_SUIT] == "R38"
    assert told[Illegal.GIVE_BACK_MISSING] == "R29"


def test_R38_an_illegal_answer_is_told_with_rule_remedy_and_command() -> None:
    view = mid_trick()
    wrong = next(iter(view.legal.why))
    with pytest.raises(Failed) as caught:
        answer(lambda _: Play(wrong), view)
    failed = caught.value
    assert failed.kind is Kind.ILLEGAL
    assert failed.refused == view.legal.why[wrong]
    assert str(failed) == (
        f"{where(view)}: play {wrong} breaks R38\n"
        f"  must_follow_suit: {failed.told[1].partition(': ')[2]}\n"
        f"  would do: Play of {' '.join(map(str, view.legal.cards))}"
    )


def test_the_command_in_a_failure_holds_the_hand_in_one_line() -> None:
    match = on_table(prefix(golden("chiamo_lost"), 9))
    assert match.hand is not None
    with pytest.raises(Failed) as caught:
        ask(lambda _: Bid(None), match, "b.py")
    command = f"terziglio check b.py --notation '{one_line(match.hand)}'"
    assert str(caught.value).endswith(f"\n  again: {command}")
    assert parse(unfolded(one_line(match.hand))) == match.hand
    assert unfolded("a; b\nc  # d; e\n") == "a\n b\nc  "
    assert ask(house, match) == house(seat_view(match, Seat(match.turn or 0)))


def test_nobody_is_asked_when_the_hand_is_over() -> None:
    for match in (new_match(), on_table(golden("thrown_in"))):
        with pytest.raises(ValueError, match="nobody"):
            ask(house, match)


@pytest.mark.parametrize(
    "given",
    [
        *(None, 5, Card("3S"), "3S", Bid, Play("3S"), Call(None), Bid("solo")),  # type: ignore[arg-type]
        *(Discard((1, 2, 3, 4)), Discard(cards("3S"), 7), "x" * 200),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_action_is_told_as_such(given: object) -> None:
    with pytest.raises(Failed) as caught:
        answer(lambda _: given, view_at(Phase.PLAY))  # type: ignore[arg-type,return-value]
    assert caught.value.kind is Kind.NO_ACTION
    assert "which is no action" in caught.value.told[0]
    assert len(caught.value.told[0]) < 200
    assert caught.value.told[1].startswith("would do: Play of ")


def test_a_crash_is_told_with_the_line_of_the_author() -> None:
    def crashes(_: SeatView) -> Play:
        raise LookupError("no such card")

    def leaves(_: SeatView) -> Play:
        raise SystemExit(3)

    with pytest.raises(Failed) as caught:
        answer(crashes, view_at(Phase.PLAY))
    assert caught.value.kind is Kind.CRASH
    assert "raised LookupError: no such card" in caught.value.told[0]
    assert Path(__file__).name in caught.value.told[1]
    assert 'raise LookupError("no such card")' in caught.value.told[1]
    with pytest.raises(Failed, match="SystemExit"):
        answer(leaves, view_at(Phase.PLAY))


def test_a_crash_in_our_own_code_is_told_with_that_line() -> None:
    with pytest.raises(Failed) as caught:
        answer(house, new_view())
    assert caught.value.kind is Kind.CRASH
    assert "house.py" in caught.value.told[1]


def new_view() -> SeatView:
    """A view of nobody's turn, at which a player has nothing to answer."""
    return seat_view(new_match(), Seat.S0)


@pytest.mark.parametrize(
    ("name", "phase", "told"),
    [
        ("chiamo_lost", Phase.AUCTION, "Bid of None (pass), chiamo, solo, solissimo"),
        ("chiamo_lost", Phase.CALL, "Call of "),
        ("chiamo_lost", Phase.EXCHANGE, "Discard of 4 of "),
        ("chiamo_lost", Phase.PLAY, "Play of "),
    ],
)
def test_what_would_do_is_told(name: str, phase: Phase, told: str) -> None:
    assert would_do(view_at(phase, name).legal).startswith(told)


def test_R29_R31_whether_a_card_goes_back_is_told() -> None:
    backs = {would_do(view_at(Phase.EXCHANGE, name).legal).partition(", ")[2]
             for name in ("chiamo_lost", "solo_won")}  # fmt: skip
    assert backs == {"and one more as give_back", "give_back None"}


def test_actions_in_a_few_words() -> None:
    assert spoken(Bid(None)) == "pass"
    assert spoken(Bid(Contract.SOLO)) == "bid solo"
    assert spoken(Call(Card("3S"))) == "call 3S"
    assert spoken(Discard(cards("4S 5S 6S 7S"))) == "lay 4S 5S 6S 7S"
    assert spoken(Discard(cards("4S 5S"), Card("4C"))) == "lay 4S 5S, give 4C"
    assert spoken(Play(Card("AD"))) == "play AD"


def test_deals_are_those_of_the_bank_and_hands_go_onto_a_table() -> None:
    assert dealt("a", 3).hand == dealt("a", 3).hand != dealt("b", 3).hand
    assert dealt("a", 4).dealer is Seat.S1
    hand = random_hand(5)
    assert laid_out(hand).hand == hand
    assert list(history(hand))
