"""A hand with experts, by hints, then in hindsight: as a user of the service has it.

The server's settings are the default ones, but for its patience, and so are those who
think: nothing is made up here.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from client import Json, Server
from terziglio.count import NEED
from urging import urged

EXPERTS = [{"kind": "computer", "player": "expert"}] * 2
ASKED_S = 60
"""Long enough for a process that has yet to compile the solver."""


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Server]:
    """A server with default settings, and a recorder inside."""
    running = Server(tmp_path / "tables.sqlite3", "--dev", recorded=True)
    running.settings = {"TERZIGLIO_THINK_S": str(ASKED_S)}
    running.start()
    yield running
    assert running.stop() == 0
    assert running.tracebacks == 0, running.log.read_text()
    assert running.misfits == []


@pytest.mark.timeout(300)
async def test_a_hand_by_hints_and_then_in_hindsight(plain: Server) -> None:
    client = httpx.AsyncClient(base_url=plain.url, timeout=ASKED_S)
    async with urged(plain), client as http:
        body = {"mode": "computer", "name": "Anna", "pace_ms": 0, "seats": EXPERTS}
        opened = await http.post("/v1/tables", json={**body, "seed": "thinking"})
        assert opened.status_code == 201, opened.text
        http.headers["Authorization"] = f"Bearer {opened.json()['token']}"
        path = f"/v1/tables/{opened.json()['table']}"
        hints = await by_hints(http, path)
        deal = (await http.get(f"{path}/view")).json()["match"]["deal"]
        record = (await http.get(f"{path}/hands/{deal}")).json()
        found = await in_hindsight(http, f"{path}/hands/{deal}/analysis")
        metrics = (await http.get("/metrics")).text

    # The experts have thought, all of them in time, and within the rules.
    for task in ("expert", "hint", "analysis"):
        count = f'terziglio_thinking_seconds_count{{task="{task}"}}'
        assert count in metrics
    assert "terziglio_substitutes_total{" not in metrics
    assert "terziglio_workers_replaced_total 0.0" in metrics

    # Its own cards were all played as the hints said.
    played = [made["action"]["card"] for made in plays(record) if made["seat"] == 0]
    assert played == [hint["action"]["card"] for hint in hints][-12:]
    looked = [hint for hint in hints[-12:] if hint["worlds"]]
    assert len(looked) >= 11  # at the first card there may be too much to look at
    for hint in looked:
        wins = {chance["card"]: chance["win"] for chance in hint["chances"]}
        assert hint["action"]["card"] in wins
        assert all(0 <= win <= 1 for win in wins.values())
        assert hint["sentence"]

    # The analysis is of that hand, and its sums come out.
    assert found["knowledge"] == "hindsight"
    assert [judged["card"] for judged in found["cards"]] == [
        made["action"]["card"] for made in plays(record)
    ]
    lost = found["lost"]
    assert found["final"] - found["start"] == lost["defenders"] - lost["soloist"]
    assert found["makeable"] is (found["start"] >= NEED)
    assert found["won"] is (found["final"] >= NEED)
    assert len(found["line"]) == 12


def plays(record: Json) -> list[Json]:
    """The 36 plays of a hand's record."""
    made = [made for made in record["actions"] if made["action"]["type"] == "play"]
    assert len(made) == 36
    return made


async def by_hints(http: httpx.AsyncClient, path: str) -> list[Json]:
    """Do what the hints say until a hand is counted; return those of its cards."""
    hints: list[Json] = []
    view: Json = (await http.get(f"{path}/view")).json()
    while view["phase"] not in {"count", "finished"}:
        if view["turn"] is None or view["turn"]["seat"] != 0:
            wait: Json = {"after": view["seq"], "wait": 30}
            view = (await http.get(f"{path}/view", params=wait)).json()
            continue
        hint = await http.get(f"{path}/hint", params={"lang": "en"})
        assert hint.status_code == 200, hint.text
        told: Json = hint.json()
        decision = view["turn"]["decision"]
        assert told["decision"] == decision
        said = {"id": decision, "decision": decision, "action": told["action"]}
        made = await http.post(f"{path}/actions", json=said)
        assert made.status_code == 200, made.text
        if told["action"]["type"] == "play":
            hints.append(told)
        view = (await http.get(f"{path}/view")).json()
    return hints


async def in_hindsight(http: httpx.AsyncClient, path: str) -> Json:
    """Have a hand analysed; return the analysis."""
    begun = await http.post(path)
    assert begun.status_code == 202, begun.text
    async with asyncio.timeout(ASKED_S):
        while True:
            answer = await http.get(path)
            if answer.status_code == 200:
                found: Json = answer.json()
                return found
            assert answer.status_code == 202, answer.text
            await asyncio.sleep(int(answer.headers["Retry-After"]))
