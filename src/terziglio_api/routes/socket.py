"""The address of the websocket: the handshake, then a channel."""

from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from terziglio_api.channel import Channel
from terziglio_api.hall import Hall
from terziglio_api.logs import logger
from terziglio_api.settings import Settings
from terziglio_api.sockets import LINE, Gone
from terziglio_api.wire.messages import PROTOCOL

__all__ = ["allowed_origin", "router"]

_log = logger(__name__)
_MOST_LOGGED = 100
"""Characters of a refused origin that are logged: whoever connects writes them."""
_PORTS = {"http": ":80", "https": ":443"}

router = APIRouter()


class _Websocket:
    """A ``channel.Socket`` over Starlette's websocket."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        # ``transport`` offers it; another server may not.
        self._line = websocket.scope.get("extensions", {}).get(LINE)
        self.receive: Callable[[], Coroutine[Any, Any, str | bytes]] = self._received
        self.write: Callable[..., bool] = _later
        if self._line is not None:
            self.receive, self.write = self._line["read"], self._line["write"]

    async def _received(self) -> str | bytes:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        text: str | None = message.get("text")
        if text is not None:
            return text
        binary: bytes = message["bytes"]
        return binary

    async def send(self, text: str) -> None:
        try:
            await self._websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError) as error:
            # Starlette raises RuntimeError where the other end has closed already.
            raise Gone from error

    async def close(self, code: int) -> None:
        try:
            await self._websocket.close(code)
            if self._line is not None:
                await self._line["over"]()
        except (WebSocketDisconnect, RuntimeError) as error:
            raise Gone from error

    def abort(self) -> None:
        if self._line is not None:
            self._line["abort"]()


def _later(*_texts: str) -> bool:
    """Where there is no line, nothing can be written at once."""
    return False


@router.websocket("/{table:path}")  # a mistyped address is that of no table
@router.websocket("/v1/tables/{table}/ws")
async def serve_socket(websocket: WebSocket, table: str) -> None:
    """Serve one seat's socket.

    It is accepted before it is refused: a browser sees the code of a close, but of
    a handshake that fails only that it failed.
    """
    hall: Hall = websocket.app.state.hall
    offered: list[str] = websocket.scope["subprotocols"]
    await websocket.accept(PROTOCOL if PROTOCOL in offered else None)
    channel = Channel(_Websocket(websocket), hall, table)
    origin = websocket.headers.get("origin")
    if offered and PROTOCOL not in offered:
        channel.end("version")
    elif not allowed_origin(origin, websocket.headers.get("host"), hall.settings):
        channel.end("origin")
        _log.info("origin refused", origin=(origin or "")[:_MOST_LOGGED])
    elif hall.gate.draining:
        channel.end("restart")
    scheme, _, token = websocket.headers.get("authorization", "").partition(" ")
    await channel.run(token.strip() if scheme.lower() == "bearer" else None)


def allowed_origin(origin: str | None, host: str | None, settings: Settings) -> bool:
    """Return whether a page of this origin may open sockets.

    Programs send no origin; pages send theirs, which must be the service's own or on
    the list. Dev mode allows any page of this machine.
    """
    if origin is None or origin in settings.pages:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    # A browser leaves a port out that is the scheme's; some proxies write it again.
    port = _PORTS.get(parts.scheme, "")
    own = {host, (host or "").removesuffix(port)} - {""}
    return parts.netloc in own or (
        settings.dev and parts.hostname in {"localhost", "127.0.0.1", "::1"}
    )
