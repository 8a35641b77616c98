"""When a table goes on without its people: beats, clocks, pauses. Pure.

All times are in milliseconds since 1970, UTC.
"""

from typing import Final

from terziglio.actions import Phase
from terziglio_api.commands import By, Due, Move
from terziglio_api.table import Table

__all__ = ["deadline", "due"]

_GRACE_S: Final = 20
"""The least time for a decision that the service was down for."""
_NOBODY: Final = 150
"""Decisions in a row without a person or a bot after which a clock stops: some four
hands. It goes on when somebody acts."""


def deadline(table: Table, up_since: int) -> int | None:
    """Return when the clock of the decision that is due runs out; ``None``: never.

    A decision that came up before the service did has its whole time again, and at
    least 20 s: the time that the service was down is nobody's.

    Args:
        table: the table.
        up_since: when the service came up.
    """
    clock_s, turn = table.opening.clock_s, table.turn
    if clock_s is None or turn is None or table.seats[turn].kind is By.COMPUTER:
        return None
    if table.unattended >= _NOBODY:
        return None  # it would play for nobody, for ever
    if table.asked_at >= up_since:
        return table.asked_at + clock_s * 1000
    return up_since + max(clock_s, _GRACE_S) * 1000


def due(table: Table, up_since: int, thrown_in_ms: int) -> Due | None:
    """Return what the service itself has to do next at a table, if anything.

    Args:
        table: the table.
        up_since: when the service came up.
        thrown_in_ms: pause after a thrown-in deal at a table with a pace.
    """
    opening, deal, turn = table.opening, table.match.deal_no, table.turn
    if turn is None:
        if table.phase is not Phase.THROWN_IN:
            return None
        pause = thrown_in_ms if opening.pace_ms else 0
        return Due(table.asked_at + pause, deal, None)
    player = table.seats[turn].player
    if player is None:
        at = deadline(table, up_since)
    else:
        at = table.asked_at + opening.pace_ms
    if at is None or table.due is None:
        return None
    return Due(at, deal, Move(turn, player, table.due))
