"""The screen of a phone stays on while a match is played and seen, and not longer."""

from typing import Final

from playwright.async_api import Page

from browser.conftest import Windows
from browser.moments import MOMENTS
from browser.puppet import Puppet

LOCKS: Final = """
window.locks = [];
window.refuse = false;
Object.defineProperty(navigator, "wakeLock", { value: {
  async request(type) {
    locks.push(`asked for ${type}`);
    if (refuse) throw new DOMException("low", "NotAllowedError");
    let held = true;
    const lock = { async release() { if (held) locks.push("let go"); held = false; } };
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") lock.release();
    });
    return lock;
  },
} });
let seen = "visible";
Object.defineProperty(document, "visibilityState", { get: () => seen });
window.turn = (to) => {
  seen = to;
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""A browser that can, told of here; it lets go when the page is hidden."""
ASKED: Final = "asked for screen"


async def done(page: Page) -> list[str]:
    """What was done with the screen since the last time."""
    told: list[str] = await page.evaluate(
        "new Promise((go) => setTimeout(() => go(locks.splice(0))))"
    )
    return told


async def puppet_of(open_page: Windows) -> Puppet:
    window = await open_page(None)
    await window.context.add_init_script(LOCKS)
    await window.go()
    return await Puppet.on(window)


async def test_the_screen_stays_on_while_a_match_is_played(open_page: Windows) -> None:
    puppet = await puppet_of(open_page)
    page = puppet.page
    await puppet.sit(MOMENTS["waiting, the host"]())
    assert await done(page) == []
    for moment in ("auction, you", "play, another", "thrown in", "count, won"):
        await puppet.show(MOMENTS[moment]())
        assert await done(page) == ([ASKED] if moment == "auction, you" else [])
    for over in ("finished, you", "closed"):
        await puppet.show(MOMENTS[over]())
        assert await done(page) == ["let go"]
        await puppet.show(MOMENTS["play, another"]())
        assert await done(page) == [ASKED]
    await puppet.close(4409)
    await page.locator(".banner[data-state=stopped]").wait_for()
    assert await done(page) == ["let go"]
    await puppet.sit(MOMENTS["play, another"]())
    assert await done(page) == [ASKED]
    await page.evaluate("location.hash = '#/rules'")
    await page.locator(".rule").first.wait_for()
    assert await done(page) == ["let go"]


async def test_it_is_kept_on_again_when_the_page_is_seen_again(
    open_page: Windows,
) -> None:
    puppet = await puppet_of(open_page)
    page = puppet.page
    await puppet.sit(MOMENTS["play, another"]())
    assert await done(page) == [ASKED]
    for _ in range(2):
        await page.evaluate("turn('hidden')")
        await puppet.show(MOMENTS["play, you follow"]())
        assert await done(page) == ["let go"]
        await page.evaluate("turn('visible')")
        assert await done(page) == [ASKED]
    # Refused it is not asked for at each drawing, but when the page is seen again.
    await page.evaluate("() => { turn('hidden'); window.refuse = true; }")
    await page.evaluate("turn('visible')")
    assert await done(page) == ["let go", ASKED]
    await puppet.show(MOMENTS["play, another"]())
    assert await done(page) == []


async def test_a_browser_that_cannot_is_left_alone(open_page: Windows) -> None:
    window = await open_page(None)
    await window.context.add_init_script("delete Navigator.prototype.wakeLock")
    await window.go()
    puppet = await Puppet.on(window)
    await puppet.sit(MOMENTS["play, you lead"]())
    assert not await puppet.page.evaluate("'wakeLock' in navigator")
