"""Deals played out: the hand is the one that is under way, and ``rules`` ends it."""

from itertools import islice
from random import Random

import pytest

from strategies import Script, line, rng, shuffled
from terziglio import Card, Contract, Match, Play, Seat, seat_view
from terziglio.actions import Discard
from terziglio.cards import cards_in
from terziglio.count import Result
from terziglio.phases import Counted, Exchange, Playing
from terziglio.players import PLAYERS
from terziglio.players.exchange import exchanges
from terziglio.players.knowledge import Knowledge
from terziglio.playout import earned, exchanged, hand_of, outcomes
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


def ended(hand: Playing | Exchange, action: Play | Discard) -> Result:
    """The count if ``rules`` sits everywhere once this is done."""
    match = Match(21, hand.dealt.dealer, deal_no=1, hand=hand)
    match = match.apply(hand.turn, action)
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
            assert found[card] == ended(hand, Play(played))
            shared += played is not card
    assert shared


def due(random: Random, contract: str) -> Exchange:
    """An exchange of a hand played at random."""
    while True:
        script = Script.drawn(random, contract)
        for hand in line(script, Seat(random.randrange(3)), shuffled(random)):
            if isinstance(hand, Exchange):
                return hand


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("contract", "CS")
def test_what_an_exchange_comes_to_is_what_rules_make_of_it(
    contract: str, seed: int
) -> None:
    hand = due(rng("exchanged", contract, seed), contract)
    view = view_of(hand)
    rule = view.legal.discard
    assert rule is not None
    for option in exchanges(view.hand, 4, give_back=rule.give_back, most=5):
        found = exchanged(Knowledge(view), true_world(hand), option)
        assert found == ended(hand, option)


@pytest.mark.parametrize(
    ("contract", "tricks", "thirds", "worth"),
    [
        (Contract.CHIAMO, (8, 4), (17, 15), 1.0),
        (Contract.SOLO, (4, 8), (15, 17), 0.0),
        (Contract.CHIAMO, (12, 0), (32, 0), 1.5),
        (Contract.SOLO, (10, 2), (30, 2), 2.0),
        (Contract.SOLISSIMO, (2, 10), (2, 30), -1.0),
        (Contract.SOLISSIMO, (0, 12), (0, 32), -0.5),
    ],
)
def test_a_count_is_worth_what_it_pays_for_its_stake(
    contract: Contract, tricks: tuple[int, int], thirds: tuple[int, int], worth: float
) -> None:
    """From a plain loss to a plain win is 1; a cappotto doubles what is paid (R52)."""
    last = Seat.S0 if thirds > (15, 17) else Seat.S1
    assert earned(Result(Seat.S0, contract, tricks, thirds, 0, last)) == worth
