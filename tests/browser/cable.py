"""A cable between one browser and the server, to pull out and to plug in again."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal
from urllib.parse import urlsplit

__all__ = ["Cable"]

Way = Literal["up", "down"]


class Cable:
    """A TCP proxy before a server.

    Pulled out, it resets what is open and what is newly opened. Frozen, it swallows
    bytes without a word, as a dead spot does before anybody has noticed it: what was
    swallowed never arrives, for the connection is reset before it flows again.

    Args:
        server: the server's address.
    """

    def __init__(self, server: str) -> None:
        self.url = ""
        self.swallowed = asyncio.Event()
        """Set when a frozen cable has swallowed something."""
        self._where = urlsplit(server)
        self._out = asyncio.Event()
        self._frozen: set[Way] = set()
        self._open: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator["Cable", None]:
        """Listen while the context is open."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        self.url = f"http://{host}:{port}"
        try:
            yield self
        finally:
            self.pull()
            server.close()
            await server.wait_closed()

    def pull(self) -> None:
        """Break every connection, and every one that is tried."""
        self._out.set()
        for writer in self._open:
            writer.transport.abort()

    def plug(self) -> None:
        """Let connections through again."""
        self._out.clear()
        self._frozen.clear()
        self.swallowed.clear()

    def freeze(self, *ways: Way) -> None:
        """Swallow what goes these ways, until the cable is pulled out."""
        self._frozen |= set(ways)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if self._out.is_set():
            writer.transport.abort()
            return
        theirs, there = await asyncio.open_connection(
            self._where.hostname, self._where.port
        )
        if self._out.is_set():  # meanwhile
            writer.transport.abort()
            there.transport.abort()
            return
        ends = {writer, there}
        self._open |= ends
        try:
            pumps = [
                asyncio.create_task(self._pump(reader, there, "up")),
                asyncio.create_task(self._pump(theirs, writer, "down")),
            ]
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
        finally:
            self._open -= ends
            for end in ends:
                # Pulled out, both are reset: what was under way is gone.
                if self._out.is_set():
                    end.transport.abort()
                else:
                    end.close()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way
    ) -> None:
        try:
            while data := await reader.read(65536):
                if way in self._frozen:
                    self.swallowed.set()
                    continue
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
