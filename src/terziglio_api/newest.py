"""Tables' newest changes, worked out once for all who are told of them."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeVar

from terziglio.seats import Seat
from terziglio_api.commands import Holder
from terziglio_api.seen import Update
from terziglio_api.showing import updates
from terziglio_api.table import Table

__all__ = ["Change", "Newest"]

_KEPT: Final = 256
"""Tables whose newest change is kept: the other seats ask for it within moments."""
_SEATS: Final = tuple(Seat)
_T = TypeVar("_T")


class Change:
    """A table's newest change, as each seat sees it."""

    def __init__(self, updates: Sequence[Update]) -> None:
        self._updates = updates
        self._told: Any = None

    def told(self, tell: Callable[[Sequence[Update]], _T]) -> _T:
        """Return how it is told, by who tells it first; then only that is kept."""
        if self._told is None:
            self._told, self._updates = tell(self._updates), ()
        told: _T = self._told
        return told


class Newest:
    """The changes that were asked for last, the same object while they are the newest.

    Args:
        up_since: when the service came up: see ``timing.deadline``.
    """

    def __init__(self, up_since: int) -> None:
        self._up_since = up_since
        self._kept: dict[str, tuple[Table, AbstractSet[Seat], Change]] = {}

    def forget(self, table: str) -> None:
        """Let go of a table."""
        self._kept.pop(table, None)

    def of(
        self, head: Table, holder: Holder, present: AbstractSet[Seat]
    ) -> Change | None:
        """Return a table's newest change, for who holds a seat.

        Args:
            head: the table as it stands.
            holder: who asks; his token may be void by now.
            present: the seats online, the same object while they do not change.
        """
        if head.seats[holder.seat].token != holder.token:
            return None
        kept = self._kept.get(head.id)
        if kept is not None and kept[0] is head and kept[1] is present:
            return kept[2]
        change = Change(updates(head, _SEATS, present, self._up_since))
        self._kept[head.id] = head, present, change
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return change
