"""The call and the exchange of the player ``rules``.

A suit that is kept is worth what its top cards and its length say: ``WORTH``. The
discard is the one that leaves the four suits worth most together.
"""

from typing import Final

from terziglio.actions import Discard
from terziglio.cards import Card, Rank, Suit
from terziglio.players.cheapest import cheapness
from terziglio.players.spot import length

__all__ = ["WORTH", "call", "exchange", "exchanges", "worth"]

WORTH: Final = {
    "": (-131, -220, -306, -357, -347, -271, -200),
    "A": (-210, -307, -264, -250, -194, -151, -125),
    "2": (-196, -102, -185, -204, -205, -125, -123),
    "2A": (140, 83, -12, -44, -11, -9, 10),
    "3": (192, -106, -257, -235, -225, -183, -91),
    "3A": (-62, -129, -127, -80, -37, 19, 44),
    "32": (293, -14, -55, -18, 14, 55, 125),
    "32A": (291, 164, 149, 114, 107, 102, 247),
}
"""What a suit is worth to the soloist by its tops and the number of its other cards,
in hundredths of a third: fitted to 41,000 exchanges (``docs/players.md``)."""
_MOST = 6
_TOPS: Final = (Rank.THREE, Rank.TWO, Rank.ACE)
_MAY_GO: Final = ((), (Rank.ACE,), (Rank.TWO,), (Rank.TWO, Rank.ACE))
BURIED: Final = 20
"""What a third in the monte is worth: the soloist does not always take trick 12."""


def call(hand: tuple[Card, ...], calls: tuple[Card, ...]) -> Card:
    """Name a missing 3, else a 2, else an ace, of the shortest suit that lacks it.

    The suit will be stripped to it: a bare 3 is a sure trick and a way back in.
    """
    wanted = [Rank.ACE, Rank.TWO, Rank.THREE]

    def merit(card: Card) -> tuple[int, int, int]:
        rank = wanted.index(card.rank) if card.rank in wanted else -1
        return rank, -length(hand, card.suit), -card

    return max(calls, key=merit)


def worth(cards: tuple[Card, ...]) -> int:
    """Return what cards of one suit are worth kept, in hundredths of a third."""
    tops = "".join(rank.code for rank in _TOPS if any(c.rank is rank for c in cards))
    return WORTH[tops][min(len(cards) - len(tops), _MOST)]


def exchange(hand: tuple[Card, ...], count: int, *, give_back: bool) -> Discard:
    """Choose what to lay down, and what to give back."""
    return exchanges(hand, count, give_back=give_back, most=1)[0]


def exchanges(
    hand: tuple[Card, ...], count: int, *, give_back: bool, most: int
) -> list[Discard]:
    """Return the best things to lay down, and to give back: the best one first."""
    number = count + give_back
    best: dict[int, list[tuple[int, tuple[Card, ...]]]] = {0: [(0, ())]}
    for suit in Suit:
        held = tuple(card for card in hand if card.suit is suit)
        step: dict[int, list[tuple[int, tuple[Card, ...]]]] = {}
        for gone in ways(held, number):
            kept = tuple(card for card in held if card not in gone)
            value = worth(kept) + BURIED * sum(card.thirds for card in gone)
            for before, found in best.items():
                if before + len(gone) <= number:
                    step.setdefault(before + len(gone), []).extend(
                        (total + value, cards + gone) for total, cards in found
                    )
        for found in step.values():
            found.sort(key=lambda option: -option[0])
            del found[most:]
        best = step
    return [_discard(cards, give_back=give_back) for _, cards in best[number]]


def _discard(cards: tuple[Card, ...], *, give_back: bool) -> Discard:
    """Give back the cheapest of the cards, if one is due; lay the others."""
    chosen = sorted(cards, key=cheapness)
    if not give_back:
        return Discard(tuple(chosen))
    return Discard(tuple(chosen[1:]), chosen[0])


def ways(held: tuple[Card, ...], most: int) -> list[tuple[Card, ...]]:
    """Return what may go of a suit: its lowest cards, with or without ace and 2."""
    low = tuple(card for card in held if card.rank not in _TOPS)
    found: list[tuple[Card, ...]] = []
    for ranks in _MAY_GO:
        tops = tuple(card for card in held if card.rank in ranks)
        if len(tops) == len(ranks):
            found += [(*tops, *low[:n]) for n in range(min(len(low), most) + 1)]
    return found
