"""Play a match over a websocket and tell in words what happens.

It opens a computer table, connects to its seat, and answers with the first option of
each view. Any program in any language can do the same; nothing of this package is
needed.

    python examples/seat_socket.py [http://127.0.0.1:8000]
"""

import asyncio
import json
import sys
from typing import Any

import httpx
import websockets

Message = dict[str, Any]


def choose(view: Message) -> Message:
    """Return the simplest action that the view's options allow."""
    options = view["options"]
    match options["type"]:
        case "bid":
            return {"type": "bid", "bid": options["bids"][0]}
        case "call":
            return {"type": "call", "card": options["cards"][-1]}
        case "discard":
            count, cards = options["count"], options["from"]
            back = cards[count] if options["give_back"] else None
            return {"type": "discard", "cards": cards[:count], "give_back": back}
        case _:
            return {"type": "play", "card": options["cards"][0]}


def tell(event: Message, view: Message) -> None:
    """Print what happened."""
    names = [seat["name"] for seat in view["seats"]]
    names = [f"{name} ({n})" for n, name in enumerate(names)]
    who = names[event["seat"]] if "seat" in event else ""
    match event["kind"]:
        case "dealt":
            print(f"-- deal {event['deal']}, {names[event['dealer']]} deals")
        case "bid":
            print(f"{who} bids {event['bid']}")
        case "called":
            print(f"{who} calls the {event['card']}, held by {event['passed_by']}")
        case "discarded":
            print(f"{who} lays {event['count']} cards face down")
        case "card_played":
            print(f"{who} plays {event['card']}")
            if count := event.get("count"):
                thirds = f"{count['soloist']} to {count['defenders']} thirds"
                print(f"   the soloist {'won' if count['won'] else 'lost'}, {thirds}")
        case _:
            pass


async def main(base: str) -> None:
    """Open a table, play until the match has a winner, print the scores."""
    async with httpx.AsyncClient(base_url=base) as http:
        answer = await http.post(
            "/v1/tables", json={"mode": "computer", "name": "Example", "pace_ms": 0}
        )
        answer.raise_for_status()
        seat = answer.json()

    url = base.replace("http", "ws", 1) + f"/v1/tables/{seat['table']}/ws"
    async with websockets.connect(url, subprotocols=["terziglio.v1"]) as socket:  # type: ignore[list-item]
        await socket.send(json.dumps({"type": "hello", "token": seat["token"]}))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "error" and message["code"] != "stale_decision":
                raise SystemExit(message["detail"])
            if message["type"] != "event":
                continue
            view = message["view"]
            tell(message["event"], view)
            if view["phase"] == "finished":
                match = view["match"]
                name = view["seats"][match["winner"]]["name"]
                told = f"{name} at seat {match['winner']}"
                print(f"winner: {told}, scores {match['scores']}")
                return
            you = view["seats"][view["you"]["seat"]]
            if view["phase"] == "count" and not you["wants_next"]:
                deal = view["match"]["deal"]
                await socket.send(json.dumps({"type": "next_hand", "deal": deal}))
            elif view["options"]:
                action = {
                    "type": "action",
                    "id": view["turn"]["decision"],
                    "decision": view["turn"]["decision"],
                    "action": choose(view),
                }
                await socket.send(json.dumps(action))


if __name__ == "__main__":
    server = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
    try:
        asyncio.run(main(server))
    except (httpx.ConnectError, httpx.UnsupportedProtocol):
        raise SystemExit(f"no server at {server}: start one with `make run`") from None
