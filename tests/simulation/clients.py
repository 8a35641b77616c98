"""A client as a front end would be: it knows frames, and nothing of the service.

It plays at random, drops off, comes back with what it has, says things twice, and now
and then says what is wrong.
"""

import asyncio
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from simulation.network import Cut, Json, Line

__all__ = ["Client", "Habits", "Host"]

_BAD_TOKEN: Final = 4401
_ANSWER_S: Final = 30.0
"""A connection that leaves an action or a ping unanswered so long is given up."""
_HEARTBEAT_S: Final = 10.0


class Host(Protocol):
    """What is around a client."""

    @property
    def calm(self) -> bool:
        """Whether the faults have stopped."""
        ...

    async def token(self, client: "Client") -> str:
        """Return the seat's token; wait until it has one."""
        ...

    def connect(self, client: "Client") -> Line | None:
        """Open a line to the seat's table; ``None`` while nobody answers."""
        ...


@dataclass(frozen=True)
class Habits:
    """How a client behaves; each is a chance or a number of seconds."""

    random: Random
    think: float
    twice: float
    """Says an action twice."""
    again: float
    """Says an action again that was acknowledged long ago."""
    wrong: float
    """Says something wrong first."""
    forget: float
    """Comes back with its token alone."""
    curious: float
    """Asks for a resync, or says hello once more, for no reason."""
    patience: float | None
    """After so much silence it asks for a resync; ``None``: never."""
    sleepy: float
    """Leaves a decision to the clock, if there is one."""
    passes: float
    """Passes, whatever else it may bid."""


