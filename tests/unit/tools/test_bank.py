from collections import Counter

import pytest

from terziglio import Card, Seat
from terziglio.bank import BANKS, deal_of

GOLDEN = {
    ("test", "1", 0): (
        "3H 5D 6S KD AC AS QD 6D JD 3D QS 5C 7D 3S KS 2C 3C 7H JS QC "
        "7S JC AD JH KH 5H 6H 6C 7C 4C 5S AH 2D 2S 4S 2H 4H 4D QH KC"
    ),
    ("test", "1", 4449): (
        "AS 5C 6H AD KD 7C 6C 6S 5H QC JH 7S QS AH 3H 2S 2D QD 5D 2H "
        "KS JS QH 7H 4S KH KC 3D 7D AC 4D 2C 3C 5S 4H 3S 6D JC JD 4C"
    ),
    ("test", "another", 0): (
        "3H 7S 3S 2C QD 4H 3D QC KC 6H AD KH 6C AC 3C 4C QS KS 6S 2D "
        "2H KD 2S 6D AH 5S QH 5H JC 5D 4S 5C AS JS 4D JH JD 7C 7H 7D"
    ),
    ("tune", "1", 0): (
        "JD AH AS 3S KH 7C QD KD QH 7S 5H JH 3D 6D 7D 2H 2S 6H KC 2D "
        "7H 3H 5D AD JS 2C JC 4S QC KS 4D QS 4C 4H 5C 6S 6C 3C AC 5S"
    ),
}


@pytest.mark.parametrize("place", GOLDEN, ids=str)
def test_golden_deals_never_change(place: tuple[str, str, int]) -> None:
    assert " ".join(map(str, deal_of(*place).deck)) == GOLDEN[place]


def test_a_deal_is_forty_cards_and_a_dealer_in_turn() -> None:
    for index in range(30):
        deal = deal_of("test", "1", index)
        assert sorted(deal.deck) == list(Card)
        assert deal.dealer is Seat(index % 3)
        assert deal.index == index


def test_banks_seeds_and_indices_give_different_deals() -> None:
    decks = {
        deal_of(bank, seed, index).deck
        for bank in BANKS
        for seed in ("1", "11", "2")
        for index in range(50)
    }
    assert len(decks) == 2 * 3 * 50


def test_every_card_is_as_likely_in_every_place() -> None:
    number = 4000
    seen: Counter[tuple[int, Card]] = Counter()
    for index in range(number):
        seen.update(enumerate(deal_of("tune", "even", index).deck))
    wanted = number / 40
    chi = sum(
        (seen[place, c] - wanted) ** 2 / wanted for place in range(40) for c in Card
    )
    # 1521 degrees of freedom: mean 1521, standard deviation 55.
    assert abs(chi - 1521) < 5 * 55


@pytest.mark.parametrize(
    ("bank", "seed", "index"), [("best", "1", 0), ("test", "a\0", 0), ("test", "1", -1)]
)
def test_no_such_deal(bank: str, seed: str, index: int) -> None:
    with pytest.raises(ValueError, match=r"a bank is one of|a seed has no zero byte"):
        deal_of(bank, seed, index)
