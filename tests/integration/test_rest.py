"""REST through the application: who may what, and how it is refused."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from terziglio.notation import parse
from terziglio.phases import Counted
from terziglio.players import house
from terziglio.seats import Seat
from terziglio_api.app import create_app
from terziglio_api.commands import Act, Code, Refusal
from terziglio_api.ports import StorageUnavailable
from terziglio_api.presence import Presence
from terziglio_api.settings import Settings

Json = dict[str, Any]
COMPUTER = {"mode": "computer", "name": "Anna", "pace_ms": 0}
LINKS = {"mode": "open", "name": "Anna", "seats": [{"kind": "link"}] * 2}
DEAL = """\
rules: terziglio/1
dealer: 0
hand 0: QS 4S JC JH 7H 6H 4H 3D 2D QD JD 4D
hand 1: 3S 2S 7S 6S 5S 2C QC 6C AH QH 5H KD
hand 2: AS 3C AC KC 7C 5C 4C 3H 2H AD 7D 6D
monte: KS JS KH 5D
"""


class Rest:
    """An application without drivers, and a client to it."""

    def __init__(self, **changed: Any) -> None:
        settings = Settings(database=None, **{"dev": True, **changed})
        self.app: FastAPI = create_app(settings)
        transport = httpx.ASGITransport(self.app)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://example")

    async def call(self, call: str, token: str = "", **sent: Any) -> httpx.Response:
        method, path = call.split(" ")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= sent.pop("headers", {})
        return await self.http.request(method, path, headers=headers, **sent)

    async def open(self, body: Json = LINKS) -> Json:
        answer = await self.call("POST /v1/tables", json=body)
        assert answer.status_code == 201, answer.text
        opened: Json = answer.json()
        return opened

    async def play(self, table: str, answers: int) -> None:
        service = self.app.state.hall.service
        for _ in range(answers):
            game = (await service.view(table, Seat.S0)).game
            seen = (await service.view(table, game.turn)).game
            decision = f"{game.match.deal}.{game.decision}"
            await service.do(table, Act(game.turn, house(seen), decision))


@pytest.fixture
async def api() -> AsyncIterator[Rest]:
    made = Rest()
    yield made
    await made.http.aclose()


def code(answer: httpx.Response) -> tuple[int, str]:
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["status"] == answer.status_code
    assert problem["title"]
    assert problem["detail"]
    assert problem["type"].endswith(f"#{problem['code']}")
    return answer.status_code, problem["code"]


async def test_opening_tells_where_the_table_is(api: Rest) -> None:
    answer = await api.call("POST /v1/tables", json=LINKS)
    opened = answer.json()
    assert answer.headers["location"] == f"/v1/tables/{opened['table']}"
    assert opened["token"].startswith("tzs_")
    for invite in opened["invites"]:
        secret = invite["invite"]
        assert secret.startswith("tzi_")
        assert invite["link"].endswith(f"/#/join/{opened['table']}/{secret}")


async def test_links_lead_to_the_address_that_was_asked() -> None:
    api = Rest(host="0.0.0.0", port=0)  # noqa: S104 - the setting of who has guests
    for headers, expected in (
        ({}, "http://example/#/join/"),
        ({"Host": "192.168.1.7:8000"}, "http://192.168.1.7:8000/#/join/"),
        ({"Host": "[fd00::7]:8000"}, "http://[fd00::7]:8000/#/join/"),
    ):
        answer = await api.call("POST /v1/tables", json=LINKS, headers=headers)
        opened = answer.json()
        assert [i["link"].startswith(expected) for i in opened["invites"]] == [True] * 2
        reissue = f"POST /v1/tables/{opened['table']}/seats/1/invite"
        answer = await api.call(reissue, opened["token"], headers=headers)
        assert answer.json()["link"].startswith(expected)
    # What is no host is not repeated; and there is one that the settings name.
    for wrong in ('x"><script>', "[::1", "a b", "x:99999", "x@y/#/"):
        answer = await api.call("POST /v1/tables", json=LINKS, headers={"Host": wrong})
        assert wrong not in answer.json()["invites"][0]["link"]
    named = Rest(web_origin="https://play.example/cards/")
    link = (await named.open())["invites"][0]["link"]
    assert link.startswith("https://play.example/cards/#/join/")


async def test_the_page_that_links_point_to_may_read_answers() -> None:
    api = Rest(dev=False, web_origin="https://page.example/cards/")
    for origin, allowed in (("https://page.example", True), ("https://x.y", False)):
        answer = await api.call("GET /healthz", headers={"Origin": origin})
        assert ("access-control-allow-origin" in answer.headers) is allowed


@pytest.mark.parametrize(
    "body",
    [
        {"mode": "computer"},
        {"mode": "closed", "name": "A"},
        {**COMPUTER, "target": 8},
        {**COMPUTER, "target": "7"},
        {**COMPUTER, "target": 7.0},
        {**COMPUTER, "pace_ms": -1},
        {**COMPUTER, "pace_ms": 1.5},
        {**COMPUTER, "name": ""},
        {**COMPUTER, "name": "   "},
        {**COMPUTER, "name": "x" * 33},
        {**COMPUTER, "name": "A\u202eB"},
        {**COMPUTER, "name": "A\nB"},
        {**COMPUTER, "name": "A\u200bB"},
        {**COMPUTER, "surplus": 1},
        {**COMPUTER, "voice": True},
        {**COMPUTER, "clock": {"decision_s": 0}},
        {**COMPUTER, "clock": {"decision_s": True}},
        {**COMPUTER, "clock": {}},
        {**COMPUTER, "seats": [{"kind": "computer"}]},
        {**COMPUTER, "seats": [{"kind": "link"}, {"kind": "link"}]},
        {**COMPUTER, "seats": [{"kind": "computer", "player": "cheat"}] * 2},
        {**COMPUTER, "deal": "nonsense"},
        {**COMPUTER, "deal": DEAL + "bids: 1 pass\n"},
        {**COMPUTER, "deal": DEAL.replace("QS", "3S", 1)},
    ],
)
async def test_openings_that_do_not_fit(api: Rest, body: Json) -> None:
    answer = await api.call("POST /v1/tables", json=body)
    assert code(answer) == (422, "malformed")
    assert answer.json()["errors"]


async def test_clock_and_voice_are_told_in_every_view(api: Rest) -> None:
    body = {**LINKS, "voice": True, "clock": {"decision_s": 30}}
    for asked in (body, {**COMPUTER, "voice": False, "clock": None}):
        opened = await api.open(asked)
        view = await api.call(f"GET /v1/tables/{opened['table']}/view", opened["token"])
        assert view.json()["voice"] is asked["voice"]
        assert view.json()["clock"] == asked["clock"]


async def test_a_friends_table_is_for_three_people(api: Rest) -> None:
    friends = {"mode": "friends", "name": "Anna", "target": 21}
    bot = await api.call("POST /v1/tables", json={**friends, "kind": "bot"})
    assert code(bot) == (403, "no_bots")
    computers = {**friends, "seats": [{"kind": "computer"}] * 2}
    answer = await api.call("POST /v1/tables", json=computers)
    assert code(answer) == (422, "malformed")

    opened = await api.open(friends)
    assert [invite["seat"] for invite in opened["invites"]] == [1, 2]
    claims = f"POST /v1/tables/{opened['table']}/claims"
    first, second = ({"invite": i["invite"], "name": "B"} for i in opened["invites"])
    answer = await api.call(claims, json={**first, "kind": "bot"})
    assert code(answer) == (403, "no_bots")
    for claim in (first, second):
        assert (await api.call(claims, json=claim)).status_code == 201
    path = f"GET /v1/tables/{opened['table']}/view"
    view = (await api.call(path, opened["token"])).json()
    assert (view["mode"], view["phase"]) == ("friends", "auction")
    assert view["match"]["target"] == 21
    assert [seat["kind"] for seat in view["seats"]] == ["person"] * 3


async def test_names_are_trimmed_and_composed(api: Rest) -> None:
    opened = await api.open({**LINKS, "name": "  Zoe\u0301 <svg/onload=alert(1)> "})
    summary = (await api.call(f"GET /v1/tables/{opened['table']}")).json()
    assert summary["seats"][0]["name"] == "Zoé <svg/onload=alert(1)>"


async def test_a_forced_deal_is_dealt(api: Rest) -> None:
    opened = await api.open({**COMPUTER, "deal": DEAL})
    path = f"GET /v1/tables/{opened['table']}/view"
    view = (await api.call(path, opened["token"])).json()
    assert view["match"]["dealer"] == 0
    held = {card["card"] for card in view["hand"]}
    assert held == set(DEAL.splitlines()[2].split(": ")[1].split())


@pytest.mark.parametrize("extra", [{"deal": DEAL}, {"seed": "x"}])
async def test_deals_and_seeds_need_dev_mode(extra: Json) -> None:
    api = Rest(dev=False)
    answer = await api.call("POST /v1/tables", json={**COMPUTER, **extra})
    assert code(answer) == (403, "dev_only")


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[1,2]", b"null", b"5", b"\xff\xfe", b'{"a":NaN}',
        b'{"a":1,"a":1}', b"[" * 2000, b'"\\ud800"', b'{"n":' + b"1" * 5000 + b"}",
    ],
)  # fmt: skip
async def test_bodies_that_are_not_json_as_we_read_it(
    api: Rest, content: bytes
) -> None:
    opened = await api.open()
    headers = {"Content-Type": "application/json"}
    for path in ("", f"/{opened['table']}/claims"):
        answer = await api.call(
            f"POST /v1/tables{path}", content=content, headers=headers
        )
        assert code(answer)[1] == "malformed"
        assert answer.status_code in {400, 422}


async def test_unknown_addresses_and_methods(api: Rest) -> None:
    assert code(await api.call("GET /v2/tables")) == (404, "not_found")
    answer = await api.call("PATCH /v1/tables")
    assert code(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"
    answer = await api.call("PATCH /v1/tables/t_0")
    assert answer.headers["allow"] == "GET, DELETE"


async def test_a_stranger_learns_nothing_from_any_operation_of_a_seat(
    api: Rest,
) -> None:
    opened = await api.open()
    real, absent = opened["table"], "t_" + "0" * 36
    calls = [
        ("GET", "/view", None),
        ("GET", "/view?after=0&wait=0", None),
        ("POST", "/actions", {"id": "a", "decision": "1.1",
                              "action": {"type": "bid", "bid": "pass"}}),
        ("POST", "/next-hand", {"deal": 1}),
        ("POST", "/rematch", None),
        ("DELETE", "", None),
        ("GET", "/hands/1", None),
        ("POST", "/hands/1/again", None),
        ("POST", "/seats/1/invite", None),
    ]  # fmt: skip
    for method, path, body in calls:
        told = set()
        for table in (real, absent):
            for token in ("", "tzs_wrong", opened["invites"][0]["invite"]):
                call = f"{method} /v1/tables/{table}{path}"
                answer = await api.call(call, token, json=body)
                assert code(answer) == (401, "bad_token")
                assert answer.headers["www-authenticate"] == "Bearer"
                told.add(answer.text.replace(table, "TABLE"))
        assert len(told) == 1, (method, path)


async def test_the_summary_has_no_secret_and_no_card(api: Rest) -> None:
    opened = await api.open({**COMPUTER, "deal": DEAL})
    text = (await api.call(f"GET /v1/tables/{opened['table']}")).text
    assert "tzs_" not in text
    assert '"hand' not in text
    assert not any(f'"{card}"' in text for card in ("3S", "AH", "KS"))


async def test_a_guest_sees_no_invite(api: Rest) -> None:
    opened = await api.open()
    claim = {"invite": opened["invites"][0]["invite"], "name": "B"}
    path = f"POST /v1/tables/{opened['table']}/claims"
    guest = (await api.call(path, json=claim)).json()
    view = await api.call(f"GET /v1/tables/{opened['table']}/view", guest["token"])
    assert "tzi_" not in view.text
    assert [seat["kind"] for seat in view.json()["seats"]] == [
        "person", "person", "link",
    ]  # fmt: skip
    assert view.json()["phase"] == "waiting"


async def test_an_idempotency_key_gives_the_same_table(api: Rest) -> None:
    headers = {"Idempotency-Key": "key"}
    first = (await api.call("POST /v1/tables", json=LINKS, headers=headers)).json()
    again = (await api.call("POST /v1/tables", json=LINKS, headers=headers)).json()
    other = {**LINKS, "name": "Berta"}
    third = (await api.call("POST /v1/tables", json=other, headers=headers)).json()
    assert first["table"] == again["table"] != third["table"]
    assert first["token"] != again["token"]
    path = f"GET /v1/tables/{first['table']}/view"
    assert (await api.call(path, first["token"])).status_code == 401
    assert (await api.call(path, again["token"])).status_code == 200


async def test_a_long_poll_answers_when_something_changes(api: Rest) -> None:
    opened = await api.open({**COMPUTER, "deal": DEAL})
    table, token = opened["table"], opened["token"]
    path = f"GET /v1/tables/{table}/view"
    view = (await api.call(path, token)).json()
    waiting = asyncio.create_task(
        api.call(f"{path}?after={view['seq']}&wait=30", token)
    )
    nothing = await api.call(f"{path}?after={view['seq']}", token)
    assert nothing.status_code == 204
    assert nothing.content == b""
    await api.play(table, 1)
    answer = await waiting
    assert answer.status_code == 200
    assert answer.json()["seq"] == view["seq"] + 1


async def test_records_open_up_at_the_count(api: Rest) -> None:
    opened = await api.open({**COMPUTER, "deal": DEAL})
    table, token = opened["table"], opened["token"]
    path = f"GET /v1/tables/{table}/hands/1"
    answer = await api.call(path, token)
    assert code(answer) == (409, "hand_in_progress")
    assert answer.json()["view"]["phase"] == "auction"
    while (await api.call(f"GET /v1/tables/{table}")).json()["phase"] != "count":
        await api.play(table, 1)
    record = (await api.call(path, token)).json()
    assert record["monte"] == ["JS", "KS", "KH", "5D"]
    text = (await api.call(path, token, headers={"Accept": "text/plain"})).text
    hand = parse(text)
    assert isinstance(hand, Counted)
    assert hand.result.soloist_thirds == record["count"]["soloist"]
    assert code(await api.call(f"GET /v1/tables/{table}/hands/2", token)) == (
        404, "no_such_hand",
    )  # fmt: skip

    steps = (await api.call(f"{path}?steps=true", token)).json()["steps"]
    assert len(steps) == len(record["actions"])
    for made, step in zip(record["actions"], steps, strict=True):
        assert step["event"]["seat"] == made["seat"]
        assert step["rules"]
        held = [card for hand in step["view"]["hands"] for card in hand]
        on_table = step["view"]["trick"]
        plays = [p["card"] for t in step["view"]["tricks"] for p in t["plays"]]
        if on_table is not None and len(on_table["plays"]) < 3:
            plays += [play["card"] for play in on_table["plays"]]
        everywhere = held + plays + step["view"]["monte"]["cards"]
        assert len(everywhere) == len(set(everywhere)) == 40
    assert steps[-1]["view"]["count"] == record["count"]

    own = (await api.call(f"{path}?steps=true&seat=0", token)).json()["steps"]
    soloist = record["count"]["delta"].index(max(record["count"]["delta"], key=abs))
    live = (await api.call(f"GET /v1/tables/{table}/view", token)).json()
    assert own[-1]["view"] == live
    for step, open_step in zip(own, steps, strict=True):
        view = step["view"]
        assert step["event"]["by"] == open_step["event"]["by"]
        assert {card["card"] for card in view["hand"]} == set(
            open_step["view"]["hands"][0]
        )
        if soloist != 0 and view["phase"] == "play":
            assert view["monte"]["cards"] is None


async def test_the_host_alone_ends_a_table(api: Rest) -> None:
    opened = await api.open()
    table = opened["table"]
    claim = {"invite": opened["invites"][0]["invite"], "name": "B"}
    guest = (await api.call(f"POST /v1/tables/{table}/claims", json=claim)).json()
    answer = await api.call(f"DELETE /v1/tables/{table}", guest["token"])
    assert code(answer) == (403, "host_only")
    answer = await api.call(f"DELETE /v1/tables/{table}", opened["token"])
    assert answer.status_code == 204
    view = (await api.call(f"GET /v1/tables/{table}/view", guest["token"])).json()
    assert (view["phase"], view["closed"]) == ("finished", True)
    assert view["match"]["winner"] is None
    claim["invite"] = opened["invites"][1]["invite"]
    answer = await api.call(f"POST /v1/tables/{table}/claims", json=claim)
    assert code(answer) == (410, "table_closed")


async def test_pages_of_allowed_origins_may_read_answers() -> None:
    api = Rest(dev=False, origins=("https://page.example",))
    for origin, allowed in (("https://page.example", True), ("https://x.y", False)):
        answer = await api.call("GET /healthz", headers={"Origin": origin})
        assert ("access-control-allow-origin" in answer.headers) is allowed
    assert (
        "access-control-allow-origin"
        not in (
            await Rest(dev=False).call(
                "GET /healthz", headers={"Origin": "https://x.y"}
            )
        ).headers
    )


async def test_a_long_poll_ends_with_the_token(api: Rest) -> None:
    opened = await api.open()
    table = opened["table"]
    claims = f"POST /v1/tables/{table}/claims"
    claim = {"invite": opened["invites"][0]["invite"], "name": "B"}
    named: Json = {"json": claim, "headers": {"Idempotency-Key": "once"}}
    guest = (await api.call(claims, **named)).json()
    path = f"GET /v1/tables/{table}/view?after=2&wait=20"
    waiting = asyncio.create_task(api.call(path, guest["token"]))
    await asyncio.sleep(0)
    # The same claim again has a fresh token, and the former one is void.
    assert (await api.call(claims, **named)).status_code == 201
    assert code(await waiting) == (401, "bad_token")


async def test_problems_tell_where_the_table_stands(api: Rest) -> None:
    opened = await api.open()
    table, token = f"/v1/tables/{opened['table']}", opened["token"]
    claim = {"invite": opened["invites"][0]["invite"], "name": "B"}
    guest = (await api.call(f"POST {table}/claims", json=claim)).json()
    for call, who, body in (
        (f"DELETE {table}", guest["token"], None),
        (f"POST {table}/claims", "", claim),
        (f"GET {table}/hands/7", token, None),
        (f"POST {table}/next-hand", token, {}),
        (f"POST {table}/rematch", token, None),
    ):
        answer = await api.call(call, who, json=body)
        assert answer.json()["seq"] == 2, answer.text


async def test_a_refusal_is_told_though_its_view_cannot_be_had(
    api: Rest, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await api.open({**COMPUTER, "deal": DEAL})
    path = f"POST /v1/tables/{opened['table']}/rematch"

    async def fails(*_: object) -> None:
        raise StorageUnavailable("just now")

    async def void(*_: object) -> None:
        raise Refusal(Code.BAD_TOKEN)

    for trouble in (fails, void):
        monkeypatch.setattr(api.app.state.hall.service, "view", trouble)
        monkeypatch.setattr(api.app.state.hall.service, "summary", trouble)
        answer = await api.call(path, opened["token"])
        assert code(answer) == (409, "match_not_over")
        assert "view" not in answer.json()


@pytest.mark.parametrize(
    ("action", "pointer"),
    [
        ({"type": "bid", "bid": "double"}, "/body/action/bid"),
        ({"type": "play", "card": "1X"}, "/body/action/card"),
        ({"type": "bid", "bid": "pass", "x": 1}, "/body/action/x"),
        ({"type": "discard", "cards": ["4S", "5"]}, "/body/action/cards/1"),
    ],
)
async def test_a_pointer_leads_into_what_was_sent(
    api: Rest, action: Json, pointer: str
) -> None:
    opened = await api.open()
    path = f"POST /v1/tables/{opened['table']}/actions"
    body = {"id": "a", "decision": "1.1", "action": action}
    answer = await api.call(path, opened["token"], json=body)
    assert pointer in [error["pointer"] for error in answer.json()["errors"]]


async def test_a_pointer_leads_to_a_seat_that_was_asked_for(api: Rest) -> None:
    seats = [{"kind": "link"}, {"kind": "computer", "player": "x"}]
    body = {"mode": "open", "name": "A", "seats": seats}
    (error,) = (await api.call("POST /v1/tables", json=body)).json()["errors"]
    assert error["pointer"] == "/body/seats/1/player"


async def test_a_body_of_no_type_is_told_which_one_to_have(api: Rest) -> None:
    answer = await api.call("POST /v1/tables", content='{"mode": "computer"}')
    assert code(answer) == (422, "malformed")
    assert "Content-Type: application/json" in answer.json()["detail"]


async def test_who_polls_is_present_and_keeps_his_seat(api: Rest) -> None:
    opened = await api.open()
    table = opened["table"]
    claim = {"invite": opened["invites"][0]["invite"], "name": "Bruno"}
    path = f"POST /v1/tables/{table}/claims"
    guest = (await api.call(path, json=claim)).json()
    presence = api.app.state.hall.service.presence
    assert presence.seats(table) == frozenset()
    view = f"GET /v1/tables/{table}/view?after=1&wait=1"
    assert (await api.call(view, guest["token"])).status_code == 200
    assert presence.seats(table) == {Seat.S1}
    reissue = f"POST /v1/tables/{table}/seats/1/invite"
    assert code(await api.call(reissue, opened["token"])) == (409, "seat_present")


async def test_who_polled_is_gone_soon_after_the_answer(api: Rest) -> None:
    """However long he had been ready to wait."""
    presence = Presence()
    gone = asyncio.Event()
    with presence.watch("t", lambda _, present: None if present else gone.set()):
        with presence.poll("t", Seat.S1, 0.01):
            assert presence.seats("t") == {Seat.S1}
        assert presence.seats("t") == {Seat.S1}
        async with asyncio.timeout(10):
            await gone.wait()
    with pytest.raises(ValueError, match="void"), presence.poll("t", Seat.S1, 60):
        raise ValueError("void")
    assert presence.seats("t") == frozenset()
    stays: list[float] = []
    opened = await api.open()
    service = api.app.state.hall.service
    service.presence.visit = lambda *told: stays.append(told[-1])
    view = f"GET /v1/tables/{opened['table']}/view?wait=30"
    assert (await api.call(view, opened["token"])).status_code == 200
    assert stays == [api.app.state.hall.settings.poll_s]


async def test_an_empty_key_names_no_request(api: Rest) -> None:
    headers = {"Idempotency-Key": ""}
    opened = await api.open()
    claim = {"invite": opened["invites"][0]["invite"], "name": "B"}
    path = f"POST /v1/tables/{opened['table']}/claims"
    assert (await api.call(path, json=claim, headers=headers)).status_code == 201
    again = await api.call(path, json=claim, headers=headers)
    assert code(again) == (409, "seat_taken")
    tables = [
        (await api.call("POST /v1/tables", json=LINKS, headers=headers)).json()["table"]
        for _ in range(2)
    ]
    assert len(set(tables)) == 2


def test_since_when_is_known_of_the_latest_tables_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("terziglio_api.presence._LEFT", 2)
    presence = Presence(lambda: 7)
    for table in ("a", "b", "a", "c"):
        with presence.attend(table, Seat.S1):
            assert presence.left(table) == {}
        assert presence.left(table) == {Seat.S1: 7}
    known = {table: presence.left(table) for table in "abc"}
    assert known == {"a": {Seat.S1: 7}, "b": {}, "c": {Seat.S1: 7}}


async def test_a_visit_ends_by_itself_and_a_second_one_prolongs_it() -> None:
    presence = Presence()
    told: list[bool] = []
    gone = asyncio.Event()

    def note(_seat: Seat, present: bool) -> None:
        told.append(present)
        if not present:
            gone.set()

    with presence.watch("t", note):
        presence.visit("t", Seat.S1, 60)
        presence.visit("t", Seat.S1, 0.01)
        async with asyncio.timeout(10):
            await gone.wait()
    assert told == [True, False]
    assert presence.seats("t") == frozenset()
