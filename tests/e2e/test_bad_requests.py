"""Bad requests: each is refused with a coded problem, and none changes anything."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest

from bad_input import STALE, broken_json, illegal_actions, misshapen
from bad_sockets import CODES, table_in, unchanged, unlimited
from client import Server
from strategies import SCALE

PHASES = ["waiting", "auction", "call", "exchange", "play", "count"]
REST = 700
"""Requests in each phase; ``make proof`` sends more."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without rate limits."""
    with unlimited(tmp_path_factory.mktemp("bad") / "tables.sqlite3") as running:
        yield running


@pytest.mark.parametrize("phase", PHASES)
async def test_bad_requests_over_rest(server: Server, phase: str) -> None:
    seat = await table_in(server, phase)
    rng, before = Random(f"rest {phase}"), seat.view
    base = f"{server.url}/v1/tables/{before['table']}"
    headers = {
        "Authorization": f"Bearer {seat.token}",
        "Content-Type": "application/json",
    }
    sent = 0
    async with httpx.AsyncClient(headers=headers) as http:
        while sent < REST * SCALE:
            requests: list[tuple[str, Any]] = []
            for message in illegal_actions(rng, before):
                message.pop("type")
                requests.append((f"{base}/actions", json.dumps(message)))
            valid = {"id": "a", "decision": STALE, "action": {"type": "play"}}
            for path in ("/actions", "/next-hand", "/claims", ""):
                where = server.url + "/v1/tables" if path == "" else base + path
                requests.append((where, json.dumps(misshapen(rng, valid))))
                requests.append((where, _encoded(broken_json(rng))))
                requests.append((where, rng.randbytes(rng.randrange(1, 60))))
            for where, content in requests:
                answer = await http.post(where, content=content)
                problem = answer.json()
                assert 400 <= answer.status_code < 500, (content, answer.text)
                assert answer.headers["content-type"] == "application/problem+json"
                assert problem["status"] == answer.status_code
                assert problem["code"] in CODES, (content, problem)
            sent += len(requests)
    await unchanged(server, seat)


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


async def test_a_body_that_is_too_large_is_malformed(server: Server) -> None:
    async with httpx.AsyncClient(base_url=server.url) as http:
        answer = await http.post(
            "/v1/tables",
            content='{"mode":"computer","name":"' + "x" * 100_000 + '"}',
            headers={"Content-Type": "application/json"},
        )
    assert answer.status_code == 400
    assert answer.json()["code"] == "malformed"
