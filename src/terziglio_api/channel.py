"""One websocket of one seat: hello, actions in, and an outbox with its own writer.

A channel knows no rules. It parses, hands commands to the service, and lets a feed
tell what its table finds new. The reader answers messages; what the table finds new is
told at once where nothing is before it, else by the pump; both go through the outbox.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, assert_never

from terziglio.errors import IllegalAction
from terziglio.seats import Seat
from terziglio_api.commands import Asked, Code, Holder, Refusal
from terziglio_api.feed import Feed
from terziglio_api.hall import Hall
from terziglio_api.logs import logger
from terziglio_api.outbox import Outbox, Slow
from terziglio_api.ports import StorageUnavailable
from terziglio_api.sockets import CLOSE, Gone, Socket, bye_of
from terziglio_api.turnstile import Flood, Turnstile
from terziglio_api.wire.base import Outgoing
from terziglio_api.wire.messages import (
    ActionMessage,
    ByeCode,
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
    ack_message,
)
from terziglio_api.wire.problems import top_level
from terziglio_api.wire.talk import Unreadable, asked_of, dump, error_of, read_message
from terziglio_api.wire.view import view_of

__all__ = ["Channel"]

_log = logger(__name__)
_LAST_WORDS_S: Final = 1.0
"""How long a close may take of a socket that does not read."""


class _Closing(Exception):
    """The channel ends, with a close code of ``CLOSE``."""

    def __init__(self, reason: ByeCode) -> None:
        super().__init__(reason)
        self.reason: ByeCode = reason


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
        self._ended: asyncio.Future[ByeCode] = (
            asyncio.get_running_loop().create_future()
        )
        self._turnstile = Turnstile(hall, table)
        self._patience: asyncio.Timeout | None = None
        """The wait for the hello."""

    def end(self, reason: ByeCode) -> None:
        """Close the socket with the code of this reason."""
        if not self._ended.done():
            self._ended.set_result(reason)
        if self._patience is not None:
            self._patience.reschedule(0)

    def relay(self, sender: Seat, data: Mapping[str, Any]) -> None:
        """Pass on what another seat says to set up voice, if there is room for it.

        However much that is, it does not make a client too slow for the game.
        """
        if not self._welcomed.is_set() or self._outbox.busy:
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
        with self._hall.roster.count(self):
            await self._serve(token)

    async def _serve(self, token: str | None) -> None:
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
                feed.follow(partial(self._wake, feed)),
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
        except Flood:
            await self._close("flood")
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
        if self._ended.done():
            raise _Closing(self._ended.result())
        after = None
        if token is None:
            try:
                async with asyncio.timeout(self._settings.hello_s) as self._patience:
                    hello = await self._first()
            except TimeoutError:
                early = self._ended.done()
                reason = self._ended.result() if early else "no_hello"
                raise _Closing(reason) from None
            finally:
                self._patience = None
            token, after = hello.token, hello.after
        self._holder = await self._service.holder(self._table, token)
        return after

    async def _first(self) -> Hello:
        async def tell(message: Outgoing) -> None:
            await self._socket.send(dump(message))

        while True:
            message = await self._receive()
            refusal = await self._turnstile.refuses(None)
            if refusal is not None:
                await tell(self._error(refusal, getattr(message, "id", None)))
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
            asked = asked_of(message, self._holder.seat)
            refusal = await self._turnstile.refuses(asked)
            if refusal is not None:
                await self._outbox.put(
                    self._error(refusal, getattr(message, "id", None))
                )
                continue
            async with self._answering:
                await self._answer(feed, message, asked)
            self._catch_up(feed)

    async def _receive(self) -> ClientMessage | Unreadable:
        raw = await self._socket.receive()
        settings = self._settings
        try:
            return read_message(raw, settings.message_bytes, settings.signal_bytes)
        except Unreadable as unreadable:
            return unreadable

    def _malformed(self, message: Unreadable) -> ErrorMessage:
        return self._error(Refusal(Code.MALFORMED), message.id, message.detail)

    async def _answer(
        self, feed: Feed, message: ClientMessage | Unreadable, asked: Asked | None
    ) -> None:
        match message:
            case ActionMessage() | NextHandMessage() | RematchMessage():
                assert asked is not None  # noqa: S101 - each of them asks for a change
                await self._do(feed, asked, message.id)
            case Unreadable():
                await self._outbox.put(self._malformed(message))
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

    async def _do(self, feed: Feed, asked: Asked, name: str | None) -> None:
        """Do what is asked; the answer goes out before the event that it causes."""
        try:
            done = await self._service.do(self._table, asked, self._holder)
        except (Refusal, IllegalAction) as refusal:
            await self._outbox.put(await self._refused(refusal, name))
        except StorageUnavailable:
            self._turnstile.give_back()
            await self._outbox.put(self._error(Refusal(Code.STORAGE_UNAVAILABLE), name))
        else:
            ack = ack_message(name, done.seq, duplicate=done.duplicate)
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
        try:
            if self._welcomed.is_set() and not self._outbox.full:
                newest = feed.newest()
                if newest is not None:
                    self._outbox.post(newest)
                    return
        except Exception as error:  # it ends this channel, not who made the change
            if not self._ended.done():
                self._ended.set_exception(error)
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

    async def _close(self, reason: ByeCode) -> None:
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
