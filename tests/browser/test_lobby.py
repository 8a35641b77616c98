"""Before a match, and after: links that are opened by anybody, at any time."""

import json
import re
from typing import Any

import httpx
import pytest
from playwright.async_api import Locator, Page, Route, expect

from browser.conftest import Windows
from browser.moments import MOMENTS, TABLE
from browser.party import opens
from browser.puppet import Puppet
from browser.window import Window
from client import Server

Json = dict[str, Any]
ABORTED = "ERR_ABORTED"
"""What was under way when a page was left."""
REFUSED = r"the server responded with a status of 4\d\d"
"""What Chromium's console says of a refusal."""


SEATS = ["Your seat", "The seat on your right", "The seat on your left"]


async def host(open_page: Windows, name: str = "Anna") -> tuple[Window, list[str]]:
    """Open a table; return the host's window and the fragments of the links."""
    window = await open_page()
    window.allow(ABORTED)
    await opens(window, name)
    return window, await fragments(window)


async def fragments(window: Window) -> list[str]:
    fields = window.page.locator(".lobby .links input")
    await fields.first.wait_for()
    links = [await field.input_value() for field in await fields.all()]
    return ["#" + link.partition("#")[2] for link in links]


async def sit(window: Window, name: str) -> None:
    window.allow(ABORTED)
    await window.page.get_by_label("Your name").fill(name)
    await window.page.get_by_role("button", name="Sit down").click()


def notice(page: Page) -> Locator:
    return page.locator(".notice")


async def test_the_lobby_is_the_same_after_a_reload(open_page: Windows) -> None:
    anna, links = await host(open_page)
    await anna.axe()
    await anna.page.reload()
    assert await fragments(anna) == links
    bruno = await open_page(links[0])
    await bruno.axe()
    await expect(bruno.page.locator("main")).to_contain_text(
        "Anna has invited you to a match to 7."
    )
    await sit(bruno, "Bruno")
    await expect(bruno.page.locator("main")).to_contain_text("Anna sits here")
    await expect(anna.page.locator(".lobby")).to_contain_text("Bruno sits here")
    await anna.page.get_by_role("button", name="Menu").click()
    await anna.page.get_by_role("button", name="The seats").click()
    await expect(anna.page.get_by_role("dialog").locator("input")).to_have_count(1)
    await anna.page.keyboard.press("Escape")
    # A used link is not shown any more; the other still is, after a reload too.
    for _ in range(2):
        assert await fragments(anna) == links[1:]
        await anna.page.reload()
    await bruno.page.reload()
    await expect(bruno.page.locator("main")).to_contain_text("nobody yet")
    # Each is told from where they sit; a number would be one more thing to explain.
    for window, seats in ((anna, SEATS), (bruno, [SEATS[2], *SEATS[:2]])):
        await expect(window.page.locator(".lobby .links b")).to_have_text(seats)
    await expect(anna.page.get_by_label(f"Link for {SEATS[2].lower()}")).to_be_visible()
    # No guest is shown a link.
    assert "tzi_" not in await bruno.page.content()
    await bruno.page.goto("about:blank")
    await expect(anna.page.locator(".lobby")).to_contain_text(
        re.compile(r"Bruno sits here, away 0:\d\d")
    )


@pytest.mark.parametrize("at", ["localhost", "127.0.0.1", "[::1]", "192.168.1.20"])
async def test_links_that_lead_to_each_friends_own_device(
    open_page: Windows, at: str
) -> None:
    """The service names itself as it was called: only this machine calls it so."""
    puppet = await Puppet.on(await open_page())
    link = f"http://{at}:8000/#/join/{TABLE}/tzi_x"
    invites = [{"seat": 1, "invite": "tzi_x", "link": link}]
    await puppet.sit(MOMENTS["waiting, the host"](), invites=invites)
    page = puppet.page
    await expect(page.locator(".lobby .links input")).to_have_value(link)
    told = page.locator(".lobby .home-only")
    if at.startswith("192"):
        await expect(told).to_have_count(0)
    else:
        await expect(told).to_contain_text(f"at {at} each friend's browser")
        await expect(told).to_contain_text("TERZIGLIO_HOST=0.0.0.0 make run")


async def test_a_link_that_was_used(open_page: Windows) -> None:
    anna, links = await host(open_page)
    bruno = await open_page(links[0])
    await sit(bruno, "Bruno")
    await bruno.page.locator(".lobby").wait_for()
    late = await open_page(links[0])
    late.allow(REFUSED)
    await sit(late, "Dora")
    await expect(late.page.locator("h1")).to_have_text("This seat is taken.")
    await expect(late.page.locator("main")).to_contain_text("Ask Anna for a new link")
    await expect(late.page.locator("#alert")).to_contain_text("Ask Anna for a new link")
    await expect(late.page.get_by_role("button", name="Sit down")).to_have_count(0)
    await expect(notice(late.page)).to_have_count(0)
    await late.axe()
    # Who sits there already is led to the table, whichever link it was.
    for window, link in ((bruno, links[0]), (bruno, links[1]), (anna, links[1])):
        await window.go(link)
        await expect(notice(window.page)).to_contain_text(
            "You have a seat at this table"
        )
        await window.page.locator(".lobby").wait_for()
        assert "#/table/" in window.page.url
    await expect(anna.page.locator(".lobby")).not_to_contain_text("Dora")


