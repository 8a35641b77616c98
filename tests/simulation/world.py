"""The world of a run: a disk, a network, tables with their people, and faults."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from typing import Any, Final, TypeVar

from simulation import plan as plans
from simulation.clients import Client
from simulation.history import Judge, Transcript
from simulation.network import Json, Line
from simulation.plan import Plan
from simulation.seats import Place
from simulation.server import Server
from simulation.storage import Disk
from terziglio.seats import Seat
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from terziglio_api.table import Table
from terziglio_api.timing import due

__all__ = ["Verdict", "World"]

_T = TypeVar("_T")
_EPOCH_MS: Final = 1_800_000_000_000
_QUIET_S: Final = 90.0
"""A table that is not over and does not move for so long has stalled."""
_PROMPT_S: Final = 12.0
"""Undisturbed for so long, the service has done what is due and told everybody."""
_LIMIT_S: Final = 20_000.0
_SETTLE_S: Final = 20.0


@dataclass
class Verdict:
    """What came of a run."""

    seed: int
    wrong: list[str] = field(default_factory=list)
    """What happened that must not; empty in a good run."""
    trace: str = ""
    """The hash of all that was said, sent, heard and stored, with its times."""
    counts: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    """The trace itself, if it was asked for."""

    def __str__(self) -> str:
        again = f"to see it again: PYTHONPATH=tests python -m simulation {self.seed}"
        return "\n".join((f"seed {self.seed}, {again}", *self.wrong[:10]))


class World:
    """The disk, the network, the service's lives, the tables and their people."""

    def __init__(
        self, random: Random, plan: Plan, verdict: Verdict, *, tell: bool
    ) -> None:
        self.random = random
        self.plan = plan
        self.disk = Disk()
        self.weather = plans.weather(random, self.plan)
        self.settings = Settings(
            database=None,
            outbox=plan.outbox,
            # Where no poke is lost, the slow tick is to have nothing to make good.
            heartbeat_s=10 if plan.lossy else 10_000,
            socket_rate=plan.rate,
            socket_burst=2 + round(plan.rate),
        )
        self.calm = False
        self._loop = asyncio.get_running_loop()
        self._verdict = verdict
        self._tell = tell
        self._hash = blake2b(digest_size=16)
        self._transcripts: dict[Line, Transcript] = {}
        self._live: list[Table] = []
        self._moved: dict[str, float] = {}
        self._starts: list[int] = []
        self._disturbed = 0.0
        """When the service or its disk last had trouble."""
        self._places = [Place(self, table) for table in self.plan.tables]
        self._clients = [
            Client(self, name, (number, seat), plans.habits(random, self.plan))
            for number, place in enumerate(self._places)
            for seat in place.people
            for name in (f"{seat}", f"{seat}m")[: 1 + (seat in place.plan.mirrors)]
        ]
        self._server: Server | None = Server(self)

    # What the service, the lines and the clients see of it.

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return _EPOCH_MS + int(self._loop.time() * 1000)

    def stamp(self) -> str:
        """Return the time as the service writes it."""
        return f"{self._loop.time():.3f}"

    def wrong(self, what: str) -> None:
        """Note what must not happen."""
        self._verdict.wrong.append(f"{self.stamp()} {what}")

    def note(self, kind: str, who: str, text: str = "") -> None:
        """Write something into the trace."""
        line = f"{self._loop.time():.6f} {kind} {who} {text}"
        self._hash.update(line.encode())
        counts = self._verdict.counts
        counts[kind] = counts.get(kind, 0) + 1
        if self._tell:
            self._verdict.lines.append(line)

    def started(self) -> None:
        """Note that the service has come up."""
        self._starts.append(self.now())

    def stored(self, table: str, seq: int) -> None:
        """Note that a table's log has grown."""
        self._moved[table] = self._loop.time()
        self.note("stored", table, str(seq))

    async def token(self, client: Client) -> str:
        """Return a client's token, once it has one."""
        return await self._places[client.table].token(Seat(client.seat))

    def connect(self, client: Client) -> Line | None:
        """Open a line, if the service is up."""
        if self._server is None:
            return None
        table = self._places[client.table].id
        transcript = Transcript(table, client.seat)
        line = Line(self.weather, _Notes(self, client.name, transcript))
        self._transcripts[line] = transcript
        self._server.accept(line, table)
        return line

    async def ask(self, what: Callable[[TableService], Coroutine[Any, Any, _T]]) -> _T:
        """Make a request whose way there or back may fail."""
        await asyncio.sleep(self.weather.delay())
        if self._server is None:
            raise ConnectionError
        answer = await self._server.call(what)
        if not self.calm and self.weather.happens(0.1):
            raise ConnectionError
        return answer

    def durable(self, table: str, frame: Json) -> None:
        """See that what a frame tells is on the disk."""
        view = frame.get("view") or {}
        seq = max(frame.get("seq", 0), view.get("seq", 0))
        if seq > self.disk.head(table):
            self.wrong(f"told {seq}, durable is {self.disk.head(table)}: {frame}")

    # The run.

    async def live(self) -> None:
        """Live until every table is over and everybody has seen it; then judge."""
        doing = [
            *(self._hosted(place) for place in self._places),
            *(client.run() for client in self._clients),
            *self._faults(),
        ]
        tasks = [asyncio.create_task(part) for part in doing]
        over = asyncio.create_task(self._until_over())
        pending = {over, *tasks}
        while over in pending and not self._verdict.wrong:
            _, pending = await asyncio.wait(pending, return_when="FIRST_COMPLETED")
            for task in (over, *tasks):
                if task.done() and task.exception() is not None:
                    self.wrong(f"the simulator broke: {task.exception()!r}")
        for task in tasks:
            task.cancel()
        if self._server is not None:
            self._live += self._server.states
        self._verdict.trace = self._hash.hexdigest()
        self._judge()
        if self._server is not None:
            await self._server.kill()

    async def _until_over(self) -> None:
        """Wait for the end; see that nothing stalls once the faults have stopped."""
        calm_at = 0.0
        while not all(client.done.is_set() for client in self._clients):
            await asyncio.sleep(1)
            now, faults = self._loop.time(), self.plan.faults
            if not self.calm and now >= faults.until:
                calm_at = now
                self._calm()
            self._look_around()
            moved = max(calm_at, *self._moved.values(), 0)
            if self.calm and now - moved > _QUIET_S:
                self.wrong(f"nothing has moved for {_QUIET_S} s: {self._standing()}")
                return
            if now > _LIMIT_S:
                self.wrong(f"there is no end to it: {self._standing()}")
                return
        self._calm()
        await asyncio.sleep(_SETTLE_S)
        for client in self._clients:
            if client.line is not None and not client.line.broken:
                self._transcripts[client.line].whole = True

    def _look_around(self) -> None:
        """See that nobody waits for something that the service owes him."""
        if self._server is None or self.disk.failing:
            return
        now = self._loop.time()
        for state in self._server.states:
            owed = due(state, self._starts[-1], self.plan.thrown_in_ms)
            if owed is None:
                continue
            since = max(self._disturbed, (owed.at - _EPOCH_MS) / 1000)
            if now - since > _PROMPT_S:
                self.wrong(f"{state.id} at {state.seq}: the service owes a move")
        for client in self._clients:
            line, table = client.line, self._places[client.table].id
            if line is None or line.broken or not client.seq:
                continue
            since = max(self._disturbed, self._moved[table], line.opened, client.stuck)
            if client.seq < self.disk.head(table) and now - since > _PROMPT_S:
                self.wrong(f"client {client.name} is not told after {client.seq}")

    def _calm(self) -> None:
        self.calm = True
        self._disturbed = self._loop.time()
        self.disk.failing = 0.0
        self.weather.clear()

    def _standing(self) -> str:
        heads = [self.disk.head(place.id) for place in self._places]
        seen = [(client.name, client.seq) for client in self._clients]
        return f"logs at {heads}, clients at {seen}"

    async def _hosted(self, place: Place) -> None:
        """Gather a table's people; end it when its host has had enough."""
        await place.gather()
        host = next(
            client
            for client in self._clients
            if self._places[client.table] is place and not client.seat
        )
        first_match = 0
        while True:
            await asyncio.sleep(1)
            if host.view is None:
                continue
            match, finished = host.view["match"], host.view["phase"] == "finished"
            if finished and not first_match:
                first_match = match["deal"]
            match place.plan.goal:
                case "rows" if host.view["seq"] >= place.plan.rows or finished:
                    break
                case "match" if finished:
                    break
                case "rematch" if first_match and match["deal"] > first_match:
                    break
                case _:
                    pass
        await place.close()

    def _faults(self) -> Iterator[Coroutine[Any, Any, None]]:
        faults = self.plan.faults
        kinds: tuple[tuple[float, Callable[[], Coroutine[Any, Any, None]]], ...] = (
            (faults.cut, self._cut),
            (faults.crash, self._crash),
            (faults.restart, self._restart),
            (faults.disk, self._disk_fails),
            (faults.slow, self._read_slowly),
            (faults.lose, self._lose_all),
        )
        for mean, fault in kinds:
            if mean and faults.until:
                yield self._again_and_again(mean, fault)

    async def _again_and_again(
        self, mean: float, fault: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        random = Random(self.random.randbytes(16))
        while True:
            await asyncio.sleep(random.expovariate(1 / mean))
            if self.calm:
                return
            await fault()

    async def _cut(self) -> None:
        client = self.random.choice(self._clients)
        if client.line is not None:
            self.note("cut", client.name)
            if self.random.random() < 0.5:
                client.line.doomed = True
            else:
                client.line.cut(self.random.choice((0.0, 1.0, 20.0)))

    async def _crash(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            self.note("crash", "")
            self._live += server.states
            await server.kill()
            await self._start()

    async def _restart(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            self.note("restart", "")
            await server.stop()
            self._live += server.states
            await self._start()

    async def _start(self) -> None:
        await asyncio.sleep(self.random.uniform(0.1, 5))
        self.note("start", "")
        self._disturbed = self._loop.time()
        self._server = Server(self)
        if self.plan.faults.disk and self.random.random() < 0.5:
            await self._disk_fails()

    async def _disk_fails(self) -> None:
        self.note("disk", "")
        self.disk.failing = self.random.choice((0.3, 1.0))
        await asyncio.sleep(self.random.expovariate(1 / 3))
        self.disk.failing = 0.0
        self._disturbed = self._loop.time()

    async def _read_slowly(self) -> None:
        client = self.random.choice(self._clients)
        self.note("slow", client.name)
        client.stuck = self._loop.time() + self.random.choice((0.5, 3.0, 12.0))

    async def _lose_all(self) -> None:
        client = self.random.choice(self._clients)
        place = self._places[client.table]
        seat = Seat(client.seat)
        if seat and seat not in place.plan.mirrors and client.seq and place.id:
            self.note("lost", client.name)
            await place.reissue(seat, client)

    # The verdict.

    def _judge(self) -> None:
        wrong = self._verdict.wrong
        judges: dict[str, Judge] = {}
        for place in self._places:
            if place.id:
                judges[place.id] = Judge(
                    place.id, self.disk.events(place.id), place.people
                )
        for judge in judges.values():
            wrong.extend(judge.of_the_log())
            wrong.extend(judge.of_clocks(self._starts))
        for live in self._live:
            wrong.extend(judges[live.id].of_state(live))
        for transcript in self._transcripts.values():
            wrong.extend(judges[transcript.table].of(transcript))
        for client in self._clients:
            place = self._places[client.table]
            stays = place.id and not client.out
            if stays and client.seq != judges[place.id].head and not wrong:
                wrong.append(f"client {client.name} ends at {client.seq}")


class _Notes:
    """Writes down what one line carries."""

    def __init__(self, world: World, name: str, transcript: Transcript) -> None:
        self._world = world
        self._name = name
        self._transcript = transcript

    def said(self, message: Json | str) -> None:
        kept = {"type": "rubbish"} if isinstance(message, str) else message
        self._transcript.entries.append((True, kept))
        self._world.note("said", self._name, json.dumps(message))

    def sent(self, frame: Json, text: str) -> None:
        self._transcript.entries.append((False, frame))
        self._world.note("sent", self._name, text)
        self._world.durable(self._transcript.table, frame)

    def heard(self, frame: Json) -> None:
        self._world.note("heard", self._name, str(frame.get("seq")))
