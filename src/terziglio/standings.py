"""How the players of an arena did, worked out from its blocks."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from terziglio.blocks import Block, HandPlayed, Setup
from terziglio.chairs import Failing
from terziglio.contracts import Contract
from terziglio.count import Bonus
from terziglio.intervals import Interval, mean_interval, share_interval
from terziglio.seats import Seat

__all__ = ["Contracts", "Role", "Standing", "role", "standing"]


@dataclass(frozen=True, slots=True)
class Contracts:
    """One contract, as a player had it as soloist."""

    contract: Contract
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How one player did."""

    name: str
    points: Interval
    """Game points per hand, over blocks."""
    hands: int
    """Times it sat at the table, thrown-in hands included."""
    soloist: int
    """Hands that it played alone."""
    contracts: tuple[Contracts, ...]
    bonuses: dict[Bonus, tuple[int, int]]
    """Cappotti and stramazzi of its side: won, suffered."""
    failures: dict[Failing, int]
    p50_ms: float = field(compare=False)
    p99_ms: float = field(compare=False)

    @property
    def soloist_share(self) -> float:
        """Share of its hands that it played alone."""
        return self.soloist / self.hands if self.hands else 0.0


@dataclass(frozen=True, slots=True)
class Role:
    """One soloist type against one pair of defenders."""

    soloist: str
    defenders: str
    hands: int
    won: int
    share: Interval
    """Of hands that the soloist won, each deal once."""
    points: Interval
    """The soloist's game points per hand."""


def standing(setup: Setup, blocks: Sequence[Block], number: int) -> Standing:
    """Return how the entrant of that number did."""
    hands = [
        (hand, seat)
        for block in blocks
        for hand in block.hands
        for seat in Seat
        if hand.seats[seat] == number
    ]
    alone = [h.score for h, seat in hands if h.score and h.score.soloist == seat]
    p50, p99 = _percentiles(block.micros[number] for block in blocks)
    return Standing(
        name=setup.entrants[number].name,
        points=mean_interval([block.points(number) for block in blocks]),
        hands=len(hands),
        soloist=len(alone),
        contracts=tuple(
            Contracts(
                contract,
                sum(score.contract is contract for score in alone),
                sum(score.contract is contract and score.won for score in alone),
            )
            for contract in Contract
        ),
        bonuses={bonus: _bonus(hands, bonus) for bonus in Bonus},
        failures={
            failing: sum(block.failures[number].get(failing, 0) for block in blocks)
            for failing in Failing
        },
        p50_ms=p50,
        p99_ms=p99,
    )


def _bonus(hands: Iterable[tuple[HandPlayed, Seat]], bonus: Bonus) -> tuple[int, int]:
    got = [h.delta[seat] > 0 for h, seat in hands if h.score and h.score.bonus is bonus]
    return sum(got), len(got) - sum(got)


def _percentiles(counted: Iterable[Mapping[int, int]]) -> tuple[float, float]:
    """Return the median and the 99th percentile, in milliseconds."""
    micros: Counter[int] = Counter()
    for times in counted:
        micros.update(times)
    return _percentile(micros, 0.5), _percentile(micros, 0.99)


def _percentile(micros: Counter[int], share: float) -> float:
    left = share * micros.total()
    for time, number in sorted(micros.items()):
        left -= number
        if left <= 0:
            return time / 1000
    return 0.0


def role(setup: Setup, alone: int, pair: int, hands: Sequence[HandPlayed]) -> Role:
    """Return how one entrant did alone against two of another."""
    scores = [hand.score for hand in hands if hand.score is not None]
    won = sum(score.won for score in scores)
    points = [float(hand.delta[hand.score.soloist]) for hand in hands if hand.score]
    return Role(
        setup.entrants[alone].name,
        setup.entrants[pair].name,
        len(scores),
        won,
        share_interval(won, len(scores)),
        mean_interval(points),
    )
