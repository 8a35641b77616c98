"""Players that think: in processes of their own, and nobody waits for a broken one."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from terziglio.players import house
from terziglio.seats import Seat
from terziglio_api.app import create_app
from terziglio_api.commands import Act, By, Close, Mode, Opening
from terziglio_api.fanout.local import LocalFanout
from terziglio_api.metrics import Metrics
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from terziglio_api.storage.memory import MemoryLog
from terziglio_api.thinking import Unanswered
from terziglio_api.wire.view import view_of
from terziglio_api.workers import Workers

Json = dict[str, Any]
GOLDEN = Path(__file__).parents[1] / "golden"
EXPERTS: tuple[str | None, str | None] = ("expert", "expert")


def parts(expert: str, hint: str = "hint") -> dict[str, str]:
    """Who does what, in ``thinkers``."""
    told = {"expert": expert, "hint": hint, "analysis": "analyse"}
    return {task: f"thinkers:{name}" for task, name in told.items()}


class Rooms:
    """The application with its processes, and a client to it."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.log = MemoryLog()
        settings = Settings(database=None, dev=True, seat_rate=0)
        self.app = create_app(settings, self.log, thinkers=workers)
        self.service: TableService = self.app.state.hall.service
        self.metrics: Metrics = self.app.state.hall.metrics
        transport = httpx.ASGITransport(self.app)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://example")

    async def open(
        self,
        players: tuple[str | None, str | None] = EXPERTS,
        dealer: Seat = Seat.S0,
        mode: Mode = Mode.COMPUTER,
    ) -> tuple[str, str]:
        """Open a table at which seat 1 (or with another dealer another) bids first."""
        opening = Opening(mode, "Anna", By.PERSON, 7, 0, players, dealer, "thinking")
        seating = await self.service.open(opening)
        return seating.table, seating.token

    async def get(self, path: str, token: str, method: str = "GET") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"}
        return await self.http.request(method, f"/v1/tables/{path}", headers=headers)

    async def until(self, table: str, wanted: Callable[[Any], bool]) -> Any:
        """Wait until a seat's view is as wanted; return it."""
        async with asyncio.timeout(60):
            with self.service.follow(table) as changed:
                while True:
                    changed.clear()
                    seen = (await self.service.view(table, Seat.S0)).game
                    if wanted(seen):
                        return seen
                    await changed.wait()

    def substitutes(self, why: str) -> float:
        """How often somebody else answered for a seat, and why."""
        labels = {"why": why}
        sample = "terziglio_substitutes_total"
        return self.metrics.registry.get_sample_value(sample, labels) or 0


