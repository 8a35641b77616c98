"""Ten thousand bad messages: each gets a coded error, and none changes anything."""

import json
from random import Random
from typing import Any

import httpx
import pytest
import websockets

from bad_input import broken_json, illegal_actions, misshapen
from client import Json, Seat, Server, rest
from terziglio.errors import Illegal
from terziglio_api.commands import Code

CODES = {*Code, *Illegal}
SOCKET, REST = 1500, 1000
PHASES = ["auction", "call", "exchange", "play"]


async def _table_in(server: Server, phase: str) -> Seat:
    """Return the seat that is to act, at a table that stands in a phase."""
    links = [{"kind": "link"}, {"kind": "link"}]
    body = {"mode": "open", "name": "Anna", "seats": links, "seed": "bad input"}
    opened = (await rest(server.url, "POST", "/v1/tables", "", json=body)).json()
    table, tokens = opened["table"], [opened["token"]]
    for invite in opened["invites"]:
        claim = {"invite": invite["invite"], "name": "Guest"}
        path = f"/v1/tables/{table}/claims"
        answer = await rest(server.url, "POST", path, "", json=claim)
        tokens.append(answer.json()["token"])
    seats = [Seat(server.url, table, token) for token in tokens]
    while True:
        path = f"/v1/tables/{table}/view"
        for seat in seats:
            seat.view = (await rest(server.url, "GET", path, seat.token)).json()
        view = seats[0].view
        turn: int = view["turn"]["seat"]
        if view["phase"] == phase and (phase != "play" or _must_follow(seats[turn])):
            await seats[turn].connect()
            return seats[turn]
        said = seats[turn].answer()
        assert said is not None
        if view["phase"] == "auction":
            bid = "chiamo" if len(view["auction"]) == 0 else "pass"
            said["action"] = {"type": "bid", "bid": bid}
        del said["type"]
        path = f"/v1/tables/{table}/actions"
        answer = await rest(server.url, "POST", path, seats[turn].token, json=said)
        assert answer.status_code == 200, answer.text


def _must_follow(seat: Seat) -> bool:
    return any(card["why"] is not None for card in seat.view["hand"])


@pytest.mark.parametrize("phase", PHASES)
async def test_bad_messages_on_the_socket(server: Server, phase: str) -> None:
    seat = await _table_in(server, phase)
    rng = Random(f"socket {phase}")
    before = seat.view
    valid: list[Json] = [
        {"type": "action", "id": "a", "decision": "1.1", "action": {"type": "play"}},
        {"type": "next_hand", "deal": 1},
        {"type": "ping", "n": 1},
    ]
    sent = 0
    while sent < SOCKET:
        batch: list[str | bytes] = [json.dumps(m) for m in illegal_actions(rng, before)]
        batch += [broken_json(rng) for _ in range(6)]
        batch += [json.dumps(misshapen(rng, rng.choice(valid))) for _ in range(12)]
        batch += [json.dumps({"type": "next_hand", "deal": rng.randrange(9)})]
        batch += [json.dumps({"type": "rematch"}), rng.randbytes(rng.randrange(40))]
        rng.shuffle(batch)
        for message in batch:
            await seat.say(message)
            answer = await seat.hear()
            assert answer["type"] == "error", (message, answer)
            assert answer["code"] in CODES, (message, answer)
            assert answer["detail"], message
        sent += len(batch)
    await seat.say({"type": "resync"})
    await seat.hear()
    assert seat.view == before
    await seat.close()


@pytest.mark.parametrize("phase", PHASES)
async def test_bad_requests_over_rest(server: Server, phase: str) -> None:
    seat = await _table_in(server, phase)
    rng, before = Random(f"rest {phase}"), seat.view
    base = f"{server.url}/v1/tables/{before['table']}"
    headers = {
        "Authorization": f"Bearer {seat.token}",
        "Content-Type": "application/json",
    }
    sent = 0
    async with httpx.AsyncClient(headers=headers) as http:
        while sent < REST:
            requests: list[tuple[str, Any]] = []
            for message in illegal_actions(rng, before):
                message.pop("type")
                requests.append((f"{base}/actions", json.dumps(message)))
            valid = {"id": "a", "decision": "1.1", "action": {"type": "play"}}
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
        after = (await http.get(f"{base}/view")).json()
    assert _unseen(after) == _unseen(before)
    await seat.close()


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _unseen(view: Json) -> Json:
    """A view without who is online."""
    seats = [{**seat, "present": None} for seat in view["seats"]]
    return {**view, "seats": seats}


async def test_a_frame_that_is_too_large_ends_the_socket(server: Server) -> None:
    seat = await _table_in(server, "auction")
    await seat.say("x" * 30_000)
    with pytest.raises(websockets.ConnectionClosed) as closed:
        await seat.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


async def test_a_body_that_is_too_large_is_malformed(server: Server) -> None:
    async with httpx.AsyncClient(base_url=server.url) as http:
        answer = await http.post(
            "/v1/tables",
            content='{"mode":"computer","name":"' + "x" * 100_000 + '"}',
            headers={"Content-Type": "application/json"},
        )
    assert answer.status_code == 400
    assert answer.json()["code"] == "malformed"
