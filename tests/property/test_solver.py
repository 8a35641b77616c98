"""The solver against plain minimax over random endings; planted bugs turn it red.

The referee, ``tests/minimax.py``, is written from the rules and shares no code with
the solver. A failing chunk repeats under the number in its name and tells the position.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

from endings import KINDS, answers, ending
from strategies import SCALE, rng
from terziglio import Card, solver
from terziglio.solver import Position, reference

pytestmark = pytest.mark.timeout(600)  # whoever asks first waits for the compiler
MIX = ((3, 400), (4, 94), (5, 6))
"""Tricks, and how many endings of them a chunk has: 20,000 in all, and 500,000 in the
long run. An ending of 5 tricks takes plain minimax a hundred times as long as one of 3.
"""
CHUNKS = 40 * SCALE
Marks = tuple[int, int, int]


@dataclass(frozen=True)
class Solver:
    """What can be asked."""

    reaches: Callable[[Position, int], bool]
    thirds: Callable[[Position], int]
    best_cards: Callable[[Position], Mapping[Card, int]]
    grades: Callable[[Position, Marks], Mapping[Card, int]]

    @classmethod
    def of(cls, module: ModuleType) -> "Solver":
        return cls(module.reaches, module.thirds, module.best_cards, module.grades)


class WrongError(AssertionError):
    """The solver and the referee do not agree."""


def compare(asked: Solver, position: Position, marks: Marks, *, thorough: bool) -> None:
    """Ask for everything there is to know of a position."""
    cards = answers(position)
    choose = max if position.turn == position.soloist else min
    value = choose(cards.values())
    needs = range(37) if thorough else (value - 1, value, value + 1)
    told: list[object] = [asked.reaches(position, need) for need in needs]
    right: list[object] = [value >= need for need in needs]
    told += [asked.thirds(position), dict(asked.best_cards(position))]
    right += [value, cards]
    around = (value - 3, value, value + 3)
    for each in (marks, around, (value, value, value)) if thorough else (marks,):
        told.append(dict(asked.grades(position, each)))
        right.append({c: sum(v >= mark for mark in each) for c, v in cards.items()})
    if told != right:
        raise WrongError(f"{position}, {marks}: {told}, and it is {right}")


def some_marks(random: Random) -> Marks:
    """Three that rise or are equal; some are reached before a card is played."""
    low, middle, high = sorted(random.choices(range(-2, 24), k=3))
    return low, middle, high


def examine(asked: Solver, chunk: object, mix: tuple[tuple[int, int], ...]) -> None:
    random = rng("solver", chunk)
    for tricks, number in mix:
        for turn in range(number):
            position = ending(random, KINDS[turn % len(KINDS)], tricks)
            compare(asked, position, some_marks(random), thorough=turn % 10 == 0)


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


Change = tuple[str, str, str]
"""A file of the solver, what stands there, and what shall."""
SOURCE = Path(solver.__file__).parent
UNCOMPILED = (
    "layout.py",
    'return cast("Function", compiler(function))',
    "return function",
)
"""The compiled solver run as plain Python: a planted bug need not be compiled."""
WINDOW = "the window is not shifted by the trick"
EQUALS = "a card on the table does not part equals"
KEY = "part of the key is dropped"
NARROW = "what two cards a turn come to is taken for the truth"
AGELESS = ("codes.py", "c3 | mem[AGE] << _AGE", "c3 | (mem[AGE] & 1) << _AGE")
PLANTED: dict[str, list[tuple[Change, ...]]] = {
    WINDOW: [
        (
            (
                "reference.py",
                "self.bound(after, need - taken)",
                "self.bound(after, need)",
            ),
        ),
        (("reference.py", "[mark - taken for mark in marks]", "[*marks]"),),
        (("windows.py", "need - got,", "need,"),),
        (("windows.py", "m1 = marks[1] - got", "m1 = marks[1]"),),
    ],
    EQUALS: [
        (("windows.py", "everything = alive | on_table", "everything = alive"),),
    ],
    KEY: [
        (("reference.py", ", (position.leader - position.soloist) % SEATS", ""),),
        (("codes.py", " | leader << 57", ""),),
        (("codes.py", "return first, c3 |", "return first, c3 - c3 |"),),
        # Within one question the monte is the same: it counts between questions.
        (("codes.py", " | monte << 59", ""), AGELESS),
        (("codes.py", "(1 + owner + 3 * above)", "(1 + owner)"),),
    ],
    NARROW: [
        (("windows.py", "mem[AGE] += 1", ""), ("windows.py", "mem[AGE] -= 1", "")),
        (("windows.py", "mem[WIDTH] = ALL\n    for", "mem[WIDTH] = NARROW\n    for"),),
    ],
}


@pytest.fixture
def changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Solver]]:
    """Copies of the solver with lines of its source replaced, each a package."""
    made: list[str] = []

    def load(name: str, module: str, *changes: Change) -> Solver:
        name = f"solver_{name}"
        (tmp_path / name).mkdir()
        for file in SOURCE.glob("*.py"):
            text = file.read_text().replace("terziglio.solver", name)
            for _, old, new in (c for c in changes if c[0] == file.name):
                assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
                text = text.replace(old, new)
            (tmp_path / name / file.name).write_text(text)
        made.append(name)
        return Solver.of(import_module(f"{name}.{module}"))

    monkeypatch.syspath_prepend(tmp_path)
    yield load
    for module in [m for m in sys.modules if m.partition(".")[0] in made]:
        del sys.modules[module]


@pytest.mark.parametrize(
    "changes",
    [changes for planted in PLANTED.values() for changes in planted],
    ids=[
        f"{changes[0][0]}: {bug}, {number}"
        for bug, planted in PLANTED.items()
        for number, changes in enumerate(planted)
    ],
)
def test_a_planted_bug_is_found(
    changes: tuple[Change, ...], changed: Callable[..., Solver]
) -> None:
    plain = () if changes[0][0] == "reference.py" else (UNCOMPILED,)
    module = "compiled" if plain else "reference"
    sound = changed("sound", module, *plain)
    wrong = changed("wrong", module, *plain, *changes)
    with np.errstate(over="ignore"):  # what wraps around when compiled, as is meant
        # Without the bug it is right, so it is the bug that is found.
        examine(sound, "planted", ((3, 24),))
        with pytest.raises(WrongError):
            examine(wrong, "planted", ((3, 240), (4, 120)))


def test_without_its_age_the_table_is_right_of_other_positions_too(
    changed: Callable[..., Solver],
) -> None:
    """The age keeps how long a search takes from what was asked before, no more."""
    with np.errstate(over="ignore"):
        examine(changed("ageless", "compiled", UNCOMPILED, AGELESS), "age", ((3, 60),))
