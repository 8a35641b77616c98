"""A window of the page, which keeps all that it does and all that it hears.

What a page must not do is a fault: an error or a warning in the console, an exception,
a request that leaves the host, one that fails. A test says which it means to cause.
"""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from playwright.async_api import (
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    WebSocket,
)

__all__ = ["Frame", "Window"]

Json = dict[str, Any]
ROOT: Final = Path(__file__).parents[2]
_AXE: Final = ROOT / "clients/typescript/node_modules/axe-core/axe.min.js"
_RUN: Final = """
async () => {
  const stuck = [...document.querySelectorAll("*")].filter(
    (node) => getComputedStyle(node).position === "sticky");
  for (const node of stuck) node.style.position = "static";
  try {
    return (await axe.run(document, {
      resultTypes: ["violations"],
      rules: { "target-size": { enabled: true } },
    })).violations;
  } finally {
    for (const node of stuck) node.style.position = "";
  }
}
"""
"""All rules that are on by default, WCAG 2.2 AA's size of targets with them.

What sticks to an edge is put in its place meanwhile: axe would take the colours of
what is scrolled below it for its own.
"""
_OWN: Final = {"data", "blob", "about"}
"""Schemes of what leaves no machine."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A message on one of the page's sockets."""

    url: str
    way: Literal["in", "out"]
    text: str

    @property
    def message(self) -> Json:
        """What it says."""
        message: Json = json.loads(self.text)
        return message


class Window:
    """A page in a context of its own: one person at one device."""

    def __init__(self, context: BrowserContext, page: Page, url: str) -> None:
        self.context = context
        self.page = page
        self.url = url
        self.frames: list[Frame] = []
        """All frames of all its sockets, of earlier loads too, in order."""
        self.requests: list[str] = []
        """All addresses it has asked for."""
        self._faults: list[str] = []
        self._any = asyncio.Event()
        self._news = asyncio.Event()
        self._allowed: list[re.Pattern[str]] = []
        context.on("page", self._watch)
        context.on("console", self._console)
        context.on("weberror", lambda error: self._fault(f"page: {error.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        self._watch(page)

    async def go(self, fragment: str = "") -> None:
        """Open the page anew, at a fragment like ``#/rules``."""
        await self.page.goto("about:blank")
        await self.page.goto(f"{self.url}/{fragment}")

    def allow(self, *patterns: str) -> None:
        """Say which faults the test causes; each is a pattern that is searched for."""
        self._allowed += [re.compile(pattern) for pattern in patterns]

    async def seen(self) -> None:
        """Wait until there is a fault."""
        await self._any.wait()

    @property
    def faults(self) -> list[str]:
        """What the page did that it must not do."""
        return [
            fault
            for fault in self._faults
            if not any(pattern.search(fault) for pattern in self._allowed)
        ]

    def heard(self, kind: str = "event") -> list[Json]:
        """Return the messages of a type that its sockets have received."""
        heard = [frame.message for frame in self.frames if frame.way == "in"]
        return [message for message in heard if message["type"] == kind]

    async def view(self, due: Callable[[Json], bool]) -> Json:
        """Return the newest view, once it is one that is due.

        What is received is recorded here a moment after the page has it.
        """
        while True:
            self._news.clear()
            told = self.heard()
            if told and due(told[-1]["view"]):
                view: Json = told[-1]["view"]
                return view
            await self._news.wait()

    async def axe(self) -> None:
        """Assert that axe finds nothing wrong with what is shown now."""
        if not await self.page.evaluate("'axe' in window"):
            await self.page.evaluate(_axe())
        violations: list[Json] = await self.page.evaluate(_RUN)
        assert not violations, "\n" + _report(violations)

    async def close(self) -> None:
        """Close it; what it was still doing is no fault any more."""
        faults = list(self._faults)
        await self.context.close()
        self._faults = faults

    def _fault(self, told: str) -> None:
        self._faults.append(told)
        self._any.set()

    def _watch(self, page: Page) -> None:
        page.on("websocket", self._socket)
        page.on("crash", lambda _page: self._fault("the page has crashed"))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"}:
            at = message.location
            where = f"{at.get('url')}:{at.get('lineNumber')}"
            self._fault(f"console {message.type}: {message.text} ({where})")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        self._look(request.url)

    def _failed(self, request: Request) -> None:
        if request.failure == "net::ERR_ABORTED":
            return  # by the page itself, or because it was left; no network does that
        self._fault(f"failed: {request.method} {request.url}: {request.failure}")

    def _look(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in _OWN and parts.netloc != urlsplit(self.url).netloc:
            self._fault(f"off the host: {url}")

    def _socket(self, socket: WebSocket) -> None:
        self._look(socket.url)

        def keep(way: Literal["in", "out"], payload: str | bytes) -> None:
            text = payload if isinstance(payload, str) else payload.decode()
            self.frames.append(Frame(socket.url, way, text))
            self._news.set()

        socket.on("framereceived", lambda payload: keep("in", payload))
        socket.on("framesent", lambda payload: keep("out", payload))


@cache
def _axe() -> str:
    return _AXE.read_text("utf-8")


def _report(violations: Sequence[Json]) -> str:
    """Return what axe found, each with the places where it found it."""
    lines: list[str] = []
    for found in violations:
        lines.append(f"{found['id']} ({found['impact']}): {found['help']}")
        for node in found["nodes"]:
            at = " ".join(map(str, node["target"]))
            why = " ".join(node["failureSummary"].split())
            lines += [f"  {at}: {node['html'][:120]}", f"    {why}"]
    return "\n".join(lines)
