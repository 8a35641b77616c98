"""Uvicorn's websocket protocol, with five things more.

The application can write to a connection at once, past its own task. It can abort one:
that alone frees a connection whose other end does not read. It can wait until one is
over, so that a stop does not overtake what was said last. Reading goes on while few
messages wait, instead of stopping and starting for each. And a text that is not
UTF-8 reaches the application as bytes, which it refuses as any other binary frame,
instead of ending in a traceback.
"""

import asyncio
from contextlib import suppress
from typing import Final, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from terziglio_api.sockets import LINE, Gone

__all__ = ["Line"]

_WAITING: Final = 8
"""Messages that may wait for the application before no more are read."""


class Line(WebSocketsSansIOProtocol):
    """The server's end of one websocket."""

    _over: asyncio.Event | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """End, and say so."""
        super().connection_lost(exc)
        if self._over is not None:
            self._over.set()

    def handle_connect(self, event: Request) -> None:
        """Start the application, which finds ``LINE`` among its extensions."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            scope = cast("dict[str, dict[str, object]]", self.scope)
            self._over = asyncio.Event()
            line = {
                "read": self.read,
                "write": self.write,
                "abort": self.transport.abort,
                "over": self._over.wait,
            }
            scope["extensions"][LINE] = line

    async def read(self) -> str | bytes:
        """Return the next message, once the connection is accepted.

        Raises:
            Gone: it is closed.
        """
        event = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        if event["type"] != "websocket.receive":
            raise Gone
        # One of the two, as ``send_receive_event_to_app`` has put it.
        return cast("str | bytes", event.get("text", event.get("bytes")))

    def write(self, *texts: str) -> bool:
        """Send text messages now, unless they would have to wait or the line closes."""
        if not self.writable.is_set() or self.transport.is_closing():
            return False
        if self.conn.state is not State.OPEN:
            return False
        parts: list[bytes] = []
        for text in texts:
            data = text.encode()
            parts += _head(len(data)), data
        self.transport.writelines(parts)
        return True

    def send_receive_event_to_app(self) -> None:
        """Pass a whole message on."""
        whole, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        text = None
        if self.curr_msg_data_type == "text":
            with suppress(UnicodeDecodeError):
                text = whole.decode()
        self.queue.put_nowait(
            {"type": "websocket.receive", "bytes": whole}
            if text is None
            else {"type": "websocket.receive", "text": text}
        )
        if not self.read_paused and self.queue.qsize() > _WAITING:
            self.read_paused = True
            self.transport.pause_reading()


def _head(size: int) -> bytes:
    """Return how a text of so many bytes begins as one frame: unmasked, as it is."""
    if size < 126:
        return b"\x81%c" % size
    if size < 1 << 16:
        return b"\x81\x7e%b" % size.to_bytes(2)
    return b"\x81\x7f%b" % size.to_bytes(8)
