"""Figures of the long runs: a test notes them, the summary of the run prints them."""

from collections.abc import Callable
from statistics import median

import pytest

__all__ = ["Note", "spread"]

Note = Callable[[str, object], None]
"""The fixture ``record_property``: it travels with the test's report."""


def spread(seconds: list[float]) -> str:
    """Return the median and the worst of some times."""
    if not seconds:
        return "none"
    return f"median {median(seconds) * 1000:.0f} ms, worst {max(seconds) * 1000:.0f} ms"


def summary(terminal: pytest.TerminalReporter) -> None:
    """Print what the tests of this folder have noted."""
    noted = [
        (report.nodeid.rpartition("::")[2], name, value)
        for outcome in ("passed", "failed")
        for report in terminal.getreports(outcome)
        if "tests/faults/" in report.nodeid
        for name, value in report.user_properties
    ]
    if noted:
        terminal.section("for information: figures of the fault runs")
    for test, name, value in noted:
        terminal.line(f"{test}: {name}: {value}")
