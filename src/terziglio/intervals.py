"""95 % intervals: of a mean (Student's t), of a share (Wilson)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import atan, cos, fsum, inf, nan, pi, sin, sqrt
from typing import Final

__all__ = ["Interval", "mean_interval", "share_interval"]

_LEVEL: Final = 0.95
_Z: Final = 1.959963984540054
"""Half a normal distribution's width at that level."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.value:+.3f} ± {self.half:.3f}"


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the mean of independent values; without two, its interval is open."""
    number = len(values)
    if number == 0:
        return Interval(nan, -inf, inf)
    mean = fsum(values) / number
    if number == 1:
        return Interval(mean, -inf, inf)
    variance = fsum((value - mean) ** 2 for value in values) / (number - 1)
    half = _student(number - 1) * sqrt(variance / number)
    return Interval(mean, mean - half, mean + half)


def share_interval(part: int, whole: int) -> Interval:
    """Return a share of independent trials; of none, its interval is open."""
    if whole == 0:
        return Interval(nan, 0.0, 1.0)
    share, square = part / whole, _Z * _Z
    middle = (share + square / (2 * whole)) / (1 + square / whole)
    spread = sqrt(share * (1 - share) / whole + square / (4 * whole * whole))
    half = _Z * spread / (1 + square / whole)
    # The least and the greatest share are their own bounds, rounding or not.
    low = 0.0 if part == 0 else middle - half
    return Interval(share, low, 1.0 if part == whole else middle + half)


@cache
def _student(freedom: int) -> float:
    """Return how many standard errors each way hold 95 %, by bisection."""
    low, high = 0.0, 13.0  # 12.7 with one degree of freedom, the widest
    for _ in range(60):
        middle = (low + high) / 2
        if _held(middle, freedom) < _LEVEL:
            low = middle
        else:
            high = middle
    return high


def _held(width: float, freedom: int) -> float:
    """Return P(-width < t < width); Abramowitz and Stegun 26.7.3 and 26.7.4."""
    angle, odd = atan(width / sqrt(freedom)), freedom % 2
    square = cos(angle) ** 2
    total, term = 0.0, cos(angle) if odd else 1.0
    for step in range((freedom - odd) // 2):
        total += term
        term *= square * (2 * step + 1 + odd) / (2 * step + 2 + odd)
    if odd:
        return 2 / pi * (angle + sin(angle) * total)
    return sin(angle) * total
