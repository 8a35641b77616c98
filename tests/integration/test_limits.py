"""Too many requests, too many tables, a service that stops: refused, with a time."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import Request

from terziglio_api.app import create_app
from terziglio_api.commands import Refusal
from terziglio_api.limits import Limiter, Rate
from terziglio_api.routes.access import address_of
from terziglio_api.settings import Settings

TABLE = {"mode": "computer", "name": "Anna", "pace_ms": 0}
LINKS = {
    "mode": "open",
    "name": "Anna",
    "seats": [{"kind": "link"}, {"kind": "computer", "player": "house"}],
}


class Api:
    """An application without drivers, and a client to it."""

    def __init__(self, **changed: Any) -> None:
        self.app = create_app(Settings(database=None, **changed))
        transport = httpx.ASGITransport(self.app)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://example")

    async def call(self, call: str, token: str = "", **sent: Any) -> httpx.Response:
        method, path = call.split(" ")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= sent.pop("headers", {})
        return await self.http.request(method, path, headers=headers, **sent)


@pytest.fixture
async def made() -> AsyncIterator[list[Api]]:
    apis: list[Api] = []
    yield apis
    for api in apis:
        await api.http.aclose()


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_its_burst_then_its_rate() -> None:
    clock = Clock()
    limiter = Limiter(Rate(10, 40), clock)
    assert [limiter.take("a") for _ in range(40)] == [0] * 40
    assert limiter.take("a") == pytest.approx(0.1)
    assert limiter.take("b") == 0
    clock.now += 0.1
    assert limiter.take("a") == 0
    assert limiter.take("a") > 0
    clock.now += 4
    assert [limiter.take("a") for _ in range(40)] == [0] * 40
    assert limiter.take("a") > 0


def test_a_refused_try_takes_nothing() -> None:
    clock = Clock()
    limiter = Limiter(Rate(1, 1), clock)
    assert limiter.take("a") == 0
    for _ in range(100):
        assert limiter.take("a") > 0
    clock.now += 1
    assert limiter.take("a") == 0


def test_no_rate_is_no_limit() -> None:
    limiter = Limiter(Rate(0, 1))
    assert all(limiter.take("a") == 0 for _ in range(1000))


def test_full_buckets_are_forgotten() -> None:
    clock = Clock()
    limiter = Limiter(Rate(1, 10), clock)
    for key in range(10_000):
        clock.now += 0.01
        limiter.take(key)
    assert len(limiter._full_at) < 2000


def test_the_time_to_wait_is_whole_seconds_and_not_none() -> None:
    limiter = Limiter(Rate(100, 1), Clock())
    limiter.demand("a")
    with pytest.raises(Refusal) as refused:
        limiter.demand("a")
    assert refused.value.params == {"retry_s": 1}


def limited(answer: httpx.Response) -> bool:
    if answer.status_code != 429:
        return False
    problem = answer.json()
    assert problem["code"] == "rate_limited"
    assert answer.headers["retry-after"] == str(problem["params"]["retry_s"])
    assert answer.headers["content-type"] == "application/problem+json"
    return True


async def test_a_seat_may_ask_so_often(made: list[Api]) -> None:
    api = Api(seat_rate=0.001, seat_burst=3)
    made.append(api)
    opened = (await api.call("POST /v1/tables", json=LINKS)).json()
    view = f"GET /v1/tables/{opened['table']}/view"
    answers = [await api.call(view, opened["token"]) for _ in range(5)]
    assert [limited(a) for a in answers] == [False] * 3 + [True] * 2
    other = (await api.call("POST /v1/tables", json=LINKS)).json()
    path = f"GET /v1/tables/{other['table']}/view"
    assert not limited(await api.call(path, other["token"]))


async def test_the_answer_to_ones_turn_is_never_too_much(made: list[Api]) -> None:
    api = Api(seat_rate=0.001, seat_burst=1, dev=True)
    made.append(api)
    opened = (await api.call("POST /v1/tables", json={**TABLE, "seed": "mine"})).json()
    table, token = opened["table"], opened["token"]
    service = api.app.state.hall.service
    (view,) = [(await api.call(f"GET /v1/tables/{table}/view", token)).json()]
    assert limited(await api.call(f"GET /v1/tables/{table}/view", token))
    assert view["turn"]["seat"] == 0, "the seed gives the host the first bid"
    actions = f"POST /v1/tables/{table}/actions"
    body = {"id": "x", "decision": "7.7", "action": {"type": "bid", "bid": "pass"}}
    assert limited(await api.call(actions, token, json=body))
    body["decision"] = view["turn"]["decision"]
    answer = await api.call(actions, token, json=body)
    assert answer.status_code == 200, answer.text
    assert (await service.summary(table)).seq == answer.json()["seq"]


async def test_wrong_answers_run_out(made: list[Api]) -> None:
    api = Api(seat_rate=0.001, seat_burst=1, dev=True)
    made.append(api)
    opened = (await api.call("POST /v1/tables", json={**TABLE, "seed": "mine"})).json()
    table, token = opened["table"], opened["token"]
    decision = (await api.call(f"GET /v1/tables/{table}/view", token)).json()["turn"]
    body = {
        "id": "x",
        "decision": decision["decision"],
        "action": {"type": "play", "card": "3S"},
    }
    actions = f"POST /v1/tables/{table}/actions"
    answers = [await api.call(actions, token, json=body) for _ in range(22)]
    assert [limited(a) for a in answers] == [False] * 20 + [True] * 2


async def test_strangers_may_ask_so_often(made: list[Api]) -> None:
    api = Api(address_rate=0.001, address_burst=4)
    made.append(api)
    opened = (await api.call("POST /v1/tables", json=LINKS)).json()
    table, token = opened["table"], opened["token"]
    assert (await api.call(f"GET /v1/tables/{table}/view", "x")).status_code == 401
    assert (await api.call("GET /v1/tables/t_0/view", "x")).status_code == 401
    assert (await api.call(f"GET /v1/tables/{table}")).status_code == 200
    for call in (
        f"GET /v1/tables/{table}",
        f"GET /v1/tables/{table}/view",
        "GET /v1/tables/t_0/view",
        "GET /v1/meta/codes",
        "GET /v1/meta/sample",
    ):
        answer = await api.call(call)
        assert limited(answer), call
        assert "seq" not in answer.json(), "tables that are there look like others"
    assert limited(await api.call("POST /v1/tables", json=TABLE))
    # Whoever has a seat, and whoever watches the service, is not a stranger.
    assert (await api.call(f"GET /v1/tables/{table}/view", token)).status_code == 200
    for call in ("GET /healthz", "GET /readyz", "GET /metrics"):
        assert (await api.call(call)).status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.7", "203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:203.0.113.7", "203.0.113.7", True),
        ("::ffff:203.0.113.7", "::ffff:203.0.113.8", False),
        ("fe80::1%eth0", "fe80::1%eth0", True),
        ("a pipe", "a pipe", True),
    ],
)
def test_an_address_is_a_customer(one: str, other: str, *, same: bool) -> None:
    def came(host: str) -> str:
        return address_of(Request({"type": "http", "client": (host, 1)}))

    assert (came(one) == came(other)) is same


@pytest.mark.parametrize(("dev", "most"), [(False, 3), (True, 8)])
async def test_so_many_new_tables_an_hour(
    made: list[Api], *, dev: bool, most: int
) -> None:
    api = Api(tables_rate=3, dev=dev)
    made.append(api)
    answers = [await api.call("POST /v1/tables", json=TABLE) for _ in range(8)]
    assert [limited(a) for a in answers] == [False] * most + [True] * (8 - most)
    if not dev:
        assert int(answers[-1].headers["retry-after"]) > 1000


async def test_a_repeated_request_is_no_new_table(made: list[Api]) -> None:
    api = Api(tables_rate=1, address_rate=0.001, address_burst=4)
    made.append(api)
    named: dict[str, Any] = {"json": LINKS, "headers": {"Idempotency-Key": "lost"}}
    first = await api.call("POST /v1/tables", **named)
    assert limited(await api.call("POST /v1/tables", json=LINKS))
    again = [await api.call("POST /v1/tables", **named) for _ in range(3)]
    assert [limited(a) for a in again] == [False, False, True]
    assert again[0].json()["table"] == first.json()["table"]


@pytest.mark.parametrize("code", ["draining", "overloaded"])
async def test_new_tables_are_refused_and_old_ones_go_on(
    made: list[Api], code: str
) -> None:
    api = Api(most_sockets=1)
    made.append(api)
    opened = (await api.call("POST /v1/tables", json=LINKS)).json()
    table, token = opened["table"], opened["token"]
    hall = api.app.state.hall
    if code == "draining":
        hall.gate.draining = True
    else:
        hall.roster.size = 1
    for call, body in (("POST /v1/tables", TABLE), ("GET /readyz", None)):
        answer = await api.call(call, json=body)
        assert (answer.status_code, answer.json()["code"]) == (503, code)
        assert answer.headers["retry-after"] == "5"
    assert (await api.call("GET /healthz")).status_code == 200
    claim = {"invite": opened["invites"][0]["invite"], "name": "Bruno"}
    claims = f"POST /v1/tables/{table}/claims"
    assert (await api.call(claims, json=claim)).status_code == 201
    assert (await api.call(f"GET /v1/tables/{table}/view", token)).status_code == 200


@pytest.mark.parametrize(("late", "full"), [(9, False), (11, True)])
async def test_an_event_loop_that_stays_late_is_an_overload(
    made: list[Api], monkeypatch: pytest.MonkeyPatch, *, late: int, full: bool
) -> None:
    api = Api(most_lag_ms=100)
    made.append(api)
    gate = api.app.state.hall.gate
    # Each look is half a second after the last, a quarter more than was asked for.
    times = iter(0.5 * n for n in range(2 * late))

    class Loop:
        def time(self) -> float:
            return next(times)

    async def sleep(_: float) -> None:
        return None

    monkeypatch.setattr("terziglio_api.gate.asyncio.get_running_loop", Loop)
    monkeypatch.setattr("terziglio_api.gate.asyncio.sleep", sleep)
    with pytest.raises(RuntimeError):  # the clock has no more to tell
        await gate.watch()
    answer = await api.call("POST /v1/tables", json=TABLE)
    assert (answer.status_code == 503) is full
    if full:
        assert answer.json()["code"] == "overloaded"
    told = f"event_loop_lag_seconds_count {late}.0"
    assert told in api.app.state.hall.metrics.page().decode()


async def test_metrics_count_what_happens(made: list[Api]) -> None:
    api = Api()
    made.append(api)
    opened = (await api.call("POST /v1/tables", json=LINKS)).json()
    path = f"GET /v1/tables/{opened['table']}/view"
    await api.call(path, "nobody")
    hall = api.app.state.hall
    invite = opened["invites"][0]["invite"]
    claims = f"POST /v1/tables/{opened['table']}/claims"
    await api.call(claims, json={"invite": invite, "name": "Bruno"})
    page = (await api.call("GET /metrics")).text
    for line in (
        'terziglio_tables{phase="auction"} 1.0',
        'terziglio_refusals_total{code="bad_token"} 1.0',
        'terziglio_acks_total{duplicate="false"} 1.0',
        "terziglio_action_seconds_count 1.0",
        "terziglio_log_commit_seconds_count 2.0",
        "terziglio_sockets 0.0",
    ):
        assert line in page.splitlines(), line
    assert hall.metrics.page().decode() == page
