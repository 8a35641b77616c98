"""The player ``expert`` and its hints: what it says of a card holds in the deals."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from endings import answers
from strategies import rng
from support import at, bidding, golden, shuffled
from terziglio import Bid, Card, Contract, Play, deal
from terziglio.actions import Phase
from terziglio.cards import cards_in
from terziglio.phases import Playing
from terziglio.players import expert as thinking
from terziglio.players import rules, search
from terziglio.players.expert import expert, hint
from terziglio.players.hint import Hint, Reason
from terziglio.players.inference import likelihood, likely
from terziglio.players.knowledge import MONTE, Knowledge, World
from terziglio.players.laying import lay
from terziglio.players.search import rng_of
from terziglio.playout import hand_of, outcomes
from terziglio.seats import Seat
from terziglio.solver import Position
from terziglio.view import SeatView
from worlds import every, view_of, with_left

SOME = 150
"""So many deals are all looked at."""


@cache
def moment(left: int, seed: int) -> Playing:
    return with_left(rng("expert", left, seed), left)


@cache
def told(left: int, seed: int) -> tuple[SeatView, Hint]:
    view = view_of(moment(left, seed))
    return view, hint(view)


MOMENTS = [(left, seed) for left in (1, 2, 3) for seed in range(20)]
MOMENTS += [(left, seed) for left in range(4, 13) for seed in range(3)]


@pytest.mark.parametrize(("left", "seed"), MOMENTS)
def test_a_chance_for_each_card_and_one_of_them_is_played(left: int, seed: int) -> None:
    view, found = told(left, seed)
    assert isinstance(found.action, Play)
    assert found.action.card in view.legal.cards
    assert [chance.card for chance in found.chances] == list(view.legal.cards)
    assert all(0 <= chance.win <= 1 for chance in found.chances)
    assert found.worlds > 0
    assert hint(view) == found, "asked again"
    assert expert(view) == found.action
    if len(view.legal.cards) == 1:
        assert found.reason is Reason.ONLY_CARD


@pytest.mark.parametrize("seed", range(45))
def test_near_the_end_it_looks_at_every_deal_there_is(seed: int) -> None:
    """The deals are found the long way, and each is asked of plain minimax."""
    random = rng("near the end", seed)
    while True:
        hand = with_left(random, 1 + seed % 3)
        view = view_of(hand)
        knowledge, soloist = Knowledge(view), view.side(view.seat) == "soloist"
        if knowledge.count <= SOME:
            break
    found = hint(view)
    assert view.thirds is not None
    deals = every(hand)
    wins: Counter[object] = Counter()
    weighted = dict.fromkeys(view.legal.cards, 0.0)
    total = 0.0
    for world in deals:
        trick = knowledge.trick
        position = Position(
            world[:MONTE],
            knowledge.soloist,
            trick.leader,
            trick.cards,
            sum(card.thirds for card in cards_in(world[MONTE])),
        )
        weight = likelihood(knowledge, world) + 1e-9  # however odd, it may be
        total += weight
        for card, more in answers(position).items():
            won = (view.thirds[0] + more >= 18) is soloist
            wins[card] += won
            weighted[card] += weight * won
    assert found.worlds == len(deals)
    sure = {card for card in view.legal.cards if wins[card] == len(deals)}
    assert isinstance(found.action, Play)
    if len(view.legal.cards) > 1:
        assert (found.reason is Reason.SURE) is bool(sure)
        assert not sure or found.action.card in sure
        assert (found.reason is Reason.LONG_SHOT) is (sum(wins.values()) == 0)
    for chance in found.chances:
        assert chance.win == pytest.approx(weighted[chance.card] / total)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("left", [5, 8, 11])
def test_before_that_what_rules_make_of_a_deal_counts_as_much(
    left: int, seed: int
) -> None:
    """The chance is the mean of two: both sides at their best, and as ``rules``."""
    random = rng("before that", left, seed)
    view = view_of(with_left(random, left))
    while (knowledge := Knowledge(view)).count <= SOME:
        view = view_of(with_left(random, left))
    soloist, total = view.side(view.seat) == "soloist", 0.0
    won = dict.fromkeys(view.legal.cards, 0.0)
    deals = likely(knowledge, rng_of(view, thinking.VERSION), search.how_many(left))
    for world, weight in deals:
        for _, marks in search.graded(knowledge, [world], 0):  # one, or too long
            total += weight
            for card, result in outcomes(hand_of(knowledge, world)).items():
                won[card] += weight * ((marks[card] > 0) is soloist) / 2
                won[card] += weight * (result.won is soloist) / 2
    chances = {chance.card: chance.win for chance in hint(view).chances}
    assert chances == pytest.approx({card: won[card] / total for card in won})


def test_every_reason_to_play_is_given() -> None:
    given = Counter(told(left, seed)[1].reason for left, seed in MOMENTS)
    assert set(given) == {
        Reason.ONLY_CARD,
        Reason.SURE,
        Reason.MOST_CHANCES,
        Reason.MOST_POINTS,
        Reason.LONG_SHOT,
    }


@pytest.mark.parametrize(("left", "seed"), MOMENTS)
def test_the_reason_fits_the_chances(left: int, seed: int) -> None:
    _, found = told(left, seed)
    assert isinstance(found.action, Play)
    win = {chance.card: chance.win for chance in found.chances}
    best = [card for card in win if win[card] == max(win.values())]
    match found.reason:
        case Reason.MOST_CHANCES:
            assert best == [found.action.card]
        case Reason.MOST_POINTS:
            assert best != [found.action.card]
        case Reason.LONG_SHOT:
            assert not any(win.values())
        case Reason.SURE:
            assert win[found.action.card] == 1
        case _:
            assert found.reason is Reason.ONLY_CARD


def after(letters: str, values: dict[Contract, float], monkeypatch: pytest.MonkeyPatch
) -> Hint:  # fmt: skip
    """What is bid after these bids if the bids are worth so much."""
    monkeypatch.setattr(thinking, "PASS", 0.0)
    monkeypatch.setattr(thinking, "worth_of", lambda bid, _: values[bid])
    return hint(view_of(bidding(deal(Seat.S0, shuffled(1)), letters)))


def test_bids_what_is_worth_most_of_what_may_be_bid(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = {Contract.CHIAMO: 0.5, Contract.SOLO: 0.7, Contract.SOLISSIMO: -0.1}
    assert after("", values, monkeypatch) == Hint(Bid(Contract.SOLO), Reason.BEST_BID)
    assert after("C", values, monkeypatch).action == Bid(Contract.SOLO)
    assert after("S", values, monkeypatch).action == Bid(None)
    values[Contract.SOLISSIMO] = 0.1
    assert after("S", values, monkeypatch).action == Bid(Contract.SOLISSIMO)
    nothing = dict.fromkeys(Contract, -0.1)
    assert after("P", nothing, monkeypatch) == Hint(Bid(None), Reason.BEST_BID)


def test_calls_as_rules() -> None:
    view = view_of(at(golden("chiamo_lost"), Phase.CALL))
    assert hint(view) == Hint(rules(view), Reason.BEST_CALL)


def test_lays_what_wins_most_deals() -> None:
    view = view_of(at(golden("chiamo_lost"), Phase.EXCHANGE))
    chosen = lay(view, rng_of(view, thinking.VERSION))
    assert hint(view) == Hint(chosen, Reason.BEST_EXCHANGE)


def test_plays_as_rules_when_no_deal_could_be_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "NODES", 0)
    view = view_of(moment(5, 0))
    assert hint(view) == Hint(rules(view), Reason.TECHNIQUE)


def test_a_deal_that_takes_too_long_leaves_nothing_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left, seed = next(
        (left, seed)
        for left, seed in MOMENTS
        if told(left, seed)[1].reason is Reason.SURE and told(left, seed)[1].worlds > 1
    )
    view, found = told(left, seed)

    def all_but_one(
        knowledge: Knowledge, worlds: list[World], margin: int
    ) -> Iterator[tuple[World, dict[Card, int]]]:
        return search.graded(knowledge, worlds[1:], margin)

    monkeypatch.setattr(thinking, "graded", all_but_one)
    again = hint(view)
    assert again.worlds == found.worlds - 1
    assert again.reason is not Reason.SURE


def test_a_deal_that_was_drawn_twice_counts_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where a card wins in one of two deals, the weights tell how often it wins."""
    for left, seed in MOMENTS:
        view = view_of(moment(left, seed))
        knowledge = Knowledge(view)
        if left > 3 or knowledge.count > SOME or len(view.legal.cards) < 2:
            continue
        soloist = view.seat == knowledge.soloist
        won: dict[bool, World] = {}
        first = view.legal.cards[0]
        for world, marks in search.graded(knowledge, knowledge.all(), 3):
            won[(marks[first] >= 2) is soloist] = world
        if len(won) == 2:
            break
    else:
        pytest.fail("no such moment")
    drawn = [(won[True], 1.0), (won[False], 1.0), (won[True], 2.0)]
    monkeypatch.setattr(thinking, "_weighed", lambda *_, **__: iter(drawn))
    chance = next(c for c in hint(view).chances if c.card is first)
    assert chance.win == pytest.approx(3 / 4)
