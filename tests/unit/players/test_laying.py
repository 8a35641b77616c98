"""What the expert lays: the deals it looks at, and that it wins more of others."""

from collections.abc import Iterator
from itertools import islice

import pytest

from strategies import rng, shuffled
from terziglio import Bid, Contract, Hand, Seat, apply, deal
from terziglio.actions import Discard
from terziglio.cards import ALL_CARDS, cards_in, set_of, thirds_in
from terziglio.phases import Auction, Exchange, Playing
from terziglio.players import laying
from terziglio.players.bidding import worth_of
from terziglio.players.exchange import exchanges
from terziglio.players.inference import likely
from terziglio.players.knowledge import MONTE, Knowledge
from terziglio.players.laying import lay, position
from terziglio.players.rules import rules
from terziglio.solver import Position, reaches
from worlds import true_world, view_of

pytestmark = pytest.mark.timeout(600)  # whoever asks first waits for the compiler
GOOD = -0.4
"""Game points at which a hand is worth a bid."""


def due(name: str, bid: Contract) -> Iterator[Exchange]:
    """Yield exchanges of soloists whose hands are worth their bids."""
    random = rng("laying", name)
    while True:
        soloist = Seat(random.randrange(3))
        hand: Hand = deal(Seat(random.randrange(3)), shuffled(random))
        if worth_of(bid, cards_in(hand.dealt.hands[soloist])) < GOOD:
            continue
        while not isinstance(hand, Exchange):
            seat = hand.turn
            assert seat is not None
            if isinstance(hand, Auction):
                hand = apply(hand, seat, Bid(bid if seat == soloist else None))
            else:
                hand = apply(hand, seat, rules(view_of(hand)))
        yield hand


@pytest.mark.parametrize("bid", [Contract.CHIAMO, Contract.SOLO])
def test_the_deals_are_those_that_its_seventeen_or_sixteen_leave(bid: Contract) -> None:
    for hand in islice(due("deals", bid), 20):
        view = view_of(hand)
        own, sizes = set_of(view.hand), view.hand_sizes
        worlds = list(likely(Knowledge(view), rng("deals"), 12))
        assert sum(weight for _, weight in worlds) == 12
        for world, _ in worlds:
            assert world[view.seat] == own
            assert world[MONTE] == 0
            assert tuple(cards.bit_count() for cards in world[:MONTE]) == sizes
            assert world[0] | world[1] | world[2] == ALL_CARDS


@pytest.mark.parametrize("bid", [Contract.CHIAMO, Contract.SOLO])
def test_asks_what_the_hand_would_be_if_it_were_laid(bid: Contract) -> None:
    """The engine says who holds what then, and who leads."""
    for hand in islice(due("laid", bid), 20):
        view = view_of(hand)
        rule = view.legal.discard
        assert rule is not None
        for option in exchanges(view.hand, 4, give_back=rule.give_back, most=5):
            after = apply(hand, view.seat, option)
            assert isinstance(after, Playing)
            monte = thirds_in(after.monte)
            there = Position(after.held, view.seat, after.trick.leader, monte=monte)
            assert position(view, true_world(hand), option) == there


def test_wins_more_deals_that_it_has_not_seen_than_rules() -> None:
    more = 0
    for hand in islice(due("b", Contract.CHIAMO), 30):
        view = view_of(hand)
        chosen, plain = lay(view, rng("chosen")), rules(view)
        assert isinstance(plain, Discard)
        assert lay(view, rng("chosen")) == chosen, "asked again"
        knowledge, random = Knowledge(view), rng("unseen")
        for _ in range(20 if chosen != plain else 0):
            world = knowledge.draw(random)
            more += reaches(position(view, world, chosen), 18)
            more -= reaches(position(view, world, plain), 18)
    assert more > 10


def test_lays_as_rules_if_no_deal_could_be_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(laying, "_NODES", 0)
    for hand in islice(due("unsolved", Contract.CHIAMO), 5):
        view = view_of(hand)
        assert lay(view, rng("unsolved")) == rules(view)