@asynccontextmanager
async def rooms(
    expert: str, move_s: float = 60, hint: str = "hint"
) -> AsyncIterator[Rooms]:
    """The application, served."""
    made = Rooms(Workers(1, move_s, 60, parts(expert, hint)))
    async with made.app.router.lifespan_context(made.app), made.http:
        yield made


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where those who think note that they began."""
    monkeypatch.setenv("THINKERS", str(tmp_path))
    return tmp_path


async def begun(folder: Path, times: int = 1) -> list[str]:
    """Wait until so many have begun; return their notes."""
    async with asyncio.timeout(60):
        while True:
            file = folder / "begun"
            lines = file.read_text().splitlines() if file.exists() else []
            if len(lines) >= times:
                return lines
            await asyncio.sleep(0.01)


def mine(game: Any) -> bool:
    return game.turn is Seat.S0


async def test_a_player_that_thinks_plays(folder: Path) -> None:
    async with rooms("fine") as at:
        table, _ = await at.open()
        game = await at.until(table, mine)
        assert [bid.seat for bid in game.auction] == [Seat.S1, Seat.S2]
        assert await begun(folder, 2) == ["1", "2"]
        assert not any(map(at.substitutes, ("illegal", "failed", "timeout")))


@pytest.mark.parametrize(
    ("expert", "why", "move_s"),
    [
        ("cheats", "illegal", 60),
        ("breaks", "failed", 60),
        ("dies", "failed", 60),
        ("burns", "timeout", 0.3),
        ("missing", "failed", 60),
    ],
)
async def test_the_house_plays_for_who_fails(
    expert: str, why: str, move_s: float, caplog: pytest.LogCaptureFixture
) -> None:
    async with rooms("fine") as fair, rooms(expert, move_s) as at:
        wanted = (await fair.until((await fair.open(("house",) * 2))[0], mine)).auction
        table, _ = await at.open()
        assert (await at.until(table, mine)).auction == wanted
        kinds = ("illegal", "failed", "timeout")
        assert {k: at.substitutes(k) for k in kinds if at.substitutes(k)} == {why: 2}
    assert "'player': 'expert'" in caplog.text
    assert "3S" not in caplog.text


async def test_others_do_not_wait_for_who_thinks(folder: Path) -> None:
    async with rooms("waits") as at:
        slow, _ = await at.open()
        await begun(folder)
        quick, _ = await at.open(("house", "house"), Seat.S2)
        for _ in range(3):
            game = await at.until(quick, lambda seen: seen.turn in {Seat.S0, None})
            if game.turn is None:
                break
            decision = f"{game.match.deal}.{game.decision}"
            await at.service.do(quick, Act(Seat.S0, house(game), decision))
        assert (await at.service.view(slow, Seat.S0)).game.auction == ()
        (folder / "go").touch()
        assert len((await at.until(slow, mine)).auction) == 2


async def test_tables_are_served_in_the_order_in_which_they_ask(folder: Path) -> None:
    async with rooms("waits") as at:
        tables = [(await at.open())[0] for _ in range(4)]
        await begun(folder)
        told: list[str] = []
        with ExitStack() as stack:
            for table in tables:
                tell = partial(told.append, table)
                stack.enter_context(at.service.listen(table, tell))
            (folder / "go").touch()
            for table in tables:
                await at.until(table, mine)
    # Each has its first answer before any has its second.
    assert told[:4] == tables


async def test_an_answer_that_comes_too_late_is_dropped(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with rooms("waits") as at:
        closed, _ = await at.open()
        deleted, _ = await at.open()
        await begun(folder)
        await at.service.do(closed, Close())
        await at.service.forget(deleted)
        seq = (await at.service.view(closed, Seat.S0)).seq
        (folder / "go").touch()
        await at.until((await at.open())[0], mine)  # who asked before has had his turn
        assert (await at.service.view(closed, Seat.S0)).seq == seq
        assert at.substitutes("failed") == at.substitutes("illegal") == 0
    assert "driver failed" not in caplog.text


def children() -> set[int]:
    """The processes of this one."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text().split()}


async def test_a_process_that_is_killed_is_replaced(folder: Path) -> None:
    before = children()
    async with rooms("waits") as at:
        table, _ = await at.open()
        (pid,) = map(int, await begun(folder))
        assert children() - before == {pid}
        os.kill(pid, signal.SIGKILL)
        # The move comes, and the next is asked of another process.
        first, second = map(int, await begun(folder, 2))
        assert first == pid != second
        assert at.substitutes("failed") == 1
        (folder / "go").touch()
        assert len((await at.until(table, mine)).auction) == 2
        os.kill(second, signal.SIGKILL)  # it has nothing to do
        third, _ = await at.open()
        await at.until(third, mine)
        assert at.substitutes("failed") <= 2
    assert children() == before


async def test_a_stop_ends_those_who_think(folder: Path) -> None:
    before = children()
    async with rooms("burns") as at:
        await at.open()
        await begun(folder)
        assert children() != before
    assert children() == before


async def test_what_is_asked_when_all_is_over_is_not_waited_for() -> None:
    workers = Workers(1, 60, 60, parts("waits"))
    workers.start()
    view = b"{}"
    asked = [asyncio.create_task(workers.think("expert", view)) for _ in range(3)]
    await asyncio.sleep(0)
    await workers.close()
    for answer in asked:
        with pytest.raises(Unanswered):
            await answer
    with pytest.raises(Unanswered):
        await workers.think("expert", view)


