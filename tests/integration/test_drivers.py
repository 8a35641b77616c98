"""Computer seats: they move by themselves, also after a restart or a failure."""

import asyncio
from collections.abc import Mapping

import pytest

from terziglio.actions import Action, Bid, Phase, Play
from terziglio.cards import Card
from terziglio.players import PLAYERS, Player, house
from terziglio.seats import Seat
from terziglio.view import SeatView
from terziglio_api.commands import Act, AskNextHand, By, Mode, Opening
from terziglio_api.drivers import Drivers
from terziglio_api.fanout.local import LocalFanout
from terziglio_api.service import TableService
from terziglio_api.storage.memory import MemoryLog


class Hall:
    """A service with drivers over a log."""

    def __init__(self, log: MemoryLog, players: Mapping[str, Player] = PLAYERS) -> None:
        fanout = LocalFanout()
        self.service = TableService(log, fanout, thrown_in_ms=0)
        drivers = Drivers(self.service, fanout, players)
        self.task = asyncio.create_task(drivers.run())

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def open(self, pace_ms: int = 0, dealer: Seat = Seat.S2) -> str:
        opening = Opening(
            mode=Mode.COMPUTER,
            name="Anna",
            kind=By.PERSON,
            target=7,
            pace_ms=pace_ms,
            players=("house", "house"),
            dealer=dealer,
            seed="drivers",
        )
        return (await self.service.open(opening)).table

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
    record = await hall.service.record(table, game.match.deal)
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
    assert "player house" in caplog.text
    assert not any(card.code in caplog.text for card in game.tricks[0].cards)


async def test_the_pace_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    sleep = asyncio.sleep

    async def asks(seconds: float) -> None:
        asked.append(seconds)
        await sleep(0)

    monkeypatch.setattr("terziglio_api.drivers.asyncio.sleep", asks)
    hall = Hall(MemoryLog())
    table = await hall.open(pace_ms=5000, dealer=Seat.S0)
    await hall.until_mine(table)
    await hall.stop()
    # Two computers have bid, each 5 s after what went before.
    assert len(asked) == 2
    assert all(4 < seconds <= 5 for seconds in asked)
