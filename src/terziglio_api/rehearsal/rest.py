"""REST rehearsed: every operation, with every status that it documents."""

import asyncio
from typing import Final

from terziglio.actions import Phase
from terziglio.seats import Seat
from terziglio_api.rehearsal.hindsight import rehearse_thoughts
from terziglio_api.rehearsal.stage import (
    NOBODY,
    SEED,
    FailingLog,
    Json,
    Mask,
    Stage,
    play_until,
)

__all__ = ["rehearse_rest"]

_FRIENDS: Final[Json] = {"mode": "friends", "name": "Anna"}
_STEPS: Final = 4
"""Steps of the sample hand to show: the auction and the call."""


async def rehearse_rest() -> Json:
    """Return exchanges by operation and status: about, request, response."""
    log = FailingLog()
    stage = Stage(log)
    seats = await _open_and_claim(stage)
    await _act(stage, seats)
    await _hands_and_match(stage, seats)
    await _computer_table(stage)
    await rehearse_thoughts(stage)
    await _streams(stage)
    await _meta(stage)
    await _end(stage, seats)
    await _limit(stage, Stage(log, seat_rate=1e-5, seat_burst=1), seats)
    await _limit(stage, Stage(log, address_rate=1e-5, address_burst=1), seats)
    await _shut(stage)
    await _fail(stage, Stage(log), log, seats)
    mask = Mask()
    return {op: dict(by_status) for op, by_status in mask(stage.kept).items()}


async def _open_and_claim(stage: Stage) -> list[Json]:
    """Open an open table and fill it; return the three seats."""
    ask = stage.ask
    body: Json = {
        "mode": "open",
        "name": "Anna",
        "seats": [{"kind": "link"}, {"kind": "link"}],
        "seed": SEED,
    }
    host = await ask(
        "openTable",
        201,
        "An open table with two links (the seed needs dev mode)",
        "POST /v1/tables",
        body=body,
    )
    await ask("openTable", 400, "Not JSON", "POST /v1/tables", content='{"mode": NaN}')
    wrong = {"mode": "computer", "name": "Anna", "players": 2}
    await ask("openTable", 422, "An unknown field", "POST /v1/tables", body=wrong)
    strict = Stage(FailingLog(), dev=False)
    await strict.ask("openTable", 403, "No dev mode", "POST /v1/tables", body=body)
    stage.keep(strict, "openTable", 403)
    friends: Json = {"mode": "friends", "name": "Anna", "target": 21}
    bot = {**friends, "kind": "bot"}
    await ask("openTable", 403, "A bot among friends", "POST /v1/tables", body=bot)
    about = "A friends' table"
    party = await ask("openTable", 201, about, "POST /v1/tables", body=friends)

    table = f"/v1/tables/{host['table']}"
    await ask("getTable", 200, "Waiting for guests", f"GET {table}")
    await ask("getTable", 404, "No such table", "GET /v1/tables/t_0")
    invites = [invite["invite"] for invite in host["invites"]]
    claims = f"POST {table}/claims"
    bruno = {"invite": invites[0], "name": "Bruno"}
    seats = [host, await ask("claimSeat", 201, "A guest", claims, body=bruno)]
    carla = {"invite": invites[1], "name": "carla-bot", "kind": "bot"}
    seats.append(await ask("claimSeat", 201, "A bot", claims, body=carla))
    await ask("claimSeat", 409, "The seat is taken", claims, body=bruno)
    await ask("claimSeat", 400, "Not JSON", claims, content="{")
    await ask("claimSeat", 422, "No name", claims, body={"invite": invites[0]})
    stranger = {"invite": "tzi_" + "0" * 43, "name": "Dario"}
    await ask("claimSeat", 403, "An invite nobody made", claims, body=stranger)
    among = {"invite": party["invites"][0]["invite"], "name": "x", "kind": "bot"}
    friendly = f"POST /v1/tables/{party['table']}/claims"
    await ask("claimSeat", 403, "A bot among friends", friendly, body=among)

    reissue = f"POST {table}/seats/1/invite"
    operation, token = "reissueSeat", host["token"]
    await ask(operation, 401, "A stranger", reissue)
    await ask(operation, 403, "A guest", reissue, token=seats[1]["token"])
    with stage.service.presence.attend(host["table"], Seat.S1):
        await ask(operation, 409, "The guest is here", reissue, token=token)
    no_seat = f"POST {table}/seats/5/invite"
    await ask(operation, 422, "No such seat", no_seat, token=token)
    fresh = await ask(operation, 201, "A new link", reissue, token=token)
    bruno["invite"] = fresh["invite"]
    seats[1] = await ask("claimSeat", 201, "With the new link", claims, body=bruno)
    return seats