class Client:
    """One seat's program; ``done`` once it has seen the table closed."""

    def __init__(
        self, host: Host, name: str, place: tuple[int, int], habits: Habits
    ) -> None:
        self.host = host
        self.name = name
        self.table, self.seat = place
        self.habits = habits
        self.done = asyncio.Event()
        self.out = False
        """It lost its seat, and the table ended before it had it back."""
        self.stuck = 0.0
        """Until when it reads nothing."""
        self.view: Json | None = None
        self.seq: int | None = None
        self.line: Line | None = None
        self._random = habits.random
        self._loop = asyncio.get_running_loop()
        self._pending: Json | None = None
        self._told: list[Json] = []
        """Actions that were acknowledged."""
        self._answered = ""
        self._number = 0
        self._act_at: float | None = None
        self._since = 0.0
        """Since when an answer is waited for."""
        self._heard_at = 0.0
        self._pings = 0
        self._ping_at = 0.0
        self._retry_s: float | None = None

    async def run(self) -> None:
        """Live until cancelled."""
        while True:
            if self._retry_s is None:
                self._retry_s = self._random.uniform(0.1, 3)
            await asyncio.sleep(self._retry_s)
            self._retry_s = None
            token = await self.host.token(self)
            self.line = self.host.connect(self)
            if self.line is None:
                continue
            try:
                await self._live(self.line, token)
            except Cut as cut:
                if cut.code == _BAD_TOKEN:
                    self.forget()
                    self._retry_s = self._random.uniform(1, 5)
            finally:
                self.line = None

    def forget(self) -> None:
        """Lose all but what the host of the table can help with."""
        self.view = self.seq = self._pending = self._act_at = None
        self._told.clear()
        self._answered = ""

    async def _live(self, line: Line, token: str) -> None:
        if not self.host.calm and self._happens(self.habits.forget):
            self.forget()
        self._hello(line, token)
        now = self._loop.time()
        self._heard_at, self._ping_at, self._pings = now, now + _HEARTBEAT_S, 0
        if self._pending is not None:
            self._say(line, self._pending)
        while True:
            if self.stuck > self._loop.time():
                await asyncio.sleep(self.stuck - self._loop.time())
            try:
                async with asyncio.timeout_at(self._wake()):
                    frame = await line.hear()
            except TimeoutError:
                self._tick(line, token)
            else:
                self._take(line, frame)

    def _hello(self, line: Line, token: str) -> None:
        line.say({"type": "hello", "token": token, "after": self.seq})

    def _say(self, line: Line, message: Json) -> None:
        self._since = self._loop.time()
        line.say(message)
        if not self.host.calm and self._happens(self.habits.twice):
            line.say(message)

    def _wake(self) -> float:
        """When there is something to do besides listening."""
        wake = self._ping_at
        if self._act_at is not None:
            wake = min(wake, self._act_at)
        if self.habits.patience is not None:
            wake = min(wake, self._heard_at + self.habits.patience)
        return wake

    def _tick(self, line: Line, token: str) -> None:
        """Do what is due by now."""
        now = self._loop.time()
        waits = self._pending is not None and now - self._since > _ANSWER_S
        if waits or self._pings * _HEARTBEAT_S > _ANSWER_S:
            line.hang_up()
            raise Cut
        if self._act_at is not None and self._act_at <= now:
            self._act_at = None
            self._act(line, token)
        if self._ping_at <= now:
            self._pings += 1
            self._ping_at = now + _HEARTBEAT_S
            line.say({"type": "ping", "n": self._pings})
        patience = self.habits.patience
        if patience is not None and self._heard_at + patience <= now:
            self._heard_at = now
            line.say({"type": "resync"})

    def _take(self, line: Line, frame: Json) -> None:
        if frame["type"] != "pong":
            self._heard_at = self._loop.time()
        match frame["type"]:
            case "event":
                seq, snapshot = frame["seq"], frame["event"]["kind"] == "snapshot"
                if not snapshot and self.seq is not None and seq > self.seq + 1:
                    line.say({"type": "resync"})
                else:
                    self.seq = max(seq, self.seq or 0)
                    self._see(frame["view"])
            case "ack" if self._is_pending(frame):
                assert self._pending is not None
                self._told.append(self._pending)
                self._pending = None
                self._plan()
            case "error" if self._is_pending(frame):
                self._refused(line, frame)
            case "pong":
                self._pings = 0
            case "bye":
                retry_ms = frame.get("retry_ms")
                self._retry_s = None if retry_ms is None else retry_ms / 1000
            case _:
                pass

    def _is_pending(self, frame: Json) -> bool:
        return self._pending is not None and self._pending["id"] == frame.get("id")

    def _refused(self, line: Line, frame: Json) -> None:
        if frame["code"] in {"storage_unavailable", "rate_limited"}:
            self._loop.call_later(self._random.uniform(0.5, 2), self._once_more, line)
            return
        self._pending = None
        self._answered = ""
        if frame.get("view") is not None:
            self._see(frame["view"])

    def _once_more(self, line: Line) -> None:
        if self.line is line and self._pending is not None:
            self._say(line, self._pending)

    def _see(self, view: Json) -> None:
        if self.view is None or view["seq"] >= self.view["seq"]:
            self.view = view
        if self.view["closed"]:
            self.done.set()
        self._plan()

    def _plan(self) -> None:
        """Decide when to act, if there is anything to do."""
        wanted = self._wanted()
        if self._act_at is None and self._pending is None and wanted is not None:
            assert self.view is not None
            clocked = self.view["clock"] is not None and "decision" in wanted
            if clocked and self._happens(self.habits.sleepy):
                self._answered = wanted["decision"]
                return
            think = self._random.expovariate(1 / self.habits.think)
            self._act_at = self._loop.time() + think

    def _wanted(self) -> Json | None:
        """Return what is to be said now, without its id."""
        view = self.view
        if view is None:
            return None
        if view["options"] is not None:
            decision = view["turn"]["decision"]
            if decision == self._answered:
                return None
            return {"type": "action", "decision": decision}
        asked = view["seats"][self.seat]["wants_next"]
        if view["phase"] == "count" and not asked:
            return {"type": "next_hand", "deal": view["match"]["deal"]}
        if view["phase"] == "finished" and not asked and not view["closed"]:
            return {"type": "rematch"}
        return None

    def _act(self, line: Line, token: str) -> None:
        message = self._wanted()
        if message is None or self._pending is not None:
            return
        if not self.host.calm:
            self._misbehave(line, token)
        self._number += 1
        message["id"] = f"{self.name}.{self._number}"
        if message["type"] == "action":
            assert self.view is not None
            message["action"] = self._choose(self.view["options"])
            self._answered = message["decision"]
        self._pending = message
        self._say(line, message)

    def _choose(self, options: Json) -> Json:
        random = self._random
        match options["type"]:
            case "bid":
                passes = random.random() < self.habits.passes
                bid = "pass" if passes else random.choice(options["bids"])
                return {"type": "bid", "bid": bid}
            case "call":
                return {"type": "call", "card": random.choice(options["cards"])}
            case "discard":
                count, back = options["count"], options["give_back"]
                cards = random.sample(options["from"], count + back)
                given = {"give_back": cards[-1]} if back else {}
                return {"type": "discard", "cards": cards[:count], **given}
            case _:
                return {"type": "play", "card": random.choice(options["cards"])}

    def _misbehave(self, line: Line, token: str) -> None:
        if self._told and self._happens(self.habits.again):
            line.say(self._random.choice(self._told))
        if self._happens(self.habits.wrong):
            line.say(self._something_wrong())
        if self._happens(self.habits.curious):
            if self._happens(0.5):
                line.say({"type": "resync"})
            else:
                self._hello(line, token)

    def _something_wrong(self) -> Json | str:
        self._number += 1
        name = f"{self.name}.{self._number}"
        play = {"type": "play", "card": "3S"}
        return self._random.choice(
            (
                '{"type": "action", "id":',
                {"type": "action", "id": name, "decision": "1.1", "action": play},
                {"type": "action", "id": name, "decision": "1.1"},
                {"type": "next_hand", "id": name, "deal": 99},
            )
        )

    def _happens(self, chance: float) -> bool:
        return self._random.random() < chance
