"""The solver in plain Python: the same answers as the compiled one, to be read.

A position is worth the thirds that the soloist still takes when both sides play their
best. Each question is a null window: is it worth at least ``need``? A table keeps what
is known of positions at a trick's start, by what matters of them: who holds what, in
order of strength, in each suit, the suits in any order, and who leads.
"""

from typing import Final

from terziglio.cards import SUIT_CARDS, Card, CardSet, Suit, cards_in, thirds_in
from terziglio.seats import SEATS, Seat
from terziglio.solver.position import LIMIT, Position, Unsolved
from terziglio.tricks import Trick

__all__ = ["best_cards", "grades", "reaches", "thirds"]

_LAST: Final = 3
"""Thirds for trick 12, beside the monte (R44)."""

Hands = tuple[CardSet, CardSet, CardSet]


def reaches(position: Position, need: int, limit: int = LIMIT) -> bool:
    """Return whether the soloist takes at least so many thirds from here on.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    return _Search(position, limit).bound(position, need) >= need


def thirds(position: Position, limit: int = LIMIT) -> int:
    """Return the thirds that the soloist takes from here on, both sides at their best.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    return _Search(position, limit).value(position)


def best_cards(position: Position, limit: int = LIMIT) -> dict[Card, int]:
    """Return what the position is worth after each card that may be played.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    search = _Search(position, limit)
    values: dict[Card, int] = {}
    for card in position.playable:
        after, taken = search.play(position, card)
        values[card] = taken + search.value(after)
    return values


def grades(
    position: Position, marks: tuple[int, int, int], limit: int = LIMIT
) -> dict[Card, int]:
    """Return how many of three marks the soloist reaches after each card.

    Args:
        position: with somebody to play.
        marks: thirds still to be taken, rising.
        limit: how many cards the search may try.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    search = _Search(position, limit)
    reached: dict[Card, int] = {}
    for card in position.playable:
        after, taken = search.play(position, card)
        needs = [mark - taken for mark in marks]
        reached[card] = sum(search.bound(after, need) >= need for need in needs)
    return reached


class _Search:
    """What is found out about the positions that follow from one."""

    def __init__(self, root: Position, limit: int) -> None:
        self._last = _LAST + root.monte
        self._known: dict[object, tuple[int, int]] = {}
        self._left = limit

    def value(self, position: Position) -> int:
        """Return the position's worth, by windows that close in on it."""
        least, most = 0, self._rest(position)
        while least < most:
            need = (least + most + 1) // 2
            bound = self.bound(position, need)
            least, most = (bound, most) if bound >= need else (least, bound)
        return least

    def bound(self, position: Position, need: int) -> int:
        """Return a bound on the worth: from below if it is at least ``need``."""
        if position.trick:
            return self._best(position, need)
        rest = self._rest(position)
        if need <= 0 or rest < need:
            return 0 if need <= 0 else rest
        key = _key(position)
        least, most = self._known.get(key, (0, rest))
        if least >= need or most < need:
            return least if least >= need else most
        bound = self._best(position, need)
        self._known[key] = (bound, most) if bound >= need else (least, bound)
        return bound

    def _best(self, position: Position, need: int) -> int:
        """Try the cards of the seat to play until one settles the question."""
        if self._left <= 0:
            raise Unsolved
        soloist = position.turn is position.soloist
        bounds: list[int] = []
        for card in dict.fromkeys(position.equals.values()):
            self._left -= 1
            after, taken = self.play(position, card)
            bounds.append(taken + self.bound(after, need - taken))
            if (bounds[-1] >= need) is soloist:
                break
        return max(bounds) if soloist else min(bounds)

    def play(self, position: Position, card: Card) -> tuple[Position, int]:
        """Return the position after a card, and what the soloist takes with it."""
        hands, turn = list(position.hands), position.turn
        hands[turn] ^= 1 << card
        held, trick = (hands[0], hands[1], hands[2]), (*position.trick, card)
        soloist, leader, monte = position.soloist, position.leader, position.monte
        if len(trick) < SEATS:
            return Position(held, soloist, leader, trick, monte), 0
        done = Trick(leader, trick)
        taken = done.thirds + (0 if any(held) else self._last)
        if done.winner is not soloist:
            taken = 0
        return Position(held, soloist, done.winner, (), monte), taken

    def _rest(self, position: Position) -> int:
        """All that can still be taken."""
        cards = position.hands[0] | position.hands[1] | position.hands[2]
        if not cards and not position.trick:
            return 0
        on_table = sum(card.thirds for card in position.trick)
        return thirds_in(cards) + on_table + self._last


def _key(position: Position) -> object:
    """Return what matters of a position at a trick's start."""
    holder = {
        card: (seat - position.soloist) % SEATS
        for seat in Seat
        for card in cards_in(position.hands[seat])
    }
    suits = [
        tuple((holder[c], c.thirds) for c in cards_in(SUIT_CARDS[s]) if c in holder)
        for s in Suit
    ]
    return tuple(sorted(suits)), (position.leader - position.soloist) % SEATS
