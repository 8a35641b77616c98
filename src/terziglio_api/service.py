"""The table service: open, claim, act, next hand, view, follow.

One path for every change: load the table, let the pure ``decide`` answer, append its
events to the log, then poke the fan-out. Where somebody else took the number first,
load and decide again. What has begun is finished even if the caller goes away.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from terziglio.actions import Phase
from terziglio.seats import Seat
from terziglio_api.commands import (
    Act,
    By,
    Chance,
    Claim,
    Code,
    Command,
    Done,
    Due,
    Holder,
    Mode,
    Move,
    Opening,
    Refusal,
    Reissue,
    Renew,
    Seating,
)
from terziglio_api.decisions import decide, first_deal, opening_dealer
from terziglio_api.journal import Event, Opened, Plan
from terziglio_api.ports import EventLog, Fanout, SeqConflict, StorageUnavailable
from terziglio_api.presence import Presence
from terziglio_api.record import record, steps
from terziglio_api.seen import Record, Step, Story, Summary, TableView
from terziglio_api.shelf import Shelf
from terziglio_api.showing import summary, table_view, update
from terziglio_api.table import CountedDeal, Table, opened
from terziglio_api.tokens import INVITE, SEAT, digest, matches, new_secret, new_table_id

__all__ = ["RESUME", "TableService"]

RESUME: Final = 256
"""Changes told one by one to who comes back; past that only the newest view."""
_TRIES: Final = 50
_T = TypeVar("_T")


class TableService:
    """Tables by id, over a log and a fan-out.

    Args:
        log: where events are kept.
        fanout: who is told of changes.
        clock: the time in milliseconds since 1970, UTC.
        entropy: returns that many random bytes.
        thrown_in_ms: pause after a thrown-in deal at a table with a pace.
    """

    def __init__(
        self,
        log: EventLog[Event],
        fanout: Fanout,
        *,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        thrown_in_ms: int = 3000,
    ) -> None:
        self.presence = Presence()
        self.now = clock
        self._shelf = Shelf(log)
        self._fanout = fanout
        self._entropy = entropy
        self._thrown_in_ms = thrown_in_ms
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self, opening: Opening) -> Seating:
        """Open a table and seat its host; a repeated request gets fresh secrets.

        Raises:
            StorageUnavailable: nothing was stored.
        """
        return await self._finish(self._open(opening))

    async def claim(
        self, table: str, invite: str, name: str, kind: By, key: str | None
    ) -> Seating:
        """Seat a guest; ``key`` names the request, for one that may come twice.

        Raises:
            Refusal: ``bad_invite``, ``seat_taken``, ``table_closed``.
        """
        token = new_secret(SEAT)
        key = None if key is None else digest(key)
        claim = Claim(digest(invite), name, kind, digest(token), key)
        try:
            await self.do(table, claim)
        except Refusal as refusal:
            if refusal.code is Code.NO_SUCH_TABLE:
                raise Refusal(Code.BAD_INVITE) from None
            raise
        return Seating(table, (await self.holder(table, token)).seat, token)

    async def reissue(
        self, table: str, seat: Seat, holder: Holder | None = None
    ) -> str:
        """Void a seat's link, or its absent guest's token; return the new invite.

        Raises:
            Refusal: ``seat_present``, ``table_closed``.
        """
        if seat in self.presence.seats(table):
            raise Refusal(Code.SEAT_PRESENT)
        invite = new_secret(INVITE)
        await self.do(table, Reissue(seat, digest(invite)), holder)
        return invite

    async def do(
        self, table: str, command: Command, holder: Holder | None = None
    ) -> Done:
        """Carry out a command, for the holder of a seat while he holds it.

        Raises:
            Refusal: the table does not allow it, or there is none; ``bad_token``:
                the holder's token is void by now.
            IllegalAction: the rules do not allow it.
            StorageUnavailable: nothing was stored.
        """
        return await self._finish(self._decide(table, command, holder))

    async def holder(self, table: str, token: str) -> Holder:
        """Return who shows this token.

        Raises:
            Refusal: ``bad_token``, for a table that is not there too.
        """
        try:
            state = await self._shelf.load(table)
        except Refusal:
            raise Refusal(Code.BAD_TOKEN) from None
        held = [s for s in Seat if matches(token, state.seats[s].token)]
        if not held:
            raise Refusal(Code.BAD_TOKEN)
        return Holder(held[0], digest(token))

    async def view(
        self, table: str, seat: Seat, holder: Holder | None = None
    ) -> TableView:
        """Return what a seat sees now.

        Raises:
            Refusal: ``bad_token``: the holder's token is void by now.
        """
        state = await self._shelf.load(table)
        _check(state, holder)
        return table_view(state, seat, self.presence.seats(table))

    async def summary(self, table: str) -> Summary:
        """Return what anybody may know of the table.

        Raises:
            Refusal: ``no_such_table``.
        """
        return summary(await self._shelf.load(table), self.presence.seats(table))

    async def story(self, table: str, holder: Holder, after: int) -> Story:
        """Return what the holder of a seat has missed after a ``seq``.

        The updates are ``None`` if they are more than ``RESUME``, or ``after`` is not
        yet reached.

        Raises:
            Refusal: ``bad_token``: the token is void by now.
        """
        head = await self._shelf.load(table)
        _check(head, holder)
        updates, present = None, self.presence.seats(table)
        if 0 <= head.seq - after <= RESUME:
            states = await self._shelf.since(head, after)
            updates = tuple(update(state, holder.seat, present) for state in states)
        return Story(updates, table_view(head, holder.seat, present))

    async def record(self, table: str, deal: int) -> Record:
        """Return the record of a counted hand.

        Raises:
            Refusal: ``hand_in_progress``, ``no_such_hand``.
        """
        return record(table, await self._counted(table, deal))

    async def steps(self, table: str, deal: int, seat: Seat | None) -> tuple[Step, ...]:
        """Return a counted hand step by step, open or as a seat saw it.

        Raises:
            Refusal: as ``record``.
        """
        await self._counted(table, deal)
        head = await self._shelf.load(table)
        states = await self._shelf.since(head, 0)
        return tuple(steps(states, deal, seat, self.presence.seats(table)))

    async def again(self, table: str, deal: int) -> Seating:
        """Open an unscored computer table with the same deal.

        Raises:
            Refusal: ``computer_table_only``, ``hand_in_progress``, ``no_such_hand``.
        """
        state = await self._shelf.load(table)
        opening = state.opening
        if opening.mode is not Mode.COMPUTER:
            raise Refusal(Code.COMPUTER_TABLE_ONLY)
        dealt = (await self._counted(table, deal)).hand.dealt
        right, left = (plan.player for plan in opening.plans)
        return await self.open(
            Opening(
                mode=opening.mode,
                name=opening.name,
                kind=opening.kind,
                target=opening.target,
                pace_ms=opening.pace_ms,
                players=(right, left),
                dealer=dealt.dealer,
                deck=dealt.deck,
                again=True,
            )
        )

    async def check(self) -> None:
        """Return if the log can be read.

        Raises:
            StorageUnavailable: it cannot.
        """
        await self._shelf.check()

    async def tables(self) -> list[str]:
        """Return the ids of all tables."""
        return await self._shelf.tables()

    async def due(self, table: str) -> Due | None:
        """Return what the service itself has to do next at a table, if anything."""
        state = await self._shelf.load(table)
        opening, deal, at = state.opening, state.match.deal_no, state.event.at
        if state.phase is Phase.THROWN_IN:
            pause = self._thrown_in_ms if opening.pace_ms else 0
            return Due(at + pause, deal, None)
        if state.turn is None or state.due is None:
            return None
        player = state.seats[state.turn].player
        if player is None:
            return None
        return Due(at + opening.pace_ms, deal, Move(state.turn, player, state.due))

    @contextmanager
    def follow(self, table: str) -> Generator[asyncio.Event, None, None]:
        """Give an event that is set whenever the table may have changed."""
        changed = asyncio.Event()
        with self._fanout.listen(lambda _table, _seq: changed.set(), table):
            yield changed

    async def close(self) -> None:
        """Finish the changes that are under way."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _finish(self, change: Coroutine[Any, Any, _T]) -> _T:
        """Run a change to its end even if who asked for it goes away."""
        task = asyncio.create_task(change)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # seen, even if nobody waits for it any more

    def _chance(self) -> Chance:
        return Chance(self._entropy(32), self.now())

    async def _decide(
        self, table: str, command: Command, holder: Holder | None = None
    ) -> Done:
        for _ in range(_TRIES):
            state = await self._shelf.load(table)
            _check(state, holder)
            events = decide(state, command, self._chance())
            if not events:
                act = command if isinstance(command, Act) else None
                given = act and state.given(act.seat, act.id)
                return Done(given or state.seq, duplicate=True)
            try:
                after = await self._shelf.append(state, events)
            except SeqConflict:
                continue
            self._fanout.poke(table, after.seq)
            return Done(state.seq + 1)
        raise StorageUnavailable(f"{_TRIES} conflicts in a row")

    async def _open(self, opening: Opening) -> Seating:
        table, token = new_table_id(opening.origin), new_secret(SEAT)
        invites = {seat: new_secret(INVITE) for seat in (Seat.S1, Seat.S2)}
        hashes = {seat: digest(invite) for seat, invite in invites.items()}
        chance = self._chance()
        right, left = (
            Plan(player, None if player else hashes[seat])
            for seat, player in zip(invites, opening.players, strict=True)
        )
        event = Opened(
            at=chance.at,
            mode=opening.mode,
            name=opening.name,
            kind=opening.kind,
            token=digest(token),
            target=opening.target,
            pace_ms=opening.pace_ms,
            plans=(right, left),
            dealer=opening_dealer(opening.dealer, opening.seed, chance),
            seed=opening.seed,
            deck=opening.deck,
            again=opening.again,
        )
        events = (event, *first_deal(opened(table, event), chance))
        try:
            state = await self._shelf.create(table, events)
            self._fanout.poke(table, state.seq)
        except SeqConflict:
            await self._decide(table, Renew(digest(token), hashes))
            state = await self._shelf.load(table)
        free = tuple((s, i) for s, i in invites.items() if state.seats[s].kind is None)
        return Seating(table, Seat.S0, token, free)

    async def _counted(self, table: str, deal: int) -> CountedDeal:
        state = await self._shelf.load(table)
        for done in state.counted:
            if done.match.deal_no == deal:
                return done
        if deal == state.match.deal_no and state.turn is not None:
            raise Refusal(Code.HAND_IN_PROGRESS)
        raise Refusal(Code.NO_SUCH_HAND)


def _check(state: Table, holder: Holder | None) -> None:
    """Refuse a holder whose token is no longer the seat's."""
    if holder is not None and state.seats[holder.seat].token != holder.token:
        raise Refusal(Code.BAD_TOKEN)
