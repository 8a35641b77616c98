"""Whether new tables are let in: not while the service stops, nor when it is full.

Tables that are open go on in either case.
"""

import asyncio
from typing import Final

from terziglio_api.commands import Code, Refusal
from terziglio_api.metrics import Metrics
from terziglio_api.sockets import Roster

__all__ = ["Gate"]

_EVERY_S: Final = 0.25
"""Between two measurements of the event loop's lag."""
_MEMORY: Final = 0.8
"""How much of the last lag is remembered at the next measurement."""
_RETRY_S: Final = 5


class Gate:
    """The door that new tables come through.

    Args:
        roster: the open sockets.
        metrics: where the lag is told.
        most_sockets: more of them, and the service is full.
        most_lag_ms: more of it, and the service is full.
    """

    def __init__(
        self, roster: Roster, metrics: Metrics, most_sockets: int, most_lag_ms: int
    ) -> None:
        self.draining = False
        """The service stops."""
        self._roster = roster
        self._metrics = metrics
        self._most_sockets = most_sockets
        self._most_lag_s = most_lag_ms / 1000
        self._lag_s = 0.0

    async def watch(self) -> None:
        """Measure how late the event loop is, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            start = loop.time()
            await asyncio.sleep(_EVERY_S)
            lag = max(0.0, loop.time() - start - _EVERY_S)
            self._metrics.lag_seconds.observe(lag)
            self._lag_s = max(lag, self._lag_s * _MEMORY)

    def demand(self) -> None:
        """Let a new table in.

        Raises:
            Refusal: ``draining``, ``overloaded``.
        """
        if self.draining:
            raise Refusal(Code.DRAINING, retry_s=_RETRY_S)
        if self._roster.size >= self._most_sockets or self._lag_s > self._most_lag_s:
            raise Refusal(Code.OVERLOADED, retry_s=_RETRY_S)
