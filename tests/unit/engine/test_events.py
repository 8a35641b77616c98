"""What happened, as values by kind."""

from dataclasses import FrozenInstanceError, fields
from typing import get_args

import pytest

from support import cards
from terziglio.cards import Card
from terziglio.events import (
    BidMade,
    CardCalled,
    CardPlayed,
    CardsDiscarded,
    HandEvent,
    TrickTaken,
)
from terziglio.seats import Seat


@pytest.mark.parametrize(
    ("event", "kind", "told"),
    [
        (BidMade, "bid", "seat bid thrown_in soloist monte_shown"),
        (CardCalled, "called", "seat card passed_by monte_shown"),
        (CardsDiscarded, "discarded", "seat count given_back cards"),
        (CardPlayed, "card_played", "seat card trick count winner"),
    ],
)
def test_kinds_and_what_each_tells(
    event: type[HandEvent], kind: str, told: str
) -> None:
    assert event.kind == kind
    assert [field.name for field in fields(event)] == told.split()


def test_a_hand_has_four_kinds_of_event() -> None:
    assert set(get_args(HandEvent)) == {BidMade, CardCalled, CardsDiscarded, CardPlayed}


def test_bare_bid_and_card_settle_nothing() -> None:
    bid = BidMade(Seat.S0, None)
    assert (bid.thrown_in, bid.soloist, bid.monte_shown) == (False, None, None)
    played = CardPlayed(Seat.S0, Card("3S"))
    assert (played.trick, played.count, played.winner) == (None, None, None)


def test_events_are_values() -> None:
    one = CardCalled(Seat.S0, Card("3S"), None, cards("4S 5S 6S 7S"))
    assert one == CardCalled(Seat.S0, Card("3S"), None, cards("4S 5S 6S 7S"))
    assert len({TrickTaken(Seat.S0, 3), TrickTaken(Seat.S0, 3)}) == 1
    with pytest.raises(FrozenInstanceError):
        one.seat = Seat.S1  # type: ignore[misc]
