"""A cable between one browser and the server, to pull out and to plug in again."""

import asyncio
from typing import Literal

from proxy import Proxy

__all__ = ["Cable"]

Way = Literal["up", "down"]


class Cable(Proxy):
    """A TCP proxy before a server.

    Pulled out, it resets what is open and what is newly opened. Frozen, it swallows
    bytes without a word, as a dead spot does before anybody has noticed it: what was
    swallowed never arrives, for the connection is reset before it flows again.

    Args:
        server: the server's address.
    """

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.swallowed = asyncio.Event()
        """Set when a frozen cable has swallowed something."""
        self._out = asyncio.Event()
        self._frozen: set[Way] = set()
        self._open: set[asyncio.StreamWriter] = set()

    def pull(self) -> None:
        """Break every connection, and every one that is tried."""
        self._out.set()
        for writer in self._open:
            writer.transport.abort()

    def _end(self) -> None:
        self.pull()

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
        theirs, there = await self._reach()
        if self._out.is_set():  # meanwhile
            writer.transport.abort()
            there.transport.abort()
            return
        ends = {writer, there}
        self._open |= ends
        try:
            await self._both(
                self._pump(reader, there, "up"), self._pump(theirs, writer, "down")
            )
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
