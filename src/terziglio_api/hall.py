"""What everything that serves seats has in common: one of it in a service."""

from collections.abc import Iterable
from dataclasses import dataclass

from terziglio_api.gate import Gate
from terziglio_api.limits import Limits, Rate
from terziglio_api.metrics import Metrics
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from terziglio_api.sockets import Roster
from terziglio_api.studies import Studies
from terziglio_api.thinking import SLOW_PLAYERS, Idle, Thinkers

__all__ = ["Hall", "furnish"]


@dataclass(frozen=True, slots=True)
class Hall:
    """A service's parts that every socket and every request use."""

    service: TableService
    settings: Settings
    roster: Roster
    limits: Limits
    gate: Gate
    metrics: Metrics
    players: frozenset[str]
    """Computer players that may be sat down."""
    studies: Studies


def furnish(
    service: TableService,
    settings: Settings,
    metrics: Metrics,
    players: Iterable[str] = (),
    thinkers: Thinkers | None = None,
) -> Hall:
    """Return the hall of a service, as the settings want it."""
    thinkers = Idle() if thinkers is None else thinkers
    roster = Roster(settings.sockets, metrics)
    # Testers open tables by the hundred; nobody serves strangers in dev mode.
    tables = 0 if settings.dev else settings.tables_rate / 3600
    return Hall(
        service=service,
        settings=settings,
        roster=roster,
        limits=Limits(
            seat=Rate(settings.seat_rate, settings.seat_burst),
            address=Rate(settings.address_rate, settings.address_burst),
            tables=Rate(tables, max(1, round(settings.tables_rate))),
        ),
        gate=Gate(roster, metrics, settings.most_sockets, settings.most_lag_ms),
        metrics=metrics,
        players=frozenset(players) - SLOW_PLAYERS | thinkers.offered,
        studies=Studies(thinkers),
    )
