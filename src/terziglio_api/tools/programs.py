"""Players that are programs: a line of JSON in, a line of JSON out.

The messages are the socket's. A program gets an ``event`` of kind ``snapshot`` with
its view for each decision of its own, and answers with an ``action``; other messages
of its are passed over, so that a client of the socket may say ``hello``. ``seq`` counts
from 1 in each hand; ``view.table`` stands for the seat and the deal, and is the same
whenever they are: seed what you draw with it. A program may sit in several seats at
once. See docs/arena.md.

A program serves many hands. It is killed when it is late, started anew when it is
needed again, and ends when its input does.
"""

import atexit
import multiprocessing
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from queue import Empty, Queue
from tempfile import TemporaryFile
from typing import IO, Final, NoReturn

import orjson
from pydantic import TypeAdapter, ValidationError

from terziglio.actions import Action
from terziglio.bot import seat_key
from terziglio.chairs import BadAnswer, Crashed, TimedOut
from terziglio.players import Player
from terziglio.seats import Seat
from terziglio.view import SeatView
from terziglio_api.commands import Mode
from terziglio_api.seen import SeatInfo, TableView
from terziglio_api.wire.actions import parse
from terziglio_api.wire.events import SNAPSHOT
from terziglio_api.wire.messages import ActionMessage, ClientMessage, event_message
from terziglio_api.wire.strict import Malformed, loads

__all__ = ["LIMIT_MS", "Program", "close_all"]

LIMIT_MS: Final = 10_000
"""How long a program may take for an answer if nothing else is said."""
_START_S: Final = 10.0
"""What it may take longer for its first answer."""
_LONGEST: Final = 4096
"""Bytes in a message, as on the socket."""
_client: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)


@dataclass(frozen=True, slots=True)
class Program:
    """A program that plays.

    Args:
        argv: the program and its arguments.
        limit_ms: when it is killed for being late.
    """

    argv: tuple[str, ...]
    limit_ms: int = LIMIT_MS

    @property
    def keeps_time(self) -> bool:
        """It is stopped when it is late, so nobody else need look at a clock."""
        return True

    def seated(self, seed: str, deal: int, seat: Seat) -> Player:
        """Return the program as a player for one deal at one seat."""
        table = f"t_{seat_key(seed, deal, seat).hex()}"
        numbers = count(1)

        def player(view: SeatView) -> Action:
            return self._ask(view, table, next(numbers))

        return player

    def _ask(self, view: SeatView, table: str, seq: int) -> Action:
        told = event_message(SNAPSHOT, _table_view(view, table, seq))
        running = _running_of(self)
        decision = f"{view.match.deal}.{view.decision}"
        for line in running.answers(told.text.encode(), self.limit_ms):
            failed = _failed(line)
            if failed is not None:
                raise Crashed(failed)
            try:
                message = _client.validate_python(loads(line))
            except (Malformed, ValidationError) as error:
                raise BadAnswer(_malformed(line, error)) from error
            if isinstance(message, ActionMessage):
                if message.decision != decision:
                    raise BadAnswer(f"decision {message.decision}, due is {decision}")
                return parse(message.action)
        raise Crashed(running.last_words)


def _failed(line: bytes) -> str | None:
    """Return what a program says that has failed but goes on: no socket has this."""
    if not line.startswith(b'{"type":"failed"'):
        return None
    return str(orjson.loads(line).get("told"))


def _malformed(line: bytes, error: Malformed | ValidationError) -> str:
    if isinstance(error, Malformed):
        why = str(error)
    else:
        wrong = error.errors()[0]
        why = f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}"
    return f"malformed: {why}: {line[:80].decode(errors='replace').strip()}"


def _table_view(view: SeatView, table: str, seq: int) -> TableView:
    seats = tuple(
        SeatInfo(seat, f"seat {seat}", "bot", None, present=True, wants_next=False)
        for seat in Seat
    )
    return TableView(
        table=table,
        seq=seq,
        mode=Mode.OPEN,
        phase=view.phase,
        host=False,
        seats=seats,
        game=view,
        closed=False,
        clock_s=None,
        deadline=None,
        voice=False,
    )


class _Running:
    """A program's process."""

    def __init__(self, argv: tuple[str, ...]) -> None:
        self._errors: IO[bytes] = TemporaryFile()  # noqa: SIM115 - closed with it
        self._process = subprocess.Popen(  # noqa: S603 - it is what the user asked for
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,  # Ctrl-C is for us, and all of it can be killed
        )
        self._lines: Queue[bytes | None] = Queue(maxsize=100)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._new = True
        self.ended = False
        self.last_words = ""

    def answers(self, line: bytes, limit_ms: int) -> Iterator[bytes]:
        """Yield what the program says to a line, until it ends.

        Raises:
            TimedOut: it was late, and killed.
        """
        seconds = limit_ms / 1000 + (_START_S if self._new else 0.0)
        self._new = False
        try:
            self._stdin.write(line + b"\n")
            self._stdin.flush()
        except OSError:
            self.close()
            return
        while (said := self._next(seconds, limit_ms)) is not None:
            yield said
        self.close()

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None  # noqa: S101 - it is a pipe
        return self._process.stdin

    def _next(self, seconds: float, limit_ms: int) -> bytes | None:
        try:
            return self._lines.get(timeout=seconds)
        except Empty:
            self.close(patience_s=0.0)
            raise TimedOut(f"no answer in {limit_ms} ms: killed") from None

    def _read(self) -> None:
        out = self._process.stdout
        assert out is not None  # noqa: S101 - it is a pipe
        while line := out.readline(_LONGEST + 1):
            self._lines.put(line)
        self._lines.put(None)

    def close(self, patience_s: float = 1.0) -> None:
        """End the process, and after a moment all that it started."""
        if self.ended:
            return
        self.ended = True
        with suppress(OSError):
            self._stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience_s)
        status = self._process.returncode
        self._kill()
        self._process.wait()
        while self._reader.is_alive():  # it may wait for room
            with suppress(Empty):
                self._lines.get(timeout=0.01)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self.last_words = f"the program ended with status {status}{self._error()}"
        if status is None:
            self.last_words = f"the program closed its output{self._error()}"
        self._errors.close()

    def _error(self) -> str:
        """Return the last line of the program's errors."""
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""

    def _kill(self) -> None:
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()


_programs: dict[Program, _Running] = {}


def _running_of(program: Program) -> _Running:
    running = _programs.get(program)
    if running is None or running.ended:
        if not _programs and multiprocessing.parent_process() is not None:
            # A worker that is told to go takes its programs with it.
            signal.signal(signal.SIGTERM, _go)
        running = _programs[program] = _Running(program.argv)
    return running


@atexit.register
def close_all() -> None:
    """End all programs of this process."""
    for running in _programs.values():
        running.close()
    _programs.clear()


def _go(_signal: int, _frame: object) -> NoReturn:
    close_all()
    os._exit(1)
