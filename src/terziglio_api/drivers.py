"""Who moves when no person does: computer seats after their beat, run-out clocks.

The deal after a thrown-in one comes from here too. A driver follows the fan-out as
a socket does. What is due is always read from the table, never remembered: a
restarted service goes on where it was, and a stale timer finds nothing to do.
"""

import asyncio
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from terziglio.actions import Action
from terziglio.errors import IllegalAction
from terziglio.players import Player, cheapest
from terziglio.view import SeatView
from terziglio_api.commands import Act, By, DealAgain, Due, Move, Refusal
from terziglio_api.logs import logger
from terziglio_api.metrics import Metrics
from terziglio_api.ports import Fanout, StorageUnavailable, Unreadable
from terziglio_api.service import TableService
from terziglio_api.wire.game import game_of
from terziglio_api.wire.view import View, view_of

__all__ = ["Drivers"]

_log = logger(__name__)
_RETRY_S = 1.0


class Drivers:
    """Drives every table of a service that has something due.

    Args:
        service: the tables.
        fanout: where changes are heard of.
        players: computer players by name.
        metrics: where it is counted when somebody else answers for a seat.
    """

    def __init__(
        self,
        service: TableService,
        fanout: Fanout,
        players: Mapping[str, Player],
        metrics: Metrics | None = None,
    ) -> None:
        self._service = service
        self._fanout = fanout
        self._players = players
        self._metrics = Metrics() if metrics is None else metrics
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._pending: set[str] = set()
        self._waits: dict[str, asyncio.Event] = {}

    async def run(self) -> None:
        """Drive until cancelled; begin with what is due from before the start."""
        try:
            with self._fanout.listen(self._heard):
                await self._take_up()
                await asyncio.get_running_loop().create_future()
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _take_up(self) -> None:
        """Wake the tables that were left with something due."""
        while True:
            try:
                for table in await self._service.tables():
                    with suppress(Refusal, Unreadable):
                        if await self._service.due(table) is not None:
                            self._heard(table, 0)
            except StorageUnavailable:
                _log.warning("the tables cannot be read yet")
                await asyncio.sleep(_RETRY_S)
            else:
                return

    def _heard(self, table: str, _seq: int) -> None:
        """Have the table looked at once more, by its one driver."""
        if table not in self._tasks and self._service.rests(table):
            return
        self._pending.add(table)
        if table in self._waits:
            self._waits[table].set()
        if table not in self._tasks:
            task = asyncio.create_task(self._drive(table))
            self._tasks[table] = task
            task.add_done_callback(lambda done: self._done(table, done))

    def _done(self, table: str, task: asyncio.Task[None]) -> None:
        del self._tasks[table]
        if task.cancelled():
            return
        if task.exception() is not None:
            _log.error("driver failed", table=table, exc_info=task.exception())
        if table in self._pending:
            self._heard(table, 0)

    async def _drive(self, table: str) -> None:
        """Do what is due at a table until nothing is, or nothing has changed."""
        while table in self._pending:
            self._pending.discard(table)
            try:
                due = await self._service.due(table)
                if due is None:
                    continue
                if not await self._woken(table, due.at):
                    await self._do(table, due)
            except Refusal as refusal:
                # Somebody was faster; if it was another process, no poke comes.
                self._pending.add(table)
                _log.debug("overtaken", table=table, code=refusal.code.value)
            except Unreadable:
                return
            except StorageUnavailable:
                _log.warning("waits for storage", table=table)
                self._pending.add(table)
                await asyncio.sleep(_RETRY_S)

    async def _woken(self, table: str, at: int) -> bool:
        """Wait for a time; return early, and ``True``, if the table changes before."""
        seconds = (at - self._service.now()) / 1000
        if seconds <= 0:
            return False
        changed = self._waits[table] = asyncio.Event()
        try:
            async with asyncio.timeout(seconds):
                return await changed.wait()
        except TimeoutError:
            return False
        finally:
            del self._waits[table]

    async def _do(self, table: str, due: Due) -> None:
        move = due.move
        if move is None:
            await self._service.do(table, DealAgain(due.deal))
            return
        seen = view_of(await self._service.view(table, move.seat))
        # The player gets what a program at a socket would get, and nothing else.
        game = game_of(View.model_validate_json(seen.model_dump_json(by_alias=True)))
        if game.turn is not move.seat:
            return
        by = By.CLOCK if move.player is None else None
        act = Act(move.seat, self._answer(table, move, game), move.decision, by=by)
        try:
            await self._service.do(table, act)
        except IllegalAction as refusal:
            if await self._service.awaited(table, act) is None:
                return  # the seat itself was faster, and that ended the hand
            self._metrics.substitutes.labels("illegal").inc()
            code = refusal.code.value
            _log.error("broke a rule", table=table, player=move.player, code=code)
            await self._service.do(table, replace(act, action=game.legal.first()))

    def _answer(self, table: str, move: Move, game: SeatView) -> Action:
        """Return the player's answer, or the first legal one if it fails."""
        if move.player is None:
            self._metrics.substitutes.labels("clock").inc()
            return cheapest(game)
        try:
            return self._players[move.player](game)
        except Exception as error:
            self._metrics.substitutes.labels("failed").inc()
            # Where it failed, but not what it said: that may name a card.
            what = type(error).__name__
            where = "".join(traceback.format_tb(error.__traceback__))
            _log.error(
                "failed", table=table, player=move.player, error=what, where=where
            )
            return game.legal.first()
