"""Three people at a friends' table, each in a browser of their own."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from playwright.async_api import Browser, BrowserContext, Page, Route, WebSocket, expect

from browser.cable import Cable
from browser.window import Window

__all__ = ["NAMES", "Friend", "Party", "opens", "party"]

Json = dict[str, Any]
NAMES: Final = ("Anna", "Bruno", "Carla")
PATIENCE_MS: Final = 20_000
CUT: Final = ("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_", "ERR_EMPTY_RESPONSE")
"""What Chromium's console says of a cable that is out."""


class Friend(Window):
    """One person, whose browser hangs on a cable of its own."""

    def __init__(
        self,
        seat: int,
        context: BrowserContext,
        page: Page,
        cable: Cable,
        bell: asyncio.Event,
    ) -> None:
        super().__init__(context, page, cable.url)
        self.seat = seat
        self.name = NAMES[seat]
        self.cable = cable
        self.newest: Json = {"seq": 0, "turn": None, "options": None}
        """The newest view that any of its pages has received."""
        self._bell = bell
        self.allow("ERR_ABORTED")  # what was under way when a page was left
        context.on("page", self._listen)
        self._listen(page)

    def _listen(self, page: Page) -> None:
        page.on("websocket", self._lined)

    def _lined(self, line: WebSocket) -> None:
        line.on("framereceived", self._heard)

    def _heard(self, frame: str | bytes) -> None:
        view = json.loads(frame).get("view")
        if view and view["seq"] >= self.newest["seq"]:
            self.newest = view
        self._bell.set()

    async def until(self, good: Callable[[Json], Any]) -> None:
        """Wait until the newest view is so."""
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while not good(self.newest):
                self._bell.clear()
                await self._bell.wait()

    async def sit(self, link: str) -> None:
        """Open a link that somebody sent, and sit down."""
        # It names the host's address; this browser reaches it by its own cable.
        await self.go("#" + link.partition("#")[2])
        await self.page.get_by_label("Your name").fill(self.name)
        await self.page.get_by_role("button", name="Sit down").click()
        await self.page.locator("#status").wait_for()

    async def links(self) -> list[str]:
        """Return the host's links."""
        fields = self.page.locator(".lobby .links input")
        await fields.first.wait_for()
        return [await field.input_value() for field in await fields.all()]

    async def cut(self) -> None:
        """Be offline, until the cable is plugged in again."""
        self.allow(*CUT)
        await self.context.set_offline(True)
        # Chromium's offline mode leaves open sockets alone.
        self.cable.pull()
        banner = self.page.locator(".banner")
        await expect(banner).to_have_attribute("data-bad", "", timeout=PATIENCE_MS)

    async def plug(self) -> None:
        """Be online again."""
        self.cable.plug()
        await self.context.set_offline(False)

    async def back(self) -> None:
        """Wait until the line is good."""
        banner = self.page.locator(".banner")
        await expect(banner).to_have_attribute("data-state", "live", timeout=40_000)


class Party:
    """Who is there, and who comes later."""

    def __init__(self, browser: Browser, server: str, stack: AsyncExitStack) -> None:
        self.friends: list[Friend] = []
        """Who sits in each seat."""
        self.everybody: list[Friend] = []
        """Who has ever sat."""
        self._browser = browser
        self._server = server
        self._stack = stack
        self._bell = asyncio.Event()

    async def comes(self, seat: int, **options: Any) -> Friend:
        """Open a browser for a seat's person."""
        cable = Cable(self._server)
        await self._stack.enter_async_context(cable.listening())
        context = await self._browser.new_context(
            locale="en-GB", reduced_motion="reduce", **options
        )
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        friend = Friend(seat, context, page, cable, self._bell)
        self._stack.push_async_callback(friend.close)
        self.everybody.append(friend)
        self.friends[seat : seat + 1] = [friend]
        return friend

    @property
    def faults(self) -> list[str]:
        """What their pages did wrong."""
        return [f"{f.name}: {fault}" for f in self.everybody for fault in f.faults]


@asynccontextmanager
async def party(
    browser: Browser, server: str, *, voice: bool = False, **table: Any
) -> AsyncGenerator[Party, None]:
    """Sit three friends down at a table, by its links.

    Their pages must do nothing wrong until the end.

    Args:
        browser: where each gets a context.
        server: the server's address.
        voice: whether the host switches it on.
        table: what the host's page does not ask for and the test does (``seed``).
    """
    async with AsyncExitStack() as stack:
        party = Party(browser, server, stack)
        for seat in range(3):
            friend = await party.comes(seat)
            if voice:
                await friend.context.grant_permissions(
                    ["microphone"], origin=friend.url
                )
        host, *guests = party.friends
        await opens(host, voice=voice, **table)
        for guest, link in zip(guests, await host.links(), strict=True):
            await guest.sit(link)
        for friend in party.friends:
            await friend.page.locator("main[data-phase=auction]").wait_for()
        yield party
        assert not party.faults, "\n" + "\n".join(party.faults)


async def opens(host: Window, name: str = NAMES[0], **table: Any) -> None:
    """Open a friends' table by the page's second door."""
    voice = table.pop("voice", False)

    async def opened(route: Route) -> None:
        asked = json.loads(route.request.post_data or "{}")
        await route.continue_(post_data={**asked, **table})

    if table:
        await host.page.route("**/v1/tables", opened)
    await host.go()
    door = host.page.get_by_role("form", name="Friends' table")
    await door.get_by_label("Your name").fill(name)
    if voice:
        await door.get_by_label("on: who wants may speak").check()
    await door.get_by_role("button", name="Open the table").click()
