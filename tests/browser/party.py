"""Three people at a friends' table, each in a browser of their own."""

import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from playwright.async_api import Browser, BrowserContext, Page, Route, expect

from browser.cable import Cable
from browser.window import Window

__all__ = ["NAMES", "Friend", "party"]

NAMES: Final = ("Anna", "Bruno", "Carla")
PATIENCE_MS: Final = 20_000


class Friend(Window):
    """One person, whose browser hangs on a cable of its own."""

    def __init__(
        self, seat: int, context: BrowserContext, page: Page, cable: Cable
    ) -> None:
        super().__init__(context, page, cable.url)
        self.seat = seat
        self.name = NAMES[seat]
        self.cable = cable

    def own(self, link: str) -> str:
        """Return a link that somebody sent as it is at the end of this cable."""
        return "#" + link.partition("#")[2]

    async def sit(self, link: str) -> None:
        """Open a link that somebody sent, and sit down."""
        await self.go(self.own(link))
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
        self.allow("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_", "ERR_EMPTY_RESPONSE")
        await self.context.set_offline(True)
        # Chromium's offline mode leaves open sockets alone.
        self.cable.pull()

    async def plug(self) -> None:
        """Be online again."""
        self.cable.plug()
        await self.context.set_offline(False)

    async def back(self) -> None:
        """Wait until the line is good."""
        banner = self.page.locator(".banner")
        await expect(banner).to_have_attribute("data-state", "live", timeout=40_000)


@asynccontextmanager
async def party(
    browser: Browser, server: str, *, voice: bool = False, **table: Any
) -> AsyncGenerator[list[Friend], None]:
    """Sit three friends down at a table, by its links.

    Their pages must do nothing wrong until the end.

    Args:
        browser: where each gets a context.
        server: the server's address.
        voice: whether the host switches it on.
        table: what the host's page does not ask for and the test does (``seed``).
    """
    async with AsyncExitStack() as stack:
        friends: list[Friend] = []
        for seat in range(3):
            cable = await stack.enter_async_context(Cable(server).listening())
            context = await browser.new_context(locale="en-GB")
            context.set_default_timeout(PATIENCE_MS)
            friend = Friend(seat, context, await context.new_page(), cable)
            stack.push_async_callback(friend.close)
            if voice:
                await context.grant_permissions(["microphone"], origin=cable.url)
            friends.append(friend)
        await _open(friends[0], voice=voice, **table)
        for guest, link in zip(friends[1:], await friends[0].links(), strict=True):
            await guest.sit(link)
        for friend in friends:
            await friend.page.locator("main[data-phase=auction]").wait_for()
        yield friends
        faults = [f"{f.name}: {fault}" for f in friends for fault in f.faults]
        assert not faults, "\n" + "\n".join(faults)


async def _open(host: Friend, *, voice: bool, **table: Any) -> None:
    async def opened(route: Route) -> None:
        asked = json.loads(route.request.post_data or "{}")
        await route.continue_(post_data={**asked, **table})

    if table:
        await host.page.route("**/v1/tables", opened)
    await host.go()
    door = host.page.get_by_role("form", name="Friends' table")
    await door.get_by_label("Your name").fill(host.name)
    if voice:
        await door.get_by_label("on: who wants may speak").check()
    await door.get_by_role("button", name="Open the table").click()
