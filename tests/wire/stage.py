"""Plays a script on one deal of a scene, and keeps every byte that one seat gets."""

import asyncio
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import assert_never

import pytest

from terziglio import Seat
from terziglio_api.commands import (
    Act as ActCommand,
)
from terziglio_api.commands import (
    AskNextHand,
    AskRematch,
    By,
    Close,
    DealAgain,
    Mode,
    Opening,
)
from terziglio_api.rehearsal.stage import NOBODY, Mask
from terziglio_api.wire.actions import dump
from wire.asgi import Answer, Line, Stream, call
from wire.house import LONG_MS, House
from wire.scenes import Scene, renamed
from wire.script import (
    Act,
    Dealing,
    Dial,
    End,
    Fill,
    Hangup,
    Look,
    Poll,
    Say,
    Script,
    Signal,
    Step,
    Try,
    Visit,
)

__all__ = ["Told", "told"]

Told = list[tuple[str, str]]
"""What was told, each with what it was the answer to."""


async def told(at: House, scene: Scene, script: Script) -> tuple[Told, Told]:
    """Play a script; return what the scene's seat got, and what the house let out.

    The latter are the pokes of the fan-out, the lines of the log and the metrics.
    """
    at.decks, at.lines[:] = iter(scene.decks), []
    pokes: list[str] = []
    before = await at.metrics()
    with at.app.state.fanout.listen(lambda *poke: pokes.append(repr(poke))):
        run = _Run(at, scene)
        await run.sit()
        for step in script:
            await run.do(step)
        await run.leave()
    after = await at.metrics()
    counted = {name: after[name] - before.get(name, 0) for name in after}
    mask, out = Mask(), Mask()
    house_told: Told = [("poke", out(poke)) for poke in pokes]
    house_told += [("log", out(line)) for line in at.lines]
    house_told += [
        ("metric", f"{name} {v}") for name, v in sorted(counted.items()) if v
    ]
    return [(label, mask(text)) for label, text in run.told], house_told


