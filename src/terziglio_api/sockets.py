"""What a channel needs of a websocket, and how many of them a seat may have."""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Coroutine, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Protocol

from terziglio.seats import Seat
from terziglio_api.metrics import Metrics
from terziglio_api.wire.messages import Bye, ByeCode

__all__ = ["CLOSE", "LINE", "Gone", "Member", "Roster", "Socket", "bye_of"]

LINE: Final = "terziglio.line"
"""The ASGI extension by which a server lets its connections be read past the framework
once accepted (``read``), be written to at once (``write``), be aborted (``abort``) and
be waited for until they are over (``over``)."""
CLOSE: Final[Mapping[ByeCode, int]] = {
    "bad_token": 4401,
    "origin": 4403,
    "no_hello": 4408,
    "replaced": 4409,
    "version": 4426,
    "flood": 4429,
    "slow": 4508,
    "restart": 1012,
}
"""Close codes that the service chooses, by reason."""


def bye_of(reason: ByeCode) -> Bye:
    """Return the last message before a close for this reason."""
    retry_ms = None
    if reason == "restart":
        # Not all at once: they come back spread over some seconds.
        retry_ms = 500 + secrets.randbelow(2500)
    return Bye(type="bye", code=reason, retry_ms=retry_ms)


class Socket(Protocol):
    """What a channel needs of a websocket; one that is gone raises ``Gone``."""

    def receive(self) -> Coroutine[Any, Any, str | bytes]:
        """Return the next message."""
        ...

    async def send(self, text: str) -> None:
        """Send a message."""
        ...

    def write(self, *texts: str) -> bool:
        """Send messages at once; return whether that could be done."""
        ...

    async def close(self, code: int) -> None:
        """Close, with a code, and wait for the other end to go."""
        ...

    def abort(self) -> None:
        """Let go of the connection at once, with whatever waits to be sent."""
        ...


class Gone(Exception):
    """The socket is closed."""


class Member(Protocol):
    """One end of a seat: a socket, or a stream of events."""

    def end(self, reason: ByeCode) -> None:
        """Close with the code of this reason."""
        ...

    def relay(self, sender: Seat, data: Mapping[str, Any]) -> None:
        """Pass on what another seat says to set up voice."""
        ...


class Roster:
    """The open ends of every seat; the oldest one too many is closed."""

    def __init__(self, most: int, metrics: Metrics) -> None:
        self._most = most
        self._metrics = metrics
        self._left = asyncio.Event()
        self._open: dict[Member, None] = {}
        self._seated: defaultdict[tuple[str, Seat], list[Member]] = defaultdict(list)
        self.size = 0
        """How many are open."""

    def end_all(self, reason: ByeCode) -> None:
        """Close everything with the code of a reason."""
        for member in tuple(self._open):
            member.end(reason)

    async def emptied(self) -> None:
        """Return once nothing is open."""
        while self.size:
            self._left.clear()
            await self._left.wait()

    def relay(
        self, table: str, sender: Seat, to: Seat, data: Mapping[str, Any]
    ) -> None:
        """Pass on what a seat says to another, to whatever that has open now."""
        for member in tuple(self._seated.get((table, to), ())):
            member.relay(sender, data)

    @contextmanager
    def count(self, member: Member) -> Generator[None, None, None]:
        """Count a member as open, from its first moment until all is said to it."""
        self._open[member] = None
        self._sized()
        try:
            yield
        finally:
            del self._open[member]
            self._sized()
            if not self._open:
                self._left.set()

    @contextmanager
    def enter(
        self, table: str, seat: Seat, member: Member
    ) -> Generator[None, None, None]:
        """Let a member be one end of a seat."""
        members = self._seated[table, seat]
        members.append(member)
        if len(members) > self._most:
            members.pop(0).end("replaced")
        try:
            yield
        finally:
            if member in members:
                members.remove(member)
            if not members and self._seated.get((table, seat)) is members:
                del self._seated[table, seat]

    def _sized(self) -> None:
        self.size = len(self._open)
        self._metrics.sockets.set(self.size)
