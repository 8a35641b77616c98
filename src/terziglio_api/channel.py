"""One websocket of one seat: hello, actions in, and an outbox with its own writer.

A channel knows no rules. It parses, hands commands to the service, and tells what
its follower of the table finds new. Three tasks share it: the reader, the pump that
follows the table, and the writer that alone touches the socket; the outbox between
them is bounded, and a socket that does not read is dropped.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import assert_never

from terziglio.errors import IllegalAction
from terziglio.seats import Seat
from terziglio_api.commands import (
    Act,
    AskNextHand,
    AskRematch,
    Code,
    Command,
    Holder,
    Refusal,
)
from terziglio_api.ports import StorageUnavailable
from terziglio_api.seen import TableView
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from terziglio_api.sockets import CLOSE, Gone, Roster, Socket
from terziglio_api.wire.actions import parse
from terziglio_api.wire.base import Outgoing
from terziglio_api.wire.events import EventModel, SnapshotEvent, event_of
from terziglio_api.wire.messages import (
    PROTOCOL,
    Ack,
    ActionMessage,
    Bye,
    ClientMessage,
    ErrorMessage,
    EventMessage,
    Hello,
    NextHandMessage,
    Ping,
    Pong,
    PresenceMessage,
    RematchMessage,
    Resync,
    Welcome,
)
from terziglio_api.wire.talk import Unreadable, error_of, read_message
from terziglio_api.wire.view import view_of

__all__ = ["Channel"]

_log = logging.getLogger(__name__)


class _Closing(Exception):
    """The channel ends, with a close code of ``CLOSE``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Channel:
    """Serves one accepted websocket until it ends."""

    def __init__(
        self,
        socket: Socket,
        service: TableService,
        settings: Settings,
        roster: Roster,
        table: str,
    ) -> None:
        self._socket = socket
        self._service = service
        self._settings = settings
        self._roster = roster
        self._table = table
        self._holder = Holder(Seat.S0, "")
        self._sent = 0
        """The last ``seq`` whose event has gone into the outbox."""
        self._welcomed = asyncio.Event()
        self._news: dict[Seat, PresenceMessage] = {}
        """Who has come or gone since it was last told; only the latest of each."""
        self._outbox: asyncio.Queue[str] = asyncio.Queue(settings.outbox)
        self._answering = asyncio.Lock()
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def end(self, reason: str) -> None:
        """Close the socket with the code of this reason."""
        if not self._ended.done():
            self._ended.set_result(reason)

    async def run(self, token: str | None) -> None:
        """Serve the socket; ``token`` is that of the handshake's header, if any."""
        tasks: list[asyncio.Task[None]] = []
        try:
            after = await self._greet(token)
            seat = self._holder.seat
            with (
                self._roster.enter(self._table, seat, self),
                self._service.presence.attend(self._table, seat),
                self._service.follow(self._table) as changed,
                self._service.presence.watch(self._table, self._watcher(changed)),
            ):
                tasks = [
                    asyncio.create_task(part)
                    for part in (
                        self._write(),
                        self._pump(after, changed),
                        self._read(),
                        self._until_ended(),
                    )
                ]
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        except Gone:
            pass
        except _Closing as closing:
            await self._close(closing.reason)
        except StorageUnavailable:
            with suppress(Gone):
                await self._socket.close(1011)
        finally:
            self._ended.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _greet(self, token: str | None) -> int | None:
        """Find out whose socket this is, by the header or the first message.

        Returns:
            The last ``seq`` that the client has, ``None`` if it has nothing.
        """
        after = None
        if token is None:
            try:
                async with asyncio.timeout(self._settings.hello_s):
                    hello = await self._first()
            except TimeoutError:
                raise _Closing("no_hello") from None
            token, after = hello.token, hello.after
        self._holder = await self._known(token)
        return after

    async def _known(self, token: str) -> Holder:
        try:
            return await self._service.holder(self._table, token)
        except Refusal:
            raise _Closing("bad_token") from None

    async def _first(self) -> Hello:
        async def tell(message: Outgoing) -> None:
            await self._socket.send(_dump(message))

        while True:
            message = await self._receive(tell)
            if isinstance(message, Hello):
                return message
            if message is not None:
                await tell(error_of(Refusal(Code.BAD_TOKEN), None, "say hello first"))

    async def _read(self) -> None:
        # What comes with the hello is answered after the welcome.
        await self._welcomed.wait()
        while True:
            message = await self._receive(self._put)
            if message is None:
                continue
            async with self._answering:
                await self._answer(message)

    async def _receive(
        self, answer: Callable[[Outgoing], Awaitable[None]]
    ) -> ClientMessage | None:
        """Return the next message; answer one that cannot be read, and go on."""
        raw = await self._socket.receive()
        try:
            return read_message(raw, self._settings.message_bytes)
        except Unreadable as unreadable:
            refusal, told = Refusal(Code.MALFORMED), unreadable.detail
            await answer(error_of(refusal, unreadable.name, told))
            return None

    async def _answer(self, message: ClientMessage) -> None:
        match message:
            case ActionMessage(id=name, decision=decision, action=action):
                act = Act(self._holder.seat, parse(action), decision, name)
                await self._command(act, name)
            case NextHandMessage(deal=deal, id=name):
                await self._command(AskNextHand(self._holder.seat, deal), name)
            case RematchMessage(id=name):
                await self._command(AskRematch(self._holder.seat), name)
            case Hello(token=token, after=after):
                if await self._known(token) != self._holder:
                    raise _Closing("bad_token")
                await self._welcome(after)
            case Resync():
                await self._tell(self._sent, snapshot=True)
            case Ping(n=n):
                await self._put(Pong(type="pong", n=n))
            case _:
                assert_never(message)

    async def _command(self, command: Command, name: str | None) -> None:
        """Carry out a command; its answer goes out before the event it causes."""
        try:
            done = await self._service.do(self._table, command, self._holder)
        except (Refusal, IllegalAction) as refusal:
            await self._put(await self._refused(refusal, name))
        except StorageUnavailable:
            await self._put(error_of(Refusal(Code.STORAGE_UNAVAILABLE), name))
        else:
            twice = True if done.duplicate else None
            await self._put(Ack(type="ack", id=name, seq=done.seq, duplicate=twice))

    async def _refused(
        self, refusal: Refusal | IllegalAction, name: str | None
    ) -> ErrorMessage:
        try:
            seat = self._holder.seat
            seen = await self._service.view(self._table, seat, self._holder)
        except Refusal:
            raise _Closing("bad_token") from None
        view = view_of(seen)
        return error_of(refusal, name).model_copy(update={"view": view})

    async def _pump(self, after: int | None, changed: asyncio.Event) -> None:
        """Welcome the client, then tell each change of the table."""
        async with self._answering:
            await self._welcome(after)
        self._welcomed.set()
        while True:
            await changed.wait()
            changed.clear()
            async with self._answering:
                await self._tell(self._sent)
                while self._news:
                    await self._put(self._news.pop(min(self._news)))

    async def _welcome(self, after: int | None) -> None:
        """Welcome the client; tell what it missed, then the table as it stands."""
        seen = await self._service.view(self._table, self._holder.seat)
        await self._put(
            Welcome(
                type="welcome",
                protocol=PROTOCOL,
                table=self._table,
                seat=self._holder.seat,
                seq=seen.seq,
                heartbeat_s=self._settings.heartbeat_s,
                server_time=_now(),
            )
        )
        await self._tell(seen.seq if after is None else after, snapshot=True)

    async def _tell(self, after: int, *, snapshot: bool = False) -> None:
        """Tell every change after a ``seq``; if they are too many, a snapshot."""
        try:
            story = await self._service.story(self._table, self._holder, after)
        except Refusal:
            raise _Closing("bad_token") from None
        for update in story.updates or ():
            event = event_of(update.notice, update.by)
            await self._put_event(event, update.view)
        if snapshot or story.updates is None:
            await self._put_event(SnapshotEvent(kind="snapshot"), story.view)
        self._sent = story.view.seq

    async def _put_event(self, event: EventModel, seen: TableView) -> None:
        view = view_of(seen)
        await self._put(
            EventMessage(type="event", seq=seen.seq, event=event, view=view)
        )

    async def _put(self, message: Outgoing) -> None:
        """Queue a message; a socket that lets the outbox stay full is too slow."""
        try:
            async with asyncio.timeout(self._settings.send_s):
                await self._outbox.put(_dump(message))
        except TimeoutError:
            raise _Closing("slow") from None

    def _watcher(self, changed: asyncio.Event) -> Callable[[Seat, bool], None]:
        """Return what notes the coming and going of the other seats."""

        def note(seat: Seat, present: bool) -> None:
            if seat is not self._holder.seat:
                self._news[seat] = PresenceMessage(
                    type="presence", seat=seat, present=present, since=_now()
                )
                changed.set()

        return note

    async def _until_ended(self) -> None:
        raise _Closing(await self._ended)

    async def _write(self) -> None:
        while True:
            await self._socket.send(await self._outbox.get())

    async def _close(self, reason: str) -> None:
        try:
            async with asyncio.timeout(self._settings.send_s):
                await self._socket.send(_dump(_bye(reason)))
                await self._socket.close(CLOSE[reason])
        except (Gone, TimeoutError):
            _log.info("a socket of table %s was gone before its bye", self._table)


def _bye(reason: str) -> Bye:
    retry_ms = None
    if reason == "restart":
        # Not all at once: they come back spread over some seconds.
        retry_ms = 500 + secrets.randbelow(2500)
    return Bye(type="bye", code=reason, retry_ms=retry_ms)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _dump(message: Outgoing) -> str:
    return message.model_dump_json(by_alias=True)
