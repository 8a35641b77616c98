"""The player ``search``: each deal that it draws solved, the card that wins most."""

import pytest

from endings import answers
from spots import play_view
from strategies import rng
from support import at, golden
from terziglio import Card, Play
from terziglio.actions import Phase
from terziglio.cards import CardSet, thirds_in
from terziglio.players import rules
from terziglio.players import search as searching
from terziglio.players.knowledge import MONTE, Knowledge, World
from terziglio.players.search import graded, how_many, rng_of, search, tie_broken
from terziglio.solver import Position
from worlds import view_of, with_left


def position_of(knowledge: Knowledge, world: World) -> Position:
    trick, hands = knowledge.trick, world[:MONTE]
    monte: CardSet = world[MONTE]
    return Position(
        hands, knowledge.soloist, trick.leader, trick.cards, thirds_in(monte)
    )


@pytest.mark.parametrize("seed", range(24))
def test_plays_a_card_that_wins_in_most_of_the_deals(seed: int) -> None:
    """Each deal is asked of plain minimax."""
    hand = with_left(rng("search", seed), 2 + seed % 2)
    view = view_of(hand)
    action = search(view)
    assert isinstance(action, Play)
    assert view.thirds is not None
    knowledge, soloist = Knowledge(view), hand.turn == hand.terms.soloist
    random = rng_of(view, searching.VERSION)
    wins = dict.fromkeys(view.legal.cards, 0)
    for _ in range(how_many(len(view.hand))):
        cards = answers(position_of(knowledge, knowledge.draw(random)))
        for card in wins:
            wins[card] += (view.thirds[0] + cards[card] >= 18) is soloist
    assert action.card in wins
    assert wins[action.card] == max(wins.values())


@pytest.mark.parametrize("phase", [Phase.AUCTION, Phase.CALL, Phase.EXCHANGE])
def test_bids_calls_and_exchanges_as_rules(phase: Phase) -> None:
    view = view_of(at(golden("chiamo_lost"), phase))
    assert search(view) == rules(view)


def test_plays_the_only_card_without_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "graded", None)
    assert search(play_view("4S 5D", "3S", soloist=1)) == Play(Card("4S"))


def test_the_marks_count_what_the_soloist_has_in_his_tricks() -> None:
    hand = with_left(rng("marks"), 3)
    view = view_of(hand)
    assert view.thirds is not None
    knowledge = Knowledge(view)
    world = knowledge.draw(rng("world"))
    (found,) = graded(knowledge, [world], 3)
    cards = answers(position_of(knowledge, world))
    totals = {card: view.thirds[0] + more for card, more in cards.items()}
    assert found == (
        world,
        {c: (n >= 15) + (n >= 18) + (n >= 21) for c, n in totals.items()},
    )


def test_a_deal_that_takes_too_long_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = view_of(with_left(rng("long"), 6))
    knowledge = Knowledge(view)
    worlds = [knowledge.draw(rng("world"))]
    assert len(list(graded(knowledge, worlds, 0))) == 1
    monkeypatch.setattr(searching, "NODES", 1)
    assert list(graded(knowledge, worlds, 0)) == []
    assert search(view) == rules(view), "all are left out: all cards are as good"


def test_of_cards_as_good_the_one_of_rules_else_the_cheapest() -> None:
    view = play_view("4S 6S AS", "3S", soloist=1)
    technique = rules(view)
    assert isinstance(technique, Play)
    four, six, ace = Card("4S"), Card("6S"), Card("AS")
    assert tie_broken(view, {four: 0.0, six: 0.5, ace: 0.25}) is six
    everything = {four: 0.5, six: 0.5, ace: 0.5}
    assert tie_broken(view, everything) is technique.card
    del everything[technique.card]
    assert tie_broken(view, everything) is min(everything)


def test_fewer_deals_while_many_cards_are_left() -> None:
    assert [how_many(left) for left in range(1, 13)] == [
        *(40, 40, 40, 40, 40, 40, 40),
        *(30, 17, 14, 11, 8),
    ]


def test_draws_by_view_and_player_alone() -> None:
    one, other = (view_of(with_left(rng(name), 3)) for name in ("one", "other"))
    first = [rng_of(one, "a").random() for _ in range(2)]
    assert first[0] == first[1]
    assert len({*first, rng_of(one, "b").random(), rng_of(other, "a").random()}) == 3
