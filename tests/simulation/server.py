"""One life of the service: the real objects over the disk, to be thrown away whole."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import copy_context
from random import Random
from typing import Any, Protocol, TypeVar

from simulation.clock import OWNER
from simulation.network import Line, SimFanout, Weather
from simulation.plan import Plan
from simulation.storage import Disk, DiskLog
from terziglio.players import PLAYERS
from terziglio_api.channel import Channel
from terziglio_api.drivers import Drivers
from terziglio_api.hall import furnish
from terziglio_api.metrics import Metrics
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from terziglio_api.table import Table

__all__ = ["Server", "Surroundings"]

_T = TypeVar("_T")
_BYE_S = 3


class Surroundings(Protocol):
    """What a service's life is lived in."""

    disk: Disk
    weather: Weather
    settings: Settings
    random: Random
    plan: Plan

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        ...

    def started(self) -> None:
        """A life has begun."""
        ...

    def stored(self, table: str, seq: int) -> None:
        """An append is durable."""
        ...

    def wrong(self, what: str) -> None:
        """Something has happened that must not."""
        ...


class Server:
    """The service from its start to its end."""

    def __init__(self, around: Surroundings) -> None:
        self.tasks: dict[asyncio.Task[Any], None] = {}
        self.alive = True
        self._around = around
        random, weather = around.random, around.weather
        self._log = DiskLog(
            around.disk,
            lambda: random.expovariate(1 / around.plan.access),
            weather.happens,
            self._stored,
        )
        self._fanout = SimFanout(weather)
        self.service = TableService(
            self._log,
            self._fanout,
            clock=around.now,
            entropy=random.randbytes,
            thrown_in_ms=around.plan.thrown_in_ms,
        )
        metrics = Metrics()
        self._hall = furnish(self.service, around.settings, metrics)
        self._lines: dict[Line, None] = {}
        drivers = Drivers(self.service, self._fanout, PLAYERS)
        self._driving = self.spawn(drivers.run())
        self._driving.add_done_callback(self._driven)
        around.started()

    @property
    def states(self) -> list[Table]:
        """The newest states that it keeps ready."""
        ready = self.service._shelf._ready
        return [states[-1] for states in ready.values()]

    def spawn(self, coroutine: Coroutine[Any, Any, _T]) -> "asyncio.Task[_T]":
        """Start a task that ends with this life."""
        context = copy_context()
        context.run(OWNER.set, self)
        return asyncio.get_running_loop().create_task(coroutine, context=context)

    async def call(self, ask: Callable[[TableService], Coroutine[Any, Any, _T]]) -> _T:
        """Ask the service something, as a request does.

        Raises:
            ConnectionError: it died meanwhile.
        """
        if not self.alive:
            raise ConnectionError
        task = self.spawn(ask(self.service))
        await asyncio.wait([task])
        if task.cancelled():
            raise ConnectionError
        return task.result()

    def accept(self, line: Line, table: str) -> None:
        """Serve a line."""
        self._lines[line] = None
        self.spawn(self._serve(line, table))

    async def stop(self) -> None:
        """End in good order: say bye, finish what is under way."""
        self._hall.roster.end_all("restart")
        with suppress(TimeoutError):
            async with asyncio.timeout(_BYE_S):
                await self._hall.roster.emptied()
        self._driving.cancel()
        await asyncio.wait([self._driving])
        await self.service.close()
        await self.kill()

    async def kill(self) -> None:
        """End at once: nothing more is stored, sent or poked."""
        self.alive = self._log.alive = self._fanout.alive = False
        for line in tuple(self._lines):
            line.cut(0.5)
        while self.tasks:
            for task in tuple(self.tasks):
                task.cancel()
            await asyncio.sleep(0)

    async def _serve(self, line: Line, table: str) -> None:
        around = self._around
        channel = Channel(line, self._hall, table)
        try:
            await channel.run(None)
        except Exception as error:
            around.wrong(f"a channel broke: {error!r}")
        finally:
            self._lines.pop(line, None)
            line.abort()

    def _driven(self, driving: "asyncio.Task[None]") -> None:
        if not driving.cancelled():
            self._around.wrong(f"the drivers ended: {driving.exception()!r}")

    def _stored(self, table: str, seq: int) -> None:
        if not self.alive:
            self._around.wrong("a dead service stores")
        self._around.stored(table, seq)
