"""Tressette technique: the rules of play of the player ``rules``, each a function.

A rule looks at a spot and names a card, or has no opinion. ``play`` asks the rules
of the situation in their order and takes the first answer; the last always has one.
``docs/players.md`` tells what each is worth by measurement.
"""

from collections.abc import Callable, Iterable
from typing import Final

from terziglio.cards import SUIT_CARDS, Card, Rank, Suit
from terziglio.players.cheapest import cheapness
from terziglio.players.spot import Spot, above

__all__ = ["LEADS", "Rule", "play"]

Rule = Callable[[Spot], Card | None]
"""Names a card, or ``None`` where the rule has no opinion."""

_LONG = 3
_TOPS: Final = frozenset({Rank.THREE, Rank.TWO})


def richest(cards: Iterable[Card]) -> Card:
    """Return the card of most thirds, of like cards the weakest."""
    return min(cards, key=lambda c: (-c.thirds, c))


def cash_out(spot: Spot) -> Card | None:
    """Lead a sure winner when all that is left are sure winners: aces first."""
    return richest(spot.cards) if all(map(spot.is_boss, spot.cards)) else None


def run_suit(spot: Spot) -> Card | None:
    """As soloist cash a suit of which every card will win, the ace first.

    Its bosses are all of it, or as many as the cards that the foes may hold there. A
    short suit is left alone while the foes can follow: it is the way back in.
    """
    if spot.partner is not None:
        return None
    best: tuple[int, int, Suit] | None = None
    for suit in Suit:
        own, out, bosses = len(spot.suit(suit)), spot.out(suit), len(spot.bosses(suit))
        runs = bosses and (bosses == own or bosses >= out)
        if runs and (own > out or own >= _LONG):
            best = max(best or (own - out, own, suit), (own - out, own, suit))
    return None if best is None else richest(spot.bosses(best[2]))


def work_on_suit(spot: Spot) -> Card | None:
    """As soloist work on the suit that is longest against what is out there.

    Its bosses first, else its cheapest card, to drive the bosses out; the bosses of
    other suits stay as entries.
    """
    if spot.partner is not None:
        return None
    held = [suit for suit in Suit if spot.suit(suit)]
    lengths = {suit: len(spot.suit(suit)) for suit in held}
    suit = max(held, key=lambda suit: (lengths[suit] - spot.out(suit), lengths[suit]))
    bosses = spot.bosses(suit)
    return richest(bosses) if bosses else min(spot.suit(suit), key=cheapness)


def soloists_suit(spot: Spot, card: Card) -> int:
    """The soloist has led the suit: he wants it played."""
    return bool(spot.led[spot.soloist] & SUIT_CARDS[card.suit])


def partners_suit(spot: Spot, card: Card) -> int:
    """The partner has led the suit."""
    partner = spot.partner
    return partner is not None and bool(spot.led[partner] & SUIT_CARDS[card.suit])


def known_against(spot: Spot, card: Card) -> int:
    """How many cards of the suit lie, if not in the monte, with the soloist."""
    partner = 0 if spot.partner is None else spot.may_hold[spot.partner]
    his = spot.may_hold[spot.soloist] & ~partner
    return (his & SUIT_CARDS[card.suit]).bit_count()


def master(spot: Spot, card: Card) -> int:
    """The soloist cannot beat the card."""
    return spot.is_master(card)


def from_a_top(spot: Spot, card: Card) -> int:
    """The suit holds the own 3 or 2, and this card is no master."""
    tops = any(own.rank in _TOPS for own in spot.suit(card.suit))
    return tops and not spot.is_master(card)


def loose_ace(spot: Spot, card: Card) -> int:
    """An ace that the soloist may beat."""
    return card.rank is Rank.ACE and not spot.is_master(card)


def from_length(spot: Spot, card: Card) -> int:
    """How many cards the suit has, for a card that is no master."""
    return 0 if spot.is_master(card) else len(spot.suit(card.suit))


LEADS: Final[tuple[tuple[int, Callable[[Spot, Card], int]], ...]] = (
    (4, master),
    (2, partners_suit),
    (1, from_length),
    (-2, known_against),
    (-4, from_a_top),
    (-4, loose_ace),
    (-6, soloists_suit),
)
"""What speaks for a defender's lead and against it, about in quarters of a third.

Fitted to what each lead lost where every card is known, rounded by hand, and the
weights of length and of the partner's suit moved after trials (``docs/players.md``).
"""


def lead_against_soloist(spot: Spot) -> Card | None:
    """As defender make the lead for which most speaks; of like ones the cheapest."""

    def merit(card: Card) -> tuple[int, bool, int, tuple[int, int, int]]:
        points = sum(weight * count(spot, card) for weight, count in LEADS)
        thirds, rank, number = cheapness(card)
        own = len(spot.suit(card.suit))
        return points, spot.is_boss(card), own, (-thirds, -rank, -number)

    return max(spot.cards, key=merit)


def feed_partner(spot: Spot) -> Card | None:
    """Throw the richest card on a trick that the partner surely wins."""
    if spot.trick.winner != spot.partner or not spot.stands(spot.best):
        return None
    gifts = [c for c in spot.cards if c.rank not in _TOPS]
    return max(gifts, key=lambda c: (c.thirds, -c), default=None)


def overtake_partner(spot: Spot) -> Card | None:
    """Take over the partner's trick, surely, when the soloist might beat it."""
    if spot.trick.winner != spot.partner or spot.stands(spot.best):
        return None
    sure = [card for card in spot.winning if spot.stands(card)]
    return min(sure, key=lambda c: (c.rank is not Rank.ACE, c), default=None)


def win_surely(spot: Spot) -> Card | None:
    """Win what no foe behind can take back: with the ace if it wins, else cheaply.

    The last to play wins whenever he can, and so does a defender after the soloist;
    before a foe the second plays low unless what he plays is sure to hold.
    """
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


_LEADING: Final[tuple[Rule, ...]] = (
    cash_out,
    run_suit,
    work_on_suit,
    lead_against_soloist,
)
_FOLLOWING: Final[tuple[Rule, ...]] = (
    feed_partner,
    overtake_partner,
    win_surely,
    throw_cheapest,
)


def play(spot: Spot) -> Card:
    """Return what the first rule that has an opinion says."""
    rules = _FOLLOWING if spot.trick.cards else _LEADING
    return next(card for rule in rules if (card := rule(spot)) is not None)
