"""Uvicorn's websocket protocol, with two things more.

A connection can be aborted by the application: that alone frees one whose other end
does not read. And a text that is not UTF-8 reaches the application as bytes, which it
refuses as any other binary frame, instead of ending in a traceback.
"""

from typing import cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from terziglio_api.sockets import ABORT

__all__ = ["Line"]


class Line(WebSocketsSansIOProtocol):
    """The server's end of one websocket."""

    def handle_connect(self, event: Request) -> None:
        """Start the application, which finds ``ABORT`` among its extensions."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            scope = cast("dict[str, dict[str, object]]", self.scope)
            scope["extensions"][ABORT] = {"abort": self.transport.abort}

    def send_receive_event_to_app(self) -> None:
        """Pass a whole message on."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.curr_msg_data_type = "bytes"
        super().send_receive_event_to_app()
