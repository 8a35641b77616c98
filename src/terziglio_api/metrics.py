"""What is counted and timed, for Prometheus.

Labels are names of codes, kinds and phases only: no table, no seat, no card. Each
service has a registry of its own.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

__all__ = ["MEDIA_TYPE", "Metrics"]

MEDIA_TYPE: Final = CONTENT_TYPE_LATEST
_SECONDS: Final = (
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
)  # fmt: skip


class Metrics:
    """The figures of one service."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.sockets = Gauge(
            "terziglio_sockets", "Open sockets and event streams.", registry=registry
        )
        self.action_seconds = Histogram(
            "terziglio_action_seconds",
            "From a command to its answer.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "terziglio_log_commit_seconds",
            "From an append to its commit.",
            buckets=_SECONDS,
            registry=registry,
        )
        acks = Counter(
            "terziglio_acks",
            "Commands carried out, or found to have been.",
            ["duplicate"],
            registry=registry,
        )
        self.acks = {again: acks.labels(str(again).lower()) for again in (False, True)}
        self.refusals = Counter(
            "terziglio_refusals", "Requests refused.", ["code"], registry=registry
        )
        self.resumes = Counter(
            "terziglio_resumes",
            "Seats that came back: told one by one, or only the table as it stands.",
            ["told"],
            registry=registry,
        )
        self.overflows = Counter(
            "terziglio_queue_overflows",
            "Sockets that were dropped: they did not read.",
            registry=registry,
        )
        self.substitutes = Counter(
            "terziglio_substitutes",
            "Decisions answered for a seat that did not.",
            ["why"],
            registry=registry,
        )
        self.thinking_seconds = Histogram(
            "terziglio_thinking_seconds",
            "What thinking processes took for an answer, their queue left out.",
            ["task"],
            buckets=_SECONDS,
            registry=registry,
        )
        self.workers_replaced = Counter(
            "terziglio_workers_replaced",
            "Thinking processes that died or took too long.",
            registry=registry,
        )
        self.lag_seconds = Histogram(
            "terziglio_event_loop_lag_seconds",
            "How late the event loop is.",
            buckets=_SECONDS,
            registry=registry,
        )

    def watch_tables(self, phases: Callable[[], Mapping[str, int]]) -> None:
        """Show tables by phase, counted when they are asked for."""
        self.registry.register(_Tables(phases))

    def page(self) -> bytes:
        """Return all figures as Prometheus reads them."""
        return generate_latest(self.registry)


class _Tables(Collector):
    def __init__(self, phases: Callable[[], Mapping[str, int]]) -> None:
        self._phases = phases

    def collect(self) -> Iterator[GaugeMetricFamily]:
        family = GaugeMetricFamily(
            "terziglio_tables", "Tables kept ready, by phase.", labels=["phase"]
        )
        for phase, count in sorted(self._phases().items()):
            family.add_metric([phase], count)
        yield family
