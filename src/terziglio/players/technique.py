"""Tressette technique: the rules of play of the player ``rules``, each a function.

A rule looks at a spot and names a card, or has no opinion. ``play`` asks the rules
of the situation in their order and takes the first answer; the last always has one.
``docs/players.md`` tells what each is worth by measurement.
"""

from collections.abc import Callable
from typing import Final

from terziglio.cards import Card, Rank
from terziglio.players.cheapest import cheapness
from terziglio.players.spot import Spot, above, length

__all__ = ["Rule", "play"]

Rule = Callable[[Spot], Card | None]
"""Names a card, or ``None`` where the rule has no opinion."""

_TOPS: Final = frozenset({Rank.THREE, Rank.TWO})


def cash_out(spot: Spot) -> Card | None:
    """Lead a sure winner when all that is left are sure winners: aces first."""
    if not all(map(spot.is_boss, spot.cards)):
        return None
    return min(spot.cards, key=lambda c: (-c.thirds, c))


def work_on_long_suit(spot: Spot) -> Card | None:
    """As soloist lead the longest suit, bosses first, other suits' kept as entries."""
    if spot.partner is not None:
        return None
    long = spot.longest
    bosses = [card for card in long if spot.is_boss(card)]
    if bosses:
        return min(bosses, key=lambda c: (-c.thirds, c))
    return min(long, key=cheapness)


def lead_master(spot: Spot) -> Card | None:
    """As defender lead what the soloist cannot beat, the ace first."""
    masters = [card for card in spot.cards if spot.is_master(card)]
    return max(
        masters,
        key=lambda c: (spot.is_boss(c), length(spot.cards, c.suit), -c),
        default=None,
    )


def lead_low(spot: Spot) -> Card | None:
    """Lead the cheapest card of the longest suit, never from a bare or weak ace."""
    return min(spot.longest, key=cheapness)


def feed_partner(spot: Spot) -> Card | None:
    """Throw the richest card on a trick that the partner surely wins."""
    if spot.trick.winner != spot.partner or not spot.stands(spot.best):
        return None
    gifts = [c for c in spot.cards if c.rank not in _TOPS]
    return max(gifts, key=lambda c: (c.thirds, -c), default=None)


def win_last(spot: Spot) -> Card | None:
    """Play last and win: with the ace if it wins, else as cheaply as can be."""
    if not spot.last or spot.trick.winner == spot.partner:
        return None
    return min(spot.winning, key=lambda c: (c.rank is not Rank.ACE, c), default=None)


def win_surely(spot: Spot) -> Card | None:
    """Win what no foe behind can take back, with the ace if it is sure."""
    if spot.trick.winner == spot.partner:
        return None
    sure = [card for card in spot.winning if spot.stands(card)]
    return min(sure, key=lambda c: (c.rank is not Rank.ACE, c), default=None)


def throw_cheapest(spot: Spot) -> Card | None:
    """Give up the trick with the card that costs least."""
    return min(spot.cards, key=lambda c: (cost(spot, c), c.rank, c))


def cost(spot: Spot, card: Card) -> int:
    """Return what is lost with a card given up: its thirds, and what it guards."""
    held = spot.suit(card.suit)
    worth = 4 * card.thirds
    for high in held:
        over = (spot.foes & above(high)).bit_count()
        if high == card:
            worth += 6 if over == 0 else 0
        elif high > card and high.rank is Rank.ACE:
            guards = sum(low < high for low in held)
            worth += 3 if over > 0 and guards <= over else 0
    return worth


_LEADING: Final[tuple[Rule, ...]] = (cash_out, work_on_long_suit, lead_master, lead_low)
_FOLLOWING: Final[tuple[Rule, ...]] = (
    feed_partner,
    win_last,
    win_surely,
    throw_cheapest,
)


def play(spot: Spot) -> Card:
    """Return what the first rule that has an opinion says."""
    rules = _FOLLOWING if spot.trick.cards else _LEADING
    return next(card for rule in rules if (card := rule(spot)) is not None)
