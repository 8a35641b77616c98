"""The fan-out within one process: a call to each listener."""

from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager

from terziglio_api.ports import Listener

__all__ = ["LocalFanout"]


class LocalFanout:
    """A ``Fanout`` whose listeners are called at once, on the event loop."""

    def __init__(self) -> None:
        self._listeners: defaultdict[str | None, set[Listener]] = defaultdict(set)

    def poke(self, table: str, seq: int) -> None:
        """Call who listens to this table, and who listens to all."""
        for listener in (
            *self._listeners.get(table, ()),
            *self._listeners.get(None, ()),
        ):
            listener(table, seq)

    @contextmanager
    def listen(
        self, listener: Listener, table: str | None = None
    ) -> Generator[None, None, None]:
        """Call the listener at pokes while the context is open."""
        self._listeners[table].add(listener)
        try:
            yield
        finally:
            self._listeners[table].discard(listener)
            if not self._listeners[table]:
                del self._listeners[table]
