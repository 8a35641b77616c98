"""Which seats are online: known to this process, kept in no log."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from terziglio.seats import Seat

__all__ = ["Presence"]


class Presence:
    """Counts the connections of every seat."""

    def __init__(self) -> None:
        self._tables: dict[str, Counter[Seat]] = {}

    def seats(self, table: str) -> frozenset[Seat]:
        """Return the seats of a table that are online."""
        return frozenset(self._tables.get(table, ()))

    @contextmanager
    def attend(self, table: str, seat: Seat) -> Generator[None, None, None]:
        """Count the seat as online while the context is open."""
        here = self._tables.setdefault(table, Counter())
        here[seat] += 1
        try:
            yield
        finally:
            here[seat] -= 1
            if not here[seat]:
                del here[seat]
            if not here:
                del self._tables[table]
