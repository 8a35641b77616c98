"""A player that looks at deals that fit, each as likely, and solves every one.

The honest baseline of the searching players: auction and exchange are those of
``rules``; in play each card is worth the share of deals in which its side wins with
it, then the thirds it makes on average.
"""

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Final

from terziglio.actions import Action, Play
from terziglio.cards import Card, thirds_in
from terziglio.count import NEED
from terziglio.players.knowledge import Knowledge, World
from terziglio.players.rules import rules
from terziglio.solver import Position, Unsolved, best_cards
from terziglio.view import SeatView

__all__ = ["position", "rng_of", "search", "solved"]

VERSION: Final = "search 1"
NODES: Final = 600_000
"""Cards that the solver may try for one deal; a deal that needs more is left out."""


def search(view: SeatView) -> Action:
    """Answer the decision that is due."""
    cards = view.legal.cards
    if not cards:
        return rules(view)
    if len(cards) == 1:
        return Play(cards[0])
    knowledge = Knowledge(view)
    rng = rng_of(view, VERSION)
    worlds = [knowledge.draw(rng) for _ in range(worlds_for(len(view.hand)))]
    return Play(_best(view, worlds) or rules_card(view))


def worlds_for(left: int) -> int:
    """How many deals to look at with so many cards in hand."""
    return 40 if left <= 8 else 10 + 8 * (12 - left)


def rng_of(view: SeatView, version: str) -> Random:
    """Return a generator that depends on the view and the player alone."""
    return Random(sha256(f"{version} {view!r}".encode()).digest())  # noqa: S311 - no secret


def _best(view: SeatView, worlds: list[World]) -> Card | None:
    soloist = view.side(view.seat) == "soloist"
    wins: dict[Card, int] = {}
    total: dict[Card, int] = {}
    for values in solved(view, worlds):
        for card, thirds in values.items():
            wins[card] = wins.get(card, 0) + ((thirds >= NEED) is soloist)
            total[card] = total.get(card, 0) + (thirds if soloist else -thirds)
    return max(wins, key=lambda c: (wins[c], total[c], -c), default=None)


def solved(view: SeatView, worlds: list[World]) -> Iterator[dict[Card, int]]:
    """Yield, for each deal, the soloist's final thirds after each card."""
    assert view.thirds is not None  # noqa: S101 - in play they are counted
    for world in worlds:
        try:
            values = best_cards(position(view, world), NODES, )
        except Unsolved:
            continue
        yield {card: view.thirds[0] + value for card, value in values.items()}


def position(view: SeatView, world: World) -> Position:
    """Return a deal that fits the view as the solver takes it."""
    assert view.contract is not None  # noqa: S101 - in play there is one
    trick = Knowledge(view).trick
    first, second, third, monte = world
    return Position(
        (first, second, third),
        view.contract.soloist,
        trick.leader,
        trick.cards,
        thirds_in(monte),
    )


def rules_card(view: SeatView) -> Card:
    """Return what ``rules`` would play."""
    action = rules(view)
    assert isinstance(action, Play)  # noqa: S101 - it is a card's turn
    return action.card
