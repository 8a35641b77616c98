"""A TCP proxy before a server: what those share that break and freeze connections."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

__all__ = ["Proxy"]

_Result = TypeVar("_Result")


class Proxy:
    """Listens in a server's place; how bytes pass is said by who derives from it.

    Args:
        server: the server's address.
    """

    def __init__(self, server: str) -> None:
        self.url = ""
        """Its own address, while it listens."""
        self._where = urlsplit(server)

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator[Self, None]:
        """Listen while the context is open."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        self.url = f"http://{host}:{port}"
        try:
            yield self
        finally:
            self._end()
            server.close()
            await server.wait_closed()

    def _end(self) -> None:
        """Let go of what is open."""

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        raise NotImplementedError

    async def _reach(self) -> tuple[StreamReader, StreamWriter]:
        """Open a connection to the server."""
        return await asyncio.open_connection(self._where.hostname, self._where.port)

    @staticmethod
    async def _both(
        up: Coroutine[Any, Any, _Result], down: Coroutine[Any, Any, _Result]
    ) -> list[_Result]:
        """Pass bytes both ways until one has ended; return what has come of it."""
        pumps = [asyncio.create_task(up), asyncio.create_task(down)]
        done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        return [pump.result() for pump in done]
