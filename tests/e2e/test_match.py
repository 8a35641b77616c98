"""Whole matches over real sockets, and over REST alone."""

import asyncio

import httpx
import pytest

from client import Seat, Server, finished, open_table, rest


async def test_a_computer_match_to_its_end(server: Server) -> None:
    host = await open_table(server.url)
    seat = await Seat(server.url, host["table"], host["token"]).connect()
    await seat.play(finished)
    await seat.close()
    scores = seat.view["match"]["scores"]
    winner = seat.view["match"]["winner"]
    assert scores[winner] == max(scores) >= 7
    assert sum(scores) == 0
    assert seat.errors == []
    first = min(seat.events)
    assert sorted(seat.events) == list(range(first, first + len(seat.events)))


async def test_three_seats_play_a_match_and_agree(server: Server) -> None:
    links = [{"kind": "link"}, {"kind": "link"}]
    host = await open_table(server.url, mode="open", seats=links)
    table = host["table"]
    tokens = [host["token"]]
    for number, invite in enumerate(host["invites"]):
        claim = {"invite": invite["invite"], "name": f"guest {number}", "kind": "bot"}
        answer = await rest(
            server.url, "POST", f"/v1/tables/{table}/claims", "", json=claim
        )
        assert answer.status_code == 201
        tokens.append(answer.json()["token"])
    seats = [Seat(server.url, table, token) for token in tokens]
    await asyncio.gather(*(seat.connect() for seat in seats))
    await asyncio.gather(*(seat.play(finished) for seat in seats))
    for seat in seats:
        await seat.close()
    assert len({tuple(seat.view["match"]["scores"]) for seat in seats}) == 1
    heads = {seat.view["seq"] for seat in seats}
    assert len(heads) == 1
    # Every seat has an event for each seq that came after its hello.
    for seat in seats:
        assert sorted(seat.events) == list(range(min(seat.events), heads.pop() + 1))
        heads.add(seat.view["seq"])


async def test_a_match_over_rest_alone(server: Server) -> None:
    host = await open_table(server.url, target=11, seed="rest")
    table, headers = host["table"], {"Authorization": f"Bearer {host['token']}"}
    seat = Seat(server.url, table, host["token"])
    async with httpx.AsyncClient(
        base_url=f"{server.url}/v1/tables/{table}", headers=headers
    ) as http:
        seat.view = (await http.get("/view")).json()
        while not finished(seat.view):
            said = seat.answer()
            if said is None:
                after = seat.view["seq"]
                answer = await http.get("/view", params={"after": after, "wait": 20})
                assert answer.status_code == 200
                seat.view = answer.json()
            else:
                kind = said.pop("type")
                path = "/actions" if kind == "action" else "/next-hand"
                answer = await http.post(path, json=said)
                assert answer.status_code == 200, answer.text
                seat.view = answer.json()["view"]
        # The records of all counted hands lead from nothing to the final scores.
        scores = [0, 0, 0]
        for deal in range(1, seat.view["match"]["deal"] + 1):
            answer = await http.get(f"/hands/{deal}")
            if answer.status_code == 404:
                continue
            record = answer.json()
            assert record["scores_before"] == scores
            scores = record["scores_after"]
        assert scores == seat.view["match"]["scores"]


@pytest.mark.parametrize("lang", ["en", "it"])
async def test_meta_is_served(server: Server, lang: str) -> None:
    async with httpx.AsyncClient(base_url=server.url) as http:
        rules = (await http.get(f"/v1/meta/rules/{lang}")).json()
        words = (await http.get(f"/v1/meta/words/{lang}")).json()
    numbers = [rule["id"] for part in rules["sections"] for rule in part["rules"]]
    assert numbers == [f"R{number}" for number in range(1, 76)]
    assert [c["id"] for c in rules["choices"]] == [f"O{n}" for n in range(1, 33)]
    assert set(words["suits"]) == {"S", "C", "H", "D"}
