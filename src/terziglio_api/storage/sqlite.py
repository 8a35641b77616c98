"""The event log in one SQLite file, written by one thread that groups commits.

WAL with ``synchronous=FULL``: when ``append`` returns, the events are on disk. The
writer takes whatever is queued and commits once for all.
The primary key ``(table_id, seq)`` is the lock: a second writer of the same number,
in this process or another, gets ``SeqConflict``.
"""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final

from terziglio_api.journal import Event
from terziglio_api.ports import SeqConflict, StorageUnavailable
from terziglio_api.storage.codec import decode, encode

__all__ = ["SqliteLog"]

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS events (
  table_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (table_id, seq)
) WITHOUT ROWID
"""
_HAS: Final = "SELECT 1 FROM events WHERE table_id = ? AND seq = ?"
_BATCH: Final = 256


_IDLE: Final = """
SELECT table_id
FROM (SELECT table_id, max(seq) AS seq FROM events GROUP BY table_id)
JOIN events USING (table_id, seq)
WHERE json_extract(event, '$.at') < ?
"""


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines to append to a table, or (``None``) its deletion."""

    table: str
    after: int
    lines: list[str] | None
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[None]"

    def settle(self, error: Exception | None) -> None:
        """Tell the waiting coroutine; on its own loop."""
        if self.done.cancelled():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class SqliteLog:
    """An ``EventLog`` in the SQLite file at ``path``, made if it is not there.

    Raises:
        StorageUnavailable: the file cannot be opened or is no such database.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute(_SCHEMA)
            self._reader = self._connect()
        except (OSError, sqlite3.Error) as error:
            raise StorageUnavailable(f"{path}: {error}") from error
        self._reading = Lock()
        self._queue: SimpleQueue[_Change | None] = SimpleQueue()
        self._thread = Thread(target=self._write, name="log-writer", daemon=True)
        self._thread.start()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, timeout=5
        )
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        """Store the events on disk; see ``EventLog``."""
        await self._put(table, after, [encode(event) for event in events])

    async def read(self, table: str, after: int = 0) -> list[Event]:
        """Return the events after a ``seq``; see ``EventLog``."""
        rows = await asyncio.to_thread(
            self._select,
            "SELECT event FROM events WHERE table_id = ? AND seq > ? ORDER BY seq",
            (table, after),
        )
        return [decode(line) for line in rows]

    async def tables(self) -> list[str]:
        """Return the ids of all tables; see ``EventLog``."""
        return await asyncio.to_thread(
            self._select, "SELECT table_id FROM events WHERE seq = 1", ()
        )

    async def idle(self, before: int) -> list[str]:
        """Return the ids of tables not changed since a time; see ``EventLog``."""
        return await asyncio.to_thread(self._select, _IDLE, (before,))

    async def delete(self, table: str, seq: int) -> None:
        """Delete a table at its last ``seq``; see ``EventLog``."""
        await self._put(table, seq, None)

    async def _put(self, table: str, after: int, lines: list[str] | None) -> None:
        """Have the writer make a change; return when it is on disk."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.put(_Change(table, after, lines, loop, done))
        await done

    def _select(self, query: str, params: tuple[object, ...]) -> list[str]:
        try:
            with self._reading:
                return [row[0] for row in self._reader.execute(query, params)]
        except sqlite3.Error as error:
            raise StorageUnavailable(str(error)) from error

    async def close(self) -> None:
        """Write what is queued, then close the file."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        self._reader.close()

    def _write(self) -> None:
        """Serve the queue until its ``None``; the writer thread's whole life."""
        with closing(self._connect()) as connection:
            going = True
            while going:
                first = self._queue.get()
                batch = [] if first is None else [first]
                going = first is not None
                while going and len(batch) < _BATCH and not self._queue.empty():
                    item = self._queue.get()
                    if item is None:
                        going = False
                    else:
                        batch.append(item)
                if batch:
                    self._commit(connection, batch)

    def _commit(self, connection: sqlite3.Connection, batch: list[_Change]) -> None:
        """Make each change of the batch or refuse it, all in one transaction."""
        outcomes: list[Exception | None] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = [_store(connection, change) for change in batch]
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            outcomes = [StorageUnavailable(str(error)) for _ in batch]
        settled = tuple(zip(batch, outcomes, strict=True))
        for loop in {change.loop for change in batch}:
            with suppress(RuntimeError):  # it does not run any more
                loop.call_soon_threadsafe(_settle, loop, settled)


def _settle(
    loop: asyncio.AbstractEventLoop,
    settled: Sequence[tuple[_Change, Exception | None]],
) -> None:
    """Tell each coroutine that waits on this loop, all in one turn of it."""
    for change, outcome in settled:
        if change.loop is loop:
            change.settle(outcome)


def _store(connection: sqlite3.Connection, change: _Change) -> SeqConflict | None:
    """Make a change to the table as it stood when it was decided, or none."""
    table, after, lines = change.table, change.after, change.lines
    if after and not connection.execute(_HAS, (table, after)).fetchone():
        return SeqConflict()
    if lines is None:
        if connection.execute(_HAS, (table, after + 1)).fetchone():
            return SeqConflict()
        connection.execute("DELETE FROM events WHERE table_id = ?", (table,))
        return None
    rows = [(table, seq, line) for seq, line in enumerate(lines, start=after + 1)]
    try:
        connection.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
    except sqlite3.IntegrityError:
        # Numbers have no gaps: the first row was refused, so that none is there.
        return SeqConflict()
    return None
