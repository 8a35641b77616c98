"""The forty cards and sets of them, against tables of plain strings."""

import pytest

from support import cards, generator
from terziglio.cards import (
    ALL_CARDS,
    SUIT_CARDS,
    Card,
    Rank,
    Suit,
    cards_in,
    set_of,
    stand_ins,
    thirds_in,
)

SUITS = "SCHD"
RANKS = "32AKQJ7654"  # high to low
WORTH = {"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1, "7": 0, "6": 0, "5": 0, "4": 0}
PACK = [rank + suit for suit in SUITS for rank in RANKS]


def test_R1_forty_cards_ten_ranks_in_four_suits() -> None:
    assert sorted(map(str, Card)) == sorted(PACK)
    assert len(set(Card)) == 40
    assert "".join(map(str, Suit)) == SUITS
    assert not {"8S", "9C", "10H", "TD"} & set(map(str, Card))


def test_R2_suits_go_by_french_initials_and_italian_names() -> None:
    named = {suit.name: suit.code for suit in Suit}
    assert named == {"SWORDS": "S", "BATONS": "C", "CUPS": "H", "COINS": "D"}


def test_R3_trick_rank_from_three_down_to_four() -> None:
    assert "".join(map(str, sorted(Rank, reverse=True))) == RANKS
    for suit in SUITS:
        ladder = [Card(rank + suit) for rank in RANKS]
        assert ladder == sorted(ladder, reverse=True)


def test_R5_queen_stands_above_jack() -> None:
    assert all(Card("Q" + suit) > Card("J" + suit) for suit in SUITS)


def test_R6_worth_in_thirds() -> None:
    assert {card.code: card.thirds for card in Card} == {c: WORTH[c[0]] for c in PACK}
    assert {rank.code: rank.thirds for rank in Rank} == WORTH


def test_R6_a_suit_is_worth_8_and_the_pack_32() -> None:
    assert [thirds_in(suit) for suit in SUIT_CARDS] == [8, 8, 8, 8]
    assert thirds_in(ALL_CARDS) == 32


@pytest.mark.parametrize("code", PACK)
def test_code_and_card_find_each_other(code: str) -> None:
    card = Card(code)
    assert str(card) == card.code == f"{card}" == code
    assert f"{card:>4}" == f"  {code}"
    assert card.rank is Rank(code[0])
    assert card.suit is Suit(code[1])
    assert Card(int(card)) is card


@pytest.mark.parametrize(
    "code", ["", "3", "S", "S3", "3s", "8S", "10S", "3S ", "3X", "0"]
)
def test_what_is_no_card_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="not a valid Card"):
        Card(code)


@pytest.mark.parametrize("number", [-1, 40])
def test_numbers_beyond_the_pack_are_no_cards(number: int) -> None:
    with pytest.raises(ValueError, match="not a valid Card"):
        Card(number)


def test_set_holds_one_bit_a_card() -> None:
    assert set_of(()) == 0
    assert set_of(Card) == ALL_CARDS == 2**40 - 1
    assert set_of(cards("4S 5S")) == 0b11
    assert set_of(cards("3D")) == 2**39
    assert set_of(cards("4S 4S")) == 1


def test_cards_of_a_set_come_by_suit_weakest_first() -> None:
    mixed = set_of(cards("3D 4S AC 7C KH 3S 2H"))
    assert cards_in(mixed) == cards("4S 3S 7C AC KH 2H 3D")
    assert cards_in(0) == ()
    assert cards_in(ALL_CARDS) == tuple(Card)


def test_suit_sets_hold_their_ten_cards() -> None:
    for suit in Suit:
        held = cards_in(SUIT_CARDS[suit])
        assert {str(card) for card in held} == {rank + suit.code for rank in RANKS}


def test_sets_agree_with_lists_for_many_draws() -> None:
    rng = generator(1)
    for _ in range(2000):
        drawn = rng.sample(list(Card), rng.randrange(41))
        bits = set_of(drawn)
        assert cards_in(bits) == tuple(sorted(drawn))
        assert thirds_in(bits) == sum(WORTH[str(card)[0]] for card in drawn)


@pytest.mark.parametrize(
    ("held", "others", "tried"),
    [
        ("4S 5S 7S", "", "7S 5S:7S 4S:7S"),  # all of no worth, nothing between
        ("4S 5S 7S", "6S", "7S 5S 4S:5S"),  # the six parts them
        ("7S JS", "", "JS 7S"),  # a court is worth a third (R6)
        ("KS AS 2S 3S", "", "3S 2S:3S AS KS"),  # the ace is worth three
        ("QS KS 2S", "JS 3S", "2S KS:2S QS:2S"),  # the ace is gone
        ("QS KS 2S", "AS", "2S KS QS:KS"),
        ("3S 4C", "", "4C 3S"),  # of two suits
        ("4S 4C 5C", "", "5C 4C:5C 4S"),  # the first card of all has none below
    ],
)
def test_what_stands_in_for_what(held: str, others: str, tried: str) -> None:
    found = stand_ins(cards(held), set_of(cards(others)))
    assert [str(c) if c is t else f"{c}:{t}" for c, t in found.items()] == tried.split()
