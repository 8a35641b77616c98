"""Where a rehearsal plays: the application, a log that can fail, and a mask.

Secrets, ids and times are different each time; the mask replaces them by fixed ones
of the same form.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, cast

import httpx

from terziglio.actions import Phase
from terziglio.players import house
from terziglio.seats import Seat
from terziglio.view import SeatView
from terziglio_api.app import create_app
from terziglio_api.commands import Act, AskNextHand
from terziglio_api.journal import Event
from terziglio_api.ports import StorageUnavailable
from terziglio_api.rehearsal.thought import Rehearsed
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from terziglio_api.storage.memory import MemoryLog

__all__ = ["NOBODY", "SEED", "FailingLog", "Json", "Mask", "Stage", "due", "play_until"]

Json = dict[str, Any]
_SECRET: Final = re.compile(r"(tzs_|tzi_)[\w-]{43}")
_TABLE: Final = re.compile(r"\bt_[0-9a-f]{36}\b")
_RETRY_S: Final = re.compile(r"\b(again in|tra) \d+ s\b")
_RETRY_MS: Final = re.compile(r'"retry_ms":\d+')
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00")
SEED: Final = "rehearsal"
"""What all rehearsed deals come from."""
NOBODY: Final = "tzs_" + "0" * 43
"""A token of nobody."""


_WAITS: Final = {"retry_s": 30, "retry_ms": 1840}
"""How long to wait, where the real time to wait is a matter of chance."""


class Mask:
    """Replaces what differs from run to run by fixed values, the same by the same."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, value: Any) -> Any:
        """Return the JSON value, or text, with everything replaced."""
        if isinstance(value, dict):
            members = cast("Json", value)
            return {key: _WAITS.get(key, self(item)) for key, item in members.items()}
        if isinstance(value, list):
            return [self(item) for item in cast("list[Any]", value)]
        if isinstance(value, str):
            text = _SECRET.sub(self._secret, value)
            text = _TABLE.sub(self._table, text)
            text = _RETRY_S.sub(r"\1 30 s", text)
            text = _RETRY_MS.sub(f'"retry_ms":{_WAITS["retry_ms"]}', text)
            return _TIME.sub("2026-11-29T12:00:00.000+00:00", text)
        return value

    def _secret(self, found: re.Match[str]) -> str:
        name = found[1] + f"{len(self._known):02}".ljust(43, "x")
        return self._known.setdefault(found[0], name)

    def _table(self, found: re.Match[str]) -> str:
        name = f"t_{len(self._known):036x}"
        return self._known.setdefault(found[0], name)


class FailingLog(MemoryLog):
    """A log that can be made to fail."""

    failing = False

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        """Store, or fail."""
        if self.failing:
            raise StorageUnavailable("rehearsed")
        await super().append(table, after, events)

    async def read(self, table: str, after: int = 0) -> list[Event]:
        """Read, or fail."""
        if self.failing:
            raise StorageUnavailable("rehearsed")
        return await super().read(table, after)


class Stage:
    """Asks the application and keeps what was asked and answered."""

    def __init__(self, log: FailingLog, **settings: Any) -> None:
        self.thinkers = Rehearsed()
        idle = settings.get("workers") == 0
        self.app = create_app(
            _settings(**settings), log, thinkers=None if idle else self.thinkers
        )
        self.service: TableService = self.app.state.hall.service
        transport = httpx.ASGITransport(self.app)
        self._http = httpx.AsyncClient(transport=transport, base_url="http://example")
        self.kept: defaultdict[str, defaultdict[str, list[Json]]]
        self.kept = defaultdict(lambda: defaultdict(list))

    async def ask(  # noqa: PLR0913 - an exchange has this many sides
        self,
        operation: str,
        status: int,
        about: str,
        call: str,
        *,
        token: str = NOBODY,
        body: Json | None = None,
        content: str | None = None,
        accept: str = "*/*",
        headers: dict[str, str] | None = None,
    ) -> Any:
        """Make a call (``"GET /path"``), check its status, keep the exchange."""
        method, path = call.split(" ")
        sent = {"Authorization": f"Bearer {token}", "Accept": accept, **(headers or {})}
        if content is not None:
            sent["Content-Type"] = "application/json"
        answer = await self._http.request(
            method, path, headers=sent, json=body, content=content
        )
        if answer.status_code != status:
            raise AssertionError(f"{about}: {answer.status_code} {answer.text}")
        media = answer.headers.get("content-type", "").split(";")[0]
        value = answer.json() if media.endswith("json") else answer.text or None
        exchange: Json = {"about": about, "type": media, "response": value}
        if body is not None:
            exchange["request"] = body
        self.kept[operation][str(status)].append(exchange)
        return value

    def keep(self, other: "Stage", operation: str, status: int) -> None:
        """Keep what another stage was answered, beside this one's own."""
        kept = other.kept[operation].pop(str(status))
        self.kept[operation][str(status)] += kept

    async def use_up(self, table: str, token: str) -> None:
        """Make the one request that the limits of this stage allow."""
        path = f"{table}/view" if token else table
        await self._http.get(path, headers={"Authorization": f"Bearer {token}"})


def _settings(**settings: Any) -> Settings:
    usual = {
        "database": None,
        "dev": True,
        "web_origin": "https://terziglio.example",
        "thrown_in_ms": 0,
        "seat_rate": 0,
        "address_rate": 0,
        "stun_urls": ("stun:stun.terziglio.example",),
    }
    return Settings.model_validate(usual | settings)


async def play_until(
    service: TableService, table: str, phase: Phase, turn: Seat | None = None
) -> int:
    """Let the house player answer for every seat until a phase; return the deal.

    With ``turn`` until that seat is on turn in that phase.
    """
    while True:
        game = (await service.view(table, Seat.S0)).game
        if game.phase is phase and turn in {None, game.turn}:
            return game.match.deal
        if game.turn is None:
            summary = await service.summary(table)
            for info in summary.seats:
                if info.kind != "computer":
                    await service.do(table, AskNextHand(info.seat, game.match.deal))
            continue
        seen = (await service.view(table, game.turn)).game
        await service.do(table, Act(game.turn, house(seen), due(seen)))


def due(game: SeatView) -> str:
    """Return the name of the decision that is due."""
    return f"{game.match.deal}.{game.decision}"
