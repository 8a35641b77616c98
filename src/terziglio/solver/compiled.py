"""The solver compiled with numba, the same answers as ``reference``'s.

Null windows over a table of canonical positions; ``windows`` is the search, ``choices``
what it tries, ``bounds`` what it need not try, ``codes`` the table.
"""

from functools import cache

from terziglio.cards import Card, thirds_in
from terziglio.solver import windows
from terziglio.solver.layout import CUT, Memory, memory, words
from terziglio.solver.position import LIMIT, Position, Unsolved

__all__ = ["best_cards", "grades", "reaches", "thirds"]

Named = tuple[int, int, int, int, int, int, int, int, int, int]
"""Hands, leader, cards on the table, and the tricks, thirds and monte to come."""

_NO_MARKS: Memory = words((2, 1, 0))


@cache
def _memory() -> Memory:
    """The block of memory that the questions of this process use, one by one."""
    return memory()


def reaches(position: Position, need: int, limit: int = LIMIT) -> bool:
    """Return whether the soloist takes at least so many thirds from here on.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    mem, named = _begun(position, limit)
    h0, h1, h2, leader, played, a, b, left, rest, monte = named
    if need <= 0 or rest < need:
        return need <= 0
    bound = windows.reach(
        h0, h1, h2, leader, played, a, b, need, left, rest, monte, mem
    )
    if mem[CUT]:
        raise Unsolved
    return bool(bound >= need)


def thirds(position: Position, limit: int = LIMIT) -> int:
    """Return the thirds that the soloist takes from here on, both sides at their best.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    mem, named = _begun(position, limit)
    h0, h1, h2, leader, played, a, b, left, rest, monte = named
    value = int(
        windows.exact(h0, h1, h2, leader, played, a, b, -1, left, rest, monte, mem)
    )
    if value < 0:
        raise Unsolved
    return value


def best_cards(position: Position, limit: int = LIMIT) -> dict[Card, int]:
    """Return what the position is worth after each card that may be played.

    Raises:
        Unsolved: more than ``limit`` cards would have to be tried.
    """
    return _each_card(position, limit, _NO_MARKS)


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
    return _each_card(position, limit, words(marks))


def _begun(position: Position, limit: int) -> tuple[Memory, Named]:
    """Return the memory, made ready, and the position in numbers: soloist seat 0."""
    soloist = position.soloist
    h0, h1, h2 = (position.hands[soloist.after(turn)] for turn in range(3))
    table = [int(card) for card in position.trick]
    cards = h0 | h1 | h2
    left = (cards.bit_count() + len(table)) // 3
    rest = thirds_in(cards) + sum(card.thirds for card in position.trick)
    rest += 3 + position.monte if left else 0
    a, b = (*table, 0, 0)[:2]
    leader = (position.leader - soloist) % 3
    mem = _memory()
    windows.start(h1, h2, limit, mem)
    return mem, (h0, h1, h2, leader, len(table), a, b, left, rest, position.monte)


def _each_card(position: Position, limit: int, marks: Memory) -> dict[Card, int]:
    """Ask once for each card, of equal ones for the strongest."""
    mem, named = _begun(position, limit)
    values: dict[Card, int] = {}
    guess = -1
    for card, tried in position.equals.items():
        if card is tried:
            guess = int(windows.after(*named, int(card), guess, marks, mem))
            if guess < 0:
                raise Unsolved
        values[card] = guess
    return dict(reversed(values.items()))
