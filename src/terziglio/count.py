"""The count of a hand: thirds, winner, bonus, and what each seat gets.

All thirds are integers: a float would misjudge a side that has exactly 18.
Rules: R44-R58.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from terziglio.contracts import Contract
from terziglio.seats import Seat

__all__ = ["LAST_TRICK", "NEED", "TRICKS", "Bonus", "Result", "Step"]

NEED = 18
"""Thirds of the 35 that the soloist's side needs to win (R47)."""
LAST_TRICK = 3
"""Thirds for winning trick 12 (R7)."""
TRICKS = 12
"""Tricks in a hand (R41)."""
_WHOLE_POINT = 3


class Bonus(StrEnum):
    """What multiplies the stake."""

    CAPPOTTO = "cappotto"
    """One side took all twelve tricks: double (R52)."""
    STRAMAZZO = "stramazzo"
    """The losers took a trick, but under 3 thirds in tricks: triple (R53)."""

    @property
    def multiplier(self) -> int:
        """2 for cappotto, 3 for stramazzo; they never combine (R55)."""
        return 2 if self is Bonus.CAPPOTTO else 3


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the count: thirds that it adds to each side; last, the total."""

    what: Literal["tricks", "last_trick", "monte", "total"]
    soloist: int
    defenders: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand came out. Pairs are (soloist, defenders together)."""

    soloist: Seat
    contract: Contract
    tricks: tuple[int, int]
    in_tricks: tuple[int, int]
    """Thirds of the cards in each side's tricks, nothing else."""
    monte: int
    """Thirds of the monte on the table during play (O11)."""
    monte_to: Seat
    """The seat that won trick 12: its side gets the monte and 3 thirds (R44)."""

    @property
    def _windfall(self) -> tuple[int, int]:
        """Who gets the last trick and the monte, as a pair of 0 and 1."""
        return (1, 0) if self.monte_to == self.soloist else (0, 1)

    @property
    def steps(self) -> tuple[Step, ...]:
        """How the 35 thirds came together, line by line; the last is the total."""
        soloist, defenders = self._windfall
        return (
            Step("tricks", *self.in_tricks),
            Step("last_trick", LAST_TRICK * soloist, LAST_TRICK * defenders),
            Step("monte", self.monte * soloist, self.monte * defenders),
            Step("total", self.soloist_thirds, self.defender_thirds),
        )

    @property
    def soloist_thirds(self) -> int:
        """The soloist's total: tricks, and if trick 12 is his, 3 and the monte."""
        return self.in_tricks[0] + self._windfall[0] * (LAST_TRICK + self.monte)

    @property
    def defender_thirds(self) -> int:
        """The defenders' total, counted on its own; the two make 35 (R46)."""
        return self.in_tricks[1] + self._windfall[1] * (LAST_TRICK + self.monte)

    @property
    def won(self) -> bool:
        """Whether the soloist won (R47)."""
        return self.soloist_thirds >= NEED

    @property
    def bonus(self) -> Bonus | None:
        """Cappotto, stramazzo or ``None``. Rules: R52-R57."""
        if TRICKS in self.tricks:
            return Bonus.CAPPOTTO
        loser = 1 if self.won else 0
        # Only the cards in the losers' tricks count here: not the last trick's
        # 3 thirds, not the monte (R53, O13).
        return Bonus.STRAMAZZO if self.in_tricks[loser] < _WHOLE_POINT else None

    @property
    def payment(self) -> int:
        """Game points each defender pays or gets, multiplier included (R51)."""
        bonus = self.bonus
        return self.contract.stake * (bonus.multiplier if bonus else 1)

    @property
    def delta(self) -> tuple[int, int, int]:
        """What each seat's score changes by, in game points; sums to 0 (R51)."""
        pay = self.payment if self.won else -self.payment
        first, second, third = (2 * pay if s == self.soloist else -pay for s in Seat)
        return first, second, third