async def test_a_link_to_what_is_no_more(open_page: Windows, server: Server) -> None:
    anna, links = await host(open_page)
    bruno = await open_page(links[0])
    await sit(bruno, "Bruno")
    await anna.page.get_by_role("button", name="Menu").click()
    await anna.page.get_by_role("button", name="End the table").click()
    await (
        anna.page.get_by_role("dialog")
        .get_by_role("button", name="End the table")
        .click()
    )
    for window in (anna, bruno):
        await expect(window.page.locator("#status")).to_have_text(
            "The host has ended the table."
        )
        await expect(
            window.page.get_by_role("link", name="Another table")
        ).to_be_visible()
    late = await open_page(links[1])
    await expect(late.page.locator("main")).to_contain_text("The table is closed.")
    await late.axe()
    late.allow(REFUSED)
    await late.go("#/join/t_none/tzi_none")
    await expect(late.page.locator("main")).to_contain_text("There is no such table.")
    await late.page.get_by_role("link", name="Another table").click()
    await late.page.locator(".door").first.wait_for()


async def test_a_seat_at_a_table_that_is_gone(open_page: Windows) -> None:
    window, _ = await host(open_page)
    page = window.page
    seats = json.loads(await page.evaluate("localStorage['terziglio.seats']"))
    gone = [{**seats[0], "table": "t_gone"}]
    await page.evaluate(
        "(kept) => localStorage.setItem('terziglio.seats', kept)", json.dumps(gone)
    )
    await window.go("#/table/t_gone")
    await expect(page.locator(".banner")).to_contain_text("or the table is gone")
    await window.axe()
    await page.locator(".banner").get_by_role("link", name="Another table").click()
    await page.locator(".door").first.wait_for()
    await expect(page.locator(".mine")).to_have_count(0)


async def test_a_new_link_in_the_browser_of_the_void_seat(open_page: Windows) -> None:
    """It must not lead to the seat that is lost for ever."""
    anna, links = await host(open_page)
    bruno = await open_page(links[0])
    await sit(bruno, "Bruno")
    await bruno.page.locator(".lobby").wait_for()
    await bruno.page.goto("about:blank")
    await expect(anna.page.locator(".lobby")).to_contain_text("away")
    await anna.page.get_by_role("button", name="Menu").click()
    await anna.page.get_by_role("button", name="The seats").click()
    dialog = anna.page.get_by_role("dialog")
    await dialog.get_by_role("button", name="New link for Bruno").click()
    # For a moment the button stands there still, by now for a seat without a name.
    field = dialog.get_by_label("Link for the seat on your right", exact=True)
    link = await field.input_value()
    await anna.axe()
    await bruno.go("#" + link.partition("#")[2])
    await sit(bruno, "Bruno again")
    await expect(bruno.page.locator(".lobby")).to_contain_text("Bruno again sits here")


async def test_your_tables_come_first_with_who_sits_there(open_page: Windows) -> None:
    puppet = await Puppet.on(await open_page())
    page = puppet.page
    view = MOMENTS["play, another"]()
    others = [each["name"] for each in view["seats"]]
    others.pop(view["you"]["seat"])
    await puppet.sit(view)
    await puppet.window.go("#/")
    mine = page.locator(".mine li")
    await expect(mine).to_contain_text(f"with {' and '.join(others)}")
    above = await mine.bounding_box()
    below = await page.locator(".door").first.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"]


@pytest.mark.parametrize("door", ["host", "guest"])
async def test_names(open_page: Windows, door: str) -> None:
    link = (await host(open_page))[1][0] if door == "guest" else ""
    window = await open_page(link)
    window.allow(REFUSED)
    page = window.page
    field = page.get_by_label("Your name")
    button = page.get_by_role(
        "button", name="Sit down" if door == "guest" else "Open the table"
    )
    for name in ("   ", "a\u0007b", "a\u202eb", "x" * 33):
        # Past what the field itself refuses, which is less in other browsers.
        await field.evaluate("(field) => field.removeAttribute('maxlength')")
        await field.fill(name)
        await button.click()
        await expect(notice(page)).to_contain_text("A name has 1 to 32 characters")
        await notice(page).get_by_role("button", name="Close").click()
        await expect(field).to_have_value(name)
    await field.fill("  Zoë 🂡 ")
    await button.click()
    await expect(page.locator(".lobby")).to_contain_text("Zoë 🂡 sits here")


