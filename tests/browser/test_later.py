"""Parts of the page that come when they are first shown, and what if they do not."""

import re
from typing import Literal

import pytest
from playwright.async_api import Page, Route, expect

from browser.conftest import Windows
from browser.party import opens
from browser.window import Window

LOST = ("ERR_FAILED", "ERR_INTERNET_DISCONNECTED", "dynamically imported module")
"""What Chromium says of what does not come."""
TOLD = {
    "en": ("This part of the page did not come.", "Try again"),
    "it": ("Questa parte della pagina non è arrivata.", "Riprova"),
}
LATER = {"rules.js", "voice.js", "watch.js", "replay.js", "hindsight.js", "peer.js"}


def modules(window: Window) -> set[str]:
    """The modules that a page has asked for."""
    return {url.rpartition("/")[2] for url in window.requests if url.endswith(".js")}


async def lose(page: Page, *names: str) -> None:
    """Let these modules not come."""

    async def abort(route: Route) -> None:
        await route.abort()

    for name in names:
        await page.route(f"**/{name}", abort)


async def test_who_opens_the_page_does_not_wait_for_what_is_not_shown(
    open_page: Windows,
) -> None:
    window = await open_page()
    page = window.page
    await page.locator(".door").first.wait_for()
    assert len(modules(window)) > 20
    assert not modules(window) & LATER
    await page.get_by_role("link", name="Read the rules").click()
    await page.locator(".rule").first.wait_for()
    assert modules(window) & LATER == {"rules.js"}
    await page.go_back()
    await page.get_by_role("link", name="Watch a sample hand").click()
    await page.locator(".board").wait_for()
    assert modules(window) & LATER == LATER - {"voice.js", "peer.js"}


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize(
    ("fragment", "lost", "shown"),
    [("#/rules", "rules.js", ".rule"), ("#/sample", "replay.js", ".board")],
)
async def test_a_part_that_does_not_come_is_told_of_and_asked_for_again(
    open_page: Windows,
    lang: Literal["en", "it"],
    fragment: str,
    lost: str,
    shown: str,
) -> None:
    window = await open_page(locale={"en": "en-GB", "it": "it-IT"}[lang])
    window.allow(*LOST)
    page = window.page
    await page.locator(".door").first.wait_for()
    await lose(page, lost)
    await page.locator(f"a[href='{fragment}']").first.click()
    notice = page.locator("#main .notice")
    text, again = TOLD[lang]
    await expect(notice).to_contain_text(text)
    await window.axe()
    # The service is there: the page is loaded anew, to no avail, and says so again.
    async with page.expect_event("load"):
        await notice.get_by_role("button", name=again).click()
    await expect(notice).to_contain_text(text)
    await page.unroute(f"**/{lost}")
    await notice.get_by_role("button", name=again).click()
    await page.locator(shown).first.wait_for()
    assert page.url.endswith(fragment)


async def test_without_a_line_the_page_stays(open_page: Windows) -> None:
    window = await open_page()
    window.allow(*LOST)
    page = window.page
    await page.locator(".door").first.wait_for()
    await page.evaluate("() => { document.kept = true; }")
    await window.context.set_offline(True)
    await page.get_by_role("link", name="Read the rules").click()
    notice = page.locator("#main .notice")
    await expect(notice).to_contain_text(TOLD["en"][0])
    async with page.expect_event(
        "requestfailed", lambda request: "/meta/words/" in request.url
    ):
        await notice.get_by_role("button", name="Try again").click()
    await expect(notice).to_contain_text(TOLD["en"][0])
    # All else can be gone to and done.
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_label("Italiano").wait_for()
    await page.keyboard.press("Escape")
    await page.go_back()
    await page.locator(".door").first.wait_for()
    assert await page.evaluate("document.kept")


async def test_a_table_goes_on_without_the_part_for_voice(open_page: Windows) -> None:
    window = await open_page()
    window.allow(*LOST, "ERR_ABORTED")
    page = window.page
    await lose(page, "peer.js")
    await opens(window, voice=True)
    notice = page.get_by_role("region", name="Voice").locator(".notice")
    await expect(notice).to_contain_text(TOLD["en"][0])
    await expect(page.locator(".lobby .links input")).to_have_count(2)
    await window.axe()
    await page.unroute("**/peer.js")
    await notice.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("button", name="Join voice")).to_be_visible()
    await expect(page.locator(".lobby .links input").first).to_have_value(
        re.compile("#/join/")
    )
