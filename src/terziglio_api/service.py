"""The table service: open, claim, act, next hand, view, follow.

One path for every change: load the table, let the pure ``decide`` answer, append its
events to the log, then poke the fan-out. Where somebody else took the number first,
load and decide again. What has begun is finished even if the caller goes away.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Final

from terziglio.seats import Seat
from terziglio_api.commands import (
    Act,
    By,
    Chance,
    Claim,
    Close,
    Code,
    Command,
    Done,
    Due,
    Holder,
    Opening,
    Refusal,
    Reissue,
    Renew,
    Seating,
)
from terziglio_api.decisions import awaited, decide, open_table
from terziglio_api.eager import Finisher
from terziglio_api.hands import Hands
from terziglio_api.journal import Acted, Event, kind_of
from terziglio_api.logs import logger
from terziglio_api.metrics import Metrics
from terziglio_api.newest import Change, Newest
from terziglio_api.ports import EventLog, Fanout, SeqConflict, StorageUnavailable
from terziglio_api.presence import Presence
from terziglio_api.seen import Story, Summary, TableView
from terziglio_api.shelf import Shelf
from terziglio_api.showing import summary, table_view, update
from terziglio_api.table import Table
from terziglio_api.timing import due
from terziglio_api.tokens import INVITE, SEAT, digest, matches, new_secret, new_table_id

__all__ = ["RESUME", "TableService"]

_log = logger(__name__)
RESUME: Final = 256
"""Changes told one by one to who comes back; past that only the newest view."""
_TRIES: Final = 50


class TableService:
    """Tables by id, over a log and a fan-out.

    Args:
        log: where events are kept.
        fanout: who is told of changes.
        clock: the time in milliseconds since 1970, UTC.
        entropy: returns that many random bytes.
        thrown_in_ms: pause after a thrown-in deal at a table with a pace.
        metrics: what counts and times its work.
        timer: seconds that only go up, to time with.
    """

    def __init__(
        self,
        log: EventLog[Event],
        fanout: Fanout,
        *,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        thrown_in_ms: int = 3000,
        metrics: Metrics | None = None,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.presence = Presence(clock)
        self.now = clock
        self._shelf = Shelf(log)
        self.hands = Hands(self._shelf, self.presence, self.open)
        self._metrics = Metrics() if metrics is None else metrics
        self._metrics.watch_tables(self._shelf.phases)
        self._timer = timer
        self._fanout = fanout
        self._entropy = entropy
        self._up_since = clock()
        self._due = partial(due, up_since=self._up_since, thrown_in_ms=thrown_in_ms)
        self._changes = Finisher()
        self._newest = Newest(self._up_since)

    async def open(self, opening: Opening) -> Seating:
        """Open a table and seat its host; a repeated request gets fresh secrets.

        Raises:
            StorageUnavailable: nothing was stored.
        """
        return await self._changes.finish(self._open(opening))

    async def repeats(self, opening: Opening) -> bool:
        """Return whether this request has opened its table before."""
        if opening.origin is None:
            return False
        try:
            await self._shelf.load(new_table_id(opening.origin))
        except Refusal:
            return False
        return True

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
        start = self._timer()
        try:
            done = await self._changes.finish(self._decide(table, command, holder))
        finally:
            self._metrics.action_seconds.observe(self._timer() - start)
        self._metrics.acks[done.duplicate].inc()
        return done

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
        state = await self._held(table, holder)
        present = self.presence.seats(table)
        return table_view(state, seat, present, self._up_since)

    async def summary(self, table: str) -> Summary:
        """Return what anybody may know of the table.

        Raises:
            Refusal: ``no_such_table``.
        """
        return summary(await self._shelf.load(table), self.presence.seats(table))

    async def story(self, table: str, holder: Holder, after: int | None) -> Story:
        """Return what the holder of a seat has missed after a ``seq``.

        The updates are ``None`` if they are more than ``RESUME``, or ``after`` is not
        yet reached, or ``None``.

        Raises:
            Refusal: ``bad_token``: the token is void by now, or the table gone.
        """
        head = await self._held(table, holder)
        updates, present = None, self.presence.seats(table)
        if after is not None and 0 <= head.seq - after <= RESUME:
            states = await self._shelf.since(head, after)
            updates = tuple(
                update(state, holder.seat, present, self._up_since) for state in states
            )
        if updates:
            return Story(updates, updates[-1].view)
        return Story(updates, table_view(head, holder.seat, present, self._up_since))

    async def awaited(self, table: str, command: Command) -> str | None:
        """Return the name of what a seat is asked for, if the command answers that."""
        return awaited(await self._shelf.load(table), command)

    def newest(self, table: str, holder: Holder, after: int) -> Change | None:
        """Return a table's newest change, if that alone is new to a seat's holder."""
        head = self._shelf.ready(table)
        if head is None or head.seq != after + 1:
            return None
        return self._newest.of(head, holder, self.presence.seats(table))

    async def check(self) -> None:
        """Return if the log can be read, or raise ``StorageUnavailable``."""
        await self._shelf.check()

    async def tables(self) -> list[str]:
        """Return the ids of all tables."""
        return await self._shelf.tables()

    async def idle(self, before: int) -> list[str]:
        """Return the ids of tables whose last change is older than a time."""
        return await self._shelf.idle(before)

    async def forget(self, table: str) -> None:
        """Close a table and delete all that is known of it.

        Raises:
            StorageUnavailable: it is closed at most.
        """
        await self._changes.finish(self._forget(table))

    async def due(self, table: str) -> Due | None:
        """Return what the service itself has to do next at a table, if anything."""
        return self._due(await self._shelf.load(table))

    def rests(self, table: str) -> bool:
        """Whether it is known, without a look at the log, that nothing is due."""
        head = self._shelf.ready(table)
        return head is not None and self._due(head) is None

    @contextmanager
    def follow(self, table: str) -> Generator[asyncio.Event, None, None]:
        """Give an event that is set whenever the table may have changed."""
        changed = asyncio.Event()
        with self.listen(table, changed.set):
            yield changed

    def listen(
        self, table: str, wake: Callable[[], None]
    ) -> AbstractContextManager[None]:
        """Call whenever the table may have changed."""
        return self._fanout.listen(lambda _table, _seq: wake(), table)

    async def close(self) -> None:
        """Finish the changes that are under way."""
        await self._changes.close()

    async def _held(self, table: str, holder: Holder | None) -> Table:
        """Load a table, for the holder of a seat if his token is still the seat's."""
        try:
            state = await self._shelf.load(table)
        except Refusal:
            if holder is None:
                raise
            raise Refusal(Code.BAD_TOKEN) from None
        if holder is not None and state.seats[holder.seat].token != holder.token:
            raise Refusal(Code.BAD_TOKEN)
        return state

    def _stored(
        self, table: str, seq: int, events: Sequence[Event], seconds: float
    ) -> None:
        """Note what has been stored after a ``seq``: when, and of what kind."""
        self._metrics.commit_seconds.observe(seconds)
        for number, event in enumerate(events, start=seq + 1):
            # What is done in a hand is most of it, and told only to who asks for it.
            level = logging.DEBUG if isinstance(event, Acted) else logging.INFO
            if _log.isEnabledFor(level):
                _log.log(level, "stored", table=table, seq=number, kind=kind_of(event))

    def _chance(self, command: Command | None = None) -> Chance:
        key = b"" if isinstance(command, Act) else self._entropy(32)  # it draws none
        return Chance(key, self.now())

    async def _decide(
        self, table: str, command: Command, holder: Holder | None = None
    ) -> Done:
        for _ in range(_TRIES):
            state = await self._held(table, holder)
            events = decide(state, command, self._chance(command))
            if not events:
                act = command if isinstance(command, Act) else None
                given = act and state.given(act.seat, act.id)
                return Done(given or state.seq, duplicate=True)
            start = self._timer()
            try:
                after = await self._shelf.append(state, events)
            except SeqConflict:
                continue
            self._stored(table, state.seq, events, self._timer() - start)
            self._fanout.poke(table, after.seq)
            return Done(state.seq + 1)
        raise StorageUnavailable(f"{_TRIES} conflicts in a row")

    async def _open(self, opening: Opening) -> Seating:
        table, token = new_table_id(opening.origin), new_secret(SEAT)
        invites = {seat: new_secret(INVITE) for seat in (Seat.S1, Seat.S2)}
        hashes = {seat: digest(invite) for seat, invite in invites.items()}
        events = open_table(table, opening, digest(token), hashes, self._chance())
        try:
            start = self._timer()
            state = await self._shelf.create(table, events)
            self._stored(table, 0, events, self._timer() - start)
            self._fanout.poke(table, state.seq)
        except SeqConflict:
            await self._decide(table, Renew(digest(token), hashes))
            state = await self._shelf.load(table)
        free = tuple((s, i) for s, i in invites.items() if state.seats[s].kind is None)
        return Seating(table, Seat.S0, token, free)

    async def _forget(self, table: str) -> None:
        await self._decide(table, Close())
        state = await self._shelf.load(table)
        with suppress(SeqConflict):  # somebody came back: it stays, closed
            await self._shelf.delete(state)
            self._newest.forget(table)
            # Who still follows it finds that there is no such table.
            self._fanout.poke(table, state.seq)
