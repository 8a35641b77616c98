"""One websocket of one seat: hello, actions in, and an outbox with its own writer.

A channel knows no rules. It parses, hands commands to the service, and tells what
its follower of the table finds new. Three tasks share it: the reader, the pump that
follows the table, and the writer that alone touches the socket; the outbox between
them is bounded, and a socket that does not read is dropped.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, assert_never

from pydantic import TypeAdapter, ValidationError

from terziglio.errors import IllegalAction
from terziglio.seats import Seat
from terziglio_api.commands import (
    Act,
    AskNextHand,
    AskRematch,
    Code,
    Command,
    Refusal,
)
from terziglio_api.ports import StorageUnavailable
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from terziglio_api.sockets import CLOSE, Gone, Roster, Socket
from terziglio_api.wire import strict
from terziglio_api.wire.actions import parse
from terziglio_api.wire.base import Outgoing
from terziglio_api.wire.events import SnapshotEvent, event_of
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
    RematchMessage,
    Resync,
    Welcome,
)
from terziglio_api.wire.problems import sentence, top_level, why_of
from terziglio_api.wire.view import view_of

__all__ = ["Channel"]

_log = logging.getLogger(__name__)
_messages: Final[TypeAdapter[Any]] = TypeAdapter(ClientMessage)


class _Closing(Exception):  # noqa: N818 - it says what happens
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
        self._seat = Seat.S0
        self._sent = 0
        """The last ``seq`` whose event has gone into the outbox."""
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
            hello = await self._greet(token)
            with (
                self._roster.enter(self._table, self._seat, self),
                self._service.presence.attend(self._table, self._seat),
                self._service.follow(self._table) as changed,
            ):
                tasks = [
                    asyncio.create_task(self._write()),
                    asyncio.create_task(self._read()),
                    asyncio.create_task(self._pump(hello.after, changed)),
                ]
                tasks.append(asyncio.create_task(self._until_ended()))
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

    async def _greet(self, token: str | None) -> Hello:
        """Find out whose socket this is, by the header or the first message."""
        if token is not None:
            hello = Hello(type="hello", token=token)
        else:
            try:
                async with asyncio.timeout(self._settings.hello_s):
                    hello = await self._first()
            except TimeoutError:
                raise _Closing("no_hello") from None
        try:
            self._seat = await self._service.seat_of(self._table, hello.token)
        except Refusal:
            raise _Closing("bad_token") from None
        return hello

    async def _first(self) -> Hello:
        while True:
            message = await self._receive(self._socket.send)
            if isinstance(message, Hello):
                return message
            if message is not None:
                refusal = Refusal(Code.BAD_TOKEN)
                await self._socket.send(_dump(_error(refusal, None, "say hello first")))

    async def _read(self) -> None:
        while True:
            message = await self._receive(self._outbox.put)
            if message is None:
                continue
            async with self._answering:
                await self._answer(message)

    async def _receive(self, answer: Any) -> ClientMessage | None:
        """Return the next message; answer one that cannot be read, and go on."""
        raw = await self._socket.receive()
        name: str | None = None
        try:
            value = strict.loads(_bounded(raw, self._settings.message_bytes))
            name = _name_of(value)
            message: ClientMessage = _messages.validate_python(value)
        except (strict.Malformed, ValidationError) as error:
            detail = _told(error)
            await answer(_dump(_error(Refusal(Code.MALFORMED), name, detail)))
            return None
        return message

    async def _answer(self, message: ClientMessage) -> None:
        match message:
            case ActionMessage(id=name, decision=decision, action=action):
                act = Act(self._seat, parse(action), decision, name)
                await self._command(act, name)
            case NextHandMessage(deal=deal, id=name):
                await self._command(AskNextHand(self._seat, deal), name)
            case RematchMessage(id=name):
                await self._command(AskRematch(self._seat), name)
            case Hello() | Resync():
                await self._snapshot()
            case Ping(n=n):
                await self._put(Pong(type="pong", n=n))
            case _:
                assert_never(message)

    async def _command(self, command: Command, name: str | None) -> None:
        """Carry out a command; its answer goes out before the event it causes."""
        try:
            done = await self._service.do(self._table, command)
        except (Refusal, IllegalAction) as refusal:
            await self._put(await self._refused(refusal, name))
        except StorageUnavailable:
            await self._put(_error(Refusal(Code.STORAGE_UNAVAILABLE), name))
        else:
            twice = True if done.duplicate else None
            await self._put(Ack(type="ack", id=name, seq=done.seq, duplicate=twice))

    async def _refused(
        self, refusal: Refusal | IllegalAction, name: str | None
    ) -> ErrorMessage:
        view = view_of(await self._service.view(self._table, self._seat))
        return _error(refusal, name).model_copy(update={"view": view})

    async def _pump(self, after: int | None, changed: asyncio.Event) -> None:
        """Tell what was missed, then a snapshot, then each change."""
        async with self._answering:
            seen = await self._service.view(self._table, self._seat)
            await self._put(
                Welcome(
                    type="welcome",
                    protocol=PROTOCOL,
                    table=self._table,
                    seat=self._seat,
                    seq=seen.seq,
                    heartbeat_s=self._settings.heartbeat_s,
                    server_time=datetime.now(UTC).isoformat(timespec="milliseconds"),
                )
            )
            await self._catch_up(seen.seq if after is None else after)
            await self._snapshot()
        while True:
            await changed.wait()
            changed.clear()
            async with self._answering:
                if not await self._catch_up(self._sent):
                    await self._snapshot()

    async def _catch_up(self, after: int) -> bool:
        """Tell every change after a ``seq``; return whether that could be done."""
        updates = await self._service.updates(self._table, self._seat, after)
        if updates is None:
            return False
        for update in updates:
            await self._put(
                EventMessage(
                    type="event",
                    seq=update.seq,
                    event=event_of(update.notice, update.by),
                    view=view_of(update.view),
                )
            )
            self._sent = update.seq
        return True

    async def _snapshot(self) -> None:
        seen = await self._service.view(self._table, self._seat)
        snapshot = SnapshotEvent(kind="snapshot")
        await self._put(
            EventMessage(type="event", seq=seen.seq, event=snapshot, view=view_of(seen))
        )
        self._sent = seen.seq

    async def _put(self, message: Outgoing) -> None:
        """Queue a message; a socket that lets the outbox stay full is too slow."""
        try:
            async with asyncio.timeout(self._settings.send_s):
                await self._outbox.put(_dump(message))
        except TimeoutError:
            raise _Closing("slow") from None

    async def _until_ended(self) -> None:
        raise _Closing(await self._ended)

    async def _write(self) -> None:
        while True:
            await self._socket.send(await self._outbox.get())

    async def _close(self, reason: str) -> None:
        try:
            async with asyncio.timeout(self._settings.send_s):
                await self._socket.send(_dump(Bye(type="bye", code=reason)))
                await self._socket.close(CLOSE[reason])
        except (Gone, TimeoutError):
            _log.info("a socket of table %s was gone before its bye", self._table)


def _bounded(raw: str | bytes, most: int) -> str:
    """Return a text message that is not too long."""
    if isinstance(raw, bytes):
        raise strict.Malformed("a binary frame")
    if len(raw.encode(errors="replace")) > most:
        raise strict.Malformed(f"the message has more than {most} bytes")
    return raw


def _dump(message: Outgoing) -> str:
    return message.model_dump_json(by_alias=True)


def _error(
    refusal: Refusal | IllegalAction, name: str | None, detail: str | None = None
) -> ErrorMessage:
    code, params = top_level(refusal)
    return ErrorMessage(
        type="error",
        id=name,
        code=code,
        params=params,
        why=why_of(refusal),
        detail=sentence(refusal) if detail is None else detail,
    )


def _name_of(value: object) -> str | None:
    """The id of a message that may otherwise be malformed, to answer it by."""
    match value:
        case {"id": str(name)} if 0 < len(name) <= 64:
            return name
        case _:
            return None


def _told(error: strict.Malformed | ValidationError) -> str:
    """Say what is wrong without repeating what was sent."""
    if isinstance(error, strict.Malformed):
        return str(error)
    first = error.errors(include_url=False, include_context=False, include_input=False)
    where = "/".join(str(part) for part in first[0]["loc"])
    return f"{where}: {first[0]['msg']}" if where else str(first[0]["msg"])
