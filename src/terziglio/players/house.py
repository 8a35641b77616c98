"""The house player: the owner's hand value for bidding, a few named rules for play.

It throws no dice. A hand is worth 3 for each 3, 2 for each 2 or ace, 1 for each king
(R70), and 1 for each card beyond four in its longest suit (the number is ours). The
bars are what ``bench/calibrate_house.py`` found: see ``BARS``.
"""

from collections.abc import Iterable
from typing import Final

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import Card, Rank, Suit
from terziglio.contracts import Contract
from terziglio.players.cheapest import cheapness
from terziglio.players.spot import Spot, length, read
from terziglio.view import SeatView

__all__ = ["BARS", "call", "hand_value", "house"]

BARS: Final = {Contract.CHIAMO: 10, Contract.SOLO: 17, Contract.SOLISSIMO: 20}
"""The least hand value for each bid.

``bench/calibrate_house.py --deals 40000 --rounds 1 --seed 21``: with a value of 10
chiamo is worth -0.10 game points a hand and passing -0.17, with 9 -0.35 and -0.26.
Solo is worth what chiamo is at 16, and more from 17 on. Solissimo is worth less than
solo up to 19; from 20 on deals are too few to tell (56 of 40,000). With these bars
0.6 % of deals are passed out.
"""

_VALUES: Final = {Rank.THREE: 3, Rank.TWO: 2, Rank.ACE: 2, Rank.KING: 1}
_LONG = 4


def house(view: SeatView) -> Action:
    """Answer the decision that is due."""
    legal = view.legal
    if legal.bids:
        return Bid(_bid(view.hand, legal.bids))
    if legal.calls:
        return Call(call(view.hand, legal.calls))
    if legal.discard is not None:
        rule = legal.discard
        return _discard(rule.choices, rule.count, give_back=rule.give_back)
    return Play(_play(view))


def hand_value(cards: Iterable[Card]) -> int:
    """Return what a hand is worth for bidding (R70)."""
    held = tuple(cards)
    longest = max(length(held, suit) for suit in Suit)
    return sum(_VALUES.get(c.rank, 0) for c in held) + max(0, longest - _LONG)


def _bid(cards: tuple[Card, ...], bids: tuple[Contract | None, ...]) -> Contract | None:
    value = hand_value(cards)
    worth = [bid for bid in bids if bid is not None and value >= BARS[bid]]
    return max(worth, default=None)


def call(cards: tuple[Card, ...], calls: tuple[Card, ...]) -> Card:
    """A missing 3 in the longest suit that lacks it, else a 2, else an ace."""
    return max(calls, key=lambda c: (_rank_wanted(c), length(cards, c.suit), -c))


def _discard(cards: tuple[Card, ...], count: int, *, give_back: bool) -> Discard:
    """Give back the lowest worthless card; lay the weakest of the shortest suits."""
    back = min(cards, key=cheapness) if give_back else None
    rest = [card for card in cards if card != back]
    lengths = {suit: length(rest, suit) for suit in Suit}
    rest.sort(key=lambda c: (_rank_wanted(c), lengths[c.suit], c))
    return Discard(tuple(rest[:count]), back)


def _rank_wanted(card: Card) -> int:
    return {Rank.THREE: 3, Rank.TWO: 2, Rank.ACE: 1}.get(card.rank, 0)


def cash_bosses(spot: Spot) -> Card | None:
    """As soloist lead a boss when every card left is one."""
    if spot.partner is not None or not all(map(spot.is_boss, spot.cards)):
        return None
    return min(spot.cards)


def lead_long_suit(spot: Spot) -> Card | None:
    """As soloist work on the longest suit, other suits' bosses kept as entries."""
    if spot.partner is not None:
        return None
    long = spot.longest
    bosses = [card for card in long if spot.is_boss(card)]
    return min(bosses) if bosses else min(long, key=cheapness)


def lead_boss(spot: Spot) -> Card | None:
    """As defender lead a boss, from the longest suit that has one."""
    bosses = [card for card in spot.cards if spot.is_boss(card)]
    return max(bosses, key=lambda c: (length(spot.cards, c.suit), -c), default=None)


def lead_low(spot: Spot) -> Card | None:
    """Lead the cheapest card of the longest suit."""
    return min(spot.longest, key=cheapness)


def feed_partner(spot: Spot) -> Card | None:
    """Throw the richest card, no boss, on a trick that the partner surely wins."""
    sure = spot.last or spot.is_boss(spot.trick.cards[0])
    if spot.trick.winner != spot.partner or not sure:
        return None
    gifts = [c for c in spot.cards if c.rank not in {Rank.THREE, Rank.TWO}]
    return max(gifts, key=lambda c: (c.thirds, -c), default=None)


def win_last(spot: Spot) -> Card | None:
    """Play last and win: with the ace if it wins, else as cheaply as can be."""
    if not spot.last or spot.trick.winner == spot.partner:
        return None
    return min(spot.winning, key=lambda c: (c.rank is not Rank.ACE, c), default=None)


def win_surely(spot: Spot) -> Card | None:
    """Play second and win for sure, with the ace if it is the boss."""
    if spot.trick.winner == spot.partner:
        return None
    bosses = [card for card in spot.winning if spot.is_boss(card)]
    return min(bosses, default=None)


def throw_cheapest(spot: Spot) -> Card | None:
    """Give up the trick with the card that costs least."""
    return min(spot.cards, key=cheapness)


_LEADING: Final = (cash_bosses, lead_long_suit, lead_boss, lead_low)
_FOLLOWING: Final = (feed_partner, win_last, win_surely, throw_cheapest)


def _play(view: SeatView) -> Card:
    """Return what the first rule that has an opinion says."""
    spot = read(view)
    rules = _FOLLOWING if spot.trick.cards else _LEADING
    return next(card for rule in rules if (card := rule(spot)) is not None)
