"""The solver against plain minimax over random endings; planted bugs turn it red.

The referee, ``tests/minimax.py``, is written from the rules and shares no code with
the solver. A failing chunk repeats under the number in its name and tells the position.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import pytest

from endings import KINDS, answers, ending
from strategies import SCALE, rng
from terziglio import Card, solver
from terziglio.solver import Position, compiled, reference

pytestmark = pytest.mark.timeout(600)  # whoever asks first waits for the compiler
MIX = ((3, 320), (4, 165), (5, 15))
"""Tricks, and how many endings of them a chunk has: 20,000 in all, and 500,000 in the
long run. An ending of 5 tricks takes plain minimax a hundred times as long as one of 3.
"""
CHUNKS = 40 * SCALE


@dataclass(frozen=True)
class Solver:
    """What can be asked."""

    reaches: Callable[[Position, int], bool]
    thirds: Callable[[Position], int]
    best_cards: Callable[[Position], Mapping[Card, int]]

    @classmethod
    def of(cls, module: ModuleType) -> "Solver":
        return cls(module.reaches, module.thirds, module.best_cards)


class WrongError(AssertionError):
    """The solver and the referee do not agree."""


def compare(asked: Solver, position: Position, *, thorough: bool) -> None:
    """Ask for everything there is to know of a position."""
    cards = answers(position)
    choose = max if position.turn == position.soloist else min
    value = choose(cards.values())
    needs = range(37) if thorough else (value - 1, value, value + 1)
    told: list[object] = [asked.reaches(position, need) for need in needs]
    right: list[object] = [value >= need for need in needs]
    told += [asked.thirds(position), dict(asked.best_cards(position))]
    right += [value, cards]
    if told != right:
        raise WrongError(f"{position}: {told}, and it is {right}")


def examine(asked: Solver, chunk: object, mix: tuple[tuple[int, int], ...]) -> None:
    random = rng("solver", chunk)
    for tricks, number in mix:
        for turn in range(number):
            position = ending(random, KINDS[turn % len(KINDS)], tricks)
            compare(asked, position, thorough=turn % 10 == 0)


@pytest.mark.parametrize("chunk", range(CHUNKS), ids="chunk{}".format)
def test_the_compiled_solver_and_plain_minimax_agree(chunk: int) -> None:
    examine(Solver.of(solver), chunk, MIX)


@pytest.mark.parametrize("chunk", range(5 * SCALE), ids="chunk{}".format)
def test_the_reference_solver_and_plain_minimax_agree(chunk: int) -> None:
    examine(Solver.of(reference), ("reference", chunk), ((3, 200), (4, 90), (5, 10)))


def test_the_last_two_tricks_agree_too() -> None:
    examine(Solver.of(solver), "last", ((1, 200), (2, 300)))


def test_it_is_the_compiled_one_that_is_tested() -> None:
    assert solver.COMPILED


WITHOUT_NUMBA = (
    "from numba import njit",
    "def njit(**_): return lambda function: function",
)
"""The compiled solver run as plain Python: a planted bug need not be compiled."""
PLANTED = {
    "window not shifted by the trick": (
        (reference, "self.bound(after, need - taken)", "self.bound(after, need)"),
        (compiled, "need - got,", "need,"),
    ),
    "led card missing from the equals": (
        (reference, "everything |= 1 << card", "pass"),
        (compiled, "everything = alive | on_table", "everything = alive"),
        (compiled, "others |= 1 << card", "pass"),
    ),
    "part of the hash dropped": (
        (reference, ", (position.leader - position.soloist) % SEATS", ""),
        (compiled, " | leader << 54", ""),
        (compiled, "return first, c3", "return first, c3 - c3"),
    ),
}


def mutated(module: ModuleType, *changes: tuple[str, str]) -> Solver:
    """The solver with lines of its source replaced."""
    source = inspect.getsource(module)
    for old, new in changes:
        assert source.count(old) == 1, f"{old!r} is there {source.count(old)} times"
        source = source.replace(old, new)
    other = ModuleType(module.__name__)
    exec(compile(source, f"<{module.__name__}>", "exec"), vars(other))  # noqa: S102 - our own source
    return Solver.of(other)


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [change for changes in PLANTED.values() for change in changes],
    ids=[
        f"{module.__name__.rpartition('.')[2]}: {bug}, {number}"
        for bug, changes in PLANTED.items()
        for number, (module, _, _) in enumerate(changes)
    ],
)
def test_a_planted_bug_is_found(module: ModuleType, old: str, new: str) -> None:
    plain = (WITHOUT_NUMBA,) if module is compiled else ()
    with np.errstate(over="ignore"):  # what wraps around when compiled, as is meant
        # Without the bug it is right, so it is the bug that is found.
        examine(mutated(module, *plain), "planted", ((3, 6),))
        with pytest.raises(WrongError):
            examine(mutated(module, *plain, (old, new)), "planted", ((3, 240), (4, 60)))
