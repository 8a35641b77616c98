"""The whole service in this process, its log and its figures listened to."""

import logging
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager

import pytest
from fastapi import FastAPI

from terziglio import Card, Seat
from terziglio_api import decisions
from terziglio_api.app import create_app
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from wire.asgi import call

__all__ = ["LONG_MS", "House", "house"]

LONG_MS = 3_600_000
"""A pace at which nothing happens by itself while a script is played."""
TIMING = re.compile(r"second|lag|duration|created|process_|python_")


class House:
    """The whole service in this process, and what it says to no seat."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.decks: Iterator[tuple[Card, ...]] = iter(())
        self.dealer = Seat.S0
        self.lines: list[str] = []
        """The log, from INFO on."""

    @property
    def tables(self) -> TableService:
        """The table service."""
        service: TableService = self.app.state.service
        return service

    def shuffle(self, _key: bytes) -> tuple[Card, ...]:
        """The next deck of the scene that is played."""
        return next(self.decks)

    def draw_seat(self, _key: bytes) -> Seat:
        """The dealer of the scene's next match."""
        return self.dealer

    async def metrics(self) -> dict[str, float]:
        """Return what is counted, all but times."""
        answer = await call(self.app, "GET", "/metrics", {})
        if answer.status == 404:
            return {}
        lines = answer.body.decode().splitlines()
        pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
        return {n: float(v) for n, v in pairs if not TIMING.search(n)}


class _Kept(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.INFO)
        self.lines = lines
        self.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@asynccontextmanager
async def house(patch: pytest.MonkeyPatch) -> AsyncGenerator[House, None]:
    """The service, with decks that a scene lays ready, listened to by its log."""
    settings = Settings(database=None, dev=True, thrown_in_ms=LONG_MS)
    app = create_app(settings)
    open_house = House(app)
    patch.setattr(decisions, "shuffle", open_house.shuffle)
    patch.setattr(decisions, "draw_seat", open_house.draw_seat)
    root, kept = logging.getLogger(), _Kept(open_house.lines)
    level = root.level
    root.addHandler(kept)
    root.setLevel(logging.INFO)
    try:
        async with app.router.lifespan_context(app):
            yield open_house
    finally:
        root.setLevel(level)
        root.removeHandler(kept)
