"""Every screen of the page by its name, and how it is come to.

``await SHOWS["play, another"](puppet)`` shows it; what a test then looks for, in which
language, look and size, is the test's. Nothing here waits for a game.
"""

import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from playwright.async_api import Route, expect

from browser.moments import MOMENTS, NAMES, TABLE
from browser.puppet import Puppet

__all__ = ["DIALOGS", "SHOWS", "problem", "refused_open"]

Json = dict[str, Any]
Show = Callable[[Puppet], Awaitable[None]]
DIALOGS: Final = ("scores", "last", "log", "help", "settings", "host", "end")
"""What the menu leads to, in the order of its buttons."""
_TABLES: Final = "**/v1/tables"


async def _go(at: str, shows: str, puppet: Puppet) -> None:
    await puppet.window.go(at)
    await puppet.page.locator(shows).first.wait_for()


async def _doors(puppet: Puppet) -> None:
    """With a table to come back to."""
    await puppet.sit(MOMENTS["play, another"]())
    await _go("#/", ".mine", puppet)


async def _join(puppet: Puppet) -> None:
    seats = MOMENTS["waiting, the host"]()["seats"]
    summary = {
        "table": TABLE,
        "seq": 1,
        "mode": "friends",
        "phase": "waiting",
        "seats": seats,
        "target": 7,
        "scores": [0, 0, 0],
        "closed": False,
    }
    await puppet.page.evaluate("localStorage.removeItem('terziglio.seats')")
    await puppet.page.route(f"{_TABLES}/{TABLE}", partial(_json, summary))
    await _go(f"#/join/{TABLE}/tzi_x", "form", puppet)
    await expect(puppet.page.locator("form p").first).to_contain_text(NAMES[0])


async def _json(body: Json, route: Route) -> None:
    await route.fulfill(status=200, json=body)


async def _moment(name: str, puppet: Puppet) -> None:
    more: Json = {}
    if name == "waiting, the host":
        link = f"{puppet.window.url}/#/join/{TABLE}/tzi_" + "x" * 43
        more["invites"] = [{"seat": 1, "invite": "tzi_", "link": link}]
    await puppet.sit(MOMENTS[name](), **more)


async def _drafted(name: str, choices: int, puppet: Puppet) -> None:
    """What is chosen, before it is confirmed; the last cards of a hand."""
    await puppet.sit(MOMENTS[name]())
    options = puppet.page.locator(".choice .option")
    cards = puppet.page.locator(".hand .card")
    if await options.count():
        await options.nth(choices).click()
        return
    count = await cards.count()
    for at in range(choices):
        await cards.nth(count - 1 - at).click()


async def _dialog(name: str, puppet: Puppet) -> None:
    view = MOMENTS["play, another leads"]()
    assert view["you"]["host"]
    await puppet.sit(view, hands=[1])
    await puppet.page.locator("header nav button").last.click()
    if name != "menu":
        await puppet.page.locator(".menu button").nth(DIALOGS.index(name)).click()
    await expect(puppet.page.locator("dialog[open] #dialog-title")).to_be_focused()


async def _plain_dialog(place: int, puppet: Puppet) -> None:
    """Help and settings at the doors."""
    await _go("#/", "main", puppet)
    await puppet.page.locator("header nav button").nth(place).click()
    await puppet.page.locator("dialog[open]").wait_for()


def problem(code: str, status: int = 409, **more: Any) -> Json:
    """What the service says when it refuses something over HTTP."""
    return {
        "type": f"/v1/meta/codes#{code}",
        "title": code,
        "status": status,
        "detail": code,
        "instance": "/",
        "code": code,
        "params": {},
        **more,
    }


async def refused_open(puppet: Puppet, told: Json) -> None:
    """Ask for a computer table; it is refused."""

    async def refuse(route: Route) -> None:
        await route.fulfill(
            status=told["status"],
            body=json.dumps(told),
            content_type="application/problem+json",
        )

    puppet.window.allow("status of [45]")
    await puppet.page.route(_TABLES, refuse)
    await puppet.page.locator(".door button.main").first.dispatch_event("click")
    await puppet.page.locator(f".notice[data-code={told['code']}]").wait_for()
    await puppet.page.unroute(_TABLES)


async def _refused_door(puppet: Puppet) -> None:
    await _go("#/", "main", puppet)
    params = {"retry_s": 7}
    await refused_open(puppet, problem("overloaded", 503, params=params))


