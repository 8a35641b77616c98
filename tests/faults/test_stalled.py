"""A seat that stops reading: the others go on as before, and the server lets it go."""

import asyncio
import json
import socket
from pathlib import Path
from time import perf_counter

import httpx

from faults.figures import Note
from faults.load import Load, open_tables
from faults.player import Player
from faults.process import ServerProcess
from history import read_log, violations

TABLES = 2
LET_GO_S = 20
"""Frames fill the outbox for some moments and stay for 5 s; the rest is for a slow
machine."""
STALL_S = 4
"""What the others may never wait, though the service waits 5 s for the one."""


class DeadReader:
    """A client at the end of a thin wire that says hello and reads no more."""

    def __init__(self, player: Player, url: str) -> None:
        host, port = url.removeprefix("http://").split(":")
        self._socket = socket.socket()
        # Small segments and a small buffer: no kernel holds a megabyte for it.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self._socket.settimeout(20)
        self._socket.connect((host, int(port)))
        path = f"/v1/tables/{player.table}/ws"
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert self._socket.recv(12) == b"HTTP/1.1 101"
        self._send({"type": "hello", "token": player.token})

    def _send(self, message: dict[str, str]) -> None:
        """Send one small text frame, masked with zeros."""
        text = json.dumps(message).encode()
        assert len(text) < 126
        frame = bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text
        self._socket.sendall(frame)

    def read_on(self) -> int:
        """Read what there is; return the bytes once the server's end is met."""
        read = 0
        try:
            while data := self._socket.recv(65536):
                read += len(data)
        except ConnectionResetError:
            pass
        finally:
            self._socket.close()
        return read


def sockets_of(server: ServerProcess) -> int:
    """Return how many sockets the server's process holds."""
    links = Path(f"/proc/{server.pid}/fd").iterdir()
    return sum(str(link.readlink()).startswith("socket:") for link in links)


async def let_go(server: ServerProcess, held: int) -> None:
    """Wait until the server holds so few sockets. Nothing tells it: look."""
    async with asyncio.timeout(LET_GO_S):
        while sockets_of(server) > held:  # noqa: ASYNC110 - no event of this process
            await asyncio.sleep(0.02)


async def metrics(server: ServerProcess) -> dict[str, float]:
    """Return the figures that the server gives of itself, those without a label."""
    async with httpx.AsyncClient(base_url=server.url) as http:
        page = (await http.get("/metrics")).text
    lines = (line.split() for line in page.splitlines() if line[0] not in "#")
    return {name: float(value) for name, value in lines if "{" not in name}


class Gaps:
    """How long each player goes without hearing anything."""

    def __init__(self, players: list[Player]) -> None:
        self.worst = 0.0
        for player in players:
            self._watch(player)

    def _watch(self, player: Player) -> None:
        heard, last = player.heard, perf_counter()

        def noted() -> None:
            nonlocal last
            now = perf_counter()
            self.worst, last = max(self.worst, now - last), now
            heard()

        player.heard = noted


async def test_a_seat_that_stops_reading_is_let_go_and_nobody_else_notices(
    server: ServerProcess, record_property: Note
) -> None:
    await server.start()
    players = await open_tables(server.url, [{"mode": "friends"}] * TABLES)
    async with Load(players) as load:
        load.connect()
        await load.progress(10)
        held = sockets_of(server)
        gaps = Gaps(players)
        # Seat 2 of the first table has a second socket, and that one is dead: what
        # the seat does itself goes on over the first.
        third = players[2]
        begun, before = perf_counter(), load.acks
        dead = await asyncio.to_thread(DeadReader, third, server.url)
        assert sockets_of(server) == held + 1
        await let_go(server, held)
        figures = await metrics(server)
        assert figures["terziglio_sockets"] == len(players)
        assert figures["terziglio_queue_overflows_total"] == 1
        seconds, acks = perf_counter() - begun, load.acks - before
        assert gaps.worst < STALL_S
        assert acks > 100
        assert all(player.connects == 1 for player in players)
        read = await asyncio.to_thread(dead.read_on)
        live = await load.settle(server.url)
        # The service has forgotten it too: with its player gone the seat is absent.
        await load.leave(third)
        await load.until(lambda: players[0].present.get(third.seat) is False)
    log = await read_log(server.database)
    assert violations(log, load.transcripts, live) == []
    assert not load.errors
    record_property("let go after", f"{seconds:.1f} s, {acks} actions of the others")
    record_property("longest silence that another seat heard", f"{gaps.worst:.2f} s")
    record_property("bytes that were on the way to it", read)
