"""What the service needs from outside, as protocols: a log and a fan-out."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

__all__ = [
    "EventLog",
    "Fanout",
    "Listener",
    "SeqConflict",
    "StorageUnavailable",
    "Unreadable",
]

Event = TypeVar("Event")
Listener = Callable[[str, int], None]
"""Called with a table's id and a ``seq`` it has reached, on the event loop."""


class SeqConflict(Exception):
    """Somebody else has appended at this ``seq``: reload and decide again."""


class StorageUnavailable(Exception):
    """The log cannot be read or written now; nothing was stored."""


class Unreadable(StorageUnavailable):
    """A table's log is not one that this version understands."""


class EventLog(Protocol[Event]):
    """An append-only log a table; ``(table, seq)`` is its key and the only lock."""

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        """Store the events as ``after + 1``, ``after + 2``, .. or none of them.

        Returns only when they are on disk.

        Raises:
            SeqConflict: one of these keys is taken.
            StorageUnavailable: they could not be stored.
        """
        ...

    async def read(self, table: str, after: int = 0) -> list[Event]:
        """Return the table's events with ``seq > after``, in order.

        Raises:
            StorageUnavailable: the log could not be read.
        """
        ...

    async def tables(self) -> list[str]:
        """Return the ids of all tables.

        Raises:
            StorageUnavailable: the log could not be read.
        """
        ...

    async def idle(self, before: int) -> list[str]:
        """Return the ids of tables whose last event has an ``at`` before a time.

        Raises:
            StorageUnavailable: the log could not be read.
        """
        ...

    async def delete(self, table: str, seq: int) -> None:
        """Delete a table's events, if ``seq`` is still its last one.

        Raises:
            SeqConflict: the table has moved on, or is gone.
            StorageUnavailable: nothing was deleted.
        """
        ...

    async def close(self) -> None:
        """Store what is under way, then let go of files and threads."""
        ...


class Fanout(Protocol):
    """Tells who follows a table that it has changed; carries no content.

    A poke may be lost or doubled: followers load to the head of the log.
    """

    def poke(self, table: str, seq: int) -> None:
        """Say that the table has reached ``seq``; called after the commit."""
        ...

    def listen(
        self, listener: Listener, table: str | None = None
    ) -> AbstractContextManager[None]:
        """Call the listener at each poke of the table, or of every table."""
        ...
