"""A player with rules of thumb. ``thumb.js`` is the same one in JavaScript.

terziglio arena examples/bots/thumb.py random --deals 200
"""

from terziglio import Action, Bid, Bot, Call, Card, Contract, Discard, Play, Rank, Suit
from terziglio.view import SeatView

WORTH = {Rank.THREE: 3, Rank.TWO: 2, Rank.ACE: 2, Rank.KING: 1}
BARS = {Contract.CHIAMO: 10, Contract.SOLO: 17, Contract.SOLISSIMO: 20}
WANTED = {Rank.THREE: 3, Rank.TWO: 2, Rank.ACE: 1}


def lengths(cards: tuple[Card, ...]) -> list[int]:
    """Return how many cards there are of each suit."""
    return [sum(card.suit is suit for card in cards) for suit in Suit]


def cheapness(card: Card) -> tuple[int, int, int]:
    """Order cards by what is lost with them: thirds, then rank, then suit."""
    return card.thirds, card.rank, card.suit


class Thumb(Bot):
    """Bids on high cards, wins as cheaply as it can, feeds its partner."""

    def bid(self, view: SeatView) -> Action:
        """Make the highest bid that high cards and the long suit are good for."""
        value = sum(WORTH.get(card.rank, 0) for card in view.hand)
        value += max(0, max(lengths(view.hand)) - 4)
        bids = [bid for bid in view.legal.bids if bid and value >= BARS[bid]]
        return Bid(max(bids, default=None))

    def call(self, view: SeatView) -> Action:
        """Call a missing 3, else a 2, else an ace, in the longest suit."""
        long = lengths(view.hand)

        def wish(card: Card) -> tuple[int, int, int]:
            return WANTED.get(card.rank, 0), long[card.suit], -card

        return Call(max(view.legal.calls, key=wish))

    def discard(self, view: SeatView) -> Action:
        """Keep 3s, 2s and aces; give back the cheapest, lay from short suits."""
        rule = view.legal.discard
        assert rule is not None  # else ``discard`` would not be asked
        back = min(rule.choices, key=cheapness) if rule.give_back else None
        rest = tuple(card for card in rule.choices if card != back)
        long = lengths(rest)
        by_use = sorted(rest, key=lambda c: (WANTED.get(c.rank, 0), long[c.suit], c))
        return Discard(tuple(by_use[: rule.count]), back)

    def play(self, view: SeatView) -> Action:
        """Lead from the longest suit; win cheaply; else give up as little as can be."""
        cards, trick = view.legal.cards, view.trick
        if trick is None or len(trick.cards) % 3 == 0:
            long = lengths(cards)
            return Play(max(cards, key=lambda c: (long[c.suit], c.rank, -c.suit)))
        soloist = view.contract.soloist if view.contract else None
        partner = soloist not in {view.seat, trick.winner}
        led, last = trick.cards[0].suit, len(trick.cards) == 2
        if partner and last:
            return Play(max(cards, key=lambda c: (c.thirds, -c.rank, -c.suit)))
        best = max(card for card in trick.cards if card.suit is led)
        winning = [card for card in cards if card.suit is led and card > best]
        if winning and not partner:
            return Play(min(winning) if last else max(winning))
        return Play(min(cards, key=cheapness))
