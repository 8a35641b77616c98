"""Deals played out: the hand is the one that is under way, and ``rules`` ends it."""

from itertools import islice

import pytest

from strategies import rng
from terziglio import Card, Match, Play, Seat, seat_view
from terziglio.cards import cards_in
from terziglio.count import Result
from terziglio.phases import Counted, Playing
from terziglio.players import PLAYERS
from terziglio.players.knowledge import Knowledge
from terziglio.playout import hand_of, outcomes
from worlds import decisions, every, true_world, view_of, with_left

HANDS = [
    *((name, seed) for name in ("house", "rules", "random") for seed in range(5)),
]


@pytest.mark.parametrize(("name", "seed"), HANDS)
def test_the_hand_of_the_true_deal_is_the_hand_under_way(name: str, seed: int) -> None:
    for hand in decisions(PLAYERS[name], rng("playout", name, seed)):
        assert hand_of(Knowledge(view_of(hand)), true_world(hand)) == hand


@pytest.mark.parametrize("contracts", "CSX")
def test_the_hand_of_any_deal_looks_the_same(contracts: str) -> None:
    for left in (2, 3):
        hand = with_left(rng("looks", contracts, left), left, contracts)
        view = view_of(hand)
        for world in islice(every(hand), 40):
            other = hand_of(Knowledge(view), world)
            assert view_of(other) == view
            assert true_world(other) == world


def ended(hand: Playing, card: Card) -> Result:
    """The count if ``rules`` sits everywhere once this card is played."""
    match = Match(21, hand.dealt.dealer, deal_no=1, hand=hand)
    match = match.apply(hand.turn, Play(card))
    while (seat := match.turn) is not None:
        match = match.apply(seat, PLAYERS["rules"](seat_view(match, seat)))
    assert isinstance(match.hand, Counted)
    return match.hand.result


def same(hand: Playing, one: Card, other: Card) -> bool:
    """Whether no other worth, and no card of anybody else, lies between two cards."""
    low, high = sorted((one, other))
    between = {card for card in Card if low < card < high}
    strange = {*hand.trick.cards}
    for seat in Seat:
        held = cards_in(hand.held[seat])
        own = seat is hand.turn
        strange |= {card for card in held if not own or card.thirds != one.thirds}
    alike = one.suit is other.suit and one.thirds == other.thirds
    return alike and not between & strange


@pytest.mark.parametrize("seed", range(12))
def test_what_a_card_comes_to_is_what_rules_make_of_it(seed: int) -> None:
    shared = 0
    for left in (1, 3, 5, 8, 12):
        hand = with_left(rng("outcome", left, seed), left)
        cards = cards_in(hand.playable(hand.turn))
        found = outcomes(hand)
        assert set(found) == set(cards)
        for card in cards:
            # Of cards that are the same the strongest was played.
            played = max(other for other in cards if same(hand, card, other))
            assert found[card] == ended(hand, played)
            shared += played is not card
    assert shared
