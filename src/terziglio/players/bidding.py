"""What a bid is worth: game points that the soloist may expect, by his twelve cards.

Fitted to hands that were played out: 8,339 chiamo and 4,035 solo hands between
``rules`` players, then moved up by what the expert makes more of its own cards (848 and
324 hands). ``bench/calibrate_bids.py`` does it again. A solo was then moved down by
1.2: defenders that search beat more of them than ``rules`` do.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from terziglio.cards import Card, Rank, Suit
from terziglio.contracts import Contract

__all__ = ["PASS", "worth_of"]

PASS: Final = -0.4
"""What it is worth to pass, in game points: of -0.8, -0.4 and 0 the best in a field of
``rules`` (+0.35, +0.47 and +0.36 game points a hand, 160 deals, +-0.18)."""


class _Line(NamedTuple):
    """Game points for each card of a rank, and each beyond four of the longest suit."""

    start: float
    ranks: dict[Rank, float]
    longer: float


_LINES: Final = {
    Contract.CHIAMO: _Line(
        -2.41 + 0.29,
        {
            Rank.THREE: 1.02,
            Rank.TWO: 0.64,
            Rank.ACE: 0.35,
            Rank.KING: 0.08,
            Rank.QUEEN: 0.06,
        },
        0.14,
    ),
    Contract.SOLO: _Line(
        -7.31 + 0.81 - 1.2,
        {Rank.THREE: 2.24, Rank.TWO: 1.16, Rank.ACE: 0.58, Rank.KING: 0.09},
        0.26,
    ),
    # Too few deals are played to fit: a solo without the monte, at twice the stake.
    Contract.SOLISSIMO: _Line(
        -19.0,
        {Rank.THREE: 4.48, Rank.TWO: 2.32, Rank.ACE: 1.16, Rank.KING: 0.18},
        0.52,
    ),
}
_LONG: Final = 4


def worth_of(contract: Contract, hand: Iterable[Card]) -> float:
    """Return what a soloist may expect his score to change by, in game points."""
    held = tuple(hand)
    line = _LINES[contract]
    longest = max(sum(card.suit is suit for card in held) for suit in Suit)
    ranks = sum(line.ranks.get(card.rank, 0.0) for card in held)
    return line.start + ranks + line.longer * max(0, longest - _LONG)