class _Run:
    def __init__(self, at: House, scene: Scene) -> None:
        self.at, self.scene, self.app = at, scene, at.app
        self.told: Told = []
        self.tokens: dict[Seat, str] = {}
        self.invites: dict[Seat, str] = {}
        self.open: list[tuple[str, Line | Stream]] = []
        self.visits: dict[Seat, Line] = {}
        self.poll: asyncio.Task[Answer] | None = None
        self.polled = 0
        self.dialled = 0

    async def sit(self) -> None:
        """Open the scene's table; all but the last guest sit down."""
        scene = self.scene
        player = "house" if scene.mode is Mode.COMPUTER else None
        hands = scene.hands
        dealer = hands[0].dealt.dealer if hands else Seat.S0
        self.at.dealer = hands[-1].dealt.dealer if hands else Seat.S0
        opening = Opening(
            mode=scene.mode,
            name="A",
            kind=By.PERSON,
            target=7,
            pace_ms=LONG_MS,
            players=(player, player),
            dealer=dealer,
            deck=next(self.at.decks),
            clock_s=scene.clock_s,
            voice=scene.voice,
        )
        seating = await self.at.tables.open(opening)
        self.table = seating.table
        self.base = f"/v1/tables/{self.table}"
        self.tokens[Seat.S0] = seating.token
        self.invites = dict(seating.invites)
        # Who looks on is there while the last seat is still free.
        self.late = Seat.S1 if scene.seat == Seat.S2 else Seat.S2
        for seat in self.invites:
            if seat != self.late:
                await self._claim(seat)

    async def _claim(self, seat: Seat) -> None:
        guest = await self.at.tables.claim(
            self.table,
            self.invites[seat],
            "B",
            self.scene.kinds[seat - 1],
            None,
        )
        self.tokens[guest.seat] = guest.token

    async def do(self, step: Step) -> None:
        """Do one step, and wait until all who listen have heard of it."""
        match step:
            case Act():
                await self._act(step)
            case Try(due, action, way, name):
                body = {
                    "id": name,
                    "decision": due,
                    "action": dump(renamed(action, self.scene.rename)).model_dump(),
                }
                await self._send(body, way, f"try {due} {action}")
            case Look(method, path, who, content, accept):
                where = path[1:] if path.startswith("//") else self.base + path
                headers = {"Accept": accept, **self._headers(who)}
                await self._ask(method, where, headers, content, f"{method} {path}")
            case Say(text):
                line = self._line()
                if line is not None:
                    await line.ask(text)
            case Dial(how, after):
                await self._dial(how, after)
            case Signal(seat):
                await self._signal(seat)
            case Hangup():
                if self.open:
                    await self._hang_up(*self.open.pop(0))
            case Poll():
                await self._start_poll()
            case Visit(seat):
                await self._visit(seat)
            case Fill():
                await self._claim(self.late)
            case Dealing(hand):
                await self._next(hand)
            case End():
                await self.at.tables.do(self.table, Close())
            case _:
                assert_never(step)
        await self._settle()

    async def leave(self) -> None:
        """Take up what is still to be heard, and go."""
        while self.open:
            await self._hang_up(*self.open.pop(0))
        for line in self.visits.values():
            await line.close()
        if self.poll is not None:
            self.poll.cancel()
            await asyncio.gather(self.poll, return_exceptions=True)

    async def _settle(self) -> None:
        seq = (await self.at.tables.summary(self.table)).seq
        for _, line in self.open:
            if seq > 0 and not line.over:
                await line.reached(seq)
        live = [line for _, line in self.open if not line.over]
        if len(live) > self.at.hall.settings.sockets:
            await live[0].until(lambda: False)  # it is replaced
        if self.poll is not None and seq > self.polled:
            self.told.append(("poll", (await self.poll).text))
            self.poll = None

    async def _act(self, step: Act) -> None:
        seat, action = self.scene.records[step.hand][step.number]
        due, name = f"{step.hand + 1}.{step.number + 1}", f"a{step.hand}.{step.number}"
        if seat == self.scene.seat and step.way != "quiet":
            body = {"id": name, "decision": due, "action": dump(action).model_dump()}
            await self._send(body, step.way, f"act {due}")
            return
        await self.at.tables.do(self.table, ActCommand(seat, action, due, name))

    async def _send(self, body: Mapping[str, object], way: str, label: str) -> None:
        line = self._line() if way == "socket" else None
        if line is not None:
            await line.ask(json.dumps({"type": "action", **body}))
            return
        own = self._headers("own")
        path = f"{self.base}/actions"
        await self._ask("POST", path, own, json.dumps(body), label)

    async def _ask(
        self, method: str, path: str, headers: dict[str, str], content: str, label: str
    ) -> None:
        answer = await call(self.app, method, path, headers, content.encode())
        self.told.append((label, answer.text))

    def _headers(self, who: str) -> dict[str, str]:
        token = {"own": self.tokens[self.scene.seat], "stranger": NOBODY}.get(who)
        return {} if token is None else {"Authorization": f"Bearer {token}"}

    def _line(self) -> Line | None:
        lines = [line for _, line in self.open if isinstance(line, Line)]
        return next((line for line in lines if not line.over), None)

    async def _dial(self, how: str, after: int | None) -> None:
        self.dialled += 1
        label, own = f"{how} {self.dialled}", self._headers("own")
        path = f"{self.base}/ws"
        if how == "events":
            last = {} if after is None else {"Last-Event-ID": str(after)}
            self.open.append(
                (label, Stream(self.app, f"{self.base}/events", own | last))
            )
            return
        if how == "header":
            line = Line(self.app, path, own)
        elif how == "version":
            line = Line(self.app, path, own, ("terziglio.v9",))
        elif how == "origin":
            line = Line(self.app, path, {"Origin": "https://evil.example", **own})
        else:
            line = Line(self.app, path, {})
            if how == "garbage":
                for text in ("{", '{"type":"resync"}', b"\xff"):
                    await line.ask(text)
            token = NOBODY if how == "stranger" else self.tokens[self.scene.seat]
            await line.say(
                json.dumps({"type": "hello", "token": token, "after": after})
            )
        self.open.append((label, line))

    async def _hang_up(self, label: str, line: Line | Stream) -> None:
        await line.close()
        if isinstance(line, Stream):
            self.told.append((label, line.answer.text))
        else:
            self.told += [(f"{label} #{n}", text) for n, text in enumerate(line.frames)]

    async def _start_poll(self) -> None:
        if self.poll is not None:
            return
        self.polled = (await self.at.tables.summary(self.table)).seq
        path = f"{self.base}/view?after={self.polled}&wait=30"
        own = self._headers("own")
        # Who polls is present: the next step comes after that, in every run, also if
        # the seat is there by a socket, which may be the next to go.
        presence, here = self.at.tables.presence, asyncio.Event()
        poll = presence.poll

        @contextmanager
        def polls(table: str, seat: Seat, seconds: float) -> Generator[None]:
            with poll(table, seat, seconds):
                here.set()
                yield

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(presence, "poll", polls)
            self.poll = asyncio.create_task(call(self.app, "GET", path, own))
            counted = asyncio.create_task(here.wait())
            await asyncio.wait(
                {self.poll, counted}, return_when=asyncio.FIRST_COMPLETED
            )
            counted.cancel()

    async def _visit(self, seat: Seat) -> None:
        """Come online in another seat, or go; the open sockets are told."""
        if seat not in self.tokens:
            return
        here = self.visits.pop(seat, None)
        listening = [line for _, line in self.open if isinstance(line, Line)]
        before = [len(line.frames) for line in listening]
        if here is not None:
            await here.close()
        else:
            own = {"Authorization": f"Bearer {self.tokens[seat]}"}
            visitor = Line(self.app, f"{self.base}/ws", own)
            await visitor.reached(0)
            if visitor.over:
                return  # the seat was issued anew: nobody came
            self.visits[seat] = visitor
        for line, count in zip(listening, before, strict=True):
            await line.more_than(count)

    async def _signal(self, seat: Seat) -> None:
        """Another seat sets up voice with this one, if it may."""
        if seat not in self.visits:
            return
        listening = [line for _, line in self.open if isinstance(line, Line)]
        before = [len(line.frames) for line in listening]
        data = {"candidate": "x" * 9}
        said = {"type": "signal", "to": self.scene.seat, "data": data}
        await self.visits[seat].ask(json.dumps(said))
        for line, count in zip(listening, before, strict=True):
            if self.scene.voice:
                await line.more_than(count)

    async def _next(self, hand: int) -> None:
        """All seats with a token ask for the deal after this one."""
        deal, tables = hand + 1, self.at.tables
        view = await tables.view(self.table, Seat.S0)
        if view.phase == "thrown_in":
            await tables.do(self.table, DealAgain(deal))
            return
        for seat in self.tokens:
            rematch = view.phase == "finished"
            asked = AskRematch(seat) if rematch else AskNextHand(seat, deal)
            await tables.do(self.table, asked)
            await self._settle()
