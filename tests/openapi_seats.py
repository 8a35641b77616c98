"""Hooks that Schemathesis loads: seats for what it sends, so that some of it is let in.

The command line starts a process of its own, to which a test tells the server's address
in ``TERZIGLIO_URL``.
"""

import os
from itertools import count
from typing import Any

import httpx
import schemathesis

URL = os.environ["TERZIGLIO_URL"]
LONGEST = 200
"""The longest invite that fits the schema."""
Json = dict[str, Any]
_http = httpx.Client(base_url=URL)
_number = count()


def _opened(**body: Any) -> Json:
    answer = _http.post("/v1/tables", json={"name": "A", "pace_ms": 0, **body})
    opened: Json = answer.raise_for_status().json()
    return opened


def _played() -> Json:
    """A computer table on which a deal is counted, and never a next one dealt."""
    opened = _opened(mode="computer", seed="played")
    path, own = f"/v1/tables/{opened['table']}", f"Bearer {opened['token']}"
    _http.headers["Authorization"] = own
    seq = 0
    while True:
        answer = _http.get(f"{path}/view", params={"after": seq, "wait": 5})
        view = answer.raise_for_status().json()
        seq, options = view["seq"], view["options"]
        if view["phase"] == "count":
            del _http.headers["Authorization"]
            return {**opened, "deal": view["match"]["deal"]}
        if options is not None:
            card = options.get("cards", [None])[0]
            actions: Json = {
                "bid": {"type": "bid", "bid": "pass"},
                "play": {"type": "play", "card": card},
            }
            body = {
                "id": str(seq),
                "decision": view["turn"]["decision"],
                "action": actions[options["type"]],
            }
            _http.post(f"{path}/actions", json=body).raise_for_status()


COUNTED = _played()


@schemathesis.auth(refresh_interval=None)
class Seat:
    """A host's token for two of three cases: strangers' cases are a third."""

    def get(self, case: Any, _context: Any) -> Json | None:
        """Return a table that nothing has been done at, or for hands a counted one."""
        turn = next(_number) % 3
        if turn == 0:
            return None
        if "/hands/" in case.operation.path and turn == 1:
            return COUNTED
        if turn == 1:
            return _opened(mode="computer", seed="fresh")
        links = [{"kind": "link"}, {"kind": "link"}]
        return _opened(mode="open", seats=links, voice=True)

    def set(self, case: Any, data: Json | None, _context: Any) -> None:
        """Sit down at the table."""
        path = case.path_parameters or {}
        if data is None or "table" not in path:
            return
        case.headers["Authorization"] = f"Bearer {data['token']}"
        path["table"] = data["table"]
        if "deal" in data:
            path["deal"] = data["deal"]
        invites = data.get("invites")
        body = case.body if case.operation.path.endswith("/claims") else None
        invite = body.get("invite") if isinstance(body, dict) else None
        # One that does not fit the schema stays: it is there to be refused.
        if invites and isinstance(invite, str) and len(invite) <= LONGEST:
            case.body["invite"] = invites[0]["invite"]


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
    """Ask for long polls that are short: nothing happens at these tables."""
    wait = case.query.get("wait") if isinstance(case.query, dict) else None
    if isinstance(wait, int | float) and 0.05 < wait <= 30:
        case.query["wait"] = 0.05
