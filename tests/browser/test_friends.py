"""Three friends play a match by links, through all that happens to lines and pages."""

import asyncio
import json
import re
from typing import Any, Final

import pytest
from playwright.async_api import Browser, Page, expect

from browser.agreement import agree
from browser.game import Game, away, reloads, returns, said_by, shown
from browser.party import Friend, party
from client import Server

SEED: Final = "friends 0"
"""Its first called card is in another hand, so that one is given back; four deals."""


@pytest.mark.timeout(400)
async def test_three_friends_play_a_match(browser: Browser, server: Server) -> None:
    async with party(browser, server.url, seed=SEED) as table:
        game = Game(table)
        await _first_deal(game)
        await _second_deal(game)
        await _third_deal(game)
        while game.newest["phase"] != "finished":
            await game.goes_on()
            await game.plays_to_the_end()
        await reloads(game.friends[2])
        await agree(game, server)


async def _first_deal(game: Game) -> None:
    """Somebody is offline in the auction, in the exchange, and within tricks."""
    carla = game.friends[2]
    first = await game.turn()
    gone = game.friends[(first.seat + 2) % 3]
    await gone.cut()
    await away(game, gone)
    await gone.axe()
    await first.axe()
    await game.chooses(first, first.page)
    await first.until(lambda view: view["turn"]["seat"] != first.seat)
    await returns(game, gone)
    await expect(gone.page.locator(".log")).to_contain_text(
        f"{first.name} bids chiamo."
    )
    await reloads(carla)
    await game.plays(2)
    await reloads(carla)
    assert game.newest["phase"] == "call"
    soloist = await game.turn()
    await game.acts(soloist)
    await _exchange(game, soloist, carla)
    await game.plays(4)
    for lost in (_click_is_lost, _answer_is_lost, _click_at_a_broken_line):
        await lost(game)
        await game.plays(3)
    await reloads(carla)
    await game.plays_to_the_end()
    assert game.newest["phase"] == "count"
    await reloads(carla)
    await game.goes_on(carla)
    await reloads(carla)
    await expect(carla.page.locator(".count")).to_contain_text("You have asked.")
    await game.goes_on(*game.friends[:2])


async def _exchange(game: Game, soloist: Friend, carla: Friend) -> None:
    """A choice that is half made stays; one that was confirmed comes through, once."""
    assert soloist.newest["options"]["give_back"]
    await reloads(carla)
    await game.lays(soloist.page, 3)
    await soloist.cut()
    await away(game, soloist)
    laid = soloist.page.locator(".hand .card[aria-pressed=true]")
    await soloist.page.locator(".hand .card[aria-pressed=false]").last.click()
    await expect(laid).to_have_count(3)
    await returns(game, soloist)
    await expect(laid).to_have_count(3)
    await game.lays(soloist.page, 2)
    await _swallowed(game, soloist, "up", soloist.page.locator(".confirm"))
    assert "give_back" in said_by(soloist)[-1]["action"]


async def _click_is_lost(game: Game) -> None:
    """It went out on a line that was dead already: it comes when the line is back."""
    friend = await game.turn()
    cards = friend.page.locator(".hand .card[aria-disabled=false]")
    await _swallowed(game, friend, "up", cards.first)


async def _answer_is_lost(game: Game) -> None:
    """The others have seen the card, the one who played it has not."""
    friend = await game.turn()
    cards = friend.page.locator(".hand .card[aria-disabled=false]")
    await _swallowed(game, friend, "down", cards.first)


async def _swallowed(game: Game, friend: Friend, way: Any, button: Any) -> None:
    seq, said = friend.newest["seq"], len(said_by(friend))
    friend.cable.freeze(way)
    await button.click()
    await expect(friend.page.locator(".banner")).to_contain_text("Sending")
    await friend.cable.swallowed.wait()
    # A second click, of somebody who sees nothing happen.
    await button.click(force=True)
    if way == "down":
        other = game.friends[(friend.seat + 1) % 3]
        await other.until(lambda view: view["seq"] > seq)
    await friend.cut()
    await returns(game, friend)
    await game.all_at(seq + 1)
    first, again = said_by(friend)[said:]
    assert first == again
    assert game.newest["seq"] == seq + 1


