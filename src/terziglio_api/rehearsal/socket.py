"""The socket rehearsed: every message of a client and of the service."""

import asyncio
import json
from collections import defaultdict

from terziglio.actions import Phase
from terziglio.players import house
from terziglio.seats import Seat
from terziglio_api.channel import Channel
from terziglio_api.commands import By, Close, Mode, Opening
from terziglio_api.rehearsal.stage import (
    NOBODY,
    SEED,
    FailingLog,
    Json,
    Mask,
    Stage,
    due,
    play_until,
)
from terziglio_api.sockets import Gone
from terziglio_api.wire.actions import dump
from terziglio_api.wire.base import Incoming

__all__ = ["rehearse_socket"]


class _Line:
    """A ``Socket`` whose other end is this module."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self.outbox: asyncio.Queue[Json] = asyncio.Queue()
        self.said: list[Json] = []
        self.heard: list[Json] = []

    async def receive(self) -> str | bytes:
        text = await self.inbox.get()
        if text is None:
            raise Gone
        return text

    async def send(self, text: str) -> None:
        await self.outbox.put(json.loads(text))

    def write(self, *texts: str) -> bool:
        for text in texts:
            self.outbox.put_nowait(json.loads(text))
        return True

    async def close(self, code: int) -> None:
        await self.outbox.put({"type": "closed", "code": code})

    def abort(self) -> None:
        """There is nothing that could stall."""

    def say(self, message: Json) -> None:
        """Send a message as a client."""
        self.said.append(message)
        self.inbox.put_nowait(json.dumps(message))

    async def hear(self, kind: str) -> Json:
        """Return the next message of a type, those before it kept too."""
        while True:
            message = await self.outbox.get()
            self.heard.append(message)
            if message["type"] == kind:
                return message


async def rehearse_socket() -> Json:
    """Return a client's and the service's messages by type, a few of each."""
    stage = Stage(FailingLog())
    opening = Opening(
        mode=Mode.COMPUTER,
        name="Anna",
        kind=By.PERSON,
        target=7,
        pace_ms=0,
        players=("house", "house"),
        dealer=Seat.S2,
        seed=SEED,
    )
    seating = await stage.service.open(opening)
    table, line = seating.table, _Line()
    talk = asyncio.create_task(_channel(stage, line, table).run(None))
    line.say({"type": "hello", "token": seating.token, "after": 0})
    await line.hear("welcome")
    line.say({"type": "ping", "n": 7})
    await line.hear("pong")
    line.inbox.put_nowait('{"type": "action", "id": "a0", "decision": "1.1"}')
    await line.hear("error")  # malformed, so no example of a client's message
    await _act(stage, line, table, "a1")
    await _refused(stage, line, table)
    deal = await play_until(stage.service, table, Phase.COUNT)
    line.say({"type": "next_hand", "deal": deal})
    await line.hear("ack")
    line.say({"type": "resync"})
    await play_until(stage.service, table, Phase.FINISHED)
    line.say({"type": "rematch"})
    await line.hear("ack")
    await line.hear("event")
    line.inbox.put_nowait(None)
    await talk

    guests = await _guests(stage)
    stranger = _Line()
    stranger.inbox.put_nowait(json.dumps({"type": "hello", "token": NOBODY}))
    await _channel(stage, stranger, table).run(None)
    await stranger.hear("bye")
    lines = (line, *guests, stranger)
    mask = Mask()
    return {
        "client": _chosen(mask, [m for one in lines for m in one.said]),
        "server": _chosen(mask, [m for one in lines for m in one.heard]),
    }


async def _guests(stage: Stage) -> tuple[_Line, _Line]:
    """Seat a guest, issue his seat anew, end the table; return both lines."""
    opening = Opening(
        mode=Mode.OPEN,
        name="Anna",
        kind=By.PERSON,
        target=7,
        pace_ms=0,
        players=(None, "house"),
        dealer=Seat.S2,
        seed=SEED,
        clock_s=60,
        voice=True,
    )
    seating = await stage.service.open(opening)
    table, line = seating.table, _Line()
    talk = asyncio.create_task(_channel(stage, line, table).run(seating.token))
    await line.hear("event")
    (_, invite), *_ = seating.invites
    guest = await stage.service.claim(table, invite, "Bruno", By.PERSON, None)
    for _ in ("seat_taken", "dealt"):
        await line.hear("event")
    other = _Line()
    guest_talk = asyncio.create_task(_channel(stage, other, table).run(guest.token))
    await line.hear("presence")
    await other.hear("event")
    offer = {"description": {"type": "offer", "sdp": "v=0"}}
    line.say({"type": "signal", "to": 1, "data": offer})
    await other.hear("signal")
    other.inbox.put_nowait(None)
    await guest_talk
    await line.hear("presence")
    await stage.service.reissue(table, Seat.S1)
    await line.hear("event")
    await stage.service.do(table, Close())
    await line.hear("event")
    line.inbox.put_nowait(None)
    await talk
    return line, other


def _channel(stage: Stage, line: _Line, table: str) -> Channel:
    return Channel(line, stage.app.state.hall, table)


async def _act(stage: Stage, line: _Line, table: str, name: str) -> None:
    """Say what the house player would do; hear that it is stored."""
    game = (await stage.service.view(table, Seat.S0)).game
    said: Incoming = dump(house(game))
    line.say(
        {
            "type": "action",
            "id": name,
            "decision": due(game),
            "action": said.model_dump(mode="json"),
        }
    )
    await line.hear("ack")
    await line.hear("event")


async def _refused(stage: Stage, line: _Line, table: str) -> None:
    """Call for what the rules refuse, when it is this seat's turn to play."""
    await play_until(stage.service, table, Phase.PLAY)
    game = (await stage.service.view(table, Seat.S0)).game
    line.say(
        {
            "type": "action",
            "id": "a2",
            "decision": due(game),
            "action": {"type": "bid", "bid": "pass"},
        }
    )
    await line.hear("error")


def _chosen(mask: Mask, messages: list[Json]) -> Json:
    """Keep the first message of each kind that differs in what it carries."""
    kept: defaultdict[str, dict[str, Json]] = defaultdict(dict)
    for message in messages:
        what = json.dumps(
            [
                sorted(message),
                message.get("code"),
                message.get("event", {}).get("kind"),
                sorted(message.get("event", {})),
            ]
        )
        kept[message["type"]].setdefault(what, message)
    return {kind: [mask(m) for m in some.values()] for kind, some in kept.items()}
