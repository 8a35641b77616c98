"""One websocket of one seat: hello, actions in, and an outbox with its own writer.

A channel knows no rules. It parses, hands commands to the service, and lets a feed
tell what its table finds new. The reader answers messages; what the table finds new is
told at once where nothing is before it, else by the pump; both go through the outbox.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, assert_never

from terziglio.errors import IllegalAction
from terziglio.seats import Seat
from terziglio_api.commands import (
    Code,
    Command,
    Holder,
    Refusal,
)
from terziglio_api.feed import Feed
from terziglio_api.hall import Hall
from terziglio_api.limits import Limiter, Rate, limited
from terziglio_api.logs import logger
from terziglio_api.outbox import Outbox, Slow
from terziglio_api.ports import StorageUnavailable
from terziglio_api.sockets import CLOSE, Gone, Socket, bye_of
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
from terziglio_api.wire.talk import Unreadable, command_of, dump, error_of, read_message
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
        self._changed = asyncio.Event()
        self._late = False
        """Whether the table has changed while something was being told."""
        self._outbox = Outbox(socket, settings.outbox, settings.send_s)
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
            self._outbox.post(told)
        except Slow:
            self.end("slow")

    async def run(self, token: str | None) -> None:
        """Serve the socket; ``token`` is that of the handshake's header, if any."""
        tasks: list[asyncio.Task[None]] = []
        try:
            after = await self._greet(token)
            feed = Feed(
                self._service,
                self._hall.metrics,
                self._table,
                self._holder,
                self._settings.heartbeat_s,
                self._outbox.put,
            )
            with (
                self._hall.roster.enter(self._table, self._holder.seat, self),
                feed.follow(lambda: self._wake(feed)),
            ):
                tasks = [
                    asyncio.create_task(part)
                    for part in (
                        self._outbox.write(),
                        self._pump(feed, after),
                        self._read(feed),
                        self._until_ended(),
                    )
                ]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:  # not the set: with several the first one counts
                    if task.done():
                        task.result()
        except Gone:
            pass
        except _Closing as closing:
            await self._close(closing.reason)
        except Slow:
            await self._close("slow")
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
            message = await self._receive()
            over = self._messages.take(self)
            if over:
                await tell(self._limited(over, message))
            elif isinstance(message, Hello):
                return message
            elif isinstance(message, Unreadable):
                await tell(self._malformed(message))
            else:
                refusal = Refusal(Code.BAD_TOKEN)
                await tell(self._error(refusal, None, "say hello first"))

    async def _read(self, feed: Feed) -> None:
        # What comes with the hello is answered after the welcome.
        await self._welcomed.wait()
        while True:
            message = await self._receive()
            over = await self._too_early(message)
            if over:
                await self._outbox.put(self._limited(over, message))
            else:
                self._over = 0
                async with self._answering:
                    await self._answer(feed, message)
                self._catch_up(feed)

    async def _receive(self) -> ClientMessage | Unreadable:
        raw = await self._socket.receive()
        settings = self._settings
        try:
            return read_message(raw, settings.message_bytes, settings.signal_bytes)
        except Unreadable as unreadable:
            return unreadable

    async def _too_early(self, message: ClientMessage | Unreadable) -> float:
        """Count a message; return 0, or the seconds by which it is too early.

        What this seat is asked for is not counted with the rest.
        """
        seat = self._holder.seat
        command = command_of(message, seat)
        if command is not None:
            asked = await self._service.awaited(self._table, command)
            if asked is not None:
                return self._hall.limits.answers.take((self._table, seat, asked))
        return self._messages.take(self)

    def _limited(
        self, over: float, message: ClientMessage | Unreadable
    ) -> ErrorMessage:
        """Refuse a message too many; who does not let up is closed."""
        self._over += 1
        if self._over > self._settings.socket_burst:
            raise _Closing("flood")
        return self._error(limited(over), getattr(message, "id", None))

    def _malformed(self, message: Unreadable) -> ErrorMessage:
        return self._error(Refusal(Code.MALFORMED), message.id, message.detail)

    async def _answer(self, feed: Feed, message: ClientMessage | Unreadable) -> None:
        command = command_of(message, self._holder.seat)
        match message:
            case Unreadable():
                await self._outbox.put(self._malformed(message))
            case ActionMessage() | NextHandMessage() | RematchMessage():
                assert command is not None  # noqa: S101 - each of them is one
                await self._command(feed, command, message.id)
            case Hello(token=token, after=after):
                if await self._service.holder(self._table, token) != self._holder:
                    raise _Closing("bad_token")
                await feed.welcome(after)
            case Resync():
                await feed.resync()
            case Signal(to=to, data=data):
                await self._signal(Seat(to), data)
            case Ping(n=n):
                await self._outbox.put(Pong(type="pong", n=n))
            case _:
                assert_never(message)

    async def _command(self, feed: Feed, command: Command, name: str | None) -> None:
        """Carry out a command; its answer goes out before the event it causes."""
        try:
            done = await self._service.do(self._table, command, self._holder)
        except (Refusal, IllegalAction) as refusal:
            await self._outbox.put(await self._refused(refusal, name))
        except StorageUnavailable:
            await self._outbox.put(self._error(Refusal(Code.STORAGE_UNAVAILABLE), name))
        else:
            twice = True if done.duplicate else None
            ack = Ack(type="ack", id=name, seq=done.seq, duplicate=twice)
            newest = feed.newest() if self._late else None
            if newest is None:
                await self._outbox.put(ack)
            else:
                self._late = False
                await self._outbox.put(ack, newest)

    async def _signal(self, to: Seat, data: Mapping[str, Any]) -> None:
        seat = self._holder.seat
        if not (await self._service.view(self._table, seat, self._holder)).voice:
            await self._outbox.put(self._error(Refusal(Code.VOICE_OFF), None))
        elif to is seat:
            told = "to: a signal is for another seat"
            await self._outbox.put(self._error(Refusal(Code.MALFORMED), None, told))
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

    def _wake(self, feed: Feed) -> None:
        """Tell the table's newest change at once if nothing is before it."""
        if self._answering.locked():
            self._late = True  # the answer comes before the event that it causes
            return
        if self._welcomed.is_set() and not self._outbox.full:
            newest = feed.newest()
            if newest is not None:
                self._outbox.post(newest)
                return
        self._changed.set()

    async def _pump(self, feed: Feed, after: int | None) -> None:
        """Welcome the client, then tell each change that could not be told at once."""
        async with self._answering:
            await feed.welcome(after)
        self._welcomed.set()
        self._catch_up(feed)
        while True:
            # Now and then without being told to: a poke may have been lost.
            with suppress(TimeoutError):
                async with asyncio.timeout(self._settings.heartbeat_s):
                    await self._changed.wait()
            self._changed.clear()
            async with self._answering:
                await feed.news()
            self._catch_up(feed)

    def _catch_up(self, feed: Feed) -> None:
        """Tell what changed while something else was being told."""
        if self._late:
            self._late = False
            self._wake(feed)

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
