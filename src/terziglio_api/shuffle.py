"""The one shuffle: a key of 256 bits makes a deck, every deck equally likely.

Fisher-Yates over a SHAKE-256 stream; bytes that would favour some place are skipped,
so there is no modulo bias. The key comes from the operating system for every hand.
"""

from collections.abc import Iterator
from hashlib import sha256, shake_256

from terziglio.cards import Card
from terziglio.seats import SEATS, Seat

__all__ = ["draw_seat", "seeded_key", "shuffle"]

_BYTES = 256
_STREAM = 512
"""Bytes of stream: 39 draws need about 45; 512 are never used up."""


def shuffle(key: bytes) -> tuple[Card, ...]:
    """Return the deck that belongs to a key of 32 bytes."""
    stream = iter(shake_256(b"deck" + key).digest(_STREAM))
    deck = list(Card)
    for last in range(len(deck) - 1, 0, -1):
        place = _below(last + 1, stream)
        deck[last], deck[place] = deck[place], deck[last]
    return tuple(deck)


def seeded_key(seed: str, deal: int) -> bytes:
    """Return the key of a deal that comes from a seed, not from chance."""
    return sha256(f"{seed}/{deal}".encode()).digest()


def draw_seat(key: bytes) -> Seat:
    """Return the seat that belongs to a key: the first dealer (R10)."""
    return Seat(_below(SEATS, iter(shake_256(b"seat" + key).digest(_STREAM))))


def _below(bound: int, stream: Iterator[int]) -> int:
    """Draw a number under ``bound``, each equally likely."""
    fair = _BYTES - _BYTES % bound
    return next(byte for byte in stream if byte < fair) % bound
