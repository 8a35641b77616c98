"""The shuffle: every place for every card, and nothing else than the key decides."""

from collections import Counter

from terziglio.cards import Card
from terziglio_api.shuffle import draw_seat, shuffle

DEALS = 20_000
DECKS = [shuffle(number.to_bytes(32, "big")) for number in range(DEALS)]


def chi_squared(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def test_R10_R26_a_deck_is_the_forty_cards_and_the_key_decides() -> None:
    assert all(sorted(deck) == list(Card) for deck in DECKS[:500])
    assert shuffle(b"k" * 32) == shuffle(b"k" * 32) != shuffle(b"l" * 32)
    assert len(set(DECKS)) == DEALS


def test_every_card_comes_to_every_place_equally_often() -> None:
    places = Counter((place, card) for deck in DECKS for place, card in enumerate(deck))
    counts = [places[place, card] for place in range(40) for card in Card]
    statistic = 39 / 40 * chi_squared(counts, DEALS / 40)
    # chi-squared with 39 * 39 degrees: mean 1521, standard deviation 55.2; within
    # 4.75 of them p is in [1e-6, 1 - 1e-6].
    assert abs(statistic - 1521) < 4.75 * 55.2


def test_R10_every_seat_is_drawn_equally_often() -> None:
    drawn = Counter(draw_seat(number.to_bytes(32, "big")) for number in range(9000))
    # chi-squared with 2 degrees: p is 1e-6 at 27.6.
    assert chi_squared([drawn[seat] for seat in drawn], 9000 / 3) < 27.6
    assert len(drawn) == 3
