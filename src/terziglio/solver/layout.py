"""What the compiled solver keeps, and where: one block of memory, and tables of suits.

An array is seven words to a compiled function, and the search calls itself: so all that
it writes, and its weights, lie in one array of 64-bit ints.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, cast

import numpy as np

__all__ = [
    "ABOVE",
    "AGE",
    "CODES",
    "COUNT",
    "CUT",
    "LIMIT",
    "LOWEST",
    "NODES",
    "SCRATCH",
    "SLOTS",
    "SUIT",
    "SUM",
    "TABLE",
    "WEIGHTS_AT",
    "WORTH",
    "Memory",
    "compile_it",
    "memory",
    "words",
]


class Memory(Protocol):
    """An array of 64-bit ints, as the search sees it."""

    def __getitem__(self, at: int) -> int:
        """Return a word."""
        ...

    def __setitem__(self, at: int, word: int) -> None:
        """Write a word."""
        ...


Function = TypeVar("Function", bound=Callable[..., Any])

_numba: Final = import_module("numba")  # it has no types of its own
_SOURCES: Final = sorted(Path(__file__).parent.glob("*.py"))
_DIGEST: Final = sha256(b"".join(p.read_bytes() for p in _SOURCES)).hexdigest()[:12]


def compile_it(function: Function) -> Function:
    """Have numba compile a function at its first call, and keep what it made.

    numba keeps it by the function's name, for as long as that function's own file is
    the same. What is compiled here takes in tables and functions of other files, so all
    of them are in the name.
    """
    function.__qualname__ = f"{function.__name__}_{_DIGEST}"
    return cast("Function", _numba.njit(cache=True)(function))


SLOTS = 1 << 18
"""Positions that the table holds, two words each: as many as near memory takes."""

NODES, LIMIT, AGE, CUT = 0, 1, 2, 3
"""Cards tried, how many may be, the age of what the table knows, and whether the
search was cut short."""
CODES = 8
"""For each suit, the codes of the 128 subsets of 4..A's seven lower ranks, then of the
8 of its three upper ones."""
SCRATCH = CODES + 4 * 136
"""The cards to try, 16 to a ply."""
WEIGHTS_AT = SCRATCH + 1024
TABLE = WEIGHTS_AT + 256

SUIT = (1 << 10) - 1
_RANKS = (0, 0, 0, 0, 1, 1, 1, 3, 1, 1)


def words(values: Iterable[int]) -> Memory:
    """Return numbers as an array."""
    return cast("Memory", np.array(list(values), dtype=np.int64))


_SUBSETS = range(1 << 10)
WORTH = words(_RANKS * 4)
"""A card's thirds."""
SUM = words(sum(w for r, w in enumerate(_RANKS) if s >> r & 1) for s in _SUBSETS)
"""Thirds in each subset of a suit."""
COUNT = words(s.bit_count() for s in _SUBSETS)
"""Cards in each."""
ABOVE = words(s.bit_length() for s in _SUBSETS)
"""One more than the strongest rank of a subset, 0 if it is empty."""
LOWEST = words((s & -s).bit_length() - 1 if s else 10 for s in _SUBSETS)
"""The weakest rank of a subset, 10 if it is empty."""

_WEIGHTS: Final = """
    0 48 -8 12 0 -17 63 7 0 -35
    10 -8 -1 -14 -69 -30 47 -17 0 -8
    60 61 -2 2 18 5 -1 -1 49 8
    62 14 -2 -24 5 0 -102 -14 10 0
    0 -23 1 2 2 2 7 15 0 0
    -17 -19 -1 8 -4 4 0 -4 -13 0
    42 7 1 0 13 36 -48 -4 0 -22
    60 8 5 2 0 -8 -1 0 -11 -1
    5 -8 -39 1 0 2 49 25 -58 14
    -16 -10 -1 4 43 2 49 0 -6 -25
    60 7 -2 2 0 -5 0 -12 -41 10
    60 12 -2 89 -45 2 55 0 35 36
    62 -37 -25 -20 6 1 0 -22 14 -14
    10 32 -1 0 1 26 -1 0 20 -18
    62 104 -2 -9 6 -5 11 2 16 0
    54 11 -2 0 0 0 -1 26 12 10
    2 -3 -2 0 -4 2 7 12 8 9
    10 -82 -1 1 0 -5 -7 49 101 -17
    98 12 17 2 89 0 46 -27 48 0
    71 88 -2 1 0 -1 0 -3 -4 3
    34 -10 -2 2 -2 1 23 -1 15 0
    21 -10 -13 0 -3 -18 0 15 0 -1
    60 85 -2 -2 3 0 0 26 -24 -8
    60 67 -3 0 48 -1 0 0 10 -5
"""
"""Ten for each of 24 kinds of card to try (see ``choices``): by cards played to the
trick, soloist or defender, and whose the trick is. Found by hill climbing on the number
of cards tried in 40 deals."""


def memory() -> Memory:
    """Return a new block of memory."""
    block = np.zeros(TABLE + 2 * SLOTS, dtype=np.int64)
    weights = [int(weight) for weight in _WEIGHTS.split()]
    block[WEIGHTS_AT : WEIGHTS_AT + len(weights)] = weights
    return cast("Memory", block)
