"""Three friends play a match to 7; one program is killed on the way and comes back.

It starts a server of its own and opens a friends' table. Host and guests are programs
apart that share nothing but the join link; each writes down what it is told, one line
an event. One is killed without warning, and a new program with the same notes goes on:
the seat's token and the last ``seq`` are all that it needs. In the end the three
transcripts must agree.

    python examples/three_friends.py
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
import websockets
from websockets.typing import Subprotocol

Json = dict[str, Any]
HERE = Path(__file__).resolve()


class Notes:
    """What a seat must not forget, one JSON line each: its seat, then its events."""

    def __init__(self, path: Path) -> None:
        kept = path.read_text().split("\n")[:-1] if path.exists() else []
        lines = [json.loads(line) for line in kept]
        self.seat: Json = lines[0] if lines else {}
        self.events: list[Json] = lines[1:]
        # A line that a crash cut short is dropped: the server tells it again.
        path.write_text("".join(line + "\n" for line in kept))
        self._file = path.open("a", buffering=1)

    @property
    def after(self) -> int:
        """The last ``seq`` that is written down."""
        return self.events[-1]["seq"] if self.events else 0

    def write(self, line: Json) -> None:
        """Add a line; the first is the seat."""
        if not self.seat:
            self.seat = line
        else:
            self.events.append(line)
        self._file.write(json.dumps(line) + "\n")


def choose(options: Json) -> Json:
    """Return some action that the options allow."""
    match options["type"]:
        case "bid":
            return {"type": "bid", "bid": random.choice(options["bids"][:2])}
        case "discard":
            *laid, back = random.sample(options["from"], options["count"] + 1)
            back = back if options["give_back"] else None
            return {"type": "discard", "cards": laid, "give_back": back}
        case kind:
            return {"type": kind, "card": random.choice(options["cards"])}


def answer(view: Json) -> Json | None:
    """Return what this seat has to say to a view, if anything."""
    if view["options"]:
        # The id makes it safe to send again: the same id counts once.
        due = view["turn"]["decision"]
        act = {"id": due, "decision": due, "action": choose(view["options"])}
        return {"type": "action", **act}
    asked = view["seats"][view["you"]["seat"]]["wants_next"]
    if view["phase"] == "count" and not asked:
        return {"type": "next_hand", "deal": view["match"]["deal"]}
    return None


async def play(server: str, notes: Notes) -> None:
    """Hear what was missed, write down each event, answer until a match is won."""
    url = server.replace("http", "ws", 1) + f"/v1/tables/{notes.seat['table']}/ws"
    hello = {"type": "hello", "token": notes.seat["token"], "after": notes.after}
    protocol = Subprotocol("terziglio.v1")
    missing, answered = True, None
    async with websockets.connect(url, subprotocols=[protocol]) as socket:
        await socket.send(json.dumps(hello))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "error":
                raise SystemExit(message["detail"])
            if message["type"] != "event":
                continue
            view, event = message["view"], message["event"]
            if event["kind"] == "snapshot":
                missing = False  # all that was missed has been told: this is now
            else:
                notes.write({"seq": message["seq"], "event": event, "view": view})
            if view["phase"] == "finished":
                return
            said = None if missing else answer(view)
            if said is not None and said != answered:
                await socket.send(json.dumps(said))
            answered = said
    raise SystemExit("the server closed the socket")


async def guest(server: str, link: str, name: str, path: Path) -> None:
    """Join by the link, or go on where the notes end."""
    notes = Notes(path)
    if not notes.seat:
        *_, table, invite = link.split("/")
        async with httpx.AsyncClient(base_url=server) as http:
            claim = {"invite": invite, "name": name}
            claimed = await http.post(f"/v1/tables/{table}/claims", json=claim)
            notes.write(claimed.raise_for_status().json())
    await play(server, notes)


def told_to_all(line: Json) -> Json:
    """Return of a noted event and its view what every seat may know."""
    event = {key: value for key, value in line["event"].items() if key != "cards"}
    shown = ("phase", "match", "auction", "contract", "trick", "tricks", "count")
    return {"event": event, **{key: line["view"][key] for key in shown}}


def compare(transcripts: dict[str, list[Json]]) -> list[str]:
    """Return what is wrong between the transcripts; nothing if they agree."""
    wrong = []
    for name, lines in transcripts.items():
        if [line["seq"] for line in lines] != list(range(1, len(lines) + 1)):
            wrong.append(f"{name} has gaps or doubles")
    first, *others = ([told_to_all(line) for line in t] for t in transcripts.values())
    if any(other != first for other in others):
        wrong.append("they were not told the same")
    return wrong


async def meet(server: str, folder: Path) -> None:
    """Open the table, let the three play, kill one on the way, compare."""
    paths = {name: folder / f"{name}.notes" for name in ("Anna", "Bruno", "Carla")}

    def start(name: str) -> subprocess.Popen[bytes]:
        told = (server, links[name], name, paths[name])
        return subprocess.Popen([sys.executable, HERE, *told])  # noqa: S603 - ourselves

    async with httpx.AsyncClient(base_url=server) as http:
        wanted = {"mode": "friends", "name": "Anna", "target": 7, "pace_ms": 0}
        opened = (await http.post("/v1/tables", json=wanted)).raise_for_status().json()
    bruno, carla = (invite["link"] for invite in opened.pop("invites"))
    links, host = {"Bruno": bruno, "Carla": carla}, Notes(paths["Anna"])
    host.write(opened)
    print("Anna opens a friends' table, a match to 7, and sends two links")

    guests = [start("Bruno"), start("Carla")]
    hosting = asyncio.create_task(play(server, host))
    while host.after < 30:  # noqa: ASYNC110 - a look now and then is simplest
        await asyncio.sleep(0.01)
    print("Bruno and Carla sit down, each in a program of their own, and they play")
    guests[1].kill()
    guests[1].wait()
    print(
        f"Carla's program is killed; its notes end with {Notes(paths['Carla']).after}"
    )
    guests[1] = start("Carla")
    print("a new program reads the notes and goes on with the same token")
    await hosting
    wrong = [f"a guest ended with {g.returncode}" for g in guests if g.wait(20)]

    last = host.events[-1]["view"]
    winner = last["seats"][last["match"]["winner"]]["name"]
    print(
        f"{winner} wins after deal {last['match']['deal']}: {last['match']['scores']}"
    )
    wrong += compare({name: Notes(path).events for name, path in paths.items()})
    if wrong:
        raise SystemExit("; ".join(wrong))
    print(f"three transcripts of {host.after} changes: no gaps, and they agree")


def main() -> None:
    """Run a server on a free port, with a database of its own, and meet there."""
    with tempfile.TemporaryDirectory() as made:
        database = Path(made) / "tables.sqlite3"
        serve = [sys.executable, "-m", "terziglio_api.cli", "serve", "--port", "0"]
        server = subprocess.Popen(  # noqa: S603 - our own command
            [*serve, "--database", database],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"TERZIGLIO_LOG_LEVEL": "error"},
        )
        try:
            said = server.stdout.readline() if server.stdout else ""
            address = said.split()[-1]  # it says where it listens
            asyncio.run(asyncio.wait_for(meet(address, Path(made)), timeout=100))
        finally:
            server.terminate()
            server.communicate()


if __name__ == "__main__":
    if len(sys.argv) > 1:  # a guest's program
        address, link, name, path = sys.argv[1:]
        asyncio.run(guest(address, link, name, Path(path)))
    else:
        main()
