"""Server-sent events and voice, on a real server."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from client import Json, Seat, Server, open_table, rest

LINKS: dict[str, Any] = {
    "mode": "open",
    "seats": [{"kind": "link"}, {"kind": "computer", "player": "house"}],
}


class Events:
    """A stream of events, read one by one."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()
        self.last_id: int | None = None
        self.comments: list[str] = []

    async def next(self) -> Json:
        data = ""
        async for line in self._lines:
            if line.startswith("data: "):
                data += line.removeprefix("data: ")
            elif line.startswith("id: "):
                self.last_id = int(line.removeprefix("id: "))
            elif line.startswith(":"):
                self.comments.append(line)
            elif not line and data:
                message: Json = json.loads(data)
                return message
        raise EOFError

    async def until(self, kind: str) -> Json:
        while True:
            message = await self.next()
            if kind in {message["type"], message.get("event", {}).get("kind")}:
                return message


@asynccontextmanager
async def events(
    server: Server, table: str, token: str, after: int | None = None
) -> AsyncIterator[Events]:
    headers = {"Authorization": f"Bearer {token}"}
    if after is not None:
        headers["Last-Event-ID"] = str(after)
    async with (
        httpx.AsyncClient(base_url=server.url, timeout=20) as http,
        http.stream("GET", f"/v1/tables/{table}/events", headers=headers) as answer,
    ):
        yield Events(answer)


async def test_a_stream_tells_what_a_socket_tells(server: Server) -> None:
    host = await open_table(server.url, **LINKS)
    seat = await Seat(server.url, host["table"], host["token"]).connect()
    async with events(server, host["table"], host["token"]) as stream:
        assert stream.answer.headers["content-type"].startswith("text/event-stream")
        assert (await stream.next())["type"] == "welcome"
        assert (await stream.next())["event"]["kind"] == "snapshot"
        invite = {"invite": host["invites"][0]["invite"], "name": "Bruno"}
        path = f"/v1/tables/{host['table']}/claims"
        await rest(server.url, "POST", path, "", json=invite)
        for kind in ("seat_taken", "dealt"):
            told = await stream.until(kind)
            heard = await seat.hear_until(lambda m: m["type"] == "event")
            assert told == heard
            assert stream.last_id == told["seq"]
    await seat.close()


async def test_a_stream_is_taken_up_where_it_was_left(server: Server) -> None:
    host = await open_table(server.url, **LINKS)
    async with events(server, host["table"], host["token"]) as stream:
        await stream.until("snapshot")
        left = stream.last_id
    assert left == 1
    invite = {"invite": host["invites"][0]["invite"], "name": "Bruno"}
    path = f"/v1/tables/{host['table']}/claims"
    await rest(server.url, "POST", path, "", json=invite)
    async with events(server, host["table"], host["token"], left) as stream:
        assert (await stream.next())["type"] == "welcome"
        told = [await stream.next() for _ in range(3)]
    assert [m["event"]["kind"] for m in told][:2] == ["seat_taken", "dealt"]
    assert [m["seq"] for m in told][:2] == [2, 3]


async def test_who_streams_is_present_until_he_goes(server: Server) -> None:
    host = await open_table(server.url, **LINKS)
    invite = {"invite": host["invites"][0]["invite"], "name": "Bruno"}
    path = f"/v1/tables/{host['table']}/claims"
    guest = (await rest(server.url, "POST", path, "", json=invite)).json()
    seat = await Seat(server.url, host["table"], host["token"]).connect()
    async with events(server, host["table"], guest["token"]) as stream:
        await stream.until("snapshot")
        came = await seat.hear_until(lambda m: m["type"] == "presence")
        assert (came["seat"], came["present"]) == (1, True)
    went = await seat.hear_until(lambda m: m["type"] == "presence")
    assert (went["seat"], went["present"]) == (1, False)
    await seat.close()


async def test_a_void_token_ends_the_stream(server: Server) -> None:
    host = await open_table(server.url, **LINKS)
    async with events(server, host["table"], host["token"]) as stream:
        await stream.until("snapshot")
        path = f"/v1/tables/{host['table']}"
        await rest(server.url, "DELETE", path, host["token"])
        assert (await stream.until("table_closed"))["view"]["closed"]


async def test_a_restart_ends_the_stream_with_a_bye(own_server: Server) -> None:
    host = await open_table(own_server.url, **LINKS)
    async with events(own_server, host["table"], host["token"]) as stream:
        await stream.until("snapshot")
        assert own_server.stop() == 0
        bye = await stream.until("bye")
        assert bye["code"] == "restart"
        with pytest.raises(EOFError):
            await stream.next()
    own_server.start()


@pytest.mark.parametrize("header", ["-1", "x", "1.5"])
async def test_a_wrong_last_event_id_is_malformed(server: Server, header: str) -> None:
    host = await open_table(server.url, **LINKS)
    async with httpx.AsyncClient(base_url=server.url) as http:
        answer = await http.get(
            f"/v1/tables/{host['table']}/events",
            headers={
                "Authorization": f"Bearer {host['token']}",
                "Last-Event-ID": header,
            },
        )
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


async def test_a_text_that_is_not_utf8_is_malformed_and_the_socket_stays(
    server: Server,
) -> None:
    host = await open_table(server.url, **LINKS)
    seat = await Seat(server.url, host["table"], host["token"]).connect()
    assert seat._socket is not None
    await seat._socket.send(b"\xff\xfe", text=True)
    assert (await seat.hear())["code"] == "malformed"
    await seat.say({"type": "ping", "n": 1})
    assert (await seat.hear())["type"] == "pong"
    await seat.close()
