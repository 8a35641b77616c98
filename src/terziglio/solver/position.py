"""A position with every card known: what the solver is asked about."""

from dataclasses import dataclass
from typing import Final

from terziglio.cards import SUIT_CARDS, Card, CardSet, cards_in, set_of, stand_ins
from terziglio.seats import Seat

__all__ = ["LIMIT", "Position", "Unsolved"]

LIMIT: Final = 200_000_000
"""Cards that a search may try, unless it is told otherwise: some ten seconds."""


class Unsolved(Exception):
    """A search came to its limit."""


@dataclass(frozen=True, slots=True)
class Position:
    """Play with every card known, at a trick's start or in its middle.

    At the start all three hold as many cards; in the middle those who have played to
    the trick hold one less.
    """

    hands: tuple[CardSet, CardSet, CardSet]
    """What each seat still holds; the cards on the table are in no hand."""
    soloist: Seat
    leader: Seat
    """Who led the trick on the table, or leads the next."""
    trick: tuple[Card, ...] = ()
    """The cards on the table, leader's first: none, one or two."""
    monte: int = 0
    """Thirds in the monte, which goes with trick 12."""

    @property
    def turn(self) -> Seat:
        """The seat to play."""
        return self.leader.after(len(self.trick))

    @property
    def playable(self) -> tuple[Card, ...]:
        """What the seat to play may play (R37-R39)."""
        held = self.hands[self.turn]
        if self.trick:
            held = held & SUIT_CARDS[self.trick[0].suit] or held
        return cards_in(held)

    @property
    def equals(self) -> dict[Card, Card]:
        """For each card that may be played, strongest first, the one to try for it."""
        others = set_of(self.trick)
        for seat in self.turn.next, self.turn.next.next:
            others |= self.hands[seat]
        return stand_ins(self.playable, others)
