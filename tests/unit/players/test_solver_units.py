"""The solver part by part: by hand from the rules, and run as plain Python.

What numba compiles no tracer sees, so here the modules are loaded once more with a
numba that compiles nothing, and once without any.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby, product
from operator import itemgetter
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import terziglio
from endings import KINDS, answers, ending
from strategies import rng
from support import cards
from terziglio import solver
from terziglio.cards import Card, set_of
from terziglio.seats import Seat
from terziglio.solver import Position, Unsolved, codes, compiled, layout, reference
from terziglio.solver.layout import NODES

BOTH = pytest.mark.parametrize(
    "asked", [compiled, reference], ids=["compiled", "plain"]
)


def position(
    *hands: str, trick: str = "", leader: int = 0, soloist: int = 0, monte: int = 0
) -> Position:
    first, second, third = (set_of(cards(held)) for held in hands)
    return Position(
        (first, second, third), Seat(soloist), Seat(leader), cards(trick), monte
    )


def test_R38_R39_what_may_be_played_and_by_whom() -> None:
    now = position("4S 3C", "5S 5C", "6S 6H 7H", trick="AH KS", leader=0)
    assert (now.turn, now.playable) == (Seat.S2, cards("6H 7H"))
    other = position("4S 3C", "5S 5C 4D", "6S 6C 7D", trick="AH", leader=0)
    assert (other.turn, other.playable) == (Seat.S1, cards("5S 5C 4D"))
    leads = position("4S 3C", "5S 5C", "6S 6C", leader=1)
    assert (leads.turn, leads.playable) == (Seat.S1, cards("5S 5C"))


@pytest.mark.parametrize("turn", Seat)
def test_equals_are_parted_by_what_others_hold_and_by_the_table(turn: Seat) -> None:
    hands = ["4S 6S 7S QS KS 2S", "5S 4C 5C 6C 7C JC", "JS QC KC AC 2C AS"]
    hands = hands[-turn:] + hands[:-turn] if turn else hands

    def tried(trick: str) -> list[str]:
        now = position(*hands, trick=trick, leader=turn.after(-len(trick.split())))
        assert (now.turn, now.playable[-1]) == (turn, Card("2S"))
        return [f"{card}:{tried}" for card, tried in now.equals.items()]

    assert tried("") == ["2S:2S", "KS:KS", "QS:KS", "7S:7S", "6S:7S", "4S:4S"]
    hands = [held.replace(" AS", "").replace("5S ", "") for held in hands]
    assert tried("") == ["2S:2S", "KS:2S", "QS:2S", "7S:7S", "6S:7S", "4S:7S"]
    assert tried("AS 5S") == ["2S:2S", "KS:KS", "QS:KS", "7S:7S", "6S:7S", "4S:4S"]


@BOTH
def test_R44_the_last_trick_takes_three_and_the_monte(asked: ModuleType) -> None:
    won = position("3S", "AS", "KS", monte=7)  # 1 + 3 + 1, 3, and 7
    assert asked.thirds(won) == 15
    lost = position("AS", "3S", "KS", monte=7)
    assert asked.thirds(lost) == 0
    assert asked.best_cards(won) == {Card("3S"): 15}


@BOTH
@pytest.mark.parametrize("soloist", range(3))
def test_the_partners_play_together_against_the_soloist(
    asked: ModuleType, soloist: int
) -> None:
    """Seat 1 leads: the 4 to the partner's 3 or the king; the ace is at stake."""
    now = position("AS 4C", "4S KC", "3S 5C", leader=1, soloist=soloist)
    right = {str(card): value for card, value in answers(now).items()}
    assert {str(c): v for c, v in asked.best_cards(now).items()} == right
    # Swords: 4S 3S AS, seat 2 has 4 thirds, and leads 5C, which KC takes: 1 and 3.
    assert right["4S"] == {0: 0, 1: 4, 2: 4}[soloist]


@BOTH
def test_W49_an_ace_falls_to_a_three_of_its_suit_alone(asked: ModuleType) -> None:
    """The soloist plays last to 7C AC; he takes it with 2C, not with 3S."""
    now = position("2C 3S", "4D", "4H", trick="7C AC", leader=1, monte=0)
    assert now.turn == Seat.S0
    assert asked.best_cards(now) == {Card("2C"): 4 + 1 + 3}
    thrown = position("2D 3S", "4D", "4H", trick="7C AC", leader=1, monte=0)
    # Seat 2 holds it with the ace and leads its heart: nobody beats that.
    assert asked.best_cards(thrown) == {Card("2D"): 0, Card("3S"): 0}


@BOTH
def test_nothing_is_left_when_all_is_played(asked: ModuleType) -> None:
    over = position("", "", "", monte=5)
    assert asked.thirds(over) == 0
    assert asked.reaches(over, 0)
    assert not asked.reaches(over, 1)


@BOTH
def test_what_is_needed_may_be_nothing_or_too_much(asked: ModuleType) -> None:
    now = position("3S 2S", "4S 5S", "6S 7S", monte=2)
    assert [asked.reaches(now, need) for need in (-1, 0, 7, 8, 36)] == [
        *(True, True, True, False, False),
    ]


