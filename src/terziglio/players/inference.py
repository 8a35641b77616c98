"""How likely a deal is, by what was bid, called and laid down.

Everybody is taken to bid as the house does, but for some doubt; to call as ``rules``
or the house does, or else anything; and the soloist to lay what he needs least.
"""

from collections.abc import Iterator
from math import exp
from random import Random
from typing import Final

from terziglio.cards import ALL_CARDS, SUIT_CARDS, Card, Rank, cards_in
from terziglio.contracts import Contract
from terziglio.players import exchange
from terziglio.players.house import BARS, call, hand_value
from terziglio.players.knowledge import MONTE, Knowledge, World
from terziglio.view import SeatView

__all__ = ["laid_anew", "likelihood", "likely"]

_DOUBT: Final = 0.8
"""How far from a bar, in hand value, an answer the other way is still well possible."""
_ODD_CALL: Final = 0.2
"""How likely it is that somebody calls otherwise than is expected."""
_KEPT: Final = {Rank.THREE: 3.0, Rank.TWO: 2.5, Rank.ACE: 1.0}
"""How much a soloist wants to keep a card."""
_LENGTH: Final = 0.25
_RANK: Final = 0.08
_TASTE: Final = 0.7
"""How far soloists differ in that."""


_WIDE: Final = 5
"""Deals drawn for each that is kept."""


def likely(
    knowledge: Knowledge, rng: Random, wanted: int
) -> Iterator[tuple[World, float]]:
    """Yield so many deals, likely ones more often: each that came up, how many times.

    The same deal may come twice.
    """
    drawn = [knowledge.draw(rng) for _ in range(wanted * _WIDE)]
    if may_be_laid(knowledge.view):
        drawn = [laid_anew(knowledge, world, rng) for world in drawn]
    weights = [likelihood(knowledge, world) + 1e-9 for world in drawn]
    # Evenly spaced along the sum of the weights.
    step = sum(weights) / wanted
    mark, so_far = step * rng.random(), 0.0
    for world, weight in zip(drawn, weights, strict=True):
        so_far += weight
        hits = 0
        while mark < so_far:
            hits += 1
            mark += step
        if hits:
            yield world, float(hits)


def likelihood(knowledge: Knowledge, world: World) -> float:
    """Return how likely the auction and the call are if the cards lie like this."""
    view = knowledge.view
    dealt = knowledge.dealt(world)
    likely, highest = 1.0, 0
    for spoken in view.auction:
        if spoken.seat != view.seat:
            value = hand_value(cards_in(dealt[spoken.seat]))
            bid = 0 if spoken.bid is None else int(spoken.bid)
            if bid:
                likely *= _bids(value, Contract(bid))
            above = max(bid, highest) + 1
            if above <= Contract.SOLISSIMO:
                likely *= 1 - _bids(value, Contract(above))
        highest = max(highest, int(spoken.bid or 0))
    contract = view.contract
    if (
        contract is not None
        and contract.called is not None
        and view.seat != contract.soloist
    ):
        hand = dealt[contract.soloist]
        held, calls = cards_in(hand), cards_in(ALL_CARDS & ~hand)
        expected = {call(held, calls), exchange.call(held, calls)}
        likely *= 1.0 if contract.called in expected else _ODD_CALL
    return likely


def _bids(value: int, contract: Contract) -> float:
    """Return how likely a hand of this value bids so much."""
    return 1 / (1 + exp(-(value + 0.5 - BARS[contract]) / _DOUBT))


def laid_anew(knowledge: Knowledge, world: World, rng: Random) -> World:
    """Return a deal whose monte is what such a soloist may well have laid."""
    soloist = knowledge.soloist
    free = world[soloist] | world[MONTE]
    whole = free | knowledge.played[soloist]

    def wanted(card: Card) -> float:
        if knowledge.voids[soloist] >> card & 1:
            return -100.0  # he has shown that he does not hold it
        length = (whole & SUIT_CARDS[card.suit]).bit_count()
        taste = rng.gauss(0, _TASTE)
        return _KEPT.get(card.rank, 0.0) + _LENGTH * length + _RANK * card.rank + taste

    laid = 0
    for card in sorted(cards_in(free), key=wanted)[: world[MONTE].bit_count()]:
        laid |= 1 << card
    places = list(world)
    places[soloist], places[MONTE] = free & ~laid, laid
    return places[0], places[1], places[2], places[3]


def may_be_laid(view: SeatView) -> bool:
    """Return whether there is a laid monte that the seat does not know."""
    contract = view.contract
    if contract is None or view.seat == contract.soloist:
        return False
    return contract.bid.takes_the_monte
