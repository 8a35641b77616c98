"""One websocket of one seat: hello, actions in, and an outbox with its own writer.

A channel knows no rules. It parses, hands commands to the service, and lets a feed
tell what its table finds new. Three tasks share it: the reader, the pump that follows
the table, and the writer that alone touches the socket; the outbox between them is
bounded, and a socket that does not read is dropped.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final, assert_never

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
from terziglio_api.feed import Feed
from terziglio_api.hall import Hall
from terziglio_api.limits import Limiter, Rate, limited
from terziglio_api.logs import logger
from terziglio_api.ports import StorageUnavailable
from terziglio_api.sockets import CLOSE, Gone, Socket, bye_of
from terziglio_api.wire.actions import parse
from terziglio_api.wire.base import Outgoing
from terziglio_api.wire.messages import (
    Ack,
    ActionMessage,
    ClientMessage,
    ErrorMessage,
    Hello,
    NextHandMessage,
    Ping,
    Pong,
    RematchMessage,
    Resync,
    Signal,
    SignalFrom,
)
from terziglio_api.wire.problems import top_level
from terziglio_api.wire.talk import Unreadable, dump, error_of, read_message
from terziglio_api.wire.view import view_of

__all__ = ["Channel"]

_log = logger(__name__)
_LAST_WORDS_S: Final = 1.0
"""How long a close may take of a socket that does not read."""


class _Closing(Exception):
    """The channel ends, with a close code of ``CLOSE``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Channel:
    """Serves one accepted websocket until it ends."""

    def __init__(self, socket: Socket, hall: Hall, table: str) -> None:
        settings = hall.settings
        self._socket = socket
        self._hall = hall
        self._service = hall.service
        self._settings = settings
        self._table = table
        self._holder = Holder(Seat.S0, "")
        self._welcomed = asyncio.Event()
        self._outbox: asyncio.Queue[str] = asyncio.Queue(settings.outbox)
        self._answering = asyncio.Lock()
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._messages = Limiter(Rate(settings.socket_rate, settings.socket_burst))
        self._over = 0
        """Messages refused in a row because they were too many."""

    def end(self, reason: str) -> None:
        """Close the socket with the code of this reason."""
        if not self._ended.done():
            self._ended.set_result(reason)

    def relay(self, sender: Seat, data: Mapping[str, Any]) -> None:
        """Pass on what another seat says to set up voice."""
        if not self._welcomed.is_set():
            return
        try:
            told = SignalFrom.model_validate(
                {"type": "signal", "from": sender, "data": data}
            )
            self._outbox.put_nowait(dump(told))
        except asyncio.QueueFull:
            self.end("slow")

    async def run(self, token: str | None) -> None:
        """Serve the socket; ``token`` is that of the handshake's header, if any."""
        tasks: list[asyncio.Task[None]] = []
        try:
            after, changed = await self._greet(token), asyncio.Event()
            feed = Feed(
                self._service,
                self._hall.metrics,
                self._table,
                self._holder,
                self._settings.heartbeat_s,
                self._put,
            )
            with (
                self._hall.roster.enter(self._table, self._holder.seat, self),
                feed.follow(changed),
            ):
                tasks = [
                    asyncio.create_task(part)
                    for part in (
                        self._write(),
                        self._pump(feed, after, changed),
                        self._read(feed),
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
        except Refusal:
            # The seat's token is void by now, or the table is gone.
            await self._close("bad_token")
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
        self._holder = await self._service.holder(self._table, token)
        return after

    async def _first(self) -> Hello:
        async def tell(message: Outgoing) -> None:
            await self._socket.send(dump(message))

        while True:
            message, over = await self._receive(tell)
            if over:
                await self._limit(tell, over, None)
            elif isinstance(message, Hello):
                return message
            elif message is not None:
                await tell(error_of(Refusal(Code.BAD_TOKEN), None, "say hello first"))

    async def _read(self, feed: Feed) -> None:
        # What comes with the hello is answered after the welcome.
        await self._welcomed.wait()
        while True:
            message, over = await self._receive(self._put)
            if over and not await self._excused(message):
                await self._limit(self._put, over, getattr(message, "id", None))
            elif message is not None:
                async with self._answering:
                    await self._answer(feed, message)

    async def _receive(
        self, answer: Callable[[Outgoing], Awaitable[None]]
    ) -> tuple[ClientMessage | None, float]:
        """Return the next message, and the seconds by which it is too early.

        One that cannot be read is answered here, and is ``None``.
        """
        raw = await self._socket.receive()
        over = self._messages.take(self)
        settings = self._settings
        try:
            return read_message(
                raw, settings.message_bytes, settings.signal_bytes
            ), over
        except Unreadable as unreadable:
            if not over:
                refusal, told = Refusal(Code.MALFORMED), unreadable.detail
                await answer(self._error(refusal, unreadable.name, told))
            return None, over

    async def _excused(self, message: ClientMessage | None) -> bool:
        """Whether a message too many answers the decision that this seat is asked."""
        if not isinstance(message, ActionMessage):
            return False
        seat, decision = self._holder.seat, message.decision
        if not await self._service.awaits(self._table, seat, decision):
            return False
        return not self._hall.limits.answers.take((self._table, seat, decision))

    async def _limit(
        self,
        answer: Callable[[Outgoing], Awaitable[None]],
        over: float,
        name: str | None,
    ) -> None:
        """Refuse a message too many; who does not let up is closed."""
        self._over += 1
        if self._over > self._settings.socket_burst:
            raise _Closing("flood")
        await answer(self._error(limited(over), name))

    async def _answer(self, feed: Feed, message: ClientMessage) -> None:
        self._over = 0
        match message:
            case ActionMessage(id=name, decision=decision, action=action):
                act = Act(self._holder.seat, parse(action), decision, name)
                await self._command(act, name)
            case NextHandMessage(deal=deal, id=name):
                await self._command(AskNextHand(self._holder.seat, deal), name)
            case RematchMessage(id=name):
                await self._command(AskRematch(self._holder.seat), name)
            case Hello(token=token, after=after):
                if await self._service.holder(self._table, token) != self._holder:
                    raise _Closing("bad_token")
                await feed.welcome(after)
            case Resync():
                await feed.resync()
            case Signal(to=to, data=data):
                await self._signal(Seat(to), data)
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
            await self._put(self._error(Refusal(Code.STORAGE_UNAVAILABLE), name))
        else:
            twice = True if done.duplicate else None
            await self._put(Ack(type="ack", id=name, seq=done.seq, duplicate=twice))

    async def _signal(self, to: Seat, data: Mapping[str, Any]) -> None:
        seat = self._holder.seat
        if not (await self._service.view(self._table, seat, self._holder)).voice:
            await self._put(self._error(Refusal(Code.VOICE_OFF), None))
        elif to is seat:
            told = "to: a signal is for another seat"
            await self._put(self._error(Refusal(Code.MALFORMED), None, told))
        else:
            self._hall.roster.relay(self._table, seat, to, data)

    async def _refused(
        self, refusal: Refusal | IllegalAction, name: str | None
    ) -> ErrorMessage:
        seat = self._holder.seat
        seen = await self._service.view(self._table, seat, self._holder)
        error = self._error(refusal, name)
        return error.model_copy(update={"view": view_of(seen)})

    def _error(
        self,
        refusal: Refusal | IllegalAction,
        name: str | None,
        told: str | None = None,
    ) -> ErrorMessage:
        self._hall.metrics.refusals.labels(top_level(refusal)[0]).inc()
        return error_of(refusal, name, told)

    async def _pump(
        self, feed: Feed, after: int | None, changed: asyncio.Event
    ) -> None:
        """Welcome the client, then tell each change of the table."""
        async with self._answering:
            await feed.welcome(after)
        self._welcomed.set()
        while True:
            await changed.wait()
            changed.clear()
            async with self._answering:
                await feed.news()

    async def _put(self, message: Outgoing) -> None:
        """Queue a message; a socket that lets the outbox stay full is too slow."""
        text = dump(message)
        try:
            self._outbox.put_nowait(text)
        except asyncio.QueueFull:
            await self._in_time(self._outbox.put(text))

    async def _write(self) -> None:
        while True:
            await self._in_time(self._socket.send(await self._outbox.get()))

    async def _in_time(self, sending: Awaitable[None]) -> None:
        try:
            async with asyncio.timeout(self._settings.send_s):
                await sending
        except TimeoutError:
            raise _Closing("slow") from None

    async def _until_ended(self) -> None:
        raise _Closing(await self._ended)

    async def _close(self, reason: str) -> None:
        """Say bye and close; a socket that does not take even that is aborted."""
        slow = reason == "slow"
        if slow:
            self._hall.metrics.overflows.inc()
            _log.info("too slow", table=self._table, seat=self._holder.seat)
        try:
            async with asyncio.timeout(
                _LAST_WORDS_S if slow else self._settings.send_s
            ):
                await self._socket.send(dump(bye_of(reason)))
                await self._socket.close(CLOSE[reason])
        except Gone:
            pass
        except TimeoutError:
            self._socket.abort()
