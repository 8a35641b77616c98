"""Many tables at play."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

import httpx

from faults.player import Player
from history import Live, Transcript

__all__ = ["KINDS", "Load", "open_tables"]

Json = dict[str, Any]
_LINK: Final = {"kind": "link"}
_LATE: Final = (
    ("next_hand", "stale_decision"),
    ("next_hand", "hand_in_progress"),
    ("rematch", "match_not_over"),
)
KINDS: Final[tuple[Json, ...]] = (
    {"mode": "friends"},
    {"mode": "open", "seats": [_LINK, {"kind": "computer", "player": "random"}]},
    {"mode": "friends"},
    {"mode": "computer"},
)
"""What tables there are, in turn."""


async def open_tables(url: str, kinds: Iterable[Json]) -> list[Player]:
    """Open tables, claim their links, and return every seat with a token."""
    players = []
    async with httpx.AsyncClient(base_url=url, timeout=30) as http:
        for kind in kinds:
            body = {"name": "Anna", "pace_ms": 0, **kind}
            answer = await http.post("/v1/tables", json=body)
            assert answer.status_code == 201, answer.text
            opened = answer.json()
            seats = [(0, opened["token"])]
            for invite in opened["invites"]:
                claim = {"invite": invite["invite"], "name": "guest"}
                path = f"/v1/tables/{opened['table']}/claims"
                answer = await http.post(path, json=claim)
                assert answer.status_code == 201, answer.text
                seats.append((invite["seat"], answer.json()["token"]))
            players += [Player(url, opened["table"], *seat) for seat in seats]
    return players


class Load:
    """The players of many tables, run together."""

    def __init__(self, players: list[Player]) -> None:
        self.players = players
        self._tasks: list[asyncio.Task[None]] = []
        self._wanted: Callable[[], bool] = lambda: False
        self._so: asyncio.Future[None] | None = None

    async def __aenter__(self) -> "Load":
        for player in self.players:
            player.heard = self._heard
            self._tasks.append(asyncio.create_task(player.run()))
            self._tasks[-1].add_done_callback(self._ended)
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _heard(self) -> None:
        if self._so is not None and not self._so.done() and self._wanted():
            self._so.set_result(None)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Fail whoever waits, if a player has failed."""
        if not task.cancelled() and self._so is not None and not self._so.done():
            self._so.set_exception(task.exception() or AssertionError("it ended"))

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until something is so; one may wait at a time."""
        if not wanted():
            self._wanted = wanted
            self._so = asyncio.get_running_loop().create_future()
            await self._so

    async def every(self, wanted: Callable[[Player], bool]) -> None:
        """Wait until something is so of every player."""
        await self.until(lambda: all(wanted(player) for player in self.players))

    def connect(self, *, may: bool = True) -> None:
        """Let the players connect, or not any more."""
        for player in self.players:
            player.may_connect.set() if may else player.may_connect.clear()

    async def progress(self, changes: int) -> None:
        """Wait until every player has been told so many more changes."""
        goals = {player: player.seq + changes for player in self.players}
        await self.every(lambda player: player.seq >= goals[player])

    async def acknowledged(self, more: int) -> None:
        """Wait until so many more messages are acknowledged, whoever sent them."""
        goal = self.acks + more
        await self.until(lambda: self.acks >= goal)

    async def answered(self, more: int) -> None:
        """Wait until so many more messages are acknowledged, or could not be stored."""
        goal = self.acks + self.unstored + more
        await self.until(lambda: self.acks + self.unstored >= goal)

    async def leave(self, player: Player) -> None:
        """Let a player close its socket and stay away."""
        task = self._tasks[self.players.index(player)]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def settle(self, url: str) -> Live:
        """Let nobody act any more; return the views when all have heard all."""
        for player in self.players:
            player.playing = False
        async with httpx.AsyncClient(base_url=url, timeout=30) as http:
            while True:
                await self.every(lambda player: player.online and not player.pending)
                live = {(p.table, p.seat): await p.look(http) for p in self.players}
                if await self._at(live):
                    return live

    async def _at(self, live: Live) -> bool:
        """Return, once all have heard so much, whether none has heard more."""
        heads = {key: view["seq"] for key, view in live.items()}
        await self.every(lambda player: player.seq >= heads[player.table, player.seat])
        return all(p.seq == heads[p.table, p.seat] for p in self.players)

    @property
    def transcripts(self) -> list[Transcript]:
        """What every seat was told."""
        return [player.told for player in self.players]

    @property
    def acks(self) -> int:
        """How many messages have been acknowledged."""
        return sum(len(told.acks) for told in self.transcripts)

    @property
    def unstored(self) -> int:
        """How often a player heard that nothing could be stored."""
        codes = (p.errors for p in self.players)
        return sum(n for e in codes for (_, code), n in e.items() if "storage" in code)

    @property
    def away(self) -> list[float]:
        """Seconds from the loss of a socket to the snapshot on the next, of all."""
        return [seconds for player in self.players for seconds in player.away]

    @property
    def errors(self) -> Counter[tuple[str, str]]:
        """The refusals that players have met, but what an asking meets that is late.

        One that was sent twice may come after the deal that the first one led to.
        """
        found: Counter[tuple[str, str]] = Counter()
        for player in self.players:
            found += player.errors
        for late in _LATE:
            del found[late]
        return found
