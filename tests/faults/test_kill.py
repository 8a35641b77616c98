"""kill -9 under load: at random instants, and at each point that an action passes.

Fifty tables are at play. After each death the files are looked at as the server left
them: whatever a player was promised must be there. Then the next server recovers them
itself, and play goes on. At the end the whole history is checked.
"""

import signal
from time import perf_counter
from typing import Any

import httpx
import pytest

from faults.figures import Note, spread
from faults.length import LONG, length
from faults.load import KINDS, Load, open_tables
from faults.process import ServerProcess
from faults.server import POINTS
from history import broken_promises, read_log, violations
from strategies import rng
from terziglio_api.commands import By
from terziglio_api.journal import Acted

Json = dict[str, Any]

TABLES = 50
RUNS = 20
BATCHES = range(length(1, 5))
"""Twenty deaths each, with tables of their own."""
CLOCK_S, GRACE_S = 10, 20
PACE_MS = 5000
"""Longer than it takes to open nine tables: the server dies while a turn is due."""


@LONG
@pytest.mark.parametrize("batch", BATCHES)
async def test_what_was_acknowledged_is_there_whenever_it_is_killed(
    server: ServerProcess, batch: int, record_property: Note
) -> None:
    random = rng("kill", batch)
    runs = [*POINTS * 3, *["random"] * (RUNS - 3 * len(POINTS))]
    random.shuffle(runs)

    def die(run: str) -> str:
        return "" if run == "random" else f"{run}:{random.randint(20, 300)}"

    await server.start()
    serving, processor = [], []
    kinds = [KINDS[n % len(KINDS)] for n in range(TABLES)]
    async with Load(await open_tables(server.url, kinds)) as load:
        server.kill()
        await server.ended()
        for run in runs:
            serving.append(await server.start(die(run)))
            processor.append(server.processor_s)
            load.connect()
            if run == "random":
                await load.progress(1)
                await load.acknowledged(random.randint(1, 200))
                server.kill()
            assert await server.ended() == -signal.SIGKILL
            load.connect(may=False)
            await load.every(lambda player: not player.online)
            log = await read_log(server.database)
            assert broken_promises(log, load.transcripts) == [], run
        await server.start()
        load.connect()
        # By itself and with the same tokens: every seat, and every computer.
        await load.progress(5)
        live = await load.settle(server.url)
    log = await read_log(server.database)
    assert violations(log, load.transcripts, live) == []
    assert not load.errors
    record_property("deaths", len(runs))
    record_property("acknowledged actions, all there once", load.acks)
    record_property("events in the log", sum(map(len, log.values())))
    record_property("from start to serving", spread(serving))
    record_property("processor time of that", spread(processor))
    record_property("away, the start included", spread(load.away))


async def test_a_computers_turn_and_a_clock_go_on_by_themselves(
    server: ServerProcess, record_property: Note
) -> None:
    await server.start()
    friends: Json = {"mode": "friends", "clock": {"decision_s": CLOCK_S}}
    computer: Json = {"mode": "computer", "pace_ms": PACE_MS}
    players = await open_tables(server.url, [friends, *[computer] * 8])
    async with httpx.AsyncClient(base_url=server.url, timeout=40) as http:
        views = [await player.look(http) for player in players]
    server.kill()
    await server.ended()
    # Who acts first is drawn: at some of eight tables it is a computer.
    waiting = [
        (player, view["seq"])
        for player, view in zip(players, views, strict=True)
        if view["mode"] == "computer" and view["turn"]["seat"] != 0
    ]
    assert waiting
    log = await read_log(server.database)
    assert all(len(log[player.table]) == seq for player, seq in waiting)
    # Nobody connects: they watch over REST.
    serving, begun = await server.start(), perf_counter()
    async with httpx.AsyncClient(base_url=server.url, timeout=40) as http:
        for player, seq in waiting:
            assert (await player.look(http, after=seq, wait=30))["seq"] > seq
        moved = perf_counter() - begun
        # The time that the server was down is nobody's, and then 20 s are given.
        clocked, stood = players[0], views[0]["seq"]
        assert (await clocked.look(http, after=stood, wait=30))["seq"] == stood + 1
        ran_out = perf_counter() - begun
    assert serving + ran_out >= GRACE_S - 1
    log = await read_log(server.database)
    played = log[clocked.table][stood]
    assert isinstance(played, Acted)
    assert played.by is By.CLOCK
    record_property("a computer's turn went on after", f"{moved:.1f} s")
    record_property("a clock ran out after", f"{ran_out:.1f} s")
