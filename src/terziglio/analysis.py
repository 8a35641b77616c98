"""A finished hand in hindsight: every card known, both sides perfect from each card on.

Hindsight is not a reproach: nobody at the table could see what it sees. A card that
"lost" three thirds here may have been the right one to play. All values are thirds;
what a hand is worth is told as the soloist's final thirds of the 35.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from terziglio.cards import Card
from terziglio.count import NEED
from terziglio.seats import Seat
from terziglio.tricks import Trick

__all__ = ["Analysis", "Judged"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A card played, judged in hindsight."""

    trick: int
    """From 1 to 12."""
    seat: Seat
    card: Card
    lost: int
    """Thirds it lost for its side against the best card, 0 or more."""
    best: tuple[Card, ...]
    """The cards that would have lost nothing, in their fixed order."""
    value: int
    """The soloist's final thirds from here on, both sides perfect."""

    @property
    def could_win(self) -> bool:
        """Whether the soloist wins from here on, both sides perfect (R47)."""
        return self.value >= NEED


@dataclass(frozen=True, slots=True)
class Analysis:
    """A played hand in hindsight: every card known, which no seat could know."""

    knowledge: ClassVar[Literal["hindsight"]] = "hindsight"
    """What the values rest on: every card, the hidden ones too."""
    soloist: Seat
    start: int
    """The soloist's final thirds from the first card on, both sides perfect."""
    final: int
    """The soloist's final thirds as the hand was played."""
    cards: tuple[Judged, ...]
    """The 36 cards in the order played."""
    line: tuple[Trick, ...]
    """One best line from the first card on: of equally good cards the first in order.

    It comes out at ``start``.
    """

    @property
    def makeable(self) -> bool:
        """Whether the bid could be made, with the cards as they were laid."""
        return self.start >= NEED

    @property
    def won(self) -> bool:
        """Whether the soloist won (R47)."""
        return self.final >= NEED

    @property
    def turns(self) -> tuple[Judged, ...]:
        """The cards that turned who wins, in the order played."""
        before = (self.makeable, *(card.could_win for card in self.cards))
        return tuple(
            card
            for was, card in zip(before, self.cards, strict=False)
            if card.could_win != was
        )

    @property
    def turning(self) -> Judged | None:
        """The first card that lost the hand for its side; ``None``: no card did."""
        turns = self.turns
        return turns[0] if turns else None

    @property
    def lost(self) -> tuple[int, int]:
        """Thirds lost by the soloist, and by the defenders together."""
        own = sum(card.lost for card in self.cards if card.seat == self.soloist)
        return own, sum(card.lost for card in self.cards) - own

    @property
    def adds_up(self) -> bool:
        """Whether ``final - start`` is the defenders' losses less the soloist's.

        Each loss is worked out from its own position, so that this checks the solver:
        it holds for every hand.
        """
        soloist, defenders = self.lost
        return self.final - self.start == defenders - soloist
