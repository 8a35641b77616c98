"""Decisions of real hands, and every deal that a seat has to reckon with at one.

The referee of ``players.knowledge``: where a card may lie is ``redeal.may_lie``, which
looks at the hand and was written from the rules; the deals are all ways to share out
the cards by that, with no counting.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from redeal import MIDDLE, may_lie, where
from strategies import Script, held, line, lopsided, middle, shuffled
from terziglio import Card, Hand, Match, Seat, apply, deal, seat_view
from terziglio.cards import set_of
from terziglio.phases import Playing
from terziglio.players import Player
from terziglio.view import SeatView

__all__ = ["World", "decisions", "every", "true_world", "view_of", "with_left"]

World = tuple[int, int, int, int]


def view_of(hand: Hand) -> SeatView:
    """The view of the seat on turn."""
    assert hand.turn is not None
    return seat_view(Match(7, hand.dealt.dealer, deal_no=1, hand=hand), hand.turn)


def true_world(hand: Hand) -> World:
    """Where the cards are."""
    return (*held(hand), middle(hand))


def decisions(player: Player, random: Random) -> Iterator[Playing]:
    """Yield a hand between three of a kind, at each card that is to be played."""
    hand: Hand = deal(Seat(random.randrange(3)), shuffled(random))
    while hand.turn is not None:
        if isinstance(hand, Playing):
            yield hand
        hand = apply(hand, hand.turn, player(view_of(hand)))


def with_left(random: Random, cards: int, contracts: str = "CSX") -> Playing:
    """A decision of a hand played at random, by a seat with so many cards."""
    while True:
        dealer = Seat(random.randrange(3))
        deck = lopsided(random, dealer) if random.random() < 0.3 else shuffled(random)
        script = Script.drawn(random, random.choice(contracts))
        there = [
            hand
            for hand in line(script, dealer, deck)
            if isinstance(hand, Playing) and hand.held[hand.turn].bit_count() == cards
        ]
        if there:
            return random.choice(there)


def every(hand: Playing) -> set[World]:
    """Every deal that the seat on turn has to reckon with, found the long way."""
    seat, truth = hand.turn, where(hand)
    sizes = [len(cards) for cards in truth]
    may = {card: may_lie(hand, seat, card) for cards in truth for card in cards}
    found: set[World] = set()

    def share(place: int, left: frozenset[Card], sets: tuple[int, ...]) -> None:
        if place > MIDDLE:
            first, second, third, monte = sets
            found.add((first, second, third, monte))
            return
        must = [card for card in left if may[card] == {place}]
        can = [c for c in left if place in may[c] and c not in must]
        if len(must) <= sizes[place]:
            for more in combinations(can, sizes[place] - len(must)):
                now = (*must, *more)
                share(place + 1, left.difference(now), (*sets, set_of(now)))

    share(0, frozenset(may), ())
    return found
