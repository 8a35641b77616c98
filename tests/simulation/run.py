"""Runs a seed: puts chance and time under it, lives it through, and judges it."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from unittest import mock

from simulation.clock import run
from simulation.plan import Plan, planned
from simulation.world import Verdict, World
from terziglio_api import shelf, sockets, tokens
from terziglio_api.limits import Limiter

__all__ = ["simulate"]


def simulate(seed: int, *, tell: bool = False) -> Verdict:
    """Live through a seed and judge it; ``tell`` keeps the whole trace."""
    verdict = Verdict(seed)
    random = Random(f"simulation {seed}")
    plan, delay = planned(random), Random(random.randbytes(16))
    with _injected(random, plan, verdict) as now:

        async def main() -> None:
            world = World(random, plan, verdict, tell=tell)
            now.append(asyncio.get_running_loop().time)
            await world.live()

        try:
            run(main(), lambda: delay.expovariate(1 / plan.thread))
        except Exception as error:
            verdict.wrong.append(f"the run ended with {error!r}")
    return verdict


@contextmanager
def _injected(
    random: Random, plan: Plan, verdict: Verdict
) -> Iterator[list[Callable[[], float]]]:
    """Put seeds and virtual time where the service takes chance and time by itself.

    Its tokens, table ids, the spread of its restart and the clock of its limits have no
    argument of their own; what it keeps in memory is drawn so small that it overflows.
    """
    now: list[Callable[[], float]] = []

    def stamp() -> float:
        return now[0]()

    drawn = Random(random.randbytes(16))
    draws = mock.Mock(
        token_urlsafe=lambda size: drawn.randbytes(size).hex(),
        token_hex=lambda size: drawn.randbytes(size).hex(),
        randbelow=drawn.randrange,
    )
    errors = _Errors(verdict)
    logger = logging.getLogger("terziglio_api")
    logger.addHandler(errors)
    with (
        mock.patch.object(tokens, "secrets", draws),
        mock.patch.object(sockets, "secrets", draws),
        mock.patch.object(Limiter.__init__, "__defaults__", (stamp,)),
        mock.patch.object(shelf, "_READY", plan.ready),
        mock.patch.object(shelf, "_TAIL", plan.tail),
    ):
        try:
            yield now
        finally:
            logger.removeHandler(errors)


class _Errors(logging.Handler):
    """Takes every error that the service logs for a fault."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(logging.ERROR)
        self._verdict = verdict

    def emit(self, record: logging.LogRecord) -> None:
        self._verdict.wrong.append(f"logged: {record.getMessage()}")
