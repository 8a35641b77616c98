"""The write-ahead log cut at a thousand offsets: what a power cut may leave of it.

Fifty tables are written at once, as by fifty hands. At some moments the files are
copied, with what was acknowledged until then and how long the write-ahead log was at
each acknowledgement. Then the log of the copy is cut anywhere.
"""

import asyncio
import sqlite3
import struct
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from faults.figures import Note
from faults.length import LONG, length
from lives import lived
from strategies import rng
from terziglio_api.journal import Event
from terziglio_api.storage.codec import encode
from terziglio_api.storage.sqlite import SqliteLog

TABLES: Final = 50
LIVES: Final = 10
GENERATIONS: Final = 3
"""The write-ahead log begins anew after a checkpoint; a moment is taken in each."""
FRAMES: Final = range(300, 900)
"""How many frames it has at that moment."""
CUTS: Final = length(1000, 10_000)
_HEADER: Final = 32
_FRAME_HEADER: Final = 24


@dataclass(frozen=True)
class Wal:
    """Where the write-ahead log of an open database stands, as its index tells."""

    generation: bytes
    frames: int
    backfilled: int
    page: int

    @property
    def length(self) -> int:
        """The bytes of the present generation, each of them synced."""
        return _HEADER + self.frames * (_FRAME_HEADER + self.page)


def wal_of(database: Path) -> Wal:
    """Read the index; its head is there twice, for readers that come in a change."""
    index = database.with_name(database.name + "-shm")
    while True:
        with index.open("rb") as file:
            head = file.read(100)
        if head[:48] == head[48:96]:
            page, frames = struct.unpack_from("=HI", head, 14)
            (backfilled,) = struct.unpack_from("=I", head, 96)
            return Wal(head[32:40], frames, backfilled, page)


@dataclass
class Moment:
    """The files while nobody wrote, and what had been promised by then."""

    database: bytes
    wal: bytes
    length: int
    before: dict[str, int]
    """The last ``seq`` acknowledged of each table before this generation."""
    acked: list[tuple[int, str, int]]
    """Since: how long the log was then, the table, and the ``seq``."""

    def promised(self, cut: int) -> dict[str, int]:
        """Return the ``seq`` that each table must have if the log is cut there."""
        since = self.acked[: bisect_right(self.acked, cut, key=_FIRST)]
        return self.before | {table: seq for _, table, seq in since}


_FIRST = itemgetter(0)


@pytest.fixture
def cut_path() -> Iterator[Path]:
    """A folder in memory, where there is one: nothing is proved by a slow disk."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own within
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as made:
        yield Path(made)


class Hands:
    """Fifty tables, each written by a hand of its own, one append after another."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = SqliteLog(path)
        self.lines: dict[str, list[str]] = {}
        """What has been stored of each table."""
        self.ends: defaultdict[str, set[int]] = defaultdict(lambda: {0})
        """The ``seq`` at which an append ended: in between is no prefix of a table."""
        self._left: dict[str, list[list[Event]]] = {}
        self._random = random = rng("wal")
        for number in range(TABLES):
            table, events = f"t_{number:02}", list(lived(number % LIVES).log)
            self.lines[table], self._left[table] = [], []
            while events:
                size = random.choice((1, 1, 1, 2))
                self._left[table].append(events[:size])
                del events[:size]
        self._generation = b""
        self._before: dict[str, int] = {}
        self._seqs = dict.fromkeys(self.lines, 0)
        self._acked: list[tuple[int, str, int]] = []

    async def write(self) -> None:
        """Append some times to each table, all at once."""

        async def hand(table: str, appends: list[list[Event]]) -> None:
            for events in appends:
                await self.log.append(table, len(self.lines[table]), events)
                self.lines[table] += [encode(event) for event in events]
                self._acknowledged(table)

        hands = []
        for table, left in self._left.items():
            times = self._random.randint(0, 6)
            hands.append(hand(table, left[:times]))
            del left[:times]
        await asyncio.gather(*hands)

    def _acknowledged(self, table: str) -> None:
        wal, seq = wal_of(self.path), len(self.lines[table])
        if wal.generation != self._generation:
            # It begins anew only when all that it had is in the database.
            self._generation, self._acked = wal.generation, []
            self._before = dict(self._seqs)
        self._seqs[table] = seq
        self.ends[table].add(seq)
        self._acked.append((wal.length, table, seq))

    async def moment(self) -> Moment:
        """Write until a new generation is well under way; return the files then."""
        last = self._generation
        while True:
            await self.write()
            wal = wal_of(self.path)
            if wal.generation != last and wal.frames in FRAMES and not wal.backfilled:
                files = [self.path, self.path.with_name(self.path.name + "-wal")]
                database, log = (file.read_bytes() for file in files)
                return Moment(database, log, wal.length, self._before, self._acked[:])


