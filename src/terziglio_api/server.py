"""Runs the application under uvicorn, with the limits that the settings name."""

import logging
import signal
import sys
from socket import socket
from types import FrameType

import uvicorn

from terziglio_api.app import create_app
from terziglio_api.ports import StorageUnavailable
from terziglio_api.settings import Settings

__all__ = ["serve"]


class _Server(uvicorn.Server):
    """Says where it listens once it does."""

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                host, port, *_ = listening.getsockname()
                shown = f"[{host}]" if ":" in host else host
                print(f"Terziglio listens on http://{shown}:{port}", flush=True)


def _leave(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def serve(settings: Settings) -> int:
    """Serve until stopped; return the exit status."""
    try:
        app = create_app(settings)
    except StorageUnavailable as error:
        print(f"terziglio: cannot open the database: {error}", file=sys.stderr)
        return 1
    logging.basicConfig(
        level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        ws="websockets-sansio",
        ws_max_size=settings.frame_bytes,
        ws_ping_interval=settings.heartbeat_s,
        ws_ping_timeout=settings.heartbeat_s,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=10,
        server_header=False,
        access_log=False,
        log_config=None,
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        # Uvicorn stops in good order, then raises the signal again for whoever
        # had it before: that is us, and all is done.
        signal.signal(number, _leave)
    server = _Server(config)
    server.run()
    return 0 if server.started else 1
