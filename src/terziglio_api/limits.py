"""Rate limits: token buckets, kept in memory.

A bucket holds ``burst`` tokens and gets ``per_s`` new ones a second; each request takes
one. What is kept is only the time at which the bucket will be full again (GCRA).
"""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from terziglio_api.commands import Code, Refusal

__all__ = ["ANSWERS", "Limiter", "Limits", "Rate", "limited"]

_SWEEP: Final = 1024
"""Requests between two looks for buckets that are full again."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second, after a burst; 0 a second: no limit."""

    per_s: float
    burst: int


ANSWERS: Final = Rate(0.1, 20)
"""Tries at what the table waits for, which no other limit counts: the right answer ends
the waiting, so only wrong ones ever use them up."""


class Limiter:
    """One bucket for each key.

    Args:
        rate: of every bucket.
        clock: seconds that only go up.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._full_at: dict[Hashable, float] = {}
        self._taken = 0

    def take(self, key: Hashable) -> float:
        """Take a token; return 0, or if there is none the seconds until there is."""
        per_s, burst = self._rate.per_s, self._rate.burst
        if per_s <= 0:
            return 0
        self._taken += 1
        now = self._clock()
        if self._taken % _SWEEP == 0:
            self._sweep(now)
        full_at = max(now, self._full_at.get(key, now))
        wait = full_at - now - (burst - 1) / per_s
        if wait > 1e-9:  # less is rounding
            return wait
        self._full_at[key] = full_at + 1 / per_s
        return 0

    def give_back(self, key: Hashable) -> None:
        """Put back a token that was taken for nothing."""
        if key in self._full_at:
            self._full_at[key] -= 1 / self._rate.per_s

    def demand(self, key: Hashable) -> None:
        """Take a token.

        Raises:
            Refusal: ``rate_limited``: there is none.
        """
        wait = self.take(key)
        if wait:
            raise limited(wait)

    def _sweep(self, now: float) -> None:
        self._full_at = {key: at for key, at in self._full_at.items() if at > now}


def limited(wait: float) -> Refusal:
    """Return the refusal of one who is to come back after so many seconds."""
    return Refusal(Code.RATE_LIMITED, retry_s=max(1, -int(-wait // 1)))


class Limits:
    """The limits of requests: by seat, by address, and of new tables by address."""

    def __init__(self, seat: Rate, address: Rate, tables: Rate) -> None:
        self.seat = Limiter(seat)
        self.address = Limiter(address)
        self.tables = Limiter(tables)
        self.answers = Limiter(ANSWERS)
