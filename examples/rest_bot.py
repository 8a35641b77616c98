"""Play a match over REST alone, with long polls: a bot in about forty lines.

python examples/rest_bot.py [http://127.0.0.1:8000]
"""

import random
import sys
import time
from typing import Any

import httpx

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"


def choose(options: dict[str, Any]) -> dict[str, Any]:
    """Return some action that the options allow."""
    if options["type"] == "bid":
        return {"type": "bid", "bid": random.choice(options["bids"][:2])}
    if options["type"] in ("call", "play"):
        return {"type": options["type"], "card": random.choice(options["cards"])}
    cards = random.sample(options["from"], options["count"] + 1)
    back = cards.pop()
    return {
        "type": "discard",
        "cards": cards,
        "give_back": back if options["give_back"] else None,
    }


def ask(http: httpx.Client, method: str, path: str, **sent: Any) -> httpx.Response:
    """Make a request; if the service asks to wait, wait and make it again."""
    while True:
        answer = http.request(method, path, **sent)
        if answer.status_code not in (429, 503):
            return answer.raise_for_status()
        time.sleep(float(answer.headers["Retry-After"]))


with httpx.Client(base_url=BASE, timeout=40) as http:
    table = {"mode": "computer", "name": "rest bot", "kind": "bot", "pace_ms": 0}
    try:
        seat = ask(http, "POST", "/v1/tables", json=table).json()
    except (httpx.ConnectError, httpx.UnsupportedProtocol):
        raise SystemExit(f"no server at {BASE}: start one with `make run`") from None
    http.base_url = f"{BASE}/v1/tables/{seat['table']}"
    http.headers["Authorization"] = f"Bearer {seat['token']}"
    view = ask(http, "GET", "/view").json()
    while view["phase"] != "finished":
        if view["options"]:
            decision = view["turn"]["decision"]
            action = choose(view["options"])
            act = {"id": decision, "decision": decision, "action": action}
            view = ask(http, "POST", "/actions", json=act).json()["view"]
        elif view["phase"] == "count":
            following = {"deal": view["match"]["deal"]}
            view = ask(http, "POST", "/next-hand", json=following).json()["view"]
        else:
            since = {"after": view["seq"], "wait": 30}
            poll = ask(http, "GET", "/view", params=since)
            view = poll.json() if poll.status_code == 200 else view
    seat = view["match"]["winner"]
    name = view["seats"][seat]["name"]
    print(f"winner: {name} at seat {seat}, scores {view['match']['scores']}")
