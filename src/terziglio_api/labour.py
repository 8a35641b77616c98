"""What a thinking process does: a task in, an answer out, line by line.

    python -P -m terziglio_api.labour PARENT NICE '{"expert": "module:function"}'

It ends when its standard input does, and with its parent, however that ends. What a
task prints goes nowhere, and what an error says stays here: either may name a card.
"""

import ctypes
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, Final, NoReturn

from terziglio.actions import Action
from terziglio.cards import Card, set_of
from terziglio.match import new_match
from terziglio.notation import parse
from terziglio.phases import Counted
from terziglio.players import house
from terziglio.seats import Seat
from terziglio.view import SeatView, seat_view
from terziglio_api.thinking import ANALYSIS, BESIDE_GAMES, HINT, WAITED_FOR
from terziglio_api.wire.actions import dump
from terziglio_api.wire.game import game_of
from terziglio_api.wire.thoughts import analysis_json, hint_json
from terziglio_api.wire.view import View

__all__ = ["answer", "told", "warm"]

_DIE_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG of prctl(2)


def answer(tasks: Mapping[str, str], task: str, given: Any) -> Any:
    """Do a task.

    Args:
        tasks: each task's function, as ``module:name``.
        task: its name.
        given: a view as the wire tells it, or for an analysis a hand in notation.

    Returns:
        JSON: an action, a hint or an analysis as the wire tells it.
    """
    does = _function(tasks[task])
    if task == ANALYSIS:
        hand = parse(given)
        if not isinstance(hand, Counted):
            raise ValueError("the hand is not counted")
        return analysis_json(does(hand))
    game = game_of(View.model_validate(given))
    if task == HINT:
        return hint_json(does(game))
    action: Action = does(game)
    return dump(action).model_dump()


def _function(at: str) -> Callable[[Any], Any]:
    module, _, name = at.partition(":")
    function: Callable[[Any], Any] = getattr(import_module(module), name)
    return function


def told(error: BaseException) -> dict[str, str]:
    """Return an error's type and where it arose, but not what it says."""
    where = "".join(traceback.format_tb(error.__traceback__))
    return {"failed": type(error).__name__, "where": where}


def warm(tasks: Mapping[str, str]) -> list[str]:
    """Load and compile all that our own tasks use; return those that were tried.

    The solver answers each kind of question, and each player a bid and a card of one
    fixed hand. What fails here fails again when it is asked for, and is told then.
    """
    ours = [task for task, at in tasks.items() if at.startswith("terziglio.")]
    if ours:
        with suppress(ImportError):
            _solve()
    for task in ours:
        with suppress(Exception):
            does = _function(tasks[task])
            if task != ANALYSIS:
                for view in _views():
                    does(view)
    return ours


def _solve() -> None:
    """Ask the solver a small question of each kind."""
    from terziglio.solver import Position, best_cards, reaches, thirds

    first, second = (Card.SA, Card.CK), (Card.CA, Card.HK)
    hands = set_of(first), set_of(second), set_of((Card.HA, Card.SK))
    position = Position(hands, Seat.S0, Seat.S0)
    reaches(position, 3)
    thirds(position)
    best_cards(position)


def _views() -> list[SeatView]:
    """Return a view of an auction, and one at the first card."""
    deck = tuple(Card((7 * place) % 40) for place in range(40))
    match = new_match(7, Seat.S2).deal(deck)
    views: list[SeatView] = []
    while match.hand is not None and match.hand.turn is not None:
        view = seat_view(match, match.hand.turn)
        if not views or view.legal.cards:
            views.append(view)
        if view.legal.cards:
            break
        match = match.apply(match.hand.turn, house(view))
    return views


def _main(parent: int, nice: int, tasks: Mapping[str, str]) -> None:
    """Get ready, then serve the parent, as nice as told, until it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C does
    _tie_to(parent)
    _be(WAITED_FOR)
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    lines: SimpleQueue[bytes] = SimpleQueue()
    reader = sys.stdin.buffer
    Thread(target=_read, args=(reader, lines), daemon=True).start()
    warm(tasks)
    _be(nice)
    _write(out, {"ready": True})
    while True:
        asked = json.loads(lines.get())
        try:
            said = {"answer": answer(tasks, asked["task"], asked["given"])}
        except Exception as error:  # whatever a player does wrong
            said = told(error)
        _write(out, said)


def _write(out: BinaryIO, said: Any) -> None:
    try:
        out.write(json.dumps(said).encode() + b"\n")
    except BrokenPipeError:
        _leave()


def _read(reader: BinaryIO, lines: "SimpleQueue[bytes]") -> None:
    """Hand lines over; end the process with them, also in the middle of a thought."""
    for line in reader:
        lines.put(line)
    _leave()


def _leave() -> NoReturn:
    os._exit(0)


def _be(nice: int) -> None:
    """Leave a processor to others as far as that.

    Those who think beside games work only while nobody else of their session or
    container wants to: nice alone would let them end a turn of some milliseconds first.
    """
    os.setpriority(os.PRIO_PROCESS, 0, max(nice, os.getpriority(os.PRIO_PROCESS, 0)))
    if sys.platform == "linux" and nice == BESIDE_GAMES:
        with suppress(OSError):  # not everybody may
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _tie_to(parent: int) -> None:
    """Have the system end this process with its parent, where it can."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            libc = ctypes.CDLL(None, use_errno=True)
            libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # it had gone before that
        _leave()


if __name__ == "__main__":
    _main(int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3]))
