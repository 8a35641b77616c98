"""What an arena found, as tables and as JSON lines; and how far it is."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from terziglio.arena import Comparison, Role, Roles, Standing
from terziglio.blocks import Block
from terziglio.chairs import POLICY, Failing, Failure
from terziglio.count import Bonus

__all__ = ["progress", "show", "write_lines"]

Found = Comparison | Roles
Again = Callable[[Failure], str]
Json = dict[str, Any]


@contextmanager
def progress() -> Generator[Callable[[int, int], None]]:
    """Show how many blocks are done and how long the rest will take."""
    console = Console(stderr=True)
    columns = (
        TextColumn("deals"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    bar = Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    )
    with bar:
        task = bar.add_task("deals")
        yield lambda done, total: bar.update(task, completed=done, total=total)


def show(console: Console, found: Found, again: Again) -> None:
    """Print what was found, in words and numbers."""
    setup = found.setup
    done = len(found.blocks)
    if found.stopped:
        console.print(
            f"Stopped after {done} of {found.planned} deals: these intervals are not "
            "those of a number fixed before."
        )
    if done == 0:
        return
    first = found.blocks[0].deal
    told = f"{done} deals of bank {setup.bank}, seed {setup.seed}, from {first} on"
    if setup.frozen is not None:
        told += f"; {setup.frozen.name} bids, calls and exchanges for all"
    console.print(Text(told))
    if isinstance(found, Comparison):
        console.print(_standings(found))
        thrown = _share(found.thrown_in, found.hands)
        console.print(f"{found.hands} hands, {thrown} of them passed by all.")
    else:
        console.print(_matrix(found))
        console.print(
            "Share of hands that the soloist won, and the soloist's game points a hand."
        )
    console.print("Intervals are 95 %.")
    for failure in found.first_failures:
        _failure(console, failure, again)


def _standings(found: Comparison) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column()
    for standing in found.standings:
        table.add_column(Text(standing.name), justify="right")
    for name, cells in _rows(found):
        table.add_row(name, *cells)
    return table


def _rows(found: Comparison) -> Iterator[tuple[str, list[str]]]:
    all_ = found.standings
    yield "game points a hand", [_interval(s) for s in all_]
    yield "hands", [str(s.hands) for s in all_]
    yield "soloist", [_share(s.soloist, s.hands) for s in all_]
    for index, contract in enumerate(all_[0].contracts):
        yield (
            f"{contract.contract} won",
            [_of(s.contracts[index].won, s.contracts[index].played) for s in all_],
        )
    for bonus in Bonus:
        yield (
            f"{bonus} won / suffered",
            [f"{s.bonuses[bonus][0]} / {s.bonuses[bonus][1]}" for s in all_],
        )
    for failing in Failing:
        yield failing.value, [str(s.failures[failing]) for s in all_]
    yield "ms a move, median", [f"{s.p50_ms:.2f}" for s in all_]
    yield "ms a move, 99 %", [f"{s.p99_ms:.2f}" for s in all_]


def _interval(standing: Standing) -> str:
    points = standing.points
    if points.half == float("inf"):
        return f"{points.value:+.3f}"
    return str(points)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "-"


def _matrix(found: Roles) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("soloist")
    for role in found.matrix[0]:
        table.add_column(Text(f"against {role.defenders}"), justify="right")
    for row in found.matrix:
        table.add_row(Text(row[0].soloist), *map(_role, row))
    return table


def _role(role: Role) -> str:
    if not role.hands:
        return "-"
    share = role.share
    return (
        f"{role.won} of {role.hands}: {100 * share.value:.1f} % "
        f"({100 * share.low:.1f} to {100 * share.high:.1f})\n{role.points}"
    )


def _failure(console: Console, failure: Failure, again: Again) -> None:
    lines = (
        f"\n{failure.player}: {failure.failing}, first in deal {failure.deal}, seat "
        f"{failure.seat}, decision {failure.decision}; {POLICY[failure.failing]}.",
        f"  {failure.told}",
        f"  would do: {failure.would_do}",
        f"  again: {again(failure)}",
    )
    for line in lines:
        console.print(Text(line))


def write_lines(path: Path, found: Found) -> None:
    """Write what was found as JSON lines: the set-up, each block, then the results."""
    with path.open("wb") as file:
        for line in _lines(found):
            file.write(orjson.dumps(line) + b"\n")


def _lines(found: Found) -> Iterator[Json]:
    setup = found.setup
    yield {
        "type": "arena",
        "players": [entrant.name for entrant in setup.entrants],
        "seed": setup.seed,
        "bank": setup.bank,
        "deals": found.planned,
        "play_only": None if setup.frozen is None else setup.frozen.name,
        "roles": setup.roles,
        "move_ms": setup.move_ms,
    }
    for block in found.blocks:
        yield _block(block, range(0 if setup.roles else len(setup.entrants)))
    if isinstance(found, Comparison):
        yield from map(_standing, found.standings)
    else:
        for row in found.matrix:
            yield from map(_role_line, row)
    for failure in found.first_failures:
        yield {
            "type": "failure",
            "player": failure.player,
            "kind": failure.failing.value,
            "deal": failure.deal,
            "seat": failure.seat,
            "decision": failure.decision,
            "told": failure.told,
            "would_do": failure.would_do,
        }


def _block(block: Block, entrants: range) -> Json:
    hands: list[Json] = []
    for hand in block.hands:
        line: Json = {"seats": hand.seats, "delta": hand.delta}
        if hand.score is not None:
            line |= {
                "soloist": hand.score.soloist,
                "contract": hand.score.contract.code,
                "won": hand.score.won,
                "bonus": hand.score.bonus,
                "thirds": hand.score.thirds,
            }
        hands.append(line)
    return {
        "type": "block",
        "deal": block.deal,
        "dealer": block.dealer,
        "points": [block.points(number) for number in entrants],
        "hands": hands,
    }


def _standing(standing: Standing) -> Json:
    points = standing.points
    return {
        "type": "player",
        "player": standing.name,
        "points": points.value,
        "low": points.low,
        "high": points.high,
        "hands": standing.hands,
        "soloist": standing.soloist,
        "contracts": {
            c.contract.code: {"played": c.played, "won": c.won}
            for c in standing.contracts
        },
        "bonuses": {b.value: list(n) for b, n in standing.bonuses.items()},
        "failures": {f.value: n for f, n in standing.failures.items()},
        "p50_ms": standing.p50_ms,
        "p99_ms": standing.p99_ms,
    }


def _role_line(role: Role) -> Json:
    return {
        "type": "role",
        "soloist": role.soloist,
        "defenders": role.defenders,
        "hands": role.hands,
        "won": role.won,
        "share": role.share.value,
        "low": role.share.low,
        "high": role.share.high,
        "points": role.points.value,
        "points_low": role.points.low,
        "points_high": role.points.high,
    }