async def _click_at_a_broken_line(game: Game) -> None:
    """The page says that it is broken and takes no card; then it does."""
    friend = await game.turn()
    seq, said = friend.newest["seq"], len(said_by(friend))
    await friend.cut()
    card = friend.page.locator(".hand .card[aria-disabled=false]").first
    name = await card.get_attribute("data-card")
    await card.click()
    await returns(game, friend)
    assert len(said_by(friend)) == said
    assert game.newest["seq"] == seq
    await friend.page.locator(f".hand [data-card='{name}']").click()
    await game.all_at(seq + 1)
    assert len(said_by(friend)) == said + 1


async def _second_deal(game: Game) -> None:
    """All three pass; somebody loads the page anew while the cards are thrown in."""
    deal = game.newest["match"]["deal"]
    await game.plays(3)
    carla = game.friends[2]
    await expect(carla.page.locator("main")).to_have_attribute(
        "data-phase", re.compile("thrown_in|auction")
    )
    await carla.page.reload()
    await carla.back()
    for friend in game.friends:
        await friend.until(lambda view: view["match"]["deal"] == deal + 1)


async def _third_deal(game: Game) -> None:
    """A second tab plays along; a seat is given to another browser."""
    _, bruno, _ = game.friends
    tab = await bruno.context.new_page()
    await tab.goto(bruno.page.url)
    await tab.locator("main[data-phase=auction]").wait_for()
    game.tabs[bruno.seat] = tab
    await game.plays(3)
    while game.newest["phase"] != "play":
        await game.plays(1)
    await game.plays(6)
    assert await shown(tab) == await shown(bruno.page)
    await _both_tabs_at_once(game, bruno, tab)
    await tab.close()
    del game.tabs[bruno.seat]
    await _given_anew(game)
    await game.plays_to_the_end()


async def _both_tabs_at_once(game: Game, bruno: Friend, tab: Page) -> None:
    """Two cards for one decision: one is played, and the other tab is told."""
    cards = bruno.page.locator(".hand .card[aria-disabled=false]")
    while True:
        friend = await game.turn()
        if friend is bruno and await cards.count() > 1:
            break
        await game.plays(1)
    await expect(tab.locator(".status")).to_have_attribute("data-yours", "true")
    seq = bruno.newest["seq"]
    click = """(last) => [...document.querySelectorAll(".hand [aria-disabled=false]")]
      .at(last ? -1 : 0).click()"""
    await asyncio.gather(bruno.page.evaluate(click, False), tab.evaluate(click, True))
    await game.all_at(seq + 1)
    assert game.newest["seq"] == seq + 1
    for page in (bruno.page, tab):
        await expect(page.locator(".banner")).to_be_hidden()
    assert await shown(tab) == await shown(bruno.page)


async def _given_anew(game: Game) -> None:
    """Carla has lost her browser; the host makes a link for her new one."""
    anna, bruno, lost = game.friends
    await lost.cut()
    await away(game, lost)
    await anna.page.get_by_role("button", name="Menu").click()
    await anna.page.get_by_role("button", name="The seats").click()
    dialog = anna.page.get_by_role("dialog")
    await expect(
        dialog.get_by_role("listitem").filter(has_text="Bruno")
    ).to_contain_text("is here")
    await dialog.get_by_role("button", name="New link for Carla").click()
    link = await dialog.locator(".links input").input_value()
    found = await game.table.comes(lost.seat)
    await found.sit(link)
    await expect(dialog.locator(".links input")).to_have_count(0)
    await anna.page.get_by_role("button", name="Close").click()
    await game.all_at(game.newest["seq"])
    for friend in (anna, bruno):
        await expect(friend.page.locator(".away")).to_have_count(0)
    # Her old browser says what has become of it, and keeps nothing to come back with.
    await lost.plug()
    banner = lost.page.locator(".banner")
    await expect(banner).to_contain_text("the seat has a new link", timeout=40_000)
    kept = await lost.page.evaluate("localStorage.getItem('terziglio.seats')")
    assert json.loads(kept) == []
