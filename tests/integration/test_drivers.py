"""Computer seats: they move by themselves, also after a restart or a failure."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from itertools import count

import pytest

from terziglio.actions import Action, Bid, Phase, Play
from terziglio.cards import Card
from terziglio.events import BidMade
from terziglio.players import PLAYERS, Player, house
from terziglio.seats import Seat
from terziglio.view import SeatView
from terziglio_api.commands import Act, AskNextHand, By, Code, Mode, Opening, Refusal
from terziglio_api.drivers import Drivers
from terziglio_api.fanout.local import LocalFanout
from terziglio_api.journal import Acted
from terziglio_api.keeper import Keeper
from terziglio_api.seen import TableView, Update
from terziglio_api.service import TableService
from terziglio_api.storage.memory import MemoryLog


class Hall:
    """A service with drivers over a log."""

    def __init__(
        self,
        log: MemoryLog,
        players: Mapping[str, Player] = PLAYERS,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.fanout = LocalFanout()
        self.token = ""
        self.service = TableService(log, self.fanout, thrown_in_ms=0, clock=clock)
        drivers = Drivers(self.service, self.fanout, players)
        self.task = asyncio.create_task(drivers.run())

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def open(
        self, pace_ms: int = 0, dealer: Seat = Seat.S2, clock_s: int | None = None
    ) -> str:
        opening = Opening(
            mode=Mode.COMPUTER,
            name="Anna",
            kind=By.PERSON,
            target=7,
            pace_ms=pace_ms,
            players=("house", "house"),
            dealer=dealer,
            seed="drivers",
            clock_s=clock_s,
        )
        seating = await self.service.open(opening)
        self.token = seating.token
        return seating.table

    async def until_mine(self, table: str) -> SeatView:
        """Wait until seat 0 is to act, or the hand is over."""
        async with asyncio.timeout(20):
            with self.service.follow(table) as changed:
                while True:
                    changed.clear()
                    game = (await self.service.view(table, Seat.S0)).game
                    if game.turn is Seat.S0 or game.phase in {Phase.COUNT, "finished"}:
                        return game
                    await changed.wait()

    async def play_hand(self, table: str) -> SeatView:
        while (game := await self.until_mine(table)).turn is Seat.S0:
            decision = f"{game.match.deal}.{game.decision}"
            await self.service.do(table, Act(Seat.S0, house(game), decision))
        return game


async def test_computers_play_a_whole_match() -> None:
    hall = Hall(MemoryLog())
    table = await hall.open()
    while (game := await hall.play_hand(table)).match.winner is None:
        await hall.service.do(table, AskNextHand(Seat.S0, game.match.deal))
    record = await hall.service.hands.record(table, game.match.deal)
    assert {by for _, _, by in record.actions} == {By.PERSON, By.COMPUTER}
    assert all((by is By.PERSON) == (seat is Seat.S0) for seat, _, by in record.actions)
    await hall.stop()


async def test_a_turn_left_over_from_before_the_start_is_taken() -> None:
    log = MemoryLog()
    before = Hall(log)
    await before.stop()
    table = await before.open(dealer=Seat.S0)  # seat 1, a computer, is to bid
    assert (await before.service.view(table, Seat.S0)).game.auction == ()
    after = Hall(log)
    game = await after.until_mine(table)
    assert len(game.auction) == 2
    await after.stop()


async def test_three_passes_lead_to_the_next_deal() -> None:
    def passes(view: SeatView) -> Action:
        return Bid(None) if view.legal.bids else house(view)

    hall = Hall(MemoryLog(), {"house": passes})
    table = await hall.open()
    async with asyncio.timeout(20):
        for deal in range(1, 4):
            while True:
                game = await hall.until_mine(table)
                if game.turn is Seat.S0:
                    break
            assert game.match.deal == deal
            due = f"{deal}.{game.decision}"
            with hall.service.follow(table) as changed:
                await hall.service.do(table, Act(Seat.S0, Bid(None), due))
                while (await hall.service.view(table, Seat.S0)).game.match.deal == deal:
                    await changed.wait()
                    changed.clear()
    await hall.stop()


def cheats(_view: SeatView) -> Action:
    return Play(Card.S3)


def breaks(_view: SeatView) -> Action:
    raise RuntimeError("a player that fails")


@pytest.mark.parametrize("player", [cheats, breaks])
async def test_a_player_that_fails_holds_nobody_up(
    player: Player, caplog: pytest.LogCaptureFixture
) -> None:
    hall = Hall(MemoryLog(), {"house": player})
    table = await hall.open()
    game = await hall.play_hand(table)
    assert game.phase in {Phase.COUNT, Phase.FINISHED}
    await hall.stop()
    assert "'player': 'house'" in caplog.text
    assert not any(card.code in caplog.text for card in game.tricks[0].cards)


class Clock:
    """A service's clock that the test moves on."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


