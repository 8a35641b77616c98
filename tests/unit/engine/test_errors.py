"""Refusals as values, and which reason comes first when several hold."""

import pickle

import pytest

from support import cards, golden, played, prefix
from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import check
from terziglio.phases import Counted, Hand
from terziglio.seats import Seat


def chiamo() -> Counted:
    """Seat 2 calls 3S, seat 1 passes it; 5 actions to the first lead."""
    return played("chiamo_lost")


def test_reasons_stand_in_the_order_in_which_they_are_checked() -> None:
    assert [reason.value for reason in Illegal] == [
        "hand_over",
        "not_your_turn",
        "wrong_phase",
        "bid_too_low",
        "card_in_own_hand",
        "wrong_discard_count",
        "duplicate_discard",
        "discard_not_held",
        "give_back_missing",
        "give_back_not_wanted",
        "give_back_not_held",
        "give_back_also_discarded",
        "card_not_held",
        "must_follow_suit",
    ]


def test_refusals_are_equal_when_code_and_params_are() -> None:
    one = IllegalAction(Illegal.CARD_NOT_HELD, {"card": "3S"})
    assert one == IllegalAction(Illegal.CARD_NOT_HELD, {"card": "3S"})
    assert hash(one) == hash(IllegalAction(Illegal.CARD_NOT_HELD, {"card": "3S"}))
    assert one != IllegalAction(Illegal.CARD_NOT_HELD, {"card": "4S"})
    assert one != IllegalAction(Illegal.DISCARD_NOT_HELD, {"card": "3S"})
    assert one != "card_not_held"
    bare = IllegalAction(Illegal.HAND_OVER)
    assert bare == IllegalAction(Illegal.HAND_OVER, {})
    assert hash(bare) == hash(IllegalAction(Illegal.HAND_OVER, {}))


def test_refusal_tells_code_and_params() -> None:
    assert str(IllegalAction(Illegal.HAND_OVER)) == "hand_over"
    follow = IllegalAction(Illegal.MUST_FOLLOW_SUIT, {"led": "D", "held": 2})
    assert str(follow) == "must_follow_suit (led D, held 2)"


def test_refusal_survives_pickling() -> None:
    follow = IllegalAction(Illegal.MUST_FOLLOW_SUIT, {"led": "D", "held": 2})
    assert pickle.loads(pickle.dumps(follow)) == follow  # noqa: S301 - our own bytes


def refusal(hand: Hand, seat: int, action: Action) -> tuple[str, dict[str, str | int]]:
    reason = check(hand, Seat(seat), action)
    assert reason is not None
    return reason.code.value, dict(reason.params)


def test_hand_over_comes_before_turn_and_phase() -> None:
    assert refusal(chiamo(), 0, Bid(None)) == ("hand_over", {})
    assert refusal(golden("thrown_in"), 2, Play(Card("3S"))) == ("hand_over", {})


def test_turn_comes_before_phase_and_card() -> None:
    assert refusal(prefix(chiamo(), 4), 0, Play(Card("3S"))) == (
        "not_your_turn",
        {"turn": 2},
    )


def test_phase_comes_before_the_card() -> None:
    own = Call(Card("AS"))
    assert refusal(prefix(chiamo(), 4), 2, own) == (
        "wrong_phase",
        {"phase": "exchange"},
    )


@pytest.mark.parametrize(
    ("laid", "back", "code", "params"),
    [
        ("QS QS QS", "QS", "wrong_discard_count", {"expected": 4, "got": 3}),
        ("QS 5C 5C QS", None, "duplicate_discard", {"card": "5C"}),
        ("QS QC QS QC", "JD", "duplicate_discard", {"card": "QS"}),
        ("5C QS 4S 7D", None, "discard_not_held", {"card": "QS"}),
        ("5C QS 4S 7D", "QS", "discard_not_held", {"card": "QS"}),
        ("5C 7C 4C 7D", None, "give_back_missing", {}),
        ("5C 7C 4C 7D", "QS", "give_back_not_held", {"card": "QS"}),
        ("5C 7C 4C 7D", "4C", "give_back_also_discarded", {"card": "4C"}),
    ],
)
def test_discard_is_refused_for_its_first_reason(
    laid: str, back: str | None, code: str, params: dict[str, str | int]
) -> None:
    given = None if back is None else Card(back)
    action = Discard(cards(laid), given)
    assert refusal(prefix(chiamo(), 4), 2, action) == (code, params)


def test_give_back_not_wanted_comes_before_not_held() -> None:
    exchange = prefix(golden("solo_won"), 3)
    action = Discard(cards("4S 5S 6C 4H"), Card("3S"))
    assert refusal(exchange, 0, action) == ("give_back_not_wanted", {})


def test_card_not_held_comes_before_must_follow_suit() -> None:
    """Seat 2 holds clubs, clubs are led: a card of nobody's suit is not his at all."""
    assert refusal(prefix(chiamo(), 6), 2, Play(Card("QD"))) == (
        "card_not_held",
        {"card": "QD"},
    )


def test_params_are_plain_values() -> None:
    hand = prefix(golden("chiamo_won"), 1)
    code, params = refusal(hand, 0, Bid(Contract.CHIAMO))
    assert (code, params) == ("bid_too_low", {"highest": "chiamo"})
    assert type(params["highest"]) is str
    turn = refusal(hand, 1, Bid(None))[1]["turn"]
    assert type(turn) is int
