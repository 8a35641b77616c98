"""One trick: who leads, who wins, what it is worth. Rules: R36-R42."""

from dataclasses import dataclass

from terziglio.cards import Card, set_of, thirds_in
from terziglio.frozen import quick
from terziglio.seats import AFTER, Seat

__all__ = ["Trick"]


@quick
@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, finished or not; ``cards`` in the order played, leader first."""

    leader: Seat
    cards: tuple[Card, ...] = ()

    @property
    def winner(self) -> Seat:
        """Who holds the trick: the highest card of the suit led (R40)."""
        cards = self.cards
        best = cards[0]
        suit = best // 10
        for card in cards:
            if card > best and card // 10 == suit:
                best = card
        return AFTER[self.leader][cards.index(best)]

    @property
    def thirds(self) -> int:
        """What its cards are worth."""
        return thirds_in(set_of(self.cards))
