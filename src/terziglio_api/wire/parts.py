"""Parts of a view that seldom change: each is encoded once and kept for a while.

They are kept by what is in them and by nothing else, so that one seat's can be that
of another only where the two are the same.
"""

from functools import lru_cache
from typing import Final

import orjson

from terziglio.cards import Card
from terziglio.seats import Seat
from terziglio.tricks import Trick
from terziglio.view import MonteView
from terziglio_api.wire.counts import taken_trick
from terziglio_api.wire.events import codes

__all__ = ["HELD", "free_hand", "monte_of", "tricks_taken", "you"]

HELD: Final = tuple({"card": card.code, "why": None} for card in Card)
"""Each card as it is held while nothing bars it."""


@lru_cache
def you(seat: Seat, side: str | None, host: bool) -> orjson.Fragment:
    """Return whose view it is."""
    return _encoded({"seat": seat, "side": side, "host": host})


def monte_of(monte: MonteView) -> orjson.Fragment:
    """Return the monte, as far as a seat knows it."""
    return _monte(monte.count, monte.shown, monte.cards)


@lru_cache(maxsize=1024)
def _monte(
    count: int, shown: tuple[Card, ...] | None, cards: tuple[Card, ...] | None
) -> orjson.Fragment:
    return _encoded(
        {
            "count": count,
            "shown": None if shown is None else codes(shown),
            "cards": None if cards is None else codes(cards),
        }
    )


@lru_cache(maxsize=1024)
def tricks_taken(tricks: tuple[Trick, ...]) -> orjson.Fragment:
    """Return the finished tricks."""
    return _encoded([taken_trick(trick) for trick in tricks])


@lru_cache(maxsize=4096)
def free_hand(hand: tuple[Card, ...]) -> orjson.Fragment:
    """Return a hand of which any card may be played."""
    return _encoded([HELD[card] for card in hand])


def _encoded(value: object) -> orjson.Fragment:
    return orjson.Fragment(orjson.dumps(value))
