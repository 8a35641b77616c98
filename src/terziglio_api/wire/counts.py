"""A count and a trick on the wire."""

from functools import lru_cache
from typing import Final, Literal

from pydantic import Field

from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.count import NEED, Result
from terziglio.seats import AFTER, Seat
from terziglio.tricks import Trick
from terziglio_api.wire.base import CardCode, Json, Outgoing, SeatNo

__all__ = [
    "Count",
    "CountStep",
    "OpenTrick",
    "PlayMade",
    "Sides",
    "TakenTrick",
    "count_of",
    "load_count",
    "load_trick",
    "open_trick",
    "sides",
    "taken_trick",
]


class Sides(Outgoing):
    """A number for each side."""

    soloist: int
    defenders: int


class CountStep(Outgoing):
    """One line of the count: thirds that it adds to each side."""

    what: Literal["tricks", "last_trick", "monte", "total"]
    soloist: int
    defenders: int


class Count(Outgoing):
    """How a hand came out; thirds but where it says points or tricks."""

    tricks: Sides = Field(description="Tricks taken.")
    in_tricks: Sides = Field(description="Thirds of the cards in tricks alone.")
    last_trick: SeatNo = Field(description="Who won trick 12, and so the monte.")
    monte: int = Field(description="Thirds in the monte.")
    soloist: int = Field(description="The soloist's total.")
    defenders: int = Field(description="The defenders' total; the two make 35.")
    need: int = Field(description="What the soloist needs: 18.")
    won: bool = Field(description="Whether the soloist won.")
    bonus: Literal["cappotto", "stramazzo"] | None
    stake: int = Field(description="Points before the multiplier.")
    multiplier: int = Field(description="1, 2 (cappotto) or 3 (stramazzo).")
    payment: int = Field(description="Points each defender pays or gets.")
    delta: list[int] = Field(description="What each seat's score changes by.")
    steps: list[CountStep]


class PlayMade(Outgoing):
    """A card on the table."""

    seat: SeatNo
    card: CardCode


class OpenTrick(Outgoing):
    """The trick on the table; a finished one stays until the next card."""

    leader: SeatNo
    plays: list[PlayMade]


class TakenTrick(OpenTrick):
    """A finished trick."""

    winner: SeatNo
    thirds: int


def sides(pair: tuple[int, int]) -> Json:
    """Return a pair (soloist, defenders) on the wire."""
    return {"soloist": pair[0], "defenders": pair[1]}


def count_of(result: Result) -> Json:
    """Return a count on the wire."""
    bonus = result.bonus
    return {
        "tricks": sides(result.tricks),
        "in_tricks": sides(result.in_tricks),
        "last_trick": result.monte_to,
        "monte": result.monte,
        "soloist": result.soloist_thirds,
        "defenders": result.defender_thirds,
        "need": NEED,
        "won": result.won,
        "bonus": None if bonus is None else bonus.value,
        "stake": result.contract.stake,
        "multiplier": 1 if bonus is None else bonus.multiplier,
        "payment": result.payment,
        "delta": result.delta,
        "steps": [
            {"what": step.what, "soloist": step.soloist, "defenders": step.defenders}
            for step in result.steps
        ],
    }


def load_count(count: Count, soloist: Seat, contract: Contract) -> Result:
    """Return the count that the wire tells."""
    return Result(
        soloist=soloist,
        contract=contract,
        tricks=(count.tricks.soloist, count.tricks.defenders),
        in_tricks=(count.in_tricks.soloist, count.in_tricks.defenders),
        monte=count.monte,
        monte_to=Seat(count.last_trick),
    )


_PLAYS: Final = tuple(
    tuple({"seat": int(seat), "card": card.code} for card in Card) for seat in Seat
)
"""By seat and card, each play there can be."""


def _plays(trick: Trick) -> list[Json]:
    seats = AFTER[trick.leader]
    return [_PLAYS[seats[i]][card] for i, card in enumerate(trick.cards)]


def open_trick(trick: Trick) -> Json:
    """Return the trick on the table."""
    return {"leader": trick.leader, "plays": _plays(trick)}


@lru_cache(maxsize=4096)
def taken_trick(trick: Trick) -> Json:
    """Return a finished trick, which every later view tells again."""
    return {
        "leader": trick.leader,
        "plays": _plays(trick),
        "winner": trick.winner,
        "thirds": trick.thirds,
    }


def load_trick(trick: OpenTrick) -> Trick:
    """Return the trick that the wire tells."""
    return Trick(Seat(trick.leader), tuple(Card(play.card) for play in trick.plays))
