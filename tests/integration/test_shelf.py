"""Tables kept ready are never older than what is known, whoever reads meanwhile."""

import asyncio

import pytest

from terziglio.actions import Bid
from terziglio.seats import Seat
from terziglio_api import shelf
from terziglio_api.commands import By, Code, Mode, Opening, Refusal
from terziglio_api.fanout.local import LocalFanout
from terziglio_api.journal import Acted, Event
from terziglio_api.service import TableService
from terziglio_api.shelf import Shelf
from terziglio_api.storage.memory import MemoryLog


class SlowLog(MemoryLog):
    """A log whose first read is answered only when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.reading = asyncio.Event()
        self.go = asyncio.Event()

    async def read(self, table: str, after: int = 0) -> list[Event]:
        events = await super().read(table, after)
        if not self.reading.is_set():
            self.reading.set()
            await self.go.wait()
        return events


async def opened(log: MemoryLog) -> str:
    opening = Opening(
        Mode.COMPUTER, "A", By.PERSON, 7, 0, ("house", "house"), Seat.S2, "shelf"
    )
    return (await TableService(log, LocalFanout()).open(opening)).table


async def test_a_slow_read_does_not_bring_an_old_state_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shelf, "_READY", 1)
    log = SlowLog()
    table, other = await opened(log), await opened(log)
    kept = Shelf(log)
    slow = asyncio.create_task(kept.load(table))
    await log.reading.wait()
    state = await kept.load(table)
    bid = Acted(1, Seat.S0, Bid(None), By.PERSON, None)
    after = await kept.append(state, [bid])
    assert (await kept.load(table)).seq == after.seq
    await kept.load(other)  # which takes the only place
    log.go.set()
    assert (await slow).seq == after.seq
    assert await kept.load(table) == after


async def test_a_slow_read_does_not_bring_a_deleted_table_back() -> None:
    log = SlowLog()
    table = await opened(log)
    kept = Shelf(log)
    slow = asyncio.create_task(kept.load(table))
    await log.reading.wait()
    await kept.delete(await kept.load(table))
    log.go.set()
    for loading in (slow, kept.load(table)):
        with pytest.raises(Refusal) as refused:
            await loading
        assert refused.value.code is Code.NO_SUCH_TABLE
