"""Who thinks in a rehearsal: in this process, at once, and the same on every machine.

The expert's own hints depend on its version, and a solver may not be installed where
the documents are written: here the house plays its part.
"""

import asyncio
import traceback
from collections.abc import Callable, Mapping
from typing import Final

import orjson

from terziglio.actions import Play
from terziglio.analysis import Analysis, Judged
from terziglio.phases import Counted
from terziglio.players import house
from terziglio.players.hint import Chance, Hint, Reason
from terziglio.seats import Seat
from terziglio.view import SeatView
from terziglio_api.labour import answer
from terziglio_api.thinking import ANALYSIS, HINT, Unanswered

__all__ = ["PARTS", "Rehearsed", "analyse", "hint"]

PARTS: Final[Mapping[str, str]] = {
    "search": "terziglio.players:house",
    "expert": "terziglio.players:house",
    HINT: f"{__name__}:hint",
    ANALYSIS: f"{__name__}:analyse",
}


class Rehearsed:
    """Does tasks in this process.

    Args:
        parts: each task's function, as ``module:name``.
    """

    def __init__(self, parts: Mapping[str, str] = PARTS) -> None:
        self.offered = frozenset(parts)
        self.free = asyncio.Event()
        """While it is not set, everybody waits for their turn."""
        self.free.set()
        self._parts = parts

    async def think(
        self, task: str, given: bytes, begun: Callable[[], None] | None = None
    ) -> bytes:
        """Do a task.

        Raises:
            Unanswered: it failed.
        """
        await self.free.wait()
        if begun is not None:
            begun()
        try:
            return orjson.dumps(answer(self._parts, task, orjson.loads(given)))
        except Exception as error:
            where = "".join(traceback.format_tb(error.__traceback__))
            raise Unanswered("failed", type(error).__name__, where) from None

    def start(self) -> None:
        """There is nothing to get ready."""

    async def close(self) -> None:
        """There is nothing to end."""


def hint(view: SeatView) -> Hint:
    """Return what the house would do, with chances made up from the view alone."""
    action = house(view)
    if not isinstance(action, Play):
        kinds = {"auction": Reason.BEST_BID, "call": Reason.BEST_CALL}
        return Hint(action, kinds.get(view.phase.value, Reason.BEST_EXCHANGE), (), 10)
    cards = view.legal.cards
    if len(cards) == 1:
        return Hint(action, Reason.ONLY_CARD, (Chance(action.card, 0.5),))
    chances = [Chance(card, 0.75 if card is action.card else 0.5) for card in cards]
    return Hint(action, Reason.MOST_CHANCES, tuple(chances), 40)


def analyse(hand: Counted) -> Analysis:
    """Return an analysis in which nobody lost anything: it is only a form filled in."""
    final = hand.result.soloist_thirds
    cards = [
        Judged(number, Seat((trick.leader + place) % 3), card, 0, (card,), final)
        for number, trick in enumerate(hand.tricks, start=1)
        for place, card in enumerate(trick.cards)
    ]
    return Analysis(hand.terms.soloist, final, final, tuple(cards), hand.tricks)