async def _act(stage: Stage, seats: list[Json]) -> None:
    """See views and answer decisions, well and badly."""
    ask, table = stage.ask, f"/v1/tables/{seats[0]['table']}"
    view = f"GET {table}/view"
    seen = await ask("getView", 200, "The auction", view, token=seats[0]["token"])
    later = f"{view}?after={seen['seq']}"
    await ask("getView", 204, "Nothing new", later, token=seats[0]["token"])
    await ask("getView", 401, "A stranger", view)
    bad = f"{view}?after=-1"
    await ask("getView", 422, "Not a seq", bad, token=seats[0]["token"])

    actions = f"POST {table}/actions"
    turn: int = seen["turn"]["seat"]
    token: str = seats[turn]["token"]
    other: str = seats[(turn + 1) % 3]["token"]
    act: Json = {
        "id": "a1",
        "decision": seen["turn"]["decision"],
        "action": {"type": "bid", "bid": "chiamo"},
    }
    await ask("act", 401, "A stranger", actions, body=act)
    await ask("act", 409, "Not your turn", actions, token=other, body=act)
    await ask("act", 200, "A bid", actions, token=token, body=act)
    await ask("act", 200, "The same again", actions, token=token, body=act)
    low = {**act, "id": "b1", "decision": "1.2"}
    await ask("act", 422, "A bid too low", actions, token=other, body=low)
    stale = {**act, "id": "a2"}
    await ask("act", 409, "A stale decision", actions, token=other, body=stale)
    await ask("act", 400, "A key twice", actions, token=token, content='{"a":1,"a":2}')
    shapeless = {"id": "a3", "decision": "1.2", "action": {"type": "undo"}}
    await ask("act", 422, "No such action", actions, token=token, body=shapeless)


async def _hands_and_match(stage: Stage, seats: list[Json]) -> None:
    """Play hands to the end of the match, read a record, ask for more."""
    ask, service, token = stage.ask, stage.service, seats[0]["token"]
    table = f"/v1/tables/{seats[0]['table']}"
    following, hand = f"POST {table}/next-hand", f"GET {table}/hands"
    first: Json = {"deal": 1}
    await ask("askNextHand", 409, "Too early", following, token=token, body=first)
    await ask("getHand", 409, "Not counted yet", f"{hand}/1", token=token)
    await ask("askRematch", 409, "Too early", f"POST {table}/rematch", token=token)
    deal = await play_until(service, seats[0]["table"], Phase.COUNT)
    body = {"deal": deal}
    await ask("askNextHand", 401, "A stranger", following, body=body)
    await ask("askNextHand", 400, "Not JSON", following, token=token, content="no")
    await ask("askNextHand", 422, "No deal", following, token=token, body={})
    await ask("askNextHand", 200, "Asked for", following, token=token, body=body)
    wrong = {"deal": deal + 7}
    await ask("askNextHand", 409, "Another deal", following, token=token, body=wrong)
    record = f"{hand}/{deal}"
    await ask("getHand", 200, "As JSON", record, token=token)
    plain = "text/plain"
    await ask("getHand", 200, "In notation", record, token=token, accept=plain)
    await ask("getHand", 401, "A stranger", record)
    await ask("getHand", 404, "No such hand", f"{hand}/999", token=token)
    await ask("getHand", 422, "Not a deal", f"{hand}/x", token=token)
    again = f"POST {table}/hands/{deal}/again"
    await ask("playAgain", 403, "Not at this table", again, token=token)
    await ask("getTable", 200, "In mid-match", f"GET {table}")
    deal = await play_until(service, seats[0]["table"], Phase.FINISHED)
    over = {"deal": deal}
    await ask("askNextHand", 409, "After the match", following, token=token, body=over)
    rematch = f"POST {table}/rematch"
    await ask("askRematch", 401, "A stranger", rematch)
    await ask("askRematch", 200, "Asked for", rematch, token=token)


