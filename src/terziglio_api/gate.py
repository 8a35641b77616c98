"""Whether new tables are let in: not while the service stops, nor when it is full.

Tables that are open go on in either case.
"""

import asyncio
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from statistics import median
from typing import Final

from terziglio_api.commands import Code, Refusal
from terziglio_api.metrics import Metrics
from terziglio_api.sockets import Roster

__all__ = ["RETRY_S", "Gate"]

_EVERY_S: Final = 0.25
"""Between two measurements of the event loop's lag."""
_REMEMBERED: Final = 20
"""Measurements of which the median counts: one late moment is no overload."""
RETRY_S: Final = 5
"""When to come back to a service that is full or stops."""


class Gate:
    """The door that new tables come through.

    Args:
        roster: the open sockets.
        metrics: where the lag is told.
        most_sockets: more of them, and the service is full.
        most_lag_ms: more of it for some seconds, and the service is full.
    """

    def __init__(
        self, roster: Roster, metrics: Metrics, most_sockets: int, most_lag_ms: int
    ) -> None:
        self.draining = False
        """The service stops."""
        self._waiting: set[asyncio.Event] = set()
        self._roster = roster
        self._metrics = metrics
        self._most_sockets = most_sockets
        self._most_lag_s = most_lag_ms / 1000
        self._lags: deque[float] = deque([0.0] * _REMEMBERED, _REMEMBERED)

    async def watch(self) -> None:
        """Measure how late the event loop is, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            start = loop.time()
            await asyncio.sleep(_EVERY_S)
            lag = max(0.0, loop.time() - start - _EVERY_S)
            self._metrics.lag_seconds.observe(lag)
            self._lags.append(lag)

    def drain(self) -> None:
        """Let nobody in any more, and wake who waits for something to happen."""
        self.draining = True
        for event in self._waiting:
            event.set()

    @contextmanager
    def waking(self, event: asyncio.Event) -> Generator[None, None, None]:
        """Set the event if the service stops while the context is open."""
        self._waiting.add(event)
        try:
            yield
        finally:
            self._waiting.discard(event)

    def demand(self) -> None:
        """Let a new table in.

        Raises:
            Refusal: ``draining``, ``overloaded``.
        """
        if self.draining:
            raise Refusal(Code.DRAINING, retry_s=RETRY_S)
        late = median(self._lags) > self._most_lag_s
        if late or self._roster.size >= self._most_sockets:
            raise Refusal(Code.OVERLOADED, retry_s=RETRY_S)
