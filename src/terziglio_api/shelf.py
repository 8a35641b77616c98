"""Tables kept ready: the latest states of those in use, over the log.

Part of the service, which alone reads and writes the log, and through this.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from terziglio.errors import IllegalAction
from terziglio_api.commands import Code, Refusal
from terziglio_api.journal import Event
from terziglio_api.logs import logger
from terziglio_api.ports import EventLog, SeqConflict, Unreadable
from terziglio_api.table import Table, replay, states

__all__ = ["Shelf"]

_log = logger(__name__)
_READY: Final = 2000
"""Tables kept ready; others are loaded when they are asked for."""
_TAIL: Final = 65
"""Latest states kept of each, to tell its changes one by one."""


@dataclass(slots=True)
class _Reading:
    """Reads of one table that are under way."""

    readers: int = 0
    seen: int = 0
    """The ``seq`` that the table is known to have reached since they began."""


class Shelf:
    """Current states of tables, loaded from the log and kept in step with it."""

    def __init__(self, log: EventLog[Event]) -> None:
        self._log = log
        self._ready: OrderedDict[str, deque[Table]] = OrderedDict()
        self._reading: dict[str, _Reading] = {}

    async def load(self, table: str) -> Table:
        """Return the table as it stands.

        Raises:
            Refusal: ``no_such_table``.
            StorageUnavailable: the log cannot be read, or (``Unreadable``) is not
                understood.
        """
        if table not in self._ready:
            self._put(table, await self._newest(table))
        ready = self._ready[table]
        self._ready.move_to_end(table)
        return ready[-1]

    def ready(self, table: str) -> Table | None:
        """Return the table as it stands, if it is kept ready."""
        ready = self._ready.get(table)
        return None if ready is None else ready[-1]

    async def since(self, head: Table, after: int) -> tuple[Table, ...]:
        """Return the states after a ``seq`` up to a table's state, one a number."""
        ready: Sequence[Table] = self._ready.get(head.id, ())
        if not ready or ready[0].seq > after + 1:
            ready = await self._replay(head.id)
        return tuple(state for state in ready if after < state.seq <= head.seq)

    async def create(self, table: str, events: Sequence[Event]) -> Table:
        """Store a new table's first events and return the table.

        Raises:
            SeqConflict: there is such a table.
        """
        await self._log.append(table, 0, events)
        self._put(table, replay(table, events))
        return self._ready[table][-1]

    async def append(self, state: Table, events: Sequence[Event]) -> Table:
        """Store what comes after a state and return the table after it.

        Raises:
            SeqConflict: the table has moved on; load it again.
        """
        try:
            await self._log.append(state.id, state.seq, events)
        except SeqConflict:
            ready = self._ready.get(state.id)
            if ready is not None and ready[-1] is state:
                del self._ready[state.id]
            raise
        after = tuple(states(state, events))
        self._seen(state.id, after[-1].seq)
        ready = self._ready.get(state.id)
        if ready is not None and ready[-1].seq == state.seq:
            ready.extend(after)
        return after[-1]

    async def delete(self, state: Table) -> None:
        """Delete the table of this state and all its events.

        Raises:
            SeqConflict: the table has moved on.
        """
        await self._log.delete(state.id, state.seq)
        self._seen(state.id, state.seq + 1)
        self._ready.pop(state.id, None)

    async def idle(self, before: int) -> list[str]:
        """Return the ids of tables whose last event is older than a time."""
        return await self._log.idle(before)

    def phases(self) -> Mapping[str, int]:
        """Return how many of the tables kept ready are in each phase."""
        return Counter(ready[-1].phase.value for ready in self._ready.values())

    async def check(self) -> None:
        """Return if the log can be read."""
        await self._log.read("", 0)

    async def tables(self) -> list[str]:
        """Return the ids of all tables."""
        return await self._log.tables()

    async def _newest(self, table: str) -> tuple[Table, ...]:
        """Replay a table; once more if it was seen to move on meanwhile."""
        reading = self._reading.setdefault(table, _Reading())
        reading.readers += 1
        try:
            while (replayed := await self._replay(table))[-1].seq < reading.seen:
                pass
        finally:
            reading.readers -= 1
            if not reading.readers:
                del self._reading[table]
        return replayed

    def _seen(self, table: str, seq: int) -> None:
        """Note for who is reading that the table has come this far."""
        reading = self._reading.get(table)
        if reading is not None:
            reading.seen = max(reading.seen, seq)

    async def _replay(self, table: str) -> tuple[Table, ...]:
        try:
            events = await self._log.read(table)
            # Long logs take long: not on the event loop.
            replayed = await asyncio.to_thread(lambda: tuple(replay(table, events)))
        except (ValueError, IllegalAction) as error:
            _log.exception("log not understood", table=table)
            raise Unreadable(f"the log of table {table}") from error
        if not replayed:
            raise Refusal(Code.NO_SUCH_TABLE)
        return replayed

    def _put(self, table: str, replayed: Iterable[Table]) -> None:
        """Keep these states ready, unless newer ones already are."""
        fresh = deque(replayed, maxlen=_TAIL)
        self._seen(table, fresh[-1].seq)
        ready = self._ready.get(table)
        if ready is None or ready[-1].seq < fresh[-1].seq:
            self._ready[table] = fresh
        while len(self._ready) > _READY:
            self._ready.popitem(last=False)
