"""What the expert lays and gives back: what wins most of some common deals.

The exchanges that keep the best suits (``exchange``) are tried on likely deals of the
others' cards; after every few deals the worse half is dropped.
"""

from random import Random
from typing import Final

from terziglio.actions import Discard
from terziglio.cards import set_of, thirds_in
from terziglio.count import NEED
from terziglio.players.exchange import exchanges
from terziglio.players.inference import likely
from terziglio.players.knowledge import MONTE, Knowledge, World
from terziglio.solver import Position, Unsolved, reaches
from terziglio.view import SeatView

__all__ = ["lay", "position"]

_TRIED: Final = 10
_DEALS: Final = 12
_ROUND: Final = 4
_NODES: Final = 200_000
"""Cards that the solver may try for one deal; one that needs more counts half."""


def lay(view: SeatView, rng: Random) -> Discard:
    """Choose what to lay, and what to give back; of equals what keeps better suits."""
    rule = view.legal.discard
    assert rule is not None  # noqa: S101 - the exchange is due
    left = exchanges(rule.choices, rule.count, give_back=rule.give_back, most=_TRIED)
    deals = list(likely(Knowledge(view), rng, _DEALS))
    won = dict.fromkeys(left, 0.0)
    for first in range(0, len(deals), _ROUND):
        for world, weight in deals[first : first + _ROUND]:
            for option in left:
                won[option] += weight * _won(position(view, world, option))
        left.sort(key=lambda option: -won[option])
        del left[(len(left) + 1) // 2 :]
    return left[0]


def position(view: SeatView, world: World, option: Discard) -> Position:
    """Return what is to be played once the soloist has laid this."""
    contract = view.contract
    assert contract is not None  # noqa: S101 - so there is a soloist
    hands, laid = list(world[:MONTE]), set_of(option.cards)
    hands[view.seat] &= ~laid
    if option.give_back is not None and contract.passed_by is not None:
        hands[view.seat] ^= 1 << option.give_back
        hands[contract.passed_by] |= 1 << option.give_back
    first = view.auction[0].seat
    now = hands[0], hands[1], hands[2]
    return Position(now, view.seat, first, monte=thirds_in(laid))


def _won(at: Position) -> float:
    """Return whether the soloist reaches 18 thirds."""
    try:
        return float(reaches(at, NEED, _NODES))
    except Unsolved:
        return 0.5
