"""A fair share of a busy processor for those who think at a server."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from client import Server

__all__ = ["urged"]


def _urge(server: int) -> None:
    """Let those who think have as much of a busy processor as others have.

    They take only what nobody else wants: while other tests run that may be next to
    nothing.
    """
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            pid, parent = int(status.parent.name), status.read_text().split()[3]
            if int(parent) == server:
                os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0))


@asynccontextmanager
async def urged(server: Server) -> AsyncIterator[None]:
    """Urge those who think already and those who begin to, again and again."""

    async def again() -> None:
        while True:
            _urge(server.pid)
            await asyncio.sleep(0.5)

    urging = asyncio.create_task(again())
    try:
        yield
    finally:
        urging.cancel()
