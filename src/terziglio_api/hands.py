"""Counted hands of the tables: their records, step by step, and once more.

Part of the service, which has it as ``hands``.
"""

from collections.abc import Awaitable, Callable

from terziglio.seats import Seat
from terziglio_api.commands import Code, Mode, Opening, Refusal, Seating
from terziglio_api.presence import Presence
from terziglio_api.record import record, steps
from terziglio_api.seen import Record, Step
from terziglio_api.shelf import Shelf
from terziglio_api.table import CountedDeal

__all__ = ["Hands"]


class Hands:
    """The hands that tables have counted.

    Args:
        shelf: the tables.
        presence: who is online.
        open_table: opens a table.
    """

    def __init__(
        self,
        shelf: Shelf,
        presence: Presence,
        open_table: Callable[[Opening], Awaitable[Seating]],
    ) -> None:
        self._shelf = shelf
        self._presence = presence
        self._open = open_table

    async def record(self, table: str, deal: int) -> Record:
        """Return the record of a counted hand.

        Raises:
            Refusal: ``hand_in_progress``, ``no_such_hand``.
        """
        return record(table, await self._counted(table, deal))

    async def steps(self, table: str, deal: int, seat: Seat | None) -> tuple[Step, ...]:
        """Return a counted hand step by step, open or as a seat saw it.

        Raises:
            Refusal: as ``record``.
        """
        await self._counted(table, deal)
        head = await self._shelf.load(table)
        states = await self._shelf.since(head, 0)
        return tuple(steps(states, deal, seat, self._presence.seats(table)))

    async def again(self, table: str, deal: int) -> Seating:
        """Open an unscored computer table with the same deal.

        Raises:
            Refusal: ``computer_table_only``, ``hand_in_progress``, ``no_such_hand``.
        """
        opening = (await self._shelf.load(table)).opening
        if opening.mode is not Mode.COMPUTER:
            raise Refusal(Code.COMPUTER_TABLE_ONLY)
        dealt = (await self._counted(table, deal)).hand.dealt
        right, left = (plan.player for plan in opening.plans)
        return await self._open(
            Opening(
                mode=opening.mode,
                name=opening.name,
                kind=opening.kind,
                target=opening.target,
                pace_ms=opening.pace_ms,
                players=(right, left),
                dealer=dealt.dealer,
                deck=dealt.deck,
                again=True,
                clock_s=opening.clock_s,
            )
        )

    async def _counted(self, table: str, deal: int) -> CountedDeal:
        state = await self._shelf.load(table)
        for done in state.counted:
            if done.match.deal_no == deal:
                return done
        if deal == state.match.deal_no and state.turn is not None:
            raise Refusal(Code.HAND_IN_PROGRESS)
        raise Refusal(Code.NO_SUCH_HAND)
