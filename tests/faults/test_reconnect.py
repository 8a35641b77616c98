"""A thousand connections cut at a random byte, in the handshake too.

Nothing is lost, nothing is done twice, and play goes on with the same token.
"""

from faults.figures import Note, spread
from faults.length import LONG, length
from faults.load import Load, open_tables
from faults.process import ServerProcess
from faults.proxy import Wire
from history import read_log, violations
from strategies import rng

CUTS = length(1000, 5000)
TABLES = 12
UP, DOWN = 1200, 40_000
"""A handshake and a hello are some 400 bytes up; a view is some 4,000 down."""


@LONG
async def test_connections_cut_at_any_byte_lose_and_double_nothing(
    server: ServerProcess, record_property: Note
) -> None:
    await server.start()
    wire = Wire(server.url, CUTS, rng("wire"), UP, DOWN)
    players = await open_tables(server.url, [{"mode": "friends"}] * TABLES)
    async with wire.listening():
        for player in players:
            player.reach(wire.url)
        async with Load(players) as load:
            load.connect()
            await load.until(wire.cut.is_set)
            before = load.acks
            await load.progress(10)
            live = await load.settle(server.url)
    log = await read_log(server.database)
    assert violations(log, load.transcripts, live) == []
    assert not load.errors
    twice = sum(ack.duplicate for told in load.transcripts for ack in told.acks)
    assert twice, "nothing was ever sent again"
    record_property("cuts", wire.cuts)
    record_property("acknowledged actions on the way, all there once", before)
    record_property("of these sent again and not done again", twice)
    record_property("from a cut to the whole table again", spread(load.away))
