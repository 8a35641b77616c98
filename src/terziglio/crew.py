"""Blocks played in several processes."""

import signal
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess

from terziglio.blocks import Block, Setup, Table

__all__ = ["PlayerEndedProcess", "play"]


class PlayerEndedProcess(Exception):
    """A player took the process it plays in down with it."""


def play(setup: Setup, deals: Sequence[int], jobs: int) -> Generator[Block]:
    """Yield the blocks as they get done; closing the iterator stops the rest at once.

    Raises:
        PlayerEndedProcess: a player exited or crashed the interpreter.
    """
    before = set(active_children())
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_sit_down, initargs=(setup,)
    )
    workers: set[BaseProcess] = set()
    try:
        with _held_back():
            futures = [pool.submit(_play, index) for index in deals]
            workers = set(active_children()) - before
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool as error:
        told = "a player ended the process it plays in: --isolate finds out which"
        raise PlayerEndedProcess(told) from error
    except BaseException:
        # A searching player may be minutes from the end of its block.
        for worker in workers:
            worker.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _held_back() -> Generator[None]:
    """Hold Ctrl-C back while workers start: they keep it so, and are ended by us."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_tables: list[Table] = []
"""A worker's own table."""


def _sit_down(setup: Setup) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _tables.append(Table(setup))


def _play(index: int) -> Block:
    return _tables[-1].play(index)
