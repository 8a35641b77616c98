"""Runs the application under uvicorn, with the limits that the settings name."""

import asyncio
import gc
import signal
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path
from socket import AI_PASSIVE, SOCK_STREAM, create_server, getaddrinfo, socket
from types import FrameType

import uvicorn

from terziglio_api.app import create_app
from terziglio_api.hall import Hall
from terziglio_api.logs import configure
from terziglio_api.ports import StorageUnavailable
from terziglio_api.settings import Settings
from terziglio_api.transport import Line

__all__ = ["serve"]

_BYE_S = 3
"""How long the service waits for its sockets to hear that it goes."""


_GC = (100_000, 50, 100)
"""Objects made between two looks for cycles, and how often the older ones are seen."""


class _Server(uvicorn.Server):
    """Says where it listens once it does, and takes leave of its sockets."""

    def __init__(self, config: uvicorn.Config, hall: Hall) -> None:
        super().__init__(config)
        self._hall = hall

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Say bye on every socket before they are closed."""
        self._hall.gate.drain()
        self._hall.roster.end_all("restart")
        with suppress(TimeoutError):
            async with asyncio.timeout(_BYE_S):
                await self._hall.roster.emptied()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        # What is there now stays: the collector need not look at it again and again,
        # nor so often at what comes and goes, most of which leaves no cycles.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GC)
        for server in self.servers:
            for listening in server.sockets:
                host, port, *_ = listening.getsockname()
                shown = f"[{host}]" if ":" in host else host
                print(f"Terziglio listens on http://{shown}:{port}", flush=True)


def _leave(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _claimed(database: Path | None) -> sqlite3.Connection | None:
    """Keep other servers from a database, until the connection is let go of.

    Two servers on one database do no harm to its log, but what happens at one is not
    heard of at the other. The system lets go of a lock whose process dies.

    Raises:
        StorageUnavailable: another server has it, or there is no such place.
    """
    if database is None:
        return None
    beside = database.with_name(database.name + ".serving")
    try:
        beside.parent.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(beside, timeout=0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise StorageUnavailable(f"{database}: {error}") from error
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        taken = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
        why = f"another server uses {database}" if taken else f"{database}: {error}"
        raise StorageUnavailable(why) from error
    return lock


def _refuses(host: str, port: int) -> str | None:
    """Return why nobody can listen there, or nothing if one can."""
    try:
        family, *_, address = getaddrinfo(
            host or None, port, type=SOCK_STREAM, flags=AI_PASSIVE
        )[0]
        create_server(address[:2], family=family).close()
    except OSError as error:
        return error.strerror or str(error)
    return None


def serve(settings: Settings) -> int:
    """Serve until stopped; return the exit status."""
    try:
        lock = _claimed(settings.database)
        why = _refuses(settings.host, settings.port)
        if why is not None:
            at = f"{settings.host} port {settings.port}"
            told = f"cannot listen on {at}: {why}; --port takes another (make: PORT=)"
            print(f"terziglio: {told}", file=sys.stderr)
            return 3  # as uvicorn has it
        app = create_app(settings)
    except StorageUnavailable as error:
        print(f"terziglio: cannot open the database: {error}", file=sys.stderr)
        return 1
    configure(settings.log_level)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        ws=Line,
        ws_max_size=settings.frame_bytes,
        ws_ping_interval=settings.heartbeat_s,
        ws_ping_timeout=settings.heartbeat_s,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=max(1, settings.stop_s - _BYE_S),
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.trusted_proxies,
        access_log=False,
        log_config=None,
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        # Uvicorn stops in good order, then raises the signal again for whoever
        # had it before: that is us, and all is done.
        signal.signal(number, _leave)
    server = _Server(config, app.state.hall)
    server.run()
    if lock is not None:
        lock.close()
    return 0 if server.started else 1
