"""One Chromium for all tests of the page, and windows in it.

Playwright's objects belong to one event loop, so all these tests run in one.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Error, async_playwright

from browser.chromium import FLAGS, executable
from browser.window import Window
from client import Server

HERE = Path(__file__).parent
PATIENCE_MS = 20_000
"""How long the page may take for what a test waits for: the machine is busy."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    one_loop = pytest.mark.asyncio(loop_scope="session")
    for item in items:
        if HERE in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(one_loop, append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium, without a window, with microphones that are none."""
    path = executable()
    assert path is not None, "no Chromium: run `make chromium`"
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=path,
            args=[
                *FLAGS,
                "--use-fake-device-for-media-stream",
                "--use-fake-ui-for-media-stream",
            ],
        )
        yield started
        await started.close()


class Windows:
    """Opens windows, and in the end looks whether their pages behaved."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._server = server
        self._open: list[Window] = []

    async def __call__(
        self,
        fragment: str | None = "",
        *,
        server: Server | None = None,
        **options: Any,
    ) -> Window:
        """Open the page at a fragment, in a context of its own.

        Args:
            fragment: like ``#/rules``; ``None`` leaves the window empty.
            server: another one than the tests share.
            options: of Playwright's ``new_context``: ``viewport``, ``locale``,
                ``color_scheme``, ``reduced_motion``, ``has_touch``, ``storage_state``.
        """
        context = await self._browser.new_context(**{"locale": "en-GB", **options})
        context.set_default_timeout(PATIENCE_MS)
        url = (server or self._server).url
        window = Window(context, await context.new_page(), url)
        self._open.append(window)
        if fragment is not None:
            await window.go(fragment)
        return window

    async def close(self) -> list[str]:
        """Close all windows; return what their pages did wrong."""
        for window in self._open:
            with suppress(Error):  # it has been closed by the test
                await window.close()
        return [fault for window in self._open for fault in window.faults]


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, server: Server) -> AsyncIterator[Windows]:
    """Open windows of the page; their pages must do nothing wrong until the end."""
    windows = Windows(browser, server)
    yield windows
    faults = await windows.close()
    assert not faults, "\n" + "\n".join(faults)


@pytest.fixture(scope="session")
def thinking_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with one process that thinks: hints, analyses, strong players."""
    database = tmp_path_factory.mktemp("thinking") / "tables.sqlite3"
    running = Server(database, "--dev", recorded=True, TERZIGLIO_WORKERS="1").start()
    yield running
    assert running.stop() == 0
    assert running.tracebacks == 0, running.log.read_text()
    assert running.misfits == []
