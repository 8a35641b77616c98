"""How people come by their seats: open, claim by a link, ask for a new link."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

from simulation.clients import Client
from simulation.plan import TablePlan
from terziglio.seats import Seat
from terziglio_api.commands import By, Close, Code, Refusal
from terziglio_api.ports import StorageUnavailable
from terziglio_api.service import TableService

__all__ = ["Desk", "Place"]

_T = TypeVar("_T")
_PAUSE_S = 0.5


class Desk(Protocol):
    """Where requests are made that need no socket."""

    async def ask(self, what: Callable[[TableService], Coroutine[Any, Any, _T]]) -> _T:
        """Ask once.

        Raises:
            ConnectionError: there is no answer, though it may have been done.
        """
        ...

    def wrong(self, what: str) -> None:
        """Something has happened that must not."""
        ...


class Place:
    """One table as its people know it: its id, links and tokens."""

    def __init__(self, desk: Desk, plan: TablePlan) -> None:
        self.plan = plan
        self.id = ""
        self.people = [Seat.S0]
        for seat, player in zip((Seat.S1, Seat.S2), plan.opening.players, strict=True):
            if player is None:
                self.people.append(seat)
        self.closed = False
        """Whether the host has ended it and been told so."""
        self._desk = desk
        self._links: dict[Seat, str] = {}
        self._tokens: dict[Seat, str] = {}
        self._changed = asyncio.Event()

    async def token(self, seat: Seat) -> str:
        """Return a seat's token; wait until somebody has it."""
        while seat not in self._tokens:
            self._changed.clear()
            await self._changed.wait()
        return self._tokens[seat]

    async def gather(self) -> None:
        """Open the table and have everybody sit down."""
        seating = await self._until_done(lambda s: s.open(self.plan.opening))
        self.id = seating.table
        self._links = dict(seating.invites)
        self._sit(Seat.S0, seating.token)
        await asyncio.gather(*(self._fill(seat) for seat in self.people[1:]))

    async def reissue(self, seat: Seat, client: Client) -> None:
        """Seat a guest anew who has lost everything."""
        self._tokens.pop(seat, None)
        client.forget()
        if client.line is not None:
            client.line.hang_up()
        link = ""
        while not link:
            try:
                link = await self._until_done(lambda s: s.reissue(self.id, seat))
            except Refusal as refusal:
                if refusal.code is Code.TABLE_CLOSED:
                    client.out = True
                    client.done.set()
                    return
                await asyncio.sleep(_PAUSE_S)
        self._links[seat] = link
        client.out = not await self._claim(seat, f"anew {link}")
        if client.out:
            client.done.set()

    async def close(self) -> None:
        """End the table, as its host."""
        token = self._tokens[Seat.S0]

        async def end(service: TableService) -> None:
            holder = await service.holder(self.id, token)
            await service.do(self.id, Close(), holder)

        await self._until_done(end)
        self.closed = True

    async def _fill(self, seat: Seat) -> None:
        """Let one guest, or two who race for the link, sit down."""
        keys = [f"key {seat}", f"rival {seat}"][: 1 + self.plan.intruder]
        won = await asyncio.gather(*(self._claim(seat, key) for key in keys))
        if sum(won) != 1:
            self._desk.wrong(f"{sum(won)} guests got the link of seat {seat}")

    async def _claim(self, seat: Seat, key: str) -> bool:
        try:
            seating = await self._until_done(
                lambda s: s.claim(self.id, self._links[seat], "Guest", By.PERSON, key)
            )
        except Refusal as refusal:
            if refusal.code not in {Code.SEAT_TAKEN, Code.TABLE_CLOSED}:
                self._desk.wrong(f"a claim of seat {seat}: {refusal.code}")
            return False
        self._sit(seat, seating.token)
        return True

    async def _until_done(
        self, what: Callable[[TableService], Coroutine[Any, Any, _T]]
    ) -> _T:
        """Ask until there is an answer."""
        while True:
            try:
                return await self._desk.ask(what)
            except (ConnectionError, StorageUnavailable):
                await asyncio.sleep(_PAUSE_S)

    def _sit(self, seat: Seat, token: str) -> None:
        self._tokens[seat] = token
        self._changed.set()
