"""The contract of an event log, kept by every backend, and the real race."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from terziglio.seats import Seat
from terziglio_api.journal import Closed, Event, NextHandAsked
from terziglio_api.ports import EventLog, SeqConflict, StorageUnavailable
from terziglio_api.storage.memory import MemoryLog
from terziglio_api.storage.sqlite import SqliteLog

Log = EventLog[Event]


def event(at: int) -> Event:
    return NextHandAsked(at, Seat.S1)


@pytest.fixture(params=["memory", "sqlite"])
async def log(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Log]:
    made: Log
    if request.param == "memory":
        made = MemoryLog()
    else:
        made = SqliteLog(tmp_path / "deep" / "tables.sqlite3")
    yield made
    await made.close()


async def test_events_come_back_in_order(log: Log) -> None:
    await log.append("t", 0, [event(1), event(2)])
    await log.append("t", 2, [event(3)])
    assert await log.read("t") == [event(1), event(2), event(3)]
    assert await log.read("t", 1) == [event(2), event(3)]
    assert await log.read("t", 3) == []


async def test_tables_do_not_see_each_other(log: Log) -> None:
    await log.append("a", 0, [event(1)])
    await log.append("b", 0, [event(2)])
    assert await log.read("a") == [event(1)]
    assert await log.read("absent") == []
    assert sorted(await log.tables()) == ["a", "b"]


async def test_idle_tables_are_those_not_changed_since(log: Log) -> None:
    await log.append("old", 0, [event(1), event(7)])
    await log.append("young", 0, [event(1), event(8)])
    assert await log.idle(7) == []
    assert await log.idle(8) == ["old"]
    assert sorted(await log.idle(9)) == ["old", "young"]


@pytest.mark.parametrize("seq", [1, 3], ids=["moved on", "too far"])
async def test_a_table_is_deleted_only_at_its_last_number(log: Log, seq: int) -> None:
    await log.append("t", 0, [event(1), event(2)])
    await log.append("u", 0, [event(3)])
    with pytest.raises(SeqConflict):
        await log.delete("t", seq)
    assert await log.read("t") == [event(1), event(2)]
    await log.delete("t", 2)
    assert await log.read("t") == []
    assert await log.tables() == ["u"]
    with pytest.raises(SeqConflict):
        await log.delete("t", 2)
    await log.append("t", 0, [event(4)])
    assert await log.read("t") == [event(4)]


@pytest.mark.parametrize("after", [0, 1, 3, 9], ids=["0", "1", "gap", "far gap"])
async def test_only_the_next_number_is_free(log: Log, after: int) -> None:
    await log.append("t", 0, [event(1), event(2)])
    with pytest.raises(SeqConflict):
        await log.append("t", after, [event(3)])
    assert await log.read("t") == [event(1), event(2)]


async def test_an_append_is_whole_or_not_at_all(log: Log) -> None:
    await log.append("t", 0, [event(1), event(2), event(3)])
    with pytest.raises(SeqConflict):
        await log.append("t", 1, [event(8), event(9)])
    assert await log.read("t") == [event(1), event(2), event(3)]


async def test_of_many_appends_at_one_number_one_wins(log: Log) -> None:
    appends = (log.append("t", 0, [event(at), event(-at)]) for at in range(1, 41))
    outcomes = await asyncio.gather(*appends, return_exceptions=True)
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, SeqConflict) for outcome in outcomes) == 39
    winner = outcomes.index(None) + 1
    assert await log.read("t") == [event(winner), event(-winner)]


async def test_a_refused_append_spoils_no_other(log: Log) -> None:
    await log.append("full", 0, [event(1)])
    outcomes = await asyncio.gather(
        *(log.append(f"t{n}", 0, [event(n)]) for n in range(20)),
        log.append("full", 0, [event(2)]),
        *(log.append(f"u{n}", 0, [event(n)]) for n in range(20)),
        return_exceptions=True,
    )
    assert outcomes.count(None) == 40
    assert len(await log.tables()) == 41


async def test_two_processes_race_for_one_number(tmp_path: Path) -> None:
    # Two logs on one file, each with its own connection and writer thread.
    first, second = SqliteLog(tmp_path / "log"), SqliteLog(tmp_path / "log")
    for seq in range(60):
        outcomes = await asyncio.gather(
            first.append("t", seq, [event(1)]),
            second.append("t", seq, [event(2)]),
            return_exceptions=True,
        )
        assert sorted(map(type, outcomes), key=str) == sorted(
            [type(None), SeqConflict], key=str
        )
    assert len(await first.read("t")) == 60
    assert await first.read("t") == await second.read("t")
    await first.close()
    await second.close()


async def test_what_was_appended_outlives_the_process(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log")
    await log.append("t", 0, [event(1)])
    await log.close()
    again = SqliteLog(tmp_path / "log")
    assert await again.read("t") == [event(1)]
    await again.append("t", 1, [Closed(2)])
    await again.close()


async def test_close_stores_what_is_queued(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log")
    appends = [
        asyncio.create_task(log.append(f"t{n}", 0, [event(n)])) for n in range(9)
    ]
    await asyncio.wait(appends, return_when=asyncio.FIRST_COMPLETED)
    await log.close()
    await asyncio.gather(*appends)
    again = SqliteLog(tmp_path / "log")
    assert len(await again.tables()) == 9
    await again.close()


async def test_the_file_is_kept_as_safe_as_promised(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log")
    await log.close()
    reader = sqlite3.connect(tmp_path / "log")
    assert reader.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    reader.close()


def _directory(path: Path) -> None:
    path.mkdir()


def _rubbish(path: Path) -> None:
    path.write_bytes(b"no database " * 999)


@pytest.mark.parametrize("spoil", [_directory, _rubbish])
def test_a_file_that_is_no_database(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(tmp_path / "log")
    with pytest.raises(StorageUnavailable):
        SqliteLog(tmp_path / "log")


async def test_a_disk_that_refuses_is_told_and_nothing_is_stored(
    tmp_path: Path,
) -> None:
    log = SqliteLog(tmp_path / "log")
    await log.append("t", 0, [event(1)])
    # Another connection holds the write lock for longer than the writer waits.
    blocker = sqlite3.connect(tmp_path / "log", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailable):
        await log.append("t", 1, [event(2)])
    blocker.execute("ROLLBACK")
    blocker.close()
    await log.append("t", 1, [event(3)])
    assert await log.read("t") == [event(1), event(3)]
    await log.close()
