"""What the package promises as a whole: public names, a pure core, integers."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path

import pytest

import terziglio
from support import shuffled

HOME = Path(terziglio.__file__).parent
CORE = [
    *("cards", "seats", "contracts", "actions", "errors", "hand", "phases", "tricks"),
    *("events", "legal", "count", "match", "view", "words", "notation", "frozen"),
]
CORE_FILES = [HOME / "__init__.py", *(HOME / f"{name}.py" for name in CORE)]
FORBIDDEN = {"random", "time", "datetime", "asyncio", "sqlite3", "secrets"}
NEVER_LOADED = {"terziglio_api", "random", "asyncio", "sqlite3", "datetime", "fastapi"}
PUBLIC = {
    *("Card", "Suit", "Rank", "Seat", "Contract", "Bid", "Call", "Discard", "Play"),
    *("deal", "check", "apply", "legal", "new_match", "seat_view"),
    *("IllegalAction", "Illegal"),
}


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running some code."""
    told = f"{code}; import sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_public_names_are_there() -> None:
    assert set(terziglio.__all__) >= PUBLIC
    assert sorted(terziglio.__all__) == terziglio.__all__
    for name in terziglio.__all__:
        assert hasattr(terziglio, name)


def test_importing_the_package_loads_the_core_alone() -> None:
    ours = loaded("import terziglio") - loaded("pass")
    roots = {name.partition(".")[0] for name in ours}
    assert "terziglio" in roots
    assert not roots & NEVER_LOADED
    assert roots - {"terziglio"} <= set(sys.stdlib_module_names)
    own = {name.partition(".")[2] for name in ours if name.startswith("terziglio.")}
    assert own <= set(CORE)


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imported(path: Path) -> Iterator[str]:
    """The top-level names of all imports of a file, nested ones too."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("path", CORE_FILES, ids=lambda path: path.stem)
def test_core_needs_the_standard_library_alone_no_clock_no_chance(path: Path) -> None:
    names = set(imported(path))
    assert not names & FORBIDDEN
    assert names <= {"terziglio", *sys.stdlib_module_names}


@pytest.mark.parametrize("path", CORE_FILES, ids=lambda path: path.stem)
def test_core_counts_in_integers(path: Path) -> None:
    for node in ast.walk(tree(path)):
        where = f"line {getattr(node, 'lineno', '?')}"
        if isinstance(node, ast.Constant):
            assert not isinstance(node.value, float | complex), where
        if isinstance(node, ast.BinOp | ast.AugAssign):
            assert not isinstance(node.op, ast.Div), where
        if isinstance(node, ast.Name):
            assert node.id not in {"float", "round"}, where


@pytest.mark.parametrize("name", CORE)
def test_core_values_are_frozen_and_slotted(name: str) -> None:
    module = importlib.import_module(f"terziglio.{name}")
    for kind in vars(module).values():
        own = isinstance(kind, type) and kind.__module__ == module.__name__
        if own and is_dataclass(kind):
            assert vars(kind)["__dataclass_params__"].frozen, kind
            assert "__slots__" in vars(kind), kind


def test_no_module_is_longer_than_350_lines() -> None:
    for path in HOME.parent.rglob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) <= 350, path


def test_a_match_is_played_with_the_public_names_alone() -> None:
    match = terziglio.new_match(target=7, dealer=terziglio.Seat(0))
    assert match.hand is None
    deals = 0
    while match.winner is None and deals < 200:
        match = match.deal(shuffled(deals))
        deals += 1
        while match.turn is not None:
            assert match.hand is not None
            options = terziglio.legal(match.hand, match.turn)
            # The boldest bid, else the first thing that the rules allow.
            bold = terziglio.Bid(options.bids[-1]) if options.bids else options.first()
            assert terziglio.check(match.hand, match.turn, bold) is None
            assert terziglio.seat_view(match, match.turn).legal == options
            match = match.apply(match.turn, bold)
        assert sum(match.scores) == 0
        assert match.deal_no == match.hand_no == deals
    assert match.winner is not None
    assert match.phase == "finished"
    assert match.scores[match.winner] == max(match.scores) >= 7
