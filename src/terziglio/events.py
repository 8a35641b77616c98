"""What happened, as one seat may know it: a frozen value for each kind of event.

``terziglio.view`` builds them; ``kind`` is their name on the wire.
"""

from dataclasses import dataclass
from typing import ClassVar

from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.count import Result
from terziglio.frozen import quick
from terziglio.seats import Seat

__all__ = [
    "BidMade",
    "CardCalled",
    "CardPlayed",
    "CardsDiscarded",
    "HandEvent",
    "TrickTaken",
]


@quick
@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat bid or passed, with what that settled."""

    kind: ClassVar = "bid"
    seat: Seat
    bid: Contract | None
    thrown_in: bool = False
    """Whether this was the third pass (R20)."""
    soloist: Seat | None = None
    """The soloist, if this call ended the auction with one (R19)."""
    monte_shown: tuple[Card, ...] | None = None
    """The monte, if it was turned up at once: solo (R28)."""


@dataclass(frozen=True, slots=True)
class CardCalled:
    """The soloist called a card; the monte is turned up at once (R25, R26, R28)."""

    kind: ClassVar = "called"
    seat: Seat
    card: Card
    passed_by: Seat | None
    """The defender who passed it, ``None`` when it lay in the monte."""
    monte_shown: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """The soloist laid cards face down and perhaps gave one back (R29, R30)."""

    kind: ClassVar = "discarded"
    seat: Seat
    count: int
    given_back: Card | None
    cards: tuple[Card, ...] | None
    """The cards laid: for the soloist alone, ``None`` for the defenders."""


@quick
@dataclass(frozen=True, slots=True)
class TrickTaken:
    """A finished trick: its winner and its worth in thirds."""

    winner: Seat
    thirds: int


@quick
@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card, with what that finished."""

    kind: ClassVar = "card_played"
    seat: Seat
    card: Card
    trick: TrickTaken | None = None
    """The trick, if this card finished it."""
    count: Result | None = None
    """The count, if this card finished the hand."""
    winner: Seat | None = None
    """The winner of the match, if this card finished it."""


HandEvent = BidMade | CardCalled | CardsDiscarded | CardPlayed
