"""Processes that think die with the server, and without them a move still comes."""

import asyncio
import json
import os
import signal
from pathlib import Path

import httpx
import pytest

from faults.process import ServerProcess
from terziglio_api.wire.view import View

WITHIN_S = 10
EXPERTS = {
    "mode": "computer",
    "name": "Anna",
    "pace_ms": 0,
    "seats": [{"kind": "computer", "player": "expert"}] * 2,
}


def noted(folder: Path) -> int | None:
    """The first process that has begun to think."""
    notes = folder / "begun"
    lines = notes.read_text().split("\n") if notes.exists() else []
    return int(lines[0]) if len(lines) > 1 else None


async def thinker(folder: Path) -> int:
    """Wait for that process: it is another's, and tells by a file."""
    for _ in range(6000):
        pid = noted(folder)
        if pid is not None:
            return pid
        await asyncio.sleep(0.01)
    raise TimeoutError


def alive(pid: int) -> bool:
    """Whether there is such a process, and more of it than its status."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


async def gone(pid: int) -> bool:
    """Wait for a process that is nobody's child any more; say whether it went."""
    for _ in range(WITHIN_S * 100):
        if not alive(pid):
            return True
        await asyncio.sleep(0.01)
    return False


@pytest.fixture
async def thinking(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[ServerProcess, int]:
    """A server that is asked for a move which never comes, and who thinks about it."""
    monkeypatch.setenv("THINKERS", str(tmp_path))
    monkeypatch.setenv("PARTS", json.dumps({"expert": "thinkers:burns"}))
    await server.start()
    async with httpx.AsyncClient(base_url=server.url) as http:
        # Who acts first is drawn: at some of these it is an expert.
        for _ in range(8):
            opened = await http.post("/v1/tables", json=EXPERTS)
            assert opened.status_code == 201, opened.text
    return server, await thinker(tmp_path)


async def test_a_server_that_is_killed_leaves_nobody_thinking(
    thinking: tuple[ServerProcess, int],
) -> None:
    server, pid = thinking
    assert alive(pid)
    server.kill()
    assert await server.ended() == -signal.SIGKILL
    assert await gone(pid)


async def test_a_server_that_is_stopped_waits_for_no_thought(
    thinking: tuple[ServerProcess, int],
) -> None:
    server, pid = thinking
    assert alive(pid)
    server.terminate()
    async with asyncio.timeout(WITHIN_S):
        assert await server.ended() == 0
    assert not alive(pid)


async def test_a_move_comes_though_who_thinks_of_it_is_killed(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THINKERS", str(tmp_path))
    monkeypatch.setenv("PARTS", json.dumps({"expert": "thinkers:waits"}))
    await server.start()
    async with httpx.AsyncClient(base_url=server.url, timeout=40) as http:
        opened = {}
        for _ in range(20):
            opened = (await http.post("/v1/tables", json=EXPERTS)).json()
            path = f"/v1/tables/{opened['table']}/view"
            told = {"Authorization": f"Bearer {opened['token']}"}
            seen = View.model_validate((await http.get(path, headers=told)).json())
            if seen.turn is not None and seen.turn.seat != 0:
                break
            await http.delete(f"/v1/tables/{opened['table']}", headers=told)
        else:
            raise AssertionError("seat 0 began twenty times")
        os.kill(await thinker(tmp_path), signal.SIGKILL)
        moved = await http.get(
            path, headers=told, params={"after": seen.seq, "wait": 30}
        )
        assert moved.status_code == 200
        assert moved.json()["last"][0]["seat"] == seen.turn.seat
        page = (await http.get("/metrics")).text
    assert 'terziglio_substitutes_total{why="failed"} 1.0' in page
