"""The sample hand: true to the engine step by step, and silent on what is hidden."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from functools import partial
from importlib.resources import files
from typing import Any, Literal

import httpx
import pytest

from support import golden, golden_text, played
from terziglio import Match, Seat, new_match
from terziglio.cards import cards_in
from terziglio.hand import history
from terziglio.notation import write
from terziglio.phases import Counted, Playing
from terziglio.view import seat_view
from terziglio_api.app import create_app
from terziglio_api.settings import Settings
from terziglio_api.wire.game import game_of
from terziglio_api.wire.view import View

Json = dict[str, Any]
NAME = "chiamo_won_last_trick"
PATH = "/v1/meta/sample"
CARD = re.compile(r'"([32AKQJ7654][SCHD])"')


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(Settings(database=None))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
        yield client


async def sample(http: httpx.AsyncClient, seat: int | None = None) -> Json:
    answer = await http.get(PATH, params={} if seat is None else {"seat": seat})
    assert answer.status_code == 200
    record: Json = answer.json()
    return record


def matches() -> Iterator[Match]:
    """The match after each action of the golden hand."""
    hand = played(NAME)
    match = new_match(7, hand.dealt.dealer).deal(hand.dealt.deck)
    for seat, action in history(hand):
        match = match.apply(seat, action)
        yield match


async def test_it_is_a_golden_hand_of_every_kind_of_step(
    http: httpx.AsyncClient,
) -> None:
    kept = files("terziglio").joinpath("data", "sample.hand").read_text("utf-8")
    assert kept == golden_text(NAME)
    record = await sample(http)
    assert (record["table"], record["deal"]) == ("sample", 1)
    assert len(record["steps"]) == len(record["actions"]) == 3 + 1 + 1 + 36
    kinds = {step["event"]["kind"] for step in record["steps"]}
    assert kinds == {"bid", "called", "discarded", "card_played"}
    given = record["steps"][-1]["view"]["contract"]
    assert given["called"]
    assert given["given_back"]
    count = record["count"]
    assert count["won"]
    assert count["bonus"] is None
    # The last trick decides, and the sides are never far from each other.
    before = record["steps"][-4]["view"]["thirds"]
    assert before["soloist"] < count["need"] <= count["soloist"]
    assert min(before.values()) > 9
    assert all(step["rules"] for step in record["steps"])


async def test_it_comes_in_notation_too(http: httpx.AsyncClient) -> None:
    answer = await http.get(PATH, headers={"Accept": "text/plain"})
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert answer.text == write(golden(NAME))


async def test_it_is_the_same_each_time(http: httpx.AsyncClient) -> None:
    first, again = await http.get(PATH), await http.get(PATH)
    assert first.content == again.content
    assert (await http.get(PATH, params={"seat": 3})).status_code == 422
    assert (await http.get(PATH, params={"lang": "tlh"})).status_code == 422


@pytest.mark.parametrize(("lang", "name"), [("en", "Seat 1"), ("it", "Posto 1")])
async def test_seats_are_named_in_words(
    http: httpx.AsyncClient, lang: Literal["en", "it"], name: str
) -> None:
    asked = {"seat": 0, "lang": lang}
    record = (await http.get(PATH, params=asked)).json()
    for step in record["steps"]:
        assert step["view"]["seats"][1]["name"] == name


@pytest.mark.parametrize("seat", Seat)
async def test_a_seats_view_of_each_step_is_the_engines(
    http: httpx.AsyncClient, seat: Seat
) -> None:
    steps = (await sample(http, seat))["steps"]
    for step, match in zip(steps, matches(), strict=True):
        assert game_of(View.model_validate(step["view"])) == seat_view(match, seat)
        assert step["view"]["seats"][0]["kind"] == "person"


async def test_the_open_view_of_each_step_is_the_engines(
    http: httpx.AsyncClient,
) -> None:
    steps = (await sample(http))["steps"]
    for step, match in zip(steps, matches(), strict=True):
        view, hand = step["view"], match.hand
        seen = [seat_view(match, seat) for seat in Seat]
        assert view["hands"] == [[c.code for c in s.hand] for s in seen]
        assert view["phase"] == seen[0].phase.value
        assert [t["winner"] for t in view["tricks"]] == [
            t.winner for t in seen[0].tricks
        ]
        if isinstance(hand, Playing | Counted):
            assert set(view["monte"]["cards"]) == {c.code for c in cards_in(hand.monte)}


@pytest.mark.parametrize("seat", Seat)
async def test_a_seats_steps_tell_only_what_it_may_know_then(
    http: httpx.AsyncClient, seat: Seat
) -> None:
    """By the record alone: the cards a seat was dealt, got, and saw so far."""
    record = await sample(http)
    steps = (await sample(http, seat))["steps"]
    known, soloist = set(record["hands"][seat]), False
    codes = partial(json.dumps, ensure_ascii=False)
    for number, (made, step) in enumerate(zip(record["actions"], steps, strict=True)):
        action = made["action"]
        soloist |= action["type"] == "bid" and made["seat"] == seat and number == 0
        match action["type"]:
            case "play":
                known.add(action["card"])
            case "call":
                known |= {action["card"], *record["monte"]}
            case "discard":
                known.add(action["give_back"])
            case _:
                pass
        if number == len(steps) - 1:
            break  # the count: every card is open
        view = step["view"]
        options = view["options"]
        if options is not None and options["type"] == "call":
            assert len(options["cards"]) == 28
            options = None
        told = {**view, "options": options}
        assert set(CARD.findall(codes([step["event"], told]))) <= known
        laid = None if view["monte"] is None else view["monte"]["cards"]
        assert (laid is not None) == (soloist and number >= 4)
        assert (view["options"] is not None) == (view["turn"]["seat"] == seat)
