"""The three seats; play goes to the right, 0 1 2 0 .. (R8, R9)."""

from enum import IntEnum
from typing import Final

__all__ = ["AFTER", "SEATS", "Seat"]


class Seat(IntEnum):
    """A seat at the table, numbered in playing order."""

    S0 = 0
    S1 = 1
    S2 = 2

    __hash__ = int.__hash__  # equal to its number, so found by it; Enum's is slower

    @property
    def next(self) -> "Seat":
        """The seat to the right, which plays after this one."""
        return AFTER[self][1]

    def after(self, steps: int) -> "Seat":
        """Return the seat that many turns later, 0 <= steps <= 5."""
        return AFTER[self][steps]

    def __str__(self) -> str:
        return str(self.value)


SEATS: Final = 3
"""How many play (R8)."""

_RING: Final = tuple(Seat) * 3
AFTER: Final = tuple(_RING[seat : seat + 6] for seat in Seat)
"""``AFTER[seat][steps]`` is the seat that many turns later, up to 5."""
