"""A client for tests: a seat at a real socket, and a real server to sit at."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection
from websockets.typing import Subprotocol

from terziglio.players import house
from terziglio_api.wire.actions import dump
from terziglio_api.wire.game import game_of
from terziglio_api.wire.view import View

Json = dict[str, Any]
RECORDED = Path(__file__).with_name("recorded.py")


NO_LIMITS = {
    f"TERZIGLIO_{who}_RATE": "0" for who in ("SOCKET", "SEAT", "ADDRESS", "TABLES")
} | {"TERZIGLIO_WORKERS": "0"}
"""Settings of a server that takes as much as tests can send, and does not think."""


class Server:
    """``terziglio serve`` as a process of its own, by default without rate limits.

    A recorded one holds all that it sends against the published documents.
    """

    def __init__(
        self, database: Path, *options: str, recorded: bool = False, **settings: str
    ) -> None:
        self.database = database
        self.program = [str(RECORDED)] if recorded else ["-m", "terziglio_api.cli"]
        self.options = options
        self.settings = NO_LIMITS | settings
        self.log = database.with_suffix(".log")
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> "Server":
        """Start it and wait until it says where it listens."""
        port = self.url.rpartition(":")[2] or "0"
        command = [sys.executable, *self.program, "serve", "--port", port]
        command += ["--database", str(self.database), *self.options]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | self.settings,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert "http://" in line, self.log.read_text()
        self.url = line.split()[-1]
        return self

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._ended()

    def stop(self) -> int:
        """Ask it to end; return its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._ended()

    def _ended(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        status = self._process.wait(30)
        self._process.stdout.close()
        return status

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def tracebacks(self) -> int:
        """How many tracebacks it has logged."""
        return self.log.read_text().count("Traceback")

    @property
    def misfits(self) -> list[str]:
        """What a recorded one has sent that is not as published."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if line.startswith("not as published")]


class Seat:
    """A seat's socket: keeps every event, answers with the house player."""

    def __init__(self, url: str, table: str, token: str) -> None:
        self.url = url.replace("http", "ws", 1) + f"/v1/tables/{table}/ws"
        self.token = token
        self.events: dict[int, Json] = {}
        self.acked: dict[str, int] = {}
        self.errors: list[Json] = []
        self.frames: list[str] = []
        self.view: Json = {}
        self._socket: ClientConnection | None = None

    @property
    def seq(self) -> int | None:
        """The last ``seq`` it has seen."""
        return max(self.events, default=None)

    async def connect(self) -> "Seat":
        """Open the socket, say hello, and hear the snapshot."""
        self._socket = await websockets.connect(
            self.url, subprotocols=[Subprotocol("terziglio.v1")]
        )
        await self.say({"type": "hello", "token": self.token, "after": self.seq})
        await self.hear_until(lambda m: _kind(m) == "snapshot")
        return self

    async def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            with suppress(Exception):
                await self._socket.close()

    async def say(self, message: Json | str | bytes) -> None:
        """Send a message, raw or as JSON."""
        assert self._socket is not None
        raw = json.dumps(message) if isinstance(message, dict) else message
        await self._socket.send(raw)

    async def hear(self) -> Json:
        """Return the next message and keep what it tells."""
        assert self._socket is not None
        async with asyncio.timeout(20):
            raw = await self._socket.recv()
        assert isinstance(raw, str)
        self.frames.append(raw)
        message: Json = json.loads(raw)
        match message["type"]:
            case "event":
                self.view = message["view"]
                if _kind(message) != "snapshot":
                    assert message["seq"] not in self.events, "an event came twice"
                    self.events[message["seq"]] = message["event"]
            case "ack":
                if message.get("id") is not None:
                    self.acked[message["id"]] = message["seq"]
            case "error":
                self.errors.append(message)
            case _:
                pass
        return message

    async def hear_until(self, wanted: Callable[[Json], bool]) -> Json:
        """Listen until a message is the wanted one, and return it."""
        while not wanted(message := await self.hear()):
            pass
        return message

    def answer(self) -> Json | None:
        """Return what the house player would send now, if it is to act."""
        view, you = self.view, self.view["you"]["seat"]
        if view["options"] is not None:
            action = dump(house(game_of(View.model_validate(view))))
            decision = view["turn"]["decision"]
            return {
                "type": "action",
                "id": f"d{decision}",
                "decision": decision,
                "action": action.model_dump(mode="json"),
            }
        if view["phase"] == "count" and not view["seats"][you]["wants_next"]:
            return {"type": "next_hand", "deal": view["match"]["deal"]}
        return None

    async def play(self, until: Callable[[Json], bool]) -> None:
        """Answer every view until one is the wanted one."""
        while not until(self.view):
            said = self.answer()
            if said is not None:
                await self.say(said)
            await self.hear_until(lambda message: message["type"] == "event")


def finished(view: Json) -> bool:
    """Whether a view is of a finished match."""
    return bool(view["phase"] == "finished")


def _kind(message: Json) -> str | None:
    kind: str | None = message.get("event", {}).get("kind")
    return kind


async def open_table(url: str, **request: Any) -> Json:
    """Open a table over REST and return what its host gets."""
    body = {"mode": "computer", "name": "Anna", "pace_ms": 0, **request}
    async with httpx.AsyncClient(base_url=url) as http:
        answer = await http.post("/v1/tables", json=body)
    assert answer.status_code == 201, answer.text
    opened: Json = answer.json()
    return opened


async def rest(url: str, method: str, path: str, token: str, **sent: Any) -> Any:
    """Make one REST call as a seat and return what it answers."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(base_url=url, headers=headers) as http:
        return await http.request(method, path, **sent)
