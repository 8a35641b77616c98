"""A player that cheats: it is handed the whole match, hidden cards and all.

It is a yardstick for the arena, never seated with people: it is no ``Player``, so it
is not among ``PLAYERS`` and has no name on the wire. It bids, calls and lays as
``house`` does, from its own view, and plays perfectly.
"""

from collections.abc import Callable

from terziglio.actions import Action, Play
from terziglio.cards import thirds_in
from terziglio.match import Match
from terziglio.phases import Playing
from terziglio.players.house import house
from terziglio.seats import Seat
from terziglio.solver import Position, best_cards
from terziglio.view import seat_view

__all__ = ["Clairvoyant", "clairvoyant"]

Clairvoyant = Callable[[Match, Seat], Action]
"""Answers the decision that is due for a seat, with every card known."""


def clairvoyant(match: Match, seat: Seat) -> Action:
    """Answer the decision that is due: of equally good cards, the first in order."""
    hand = match.hand
    if not isinstance(hand, Playing):
        return house(seat_view(match, seat))
    now = Position(
        hands=hand.held,
        soloist=hand.terms.soloist,
        leader=hand.trick.leader,
        trick=hand.trick.cards,
        monte=thirds_in(hand.monte),
    )
    cards = now.playable
    if len(cards) == 1:
        return Play(cards[0])
    values = best_cards(now)
    best = max if seat == now.soloist else min
    return Play(best(cards, key=lambda card: values[card]))
