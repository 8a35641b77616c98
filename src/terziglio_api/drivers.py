"""Who moves when no person does: computer seats after their beat, run-out clocks.

The deal after a thrown-in one comes from here too. A driver follows the fan-out as
a socket does. What is due is always read from the table, never remembered: a
restarted service goes on where it was, and a stale timer finds nothing to do.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from terziglio.actions import Action
from terziglio.errors import IllegalAction
from terziglio.players import Player
from terziglio_api.cast import Cast, Question
from terziglio_api.commands import Act, By, Code, DealAgain, Due, Move, Refusal
from terziglio_api.logs import logger
from terziglio_api.metrics import Metrics
from terziglio_api.ports import Fanout, StorageUnavailable, Unreadable
from terziglio_api.service import TableService
from terziglio_api.thinking import Thinkers
from terziglio_api.wire.view import view_of

__all__ = ["Drivers"]

_log = logger(__name__)
_RETRY_S = 1.0


class Drivers:
    """Drives every table of a service that has something due.

    Args:
        service: the tables.
        fanout: where changes are heard of.
        players: computer players that answer in no time, by name.
        metrics: where it is counted when somebody else answers for a seat.
        thinkers: who asks the players that take longer.
    """

    def __init__(
        self,
        service: TableService,
        fanout: Fanout,
        players: Mapping[str, Player],
        metrics: Metrics | None = None,
        thinkers: Thinkers | None = None,
    ) -> None:
        self._service = service
        self._fanout = fanout
        self._cast = Cast(players, thinkers, metrics)
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
                await self._do(table, due)
            except Refusal as refusal:
                if refusal.code is Code.NO_SUCH_TABLE:
                    return  # it has been deleted
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

    async def _asked(self, table: str, move: Move) -> Question | None:
        """Return what a seat is asked; ``None``: it is not on turn any more."""
        seen = view_of(await self._service.view(table, move.seat))
        asked = Question(table, move.player, seen)
        return asked if asked.game.turn is move.seat else None

    async def _do(self, table: str, due: Due) -> None:
        """Do what is due, when it is due or the player has thought, if that is later.

        What takes thought is thought about from the start, so that the pace alone is
        seen wherever the thought is quicker.
        """
        move = due.move
        thought = None
        if move is not None and self._cast.thinks(move.player):
            asked = await self._asked(table, move)
            if asked is None:
                return
            thought = asked, await self._cast.answer(asked)
            if table in self._pending:
                return  # it has changed: nobody may want this any more
        if await self._woken(table, due.at):
            return
        if move is None:
            await self._service.do(table, DealAgain(due.deal))
            return
        if thought is None:
            asked = await self._asked(table, move)
            if asked is None:
                return
            thought = asked, await self._cast.answer(asked)
        await self._act(table, move, *thought)

    async def _act(
        self, table: str, move: Move, asked: Question, action: Action
    ) -> None:
        """Act for a seat; if that breaks a rule, as somebody else would."""
        by = By.CLOCK if move.player is None else None
        act = Act(move.seat, action, move.decision, by=by)
        try:
            await self._service.do(table, act)
        except IllegalAction as refusal:
            if await self._service.awaited(table, act) is None:
                return  # the seat itself was faster, and that ended the hand
            first, sure = self._cast.illegal(asked, refusal.code.value)
            try:
                await self._service.do(table, replace(act, action=first))
            except IllegalAction:
                await self._service.do(table, replace(act, action=sure))
