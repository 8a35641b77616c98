"""Who moves when no person does: computer seats after their beat.

The deal after a thrown-in one comes from here too. A driver follows the fan-out as
a socket does. What is due is always read from the table, never remembered: a
restarted service goes on where it was, and a stale timer finds nothing to do.
"""

import asyncio
import logging
from collections.abc import Mapping

from terziglio.actions import Action
from terziglio.errors import IllegalAction
from terziglio.players import Player
from terziglio.view import SeatView
from terziglio_api.commands import Act, DealAgain, Due, Move, Refusal
from terziglio_api.ports import Fanout, StorageUnavailable
from terziglio_api.service import TableService
from terziglio_api.wire.game import game_of
from terziglio_api.wire.view import View, view_of

__all__ = ["Drivers"]

_log = logging.getLogger(__name__)
_RETRY_S = 1.0


class Drivers:
    """Drives every table of a service that has something due.

    Args:
        service: the tables.
        fanout: where changes are heard of.
        players: computer players by name.
    """

    def __init__(
        self, service: TableService, fanout: Fanout, players: Mapping[str, Player]
    ) -> None:
        self._service = service
        self._fanout = fanout
        self._players = players
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._pending: set[str] = set()

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
        try:
            for table in await self._service.tables():
                if await self._service.due(table) is not None:
                    self._heard(table, 0)
        except StorageUnavailable:
            _log.exception("the tables cannot be read; each goes on when it changes")

    def _heard(self, table: str, _seq: int) -> None:
        """Have the table looked at once more, by its one driver."""
        self._pending.add(table)
        if table not in self._tasks:
            task = asyncio.create_task(self._drive(table))
            self._tasks[table] = task
            task.add_done_callback(lambda done: self._done(table, done))

    def _done(self, table: str, task: asyncio.Task[None]) -> None:
        del self._tasks[table]
        if task.cancelled():
            return
        if task.exception() is not None:
            _log.error(
                "the driver of table %s failed", table, exc_info=task.exception()
            )
        elif table in self._pending:
            self._heard(table, 0)

    async def _drive(self, table: str) -> None:
        """Do what is due at a table until nothing is, or nothing has changed."""
        while table in self._pending:
            self._pending.discard(table)
            try:
                due = await self._service.due(table)
                if due is None:
                    continue
                await asyncio.sleep(max(0, due.at - self._service.now()) / 1000)
                await self._do(table, due)
            except Refusal as refusal:
                # Somebody was faster: the poke of what they did is pending.
                _log.debug("table %s: %s", table, refusal.code)
            except StorageUnavailable:
                _log.warning("table %s waits for storage", table)
                self._pending.add(table)
                await asyncio.sleep(_RETRY_S)

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
        action = self._answer(table, move, game)
        try:
            await self._service.do(table, Act(move.seat, action, move.decision))
        except IllegalAction:
            _log.exception("table %s: player %s broke a rule", table, move.player)
            first = game.legal.first()
            await self._service.do(table, Act(move.seat, first, move.decision))

    def _answer(self, table: str, move: Move, game: SeatView) -> Action:
        """Return the player's answer, or the first legal one if it fails."""
        try:
            return self._players[move.player](game)
        except Exception:
            _log.exception("table %s: player %s failed", table, move.player)
            return game.legal.first()
