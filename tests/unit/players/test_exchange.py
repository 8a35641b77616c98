"""The exchange of the player ``rules``: what stays, what goes."""

from itertools import combinations

import pytest

from support import cards, generator
from terziglio.actions import Discard
from terziglio.cards import ALL_CARDS, Card, Suit, cards_in, set_of
from terziglio.players.exchange import (
    BURIED,
    WORTH,
    call,
    exchange,
    exchanges,
    ways,
    worth,
)


@pytest.mark.parametrize(
    ("held", "called"),
    [
        pytest.param("2S AS KS QS 2C AC KC QC 2H AH KH 4D", "3D", id="shortest suit"),
        pytest.param("2S AS KS QS 3C 2C AC KC 3H 2H 3D 4D", "3S", id="the 3 it lacks"),
        pytest.param("3S AS KS QS 3C AC KC 3H AH 3D 4D 5D", "2H", id="a 2"),
        pytest.param("3S 2S KS QS 3C 2C KC 3H 2H 3D 2D 4D", "AH", id="an ace"),
        pytest.param("2S AS KS 2C AC KC 2H AH KH 2D AD KD", "3S", id="of like, first"),
    ],
)
def test_calls_the_missing_3_then_2_then_ace_of_its_shortest_suit(
    held: str, called: str
) -> None:
    own = tuple(sorted(cards(held)))
    assert call(own, cards_in(ALL_CARDS ^ set_of(own))) is Card(called)


def lay(held: str) -> set[str]:
    """What is laid of sixteen cards."""
    action = exchange(tuple(sorted(cards(held))), 4, give_back=False)
    assert action.give_back is None
    return set(map(str, action.cards))


def test_strips_a_suit_to_its_3() -> None:
    held = "3S 2S AS KS QS JS 7S 3C 2C AC 3D 2D 3H 4H 5H 6H"
    assert lay(held) >= {"4H", "5H", "6H"}


def test_voids_short_weak_suits() -> None:
    held = "3S 2S AS KS QS JS 7S 3C 2C AC 3D 2D KH 4H KD 5D"
    assert lay(held) == {"KH", "4H", "KD", "5D"}


def test_keeps_the_long_suit_its_tops_and_the_ace_under_3_and_2() -> None:
    held = "3S 2S AS KS QS JS 7S 6S 3C 4C 5C 2D 4D 5D KH 7H"
    assert not lay(held) & {"3S", "2S", "AS", "KS", "QS", "JS", "7S", "6S", "3C"}


def test_buries_the_bare_ace_that_cannot_be_saved() -> None:
    held = "3S 2S AS KS QS JS 7S 3C 2C AC 3D 2D AH 4D 5D 4C"
    assert "AH" in lay(held)


def test_buries_the_ace_that_only_its_3_protects() -> None:
    held = "3S 2S AS KS QS JS 7S 3C 2C AC 3D 2D 3H AH 4C 5C"
    assert "AH" in lay(held)
    assert "AS" not in lay(held)


def test_never_lays_a_3() -> None:
    rng = generator(4)
    for _ in range(200):
        hand = tuple(sorted(rng.sample(list(Card), 17)))
        action = exchange(hand, 4, give_back=True)
        assert not any(str(c)[0] == "3" for c in (*action.cards, action.give_back or 0))


def test_gives_back_the_cheapest_of_what_goes() -> None:
    held = "3S 2S AS KS QS JS 7S 3C 2C AC 3D 2D KH 4H KD 5D JC"
    action = exchange(tuple(sorted(cards(held))), 4, give_back=True)
    assert action.give_back is Card("4H")
    assert set(map(str, action.cards)) == {"KH", "KD", "5D", "JC"}


def test_worth_goes_by_tops_and_number_of_other_cards() -> None:
    assert worth(()) == WORTH[""][0]
    assert worth(cards("4S 5S KS")) == WORTH[""][3]
    assert worth(cards("3S AS 5S")) == WORTH["3A"][1]
    assert worth(cards("3S 2S AS KS QS JS 7S 6S 5S 4S")) == WORTH["32A"][6], "at most 6"
    assert {len(row) for row in WORTH.values()} == {7}


def test_ways_take_the_lowest_with_or_without_ace_and_2() -> None:
    found = {" ".join(map(str, way)) for way in ways(cards("4S KS AS"), 4)}
    assert found == {"", "4S", "4S KS", "AS", "AS 4S", "AS 4S KS"}
    assert {len(way) for way in ways(cards("4S 5S 6S 7S JS QS"), 2)} == {0, 1, 2}
    both = ways(cards("AS 2S 3S"), 5)
    assert set(both) == {(), cards("AS"), cards("2S"), cards("AS 2S")}


def total(action: Discard, hand: tuple[Card, ...]) -> int:
    gone = {*action.cards, action.give_back} - {None}
    kept = [card for card in hand if card not in gone]
    suits = (tuple(c for c in kept if c.suit is suit) for suit in Suit)
    return sum(map(worth, suits)) + BURIED * sum(c.thirds for c in hand if c in gone)


def test_no_others_of_such_ways_are_worth_more() -> None:
    """Against plain enumeration of all 1,820 discards that keep the best of a suit."""
    rng = generator(5)
    for _ in range(5):
        hand = tuple(sorted(rng.sample(list(Card), 16)))
        found = exchanges(hand, 4, give_back=False, most=30)
        fits = [
            Discard(laid)
            for laid in combinations(hand, 4)
            if all(
                tuple(sorted(c for c in laid if c.suit is suit))
                in {
                    tuple(sorted(way))
                    for way in ways(tuple(c for c in hand if c.suit is suit), 4)
                }
                for suit in Suit
            )
        ]
        best = sorted((total(action, hand) for action in fits), reverse=True)
        assert [total(action, hand) for action in found] == best[:30]
        assert len({set_of(action.cards) for action in found}) == len(best[:30])
        assert found[0] == exchange(hand, 4, give_back=False)
