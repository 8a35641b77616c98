"""A page whose table is played by the test: its socket is answered here.

No hand need be played to see a screen, and every refusal can be had for the asking.
The page and its words come from the service as always.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from playwright.async_api import Page, WebSocketRoute

from browser.moments import NAMES, TABLE
from browser.window import Window

__all__ = ["Puppet"]

Json = dict[str, Any]
_SIT: Final = """async ([table, kept]) => {
  const gone = () => new Promise((done) =>
    addEventListener("hashchange", () => setTimeout(done), { once: true }));
  if (location.hash !== "#/") {
    location.hash = "#/";
    await gone();
  }
  localStorage.setItem("terziglio.seats", JSON.stringify([kept]));
  location.hash = `#/table/${table}`;
  await gone();
}"""
_DRAWN: Final = (
    "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
)


class Puppet:
    """Shows views on a page, and answers what the page sends."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.sent: list[Json] = []
        """What the page has sent, but for hellos and pings."""
        self.answer: Json | None = None
        """What is told of each action: an error without its id."""
        self._view: Json = {}
        self._socket: WebSocketRoute | None = None

    @classmethod
    async def on(cls, window: Window) -> "Puppet":
        """Take over the sockets of a window, from its next load on."""
        puppet = cls(window)
        await window.page.route_web_socket(re.compile("/ws$"), puppet._opened)
        window.allow("icon.svg.*ABORTED")  # by this load
        await window.page.reload()
        await puppet.page.locator("main").wait_for()
        return puppet

    @property
    def page(self) -> Page:
        """The window's page."""
        return self.window.page

    async def sit(self, view: Json, **kept: Any) -> None:
        """Sit down anew at the table that a view shows."""
        seat: int = view["you"]["seat"]
        self._view = view
        told: Json = {
            "table": TABLE,
            "seat": seat,
            "token": "tzs_",
            "name": NAMES[seat],
            "mode": view["mode"],
            "at": 0,
            "invites": [],
            "hands": [],
        }
        await self.page.evaluate(_SIT, [TABLE, told | kept])
        await self.page.locator("#status").wait_for()

    async def show(self, view: Json) -> None:
        """Let the table be as a view shows it."""
        self._view = view
        self.say(_snapshot(view))
        await self.drawn()

    def say(self, message: Mapping[str, Any]) -> None:
        """Send the page a message."""
        assert self._socket is not None
        self._socket.send(json.dumps(message))

    async def close(self, code: int) -> None:
        """Close the page's socket."""
        assert self._socket is not None
        await self._socket.close(code=code)
        await self.drawn()

    async def drawn(self) -> None:
        """Wait until the page has drawn what it has heard."""
        await self.page.evaluate(_DRAWN)

    async def language(self, lang: str, **settings: str) -> None:
        """Speak a language, and call the cards as is usual there."""
        deck = "italian" if lang == "it" else "french"
        await self.settings(lang=lang, deck=deck, **settings)

    async def settings(self, **settings: str) -> None:
        """Keep these settings, and load the page anew."""
        text = json.dumps({"motion": "none", **settings})
        await self.page.evaluate(
            "(text) => localStorage.setItem('terziglio.settings', text)", text
        )
        await self.window.go("#/")
        await self.page.locator("main").wait_for()

    def _opened(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(lambda text: self._hear(str(text)))

    def _hear(self, text: str) -> None:
        message: Json = json.loads(text)
        match message["type"]:
            case "hello":
                self.say(
                    {
                        "type": "welcome",
                        "protocol": "terziglio.v1",
                        "table": TABLE,
                        "seat": self._view["you"]["seat"],
                        "seq": self._view["seq"],
                        "heartbeat_s": 10,
                        "server_time": "2026-01-01T00:00:00Z",
                    }
                )
                self.say(_snapshot(self._view))
            case "ping":
                self.say({"type": "pong", "n": message["n"]})
            case _:
                self.sent.append(message)
                if self.answer is not None:
                    self.say({"type": "error", "id": message["id"], **self.answer})


def _snapshot(view: Json) -> Json:
    event = {"kind": "snapshot"}
    return {"type": "event", "seq": view["seq"], "event": event, "view": view}
