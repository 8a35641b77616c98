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
    "MERITS",
    "NODES",
    "SCRATCH",
    "SLOTS",
    "SUIT",
    "SUM",
    "TABLE",
    "WEIGHTS",
    "WIDTH",
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
    compiler = _numba.njit(cache=True, error_model="numpy")  # we divide by 10 alone
    return cast("Function", compiler(function))


SLOTS = 1 << 18
"""Positions that the table holds, two words each: as many as near memory takes."""

NODES, LIMIT, AGE, CUT, WIDTH = 0, 1, 2, 3, 4
"""Cards tried, how many may be, the age of what the table knows, whether the search was
cut short, and how many cards it tries at each turn."""
CODES = 8
"""For each suit, the codes of the 16 subsets of 4 5 6 7, then of the 64 of J to 3."""
SCRATCH = CODES + 4 * 80
"""The cards to try, 16 to a ply."""
WEIGHTS = SCRATCH + 1024
"""Three for each of 24 kinds of card to try."""
MERITS = WEIGHTS + 128
"""How well each card has done: 8 rows of 40 for what is led, 40 each for the second and
the third to play."""
TABLE = MERITS + 88 * 40

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
    0 768 -145   160 -128 -16   691 976 138   992 224 -371
    0 -213 16   -272 -293 -52   -84 112 16   960 352 80
    -381 -128 -624   -288 -566 -29   960 112 -32   960 212 -32
    61 -483 -228   87 512 20   992 1687 -32   864 176 127
    -15 -223 -32   160 -1205 121   1568 192 272   436 1520 -49
    -554 -452 -32   336 -88 -208   960 1677 -54   971 1072 -70
"""
"""By cards played to the trick, soloist or defender, and whose the trick is (see
``choices``): for the card itself, for each third it is worth, for each rank. Found by
hill climbing on the number of cards tried."""


def memory() -> Memory:
    """Return a new block of memory."""
    block = np.zeros(TABLE + 2 * SLOTS, dtype=np.int64)
    weights = [int(weight) for weight in _WEIGHTS.split()]
    block[WEIGHTS : WEIGHTS + len(weights)] = weights
    return cast("Memory", block)
