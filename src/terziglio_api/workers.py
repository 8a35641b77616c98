"""Processes that think, so that no search ever holds the event loop up.

So many for players and hints, who wait in one queue, first come first served; and one
for analyses, which starts when the first is wanted. Each is started afresh (no fork)
and loads what it needs before its first task; where nobody has compiled that yet, it
does so first, once. Those that think beside games are as nice as can be: the event
loop's core stays its own. A process that dies or takes too long is replaced.
"""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import orjson

from terziglio_api.logs import logger
from terziglio_api.metrics import Metrics
from terziglio_api.thinking import (
    ANALYSIS,
    BESIDE_GAMES,
    TASKS,
    WAITED_FOR,
    Unanswered,
    installed,
)

__all__ = ["Workers", "cores"]

_log = logger(__name__)
_SOON_S: Final = 5
"""A process that need not compile is ready by then."""
_PATIENCE_S: Final = 180
"""How long somebody waits for a process that is not ready yet."""
_START_S: Final = 900
"""How long a process may take to be ready: on a busy machine a compile takes long."""
_MOST_PAUSE_S: Final = 30
"""The longest pause before a process that does not get ready is tried again."""
_LINE_BYTES: Final = 1 << 22


def cores() -> int:
    """Return how many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(slots=True, eq=False)
class _Job:
    task: str
    line: bytes
    answer: asyncio.Future[bytes]
    begun: Callable[[], None] | None


class _Lost(Exception):
    """A process is of no more use."""


class Workers:
    """Processes that do tasks.

    Args:
        size: how many, for players and hints.
        move_s: seconds for a move or a hint, from when its turn has come.
        analysis_s: seconds for an analysis.
        tasks: each task's function, as ``module:name``.
        metrics: where thoughts are timed.
        patience: seconds until a process that is not ready is told of, until nobody
            waits for it any more, and until it is given up.
    """

    def __init__(
        self,
        size: int,
        move_s: float,
        analysis_s: float,
        tasks: Mapping[str, str] = TASKS,
        metrics: Metrics | None = None,
        patience: tuple[float, float, float] = (_SOON_S, _PATIENCE_S, _START_S),
    ) -> None:
        self.offered = installed(tasks) if size else frozenset[str]()
        self._size = size
        self._tasks = {task: tasks[task] for task in sorted(self.offered)}
        self._metrics = Metrics() if metrics is None else metrics
        self._quick: asyncio.Queue[_Job] = asyncio.Queue()
        self._long: asyncio.Queue[_Job] = asyncio.Queue()
        self._move_s = move_s
        self._analysis_s = analysis_s
        self._patience = patience
        self._tending: list[asyncio.Task[None]] = []
        self._analysing = False
        self._closed = False

    def start(self) -> None:
        """Start the processes; they get ready in the background."""
        if self.offered and not self._tending:
            for _ in range(self._size):
                self._hire(self._quick, self._move_s)

    async def close(self) -> None:
        """End all processes at once."""
        self._closed = True
        for tending in self._tending:
            tending.cancel()
        await asyncio.gather(*self._tending, return_exceptions=True)
        for queue in (self._quick, self._long):
            _dismiss(queue, "stopping")

    async def think(
        self, task: str, given: bytes, begun: Callable[[], None] | None = None
    ) -> bytes:
        """Return a task's answer; wait for one's turn first.

        Raises:
            Unanswered: it failed, or took too long.
        """
        if task not in self.offered or self._closed:
            raise Unanswered("failed", f"no {task} here")
        self.start()
        queue = self._quick
        if task == ANALYSIS:
            queue = self._long
            if not self._analysing:
                self._analysing = True
                self._hire(queue, self._analysis_s)
                if begun is not None:
                    begun()  # it waits for no other, only for its process to be ready
        line = b'{"task":"%s","given":%s}\n' % (task.encode(), given)
        answer = asyncio.get_running_loop().create_future()
        queue.put_nowait(_Job(task, line, answer, begun))
        told: bytes = await answer
        return told

    def _hire(self, queue: asyncio.Queue[_Job], seconds: float) -> None:
        self._tending.append(asyncio.create_task(self._tend(queue, seconds)))

    async def _tend(self, queue: asyncio.Queue[_Job], seconds: float) -> None:
        """Keep one process at work until cancelled."""
        pause = 0.0
        while True:
            try:
                process = await self._started(queue)
            except (_Lost, OSError) as error:
                _log.error("a thinking process does not start", why=str(error))
                # Nobody waits for a process that may never be.
                _dismiss(queue, "no process")
                pause = min(_MOST_PAUSE_S, 2 * pause + 1)
                await asyncio.sleep(pause)
                continue
            pause = 0.0
            gone = asyncio.create_task(process.wait())
            try:
                while True:
                    await self._do(process, await _next(queue, gone), seconds)
            except _Lost as error:
                _log.warning("a thinking process is replaced", why=str(error))
                self._metrics.workers_replaced.inc()
            finally:
                await _end(process)
                await gone

    async def _started(self, queue: asyncio.Queue[_Job]) -> Process:
        """Return a new process once it is ready.

        Raises:
            _Lost: it does not get ready.
        """
        nice = WAITED_FOR if queue is self._long else BESIDE_GAMES
        spawning = asyncio.create_task(self._spawned(nice))
        try:
            process = await asyncio.shield(spawning)
        except asyncio.CancelledError:
            # It may be there already, and nobody else knows of it.
            await _end(await spawning)
            raise
        try:
            async with asyncio.timeout(self._patience[-1]):
                await self._ready(process, queue)
        except BaseException as error:
            await _end(process)
            if isinstance(error, TimeoutError):
                raise _Lost("not ready in time") from None
            raise
        return process

    async def _ready(self, process: Process, queue: asyncio.Queue[_Job]) -> None:
        """Wait until a process is ready, and say so if that takes its time.

        Raises:
            _Lost: it ended.
        """
        soon, patience, _ = self._patience
        begin = asyncio.get_running_loop().time()
        reading = asyncio.create_task(_line(process))
        try:
            await asyncio.wait({reading}, timeout=soon)
            told = not reading.done()
            if told:
                _log.info(
                    "a thinking process gets ready",
                    how_long="seconds; if the solver is yet to be compiled, once, some "
                    "10 to 30; longer on a busy machine",
                )
            while not reading.done():
                await asyncio.wait({reading}, timeout=patience)
                if not reading.done():
                    # It may yet come; the moves are the house's until then.
                    _dismiss(queue, "no process yet")
            await reading
        finally:
            reading.cancel()
        if told:
            took = asyncio.get_running_loop().time() - begin
            _log.info("a thinking process is ready", seconds=round(took, 1))

    async def _spawned(self, nice: int) -> Process:
        path = os.pathsep.join(place for place in sys.path if place)
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-P", "-m", "terziglio_api.labour"),
            str(os.getpid()),
            str(nice),
            orjson.dumps(self._tasks).decode(),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,  # what a player says may name a card
            limit=_LINE_BYTES,
            env=os.environ | {"PYTHONPATH": path},
        )

    async def _do(self, process: Process, job: _Job, seconds: float) -> None:
        """Have a job done.

        Raises:
            _Lost: the process died of it, or takes too long.
        """
        if job.begun is not None:
            job.begun()
        loop = asyncio.get_running_loop()
        begin = loop.time()
        try:
            async with asyncio.timeout(seconds):
                assert process.stdin is not None  # noqa: S101 - it is piped
                process.stdin.write(job.line)
                said = orjson.loads(await _line(process))
        except TimeoutError:
            _fail(job, Unanswered("timeout", f"{seconds:g} s"))
            raise _Lost(f"{job.task} took too long") from None
        except (_Lost, ValueError) as error:
            _fail(job, Unanswered("failed", str(error)))
            raise _Lost(f"{error} in {job.task}") from None
        except asyncio.CancelledError:
            _fail(job, Unanswered("failed", "stopping"))
            raise
        self._metrics.thinking_seconds.labels(job.task).observe(loop.time() - begin)
        if "answer" in said:
            if not job.answer.done():
                job.answer.set_result(orjson.dumps(said["answer"]))
        else:
            _fail(job, Unanswered("failed", said["failed"], said["where"]))


async def _next(queue: asyncio.Queue[_Job], gone: asyncio.Task[int]) -> _Job:
    """Return the next job that somebody still waits for.

    Raises:
        _Lost: the process has ended.
    """
    while True:
        getting = asyncio.create_task(queue.get())
        try:
            await asyncio.wait({getting, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not getting.done():
                getting.cancel()
        if not getting.done():
            raise _Lost(f"ended with status {gone.result()}")
        job = getting.result()
        if not job.answer.done():
            return job


def _dismiss(queue: asyncio.Queue[_Job], why: str) -> None:
    while not queue.empty():
        _fail(queue.get_nowait(), Unanswered("failed", why))


def _fail(job: _Job, error: Unanswered) -> None:
    if not job.answer.done():
        job.answer.set_exception(error)


async def _line(process: Process) -> bytes:
    """Return the process' next line.

    Raises:
        _Lost: there is none.
    """
    assert process.stdout is not None  # noqa: S101 - it is piped
    try:
        line = await process.stdout.readline()
    except ConnectionError:
        line = b""
    if not line.endswith(b"\n"):
        raise _Lost("the process ended")
    return line


async def _end(process: Process) -> None:
    """Kill a process and see it gone, also if that is cancelled meanwhile."""
    ending = asyncio.create_task(_ended(process))
    try:
        await asyncio.shield(ending)
    except asyncio.CancelledError:
        await ending
        raise


async def _ended(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    if process.stdin is not None:
        process.stdin.close()
    await process.wait()
    transport: Any = getattr(process, "_transport")  # noqa: B009 - it has no other way
    transport.close()
