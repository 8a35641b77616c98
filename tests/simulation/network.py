"""Sockets and a fan-out that delay, double and lose.

A line is one connection. Each way it keeps its order; between lines there is none.
A line that is cut loses what is under way, and its ends may notice much later.
"""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from terziglio_api.ports import Listener
from terziglio_api.sockets import Gone

__all__ = ["Cut", "Json", "Line", "SimFanout", "Weather"]

Json = dict[str, Any]


class Cut(Exception):
    """The connection is gone; ``code`` if it was closed in good order."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Weather:
    """How bad the network is: drawn once, and fine once the faults stop."""

    random: Random
    latency: float
    """Mean seconds one way."""
    window: int
    """Frames that it holds for a reader who does not read."""
    lost_pokes: float
    doubled_pokes: float
    late_pokes: float

    def delay(self) -> float:
        """Draw how long something takes one way."""
        return self.random.expovariate(1 / self.latency)

    def happens(self, chance: float) -> bool:
        """Draw whether something of this chance happens."""
        return chance > 0 and self.random.random() < chance

    def clear(self) -> None:
        """Lose nothing more; late and twice it may be as before."""
        self.lost_pokes = 0.0


class Notes(Protocol):
    """Who writes down what a line carries."""

    def said(self, message: Json | str) -> None:
        """The client has sent this."""
        ...

    def sent(self, frame: Json, text: str) -> None:
        """The service has sent this."""
        ...

    def heard(self, frame: Json) -> None:
        """The client has got this."""
        ...


@dataclass
class _Way:
    """One direction: what has arrived, and when the last under way will."""

    arrived: "deque[Any]" = field(default_factory=deque)
    last: float = 0.0
    stir: asyncio.Event = field(default_factory=asyncio.Event)
    ended: Exception | None = None
    """What the reader finds after what has arrived."""

    def end(self, ended: Exception) -> None:
        if self.ended is None:
            self.ended = ended
        self.stir.set()

    async def next(self) -> Any:
        while not self.arrived:
            if self.ended is not None:
                raise self.ended
            self.stir.clear()
            await self.stir.wait()
        return self.arrived.popleft()


class Line:
    """One websocket: the service's end is a ``Socket``, the rest the client's."""

    def __init__(self, weather: Weather, notes: Notes) -> None:
        self._loop = asyncio.get_running_loop()
        self.opened = self._loop.time()
        self._weather = weather
        self._notes = notes
        self._up, self._down = _Way(), _Way()
        self._room = asyncio.Event()
        self._waiting = 0
        self.broken = False
        """What is sent from now on reaches nobody."""
        self.doomed = False
        """It breaks soon after the next message has reached the service."""

    async def receive(self) -> str | bytes:
        """Return the client's next message."""
        raw: str | bytes = await self._up.next()
        if self.doomed:
            soon = self._weather.random.expovariate(50)
            self._loop.call_later(soon, self.cut, 0.0)
        return raw

    async def send(self, text: str) -> None:
        """Send a frame; wait while the client has too many unread."""
        while self._waiting >= self._weather.window and self._up.ended is None:
            self._room.clear()
            await self._room.wait()
        if self._up.ended is not None:
            raise Gone
        self._launch(text)

    def write(self, *texts: str) -> bool:
        """Send frames at once; now and then that cannot be done for no reason."""
        room = self._waiting < self._weather.window
        if not room or self._up.ended is not None or self._weather.happens(0.1):
            return False
        for text in texts:
            self._launch(text)
        return True

    def _launch(self, text: str) -> None:
        frame: Json = json.loads(text)
        self._notes.sent(frame, text)
        self._waiting += 1
        self._carry(self._down, lambda: self._arrive(self._down, frame))

    async def close(self, code: int) -> None:
        """Close behind what was sent."""
        if self._up.ended is not None:
            raise Gone
        self._carry(self._down, lambda: self._down.end(Cut(code)))
        self._up.end(Gone())

    def abort(self) -> None:
        """Take the service's end away: its side of the line has ended."""
        self._up.end(Gone())
        self._room.set()
        self._carry(self._down, lambda: self._down.end(Cut()))

    def say(self, message: Json | str) -> None:
        """Send a message as the client."""
        self._notes.said(message)
        raw = message if isinstance(message, str) else json.dumps(message)
        self._carry(self._up, lambda: self._arrive(self._up, raw))

    async def hear(self) -> Json:
        """Return the next frame as the client.

        Raises:
            Cut: the connection is gone.
        """
        frame: Json = await self._down.next()
        self._waiting -= 1
        self._room.set()
        self._notes.heard(frame)
        return frame

    def hang_up(self) -> None:
        """Close as the client: nothing more is heard, what was said arrives."""
        self._down.end(Cut())
        self._carry(self._up, self._server_notices)

    def cut(self, notice: float) -> None:
        """Lose all that is under way; each end notices after up to ``notice`` s."""
        self.broken = True
        late = self._weather.random.uniform(0, notice), self._weather.random.random()
        self._loop.call_later(late[0], self._server_notices)
        self._loop.call_later(late[1], lambda: self._down.end(Cut()))

    def _server_notices(self) -> None:
        self._up.end(Gone())
        self._room.set()

    def _arrive(self, way: _Way, what: Any) -> None:
        if not self.broken and way.ended is None:
            way.arrived.append(what)
            way.stir.set()

    def _carry(self, way: _Way, then: Callable[[], None]) -> None:
        # Timers of one instant have no order: each is a little later than the last.
        due = self._loop.time() + self._weather.delay()
        way.last = max(way.last + 1e-6, due)
        self._loop.call_at(way.last, then)


class SimFanout:
    """A ``Fanout`` whose pokes may come late, twice or never.

    Who listens to every table, the driver of the same process, misses none.
    """

    def __init__(self, weather: Weather) -> None:
        self.alive = True
        self._weather = weather
        self._listeners: defaultdict[str | None, dict[Listener, None]]
        self._listeners = defaultdict(dict)

    def poke(self, table: str, seq: int) -> None:
        """Tell who listens, in some way."""
        weather = self._weather
        for key in (table, None):
            for listener in tuple(self._listeners.get(key, ())):
                if key is not None and weather.happens(weather.lost_pokes):
                    continue
                for _ in range(1 + weather.happens(weather.doubled_pokes)):
                    if weather.happens(weather.late_pokes):
                        loop = asyncio.get_running_loop()
                        args = (key, listener, table, seq)
                        loop.call_later(weather.delay(), self._late, *args)
                    else:
                        listener(table, seq)

    def _late(self, key: str | None, listener: Listener, table: str, seq: int) -> None:
        if self.alive and listener in self._listeners.get(key, ()):
            listener(table, seq)

    @contextmanager
    def listen(
        self, listener: Listener, table: str | None = None
    ) -> Generator[None, None, None]:
        """Call the listener at pokes while the context is open."""
        self._listeners[table][listener] = None
        try:
            yield
        finally:
            self._listeners[table].pop(listener, None)
