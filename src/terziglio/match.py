"""Hands in a row: dealer, scores, the race to 7, 11 or 21. Rules: R59-R67."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from terziglio.actions import Action, Phase
from terziglio.cards import Card
from terziglio.errors import Illegal, IllegalAction
from terziglio.frozen import quick
from terziglio.hand import apply, deal
from terziglio.phases import Counted, Hand
from terziglio.seats import Seat

__all__ = ["TARGETS", "Match", "new_match"]

TARGETS: Final = (7, 11, 21)
"""The targets a host may choose (R61)."""


@quick
@dataclass(frozen=True, slots=True)
class Match:
    """A match: an immutable value, like the hand that lies on its table."""

    target: int
    """Game points to reach (R61)."""
    dealer: Seat
    """Who dealt the hand on the table, or will deal the first one."""
    scores: tuple[int, int, int] = (0, 0, 0)
    """Game points by seat; they sum to 0 and may be negative (R59, R60)."""
    deal_no: int = 0
    """Deals so far, the one on the table and thrown-in ones included."""
    hand_no: int = 0
    """Counted hands so far (R66)."""
    hand: Hand | None = None
    """The hand on the table, over or not; ``None`` before the first deal."""

    @property
    def winner(self) -> Seat | None:
        """The one seat on top at or above the target (R62-R65)."""
        top = max(self.scores)
        if top < self.target or self.scores.count(top) > 1:
            return None
        return Seat(self.scores.index(top))

    @property
    def phase(self) -> Phase:
        """The hand's phase, ``waiting`` before a deal, ``finished`` after a win."""
        if self.hand is None:
            return Phase.WAITING
        return self.hand.phase if self.winner is None else Phase.FINISHED

    @property
    def turn(self) -> Seat | None:
        """The seat to act, or ``None`` when no hand is under way."""
        return None if self.hand is None else self.hand.turn

    def deal(self, deck: Sequence[Card]) -> "Match":
        """Return the match with the next hand dealt; the dealer moves on (R13).

        Raises:
            IllegalAction: ``wrong_phase`` in mid-hand, ``hand_over`` after a win.
            ValueError: the deck is not the forty cards, each once.
        """
        if self.winner is not None:
            raise IllegalAction(Illegal.HAND_OVER)
        if self.turn is not None:
            raise IllegalAction(Illegal.WRONG_PHASE, {"phase": self.phase.value})
        dealer = self.dealer if self.hand is None else self.dealer.next
        return replace(
            self, dealer=dealer, deal_no=self.deal_no + 1, hand=deal(dealer, deck)
        )

    def apply(self, seat: Seat, action: Action) -> "Match":
        """Return the match after the action; a counted hand moves the scores.

        Raises:
            IllegalAction: the rules refuse it; ``hand_over`` when none is on.
        """
        if self.hand is None:
            raise IllegalAction(Illegal.HAND_OVER)
        hand = apply(self.hand, seat, action)
        if not isinstance(hand, Counted):
            return Match(
                self.target, self.dealer, self.scores, self.deal_no, self.hand_no, hand
            )
        first, second, third = map(
            sum, zip(self.scores, hand.result.delta, strict=True)
        )
        return replace(
            self, hand=hand, scores=(first, second, third), hand_no=self.hand_no + 1
        )


def new_match(target: int = 7, dealer: Seat = Seat.S0) -> Match:
    """Return a match at 0 0 0 with no hand dealt.

    Args:
        target: 7, 11 or 21 game points.
        dealer: who deals the first hand; draw it at random (R10).

    Raises:
        ValueError: another target.
    """
    if target not in TARGETS:
        raise ValueError(f"a target is one of {TARGETS}, not {target}")
    return Match(target, Seat(dealer))
