"""The three contracts, as one table of facts (R15, R22-R36, R50)."""

from typing import Final, NamedTuple

from terziglio.cards import Coded

__all__ = ["Contract"]


class _Facts(NamedTuple):
    stake: int
    calls_a_card: bool
    takes_the_monte: bool
    soloist_leads: bool


class Contract(Coded):
    """A contract, weakest first; its code is its name in lower case."""

    CHIAMO = 1
    SOLO = 2
    SOLISSIMO = 3

    @property
    def stake(self) -> int:
        """Game points each defender pays or gets before any multiplier (R50)."""
        return _FACTS[self].stake

    @property
    def calls_a_card(self) -> bool:
        """Whether the soloist names a card before the exchange (R22, R27)."""
        return _FACTS[self].calls_a_card

    @property
    def takes_the_monte(self) -> bool:
        """Whether there is an exchange with the monte (R28, R35)."""
        return _FACTS[self].takes_the_monte

    @property
    def soloist_leads(self) -> bool:
        """Whether the soloist leads trick 1, not the seat after the dealer (R36)."""
        return _FACTS[self].soloist_leads


_FACTS: Final = {
    Contract.CHIAMO: _Facts(1, True, True, False),
    Contract.SOLO: _Facts(2, False, True, False),
    Contract.SOLISSIMO: _Facts(4, False, False, True),
}
