"""A seat's server-sent events: the socket's messages, for who cannot hold a socket.

The stream is pulled: while the other end does not read, nothing is built for it, and
what it misses it is told as soon as it reads on.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from fastapi.sse import format_sse_event

from terziglio.seats import Seat
from terziglio_api.commands import Holder, Refusal
from terziglio_api.feed import Feed
from terziglio_api.hall import Hall
from terziglio_api.ports import StorageUnavailable
from terziglio_api.sockets import bye_of
from terziglio_api.wire.base import Outgoing
from terziglio_api.wire.messages import ByeCode, SignalFrom, Told
from terziglio_api.wire.talk import dump

__all__ = ["Stream"]

_RETRY_MS = 1000
"""How long a client waits before it comes back, unless it is told otherwise."""


class Stream:
    """One seat's stream of events."""

    def __init__(self, hall: Hall, table: str, holder: Holder) -> None:
        self._hall = hall
        self._table = table
        self._holder = holder
        self._told: list[Outgoing | Told] = []
        self._signals: list[Outgoing | Told] = []
        self._reason: ByeCode | None = None
        self._woken = asyncio.Event()

    def end(self, reason: ByeCode) -> None:
        """End the stream after a bye with this reason."""
        self._reason = reason
        self._woken.set()

    def relay(self, sender: Seat, data: Mapping[str, Any]) -> None:
        """Pass on what another seat says to set up voice, if there is room for it."""
        if len(self._signals) == self._hall.settings.outbox:
            return
        self._signals.append(
            SignalFrom.model_validate({"type": "signal", "from": sender, "data": data})
        )
        self._woken.set()

    async def run(self, after: int | None) -> AsyncGenerator[bytes, None]:
        """Yield the stream's text until it ends.

        Args:
            after: the last ``seq`` that the client has; ``None``: it has nothing.
        """
        hall = self._hall
        beat = hall.settings.heartbeat_s
        feed = Feed(
            hall.service, hall.metrics, self._table, self._holder, beat, self._put
        )
        try:
            with (
                hall.roster.count(self),
                hall.roster.enter(self._table, self._holder.seat, self),
                feed.follow(self._woken.set),
            ):
                await feed.welcome(after)
                yield format_sse_event(retry=_RETRY_MS)
                while self._reason is None:
                    for message in self._taken():
                        yield _text(message)
                    try:
                        async with asyncio.timeout(beat):
                            await self._woken.wait()
                    except TimeoutError:
                        yield format_sse_event(comment="beat")
                    self._woken.clear()
                    await feed.news()
            yield _text(bye_of(self._reason))
        except Refusal:
            # The seat's token is void by now, or the table is gone.
            yield _text(bye_of("bad_token"))
        except StorageUnavailable:
            return  # the client comes back by itself

    async def _put(self, message: Outgoing | Told) -> None:
        self._told.append(message)

    def _taken(self) -> list[Outgoing | Told]:
        taken = [*self._told, *self._signals]
        self._told.clear()
        self._signals.clear()
        return taken


def _text(message: Outgoing | Told) -> bytes:
    """Return a message as an event of the stream; what has a ``seq`` has an id."""
    seq = str(message.seq) if isinstance(message, Told) else None
    return format_sse_event(data_str=dump(message), id=seq)