async def _refused(puppet: Puppet) -> None:
    await puppet.sit(MOMENTS["play, you lead"]())
    params = {"led": "H", "held": 2}
    why = {"code": "must_follow_suit", "params": params}
    puppet.answer = {"code": "illegal_action", "params": {}, "detail": "", "why": why}
    await puppet.page.locator(".hand .card").first.click()
    await puppet.page.locator(".notice").wait_for()
    puppet.answer = None


async def _sending(puppet: Puppet) -> None:
    await puppet.sit(MOMENTS["play, you lead"]())
    await puppet.page.locator(".hand .card").first.click()
    await puppet.page.locator(".banner:not([hidden])").wait_for()


async def _closed(code: int, puppet: Puppet) -> None:
    await puppet.sit(MOMENTS["play, you lead"]())
    await puppet.close(code)
    await puppet.page.locator(".banner:not([hidden])").wait_for()


async def _away(puppet: Puppet) -> None:
    view = MOMENTS["play, another"]()
    view["seats"][1]["present"] = False
    await puppet.sit(view)
    since = "2026-01-01T00:00:00Z"
    puppet.say({"type": "presence", "seat": 1, "present": False, "since": since})
    await puppet.page.locator(".away").first.wait_for()


async def _confirmed(puppet: Puppet) -> None:
    """A card is confirmed before it is played; the computer has been asked."""
    view = MOMENTS["play, you follow"]()
    view["mode"] = "computer"
    card = view["options"]["cards"][0]
    hint = {
        "seq": view["seq"],
        "decision": view["turn"]["decision"],
        "action": {"type": "play", "card": card},
        "reason": "most_chances",
        "chances": [{"card": card, "win": 0.625, "swing": 1.5}],
    }
    lang = await puppet.page.evaluate("document.documentElement.lang")
    await puppet.language(lang, hints="on", confirm="on")
    await puppet.page.route(f"{_TABLES}/{TABLE}/hint", partial(_json, hint))
    await puppet.sit(view)
    await puppet.page.locator(f".hand [data-card='{card}']").click()
    await puppet.page.locator(".choice .plain").first.click()
    await puppet.page.locator(".hint").wait_for()
    await puppet.page.evaluate(
        "localStorage.setItem('terziglio.settings', JSON.stringify({ "
        "...JSON.parse(localStorage.getItem('terziglio.settings')), "
        "hints: 'off', confirm: 'off' }))"
    )


async def _voice(puppet: Puppet) -> None:
    await puppet.sit(MOMENTS["play, another"]() | {"voice": True})
    await puppet.page.locator(".voice-join").wait_for()


async def _missing(puppet: Puppet) -> None:
    """A part of the page that did not come."""

    async def lose(route: Route) -> None:
        await route.abort()

    puppet.window.allow("ERR_FAILED", "dynamically imported module")
    await puppet.page.route("**/rules.js", lose)
    await _go("#/rules", "main .notice", puppet)
    await puppet.page.unroute("**/rules.js")


SHOWS: Final[dict[str, Show]] = {
    "doors": partial(_go, "#/", "main"),
    "doors, a table of yours": _doors,
    "doors, help": partial(_plain_dialog, 0),
    "doors, settings": partial(_plain_dialog, 1),
    "doors, refused": _refused_door,
    "join": _join,
    "rules": partial(_go, "#/rules", "main h2"),
    "rules, missing": _missing,
    "sample": partial(_go, "#/sample", "main .told"),
    **{name: partial(_moment, name) for name in MOMENTS},
    "auction, chosen": partial(_drafted, "auction, you", 1),
    "call, chosen": partial(_drafted, "call, you", 3),
    "exchange, some chosen": partial(_drafted, "exchange, you", 3),
    "exchange, all chosen": partial(_drafted, "exchange, you, one back", 5),
    "play, refused": _refused,
    "play, sending": _sending,
    "play, voice": _voice,
    "away": _away,
    "line, broken": partial(_closed, 4508),
    "line, replaced": partial(_closed, 4409),
    "line, stopped": partial(_closed, 4426),
    "menu": partial(_dialog, "menu"),
    **{f"menu, {name}": partial(_dialog, name) for name in DIALOGS},
    "play, confirmed, with a hint": _confirmed,
}
"""The page's screens; the last one leaves settings that the next load forgets."""
