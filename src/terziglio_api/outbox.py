"""What waits to be sent on one socket: so many frames, for so long.

What can be sent at once is sent at once, in the caller's own turn; the rest waits in a
bounded queue with a writer of its own. A socket that lets it stay full, or does not
take a frame in time, is too slow.
"""

import asyncio
from collections.abc import Awaitable

from terziglio_api.sockets import Socket
from terziglio_api.wire.base import Outgoing
from terziglio_api.wire.messages import Told
from terziglio_api.wire.talk import dump

__all__ = ["Outbox", "Slow"]


class Slow(Exception):
    """The socket does not read."""


class Outbox:
    """The frames on their way to a socket.

    Args:
        socket: where they go.
        most: frames that may wait.
        send_s: seconds that one may take to leave, and that the queue may stay full.
    """

    def __init__(self, socket: Socket, most: int, send_s: float) -> None:
        self._socket = socket
        self._send_s = send_s
        self._queue: asyncio.Queue[str] = asyncio.Queue(most)
        self._sending = False

    @property
    def full(self) -> bool:
        """Whether nothing more may wait."""
        return self._queue.full()

    @property
    def busy(self) -> bool:
        """Whether so much waits that only what must be told may be added."""
        return self._queue.qsize() > self._queue.maxsize // 2

    async def put(self, *messages: Outgoing | Told) -> None:
        """Send or queue, and wait while the queue is full.

        Raises:
            Slow: it stays full.
        """
        texts = [dump(message) for message in messages]
        if self._sent(*texts):
            return
        for text in texts:
            try:
                self._queue.put_nowait(text)
            except asyncio.QueueFull:
                await self._in_time(self._queue.put(text))

    def post(self, message: Outgoing | Told) -> None:
        """Send or queue.

        Raises:
            Slow: the queue is full.
        """
        text = dump(message)
        if self._sent(text):
            return
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            raise Slow from None

    async def write(self) -> None:
        """Send what is queued, until cancelled.

        Raises:
            Slow: the socket does not take a frame in time.
        """
        while True:
            text = await self._queue.get()
            self._sending = True
            await self._in_time(self._socket.send(text))
            self._sending = False

    def _sent(self, *texts: str) -> bool:
        """Send at once, if nothing waits to be sent before; return whether it did."""
        waits = self._sending or not self._queue.empty()
        return not waits and self._socket.write(*texts)

    async def _in_time(self, sending: Awaitable[None]) -> None:
        try:
            async with asyncio.timeout(self._send_s):
                await sending
        except TimeoutError:
            raise Slow from None
