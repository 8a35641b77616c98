"""A server to hurt, and the figures of the run."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from faults import figures
from faults.process import ServerProcess


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server of the test's own, not yet started."""
    made = ServerProcess(tmp_path / "tables.sqlite3", tmp_path / "server.log")
    yield made
    made.kill()
    await made.ended()
    assert made.tracebacks == 0, made.log.read_text()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    figures.summary(terminalreporter)
