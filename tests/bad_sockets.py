"""Sockets that are spoken to badly, at a table in some phase that must not move."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection
from websockets.typing import Subprotocol

from client import Json, Seat, Server, rest
from terziglio.errors import Illegal
from terziglio_api.commands import Code

__all__ = [
    "CLOSES",
    "CODES",
    "connected",
    "say_all",
    "table_in",
    "through",
    "unchanged",
    "unlimited",
]

CODES = {*Code, *Illegal}
CLOSES = {4401, 4403, 4426}
"""What a socket of ours may be closed with: a wrong token, origin or version."""


@contextmanager
def unlimited(database: Path) -> Iterator[Server]:
    """A server in dev mode without limits; all that it sends must be as published."""
    # A busy machine is no reason to refuse a table here.
    patience = {"TERZIGLIO_MOST_LAG_MS": "3600000"}
    running = Server(database, "--dev", recorded=True, **patience).start()
    try:
        yield running
    finally:
        status = running.stop()
    assert status == 0
    assert running.tracebacks == 0, running.log.read_text()
    assert running.misfits == []


async def table_in(server: Server, phase: str) -> Seat:
    """Return the seat that is to act, at a table that stands in a phase."""
    links = [{"kind": "link"}, {"kind": "link"}]
    body = {"mode": "open", "name": "Anna", "seats": links, "seed": "bad input"}
    async with httpx.AsyncClient(base_url=server.url) as http:
        opened = (await http.post("/v1/tables", json=body)).json()
        base, tokens = f"/v1/tables/{opened['table']}", [opened["token"]]
        for invite in opened["invites"]:
            if phase != "waiting" or invite["seat"] == 1:
                claim = {"invite": invite["invite"], "name": "Guest"}
                answer = await http.post(f"{base}/claims", json=claim)
                tokens.append(answer.json()["token"])
        seats = [Seat(server.url, opened["table"], token) for token in tokens]
        while True:
            for seat in seats:
                own = {"Authorization": f"Bearer {seat.token}"}
                seat.view = (await http.get(f"{base}/view", headers=own)).json()
            view = seats[0].view
            turn: int = (view["turn"] or {"seat": 0})["seat"]
            if view["phase"] == phase and (
                phase != "play" or _must_follow(seats[turn])
            ):
                return seats[turn]
            said = seats[turn].answer()
            assert said is not None
            if view["phase"] == "auction":
                bid = "chiamo" if len(view["auction"]) == 0 else "pass"
                said["action"] = {"type": "bid", "bid": bid}
            del said["type"]
            own = {"Authorization": f"Bearer {seats[turn].token}"}
            answer = await http.post(f"{base}/actions", json=said, headers=own)
            assert answer.status_code == 200, answer.text


def _must_follow(seat: Seat) -> bool:
    return any(card["why"] is not None for card in seat.view["hand"])


@asynccontextmanager
async def connected(seat: Seat, **more: Any) -> AsyncGenerator[ClientConnection, None]:
    """Open a socket for a seat, which still has to say hello."""
    offered = [Subprotocol("terziglio.v1")]
    kept = {"subprotocols": offered, "max_queue": None, **more}
    async with websockets.connect(seat.url, **kept) as socket:
        yield socket


async def say_all(socket: ClientConnection, frames: Iterable[str | bytes]) -> None:
    with suppress(websockets.ConnectionClosed):
        for frame in frames:
            await socket.send(frame)


async def through(
    socket: ClientConnection, frames: Sequence[str | bytes], mark: int = 10**9
) -> tuple[int | None, int]:
    """Send frames, then a ping that is unlike all of them; hear what is said to them.

    Returns:
        The code that the socket was closed with, ``None`` if it is still open; and how
        many of the frames were refused.
    """
    ping = json.dumps({"type": "ping", "n": mark})
    saying = asyncio.create_task(say_all(socket, [*frames, ping]))
    open_still, refused = False, 0
    with suppress(websockets.ConnectionClosed):
        while not open_still:
            answer = json.loads(await socket.recv())
            if answer["type"] == "error":
                assert answer["code"] in CODES - {Code.INTERNAL}, answer
                assert answer["detail"]
                refused += 1
            open_still = answer["type"] == "pong" and answer["n"] == mark
    await saying
    assert open_still or socket.close_code is not None
    return None if open_still else socket.close_code, refused


async def unchanged(server: Server, seat: Seat) -> None:
    """Check that the table stands where it stood."""
    path = f"/v1/tables/{seat.view['table']}/view"
    answer = await rest(server.url, "GET", path, seat.token)
    assert answer.status_code == 200, answer.text
    assert _unseen(answer.json()) == _unseen(seat.view)


def _unseen(view: Json) -> Json:
    """A view without who is online."""
    seats = [{**seat, "present": None, "since": None} for seat in view["seats"]]
    return {**view, "seats": seats}
