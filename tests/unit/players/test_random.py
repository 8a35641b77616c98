"""The random player: anything legal, the same for the same view."""

from collections import Counter

import pytest

from support import at, bidding, generator, golden, on_table, played, shuffled, steps
from terziglio.actions import Bid, Call, Discard, Phase, Play
from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.hand import apply, check, deal
from terziglio.match import new_match
from terziglio.phases import Counted, Hand
from terziglio.players import PLAYERS, house, random, rules
from terziglio.players.random import choose
from terziglio.seats import Seat
from terziglio.view import SeatView, seat_view


def chiamo() -> Counted:
    return played("chiamo_lost")


def view_of(hand: Hand) -> SeatView:
    assert hand.turn is not None
    return seat_view(on_table(hand), hand.turn)


def test_players_by_name() -> None:
    assert list(PLAYERS) == ["house", "random", "rules", "search", "expert"]
    assert (PLAYERS["house"], PLAYERS["random"], PLAYERS["rules"]) == (
        house,
        random,
        rules,
    )


def test_every_answer_is_legal_in_whole_matches() -> None:
    for seed in range(10):
        match = new_match(dealer=Seat(seed % 3)).deal(shuffled(seed))
        while match.turn is not None:
            action = random(seat_view(match, match.turn))
            assert match.hand is not None
            assert check(match.hand, match.turn, action) is None
            match = match.apply(match.turn, action)


def test_same_view_same_answer() -> None:
    for now, _, _ in steps(chiamo()):
        assert random(view_of(now)) == random(view_of(now))


def test_answer_depends_on_the_view() -> None:
    bids = {random(view_of(deal(Seat.S0, shuffled(seed)))) for seed in range(60)}
    assert bids == {Bid(None), *map(Bid, Contract)}


def test_answer_is_one_of_the_view_not_of_hidden_cards() -> None:
    """R69: what the others hold may change, the view and the answer do not."""
    deck = list(shuffled(5))
    own = {*deck[0:4], *deck[12:16], *deck[24:28]}
    answers = set()
    for seed in range(30):
        rest = [card for card in deck if card not in own]
        generator(seed).shuffle(rest)
        dealt = [card if card in own else rest.pop() for card in deck]
        answers.add(random(view_of(deal(Seat.S0, dealt))))
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("letters", "options"), [("", 4), ("C", 3), ("S", 2)], ids=["all", "three", "two"]
)
def test_bids_are_equally_likely(letters: str, options: int) -> None:
    view = view_of(bidding(deal(Seat.S0, shuffled(1)), letters))
    rng = generator(1)
    drawn = Counter(choose(view, rng) for _ in range(1200))
    assert len(drawn) == options
    assert min(drawn.values()) > 1200 // options // 2


def test_every_card_can_be_called_and_played() -> None:
    rng = generator(2)
    call = view_of(at(chiamo(), Phase.CALL))
    called = {choose(call, rng) for _ in range(1500)}
    assert called == {Call(card) for card in call.legal.calls}
    lead = view_of(at(chiamo(), Phase.PLAY))
    played = {choose(lead, rng) for _ in range(500)}
    assert played == {Play(card) for card in lead.legal.cards}


@pytest.mark.parametrize(
    ("name", "gives", "held"), [("chiamo_lost", True, 17), ("solo_won", False, 16)]
)
def test_every_card_can_be_laid_and_given_back(
    name: str, gives: bool, held: int
) -> None:
    hand = at(golden(name), Phase.EXCHANGE)
    view, rng = view_of(hand), generator(3)
    laid: set[Card] = set()
    given: set[Card] = set()
    for _ in range(600):
        action = choose(view, rng)
        assert isinstance(action, Discard)
        assert hand.turn is not None
        apply(hand, hand.turn, action)
        laid |= set(action.cards)
        given |= set() if action.give_back is None else {action.give_back}
    assert len(laid) == held
    assert len(given) == (held if gives else 0)
