"""Players that misbehave, and one that waits: what thinking processes are tested with.

``THINKERS`` in the environment is a folder: there they write who began, in the order in
which they did, and ``waits`` waits for a file ``go`` there.
"""

import os
import sys
import time
from pathlib import Path

from terziglio.actions import Action, Play
from terziglio.cards import Card
from terziglio.phases import Counted
from terziglio.players import house
from terziglio.players.hint import Hint
from terziglio.view import SeatView
from terziglio_api.rehearsal import thought

__all__ = [
    "analyse",
    "breaks",
    "burns",
    "cheats",
    "dies",
    "fine",
    "hint",
    "hint_waits",
    "waits",
]


def _note(what: object) -> Path:
    folder = Path(os.environ["THINKERS"])
    with (folder / "begun").open("a") as file:
        file.write(f"{what}\n")
    return folder


def fine(view: SeatView) -> Action:
    """As the house."""
    _note(view.seat)
    return house(view)


def waits(view: SeatView) -> Action:
    """As the house, but only once it may."""
    folder = _note(os.getpid())
    while not (folder / "go").exists():
        time.sleep(0.01)
    return house(view)


def burns(_view: SeatView) -> Action:
    """Never done."""
    _note(os.getpid())
    while True:
        pass


def cheats(_view: SeatView) -> Action:
    """Illegal before the first trick."""
    return Play(Card.S3)


def breaks(_view: SeatView) -> Action:
    """An error that names a card, and prints it too."""
    sys.stdout.write(Card.S3.code)
    raise RuntimeError(Card.S3.code)


def dies(_view: SeatView) -> Action:
    """The whole process."""
    os.abort()


def hint(view: SeatView) -> Hint:
    """Made up."""
    _note("hint")
    return thought.hint(view)


def hint_waits(view: SeatView) -> Hint:
    """Made up, but only once it may be."""
    waits(view)
    return thought.hint(view)


def analyse(hand: Counted) -> object:
    """A form filled in, once it may be."""
    folder = _note("analysis")
    while not (folder / "go").exists():
        time.sleep(0.01)
    return thought.analyse(hand)
