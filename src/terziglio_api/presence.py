"""Which seats are online, and since when not: known to this process, kept in no log."""

import asyncio
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Final

from terziglio.seats import Seat

__all__ = ["Presence"]

_NOBODY: Final[frozenset[Seat]] = frozenset()
Watcher = Callable[[Seat, bool], None]
"""Called when a seat comes (``True``) or goes."""
_NOWHEN: Final[Mapping[Seat, int]] = {}
_LEFT: Final = 10_000
"""Tables of which it is known when seats left; the longest unchanged go first."""


class Presence:
    """Counts the connections of every seat, and tells who watches a table.

    Args:
        clock: the time in milliseconds since 1970, UTC.
    """

    def __init__(
        self, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    ) -> None:
        self._clock = clock
        self._left: OrderedDict[str, dict[Seat, int]] = OrderedDict()
        self._tables: dict[str, Counter[Seat]] = {}
        self._seats: dict[str, frozenset[Seat]] = {}
        self._visits: dict[tuple[str, Seat], tuple[asyncio.TimerHandle, ExitStack]] = {}
        self._watchers: defaultdict[str, dict[Watcher, None]] = defaultdict(dict)

    def seats(self, table: str) -> frozenset[Seat]:
        """Return the seats of a table that are online."""
        return self._seats.get(table, _NOBODY)

    def left(self, table: str) -> Mapping[Seat, int]:
        """Return since when seats that were online are not any more."""
        return self._left.get(table, _NOWHEN)

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
    def poll(
        self, table: str, seat: Seat, seconds: float
    ) -> Generator[None, None, None]:
        """Count the seat as online in the context and, answered, for a while after."""
        with self.attend(table, seat):
            yield
            self.visit(table, seat, seconds)

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
        self._note(table, seat, present=present)
        for watcher in tuple(self._watchers.get(table, ())):
            watcher(seat, present)

    def _note(self, table: str, seat: Seat, *, present: bool) -> None:
        left = self._left.pop(table, {})
        if present:
            left.pop(seat, None)
        else:
            left[seat] = self._clock()
        if left:
            self._left[table] = left
        while len(self._left) > _LEFT:
            self._left.popitem(last=False)
