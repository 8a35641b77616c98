"""A match as three people see it on their pages, who choose by simple rules."""

import re
from typing import Any, Final

from playwright.async_api import Page, expect

from browser.party import Friend, Party

__all__ = ["Game", "away", "reloads", "returns", "said_by", "shown"]

Json = dict[str, Any]
BIDS: Final = {1: "chiamo", 2: "pass", 3: "solo"}
"""What the first to speak says, by deal; later it is `solissimo`."""


class Game:
    """The match, as three people see it who choose by simple rules."""

    def __init__(self, table: Party) -> None:
        self.table = table
        self.tabs: dict[int, Page] = {}
        """A second page of a seat, which takes every other turn."""

    @property
    def friends(self) -> list[Friend]:
        return self.table.friends

    @property
    def newest(self) -> Json:
        """The newest view of all."""
        return max((f.newest for f in self.friends), key=lambda view: view["seq"])

    async def turn(self) -> Friend:
        """Wait until somebody is on turn and knows it."""
        seat: int = self.newest["turn"]["seat"]
        friend: Friend = self.friends[seat]
        await friend.until(lambda view: view["options"])
        await expect(friend.page.locator(".status")).to_have_attribute(
            "data-yours", "true"
        )
        return friend

    async def all_at(self, seq: int) -> None:
        """Wait until everybody knows so much."""
        for friend in self.friends:
            await friend.until(lambda view: view["seq"] >= seq)

    async def acts(self, friend: Friend, page: Page | None = None) -> None:
        """Answer the decision that is due, and wait until all know of it."""
        seq = friend.newest["seq"]
        await self.chooses(friend, page or friend.page)
        await self.all_at(seq + 1)

    async def chooses(self, friend: Friend, page: Page) -> None:
        """Answer the decision that is due, by a click."""
        view = friend.newest
        match view["options"]["type"]:
            case "bid":
                spoken = any(call["bid"] != "pass" for call in view["auction"])
                bid = BIDS.get(view["match"]["deal"], "solissimo")
                await self.bids(page, "pass" if spoken else bid)
            case "call":
                await page.locator(".calls .option").first.click()
                await page.locator(".confirm").click()
            case "discard":
                await self.lays(page, view["options"]["count"])
                if view["options"]["give_back"]:
                    await self.lays(page, 1)
                await page.locator(".confirm").click()
            case _:
                await page.locator(".hand .card[aria-disabled=false]").first.click()

    async def bids(self, page: Page, bid: str) -> None:
        await page.locator(".bids").get_by_role("button", name=bid, exact=True).click()
        await page.locator(".confirm").click()

    async def lays(self, page: Page, count: int) -> None:
        """Choose so many cards more, from the right."""
        free = page.locator(".hand .card[aria-pressed=false]")
        for _ in range(count):
            await free.last.click()

    async def plays(self, count: int) -> None:
        """Let so many decisions be taken."""
        for _ in range(count):
            friend = await self.turn()
            tab = self.tabs.get(friend.seat)
            odd = len(friend.newest["hand"]) % 2
            await self.acts(friend, tab if odd else None)

    async def plays_to_the_end(self) -> None:
        while self.newest["turn"]:
            await self.plays(1)

    async def goes_on(self, *friends: Friend) -> None:
        """Ask for the next hand."""
        for friend in friends or self.friends:
            seq = self.newest["seq"]
            await friend.page.locator("[data-next]").click()
            await self.all_at(seq + 1)


async def reloads(friend: Friend) -> None:
    """Load the page anew: it shows what it showed."""
    page = friend.page
    before = await shown(page)
    await page.reload()
    await friend.back()
    assert await shown(page) == before


async def shown(page: Page) -> Json:
    """Return what a page tells of the table."""
    told: Json = await page.evaluate(
        """() => ({
          phase: document.querySelector("main").dataset.phase,
          status: document.querySelector("#status").textContent,
          seats: document.querySelector(".seats").innerText,
          facts: document.querySelector("dl.facts").innerText,
          cards: [...document.querySelectorAll(".hand .card, .played .card")]
            .map((e) => e.getAttribute("aria-label") ?? e.innerText),
          choice: document.querySelector(".choice")?.innerText ?? "",
          count: document.querySelector(".count")?.innerText ?? "",
        })"""
    )
    return told


async def away(game: Game, who: Friend) -> None:
    """The two others are told that somebody is away, and for how long."""
    for friend in game.friends:
        if friend is not who:
            seat = friend.page.locator(".seat", has_text=who.name)
            await expect(seat.locator(".away")).to_have_text(re.compile(r"away 0:\d\d"))


async def returns(game: Game, who: Friend) -> None:
    await who.plug()
    await who.back()
    for friend in game.friends:
        await expect(friend.page.locator(".away")).to_have_count(0)
    await game.all_at(game.newest["seq"])


def said_by(friend: Friend) -> list[Json]:
    """Return the actions that its pages have sent."""
    said = [frame.message for frame in friend.frames if frame.way == "out"]
    return [message for message in said if message["type"] == "action"]
