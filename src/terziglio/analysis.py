"""A finished hand in hindsight: every card known, both sides perfect from each card on.

Hindsight is not a reproach: nobody at the table could see what it sees. A card that
"lost" three thirds here may have been the right one to play. All values are thirds;
what a hand is worth is told as the soloist's final thirds of the 35.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final, Literal

from terziglio.cards import Card, thirds_in
from terziglio.count import NEED
from terziglio.phases import Counted
from terziglio.seats import SEATS, Seat
from terziglio.solver import Position, best_cards
from terziglio.tricks import Trick

__all__ = ["Analysis", "Judged", "analyse", "judged"]

Solve = Callable[[Position], Mapping[Card, int]]
_NO_LIMIT: Final = 1 << 62
"""Cards that the solver may try: one hand in some thousands takes more than its own
limit, and is told all the same; who cannot wait sets a time."""


def _solved(now: Position) -> Mapping[Card, int]:
    return best_cards(now, _NO_LIMIT)


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


def analyse(hand: Counted) -> Analysis:
    """Return a played hand in hindsight, with all cards known."""
    solve = cache(_solved)  # the best line often is the one that was played
    cards = tuple(judged(hand, solve))
    first = cards[0]
    lost = first.lost if first.seat == hand.terms.soloist else -first.lost
    return Analysis(
        soloist=hand.terms.soloist,
        start=first.value + lost,
        final=hand.result.soloist_thirds,
        cards=cards,
        line=tuple(_line(_start(hand), solve)),
    )


def judged(hand: Counted, solve: Solve = _solved, since: int = 1) -> Iterator[Judged]:
    """Yield each card played from a trick on, judged: ``analyse`` without its line.

    Args:
        hand: the hand, played out.
        solve: what a position is worth after each card that may be played.
        since: the trick to begin with, from 1; later ones are judged much faster.
    """
    now, banked, value = _start(hand, since), 0, 0
    for number, trick in enumerate(hand.tricks, start=1):
        if number >= since:
            for card in trick.cards:
                best = now.playable
                lost = 0
                if len(best) > 1 or number == since:
                    values = solve(now)
                    right = _best(now, values)
                    best = tuple(c for c in best if values[c] == right)
                    lost = abs(right - values[card])
                    value = banked + values[card]
                # Where no choice is left, what it was worth before is still true.
                yield Judged(number, now.turn, card, lost, best, value)
                now = _after(now, card)
        if trick.winner == now.soloist:
            banked += trick.thirds


def _start(hand: Counted, since: int = 1) -> Position:
    """The position before a trick."""
    held = [0, 0, 0]
    left = hand.tricks[since - 1 :]
    for trick in left:
        for turn, card in enumerate(trick.cards):
            held[trick.leader.after(turn)] |= 1 << card
    return Position(
        hands=(held[0], held[1], held[2]),
        soloist=hand.terms.soloist,
        leader=left[0].leader,
        monte=thirds_in(hand.monte),
    )


def _line(now: Position, solve: Solve) -> Iterator[Trick]:
    """Yield the tricks of the best line; of equally good cards the first in order."""
    while any(now.hands):
        trick = Trick(now.leader)
        while len(trick.cards) < SEATS:
            card = now.playable[0]
            if len(now.playable) > 1:
                values = solve(now)
                right = _best(now, values)
                card = next(c for c in now.playable if values[c] == right)
            trick = Trick(trick.leader, (*trick.cards, card))
            now = _after(now, card)
        yield trick


def _best(now: Position, values: Mapping[Card, int]) -> int:
    """What the seat to play can bring about."""
    return (max if now.turn == now.soloist else min)(values.values())


def _after(now: Position, card: Card) -> Position:
    """The position after a card is played."""
    held = list(now.hands)
    held[now.turn] ^= 1 << card
    trick = Trick(now.leader, (*now.trick, card))
    full = len(trick.cards) == SEATS
    return Position(
        hands=(held[0], held[1], held[2]),
        soloist=now.soloist,
        leader=trick.winner if full else now.leader,
        trick=() if full else trick.cards,
        monte=now.monte,
    )
