"""Which seats are online: known to this process, kept in no log."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import Final

from terziglio.seats import Seat

__all__ = ["Presence"]

_NOBODY: Final[frozenset[Seat]] = frozenset()
Watcher = Callable[[Seat, bool], None]
"""Called when a seat comes (``True``) or goes."""


class Presence:
    """Counts the connections of every seat, and tells who watches a table."""

    def __init__(self) -> None:
        self._tables: dict[str, Counter[Seat]] = {}
        self._seats: dict[str, frozenset[Seat]] = {}
        self._visits: dict[tuple[str, Seat], tuple[asyncio.TimerHandle, ExitStack]] = {}
        self._watchers: defaultdict[str, dict[Watcher, None]] = defaultdict(dict)

    def seats(self, table: str) -> frozenset[Seat]:
        """Return the seats of a table that are online."""
        return self._seats.get(table, _NOBODY)

    @contextmanager
    def attend(self, table: str, seat: Seat) -> Generator[None, None, None]:
        """Count the seat as online while the context is open."""
        here = self._tables.setdefault(table, Counter())
        here[seat] += 1
        if here[seat] == 1:
            self._tell(table, seat, present=True)
        try:
            yield
        finally:
            here[seat] -= 1
            if not here[seat]:
                del here[seat]
                if not here:
                    del self._tables[table]
                self._tell(table, seat, present=False)

    def visit(self, table: str, seat: Seat, seconds: float) -> None:
        """Count the seat as online for some time: it asks again and again.

        A visit while the last one lasts prolongs it.
        """
        key = (table, seat)
        if key in self._visits:
            self._visits[key][0].cancel()
            staying = self._visits[key][1]
        else:
            staying = ExitStack()
            staying.enter_context(self.attend(table, seat))

        def leave() -> None:
            del self._visits[key]
            staying.close()

        timer = asyncio.get_running_loop().call_later(seconds, leave)
        self._visits[key] = timer, staying

    @contextmanager
    def watch(self, table: str, watcher: Watcher) -> Generator[None, None, None]:
        """Call the watcher when a seat of the table comes or goes."""
        self._watchers[table][watcher] = None
        try:
            yield
        finally:
            self._watchers[table].pop(watcher, None)
            if not self._watchers[table]:
                del self._watchers[table]

    def _tell(self, table: str, seat: Seat, *, present: bool) -> None:
        self._seats[table] = self.seats(table) ^ {seat}
        if not self._seats[table]:
            del self._seats[table]
        for watcher in tuple(self._watchers.get(table, ())):
            watcher(seat, present)
