"""Blocks played in several processes.

A worker has one pipe to its parent: an index goes in, a block comes out. There are no
queues, locks or threads between them, so a worker may be ended at any moment.
"""

import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from terziglio.blocks import Block, Setup, Table

__all__ = ["PlayerEndedProcess", "play"]

_PATIENCE_S = 5.0


class PlayerEndedProcess(Exception):
    """A player took the process it plays in down with it."""


def play(setup: Setup, deals: Sequence[int], jobs: int) -> Generator[Block]:
    """Yield the blocks as they get done; closing the generator stops the rest at once.

    Raises:
        PlayerEndedProcess: a player exited or crashed the interpreter.
    """
    workers: dict[Connection, BaseProcess] = {}
    try:
        _start(setup, jobs, workers)
        waiting = iter(deals)
        busy = {line for line in workers if _send_next(line, waiting)}
        while busy:
            for line in wait(list(busy)):
                assert isinstance(line, Connection)  # noqa: S101 - they all are
                yield line.recv()
                if not _send_next(line, waiting):
                    busy.remove(line)
    except (EOFError, OSError) as error:
        told = "a player ended the process it plays in: --isolate finds out which"
        raise PlayerEndedProcess(told) from error
    finally:
        # A searching player may be minutes from the end of its block.
        for line, worker in workers.items():
            worker.terminate()
            line.close()
        for worker in workers.values():
            worker.join(_PATIENCE_S)
            if worker.is_alive():  # pragma: no cover - it does not hear us
                worker.kill()
                worker.join()


def _start(setup: Setup, jobs: int, workers: dict[Connection, BaseProcess]) -> None:
    """Start the workers; Ctrl-C is held back from them: it is we who end them."""
    context = get_context("spawn")
    with _held_back():
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            worker = context.Process(target=_work, args=(setup, theirs), daemon=True)
            worker.start()
            workers[ours] = worker
            theirs.close()


def _send_next(line: Connection, waiting: Iterator[int]) -> bool:
    index = next(waiting, None)
    if index is not None:
        line.send(index)
    return index is not None


@contextmanager
def _held_back() -> Generator[None]:
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover - Windows
        yield
        return
    # The first start of a process starts this too, and that lets all signals through.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(setup: Setup, line: Connection) -> None:  # pragma: no cover - not traced
    """Play what is asked for until the parent hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    table = Table(setup)
    with suppress(EOFError):
        while True:
            line.send(table.play(line.recv()))
