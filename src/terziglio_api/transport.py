"""Uvicorn's websocket protocol, with six things more.

The application can write to a connection at once, past its own task. It can abort one:
that alone frees a connection whose other end does not read. It can wait until one is
over, so that a stop does not overtake what was said last. Reading goes on while few
messages wait, instead of stopping and starting for each. A text that is not UTF-8
reaches the application as bytes, which it refuses as any other binary frame, instead
of ending in a traceback. And a text in one frame, as nearly all are, is read here; the
library reads all else, in whole frames, so that it is never in the middle of one.
"""

import asyncio
from contextlib import suppress
from typing import Final, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from terziglio_api.sockets import LINE, Gone

try:
    from websockets.speedups import apply_mask
except ImportError:  # it has not been compiled for every machine
    from websockets.utils import apply_mask

__all__ = ["Line"]

_WAITING: Final = 8
"""Messages that may wait for the application before no more are read."""
_TEXT: Final = 0x81
"""The first byte of a text that is one frame, with nothing special about it."""
_MASKED: Final = 0x80
"""A bit of the second byte."""


class Line(WebSocketsSansIOProtocol):
    """The server's end of one websocket."""

    _over: asyncio.Event | None = None
    _whole = True
    """Whether the library has been given nothing but whole frames."""
    _rest = b""
    """The beginning of a frame whose end is not here yet."""

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

    def data_received(self, data: bytes) -> None:
        """Read what has come, as far as it is there."""
        if self._rest:
            data, self._rest = self._rest + data, b""
        while data:
            if not self._whole or self.conn.state is not State.OPEN:
                # The library reads the handshake, and all that comes after a close;
                # also what comes too early, between the handshake's two halves.
                self._whole = self._whole and not self.handshake_initiated
                super().data_received(data)
                return
            start, end = _bounds(data)
            if end - start > self.config.ws_max_size:
                self._whole = False  # it refuses that before all of it is here
                continue
            if end > len(data) or not end:
                self._rest = data
                return
            if data[0] == _TEXT and data[1] & _MASKED and not self.frames:
                text = apply_mask(data[start:end], data[start - 4 : start])
                self._pass_on(text, is_text=True)
            else:
                super().data_received(data[:end])
                if self.conn.parser_exc is not None:
                    return
            data = data[end:]

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
        """Pass on a message that the library has read."""
        whole, self.frames = b"".join(self.frames), []
        self._pass_on(whole, is_text=self.curr_msg_data_type == "text")

    def _pass_on(self, whole: bytes, *, is_text: bool) -> None:
        """Pass a whole message on."""
        if self.close_sent:
            return
        text = None
        if is_text:
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


def _bounds(data: bytes) -> tuple[int, int]:
    """Return where the payload of the first frame begins and ends; 0, 0: too early."""
    if len(data) < 2:
        return 0, 0
    size, start = data[1] & 0x7F, 2
    if size > 125:
        start = 4 if size == 126 else 10
        if len(data) < start:
            return 0, 0
        size = int.from_bytes(data[2:start])
    if data[1] & _MASKED:
        start += 4
    return start, start + size
