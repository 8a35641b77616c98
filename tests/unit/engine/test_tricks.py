"""Who wins a trick and what it is worth."""

from itertools import permutations

import pytest

from support import cards
from terziglio.cards import Card
from terziglio.seats import Seat
from terziglio.tricks import Trick

LADDER = "4567JQKA23"  # low to high
WORTH = {"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1}


@pytest.mark.parametrize(
    ("played", "winner", "thirds"),
    [
        pytest.param("7C AC 2H", 1, 4, id="W49"),
        pytest.param("AS 3S 2S", 1, 5, id="W50"),
        pytest.param("4D 3C 3H", 0, 2, id="W51"),
        pytest.param("KD QD AD", 2, 5, id="W52"),
        pytest.param("JH 7H QH", 2, 2, id="W53"),
    ],
)
def test_R40_highest_of_the_suit_led_wins(
    played: str, winner: int, thirds: int
) -> None:
    for leader in Seat:
        trick = Trick(leader, cards(played))
        assert trick.winner == (leader + winner) % 3
        assert trick.thirds == thirds


def by_strings(codes: tuple[str, ...]) -> int:
    """The winning turn by the rule's own words, on plain strings."""
    led = codes[0][1]
    followed = [code for code in codes if code[1] == led]
    best = max(followed, key=lambda code: LADDER.index(code[0]))
    return codes.index(best)


def test_R3_R4_R6_R40_all_59280_tricks() -> None:
    table = {card: card.code for card in Card}
    number = 0
    for played in permutations(Card, 3):
        codes = tuple(table[card] for card in played)
        leader = number % 3
        trick = Trick(Seat(leader), played)
        assert trick.winner == (leader + by_strings(codes)) % 3, codes
        assert trick.thirds == sum(WORTH.get(code[0], 0) for code in codes), codes
        number += 1
    assert number == 59_280 == 40 * 39 * 38


def test_R40_trick_under_way_is_held_by_its_best_card_so_far() -> None:
    assert Trick(Seat.S2, cards("QH")).winner is Seat.S2
    assert Trick(Seat.S2, cards("QH KH")).winner is Seat.S0
    assert Trick(Seat.S2, cards("QH KH AH")).winner is Seat.S1
    assert Trick(Seat.S2, cards("QH KC")).winner is Seat.S2


def test_trick_without_cards_is_worth_nothing() -> None:
    assert Trick(Seat.S0).cards == ()
    assert Trick(Seat.S0).thirds == 0
