"""Computer players: functions from what a seat may know to what it does.

A player gets the view its seat would get over the wire and nothing else, so it
cannot cheat; the same view gives the same answer on every machine.
"""

from collections.abc import Callable, Mapping
from typing import Final

from terziglio.actions import Action
from terziglio.players.cheapest import cheapest
from terziglio.players.house import house
from terziglio.players.random import random
from terziglio.players.rules import rules
from terziglio.view import SeatView

__all__ = ["PLAYERS", "Player", "cheapest", "house", "random", "rules"]

Player = Callable[[SeatView], Action]
"""Answers the decision that is due; called only when the view's seat is on turn."""

PLAYERS: Final[Mapping[str, Player]] = {
    "house": house,
    "random": random,
    "rules": rules,
}
"""The players by the name they have on the wire."""