async def test_the_pace_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    timeout = asyncio.timeout

    def asks(seconds: float) -> asyncio.Timeout:
        asked.append(seconds)
        return timeout(0)

    hall = Hall(MemoryLog())
    monkeypatch.setattr("terziglio_api.drivers.asyncio.timeout", asks)
    table = await hall.open(pace_ms=5000, dealer=Seat.S0)
    with hall.service.follow(table) as changed:
        while (await hall.service.view(table, Seat.S0)).game.turn is not Seat.S0:
            await changed.wait()
            changed.clear()
    await hall.stop()
    # Two computers have bid, each 5 s after what went before.
    assert len(asked) == 2
    assert all(4 < seconds <= 5 for seconds in asked)


async def test_a_clock_that_runs_out_plays_for_the_seat() -> None:
    clock = Clock()
    hall = Hall(MemoryLog(), clock=clock)
    table = await hall.open(clock_s=30)
    game = await hall.until_mine(table)
    seen = await hall.service.view(table, Seat.S0)
    assert seen.deadline == clock.now + 30_000
    assert seen.clock_s == 30
    with hall.service.follow(table) as changed:
        clock.now += 30_000
        hall.fanout.poke(table, seen.seq)  # any reason to look again will do
        async with asyncio.timeout(20):
            while (seen := await hall.service.view(table, Seat.S0)).game == game:
                await changed.wait()
                changed.clear()
    await hall.stop()
    state = [u async for u in _updates(hall, table)]
    clocked = [u for u in state if u.by is By.CLOCK]
    assert len(clocked) >= 1
    told = clocked[0].notice
    assert isinstance(told, BidMade)
    assert (told.seat, told.bid) == (Seat.S0, None)


async def _updates(hall: Hall, table: str) -> AsyncIterator[Update]:
    holder = await hall.service.holder(table, hall.token)
    story = await hall.service.story(table, holder, 0)
    for told in story.updates or ():
        yield told


async def test_an_answer_in_time_stops_the_clock() -> None:
    clock = Clock()
    hall = Hall(MemoryLog(), clock=clock)
    table = await hall.open(clock_s=30)
    game = await hall.until_mine(table)
    clock.now += 29_999
    decision = f"{game.match.deal}.{game.decision}"
    await hall.service.do(table, Act(Seat.S0, house(game), decision))
    game = await hall.until_mine(table)
    seen = await hall.service.view(table, Seat.S0)
    assert seen.deadline is None or seen.deadline == clock.now + 30_000
    assert [u.by async for u in _updates(hall, table)].count(By.CLOCK) == 0
    await hall.stop()


async def test_an_answer_that_ends_the_hand_as_the_clock_runs_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def passes(_view: SeatView) -> Action:
        return Bid(None)

    hall = Hall(MemoryLog(), {"house": passes}, count(0, 10_000).__next__)
    table = await hall.open(dealer=Seat.S0, clock_s=2)
    view, raced = hall.service.view, False

    async def just_before(name: str, seat: Seat) -> TableView:
        nonlocal raced
        seen = await view(name, seat)
        if seat is Seat.S0 and seen.game.turn is Seat.S0 and not raced:
            raced = True
            await hall.service.do(name, Act(Seat.S0, Bid(None), "1.3"))
        return seen

    with hall.service.follow(table) as changed, monkeypatch.context() as patched:
        patched.setattr(hall.service, "view", just_before)
        async with asyncio.timeout(20):
            while (await view(table, Seat.S0)).game.match.deal == 1:
                await changed.wait()
                changed.clear()
    await hall.stop()
    assert raced
    assert "broke a rule" not in caplog.text


