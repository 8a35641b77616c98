"""A player that thinks for a second, with all it has, and then does as the house."""

from time import perf_counter

from terziglio.actions import Action
from terziglio.players import house
from terziglio.view import SeatView

__all__ = ["burn"]

THOUGHT_S = 1


def burn(view: SeatView) -> Action:
    """Use a core for a second."""
    end = perf_counter() + THOUGHT_S
    while perf_counter() < end:
        pass
    return house(view)
