"""What a bid is worth by the twelve cards of who makes it."""

import pytest

from support import cards
from terziglio.contracts import Contract
from terziglio.players.bidding import PASS, worth_of

WEAK = "4S 5S 6S 4C 5C 6C 7C JC JH 5H 4D 5D"
FAIR = "3S 2S AS KS 3C 2C 7C 5C 3H 4H JH 4D"
MIGHTY = "3S 2S AS KS QS JS 7S 6S 3C 2C 3H 3D"


@pytest.mark.parametrize("contract", Contract)
def test_each_better_card_and_a_longer_suit_are_worth_more(contract: Contract) -> None:
    ladder = [
        "4S 5S 6S 4C 5C 6C 4H 5H 6H 4D 5D 6D",
        "4S 5S KS 4C 5C 6C 4H 5H 6H 4D 5D 6D",
        "4S 5S AS 4C 5C 6C 4H 5H 6H 4D 5D 6D",
        "4S 5S 2S 4C 5C 6C 4H 5H 6H 4D 5D 6D",
        "4S 5S 3S 4C 5C 6C 4H 5H 6H 4D 5D 6D",
        "4S 5S 3S 4C 5C 6C 4H 5H 3H 4D 5D 6D",
    ]
    worth = [worth_of(contract, cards(held)) for held in ladder]
    assert worth == sorted(set(worth))


@pytest.mark.parametrize("contract", Contract)
def test_cards_beyond_four_of_the_longest_suit_count_alike(contract: Contract) -> None:
    four = worth_of(contract, cards("4S 5S 6S 7S 4C 5C 6C 4H 5H 6H 4D 5D"))
    five = worth_of(contract, cards("4S 5S 6S 7S JS 5C 6C 4H 5H 6H 4D 5D"))
    six = worth_of(contract, cards("4C 5C 6C 7C JC 4S 5S 6S 7S JS 4D 4H"))
    seven = worth_of(contract, cards("4S 5S 6S 7S JS 4C 5C 6C 7C JC 4D 4H"))
    assert four < five == six == seven, "only the longest counts, whichever it is"
    three = worth_of(contract, cards("4S 5S 6S 4C 5C 6C 4H 5H 6H 4D 5D 6D"))
    assert three == four, "up to four make no difference"


def test_who_has_little_passes_and_who_has_all_plays_for_most() -> None:
    def best(held: str) -> Contract | None:
        worth = {bid: worth_of(bid, cards(held)) for bid in Contract}
        most = max(worth, key=lambda bid: worth[bid])
        return most if worth[most] > PASS else None

    assert best(WEAK) is None
    assert best(FAIR) is not None
    assert best(MIGHTY) is Contract.SOLISSIMO


def test_any_order_of_the_cards_and_any_suits_are_the_same() -> None:
    turned = FAIR.translate(str.maketrans("SCH", "CHS"))
    assert worth_of(Contract.SOLO, cards(FAIR)) == worth_of(
        Contract.SOLO, iter(reversed(cards(turned)))
    )
