"""SIGTERM under load: everybody hears 1012, it ends in time, and nothing is lost."""

import asyncio
from time import perf_counter

from faults.figures import Note, spread
from faults.length import LONG, length
from faults.load import KINDS, Load, open_tables
from faults.process import ServerProcess
from history import read_log, violations

TABLES = 50
STOPS = length(1, 10)
WITHIN_S = 10


@LONG
async def test_a_stop_under_load_loses_nothing(
    server: ServerProcess, record_property: Note
) -> None:
    await server.start()
    kinds = [KINDS[n % len(KINDS)] for n in range(TABLES)]
    times = []
    async with Load(await open_tables(server.url, kinds)) as load:
        for stop in range(1, STOPS + 1):
            load.connect()
            await load.progress(10)
            load.connect(may=False)
            begun = perf_counter()
            server.terminate()
            async with asyncio.timeout(WITHIN_S):
                status = await server.ended()
            times.append(perf_counter() - begun)
            assert status == 0
            await load.every(lambda player: not player.online)
            for player in load.players:
                assert player.closes == [1012] * stop
                assert player.byes == stop
            await server.start()
        load.connect()
        await load.progress(5)
        live = await load.settle(server.url)
    log = await read_log(server.database)
    assert violations(log, load.transcripts, live) == []
    assert not load.errors
    record_property("sockets that heard 1012", f"{len(load.players)} of each stop")
    record_property("from SIGTERM to the end", spread(times))
    record_property("acknowledged actions, all there once", load.acks)
