"""A disk that outlives the service, and the service's log on it.

An append takes time before it is durable and time after; a crash in the first part
loses it, in the second keeps it although nobody was told.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from terziglio_api.journal import Event
from terziglio_api.ports import SeqConflict, StorageUnavailable
from terziglio_api.storage.codec import decode, encode

__all__ = ["Disk", "DiskLog"]


@dataclass
class Disk:
    """What is durable: every table's log, in its stored form."""

    tables: dict[str, list[str]] = field(default_factory=dict)
    failing: float = 0.0
    """The chance that a try to read or write fails now."""

    def events(self, table: str) -> list[Event]:
        """Return a table's log as a fresh service would read it."""
        return [decode(line) for line in self.tables.get(table, ())]

    def head(self, table: str) -> int:
        """Return the last durable ``seq``."""
        return len(self.tables.get(table, ()))


class DiskLog:
    """One service's ``EventLog`` on the disk; a dead one stores nothing more.

    Args:
        disk: what outlives this.
        latency: draws how long half an access takes.
        fails: draws whether a chance comes true.
        stored: told of every append that is durable now.
    """

    def __init__(
        self,
        disk: Disk,
        latency: Callable[[], float],
        fails: Callable[[float], bool],
        stored: Callable[[str, int], None],
    ) -> None:
        self.alive = True
        self._disk = disk
        self._latency = latency
        self._fails = fails
        self._stored = stored

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        """Store the events, or raise ``SeqConflict``."""
        lines = [encode(event) for event in events]
        await self._access()
        if self._disk.head(table) != after:
            raise SeqConflict
        self._disk.tables.setdefault(table, []).extend(lines)
        self._stored(table, after + len(lines))
        await asyncio.sleep(self._latency())

    async def read(self, table: str, after: int = 0) -> list[Event]:
        """Return the events after a ``seq``."""
        await self._access()
        events = self._disk.events(table)[after:]
        await asyncio.sleep(self._latency())
        return events

    async def tables(self) -> list[str]:
        """Return the ids of all tables."""
        await self._access()
        return list(self._disk.tables)

    async def idle(self, before: int) -> list[str]:
        """Return the ids of tables whose last event is older than a time."""
        await self._access()
        disk = self._disk
        return [t for t in disk.tables if decode(disk.tables[t][-1]).at < before]

    async def delete(self, table: str, seq: int) -> None:
        """Delete a table's events, or raise ``SeqConflict``."""
        await self._access()
        if self._disk.head(table) != seq:
            raise SeqConflict
        del self._disk.tables[table]
        await asyncio.sleep(self._latency())

    async def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    async def _access(self) -> None:
        await asyncio.sleep(self._latency())
        if not self.alive or self._fails(self._disk.failing):
            raise StorageUnavailable("told to")
