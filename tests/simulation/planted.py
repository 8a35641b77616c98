"""Bugs to plant in the service: the simulator has to find each of them."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final
from unittest.mock import patch

from terziglio import Card, view
from terziglio.phases import Hand
from terziglio.seats import Seat
from terziglio.view import MonteView
from terziglio_api import service
from terziglio_api.channel import Channel
from terziglio_api.commands import Due
from terziglio_api.drivers import Drivers
from terziglio_api.journal import Event
from terziglio_api.ports import SeqConflict, StorageUnavailable
from terziglio_api.shelf import Shelf
from terziglio_api.table import Table, states
from terziglio_api.timing import due

__all__ = ["PLANTED", "Plant"]

Plant = Callable[[], AbstractContextManager[Any]]


def _told_before_the_commit() -> AbstractContextManager[Any]:
    append = Shelf.append
    writing: set[asyncio.Task[Any]] = set()

    async def quietly(shelf: Shelf, state: Table, events: Sequence[Event]) -> None:
        try:
            await append(shelf, state, events)
        except (SeqConflict, StorageUnavailable):
            return

    async def hasty(self: Shelf, state: Table, events: Sequence[Event]) -> Table:
        writing.add(asyncio.create_task(quietly(self, state, events)))
        return tuple(states(state, events))[-1]

    return patch.object(Shelf, "append", hasty)


def _conflicts_ignored() -> AbstractContextManager[Any]:
    append = Shelf.append

    async def careless(self: Shelf, state: Table, events: Sequence[Event]) -> Table:
        try:
            return await append(self, state, events)
        except SeqConflict:
            return tuple(states(state, events))[-1]

    return patch.object(Shelf, "append", careless)


def _lost_wakeup() -> AbstractContextManager[Any]:
    return patch.object(Channel, "_catch_up", lambda _channel, _feed: None)


def _event_before_its_ack() -> AbstractContextManager[Any]:
    start = Channel.__init__

    class Open:
        async def __aenter__(self) -> None:
            return

        async def __aexit__(self, *_error: object) -> None:
            return

        def locked(self) -> bool:
            return False

    def unlocked(self: Any, *args: Any) -> None:
        start(self, *args)
        self._answering = Open()

    return patch.object(Channel, "__init__", unlocked)


def _ids_not_looked_up() -> AbstractContextManager[Any]:
    return patch.object(Table, "given", lambda _table, _seat, _id: None)


def _resume_off_by_one() -> AbstractContextManager[Any]:
    since = Shelf.since

    async def short(self: Shelf, head: Table, after: int) -> tuple[Table, ...]:
        told = await since(self, head, after)
        return told[1:] if len(told) > 1 else told

    return patch.object(Shelf, "since", short)


def _nothing_taken_up() -> AbstractContextManager[Any]:
    async def forgets(_self: Drivers) -> None:
        return

    return patch.object(Drivers, "_take_up", forgets)


def _taking_up_gives_up() -> AbstractContextManager[Any]:
    async def once(self: Any) -> None:
        try:
            for table in await self._service.tables():
                if await self._service.due(table) is not None:
                    self._heard(table, 0)
        except StorageUnavailable:
            return

    return patch.object(Drivers, "_take_up", once)


def _clocks_not_taken_up() -> AbstractContextManager[Any]:
    take_up = Drivers._take_up

    async def computers(self: Any) -> None:
        due = self._service.due

        async def only_computers(table: str) -> Due | None:
            found: Due | None = await due(table)
            if found and found.move and found.move.player is None:
                return None
            return found

        with patch.object(self._service, "due", only_computers):
            await take_up(self)

    return patch.object(Drivers, "_take_up", computers)


def _clock_runs_while_down() -> AbstractContextManager[Any]:
    def straight(table: Table, up_since: int, thrown_in_ms: int) -> Due | None:
        return due(table, 0, thrown_in_ms)

    return patch.object(service, "due", straight)


def _old_reads_kept() -> AbstractContextManager[Any]:
    return patch.object(Shelf, "_newest", Shelf._replay)


def _monte_shown_to_all() -> AbstractContextManager[Any]:
    monte = view._monte

    def shown(hand: Hand, dealt: tuple[Card, ...] | None, _seat: Seat) -> MonteView:
        told = (monte(hand, dealt, seat) for seat in Seat)
        return max(told, key=lambda m: bool(m.cards))

    return patch.object(view, "_monte", shown)


_STALL = "is not told|owes a move|nothing has moved"
PLANTED: Final[dict[str, tuple[Plant, str]]] = {
    "told before the commit": (_told_before_the_commit, "."),
    "conflicts ignored": (_conflicts_ignored, "."),
    "lost wakeup": (_lost_wakeup, _STALL),
    "event before its ack": (_event_before_its_ack, "before its ack"),
    "ids not looked up": (_ids_not_looked_up, "refused, but stored"),
    "resume off by one": (_resume_off_by_one, "comes|leaves out|is not told"),
    "nothing taken up": (_nothing_taken_up, _STALL),
    "taking up gives up": (_taking_up_gives_up, _STALL),
    "clocks not taken up": (_clocks_not_taken_up, _STALL),
    "clock runs while down": (_clock_runs_while_down, "ran out too early"),
    "old reads kept": (_old_reads_kept, _STALL + "|comes|leaves out"),
    "monte shown to all": (_monte_shown_to_all, "cards it may not know"),
}
"""Each bug, and what the verdict on it says."""
