"""What takes thought, rehearsed: hints, analyses, and a service without a solver."""

import asyncio

from terziglio.actions import Phase
from terziglio.seats import Seat
from terziglio_api.commands import Close
from terziglio_api.rehearsal.stage import SEED, FailingLog, Json, Stage, play_until

__all__ = ["rehearse_thoughts"]


async def rehearse_thoughts(stage: Stage) -> None:
    """Ask for hints at a computer table, and for an analysis of its hand."""
    ask, service = stage.ask, stage.service
    seats = [{"kind": "computer", "player": "expert"}] * 2
    body: Json = {"mode": "computer", "name": "Anna", "seats": seats, "seed": SEED}
    about = "Against two experts (the seed needs dev mode)"
    opened = await ask("openTable", 201, about, "POST /v1/tables", body=body)
    token, table = opened["token"], f"/v1/tables/{opened['table']}"
    hint, analysis = f"GET {table}/hint", f"{table}/hands/1/analysis"
    await _hints(stage, opened)
    wanted, read = f"POST {analysis}", f"GET {analysis}"
    for operation, call in (("analyseHand", wanted), ("getAnalysis", read)):
        await ask(operation, 401, "A stranger", call)
        await ask(operation, 409, "Not counted yet", call, token=token)
        none, text = (call.replace("/1/", f"/{what}/") for what in ("999", "x"))
        await ask(operation, 404, "No such hand", none, token=token)
        await ask(operation, 422, "Not a deal", text, token=token)
    deal = await play_until(service, opened["table"], Phase.COUNT)
    wanted, read = (call.replace("/1/", f"/{deal}/") for call in (wanted, read))
    await ask("getHint", 409, "The hand is over", hint, token=token)
    stage.thinkers.free.clear()
    await ask("analyseHand", 202, "It waits for its turn", wanted, token=token)
    await ask("getAnalysis", 202, "Not done yet", read, token=token)
    stage.thinkers.free.set()
    await asyncio.sleep(0)  # who waited has their turn
    await ask("analyseHand", 202, "It is done already", wanted, token=token)
    await ask("getAnalysis", 200, "In hindsight", read, token=token)
    await service.do(opened["table"], Close())
    await ask("getHint", 410, "It is ended", hint, token=token)
    simple = Stage(FailingLog(), workers=0)
    about = "A service without a solver"
    await simple.ask("openTable", 503, about, "POST /v1/tables", body=body)
    stage.keep(simple, "openTable", 503)


async def _hints(stage: Stage, opened: Json) -> None:
    """Ask for hints on turn and off turn."""
    ask, service, token = stage.ask, stage.service, opened["token"]
    hint = f"GET /v1/tables/{opened['table']}/hint"
    await play_until(service, opened["table"], Phase.AUCTION, Seat.S0)
    await ask("getHint", 200, "For a bid", hint, token=token)
    await ask("getHint", 401, "A stranger", hint)
    await ask("getHint", 422, "Another language", f"{hint}?lang=tlh", token=token)
    await play_until(service, opened["table"], Phase.PLAY, Seat.S0)
    about = "For a card, with its sentence"
    await ask("getHint", 200, about, f"{hint}?lang=it", token=token)
    friends: Json = {"mode": "friends", "name": "Anna"}
    other = await ask("openTable", 201, "", "POST /v1/tables", body=friends)
    stage.kept["openTable"]["201"].pop()
    elsewhere = f"GET /v1/tables/{other['table']}/hint"
    about = "Not at a friends' table"
    await ask("getHint", 403, about, elsewhere, token=other["token"])
