"""One seat under load: it comes back, sends again, and keeps what it hears."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from time import perf_counter
from typing import Any, Final

import httpx
import websockets
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from history import Ack, Transcript

__all__ = ["Player", "choose"]

Json = dict[str, Any]
_PROTOCOL: Final = Subprotocol("terziglio.v1")
_DOUBLES: Final = 0.1
"""The share of messages that are sent twice."""
_RETRY_S: Final = 0.1
"""How long a player waits before it asks again a server that could not store."""


def choose(options: Json, random: Random) -> Json:
    """Return some action that the options allow."""
    match options["type"]:
        case "bid":
            return {"type": "bid", "bid": random.choice(options["bids"])}
        case "discard":
            *laid, back = random.sample(options["from"], options["count"] + 1)
            back = back if options["give_back"] else None
            return {"type": "discard", "cards": laid, "give_back": back}
        case kind:
            return {"type": kind, "card": random.choice(options["cards"])}


class Player:
    """One seat: plays what its view allows, on one socket after another."""

    def __init__(self, url: str, table: str, seat: int, token: str) -> None:
        self.table, self.seat, self.token = table, seat, token
        self.url = ""
        self.reach(url)
        self.told = Transcript(table, seat)
        self.seq = 0
        self.view: Json = {}
        self.playing = True
        """Whether it answers; it listens in any case."""
        self.may_connect = asyncio.Event()
        """Set while there is a server to connect to."""
        self.pending: Json | None = None
        """What it has sent and has no answer to."""
        self.answered: set[str] = set()
        """Ids of what has been acknowledged or refused."""
        self.errors: Counter[tuple[str, str]] = Counter()
        """Refusals, by kind of message and code."""
        self.closes: list[int | None] = []
        self.byes = 0
        self.present: dict[int, bool] = {}
        """Who of the others has come or gone, as last heard."""
        self.connects = 0
        self.away: list[float] = []
        """Seconds from the loss of each socket to the snapshot on the next."""
        self._lost_at: float | None = None
        self._caught_up = False
        self._later = False
        self._random = Random(f"{table} {seat}")
        self.heard: Callable[[], None] = lambda: None
        """Called after each message, and when a socket is lost."""

    def reach(self, url: str) -> None:
        """Connect to this address from now on."""
        self.url = url.replace("http", "ws", 1) + f"/v1/tables/{self.table}/ws"

    @property
    def online(self) -> bool:
        """Whether it has heard the snapshot on a socket that is still open."""
        return self._caught_up

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            await self.may_connect.wait()
            try:
                async with connect(
                    self.url,
                    subprotocols=[_PROTOCOL],
                    compression=None,
                    ping_interval=None,
                    close_timeout=1,
                ) as socket:
                    self.connects += 1
                    await self._converse(socket)
            except (OSError, EOFError, TimeoutError, websockets.WebSocketException):
                # Nothing to connect to, or it went while the two shook hands.
                await asyncio.sleep(self._random.uniform(0.01, 0.1))
            finally:
                self._caught_up = False
                self._lost_at = self._lost_at or perf_counter()
                self.heard()

    async def _converse(self, socket: ClientConnection) -> None:
        hello = {"type": "hello", "token": self.token, "after": self.seq}
        with suppress(websockets.ConnectionClosed):
            await socket.send(json.dumps(hello))
            while True:
                raw = await socket.recv()
                assert isinstance(raw, str)
                self._later = False
                for said in self._hear(raw):
                    if self._later:
                        await asyncio.sleep(_RETRY_S)
                    # What came before the close is still to be heard.
                    with suppress(websockets.ConnectionClosed):
                        await socket.send(said)
                self.heard()
        self.closes.append(socket.close_code)

    def _hear(self, raw: str) -> list[str]:
        """Keep what a message tells; return what there is to say to it."""
        message: Json = json.loads(raw)
        match message["type"]:
            case "event":
                self.told.keep(raw)
                self.seq, self.view = message["seq"], message["view"]
                if message["event"]["kind"] == "snapshot" and not self._caught_up:
                    return self._back()
            case "ack":
                self._acknowledged(message)
            case "error":
                name, code = message.get("id", "-"), message["code"]
                self.errors[_kind(name), code] += 1
                if self.pending and self.pending["id"] == name:
                    return self._refused(code)
            case "presence":
                self.present[message["seat"]] = message["present"]
            case "bye":
                self.byes += 1
            case _:
                pass
        return self._say()

    def _back(self) -> list[str]:
        """Go on after all that was missed has been told."""
        self._caught_up = True
        if self._lost_at is not None:
            self.away.append(perf_counter() - self._lost_at)
            self._lost_at = None
        # Was it stored before the socket broke? The same id is safe to send again.
        return self._say() if self.pending is None else [json.dumps(self.pending)]

    def _acknowledged(self, message: Json) -> None:
        name, duplicate = message["id"], message.get("duplicate", False)
        self.told.acks.append(Ack(name, _kind(name), message["seq"], duplicate))
        self.answered.add(name)
        if self.pending is not None and self.pending["id"] == name:
            self.pending = None

    def _refused(self, code: str) -> list[str]:
        """Ask again where only the storage was wanting; anything else is final."""
        said = json.dumps(self.pending)
        if code == "storage_unavailable":
            self._later = True
            return [said]
        self.answered.add(json.loads(said)["id"])
        self.pending = None
        return self._say()

    def _say(self) -> list[str]:
        if not (self.playing and self._caught_up and self.pending is None):
            return []
        said = self._answer()
        if said is None or said["id"] in self.answered:
            return []
        self.pending = said
        raw = json.dumps(said)
        return [raw, raw] if self._random.random() < _DOUBLES else [raw]

    def _answer(self) -> Json | None:
        view = self.view
        deal = view["match"]["deal"]
        if view["options"]:
            due = view["turn"]["decision"]
            action = choose(view["options"], self._random)
            return {"type": "action", "id": due, "decision": due, "action": action}
        if view["seats"][self.seat]["wants_next"] or view.get("closed"):
            return None
        if view["phase"] == "count":
            return {"type": "next_hand", "id": f"n{deal}", "deal": deal}
        if view["phase"] == "finished":
            return {"type": "rematch", "id": f"r{deal}"}
        return None

    async def look(self, http: httpx.AsyncClient, **params: int) -> Json:
        """Return the view that REST gives the seat."""
        path = f"/v1/tables/{self.table}/view"
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = await http.get(path, headers=headers, params=params)
        assert answer.status_code == 200, answer.text
        view: Json = answer.json()
        return view


def _kind(name: str) -> str:
    """Return the kind of message that a name is given to."""
    return {"n": "next_hand", "r": "rematch", "-": "unnamed"}.get(name[0], "action")
