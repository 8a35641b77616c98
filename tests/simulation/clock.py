"""Virtual time: an event loop that never waits.

When nothing is ready the clock jumps to the next timer. Threads are not threads: what
is sent to one is computed at once, and its result comes after a drawn delay. So one
seed gives one order of everything.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from typing import Any, Final, Protocol, TypeVar

__all__ = ["OWNER", "Owner", "Stalled", "VirtualLoop", "run"]

_T = TypeVar("_T")
_SPINS: Final = 200_000
"""Rounds at one instant after which the code is held to go round in circles."""


class Stalled(Exception):
    """Nothing can ever happen again, or time stands still."""


class Owner(Protocol):
    """Who owns tasks, and can be thrown away with all of them."""

    tasks: "dict[asyncio.Task[Any], None]"


OWNER: Final[ContextVar[Owner | None]] = ContextVar("OWNER", default=None)
"""Whose tasks are made in this context: tasks of tasks are, too."""


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop on virtual time.

    Args:
        delay: draws how many seconds a thread takes.
    """

    def __init__(self, delay: Callable[[], float]) -> None:
        super().__init__()
        self._time = 0.0
        self._spins = 0
        self._delay = delay
        self._selector = self  # the base class asks it how long nothing happens
        self._clock_resolution = 1e-6
        self.set_task_factory(_owned)  # type: ignore[arg-type]

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._time

    def select(self, timeout: float | None) -> list[Any]:
        """Let the time pass for which a real loop would wait."""
        if timeout is None:
            raise Stalled("nothing is ready and no timer runs")
        self._spins = 0 if timeout > 0 else self._spins + 1
        if self._spins > _SPINS:
            raise Stalled("time stands still")
        self._time += max(0.0, timeout)
        return []

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., _T], *args: Any
    ) -> "asyncio.Future[_T]":
        """Compute at once, settle after a drawn delay."""
        future: asyncio.Future[_T] = self.create_future()
        try:
            settle, outcome = future.set_result, func(*args)
        except Exception as error:
            settle, outcome = future.set_exception, error  # type: ignore[assignment]
        self.call_later(
            self._delay(), lambda: None if future.done() else settle(outcome)
        )
        return future

    def _process_events(self, event_list: list[Any]) -> None:
        """There are no files to watch."""

    def _write_to_self(self) -> None:
        """Nobody sleeps, so nobody is to be woken."""


def run(main: Coroutine[Any, Any, _T], delay: Callable[[], float]) -> _T:
    """Run a coroutine to its end on a virtual loop of its own."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(delay)) as runner:
        return runner.run(main)


def _owned(
    loop: asyncio.AbstractEventLoop,
    coroutine: Coroutine[Any, Any, Any],
    context: Context | None = None,
) -> "asyncio.Task[Any]":
    task = asyncio.Task(coroutine, loop=loop, context=context)
    owner = (copy_context() if context is None else context).get(OWNER)
    if owner is not None:
        owner.tasks[task] = None
        task.add_done_callback(lambda done: owner.tasks.pop(done, None))
    return task
