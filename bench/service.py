"""One whole action through a real server: command in, the third seat's frame out.

A server process, an open table, three sockets; the seat on turn answers with the
first of its options. Time runs from the send of an action to the arrival of its event
at each seat; the last arrival counts. Each action is on disk before it is told.

    python bench/service.py
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

Json = dict[str, Any]


def answer(view: Json) -> Json:
    """Return the first thing a view allows."""
    options = view["options"]
    match options["type"]:
        case "bid":
            return {"type": "bid", "bid": options["bids"][-1]}
        case "call":
            return {"type": "call", "card": options["cards"][0]}
        case "discard":
            count, cards = options["count"], options["from"]
            back = cards[count] if options["give_back"] else None
            return {"type": "discard", "cards": cards[:count], "give_back": back}
        case _:
            return {"type": "play", "card": options["cards"][0]}


async def event(socket: ClientConnection) -> Json:
    """Return the next event."""
    while True:
        message: Json = json.loads(await socket.recv())
        if message["type"] == "event":
            return message


async def seats(url: str) -> list[ClientConnection]:
    """Open a table for three and return their sockets."""
    links = [{"kind": "link"}, {"kind": "link"}]
    async with httpx.AsyncClient(base_url=url) as http:
        body = {"mode": "open", "name": "A", "seats": links, "target": 21}
        opened = (await http.post("/v1/tables", json=body)).json()
        tokens = [opened["token"]]
        for invite in opened["invites"]:
            claim = {"invite": invite["invite"], "name": "B", "kind": "bot"}
            path = f"/v1/tables/{opened['table']}/claims"
            tokens.append((await http.post(path, json=claim)).json()["token"])
    where = url.replace("http", "ws", 1) + f"/v1/tables/{opened['table']}/ws"
    sockets = [await websockets.connect(where) for _ in tokens]
    for socket, token in zip(sockets, tokens, strict=True):
        await socket.send(json.dumps({"type": "hello", "token": token}))
    return sockets


async def measure(url: str, actions: int) -> list[float]:
    """Return the milliseconds of so many actions."""
    sockets = await seats(url)
    views = [(await event(socket))["view"] for socket in sockets]
    times: list[float] = []
    while len(times) < actions:
        if views[0]["phase"] in {"count", "finished"}:
            over = views[0]["phase"] == "finished"
            deal = views[0]["match"]["deal"]
            ask = {"type": "rematch"} if over else {"type": "next_hand", "deal": deal}
            for socket in sockets:
                await socket.send(json.dumps(ask))
            for _ in range(4):  # three askings and a deal
                views = [(await event(socket))["view"] for socket in sockets]
            continue
        turn = views[0]["turn"]["seat"]
        action = {
            "type": "action",
            "id": f"{len(times)}",
            "decision": views[0]["turn"]["decision"],
            "action": answer(views[turn]),
        }
        start = perf_counter()
        await sockets[turn].send(json.dumps(action))
        told = await asyncio.gather(*(event(socket) for socket in sockets))
        times.append((perf_counter() - start) * 1000)
        views = [message["view"] for message in told]
    for socket in sockets:
        await socket.close()
    return times


def main() -> None:
    """Start a server, measure, print, stop it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--actions", type=int, default=2000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "tables.sqlite3")
        command = [sys.executable, "-m", "terziglio_api.cli", "serve", "--port", "0"]
        server = subprocess.Popen(  # noqa: S603 - our own command
            [*command, "--database", database], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        try:
            times = asyncio.run(measure(url, args.actions))
        finally:
            server.terminate()
            server.wait()
    p99 = quantiles(times, n=100)[98]
    print(f"one action       {median(times):8.2f} ms median, {p99:.2f} ms p99")


if __name__ == "__main__":
    main()
