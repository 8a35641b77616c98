"""The cheapest answer to every decision: what a clock that ran out does for a seat.

It passes, calls the highest card not held in the longest suit that lacks one, lays
down and gives back the cheapest cards, and plays the cheapest legal one.
"""

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import Card, Rank, Suit
from terziglio.view import SeatView

__all__ = ["cheapest", "cheapness"]


def cheapest(view: SeatView) -> Action:
    """Answer the decision that is due."""
    legal = view.legal
    if legal.bids:
        return Bid(None)
    if legal.calls:
        return Call(_call(view.hand, legal.calls))
    if legal.discard is not None:
        rule = legal.discard
        cards = sorted(rule.choices, key=cheapness)
        back = cards[rule.count] if rule.give_back else None
        return Discard(tuple(cards[: rule.count]), back)
    return Play(min(legal.cards, key=cheapness))


def cheapness(card: Card) -> tuple[int, Rank, Card]:
    """Order cards by what is lost with them: thirds, then rank, then suit S C H D."""
    return card.thirds, card.rank, card


def _call(hand: tuple[Card, ...], calls: tuple[Card, ...]) -> Card:
    """The highest card not held in the longest suit that lacks one; ties by suit."""
    lengths = [sum(card.suit is suit for card in hand) for suit in Suit]
    return max(calls, key=lambda c: (lengths[c.suit], -c.suit, c.rank))