async def test_a_hint_is_for_the_seat_on_turn_at_a_computer_table(
    folder: Path,
) -> None:
    async with rooms("fine") as at:
        table, token = await at.open(dealer=Seat.S0)
        game = await at.until(table, mine)
        first, again = await asyncio.gather(
            at.get(f"{table}/hint", token), at.get(f"{table}/hint?lang=en", token)
        )
        assert first.status_code == again.status_code == 200
        told: Json = again.json()
        assert told["action"]["type"] == "bid"
        assert told["decision"] == f"{game.match.deal}.{game.decision}"
        assert (told["reason"], told["chances"]) == ("best_bid", [])
        assert told.pop("sentence").startswith("Over the deals")
        assert told == first.json()
        assert (await begun(folder)).count("hint") == 1
        assert (await at.get(f"{table}/hint", "tzs_no")).status_code == 401
        other, key = await at.open((None, None), mode=Mode.FRIENDS)
        refused = await at.get(f"{other}/hint", key)
        assert refused.status_code == 403
        assert refused.json()["code"] == "computer_table_only"
    async with rooms("waits") as at:
        table, token = await at.open()
        refused = await at.get(f"{table}/hint", token)
        assert refused.status_code == 409
        assert refused.json()["code"] == "not_your_turn"
        assert refused.json()["params"] == {"turn": 1}
        await at.service.do(table, Close())
        assert (await at.get(f"{table}/hint", token)).status_code == 410


async def test_a_hint_that_fails_may_be_asked_for_again(folder: Path) -> None:
    async with rooms("fine", hint="breaks") as at:
        table, token = await at.open()
        await at.until(table, mine)
        for _ in range(2):
            refused = await at.get(f"{table}/hint", token)
            assert refused.status_code == 503
            assert refused.json()["code"] == "overloaded"
            assert refused.headers["retry-after"] == "5"
        assert at.substitutes("failed") == 0


async def test_a_hint_for_a_decision_that_is_past_is_refused(folder: Path) -> None:
    async with rooms("fine", hint="hint_waits") as at:
        table, token = await at.open()
        game = await at.until(table, mine)
        asking = asyncio.create_task(at.get(f"{table}/hint", token))
        await begun(folder, 3)
        decision = f"{game.match.deal}.{game.decision}"
        await at.service.do(table, Act(Seat.S0, house(game), decision))
        (folder / "go").touch()
        refused = await asking
        assert refused.status_code == 409
        assert refused.json()["code"] == "stale_decision"


async def count_a_hand(at: Rooms, table: str) -> int:
    """Play for seat 0 to the count; return the deal."""
    while True:
        game = await at.until(table, lambda g: mine(g) or g.count is not None)
        if game.count is not None:
            deal: int = game.match.deal
            return deal
        decision = f"{game.match.deal}.{game.decision}"
        await at.service.do(table, Act(Seat.S0, house(game), decision))


async def done(at: Rooms, path: str, token: str) -> httpx.Response:
    """Ask for an analysis until it is done, as a client does."""
    for _ in range(6000):
        told = await at.get(path, token)
        if told.status_code != 202:
            return told
        await asyncio.sleep(0.01)
    raise TimeoutError


async def test_a_hand_is_analysed_once_and_only_when_it_is_counted(
    folder: Path,
) -> None:
    async with rooms("fine") as at:
        table, token = await at.open(("house", "house"))
        path = f"{table}/hands/1/analysis"
        for method in ("POST", "GET"):
            refused = await at.get(path, token, method)
            assert refused.status_code == 409
            assert refused.json()["code"] == "hand_in_progress"
            refused = await at.get(f"{table}/hands/9/analysis", token, method)
            assert refused.json()["code"] == "no_such_hand"
            assert (await at.get(path, "tzs_no", method)).status_code == 401
        path = f"{table}/hands/{await count_a_hand(at, table)}/analysis"
        asked = [await at.get(path, token, "POST") for _ in range(3)]
        assert [answer.status_code for answer in asked] == [202] * 3
        assert asked[0].json() == {"state": "queued"}
        await begun(folder)
        running = await at.get(path, token)
        assert (running.status_code, running.json()) == (202, {"state": "running"})
        (folder / "go").touch()
        told = await done(at, path, token)
        found = told.json()
        assert found["knowledge"] == "hindsight"
        assert (found["table"], len(found["cards"])) == (table, 36)
        assert (await at.get(path, token, "POST")).json() == {"state": "done"}
        assert (await begun(folder)).count("analysis") == 1


