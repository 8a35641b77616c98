"""Duplicate matches between players, with intervals.

    compare("expert", "house", deals=4450, seed="1")
    roles("search", "rules", deals=400, seed="1")

A *block* is one deal with one dealer. Of two players the first is tested: it plays the
deal in each seat, the second in the other two; three players play it in all six
orders. What counts is a block's mean; luck of the deal goes out, and a player among
copies of itself gets exactly 0. A deal that is thrown in is 0 for everybody.

Fix ``deals`` first: an interval that one watches until it looks good is worth nothing.
"""

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from terziglio import crew
from terziglio.blocks import Block, HandPlayed, Setup, Table
from terziglio.chairs import Failing, Failure
from terziglio.entrants import Author, Entrant
from terziglio.standings import Contracts, Role, Standing, role, standing

__all__ = [
    "Comparison",
    "Contracts",
    "Role",
    "Roles",
    "Standing",
    "compare",
    "roles",
]

Progress = Callable[[int, int], None]
"""Told how many blocks are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What an arena found."""

    setup: Setup
    planned: int
    """Blocks that were asked for."""
    blocks: tuple[Block, ...]
    """Those that were played, in order and without a gap."""
    standings: tuple[Standing, ...]
    first_failures: tuple[Failure, ...]
    """The first of each kind of each player."""

    @property
    def stopped(self) -> bool:
        """Whether it was stopped early, so that its intervals are not of a fixed n."""
        return len(self.blocks) < self.planned

    @property
    def hands(self) -> int:
        """Hands played, thrown-in ones included."""
        return sum(len(block.hands) for block in self.blocks)

    @property
    def thrown_in(self) -> int:
        """Hands that all three passed."""
        return sum(hand.score is None for block in self.blocks for hand in block.hands)


@dataclass(frozen=True, slots=True)
class Roles:
    """Soloist types against defender types, after the same auction and exchange."""

    setup: Setup
    planned: int
    blocks: tuple[Block, ...]
    matrix: tuple[tuple[Role, ...], ...]
    """A row for each soloist, a column for each pair of defenders."""
    first_failures: tuple[Failure, ...]

    @property
    def stopped(self) -> bool:
        """Whether it was stopped early."""
        return len(self.blocks) < self.planned


def compare(  # noqa: PLR0913 - all by name, most with a default
    *players: str | Author | Entrant,
    deals: int,
    seed: str = "1",
    bank: str = "test",
    first: int = 0,
    play_only: str | Author | Entrant | None = None,
    move_ms: int | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Play two or three players against each other.

    Args:
        players: names, files, bots, players or entrants; of two the first is tested
            against a field of the second.
        deals: how many blocks; fix it before you look.
        seed: part of the deals' key and of every bot's generator.
        bank: ``test``, or ``tune`` for players that are still being made.
        first: index of the first deal.
        play_only: who bids, calls and exchanges for every seat instead.
        move_ms: count answers later than this as time-outs.
        jobs: processes; ``None``: one for each core. Results do not depend on it.
            More than one imports the main script anew, so guard what it runs with
            ``if __name__ == "__main__"``.
        progress: told after each block.

    Returns:
        What was found; after a KeyboardInterrupt, with the blocks done until then.

    Raises:
        ValueError: not two or three players, or no deals.
        EntrantError: there is no such player.
        PlayerEndedProcess: a player exited or crashed the interpreter.
    """
    setup = _setup(players, seed, bank, play_only, move_ms)
    blocks = _played(setup, range(first, first + deals), jobs, progress)
    numbers = range(len(setup.entrants))
    standings = tuple(standing(setup, blocks, number) for number in numbers)
    return Comparison(setup, deals, blocks, standings, _first(blocks))


def roles(  # noqa: PLR0913 - as compare
    *players: str | Author | Entrant,
    deals: int,
    seed: str = "1",
    bank: str = "test",
    first: int = 0,
    play_only: str | Author | Entrant | None = None,
    move_ms: int | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Roles:
    """Play each player as soloist against each pair of defenders.

    Auction, call and exchange are the same for all: by ``play_only``, or ``rules``.
    Arguments and errors are those of ``compare``.
    """
    setup = _setup(players, seed, bank, play_only or "rules", move_ms, roles=True)
    blocks = _played(setup, range(first, first + deals), jobs, progress)
    cells: dict[tuple[int, int], list[HandPlayed]] = {}
    hands = [(hand, hand.score) for block in blocks for hand in block.hands]
    for hand, score in ((hand, score) for hand, score in hands if score):
        alone, pair = hand.seats[score.soloist], hand.seats[score.soloist.next]
        cells.setdefault((alone, pair), []).append(hand)
    numbers = range(len(setup.entrants))
    matrix = tuple(
        tuple(
            role(setup, alone, pair, cells.get((alone, pair), [])) for pair in numbers
        )
        for alone in numbers
    )
    return Roles(setup, deals, blocks, matrix, _first(blocks))


def _setup(
    players: Sequence[str | Author | Entrant],
    seed: str,
    bank: str,
    play_only: str | Author | Entrant | None,
    move_ms: int | None,
    *,
    roles: bool = False,
) -> Setup:
    if len(players) not in {2, 3}:
        raise ValueError(f"an arena has two or three players, not {len(players)}")
    entrants: list[Entrant] = []
    for player in players:
        entrant = _entrant(player)
        copies = sum(entrant.source == other.source for other in entrants)
        name = f"{entrant.name} ({copies + 1})" if copies else entrant.name
        entrants.append(Entrant(name, entrant.source))
    frozen = None if play_only is None else _entrant(play_only)
    return Setup(tuple(entrants), seed, bank, frozen, roles, move_ms)


def _entrant(player: str | Author | Entrant) -> Entrant:
    if isinstance(player, Entrant):
        return player
    name = player if isinstance(player, str) else getattr(player, "__name__", "player")
    return Entrant(name, player)


def _played(
    setup: Setup, deals: Sequence[int], jobs: int | None, progress: Progress | None
) -> tuple[Block, ...]:
    """Return the blocks played, in order; all of them unless it was interrupted."""
    if not deals:
        raise ValueError("an arena plays at least one deal")
    table = Table(setup)  # so that what is wrong with a player is told from here
    jobs = min(len(deals), jobs or _cores())
    done: dict[int, Block] = {}
    try:
        with closing(_source(table, setup, deals, jobs)) as blocks:
            for block in blocks:
                done[block.deal] = block
                if progress is not None:
                    progress(len(done), len(deals))
    except KeyboardInterrupt:
        pass
    # Up to the first gap: beyond it the quick blocks are ahead of the slow ones.
    ended = next((index for index in deals if index not in done), deals[-1] + 1)
    return tuple(done[index] for index in range(deals[0], ended))


def _source(
    table: Table, setup: Setup, deals: Sequence[int], jobs: int
) -> Generator[Block]:
    if jobs > 1:
        yield from crew.play(setup, deals, jobs)
    else:
        yield from map(table.play, deals)


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _first(blocks: Iterable[Block]) -> tuple[Failure, ...]:
    found: dict[tuple[str, Failing], Failure] = {}
    for block in blocks:
        for failure in block.first:
            found.setdefault((failure.player, failure.failing), failure)
    return tuple(found.values())
