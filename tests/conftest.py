"""Fixtures that start real servers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server in dev mode that many tests share."""
    database = tmp_path_factory.mktemp("server") / "tables.sqlite3"
    running = Server(database, "--dev").start()
    yield running
    assert running.stop() == 0
    assert running.tracebacks == 0, running.log.read_text()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to kill and start again."""
    running = Server(tmp_path / "tables.sqlite3", "--dev").start()
    yield running
    running.kill()
