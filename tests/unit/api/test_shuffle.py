"""The shuffle: every place for every card, and nothing else than the key decides.

The same tests, on shuffles that are wrong in well-known ways, must fail.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, cmp_to_key
from inspect import signature
from random import Random

import pytest
from scipy.stats import chi2

from strategies import SCALE, rng
from terziglio import Seat, deal
from terziglio.cards import Card
from terziglio_api import shuffle as module
from terziglio_api.commands import By, Mode, Opening
from terziglio_api.fanout.local import LocalFanout
from terziglio_api.service import TableService
from terziglio_api.shuffle import draw_seat, shuffle
from terziglio_api.storage.memory import MemoryLog

Deck = tuple[Card, ...]
Shuffle = Callable[[Random], Deck]
DEALS = 20_000
PROOF = SCALE > 1
UNLIKELY = 1e-6
"""A true shuffle is outside of [1e-6, 1 - 1e-6] twice in a million sets of keys."""


@cache
def decks() -> list[Deck]:
    """What the production shuffle makes of 20,000 fixed keys of 256 bits."""
    return [shuffle(number.to_bytes(32, "big")) for number in range(DEALS)]


def by_position(dealt: Iterable[Deck]) -> float:
    """Return p of the 40 x 40 table: how often each card was at each place.

    One deck is a permutation matrix: its cells' covariance is that of two projections
    of rank 39, divided by 39. So 39/40 * sum((O - E)^2 / E) is chi-squared with 39 * 39
    = 1521 degrees.
    """
    seen = Counter((at, card) for deck in dealt for at, card in enumerate(deck))
    counts = [(seen[at, card], DEALS / 40) for at in range(40) for card in Card]
    return tail(counts, 39 * 39)


def by_location(dealt: Iterable[Deck]) -> float:
    """Return p of the table of where each card came to lie: a seat, or the monte.

    The columns of the positions' table are summed by the dealing order of the rules
    (O26): three packets of four to each seat, the last four to the monte. Of 4 columns
    3 are free, so the same statistic has 39 * 3 = 117 degrees.
    """
    place = {}
    for at, card in enumerate(Card):
        dealt_first = deal(Seat.S0, list(Card)).dealt
        hands = [seat for seat in Seat if dealt_first.hands[seat] >> card & 1]
        place[at] = int(hands[0]) if hands else 3
    seen = Counter((place[at], card) for deck in dealt for at, card in enumerate(deck))
    sizes = Counter(place.values())
    assert sizes == {0: 12, 1: 12, 2: 12, 3: 4}
    counts = [
        (seen[where, card], DEALS * sizes[where] / 40)
        for where in sizes
        for card in Card
    ]
    return tail(counts, 39 * 3)


def tail(counts: list[tuple[int, float]], degrees: int) -> float:
    statistic = 39 / 40 * sum((count - mean) ** 2 / mean for count, mean in counts)
    return float(chi2.sf(statistic, degrees))


def fair(p: float) -> bool:
    return UNLIKELY <= p <= 1 - UNLIKELY


def doubles(dealt: Iterable[Deck]) -> int:
    """Return how many decks came before."""
    seen, twice = set[bytes](), 0
    for deck in dealt:
        known = bytes(deck)
        twice += known in seen
        seen.add(known)
    return twice


def test_R10_R26_a_deck_is_the_forty_cards_and_the_key_decides() -> None:
    assert all(sorted(deck) == list(Card) for deck in decks()[:500])
    assert shuffle(b"k" * 32) == shuffle(b"k" * 32) != shuffle(b"l" * 32)


def test_every_card_comes_to_every_place_equally_often() -> None:
    assert fair(by_position(decks()))


def test_O26_every_card_comes_to_every_seat_and_the_monte_equally_often() -> None:
    assert fair(by_location(decks()))


def test_R10_every_seat_is_drawn_equally_often() -> None:
    drawn = Counter(draw_seat(number.to_bytes(32, "big")) for number in range(9000))
    statistic = sum((drawn[seat] - 3000) ** 2 / 3000 for seat in Seat)
    assert fair(float(chi2.sf(statistic, 2)))


@pytest.mark.parametrize("bound", range(2, 41))
def test_no_place_is_favoured_by_a_remainder(bound: int) -> None:
    drawn = [
        module._below(bound, iter((byte, 0)))
        for byte in range(256)
        if byte < 256 - 256 % bound
    ]
    assert set(Counter(drawn).values()) == {256 // bound}
    # A byte past the last whole round is skipped, and the next one taken.
    over = range(256 - 256 % bound, 256)
    assert all(module._below(bound, iter((byte, 1))) == 1 for byte in over)


# Shuffles that are wrong: each must be found out.


def swap_any(random: Random) -> Deck:
    """Each card changes places with any card, not with one that is not placed yet."""
    deck = list(Card)
    for at in range(40):
        other = random.randrange(40)
        deck[at], deck[other] = deck[other], deck[at]
    return tuple(deck)


def sattolo(random: Random) -> Deck:
    """No card can stay where it was."""
    deck = list(Card)
    for at in range(39, 0, -1):
        other = random.randrange(at)
        deck[at], deck[other] = deck[other], deck[at]
    return tuple(deck)


def random_comparator(random: Random) -> Deck:
    """A sort that is told at random which of two cards is less."""
    return tuple(
        sorted(Card, key=cmp_to_key(lambda _one, _two: random.choice((-1, 1))))
    )


def remainder(random: Random) -> Deck:
    """The right swaps, but a byte's remainder says with whom."""
    deck = list(Card)
    for at in range(39, 0, -1):
        other = random.getrandbits(8) % (at + 1)
        deck[at], deck[other] = deck[other], deck[at]
    return tuple(deck)


