"""Computer players: functions from what a seat may know to what it does.

A player gets the view its seat would get over the wire and nothing else, so it
cannot cheat; the same view gives the same answer on every machine.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
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


class _Players(Mapping[str, Player]):
    """Players by name, each imported when it is first asked for.

    A player is the function of its own name in the module of its own name. So those
    that think load their solver only where they play.
    """

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Player:
        if name not in self._names:
            raise KeyError(name)
        player: Player = getattr(import_module(f"{__name__}.{name}"), name)
        return player

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


PLAYERS: Final[Mapping[str, Player]] = _Players(
    "house", "random", "rules", "search", "expert"
)
"""The players by the name they have on the wire."""