async def _computer_table(stage: Stage) -> None:
    """Open a computer table and play its deal again."""
    ask, service = stage.ask, stage.service
    body: Json = {"mode": "computer", "name": "Anna", "target": 11, "seed": SEED}
    opened = await ask(
        "openTable",
        201,
        "A computer table (the seed needs dev mode)",
        "POST /v1/tables",
        body=body,
    )
    token, table = opened["token"], opened["table"]
    again = f"POST /v1/tables/{table}/hands/1/again"
    await ask("playAgain", 409, "Not counted yet", again, token=token)
    deal = await play_until(service, table, Phase.COUNT)
    again = f"POST /v1/tables/{table}/hands/{deal}/again"
    await ask("playAgain", 201, "A new table", again, token=token)
    await ask("playAgain", 401, "A stranger", again)
    none = f"POST /v1/tables/{table}/hands/999/again"
    await ask("playAgain", 404, "No such hand", none, token=token)
    text = f"POST /v1/tables/{table}/hands/x/again"
    await ask("playAgain", 422, "Not a deal", text, token=token)


async def _meta(stage: Stage) -> None:
    ask = stage.ask
    await ask("getRules", 200, "In English", "GET /v1/meta/rules/en")
    await ask("getRules", 422, "Another language", "GET /v1/meta/rules/tlh")
    await ask("getCodes", 200, "All of them", "GET /v1/meta/codes")
    await ask("getWords", 200, "In Italian", "GET /v1/meta/words/it")
    await ask("getWords", 422, "Another language", "GET /v1/meta/words/tlh")
    sample = "GET /v1/meta/sample"
    await ask("getSampleHand", 200, "As JSON: its first steps", sample)
    (hand,) = stage.kept["getSampleHand"]["200"]
    del hand["response"]["steps"][_STEPS:]
    await ask("getSampleHand", 200, "In notation", sample, accept="text/plain")
    await ask("getSampleHand", 422, "No such seat", f"{sample}?seat=3")
    known = {"If-None-Match": "*"}
    await ask("getRules", 304, "You have it", "GET /v1/meta/rules/en", headers=known)
    await ask("getCodes", 304, "You have it", "GET /v1/meta/codes", headers=known)
    await ask("getWords", 304, "You have it", "GET /v1/meta/words/it", headers=known)
    await ask("getSampleHand", 304, "You have it", sample, headers=known)
    await ask("getHealth", 200, "It answers", "GET /healthz")
    await ask("getReadiness", 200, "New tables are welcome", "GET /readyz")
    await ask("getMetrics", 200, "Without the values", "GET /metrics")
    (page,) = stage.kept["getMetrics"]["200"]
    lines: list[str] = page["response"].splitlines()
    page["response"] = "\n".join(line for line in lines if line.startswith("#"))


async def _end(stage: Stage, seats: list[Json]) -> None:
    """End the table, and meet it ended."""
    ask, table = stage.ask, f"/v1/tables/{seats[0]['table']}"
    token = seats[0]["token"]
    await ask("endTable", 401, "A stranger", f"DELETE {table}")
    await ask("endTable", 403, "A guest", f"DELETE {table}", token=seats[1]["token"])
    await ask("endTable", 204, "The host", f"DELETE {table}", token=token)
    for operation, call, body in _changes(table):
        await ask(operation, 410, "It is ended", call, token=token, body=body)


def _changes(table: str) -> list[tuple[str, str, Json | None]]:
    """Each operation that changes a table, with a request that is well formed."""
    act = {"id": "z", "decision": "1.1", "action": {"type": "bid", "bid": "pass"}}
    claim = {"invite": NOBODY, "name": "Dario"}
    return [
        ("act", f"POST {table}/actions", act),
        ("claimSeat", f"POST {table}/claims", claim),
        ("askNextHand", f"POST {table}/next-hand", {"deal": 1}),
        ("askRematch", f"POST {table}/rematch", None),
        ("reissueSeat", f"POST {table}/seats/1/invite", None),
    ]


