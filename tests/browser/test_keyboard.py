"""A match to 7 at the computer table, from the first page on, by keyboard alone.

The page is looked at for what an eye sees; what is done is done by pressing keys. After
each key the focus is on something that is seen: see ``Keyboard``.
"""

import re

from playwright.async_api import Page, expect

from browser.conftest import Windows
from browser.dealt import seeded
from browser.keyboard import Keyboard

SEED = "34"
"""A match of seven hands: the player below is soloist in the first, and is handed the
card he calls; after the sixth hand two seats are on top with as many points."""
PLACES = "1234567890-="
DUE = """() => {
  const main = document.getElementById("main");
  if (main?.ariaBusy !== "false") return "";
  if (main.dataset.phase === "finished") return "finished";
  const choice = main.querySelector(".choice")?.dataset.type;
  if (choice) return choice;
  if (main.querySelector("#status[data-yours=true]")) return "play";
  return main.querySelector("[data-next][aria-disabled=false]") ? "count" : "";
}"""
"""For what the page waits; "" while it is not the player."""


class Player:
    """Bids chiamo whenever he may, lays his last cards, plays the first that he may."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = Keyboard(page)
        self.seen: set[str] = set()
        self.plays = 0

    async def due(self) -> str:
        """Wait until the page waits for the player; return for what."""
        due = await self.page.wait_for_function(DUE)
        await self.keys.check("waiting")
        told: str = await due.json_value()
        self.seen.add(told)
        return told

    async def bid(self) -> None:
        """At a tie the other two shall decide it."""
        first = await self.keys.to("pass")
        if not first.pressed and "confirmed nothing" not in self.seen:
            self.seen.add("confirmed nothing")
            assert (await self.keys.to("Confirm")).off
            await self.keys.press("Enter")
            assert await self.heard() == "Choose what you say."
            await self.keys.to("pass", key="Shift+Tab")
        offered = await self.page.locator(".bids .option").all_inner_texts()
        if "chiamo" in offered and "tie" not in self.seen:
            await self.keys.to("chiamo")
        assert (await self.keys.press("Enter")).pressed
        await self.confirm()

    async def call(self) -> None:
        """The first card on offer; on second thoughts another; no, the first."""
        options = self.page.locator(".calls .option")
        assert await options.count() == 28
        name = await options.first.locator(".unseen").text_content()
        assert name is not None
        await self.keys.to(name, key="Shift+Tab")
        await self.keys.press("Space")
        other = await self.keys.press("Tab")
        assert (await self.keys.press("Space")).pressed
        assert other.name in await self.sentence()
        assert not (await self.keys.press("Shift+Tab")).pressed
        await self.keys.press("Space")
        assert re.fullmatch("You call the .+", await self.sentence())
        await self.confirm()

    async def exchange(self) -> None:
        """Four down; some taken back, one by one or all; one to give back."""
        focus = await self.keys.to_hand()
        if "undone" not in self.seen:
            assert (await self.keys.press("Enter")).pressed
            assert (await self.keys.press("ArrowRight")).card != focus.card
            assert (await self.keys.press("Space")).pressed
            await self.keys.to("Undo", key="Shift+Tab")
            await self.keys.press("Enter")
            assert (await self.sentence()).startswith(
                ("Choose the four", "First choose")
            )
            self.seen.add("undone")
            await self.keys.to_hand()
        focus = await self.keys.press("End")
        for _ in range(4):
            assert (await self.keys.press("Enter")).pressed
            await self.keys.press("ArrowLeft")
        if focus.cards == 17:
            assert "Now choose the card that you give back to " in await self.sentence()
            assert (await self.keys.press("Space")).pressed
            assert re.search("You give back the .+ to .+", await self.sentence())
            self.seen.add("give back")
            await self.keys.press("ArrowRight")
            assert not (await self.keys.press("Space")).pressed
            assert (await self.sentence()).startswith("Choose one more")
            assert (await self.keys.press("Space")).pressed
        assert re.match("You lay .+ face down", await self.sentence())
        await self.confirm()

    async def play(self) -> None:
        """By the card's place or, now and then, along the hand."""
        barred = await self.page.locator(".hand .card").evaluate_all(
            "cards => cards.map((card) => card.ariaDisabled === 'true')"
        )
        if any(barred):
            focus = await self.keys.press(PLACES[barred.index(True)])
            assert focus.off
            assert "You must follow" in await self.heard()
            self.seen.add("refused")
        at = barred.index(False)
        self.plays += 1
        if self.plays % 4:
            await self.keys.press(PLACES[at])
            return
        await self.keys.to_hand()
        await self.keys.press("Home")
        for _ in range(at):
            assert (await self.keys.press("ArrowRight")).card
        await self.keys.press("Enter" if self.plays % 8 else "Space")

    async def dialogs(self) -> None:
        """What is shown over the table gives the focus back to where it was."""
        before = await self.keys.to_hand()
        for key, title in (("l", "Last trick"), ("s", "Scores"), ("H", "Help")):
            assert (await self.keys.press(key)).name == title
            assert (await self.keys.press("Tab")).name == "Close"
            assert (await self.keys.press("Escape")).card == before.card
        assert (await self.keys.press("?")).name == "Help"
        await self.keys.to("Close")
        assert (await self.keys.press("Enter")).card == before.card
        assert not (await self.keys.press("Tab")).card, "the hand is one stop"
        assert (await self.keys.press("Shift+Tab")).card == before.card
        await self.keys.to("Menu")
        assert (await self.keys.press("Enter")).name == "Menu"
        await self.keys.to("Settings")
        assert (await self.keys.press("Enter")).name == "Settings"
        assert (await self.keys.press("Escape")).name == "Menu"

    async def confirm(self) -> None:
        """Go to the button and press it."""
        assert not (await self.keys.to("Confirm")).off
        await self.keys.press("Enter")

    async def sentence(self) -> str:
        """What is to be confirmed, without the suits' symbols."""
        told = await self.page.locator("#sentence").inner_text()
        return re.sub("[♠♥♣♦]\ufe0e ", "", told)

    async def heard(self) -> str:
        """What was said last."""
        return (await self.page.get_by_role("alert").inner_text()).strip("\u00a0")


async def test_a_match_is_played_by_keyboard_alone(open_page: Windows) -> None:
    page = (await open_page(viewport={"width": 1280, "height": 800})).page
    await seeded(page, SEED)
    await expect(page.get_by_role("button", name="Deal")).to_be_visible()
    player = Player(page)
    keys = player.keys
    assert (await keys.press("Tab")).name == "To the table"
    await keys.to("7 points")
    assert (await keys.press("ArrowRight")).label == "11 points"
    assert (await keys.press("ArrowLeft")).label == "7 points"
    await keys.to("Deal")
    await keys.press("Enter")

    while (due := await player.due()) != "finished":
        match due:
            case "bid":
                await player.bid()
            case "call":
                await player.call()
            case "discard":
                await player.exchange()
            case "play":
                if not player.plays:
                    await player.dialogs()
                await player.play()
            case _:
                if await page.get_by_text("A tie at the top").count():
                    player.seen.add("tie")
                await keys.to("Next hand")
                await keys.press("Enter")

    assert player.seen >= {"bid", "call", "discard", "play", "count", "finished"}
    assert player.seen >= {"give back", "refused", "tie", "undone"}
    await expect(page.get_by_role("heading", level=1)).to_have_text(
        "Ada has won the match."
    )
    await keys.to("Rematch")
    await keys.press("Enter")
    await expect(page.locator("main[data-phase=auction]")).to_be_visible()
    assert await player.due() == "bid"
    assert await page.get_by_text("Deal 8").count()
