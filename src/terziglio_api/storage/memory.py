"""The event log in memory: for tests and trials; gone with the process."""

from collections.abc import Sequence

from terziglio_api.journal import Event
from terziglio_api.ports import SeqConflict

__all__ = ["MemoryLog"]


class MemoryLog:
    """An ``EventLog`` that keeps events in lists."""

    def __init__(self) -> None:
        self._tables: dict[str, list[Event]] = {}

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        """Store the events, or raise ``SeqConflict``."""
        if len(self._tables.get(table, ())) != after:
            raise SeqConflict
        self._tables.setdefault(table, []).extend(events)

    async def read(self, table: str, after: int = 0) -> list[Event]:
        """Return the events after a ``seq``."""
        return self._tables.get(table, [])[after:]

    async def tables(self) -> list[str]:
        """Return the ids of all tables."""
        return list(self._tables)

    async def idle(self, before: int) -> list[str]:
        """Return the ids of tables whose last event is older than a time."""
        return [table for table, log in self._tables.items() if log[-1].at < before]

    async def delete(self, table: str, seq: int) -> None:
        """Delete a table's events, or raise ``SeqConflict``."""
        if len(self._tables.get(table, ())) != seq:
            raise SeqConflict
        del self._tables[table]

    async def close(self) -> None:
        """Do nothing: there is nothing to let go of."""
