"""The forty cards, and sets of them as int bitmasks.

A ``Card`` is an ``IntEnum`` ordered by suit (S C H D), then by strength
(4 weakest, 3 strongest): ten neighbouring bits of a ``CardSet`` are one suit.
Rules: R1-R7.
"""

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Self, TypeVar

__all__ = [
    "ALL_CARDS",
    "CODES",
    "SUBSETS",
    "SUIT_CARDS",
    "Card",
    "CardSet",
    "Rank",
    "Suit",
    "cards_in",
    "set_of",
    "stand_ins",
    "thirds_in",
]

CardSet = int
"""A set of cards: bit ``int(card)`` is 1 for each card in it."""


Member = TypeVar("Member", bound="Coded")


class Coded(IntEnum):
    """An ordered member whose ``str`` is its code; ``Class("code")`` finds it."""

    if TYPE_CHECKING:  # IntEnum's own signature knows nothing of ``_missing_``

        def __new__(cls, value: int | str) -> Self: ...

    @property
    def code(self) -> str:
        """The member's code on the wire and in notation."""
        return self.name.lower()

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return _by_code(cls).get(value) if isinstance(value, str) else None

    __hash__ = int.__hash__  # equal to its number, so found by it; Enum's is slower

    def __str__(self) -> str:
        return self.code

    def __format__(self, spec: str) -> str:
        return format(self.code, spec)


@cache
def _by_code(kind: type[Member]) -> dict[str, Member]:
    return {member.code: member for member in kind}


class Suit(Coded):
    """A suit; codes S C H D, after the French names. No rank between suits (R4)."""

    SWORDS = 0
    BATONS = 1
    CUPS = 2
    COINS = 3

    @property
    def code(self) -> str:
        """``S`` swords/spades, ``C`` batons/clubs, ``H`` cups/hearts, ``D`` coins."""
        return "SCHD"[self]


class Rank(Coded):
    """A rank, weakest first: 4 5 6 7 J Q K A 2 3. Rules: R3."""

    FOUR = 0
    FIVE = 1
    SIX = 2
    SEVEN = 3
    JACK = 4
    QUEEN = 5
    KING = 6
    ACE = 7
    TWO = 8
    THREE = 9

    @property
    def code(self) -> str:
        """One character of ``4567JQKA23``."""
        return "4567JQKA23"[self]

    @property
    def thirds(self) -> int:
        """Worth in thirds of a point: ace 3; 3, 2, K, Q, J 1; others 0 (R6)."""
        return (0, 0, 0, 0, 1, 1, 1, 3, 1, 1)[self]


class Card(Coded):
    """A card. ``Card("3S")`` is the three of swords; ``str(card)`` gives it back."""

    S4 = 0
    S5 = 1
    S6 = 2
    S7 = 3
    SJ = 4
    SQ = 5
    SK = 6
    SA = 7
    S2 = 8
    S3 = 9
    C4 = 10
    C5 = 11
    C6 = 12
    C7 = 13
    CJ = 14
    CQ = 15
    CK = 16
    CA = 17
    C2 = 18
    C3 = 19
    H4 = 20
    H5 = 21
    H6 = 22
    H7 = 23
    HJ = 24
    HQ = 25
    HK = 26
    HA = 27
    H2 = 28
    H3 = 29
    D4 = 30
    D5 = 31
    D6 = 32
    D7 = 33
    DJ = 34
    DQ = 35
    DK = 36
    DA = 37
    D2 = 38
    D3 = 39

    @property
    def code(self) -> str:
        """Rank and suit: ``3S``."""
        return CODES[self]

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return _SUITS[self]

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return _RANKS[self]

    @property
    def thirds(self) -> int:
        """Worth in thirds of a point (R6)."""
        return _RANKS[self].thirds


CODES: Final = tuple(f"{rank}{suit}" for suit in Suit for rank in Rank)
"""The cards' codes in their order."""
_SUITS: Final = tuple(suit for suit in Suit for _ in Rank)
_RANKS: Final = tuple(rank for _ in Suit for rank in Rank)

ALL_CARDS: Final[CardSet] = (1 << 40) - 1
"""The whole pack (R1)."""

SUIT_CARDS: Final[tuple[CardSet, ...]] = tuple(0x3FF << 10 * suit for suit in Suit)
"""For each suit, all its ten cards."""

_PACK: Final = tuple(Card)
_ACES: Final[CardSet] = sum(1 << card for card in _PACK if card.rank is Rank.ACE)
_SINGLES: Final[CardSet] = sum(1 << card for card in _PACK if card.thirds == 1)
SUBSETS: Final = tuple(
    tuple(
        tuple(card for card in _PACK[start : start + 10] if bits >> card - start & 1)
        for bits in range(1 << 10)
    )
    for start in range(0, 40, 10)
)
"""For each suit, the cards of each of its 1,024 subsets: ten bits from 0."""
_SWORDS, _BATONS, _CUPS, _COINS = SUBSETS


def set_of(cards: Iterable[Card]) -> CardSet:
    """Return the set of these cards."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def cards_in(bits: CardSet) -> tuple[Card, ...]:
    """Return the cards of a set in their fixed order: by suit, weakest first."""
    return (
        *_SWORDS[bits & 0x3FF],
        *_BATONS[bits >> 10 & 0x3FF],
        *_CUPS[bits >> 20 & 0x3FF],
        *_COINS[bits >> 30],
    )


def thirds_in(bits: CardSet) -> int:
    """Return what the cards of a set are worth together, in thirds (R6)."""
    return (bits & _SINGLES).bit_count() + 3 * (bits & _ACES).bit_count()


def stand_ins(held: Iterable[Card], others: CardSet) -> dict[Card, Card]:
    """Return for each card of a hand, strongest first, the one to try in its place.

    Two of a suit that are worth as much, with no card of others between them, take and
    lose the same tricks: the strongest of such cards stands for all.

    Args:
        held: cards of one hand.
        others: what others hold or have played to the trick.
    """
    ordered = sorted(held, reverse=True)
    found = {card: card for card in ordered}
    for above, card in pairwise(ordered):
        alike = above.suit is card.suit and above.thirds == card.thirds
        if alike and not others & (1 << above) - (2 << card):
            found[card] = found[above]
    return found
