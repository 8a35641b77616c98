"""Fifty thousand bad messages: none changes anything, ends a socket or is a fault.

What is known to be bad gets a coded error, one each. What is only random or mutated may
happen to be good: it may be answered as such, but no table moves.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.typing import Origin

from bad_input import (
    broken_json,
    illegal_actions,
    misshapen,
    mutated,
    random_frame,
    valid_messages,
)
from bad_sockets import (
    CLOSES,
    CODES,
    connected,
    say_all,
    table_in,
    through,
    unchanged,
    unlimited,
)
from client import Json, Seat, Server
from strategies import SCALE

PHASES = ["waiting", "auction", "call", "exchange", "play", "count"]
BAD, MUTATED, EARLY = 2000, 3000, 20_000
"""Refused frames, 6 x (2,000 + 3,000) + 20,000 = 50,000; ``make proof`` sends more."""
BATCH = 100


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without rate limits."""
    with unlimited(tmp_path_factory.mktemp("bad") / "tables.sqlite3") as running:
        yield running


async def greeted(socket: ClientConnection, seat: Seat) -> int | None:
    """Say a good hello; return the code with which the socket is closed, if it is."""
    code, _ = await through(socket, [valid_messages(seat.token)[1]])
    return code


@pytest.mark.parametrize("phase", PHASES)
async def test_bad_messages_on_the_socket(server: Server, phase: str) -> None:
    seat = await table_in(server, phase)
    rng, before, sent = Random(f"socket {phase}"), seat.view, 0
    valid: list[Json] = [
        {"type": "action", "id": "a", "decision": "1.1", "action": {"type": "play"}},
        {"type": "next_hand", "deal": 1},
        {"type": "ping", "n": 1},
    ]
    async with connected(seat) as socket:
        assert await greeted(socket, seat) is None
        while sent < BAD * SCALE:
            batch: list[str | bytes] = []
            batch += [json.dumps(m) for m in illegal_actions(rng, before)]
            batch += [broken_json(rng) for _ in range(6)]
            batch += [json.dumps(misshapen(rng, rng.choice(valid))) for _ in range(12)]
            batch += [json.dumps({"type": "next_hand", "deal": rng.randrange(2, 9)})]
            batch += [json.dumps({"type": "rematch"}), rng.randbytes(rng.randrange(40))]
            rng.shuffle(batch)
            saying = asyncio.create_task(say_all(socket, batch))
            for message in batch:
                answer = json.loads(await socket.recv())
                assert answer["type"] == "error", (message, answer)
                assert answer["code"] in CODES, (message, answer)
                assert answer["detail"], message
            await saying
            sent += len(batch)
    await unchanged(server, seat)


@pytest.mark.parametrize("phase", PHASES)
async def test_mutated_messages_after_hello(server: Server, phase: str) -> None:
    seat = await table_in(server, phase)
    rng, valid, refused = Random(f"mutated {phase}"), valid_messages(seat.token), 0
    while refused < MUTATED * SCALE:
        code = None
        async with connected(seat) as socket:
            await socket.send(valid[1])
            while code is None and refused < MUTATED * SCALE:
                frames = [mutated_or_random(rng, valid) for _ in range(BATCH)]
                code, some = await through(socket, frames)
                refused += some
        # A second hello whose token was mutated is a stranger's.
        assert code is None or code in CLOSES, code
    await unchanged(server, seat)


def mutated_or_random(rng: Random, valid: list[str]) -> str | bytes:
    if rng.random() < 0.3:
        return random_frame(rng)
    return mutated(rng, rng.choice(valid))


@pytest.mark.parametrize(
    "path",
    ["/v1/tables/{}/ws/", "/v1/tables//ws", "/v1/tables/a%2F{}/ws", "/v1/x", "/"],
)
async def test_a_mistyped_address_is_closed_with_a_code(
    server: Server, path: str
) -> None:
    """A browser that saw 1006 instead would come back for ever."""
    seat = await table_in(server, "auction")
    table = urlsplit(seat.url).path.split("/")[-2]
    seat.url = server.url.replace("http", "ws", 1) + path.format(table)
    said = json.dumps({"type": "hello", "token": seat.token})
    async with connected(seat) as socket:
        code, _ = await through(socket, [said])
    assert code == 4401


@pytest.mark.parametrize("chunk", range(4), ids="chunk{}".format)
async def test_anything_before_hello(server: Server, chunk: int) -> None:
    seat = await table_in(server, "auction")
    rng, valid = Random(f"early {chunk}"), valid_messages(seat.token)
    codes, refused = set[int | None](), 0
    while refused < EARLY // 4 * SCALE:
        # Mutated hellos are in a third of them: each may end its socket soon.
        some = valid if rng.random() < 0.3 else valid[2:]
        frames = [mutated_or_random(rng, some) for _ in range(BATCH)]
        async with connected(seat) as socket:
            code, early = await through(socket, [*frames, valid[1]])
        assert code is None or code in CLOSES, code
        codes.add(code)
        refused += early
    assert codes == {None, 4401}
    await unchanged(server, seat)