def cuts_of(moment: Moment, count: int, random: Random) -> list[int]:
    """Return offsets: any, those next to a promise, none of it and all of it."""
    ends = [length for length, _, _ in moment.acked]
    near = [random.choice(ends) + random.randint(-1, 1) for _ in range(count // 4)]
    old = [random.randint(0, len(moment.wal)) for _ in range(count // 10)]
    rest = count - len(near) - len(old) - 2
    within = [random.randint(0, moment.length) for _ in range(rest)]
    return [0, len(moment.wal), *near, *old, *within]


async def opened(folder: Path, moment: Moment, cut: int) -> list[tuple[str, int, str]]:
    """Open what is left after a cut, as the service does; return all rows."""
    path = folder / "cut.sqlite3"
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.write_bytes(moment.database)
    path.with_name(path.name + "-wal").write_bytes(moment.wal[:cut])
    log = SqliteLog(path)
    try:
        tables = await log.tables()
        if tables:
            assert await log.read(tables[cut % len(tables)])
    finally:
        await log.close()
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT table_id, seq, event FROM events ORDER BY table_id, seq"
        return connection.execute(query).fetchall()


@LONG
async def test_a_cut_leaves_a_prefix_of_every_table_and_all_that_was_promised(
    tmp_path: Path, cut_path: Path, record_property: Note
) -> None:
    hands = Hands(tmp_path / "tables.sqlite3")
    moments = [await hands.moment() for _ in range(GENERATIONS)]
    await hands.log.close()
    random, rows, promises = rng("cuts"), 0, 0
    for number, moment in enumerate(moments):
        assert bool(sum(moment.before.values())) == (number > 0)
        for cut in cuts_of(moment, CUTS // GENERATIONS + 1, random):
            left: dict[str, list[str]] = {table: [] for table in hands.lines}
            for table, seq, line in await opened(cut_path, moment, cut):
                left[table].append(line)
                assert seq == len(left[table])
                rows += 1
            promised = moment.promised(cut)
            promises += sum(promised.values())
            for table, lines in left.items():
                assert lines == hands.lines[table][: len(lines)]
                assert len(lines) in hands.ends[table], (cut, table)
                assert len(lines) >= promised[table], (cut, table)
    record_property("cuts", GENERATIONS * (CUTS // GENERATIONS + 1))
    record_property("promised events, all there", promises)
    record_property("events there", rows)


async def test_what_is_written_is_synced_before_it_is_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def noted(*args: Any, **more: Any) -> sqlite3.Connection:
        made.append(connect(*args, **more))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)
    log = SqliteLog(tmp_path / "tables.sqlite3")
    await log.append("t_0", 0, lived(0).log[:1])
    modes = set()
    for connection in made:
        with suppress(sqlite3.ProgrammingError):  # one is closed by now
            (synchronous,) = connection.execute("PRAGMA synchronous").fetchone()
            (journal,) = connection.execute("PRAGMA journal_mode").fetchone()
            modes.add((synchronous, journal))
    await log.close()
    assert modes == {(2, "wal")}  # 2 is FULL: each commit is synced
