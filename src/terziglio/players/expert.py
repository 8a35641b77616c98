"""A player that looks at likely deals, not any, and at how surely they are won.

It bids what is worth most by its own results (``bidding``), calls as ``rules`` does and
lays what wins most of the deals it draws (``laying``). In play it draws many deals that
fit, keeps those that fit the auction and the call best (``inference``), and has the
solver say for every card whether the soloist reaches 18 thirds, and with some margin: a
side that just makes it, both at their best, may yet go wrong. It also lets ``rules``
play each of these deals out (``playout``), and counts both as much. Near the end it has
every deal there is solved, and takes a card that wins in all of them if there is one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from terziglio.actions import Action, Bid, Play
from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.count import Result
from terziglio.players.bidding import PASS, worth_of
from terziglio.players.hint import Chance, Hint, Reason
from terziglio.players.inference import likelihood, likely
from terziglio.players.knowledge import Knowledge, World
from terziglio.players.laying import lay
from terziglio.players.rules import rules
from terziglio.players.search import graded, how_many, rng_of, tie_broken
from terziglio.playout import hand_of, outcomes
from terziglio.view import SeatView

__all__ = ["expert", "hint"]

VERSION: Final = "expert 5"
_MARGIN: Final = 3
"""Thirds beside 18 that make a result safe, or beyond hope."""
_WORTH: Final = (0.0, 0.15, 0.85, 1.0)
"""What the soloist's side may expect with 0 to 3 of the marks reached."""
_ALL: Final = 150
"""So many deals are all solved, and none is played out."""


def expert(view: SeatView) -> Action:
    """Answer the decision that is due."""
    cards = view.legal.cards
    return Play(cards[0]) if len(cards) == 1 else hint(view).action


def hint(view: SeatView) -> Hint:
    """Answer the decision that is due, with the reason and the chances."""
    legal = view.legal
    if legal.bids:
        return Hint(Bid(_bid(view)), Reason.BEST_BID)
    if legal.calls:
        return Hint(rules(view), Reason.BEST_CALL)
    if legal.discard is not None:
        return Hint(lay(view, rng_of(view, VERSION)), Reason.BEST_EXCHANGE)
    return _play(view)


def _bid(view: SeatView) -> Contract | None:
    """Return the bid that is worth most, none if passing is."""
    worth: dict[Contract | None, float] = {None: PASS}
    for bid in view.legal.bids:
        if bid is not None:
            worth[bid] = worth_of(bid, view.hand)
    return max(worth, key=lambda bid: worth[bid])


@dataclass(slots=True)
class _Verdict:
    """What the deals say of one card, for the soloist: sums over their weights."""

    worth: float = 0.0
    wins: float = 0.0

    def add(self, weight: float, worth: float, *, won: bool) -> None:
        """Count one deal."""
        self.worth += weight * worth
        self.wins += weight * won


def _play(view: SeatView) -> Hint:
    cards = view.legal.cards
    knowledge = Knowledge(view)
    soloist = view.seat == knowledge.soloist
    every = knowledge.count <= _ALL
    verdicts = {card: _Verdict() for card in cards}
    total, worlds = 0.0, 0
    weights: dict[World, float] = {}
    for world, weight in _weighed(knowledge, every=every):
        weights[world] = weights.get(world, 0.0) + weight
    for world, reached in graded(knowledge, list(weights), _MARGIN):
        weight = weights[world]
        total += weight
        worlds += 1
        for card, marks in reached.items():
            verdicts[card].add(weight, _WORTH[marks], won=marks >= 2)
        if not every:
            total += weight
            for card, result in outcomes(hand_of(knowledge, world)).items():
                verdicts[card].add(weight, _earned(result), won=result.won)
    if not worlds:
        return Hint(rules(view), Reason.TECHNIQUE)
    worth = {card: v.worth if soloist else -v.worth for card, v in verdicts.items()}
    wins = {card: v.wins / total for card, v in verdicts.items()}
    chances = tuple(Chance(c, wins[c] if soloist else 1 - wins[c]) for c in cards)
    whole = every and worlds == len(weights)
    sure = {c.card: worth[c.card] for c in chances if whole and c.win == 1}
    card = tie_broken(view, sure or worth)
    return Hint(Play(card), _reason(card, chances, sure=bool(sure)), chances, worlds)


def _earned(result: Result) -> float:
    """Return what a count is worth to the soloist: 0 lost, 1 won, beyond by bonus."""
    return 0.5 + result.delta[result.soloist] / (4 * result.contract.stake)


def _reason(card: Card, chances: tuple[Chance, ...], *, sure: bool) -> Reason:
    """Return why a card is played."""
    if len(chances) == 1:
        return Reason.ONLY_CARD
    if sure:
        return Reason.SURE
    most = max(chance.win for chance in chances)
    if most == 0:
        return Reason.LONG_SHOT
    best = [chance.card for chance in chances if chance.win == most]
    return Reason.MOST_CHANCES if best == [card] else Reason.MOST_POINTS


def _weighed(knowledge: Knowledge, *, every: bool) -> Iterator[tuple[World, float]]:
    """Yield the deals to look at, with their weights; the same deal may come twice."""
    if not every:
        view = knowledge.view
        yield from likely(knowledge, rng_of(view, VERSION), how_many(len(view.hand)))
        return
    for world in knowledge.all():
        yield world, likelihood(knowledge, world) + 1e-9
