"""What a seat knows of where the cards are: every deal that fits, and no other."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from math import comb

import pytest
from scipy.stats import chisquare

from redeal import may_lie
from spots import play_view
from strategies import rng
from support import cards
from terziglio.cards import ALL_CARDS, cards_in, set_of
from terziglio.players import PLAYERS
from terziglio.players.knowledge import MONTE, Knowledge
from terziglio.seats import Seat
from terziglio.tricks import Trick
from worlds import decisions, every, true_world, view_of, with_left

FEW = 3000


@pytest.mark.parametrize("left", [1, 2, 3])
@pytest.mark.parametrize("contract", ["C", "S", "X"])
def test_all_are_the_deals_that_fit_found_the_long_way(
    contract: str, left: int
) -> None:
    random = rng("all", contract, left)
    counts = []
    for _ in range(12):
        hand = with_left(random, left, contract)
        knowledge = Knowledge(view_of(hand))
        if knowledge.count <= FEW:
            told = list(knowledge.all())
            counts.append(len(told))
            assert len(told) == knowledge.count
            assert len(set(told)) == len(told)
            assert set(told) == every(hand)
            assert knowledge.draw(random) in told
    assert len(counts) > 5
    assert max(counts) > 1


@pytest.mark.parametrize("name", ["house", "rules", "random"])
@pytest.mark.parametrize("seed", range(4))
def test_the_true_deal_is_always_among_them(name: str, seed: int) -> None:
    random = rng("true", name, seed)
    for hand in decisions(PLAYERS[name], random):
        knowledge, truth = Knowledge(view_of(hand)), true_world(hand)
        assert knowledge.count > 0
        for place in range(4):
            known, void = knowledge.known[place], knowledge.voids[place]
            assert known & truth[place] == known
            assert not truth[place] & void
        for group, places in knowledge.groups:
            assert all(truth[p] & set_of(group) == 0 for p in {0, 1, 2, 3} - {*places})
        if knowledge.count <= FEW:
            assert truth in set(knowledge.all())


@pytest.mark.parametrize("seed", range(12))
def test_a_deal_drawn_may_be(seed: int) -> None:
    """At any moment: of the right sizes, each card where it may lie."""
    random = rng("drawn", seed)
    hand = with_left(random, 1 + seed)
    view, truth = view_of(hand), true_world(hand)
    may = {c: may_lie(hand, view.seat, c) for held in truth for c in cards_in(held)}
    knowledge = Knowledge(view)
    for _ in range(20):
        world = knowledge.draw(random)
        assert list(map(int.bit_count, world)) == list(map(int.bit_count, truth))
        assert sum(world) == sum(truth)
        for place, held in enumerate(world):
            assert all(place in may[card] for card in cards_in(held))


@pytest.mark.parametrize("seed", range(4))
def test_each_deal_is_drawn_with_the_same_chance(seed: int) -> None:
    random = rng("uniform", seed)
    while True:
        knowledge = Knowledge(view_of(with_left(random, random.choice((2, 3)))))
        groups = len(knowledge.groups)
        if groups > 1 and 12 <= knowledge.count <= 120:
            break
    told = list(knowledge.all())
    met = Counter(knowledge.draw(random) for _ in range(60 * len(told)))
    assert set(met) <= set(told)
    assert chisquare([met[world] for world in told]).pvalue > 0.001


def test_the_deals_at_the_start_are_counted_exactly() -> None:
    """Solissimo, the first lead: 28 cards, 12 and 12 and 4."""
    random = rng("start")
    while (hand := with_left(random, 12, "X")).trick.cards:
        pass
    assert Knowledge(view_of(hand)).count == comb(28, 12) * comb(16, 12)


def test_O7_the_soloist_alone_knows_what_he_laid() -> None:
    for hand in islice(decisions(PLAYERS["house"], rng("laid")), 12):
        own = hand.turn == hand.terms.soloist
        assert Knowledge(view_of(hand)).known[MONTE] == (hand.monte if own else 0)


def test_a_card_given_back_is_with_its_taker_until_it_is_played() -> None:
    view = play_view(
        "4D 5D", seat=1, soloist=0, monte="2S AS 7C 7D", exchange="3S 2 7C"
    )
    knowledge = Knowledge(view)
    assert knowledge.known == (0, set_of(cards("4D 5D")), set_of(cards("7C")), 0)
    assert knowledge.took == set_of(cards("2S AS 7D 3S"))
    gone = play_view(
        "4D 5D",
        seat=1,
        soloist=0,
        monte="2S AS 7C 7D",
        exchange="3S 2 7C",
        tricks=("2: 7C 4C 5C",),
    )
    assert Knowledge(gone).known == (0, set_of(cards("4D 5D")), 0, 0)


def test_before_a_card_is_given_back_all_of_it_is_with_the_soloist() -> None:
    view = play_view(
        "4D 5D", seat=1, soloist=0, monte="2S AS 7C 7D", exchange="3S 2 3S"
    )
    assert view.contract is not None
    view = replace(view, contract=replace(view.contract, given_back=None))
    assert Knowledge(view).took == set_of(cards("2S AS 7C 7D 3S"))


def test_the_very_card_called_may_be_given_back() -> None:
    """O1: then he who passed it has it again."""
    view = play_view(
        "4D 5D", seat=1, soloist=0, monte="2S AS 7C 7D", exchange="3S 2 3S"
    )
    knowledge = Knowledge(view)
    assert knowledge.known[2] == set_of(cards("3S"))
    assert knowledge.took == set_of(cards("2S AS 7C 7D"))


def test_who_did_not_follow_has_no_more_of_the_suit() -> None:
    view = play_view("4D 5D", "5H 4C", seat=0, soloist=1, tricks=("1: 4S 6H 7S",))
    knowledge = Knowledge(view)
    swords = set_of(c for c in cards_in(ALL_CARDS) if str(c).endswith("S"))
    cups = set_of(c for c in cards_in(ALL_CARDS) if str(c).endswith("H"))
    assert knowledge.voids == (0, 0, swords | cups, 0)
    assert knowledge.played == (
        set_of(cards("7S")),
        set_of(cards("4S 5H")),
        set_of(cards("6H 4C")),
    )


def test_a_finished_trick_on_the_table_is_no_trick_to_play_to() -> None:
    view = play_view("4D 5D", "5H 4H 3H", seat=1, soloist=1)
    assert Knowledge(view).trick == Trick(Seat.S1)
    open_trick = play_view("4D 5D", "5H", seat=1, soloist=1)
    assert Knowledge(open_trick).trick == Trick(Seat.S0, cards("5H"))
