"""The pytest plugin: ``terziglio.testing`` as fixtures.

A module of its own that imports nothing of the game until a test asks: pytest loads
it in every run in which the package is installed.
"""

from typing import Any

import pytest

__all__ = ["assert_legal", "deal", "table"]


@pytest.fixture
def deal() -> Any:
    """``deal("notation")``: a match with that hand on the table."""
    from terziglio.testing import deal  # noqa: PLC0415 - only when it is used

    return deal


@pytest.fixture
def table() -> Any:
    """``table(hand, player, player, player)``: a match, and who plays it."""
    from terziglio.testing import table  # noqa: PLC0415 - as above

    return table


@pytest.fixture
def assert_legal() -> Any:
    """``assert_legal(bot, n)``: n deals, every answer a legal action."""
    from terziglio.testing import assert_legal  # noqa: PLC0415 - as above

    return assert_legal
