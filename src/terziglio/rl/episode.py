"""What is done and seen in an episode, as numbers: ``ACTIONS`` and ``LAYOUT``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from terziglio.actions import Action, Bid, Call, Discard, Phase, Play
from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.count import TRICKS
from terziglio.match import Match
from terziglio.phases import MONTE
from terziglio.seats import SEATS, Seat
from terziglio.view import SeatView, seat_view

__all__ = ["ACTIONS", "LAYOUT", "SCORES", "SIZE", "Episode", "Observation", "Step"]

Observation = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the action list: a kind, and the bid or card it is about."""

    kind: str
    """``bid``, ``call``, ``give``, ``lay`` or ``play``."""
    what: Contract | Card | None
    """The contract or card; ``None`` is a pass."""


_BIDS: Final = (None, *Contract)
ACTIONS: Final = (
    *(Step("bid", bid) for bid in _BIDS),
    *(Step(kind, card) for kind in ("call", "give", "lay", "play") for card in Card),
)
"""All actions by number: 4 bids, then 40 cards each to call, give back, lay, play."""
_NUMBER: Final = {step: number for number, step in enumerate(ACTIONS)}

_PHASES: Final = (Phase.AUCTION, Phase.CALL, Phase.EXCHANGE, Phase.PLAY)
_LONGEST: Final = 21
_ALL: Final = 35
SCORES: Final = 4
"""How far scores are told, in 21 points either way."""

LAYOUT: Final[Mapping[str, int]] = {
    "phase": 5,  # auction, call, exchange, play, over
    "dealer": 3,
    "turn": 3,
    "bids": 12,  # for each seat: pass, chiamo, solo, solissimo; none: not yet spoken
    "contract": 3,
    "soloist": 3,
    "called": 40,
    "passed_by": 3,  # none beside a called card: it lay in the monte
    "given_back": 40,
    "monte_shown": 40,
    "laid": 40,  # the four in the middle, as far as this seat may know them
    "to_give": 40,  # chosen in this exchange, and not yet done
    "hand": 40,
    "hand_sizes": 3,  # of 17
    "table": 120,  # for each seat: its card in the trick that is not yet full
    "played": 120,  # for each seat: the number of the trick it played a card to, of 12
    "thirds": 2,  # in tricks, of 35: soloist, defenders
    "scores": 3,  # of 21, within -4 and 4
    "target": 1,  # of 21; 0 where the episode is one hand
}
"""The parts of an observation, in order, and how many numbers each has.

Seats are told from the observer's on: its own, the next, the one after. Cards are in
their fixed order. Numbers are 0 or 1 where no other measure is named.
"""
SIZE: Final = sum(LAYOUT.values())


@dataclass
class Episode:
    """A hand or a match under way, with the exchange as far as it is chosen."""

    match: Match
    whole_match: bool
    chosen: list[Card] = field(default_factory=list[Card])
    """Cards chosen in an exchange that is not yet done; a card to give comes first."""

    @property
    def turn(self) -> Seat | None:
        """The seat to act; ``None``: the hand is over."""
        return self.match.turn

    @property
    def over(self) -> bool:
        """Whether no deal follows."""
        ended = self.match.winner is not None or not self.whole_match
        return self.turn is None and ended

    def legal(self, seat: Seat) -> Iterator[Step]:
        """Yield what a seat may do now."""
        allowed = seat_view(self.match, seat).legal
        yield from (Step("bid", bid) for bid in allowed.bids)
        yield from (Step("call", card) for card in allowed.calls)
        yield from (Step("play", card) for card in allowed.cards)
        if allowed.discard is not None:
            kind = "give" if allowed.discard.give_back and not self.chosen else "lay"
            left = (c for c in allowed.discard.choices if c not in self.chosen)
            yield from (Step(kind, card) for card in left)

    def mask(self, seat: Seat) -> NDArray[Any]:
        """Return 1 for each action that the seat may take now, else 0."""
        mask = np.zeros(len(ACTIONS), dtype=np.int8)
        for step in self.legal(seat):
            mask[_NUMBER[step]] = 1
        return mask

    def take(self, seat: Seat, step: Step) -> tuple[int, int, int]:
        """Do a legal step of the seat on turn; return the game points it moved."""
        action = self._action(seat, step)
        return (0, 0, 0) if action is None else self.act(seat, action)

    def act(self, seat: Seat, action: Action) -> tuple[int, int, int]:
        """Do a whole action; return the game points it moved, by seat."""
        before, self.match = self.match.scores, self.match.apply(seat, action)
        first, second, third = (
            now - was for now, was in zip(self.match.scores, before, strict=True)
        )
        return first, second, third

    def _action(self, seat: Seat, step: Step) -> Action | None:
        """The whole action that the step completes, if it completes one."""
        if isinstance(step.what, Card):
            if step.kind == "call":
                return Call(step.what)
            if step.kind == "play":
                return Play(step.what)
            self.chosen.append(step.what)
            gives = _gives(seat_view(self.match, seat))
            if len(self.chosen) < MONTE + gives:
                return None
            cards, self.chosen = self.chosen, []
            back = cards.pop(0) if gives else None
            return Discard(tuple(cards), back)
        return Bid(step.what)

    def observe(self, seat: Seat) -> Observation:
        """Return what a seat is told: its view as numbers, and what it may do."""
        view = seat_view(self.match, seat)
        own = self.chosen if seat == self.turn else []
        gives = own[: _gives(view)]
        target = self.match.target if self.whole_match else 0
        parts = _parts(view, gives, own[len(gives) :], target)
        vector = [number for part in LAYOUT for number in parts[part]]
        return {
            "observation": np.array(vector, dtype=np.float32),
            "action_mask": self.mask(seat),
        }