@pytest.mark.parametrize("wrong", [swap_any, sattolo, random_comparator, remainder])
def test_a_wrong_shuffle_is_found_out(wrong: Shuffle) -> None:
    random = rng("wrong shuffle")
    dealt = [wrong(random) for _ in range(DEALS)]
    assert all(sorted(deck) == list(Card) for deck in dealt[:500])
    assert not fair(by_position(dealt))
    assert not fair(by_location(dealt))


def test_a_right_shuffle_of_another_kind_is_not() -> None:
    random = rng("right shuffle")
    dealt = [tuple(random.sample(list(Card), 40)) for _ in range(DEALS)]
    assert fair(by_position(dealt))
    assert fair(by_location(dealt))


# Of n deals from s seeds about n^2 / 2s are doubles: 1,000,000 deals from 2^32 seeds
# give 116, and none with a chance of e^-116. The short run has 20,000 deals and 2^24
# seeds: 11.9 doubles, none with a chance of 7 in a million. Of 40! decks 1,000,000
# deals give one double in 10^36 runs.
MANY, BITS = (1_000_000, 32) if PROOF else (DEALS, 24)


def test_no_deck_comes_twice_from_keys_of_the_system() -> None:
    assert doubles(shuffle(secrets.token_bytes(32)) for _ in range(MANY)) == 0


def test_keys_from_a_short_seed_are_found_out_by_doubles() -> None:
    random, expected = rng("short seeds"), MANY**2 / 2 / 2**BITS
    keys = (module.seeded_key(str(random.getrandbits(BITS)), 1) for _ in range(MANY))
    twice = doubles(map(shuffle, keys))
    assert twice > 0
    # Poisson: within five standard deviations.
    assert abs(twice - expected) < 5 * expected**0.5


async def test_every_hand_takes_256_bits_from_the_system() -> None:
    asked: list[int] = []

    def entropy(size: int) -> bytes:
        asked.append(size)
        return secrets.token_bytes(size)

    assert signature(TableService).parameters["entropy"].default is secrets.token_bytes
    tables = TableService(MemoryLog(), LocalFanout(), entropy=entropy)
    house = ("house", "house")
    for _ in range(3):
        await tables.open(Opening(Mode.COMPUTER, "A", By.PERSON, 7, 0, house))
    assert asked == [32, 32, 32]
