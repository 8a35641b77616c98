"""The public deal bank: deal number ``index`` is the same for everybody, for ever.

A deck is a function of three words, the bank, the seed and the index. Their key is

    SHA-256("terziglio/bank/1" 00 bank 00 seed 00 index)

in UTF-8 with zero bytes between, the index in decimal. Block ``n`` of the stream is
``SHA-256(key + n)``, ``n`` as four bytes, high byte first. The forty cards, in the
order of their numbers (suits S C H D, 4 5 6 7 J Q K A 2 3), are shuffled from the last
place down (Fisher-Yates): each draw takes the next byte of the stream that is below
the greatest multiple of the bound, so no place is favoured. The deck is in dealing
order; the dealer is seat ``index mod 3``.

``tune`` is for making players, ``test`` for telling how good they are: the two have no
deal in common, but by a chance of one in 10^47 for each pair.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import Final

from terziglio.cards import Card
from terziglio.seats import SEATS, Seat

__all__ = ["BANKS", "Deal", "deal_of"]

BANKS: Final = ("test", "tune")
_BYTES = 256


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal of a bank."""

    index: int
    dealer: Seat
    deck: tuple[Card, ...]
    """In dealing order."""


def deal_of(bank: str, seed: str, index: int) -> Deal:
    """Return one deal.

    Raises:
        ValueError: there is no such bank, the seed has a zero byte in it, or the
            index is negative.
    """
    if bank not in BANKS:
        raise ValueError(f"a bank is one of {', '.join(BANKS)}, not {bank!r}")
    if "\0" in seed or index < 0:
        raise ValueError("a seed has no zero byte, an index is not negative")
    words = ("terziglio/bank/1", bank, seed, str(index))
    stream = _stream(sha256("\0".join(words).encode()).digest())
    deck = list(Card)
    for last in range(len(deck) - 1, 0, -1):
        place = _below(last + 1, stream)
        deck[last], deck[place] = deck[place], deck[last]
    return Deal(index, Seat(index % SEATS), tuple(deck))


def _stream(key: bytes) -> Iterator[int]:
    for block in count():  # pragma: no branch - it never ends
        yield from sha256(key + block.to_bytes(4)).digest()


def _below(bound: int, stream: Iterator[int]) -> int:
    fair = _BYTES - _BYTES % bound
    return next(byte for byte in stream if byte < fair) % bound