async def test_without_a_solver_nothing_that_thinks_is_offered() -> None:
    app = create_app(Settings(database=None, dev=True, workers=0))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://e") as http:
        body: Json = {"mode": "computer", "name": "Anna", "seed": "solver"}
        for player in ("expert", "search"):
            seats = [{"kind": "computer", "player": player}] * 2
            told = await http.post("/v1/tables", json=body | {"seats": seats})
            assert told.status_code == 503
            assert told.json()["code"] == "no_solver"
        opened = (await http.post("/v1/tables", json=body)).json()
        table, service = opened["table"], app.state.hall.service
        headers = {"Authorization": f"Bearer {opened['token']}"}
        hint = f"/v1/tables/{table}/hint"
        while (game := (await service.view(table, Seat.S0)).game).count is None:
            if mine(game):
                told = await http.get(hint, headers=headers)
                assert told.json()["code"] == "no_solver"
            seen = (await service.view(table, game.turn)).game
            decision = f"{game.match.deal}.{game.decision}"
            await service.do(table, Act(game.turn, house(seen), decision))
        path = f"/v1/tables/{table}/hands/{game.match.deal}/analysis"
        for method in ("POST", "GET"):
            told = await http.request(method, path, headers=headers)
            assert told.json()["code"] == "no_solver"


async def test_a_view_goes_to_a_process_as_the_wire_tells_it(folder: Path) -> None:
    async with rooms("fine") as at:
        table, _ = await at.open()
        await at.until(table, mine)
        seen = view_of(await at.service.view(table, Seat.S0))
        text = seen.model_dump_json(by_alias=True).encode()
        assert b'"bid"' in await at.workers.think("expert", text)


async def a_view() -> bytes:
    """A view of seat 1, whose turn it is, as a process is given it."""
    service = TableService(MemoryLog(), LocalFanout())
    opening = Opening(Mode.COMPUTER, "Anna", By.PERSON, 7, 0, EXPERTS, Seat.S0, "view")
    seating = await service.open(opening)
    seen = view_of(await service.view(seating.table, Seat.S1))
    return seen.model_dump_json(by_alias=True).encode()


async def test_a_process_that_compiles_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    workers = Workers(1, 60, 60, parts("fine"), patience=(0, 60, 60))
    view = await a_view()
    assert b'"bid"' in await workers.think("expert", view)
    await workers.close()
    told = [record.levelname for record in caplog.records if "think" in record.message]
    assert told == ["INFO", "INFO"]
    assert "a thinking process gets ready" in caplog.text
    assert "a thinking process is ready" in caplog.text


async def test_nobody_waits_for_ever_for_a_process_that_compiles(
    caplog: pytest.LogCaptureFixture,
) -> None:
    workers = Workers(1, 60, 60, parts("fine"), patience=(0, 0.001, 60))
    view = await a_view()
    with pytest.raises(Unanswered, match="no process yet"):
        await workers.think("expert", view)
    async with asyncio.timeout(60):  # it is still on its way, and comes
        while True:
            with suppress(Unanswered):
                assert b'"bid"' in await workers.think("expert", view)
                break
    await workers.close()
    assert not caplog.records


async def test_a_process_that_never_gets_ready_is_told_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    workers = Workers(1, 60, 60, parts("fine"), patience=(60, 60, 0.001))
    with pytest.raises(Unanswered, match="no process"):
        await workers.think("expert", await a_view())
    await workers.close()
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "not ready in time" in record.message


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_who_is_waited_for_has_a_share_of_a_busy_machine(folder: Path) -> None:
    """Hands in hindsight get on beside other work, players give way to games."""
    before = children()
    workers = Workers(1, 60, 60, parts("fine"))
    await workers.think("expert", await a_view())
    (player,) = children() - before
    hand = (GOLDEN / "chiamo_won.hand").read_text()
    (folder / "go").touch()
    running: list[str] = []
    given = orjson.dumps(hand)
    thought = asyncio.create_task(
        workers.think("analysis", given, lambda: running.append("begun"))
    )
    await asyncio.sleep(0)
    assert running == ["begun"]  # while its process starts: it waits for no other
    await thought
    (analyst,) = children() - before - {player}
    own = os.getpriority(os.PRIO_PROCESS, 0)
    nice = [os.getpriority(os.PRIO_PROCESS, pid) for pid in (player, analyst)]
    policies = [os.sched_getscheduler(pid) for pid in (player, analyst)]
    await workers.close()
    assert nice == [max(19, own), max(5, own)]
    assert policies == [os.SCHED_IDLE, os.SCHED_OTHER]
