"""A wire that breaks: passes bytes on, and cuts each connection at a random one."""

import asyncio
from random import Random

from proxy import Proxy

__all__ = ["Wire"]


class Wire(Proxy):
    """A TCP proxy before a server.

    Args:
        url: the server's address.
        cuts: how many connections to cut; later ones are passed on whole.
        random: chooses direction and byte.
        up: the most bytes that a client sends before the cut.
        down: the most that the server sends.
    """

    def __init__(self, url: str, cuts: int, random: Random, up: int, down: int) -> None:
        super().__init__(url)
        self.cuts = 0
        """Connections cut so far."""
        self.cut = asyncio.Event()
        """Set once as many are cut as were wanted."""
        self._wanted = cuts
        self._random = random
        self._most = (up, down)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            theirs, there = await self._reach()
        except OSError:
            writer.transport.abort()
            return
        up, down = self._limits()
        cut = await self._both(
            self._pump(reader, there, up), self._pump(theirs, writer, down)
        )
        if any(cut):
            self.cuts += 1
            if self.cuts >= self._wanted:
                self.cut.set()
        # Both ends are reset: what was under way is gone, as when a phone goes dark.
        writer.transport.abort()
        there.transport.abort()

    def _limits(self) -> tuple[int | None, int | None]:
        """Return after how many bytes to cut, up and down."""
        if self.cut.is_set():
            return None, None
        up, down = self._most
        if self._random.random() < 0.3:
            return self._random.randint(0, up), None
        return None, self._random.randint(0, down)

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limit: int | None,
    ) -> bool:
        """Pass bytes on; return whether the limit was reached, not the end."""
        passed = 0
        try:
            while data := await reader.read(65536):
                if limit is not None and passed + len(data) > limit:
                    writer.write(data[: limit - passed])
                    # Handed to the kernel, so that the other end may still read it.
                    await writer.drain()
                    return True
                passed += len(data)
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        return False