def _gives(view: SeatView) -> bool:
    """Whether a card goes back: one was passed (R29)."""
    return view.contract is not None and view.contract.passed_by is not None


def _parts(
    view: SeatView, gives: Sequence[Card], lays: Sequence[Card], target: int
) -> dict[str, list[float]]:
    """Return each part of the observation of one view."""
    me, contract, monte = view.seat, view.contract, view.monte
    assert monte is not None  # noqa: S101 - an episode begins with a deal
    trick = view.trick
    full = trick is None or len(trick.cards) == SEATS
    table = [[0.0] * len(Card) for _ in Seat]
    played = [[0.0] * len(Card) for _ in Seat]
    for number, done in enumerate(view.tricks, start=1):
        for turn, card in enumerate(done.cards):
            played[_from(me, done.leader.after(turn))][card] = number / TRICKS
    if trick is not None and not full:
        for turn, card in enumerate(trick.cards):
            table[_from(me, trick.leader.after(turn))][card] = 1.0
    bids = [[0.0] * 4 for _ in Seat]
    for told in view.auction:
        bids[_from(me, told.seat)][_BIDS.index(told.bid)] = 1.0
    phase = _PHASES.index(view.phase) if view.phase in _PHASES else len(_PHASES)
    scores = [view.match.scores[me.after(turn)] / _LONGEST for turn in range(SEATS)]
    return {
        "phase": _one_of(5, phase),
        "dealer": _seat(me, view.match.dealer),
        "turn": _seat(me, view.turn),
        "bids": [number for bid in bids for number in bid],
        "contract": _one_of(
            3, None if contract is None else contract.bid - Contract.CHIAMO
        ),
        "soloist": _seat(me, None if contract is None else contract.soloist),
        "called": _one_of(40, None if contract is None else contract.called),
        "passed_by": _seat(me, None if contract is None else contract.passed_by),
        "given_back": _one_of(40, None if contract is None else contract.given_back),
        "monte_shown": _cards(monte.shown or ()),
        "laid": _cards(monte.cards or lays),
        "to_give": _cards(gives),
        "hand": _cards(view.hand),
        "hand_sizes": [view.hand_sizes[me.after(turn)] / 17 for turn in range(SEATS)],
        "table": [number for cards in table for number in cards],
        "played": [number for cards in played for number in cards],
        "thirds": [thirds / _ALL for thirds in view.thirds or (0, 0)],
        "scores": [min(max(score, -SCORES), SCORES) for score in scores],
        "target": [target / _LONGEST],
    }


def _from(me: Seat, seat: Seat) -> int:
    """How many turns after the observer a seat comes."""
    return (seat - me) % SEATS


def _one_of(size: int, at: int | None) -> list[float]:
    return [float(at == number) for number in range(size)]


def _seat(me: Seat, seat: Seat | None) -> list[float]:
    return _one_of(SEATS, None if seat is None else _from(me, seat))


def _cards(cards: Sequence[Card]) -> list[float]:
    return [float(card in cards) for card in Card]
