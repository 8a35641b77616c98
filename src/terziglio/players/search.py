"""A player that looks at deals that fit, each as likely, and solves every one.

The honest baseline of the searching players: auction and exchange are those of
``rules``; in play each card is worth the share of deals in which its side wins with
it, both sides at their best. Of cards worth the same it plays what ``rules`` would.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from random import Random
from typing import Final

from terziglio.actions import Action, Play
from terziglio.cards import Card, thirds_in
from terziglio.count import NEED
from terziglio.players.cheapest import cheapness
from terziglio.players.knowledge import MONTE, Knowledge, World
from terziglio.players.rules import rules
from terziglio.solver import Position, Unsolved, grades
from terziglio.view import SeatView

__all__ = ["NODES", "graded", "how_many", "rng_of", "search", "tie_broken"]

VERSION: Final = "search 2"
NODES: Final = 600_000
"""Cards that the solver may try for one deal; a deal that needs more is left out."""


def search(view: SeatView) -> Action:
    """Answer the decision that is due."""
    cards = view.legal.cards
    if len(cards) < 2:
        return rules(view)
    knowledge, rng = Knowledge(view), rng_of(view, VERSION)
    worlds = [knowledge.draw(rng) for _ in range(how_many(len(view.hand)))]
    soloist = view.seat == knowledge.soloist
    wins = dict.fromkeys(cards, 0)
    for _, reached in graded(knowledge, worlds, 0):
        for card, marks in reached.items():
            wins[card] += (marks > 0) is soloist
    return Play(tie_broken(view, {card: float(n) for card, n in wins.items()}))


def how_many(left: int) -> int:
    """Return how many deals to look at with so many cards in hand: 8 to 40."""
    return 40 if left <= 7 else 30 if left == 8 else 20 - 3 * (left - 8)


def rng_of(view: SeatView, version: str) -> Random:
    """Return a generator that depends on the view and the player alone."""
    return Random(sha256(f"{version} {view!r}".encode()).digest())  # noqa: S311 - no secret


def graded(
    knowledge: Knowledge, worlds: Iterable[World], margin: int
) -> Iterator[tuple[World, dict[Card, int]]]:
    """Yield deals with, for each card, the marks that the soloist reaches.

    The marks are 18 thirds less the margin, 18, and 18 more the margin; what is in his
    tricks counts already. Deals that would take too long are left out.
    """
    view, trick = knowledge.view, knowledge.trick
    need = NEED - (0 if view.thirds is None else view.thirds[0])
    marks = (need - margin, need, need + margin)
    for world in worlds:
        position = Position(
            world[:MONTE],
            knowledge.soloist,
            trick.leader,
            trick.cards,
            thirds_in(world[MONTE]),
        )
        try:
            yield world, grades(position, marks, NODES)
        except Unsolved:
            continue


def tie_broken(view: SeatView, values: dict[Card, float]) -> Card:
    """Return the card worth most; of several that of ``rules``, else the cheapest."""
    most = max(values.values())
    best = [card for card, value in values.items() if value >= most - 1e-9]
    if len(best) == 1:
        return best[0]
    technique = rules(view)
    if isinstance(technique, Play) and technique.card in best:
        return technique.card
    return min(best, key=cheapness)
