"""What a channel needs of a websocket, and how many of them a seat may have."""

import asyncio
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, Protocol

from terziglio.seats import Seat

__all__ = ["CLOSE", "Gone", "Roster", "Socket"]

CLOSE: Final = {
    "bad_token": 4401,
    "origin": 4403,
    "no_hello": 4408,
    "replaced": 4409,
    "version": 4426,
    "slow": 4508,
    "restart": 1012,
}
"""Close codes that the service chooses, by reason."""


class Socket(Protocol):
    """What a channel needs of a websocket; one that is gone raises ``Gone``."""

    async def receive(self) -> str | bytes:
        """Return the next message."""
        ...

    async def send(self, text: str) -> None:
        """Send a message."""
        ...

    async def close(self, code: int) -> None:
        """Close, with a code."""
        ...


class Gone(Exception):
    """The socket is closed."""


class _Endable(Protocol):
    def end(self, reason: str) -> None: ...


class Roster:
    """The open channels of every seat; the oldest one too many is closed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = asyncio.Event()
        self._open: defaultdict[tuple[str, Seat], list[_Endable]] = defaultdict(list)

    def end_all(self, reason: str) -> None:
        """Close every socket with the code of a reason."""
        for channels in tuple(self._open.values()):
            for channel in tuple(channels):
                channel.end(reason)

    async def emptied(self) -> None:
        """Return once no socket is open."""
        while self._open:
            self._left.clear()
            await self._left.wait()

    @contextmanager
    def enter(
        self, table: str, seat: Seat, channel: _Endable
    ) -> Generator[None, None, None]:
        """Count a channel as open while the context is."""
        channels = self._open[table, seat]
        channels.append(channel)
        if len(channels) > self._most:
            channels.pop(0).end("replaced")
        try:
            yield
        finally:
            if channel in channels:
                channels.remove(channel)
            if not channels:
                self._open.pop((table, seat), None)
                self._left.set()
