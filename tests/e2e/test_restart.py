"""Kill the server, start it again: everything acknowledged is there, once."""

import asyncio
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import websockets

from client import Json, Seat, Server, finished, open_table, rest

MOMENTS = (3, 9, 20, 31, 44)
"""After how many of its own answers the seat sees the server killed."""


async def test_a_killed_server_goes_on_where_it_was(own_server: Server) -> None:
    host = await open_table(own_server.url, target=21)
    seat = Seat(own_server.url, host["table"], host["token"])
    for moment in MOMENTS:
        await seat.connect()
        with suppress(websockets.ConnectionClosed):
            await _answers(seat, moment)
            # In the middle of things: an action is sent, the answer not awaited.
            said = seat.answer()
            if said is not None:
                await seat.say(said)
            own_server.kill()
            while True:
                await seat.hear()
        own_server.start()
    await seat.connect()
    await seat.play(finished)
    await seat.close()

    assert sorted(seat.events) == list(range(min(seat.events), seat.view["seq"] + 1))
    await _check_history(seat, own_server, host)
    assert own_server.tracebacks == 0, own_server.log.read_text()


async def _answers(seat: Seat, count: int) -> None:
    """Answer views until so many answers are acknowledged, or the match is over."""
    goal = len(seat.acked) + count

    def enough(view: Json) -> bool:
        return len(seat.acked) >= goal or finished(view)

    await seat.play(enough)


async def _check_history(seat: Seat, server: Server, host: Json) -> None:
    """Every acknowledged action is in the records, once, at the seq it was given."""
    played: dict[str, Json] = {}
    for deal in range(1, seat.view["match"]["deal"] + 1):
        path = f"/v1/tables/{host['table']}/hands/{deal}"
        answer = await rest(server.url, "GET", path, host["token"])
        if answer.status_code == 200:
            for number, made in enumerate(answer.json()["actions"], start=1):
                played[f"{deal}.{number}"] = made
    for name, seq in seat.acked.items():
        event = seat.events[seq]
        assert event["seat"] == 0
        made = played.get(name.removeprefix("d"))
        if made is not None:  # not so in a deal that was thrown in
            assert made["seat"] == 0
            assert made["action"].get("card") == event.get("card")


async def test_a_computer_moves_by_itself_after_a_restart(own_server: Server) -> None:
    # The computers take their time, so that the server dies while one is due.
    host = await open_table(own_server.url, pace_ms=1500, seed="dealer")
    path = f"/v1/tables/{host['table']}/view"
    view = (await rest(own_server.url, "GET", path, host["token"])).json()
    if view["turn"]["seat"] == 0:
        seat = await Seat(own_server.url, host["table"], host["token"]).connect()
        said = seat.answer()
        assert said is not None
        await seat.say(said)
        await seat.hear_until(lambda message: message["type"] == "event")
        await seat.close()
    own_server.kill()
    own_server.start()
    view = (await rest(own_server.url, "GET", path, host["token"])).json()
    waiting = {"after": view["seq"], "wait": 20}
    moved = await rest(own_server.url, "GET", path, host["token"], params=waiting)
    assert moved.status_code == 200
    assert moved.json()["seq"] > view["seq"]


async def test_a_stop_is_orderly(own_server: Server) -> None:
    host = await open_table(own_server.url)
    seat = await Seat(own_server.url, host["table"], host["token"]).connect()
    stopping = asyncio.create_task(asyncio.to_thread(own_server.stop))
    bye = await seat.hear_until(lambda message: message["type"] == "bye")
    assert bye["code"] == "restart"
    assert 500 <= bye["retry_ms"] < 3000
    with pytest.raises(websockets.ConnectionClosed) as closed:
        await seat.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    assert await stopping == 0
    own_server.start()
    await seat.connect()
    assert seat.view["table"] == host["table"]
    await seat.close()


async def test_a_stop_ends_long_polls_at_once(own_server: Server) -> None:
    links = [{"kind": "link"}, {"kind": "link"}]
    host = await open_table(own_server.url, mode="open", seats=links)
    path = f"/v1/tables/{host['table']}/view?after=1&wait=30"
    waiting = asyncio.create_task(rest(own_server.url, "GET", path, host["token"]))
    seat = await Seat(own_server.url, host["table"], host["token"]).connect()
    stopping = asyncio.create_task(asyncio.to_thread(own_server.stop))
    await seat.hear_until(lambda message: message["type"] == "bye")
    assert (await waiting).status_code == 204
    assert await stopping == 0
    own_server.start()


async def test_a_clock_plays_and_a_table_that_nobody_touches_is_deleted(
    tmp_path: Path,
) -> None:
    database = tmp_path / "tables.sqlite3"
    server = Server(database, TERZIGLIO_KEEP_S="6").start()
    host = await open_table(server.url, clock={"decision_s": 1})
    seat = await Seat(server.url, host["table"], host["token"]).connect()
    clocked = await seat.hear_until(
        lambda m: m.get("event", {}).get("by", "person") == "clock"
    )
    assert clocked["event"]["seat"] == 0
    path = f"/v1/tables/{host['table']}"
    assert (await rest(server.url, "DELETE", path, host["token"])).status_code == 204
    await seat.hear_until(lambda m: _kind(m) == "table_closed")
    bye = await seat.hear_until(lambda m: m["type"] == "bye")
    assert bye["code"] == "bad_token"
    assert (await rest(server.url, "GET", path, "")).status_code == 404
    assert server.stop() == 0
    assert server.tracebacks == 0, server.log.read_text()


def _kind(message: Json) -> str | None:
    kind: str | None = message.get("event", {}).get("kind")
    return kind


async def test_a_database_has_one_server(own_server: Server) -> None:
    host = await open_table(own_server.url)
    command = [sys.executable, "-m", "terziglio_api.cli", "serve", "--port", "0"]
    command += ["--database", str(own_server.database)]
    second = await asyncio.to_thread(
        subprocess.run,
        command,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode == 1
    assert "another server uses" in second.stderr
    assert "http" not in second.stdout
    own_server.kill()
    own_server.start()  # the lock of one that was killed holds nobody up
    path = f"/v1/tables/{host['table']}/view"
    assert (await rest(own_server.url, "GET", path, host["token"])).status_code == 200


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "99999"), ("DEV", "maybe"), ("ORIGINS", "http://page.example")],
)
def test_a_wrong_setting_is_told_in_a_line(name: str, value: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "terziglio_api.cli", "serve"],
        env=os.environ | {f"TERZIGLIO_{name}": value},
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert name.lower() in done.stderr.lower()
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "place", ["file/t.sqlite3", "."], ids=["no folder", "a folder"]
)
def test_a_place_that_is_none_is_told_in_a_line(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    command = [sys.executable, "-m", "terziglio_api.cli", "serve", "--port", "0"]
    command += ["--database", str(tmp_path / place)]
    done = subprocess.run(
        command, stderr=subprocess.PIPE, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("terziglio: cannot open the database: ")
    assert len(done.stderr.splitlines()) == 1