@pytest.mark.parametrize(
    ("hello", "closes"),
    [
        ({"token": "tzs_" + "x" * 43}, 4401),
        ({"token": ""}, 4401),
        ({"token": "\u202e"}, 4401),
        ({"token": "OWN "}, 4401),
        ({"token": "x" * 201}, None),
        ({"token": None}, None),
        ({"token": 7}, None),
        ({}, None),
        ({"token": "OWN", "after": -1}, None),
        ({"token": "OWN", "after": 1.5}, None),
        ({"token": "OWN", "after": "1"}, None),
        ({"token": "OWN", "protocol": "terziglio.v9"}, None),
    ],
)
async def test_hellos_that_are_none(
    server: Server, hello: Json, closes: int | None
) -> None:
    """A stranger's ends the socket; one that cannot be read may be said again."""
    seat = await table_in(server, "auction")
    told = json.dumps({"type": "hello", **hello}).replace("OWN", seat.token)
    async with connected(seat) as socket:
        frames: list[str | bytes] = [told, valid_messages(seat.token)[1]]
        assert (await through(socket, frames))[0] == closes


@pytest.mark.parametrize(
    ("more", "closes"),
    [
        ({"origin": Origin("https://evil.example")}, 4403),
        ({"origin": Origin("null")}, 4403),
        ({"origin": Origin("http://[")}, 4403),
        ({"additional_headers": {"Authorization": "Bearer tzs_no"}}, 4401),
        ({"additional_headers": {"Authorization": "Bearer"}}, 4401),
        ({"additional_headers": {"Authorization": "Basic eA=="}}, None),
        ({"subprotocols": None}, None),
    ],
)
async def test_handshakes_that_are_refused(
    server: Server, more: Json, closes: int | None
) -> None:
    seat = await table_in(server, "auction")
    async with connected(seat, **more) as socket:
        assert await greeted(socket, seat) == closes


async def test_a_refused_origin_is_logged_for_who_set_the_service_up(
    server: Server,
) -> None:
    seat = await table_in(server, "auction")
    origin = "https://mistyped.example/" + "x" * 1000
    async with connected(seat, origin=Origin(origin)) as socket:
        assert await greeted(socket, seat) == 4403
    lines = server.log.read_text().splitlines()
    (told,) = [json.loads(line) for line in lines if "mistyped" in line]
    assert told["event"] == "origin refused"
    assert told["origin"] == origin[:100]


async def test_an_unknown_version_is_refused(server: Server) -> None:
    seat = await table_in(server, "auction")
    offered = "Sec-WebSocket-Protocol: terziglio.v9"
    reader, writer = await handshake(seat, offered)
    async with asyncio.timeout(10):
        heard = await reader.readuntil(b"\r\n\r\n")
        bye = await reader.readexactly(2)
        told = await reader.readexactly(bye[1])
        frame = await reader.readexactly(4)
    assert b"101" in heard
    assert json.loads(told) == {"type": "bye", "code": "version"}
    # A close frame of two bytes: 4426.
    assert frame == b"\x88\x02" + (4426).to_bytes(2, "big")
    await hang_up(writer)


async def test_bytes_that_are_no_frames(server: Server) -> None:
    """Garbage under the protocol: the service hangs up, and stays well."""
    seat = await table_in(server, "auction")
    rng = Random("bytes")
    for number in range(300):
        reader, writer = await handshake(seat)
        async with asyncio.timeout(10):
            await reader.readuntil(b"\r\n\r\n")
            with suppress(ConnectionError):
                if number % 3:
                    writer.write(rng.randbytes(rng.randrange(1, 300)))
                else:
                    # A header that promises more than will ever come, or too much.
                    writer.write(b"\x81\xff" + rng.randbytes(8))
                writer.write_eof()
                await reader.read()
        await hang_up(writer)
    await unchanged(server, seat)


async def test_bytes_that_are_no_requests(server: Server) -> None:
    seat = await table_in(server, "auction")
    rng, where = Random("requests"), urlsplit(server.url)
    for _ in range(200):
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        async with asyncio.timeout(10):
            with suppress(ConnectionError):
                writer.write(rng.randbytes(rng.randrange(1, 300)))
                writer.write_eof()
                await reader.read()
        await hang_up(writer)
    await unchanged(server, seat)


async def handshake(
    seat: Seat, *headers: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Ask for a websocket by hand."""
    where = urlsplit(seat.url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    lines = (
        f"GET {where.path} HTTP/1.1",
        "Host: x",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
        *headers,
    )
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    return reader, writer


async def hang_up(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def test_text_that_is_no_text_is_malformed(server: Server) -> None:
    seat = await table_in(server, "auction")
    async with connected(seat) as socket:
        await socket.send(b'{"type":"\xff\xfe"}', text=True)
        answer = json.loads(await socket.recv())
        assert (answer["type"], answer["code"]) == ("error", "malformed")
        assert await greeted(socket, seat) is None
    await unchanged(server, seat)


@pytest.mark.parametrize("known", [True, False])
async def test_a_frame_that_is_too_large_ends_the_socket(
    server: Server, known: bool
) -> None:
    seat = await table_in(server, "auction")
    async with connected(seat) as socket:
        if known:
            assert await greeted(socket, seat) is None
        assert (await through(socket, ["x" * 30_000]))[0] == 1009
    await unchanged(server, seat)
