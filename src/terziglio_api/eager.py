"""Coroutines that are begun at once, and finished even if nobody waits any more."""

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

__all__ = ["Finisher"]

_T = TypeVar("_T")


class Finisher:
    """Runs changes to their ends.

    What need not wait is done in the caller's own turn; only what does gets a task.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def finish(self, change: Coroutine[Any, Any, _T]) -> _T:
        """Run a change to its end even if who asked for it goes away."""
        try:
            awaited = change.send(None)
        except StopIteration as done:
            value: _T = done.value
            return value
        task = asyncio.create_task(_rest(change, awaited))
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Finish what is under way."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # seen, even if nobody waits for it any more


async def _rest(change: Coroutine[Any, Any, _T], awaited: object) -> _T:
    """Go on with a coroutine that has been run up to what it awaits first."""
    return await _resume(change, awaited)


@coroutine
def _resume(
    change: Coroutine[Any, Any, _T], awaited: object
) -> Generator[Any, Any, _T]:
    while True:
        try:
            try:
                sent = yield awaited
            except BaseException as error:
                awaited = change.throw(error)
            else:
                awaited = change.send(sent)
        except StopIteration as done:
            value: _T = done.value
            return value