async def test_the_time_that_the_service_is_down_is_nobodys() -> None:
    clock, log = Clock(), MemoryLog()
    hall = Hall(log, clock=clock)
    table = await hall.open(clock_s=15)
    await hall.until_mine(table)
    await hall.stop()
    clock.now += 3_600_000
    again = Hall(log, clock=clock)
    seen = await again.service.view(table, Seat.S0)
    assert seen.deadline == clock.now + 20_000
    seq = seen.seq
    with again.service.follow(table) as changed:
        clock.now += 20_000
        again.fanout.poke(table, seq)
        async with asyncio.timeout(20):
            while (await again.service.view(table, Seat.S0)).seq == seq:
                await changed.wait()
                changed.clear()
    await again.stop()


async def test_a_table_that_nobody_touches_is_closed_and_deleted() -> None:
    clock, log = Clock(), MemoryLog()
    hall = Hall(log, clock=clock)
    old = await hall.open()
    await hall.until_mine(old)
    clock.now += 1000
    young = await hall.open()
    await hall.until_mine(young)
    keeper = Keeper(hall.service, keep_s=10)
    clock.now += 9000
    await keeper.sweep()
    assert sorted(await log.tables()) == sorted([old, young])
    clock.now += 1
    with hall.service.follow(old) as changed:
        await keeper.sweep()
        assert changed.is_set()
    assert await log.tables() == [young]
    with pytest.raises(Refusal) as refused:
        await hall.service.summary(old)
    assert refused.value.code is Code.NO_SUCH_TABLE
    await hall.stop()


async def test_a_clock_does_not_play_for_nobody_for_ever() -> None:
    clock, log = Clock(), MemoryLog()
    hall = Hall(log, clock=clock)
    opening = Opening(
        Mode.OPEN, "Anna", By.PERSON, 7, 0, (None, None), Seat.S2, "nobody", clock_s=1
    )
    seating = await hall.service.open(opening)
    table = seating.table
    for _, invite in seating.invites:
        await hall.service.claim(table, invite, "B", By.PERSON, None)
    with hall.service.follow(table) as changed:
        async with asyncio.timeout(60):
            while True:
                seen = await hall.service.view(table, Seat.S0)
                if seen.deadline is None and seen.game.turn is not None:
                    break
                clock.now += 1000
                hall.fanout.poke(table, seen.seq)
                changed.clear()
                await changed.wait()
    bys = [event.by for event in await log.read(table) if isinstance(event, Acted)]
    assert bys == [By.CLOCK] * 150
    game = (await hall.service.view(table, Seat.S0)).game
    assert game.turn is not None
    seen = await hall.service.view(table, game.turn)
    decision = f"{game.match.deal}.{game.decision}"
    act = Act(game.turn, house(seen.game), decision)
    await hall.service.do(table, act)
    assert (await hall.service.view(table, Seat.S0)).deadline is not None
    await hall.stop()


async def test_a_driver_goes_on_when_another_process_was_faster() -> None:
    log = MemoryLog()
    hall, other = Hall(log), TableService(log, LocalFanout(), thrown_in_ms=0)
    table = await hall.open()
    game = await hall.until_mine(table)
    # Another process, of which nothing is heard here, answers for the host.
    decision = f"{game.match.deal}.{game.decision}"
    await other.do(table, Act(Seat.S0, house(game), decision))
    with pytest.raises(Refusal):
        await hall.service.do(table, Act(Seat.S0, house(game), decision, "late"))
    with hall.service.follow(table) as changed:
        hall.fanout.poke(table, 0)
        async with asyncio.timeout(20):
            while (await hall.service.view(table, Seat.S0)).game.turn is not Seat.S0:
                await changed.wait()
                changed.clear()
    await hall.stop()