@BOTH
def test_three_marks(asked: ModuleType) -> None:
    now = position("3S 4C", "AS 5C", "KS 6C", monte=1)
    values = answers(now)
    for marks in ((0, 5, 9), (5, 5, 5), (6, 7, 9), (-3, 0, 4), (20, 21, 22)):
        assert asked.grades(now, marks) == {
            card: sum(value >= mark for mark in marks) for card, value in values.items()
        }


@BOTH
def test_a_search_that_would_take_too_long_says_so(asked: ModuleType) -> None:
    now = ending(rng("long"), "any", 6)
    for ask in (asked.thirds, asked.best_cards):
        with pytest.raises(Unsolved):
            ask(now, limit=2)
    with pytest.raises(Unsolved):
        asked.grades(now, (1, 2, 3), limit=2)
    with pytest.raises(Unsolved):
        for need in range(1, 20):
            asked.reaches(now, need, limit=2)


@BOTH
def test_what_was_asked_before_changes_no_limit(asked: ModuleType) -> None:
    """Else the same view might bring another answer in another process."""

    def least() -> int:
        low, high = 0, 100_000
        while high - low > 1:
            middle = (low + high) // 2
            try:
                asked.thirds(now, limit=middle)
            except Unsolved:
                low = middle
            else:
                high = middle
        return high

    now = ending(rng("limit"), "any", 6)
    first = least()
    assert first > 20
    asked.thirds(now)
    asked.best_cards(ending(rng("other"), "any", 6))
    assert least() == first


def runs(owners: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return a suit's cards run by run: whose, and the thirds of each, sorted."""
    held = [
        (owner, Card(rank).thirds) for rank, owner in enumerate(owners) if owner < 3
    ]
    return tuple(
        (owner, *sorted(worth for _, worth in run))
        for owner, run in groupby(held, key=itemgetter(0))
    )


def test_suits_that_come_to_the_same_have_one_code_and_no_others() -> None:
    """All ways in which J Q K A 2 3 can lie (3: gone), on a few of the other four."""
    below = ((3, 3, 3, 3), (3, 3, 3, 0), (1, 3, 3, 3), (3, 0, 2, 3), (0, 1, 2, 1))
    same: dict[int, set[object]] = {}
    mem = layout.memory()
    for low, high in product(below, product(range(4), repeat=6)):
        owners = low + high
        alive, h1, h2 = (
            sum(1 << rank for rank, owner in enumerate(owners) if owner in of)
            for of in ((0, 1, 2), (1,), (2,))
        )
        codes.fill_codes(h1, h2, mem)
        code = codes.key(alive, 0, 0, mem)[1]  # the suit with the highest code
        same.setdefault(code, set()).add(runs(owners))
    assert all(len(suits) == 1 for suits in same.values())
    assert len(same) == len(set().union(*same.values()))


@pytest.mark.parametrize("seed", range(12))
def test_however_often_it_is_asked_it_tries_as_many_cards(seed: int) -> None:
    """With 11 tricks left, so that positions meet in the table and drive others out."""
    now = ending(rng("often", seed), "played", 11)
    tried = set()
    for _ in range(4):
        compiled.reaches(now, 12)
        reached = int(compiled._memory()[NODES])
        compiled.thirds(now)
        tried.add((reached, int(compiled._memory()[NODES])))
    assert len(tried) == 1


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Have the solver's modules loaded once more, and then forgotten."""
    monkeypatch.setattr(terziglio, "solver", solver)
    for name in [m for m in sys.modules if m.startswith("terziglio.solver")]:
        monkeypatch.delitem(sys.modules, name)
    yield monkeypatch
    for name in [m for m in sys.modules if m.startswith("terziglio.solver")]:
        del sys.modules[name]


def test_without_numba_it_is_plain_python(anew: pytest.MonkeyPatch) -> None:
    anew.setitem(sys.modules, "numba", None)
    plain = import_module("terziglio.solver")
    assert plain.COMPILED is False
    assert plain.thirds.__module__ == "terziglio.solver.reference"
    assert solver.COMPILED is True


def test_uncompiled_it_says_the_same(anew: pytest.MonkeyPatch) -> None:
    numba = SimpleNamespace(njit=lambda **_: lambda function: function)
    anew.setitem(sys.modules, "numba", numba)
    plain = import_module("terziglio.solver")
    assert plain.COMPILED is True
    # A table of two places: what is kept falls on what is there.
    anew.setattr(import_module("terziglio.solver.codes"), "SLOTS", 2)
    random = rng("uncompiled")
    with np.errstate(over="ignore"):
        for tricks, number in ((1, 60), (2, 120), (3, 120), (4, 60)):
            for turn in range(number):
                now = ending(random, KINDS[turn % len(KINDS)], tricks)
                values = answers(now)
                choose = max if now.turn == now.soloist else min
                value = choose(values.values())
                marks = sorted(random.choices(range(24), k=3))
                if tricks == 1:  # where numpy's truths do not add up, uncompiled
                    marks[1:] = (90, 90)
                assert plain.thirds(now) == value
                assert plain.reaches(now, value)
                assert not plain.reaches(now, value + 1)
                assert plain.best_cards(now) == values
                assert plain.grades(now, marks) == {
                    card: sum(v >= mark for mark in marks) for card, v in values.items()
                }
        now = ending(random, "any", 6)
        limited = import_module("terziglio.solver.position").Unsolved
        for limit in range(1, 400, 7):
            for ask in (plain.thirds, plain.best_cards):
                try:
                    ask(now, limit)
                except limited:
                    continue
