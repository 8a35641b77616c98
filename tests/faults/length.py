"""How long the fault runs are: a few minutes among all tests, longer as a proof."""

from typing import Final

import pytest

from strategies import SCALE

__all__ = ["LONG", "length"]

LONG: Final = pytest.mark.timeout(600 if SCALE == 1 else 3000)
"""For tests that need more than two minutes on a busy machine."""


def length(among_all: int, as_proof: int) -> int:
    """Return how often to do something."""
    return among_all if SCALE == 1 else as_proof
