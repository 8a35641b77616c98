"""What a seed stands for: which tables, how clients behave, how bad things get."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from simulation.clients import Habits
from simulation.network import Weather
from terziglio_api.commands import By, Mode, Opening

__all__ = ["Faults", "Plan", "TablePlan", "planned"]

Goal = Literal["rows", "match", "rematch"]


@dataclass(frozen=True)
class TablePlan:
    """One table: how it opens, who plays, and when its host has had enough."""

    opening: Opening
    goal: Goal
    rows: int
    """How long its log gets at least, if that is the goal."""
    mirrors: frozenset[int]
    """Seats with a second client of the same token."""
    intruder: bool
    """Whether two guests race for each link."""


@dataclass(frozen=True)
class Faults:
    """Mean seconds between faults of each kind; 0: none of this kind."""

    cut: float
    crash: float
    restart: float
    disk: float
    slow: float
    lose: float
    until: float
    """When they stop, in virtual seconds."""


@dataclass(frozen=True)
class Plan:
    """A whole run."""

    tables: tuple[TablePlan, ...]
    faults: Faults
    outbox: int
    rate: float
    """Messages a second that a socket may send, after a burst of as many and two."""
    thrown_in_ms: int
    ready: int
    """Tables that the service keeps in memory."""
    tail: int
    """States of each."""
    access: float
    """Mean seconds of half an access to the disk."""
    thread: float
    """Mean seconds that a thread takes."""
    lossy: bool
    """Whether pokes get lost: then clients ask when nothing is heard."""
    think: float


def planned(random: Random) -> Plan:
    """Draw a run; every kind of trouble is absent from some."""
    big = random.random() < 0.03
    count = 1 if big else random.choice((1, 1, 2))
    tables = tuple(_table(random, number, big=big) for number in range(count))

    def every(mean: float) -> float:
        return random.choice((0.0, mean, mean, mean / 3))

    faults = Faults(
        cut=every(12),
        crash=every(30),
        restart=every(60),
        disk=every(30),
        slow=every(30),
        lose=every(90),
        until=random.choice((0.0, 60.0, 120.0, 120.0)),
    )
    return Plan(
        tables=tables,
        faults=faults,
        rate=random.choice((0.5, 10.0, 10.0)),
        outbox=random.choice((1, 2, 4, 64)),
        thrown_in_ms=random.choice((0, 3000)),
        ready=random.choice((1, 1, 2000)),
        tail=random.choice((1, 1, 65)),
        access=random.choice((0.002, 0.01, 0.05)),
        thread=random.choice((0.002, 0.2, 0.5)),
        lossy=random.random() < 0.2,
        think=random.choice((0.05, 0.05, 0.3, 1.0)),
    )


def _table(random: Random, number: int, *, big: bool) -> TablePlan:
    mode = random.choice((Mode.FRIENDS, Mode.COMPUTER, Mode.OPEN))
    pairs: dict[Mode, tuple[tuple[str | None, str | None], ...]] = {
        Mode.FRIENDS: ((None, None),),
        Mode.COMPUTER: (("house", "random"), ("random", "random")),
        Mode.OPEN: ((None, "random"), ("house", None), (None, None)),
    }
    opening = Opening(
        mode=mode,
        name="Anna",
        kind=By.PERSON,
        target=7 if big else 21,
        pace_ms=random.choice((0, 800, 800)),
        players=random.choice(pairs[mode]),
        clock_s=random.choice((None, None, 2, 5)),
        origin=f"table {number}",
    )
    mirrors = frozenset(seat for seat in range(3) if random.random() < 0.2)
    return TablePlan(
        opening=opening,
        goal=random.choice(("match", "rematch")) if big else "rows",
        rows=random.choice((20, 40, 60)),
        mirrors=mirrors,
        intruder=random.random() < 0.3,
    )


def habits(random: Random, plan: Plan) -> Habits:
    """Draw how one client behaves."""

    def some(chance: float) -> float:
        return random.choice((0.0, chance))

    return Habits(
        random=Random(random.randbytes(16)),
        think=plan.think,
        twice=some(0.1),
        again=some(0.05),
        wrong=some(0.05),
        forget=some(0.3),
        curious=some(0.05),
        patience=random.uniform(3, 8) if plan.lossy else None,
        sleepy=some(0.1),
        passes=random.choice((0.3, 0.6, 0.9)),
    )


def weather(random: Random, plan: Plan) -> Weather:
    """Draw how bad the network is."""

    def some(chance: float) -> float:
        return random.choice((0.0, chance))

    return Weather(
        random=Random(random.randbytes(16)),
        latency=random.choice((0.002, 0.03, 0.2)),
        window=random.choice((1, 1, 4)),
        lost_pokes=0.2 if plan.lossy else 0.0,
        doubled_pokes=some(0.3),
        late_pokes=random.choice((0.0, 0.5, 0.5)),
    )
