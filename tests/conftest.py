"""Fixtures that start real servers, and the recorder of all that they send."""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from client import Server
from conformance import RECORDER


@pytest.fixture(scope="session", autouse=True)
def _recorder() -> Iterator[None]:
    """Every test runs with the recorder in place."""
    with pytest.MonkeyPatch.context() as patch:
        RECORDER.install(patch)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """A test fails if the service sent it what is not published."""
    try:
        yield
    except BaseException as error:
        for misfit in RECORDER.take():
            error.add_note(f"not as published: {misfit}")
        raise
    misfits = RECORDER.take()
    if misfits:
        pytest.fail("not as published:\n" + "\n".join(misfits), pytrace=False)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server in dev mode that many tests share, with a recorder inside."""
    database = tmp_path_factory.mktemp("server") / "tables.sqlite3"
    running = Server(database, "--dev", recorded=True).start()
    yield running
    assert running.stop() == 0
    assert running.tracebacks == 0, running.log.read_text()
    assert running.misfits == []


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to kill and start again."""
    running = Server(tmp_path / "tables.sqlite3", "--dev").start()
    yield running
    running.kill()