def _reads(table: str) -> list[tuple[str, str, Json | None]]:
    """The other operations of tables, with a request that is well formed."""
    opening = {"mode": "computer", "name": "Anna"}
    return [
        ("openTable", "POST /v1/tables", opening),
        ("getTable", f"GET {table}", None),
        ("getView", f"GET {table}/view", None),
        ("getEvents", f"GET {table}/events", None),
        ("getIce", f"GET {table}/ice", None),
        ("getHand", f"GET {table}/hands/1", None),
        ("playAgain", f"POST {table}/hands/1/again", None),
        ("getHint", f"GET {table}/hint", None),
        ("analyseHand", f"POST {table}/hands/1/analysis", None),
        ("getAnalysis", f"GET {table}/hands/1/analysis", None),
        ("endTable", f"DELETE {table}", None),
    ]


async def _limit(stage: Stage, limiting: Stage, seats: list[Json]) -> None:
    """Ask for everything too often."""
    table, token = f"/v1/tables/{seats[0]['table']}", seats[0]["token"]
    about = [
        ("getRules", "GET /v1/meta/rules/en", None),
        ("getCodes", "GET /v1/meta/codes", None),
        ("getWords", "GET /v1/meta/words/en", None),
        ("getSampleHand", "GET /v1/meta/sample", None),
    ]
    by_seat = limiting.app.state.hall.settings.seat_rate > 0
    strangers = {"openTable", "getTable", "claimSeat", *(name for name, *_ in about)}
    await limiting.use_up(table, token if by_seat else "")
    for operation, call, body in [*about, *_reads(table), *_changes(table)]:
        if (operation in strangers) is not by_seat:
            why = "Too many requests"
            await limiting.ask(operation, 429, why, call, token=token, body=body)
            stage.keep(limiting, operation, 429)


async def _shut(stage: Stage) -> None:
    """Ask for a new table while the service stops, and while it is full."""
    body: Json = {"mode": "computer", "name": "Anna"}
    stopping, full = Stage(FailingLog()), Stage(FailingLog(), most_sockets=1)
    stopping.app.state.hall.gate.draining = True
    full.app.state.hall.roster.size = 1
    for shut, about in ((stopping, "The service stops"), (full, "The service is full")):
        await shut.ask("getReadiness", 503, about, "GET /readyz")
        await shut.ask("openTable", 503, about, "POST /v1/tables", body=body)
        for operation in ("getReadiness", "openTable"):
            stage.keep(shut, operation, 503)


async def _streams(stage: Stage) -> None:
    """Follow a table as events, and set up voice."""
    ask = stage.ask
    body: Json = {
        "mode": "friends",
        "name": "Anna",
        "voice": True,
        "clock": {"decision_s": 60},
        "seed": SEED,
    }
    about = "With voice and a clock"
    opened = await ask("openTable", 201, about, "POST /v1/tables", body=body)
    table, token = f"/v1/tables/{opened['table']}", opened["token"]
    await ask("getIce", 200, "STUN only", f"GET {table}/ice", token=token)
    await ask("getIce", 401, "A stranger", f"GET {table}/ice")
    silent = await stage.ask("openTable", 201, "", "POST /v1/tables", body=_FRIENDS)
    stage.kept["openTable"]["201"].pop()
    off = f"GET /v1/tables/{silent['table']}/ice"
    await ask("getIce", 403, "Voice is off", off, token=silent["token"])

    events = f"GET {table}/events"
    await ask("getEvents", 401, "A stranger", events)
    wrong = {"Last-Event-ID": "x"}
    await ask("getEvents", 422, "Not a seq", events, token=token, headers=wrong)
    seen = asyncio.create_task(
        ask("getEvents", 200, "A restart ends it", events, token=token)
    )
    here = asyncio.Event()
    with stage.service.presence.watch(
        opened["table"], lambda _seat, _present: here.set()
    ):
        await asyncio.wait(
            {seen, asyncio.create_task(here.wait())},
            return_when=asyncio.FIRST_COMPLETED,
        )
    stage.app.state.hall.roster.end_all("restart")
    await seen


async def _fail(
    stage: Stage, failing: Stage, log: FailingLog, seats: list[Json]
) -> None:
    """Ask for everything while the storage fails."""
    table, token = f"/v1/tables/{seats[0]['table']}", seats[0]["token"]
    log.failing = True
    health = [
        ("getHealth", "GET /healthz", None),
        ("getReadiness", "GET /readyz", None),
    ]
    for operation, call, body in [*health, *_reads(table), *_changes(table)]:
        about = "The storage is out of reach"
        await failing.ask(operation, 503, about, call, token=token, body=body)
        stage.keep(failing, operation, 503)
