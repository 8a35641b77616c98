"""The whole service in this process, its log and its figures listened to."""

import logging
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager

import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from terziglio import Card, Seat
from terziglio_api import decisions
from terziglio_api.app import create_app
from terziglio_api.hall import Hall
from terziglio_api.rehearsal.thought import Rehearsed
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from wire.asgi import call

__all__ = ["LONG_MS", "House", "house"]

LONG_MS = 3_600_000
"""A pace at which nothing happens by itself while a script is played."""
TIMING = re.compile(r"_sum|_bucket|_created|lag_seconds")
"""Figures that are times, or counted by the clock; the rest is counted by deeds."""


class House:
    """The whole service in this process, and what it says to no seat."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.decks: Iterator[tuple[Card, ...]] = iter(())
        self.dealer = Seat.S0
        self.lines: list[str] = []
        """The log: of others from INFO on, our own from DEBUG on."""

    @property
    def tables(self) -> TableService:
        """The table service."""
        return self.hall.service

    @property
    def hall(self) -> Hall:
        """What all who serve seats have in common."""
        hall: Hall = self.app.state.hall
        return hall

    def shuffle(self, _key: bytes) -> tuple[Card, ...]:
        """The next deck of the scene that is played."""
        return next(self.decks)

    def draw_seat(self, _key: bytes) -> Seat:
        """The dealer of the scene's next match."""
        return self.dealer

    async def metrics(self) -> dict[str, float]:
        """Return what is counted, all but times."""
        answer = await call(self.app, "GET", "/metrics", {})
        lines = answer.body.decode().splitlines()
        pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
        return {n: float(v) for n, v in pairs if not TIMING.search(n)}


class _Kept(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self.lines = lines
        self.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@asynccontextmanager
async def house(patch: pytest.MonkeyPatch) -> AsyncGenerator[House, None]:
    """The service, with decks that a scene lays ready, listened to by its log."""
    settings = Settings(
        poll_s=1e6,  # no time passes here
        database=None,
        dev=True,
        thrown_in_ms=LONG_MS,
        seat_rate=0,
        address_rate=0,
        socket_rate=0,
        most_lag_ms=LONG_MS,
        stun_urls=("stun:example",),
        turn_urls=("turn:example",),
        turn_secret=SecretStr("turn"),
    )
    app = create_app(settings, thinkers=Rehearsed())
    open_house = House(app)
    # Time stands still, or two runs would differ by it.
    at = open_house.tables.now()
    patch.setattr(open_house.tables, "now", lambda: at)
    patch.setattr(decisions, "shuffle", open_house.shuffle)
    patch.setattr(decisions, "draw_seat", open_house.draw_seat)
    root, kept = logging.getLogger(), _Kept(open_house.lines)
    level = root.level
    root.addHandler(kept)
    root.setLevel(logging.INFO)
    # Of our own not even a debug line tells a card.
    patch.setattr(logging.getLogger("terziglio_api"), "level", logging.DEBUG)
    try:
        async with app.router.lifespan_context(app):
            yield open_house
    finally:
        root.setLevel(level)
        root.removeHandler(kept)