async def test_an_answer_that_got_lost(open_page: Windows) -> None:
    """The same wish again opens the same table, and takes the same seat."""
    lost: list[str] = []

    async def loses(route: Route) -> None:
        if route.request.method == "POST" and len(lost) % 2 == 0:
            lost.append(str((await route.fetch()).status))
            await route.abort("connectionreset")
        else:
            lost.append("let through")
            await route.continue_()

    anna = await open_page()
    anna.allow("ERR_CONNECTION_RESET", "failed: POST")
    await anna.page.route("**/v1/tables", loses)
    await opens(anna)
    await expect(notice(anna.page)).to_contain_text("The service was not reached.")
    await notice(anna.page).get_by_role("button", name="Try again").click()
    links = await fragments(anna)
    assert lost == ["201", "let through"]
    bruno = await open_page(links[0])
    bruno.allow("ERR_CONNECTION_RESET", "failed: POST")
    await bruno.page.route("**/claims", loses)
    await sit(bruno, "Bruno")
    await expect(notice(bruno.page)).to_contain_text("The service was not reached.")
    # Not by the notice's button: by the form's, which a person would press as well.
    await sit(bruno, "Bruno")
    await expect(bruno.page.locator(".lobby")).to_contain_text("Bruno sits here")
    assert lost[2:] == ["201", "let through"]


NOTHING_KEPT = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    get() { throw new DOMException("no", "SecurityError"); },
  });
"""


async def test_a_browser_that_keeps_nothing(open_page: Windows) -> None:
    anna = await open_page()
    anna.allow(ABORTED)
    await anna.context.add_init_script(NOTHING_KEPT)
    await opens(anna)
    links = await fragments(anna)
    bruno = await open_page()
    await bruno.context.add_init_script(NOTHING_KEPT)
    await bruno.go(links[0])
    await sit(bruno, "Bruno")
    await expect(bruno.page.locator(".lobby")).to_contain_text("Bruno sits here")
    await expect(anna.page.locator(".lobby")).to_contain_text("Bruno sits here")
    # It forgets the seat with the page; at the table's address it then says so.
    await bruno.page.reload()
    await expect(bruno.page.locator("h1")).to_have_text(NO_SEAT)


NO_SEAT = "This browser has no seat at that table."


async def test_a_tables_address_in_a_browser_without_a_seat(open_page: Windows) -> None:
    anna, _ = await host(open_page)
    other = await open_page("#" + anna.page.url.partition("#")[2])
    page = other.page
    await expect(page.locator("h1")).to_have_text(NO_SEAT)
    await expect(page.locator("main")).to_contain_text("ask who opened the table")
    await expect(page.locator("#alert")).to_contain_text(NO_SEAT)
    await other.axe()
    await page.get_by_role("link", name="To the first page").click()
    await page.locator(".door select").first.wait_for()


AN_HOUR_FAST = "const real = Date.now; Date.now = () => real() + 3_600_000;"


async def test_a_clock_runs_by_the_services_time(
    open_page: Windows, server: Server
) -> None:
    anna = await open_page()
    anna.allow(ABORTED)
    await anna.context.add_init_script(AN_HOUR_FAST)
    await opens(anna, clock={"decision_s": 600})
    bruno, carla = [await open_page(link) for link in await fragments(anna)]
    await sit(bruno, "Bruno")
    await sit(carla, "Carla")
    on_turn = anna.page.locator(".seat[data-turn]")
    await expect(on_turn).to_have_text(re.compile(r"time left (10:00|9:[1-5]\d)"))
    await expect(on_turn).not_to_have_text(await on_turn.inner_text())
    await carla.page.goto("about:blank")
    gone = anna.page.locator(".seat", has_text="Carla")
    await expect(gone).to_have_text(re.compile(r"away 0:\d\d"))
    # Who comes later is told since when, not since now.
    await expect(gone).to_have_text(re.compile(r"away 0:0[2-9]"))
    await anna.page.reload()
    await expect(gone).to_have_text(re.compile(r"away 0:(0[2-9]|[1-5]\d)"))


async def test_an_open_table_of_a_bot_shows_its_clock(
    open_page: Windows, server: Server
) -> None:
    async with httpx.AsyncClient(base_url=server.url) as http:
        wish = {"mode": "open", "name": "Robot", "kind": "bot"}
        seats = [{"kind": "link"}, {"kind": "computer"}]
        opened = await http.post(
            "/v1/tables", json={**wish, "seats": seats, "clock": {"decision_s": 600}}
        )
    (invite,) = opened.json()["invites"]
    window = await open_page("#" + invite["link"].partition("#")[2])
    await sit(window, "Anna")
    await window.page.locator("main[data-phase=auction]").wait_for()
    left = window.page.locator(".seat[data-turn]")
    await expect(left).to_have_text(re.compile(r"time left (10:00|9:[1-5]\d)"))
