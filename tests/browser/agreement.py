"""What must hold when a match is over, however often lines and pages broke.

Nothing was lost, nothing doubled, and nobody was told what is not theirs.
"""

import json
import re
from collections import Counter, defaultdict
from typing import Any, Final

import httpx

from browser.game import Game, said_by
from browser.knowledge import ACTS, RANKS, SUITS, Deal, deals, secrets
from browser.party import NAMES, Friend
from client import Server

__all__ = ["agree"]

Json = dict[str, Any]
RANK: Final = dict(
    zip(
        [
            "three",
            "two",
            "ace",
            "king",
            "queen",
            "jack",
            "seven",
            "six",
            "five",
            "four",
        ],
        RANKS,
        strict=True,
    )
)
SUIT: Final = dict(zip(["spades", "hearts", "clubs", "diamonds"], SUITS, strict=True))
PLAYED: Final = re.compile(r"(\w+) plays? the (\w+) of \S+ (\w+)\.")


async def agree(game: Game, server: Server) -> None:
    """Nothing was lost, nothing doubled, and nobody was told what is not theirs."""
    anna = game.friends[0]
    kept = json.loads(await anna.page.evaluate("localStorage['terziglio.seats']"))[0]
    number = game.newest["match"]["deal"]
    async with httpx.AsyncClient(
        base_url=f"{server.url}/v1/tables/{kept['table']}",
        headers={"Authorization": f"Bearer {kept['token']}"},
    ) as http:
        answers = {n: await http.get(f"/hands/{n}") for n in range(1, number + 1)}
    records = {n: a.json() for n, a in answers.items() if a.status_code == 200}
    assert {*answers} - {*records} == {2}  # it was thrown in
    await _nothing_lost(game, records)
    _nothing_doubled(game, records)
    _no_secrets(game, records)


def _events(friend: Friend) -> dict[int, Json]:
    """Return the changes that its pages were told; told again, they are the same."""
    told: dict[int, Json] = {}
    for message in friend.heard("event"):
        seq, event = message["seq"], message["event"]
        if event["kind"] != "snapshot":
            assert told.setdefault(seq, event) == event
    return told


async def _nothing_lost(game: Game, records: dict[int, Json]) -> None:
    anna, bruno, _ = game.friends
    every = set(range(min(_events(anna)), game.newest["seq"] + 1))
    # Who never loaded the page anew has been told every change, broken lines or not.
    assert {*_events(anna)} == every
    assert every - {*_events(bruno)} <= set(range(min(_events(bruno))))
    for friend in game.table.everybody:
        for seq, event in _events(friend).items():
            assert _common(event) == _common(_events(anna)[seq])
    plays = [
        (friend["seat"], friend["action"]["card"])
        for record in records.values()
        for friend in record["actions"]
        if friend["action"]["type"] == "play"
    ]
    for friend in game.friends:
        log = await _log(friend)
        # A page that was loaded anew tells the hand from its beginning.
        assert log == plays[-len(log) :]
        assert len(log) >= 36
    assert await _log(anna) == await _log(bruno) == plays


def _common(event: Json) -> Json:
    """Return what all seats are told of a change."""
    return {name: told for name, told in event.items() if name != "cards"}


async def _log(friend: Friend) -> list[tuple[int, str]]:
    """Return who played what, as the page's log has it."""
    page = friend.page
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="The whole log").click()
    lines = await page.locator(".whole-log li").all_inner_texts()
    await page.keyboard.press("Escape")
    return [
        (NAMES.index(who) if who in NAMES else friend.seat, RANK[rank] + SUIT[suit])
        for line in lines
        for who, rank, suit in PLAYED.findall(line)
    ]


def _nothing_doubled(game: Game, records: dict[int, Json]) -> None:
    acked: defaultdict[str, set[str]] = defaultdict(set)
    refused: Counter[str] = Counter()
    for friend in game.table.everybody:
        ids = {message["id"] for message in friend.heard("ack")}
        refused.update(message["code"] for message in friend.heard("error"))
        for message in said_by(friend):
            if message["id"] in ids:
                acked[message["decision"]].add(message["id"])
    assert all(len(ids) == 1 for ids in acked.values())
    counted = {d for d in acked if not d.startswith("2.")}
    assert len(counted) == sum(len(record["actions"]) for record in records.values())
    # Only of two tabs at once one may have come too late.
    assert set(refused) <= {"stale_decision"}
    assert refused.total() <= 1


def _no_secrets(game: Game, records: dict[int, Json]) -> None:
    table = deals(_events(game.friends[0]), records)
    looked = 0
    for friend in game.table.everybody:
        texts = [frame.text for frame in friend.frames if frame.way == "in"]
        messages = [json.loads(text) for text in texts]
        assert list(secrets(texts, messages, friend.seat, table)) == []
        looked += len(texts)
    assert looked > 3 * 100
    _the_check_can_fail(game, table)


def _the_check_can_fail(game: Game, table: dict[int, Deal]) -> None:
    """Each planted leak is found in a frame that was really heard."""
    frames = [m for f in game.friends[:2] for m in f.heard("event")]
    by = {kind: [m for m in frames if m["event"]["kind"] == kind] for kind in ACTS}
    defender = next(m for m in by["discarded"] if "cards" not in m["event"])
    record = table[defender["view"]["match"]["deal"]].record
    assert record is not None
    laid = next(
        a["action"] for a in record["actions"] if a["action"]["type"] == "discard"
    )
    seat = defender["view"]["you"]["seat"]
    off = next(m for m in by["card_played"] if m["view"]["options"] is None)
    planted: list[tuple[Json, list[Any], Any]] = [
        (defender, ["event", "cards"], laid["cards"]),
        (defender, ["view", "monte", "cards"], laid["cards"]),
        (defender, ["view", "monte", "cards"], laid["cards"][:1]),
        (defender, ["view", "last", 0, "cards"], laid["cards"]),
        (defender, ["view", "hand", 0, "card"], laid["cards"][0]),
        (defender, ["view", "you", "seat"], (seat + 1) % 3),
        (off, ["view", "options"], {"type": "bid", "bids": ["pass"]}),
        (off, ["view", "hand", 0, "why"], {"code": "must_follow_suit", "params": {}}),
        (off, ["view", "seats", 0, "name"], "tzi_x"),
        (off, ["view", "seats", 0, "next"], record["monte"][0]),
        (by["bid"][0], ["view", "monte", "shown"], record["monte"]),
    ]
    for message, path, value in planted:
        leak = json.loads(json.dumps(message))
        *way, name = path
        place = leak
        for step in way:
            place = place[step]
        place[name] = value
        seat = message["view"]["you"]["seat"]
        assert list(secrets([json.dumps(message)], [message], seat, table)) == []
        assert list(secrets([json.dumps(leak)], [leak], seat, table)), path
