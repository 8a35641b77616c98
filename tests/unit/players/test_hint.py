"""A hint is plain data, and each of its reasons can be said."""

import pytest

from support import cards
from terziglio import Bid, Play
from terziglio.players.hint import Chance, Hint, Reason


def test_equal_hints_compare_equal() -> None:
    four, five = cards("4S 5S")
    chances = (Chance(four, 0.25), Chance(five, 1.0))
    one = Hint(Play(five), Reason.MOST_CHANCES, chances, 40)
    assert one == Hint(Play(five), Reason.MOST_CHANCES, (*chances,), 40)
    assert one != Hint(Play(five), Reason.MOST_CHANCES, chances[::-1], 40)


def test_outside_play_there_are_no_chances() -> None:
    assert Hint(Bid(None), Reason.BEST_BID) == Hint(Bid(None), Reason.BEST_BID, (), 0)


@pytest.mark.parametrize("reason", Reason)
def test_a_reason_is_its_code(reason: Reason) -> None:
    assert reason == reason.name.lower()
