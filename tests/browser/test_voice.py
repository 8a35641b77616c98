"""Voice: three pages with false microphones talk each to each.

Chromium's own microphone beeps about once a second, and asks nobody.
"""

import asyncio
from collections.abc import Sequence
from itertools import permutations
from typing import Any, Final

import pytest
from playwright.async_api import Browser, expect

from browser.conftest import Windows
from browser.party import Friend, opens, party
from browser.talk import (
    PAIR,
    connected,
    figures,
    flows,
    heard,
    join,
    panel,
    signals,
    talk,
    told,
    tracks,
    until,
    watched,
)
from client import Server

Json = dict[str, Any]
PATIENCE_MS: Final = 20_000


async def test_three_friends_talk(browser: Browser, server: Server) -> None:
    async with party(browser, server.url, voice=True) as table:
        friends = table.friends
        anna, bruno, carla = friends
        await watched(friends)
        # No microphone before somebody asks for it.
        assert [await tracks(friend) for friend in friends] == [[], [], []]
        await join(anna)
        await expect(panel(bruno)).to_contain_text("Anna is in voice.")
        assert await tracks(bruno) == []
        await expect(told(anna, bruno)).to_contain_text("not in voice")
        await join(bruno)
        await join(carla)
        await connected(*friends)
        # A socket may say ten things a second, after a burst of forty.
        assert max(len(signals(friend)) for friend in friends) < 20
        await talk(*friends)
        for one, two in permutations(friends, 2):
            await expect(told(one, two)).to_contain_text("speaks", timeout=PATIENCE_MS)
        await anna.axe()
        live = {"kind": "audio", "enabled": True, "readyState": "live"}
        assert [await tracks(friend) for friend in friends] == [[live]] * 3
        await _mutes(anna, bruno, carla)
        await _leaves(bruno, anna, carla)


async def _mutes(who: Friend, *others: Friend) -> None:
    """Who mutes is not heard, but hears; and says again when it is over."""
    button = who.page.get_by_role("button", name="Mute")
    await button.click()
    await expect(button).to_have_attribute("aria-pressed", "true")
    assert [track["enabled"] for track in await tracks(who)] == [False]
    for other in others:
        await expect(told(other, who)).to_contain_text("connected, muted")
        await expect(told(other, who)).not_to_contain_text("speaks")
    # Silence is sent too. What the two others hear is one another alone.
    one, two = others
    # At first the last of what was said is still on its way.
    sound = await heard(one, two)
    async with asyncio.timeout(30):
        more = True
        while more:
            before = {other: await heard(other, who) for other in others}
            await talk(one, two, all_of=3)
            more = any([await heard(o, who) - before[o] > 1e-6 for o in others])
    async with asyncio.timeout(15):
        while await heard(one, two) <= sound:
            pass
    await button.click()
    assert [track["enabled"] for track in await tracks(who)] == [True]
    for other in others:
        await expect(told(other, who)).to_contain_text("speaks", timeout=PATIENCE_MS)


async def _leaves(who: Friend, *others: Friend) -> None:
    """Who leaves voice leaves nothing else, and may come back."""
    everyone = (who, *others)
    comings = [len(friend.heard("presence")) for friend in everyone]
    await who.page.get_by_role("button", name="Leave voice").click()
    await expect(panel(who)).to_have_attribute("data-stand", "out")
    assert await tracks(who) == [
        {"kind": "audio", "enabled": True, "readyState": "ended"}
    ]
    assert await figures(who.page) == []
    for other in others:
        await expect(told(other, who)).to_contain_text("not in voice")
    one, two = others
    await expect(panel(who)).to_contain_text(f"{one.name} and {two.name} are in voice.")
    await connected(*others)
    await talk(*others)
    # The table knows nothing of it.
    assert [len(friend.heard("presence")) for friend in everyone] == comings
    for friend in everyone:
        await expect(friend.page.locator(".banner")).to_be_hidden()
    await pass_all(everyone)
    await join(who)
    await connected(who, *others)
    await talk(who, *others)


async def pass_all(friends: Sequence[Friend]) -> None:
    """Let each pass in turn, once; it is the first's turn after that."""
    for _ in range(3):
        turns = [
            friend
            for friend in friends
            if await friend.page.locator(".status[data-yours=true]").count()
        ]
        (turn,) = turns
        await turn.page.locator(".bids").get_by_role("button", name="Pass").click()
        await turn.page.get_by_role("button", name="Confirm").click()
        await expect(turn.page.locator(".status[data-yours=true]")).to_have_count(0)


async def test_voice_comes_back(browser: Browser, server: Server) -> None:
    """After a reload, a broken line, in another tab, and not to a seat's old owner."""
    async with party(browser, server.url, voice=True) as table:
        friends = table.friends
        anna, bruno, carla = friends
        await watched(friends)
        # All at once, so that they make offers to one another at the same time.
        await asyncio.gather(*map(join, friends))
        await connected(*friends)
        await _reloads(carla, anna, bruno)
        await _breaks(anna, bruno, carla)
        await _moves(bruno, anna, carla)
        await _loses(carla, anna, bruno)


async def _reloads(who: Friend, *others: Friend) -> None:
    """It was muted, and is again: what the person chose holds."""
    await who.page.get_by_role("button", name="Mute").click()
    await who.page.reload()
    await connected(who, *others)
    for other in others:
        await expect(told(other, who)).to_contain_text("muted")
    assert [track["enabled"] for track in await tracks(who)] == [False]
    await who.page.get_by_role("button", name="Mute").click()
    await talk(who, *others)


async def _breaks(who: Friend, goes: Friend, stays: Friend) -> None:
    """Sound needs no table; who joined meanwhile is heard when the line is back."""
    made = await who.page.evaluate("connections.length")
    await who.cut()
    await talk(who, stays, all_of=3)
    await goes.page.get_by_role("button", name="Leave voice").click()
    await join(goes)
    await connected(goes, stays)
    await who.plug()
    await who.back()
    await connected(who, goes, stays)
    await talk(who, goes, stays)
    # With who stayed it is the connection that it was.
    assert await who.page.evaluate("connections.length") == made + 1


async def _moves(who: Friend, *others: Friend) -> None:
    """One voice for a seat: the newer tab has it."""
    tab = await who.context.new_page()
    await tab.goto(who.page.url)
    await tab.get_by_role("button", name="Join voice").click()
    await expect(panel(who)).to_contain_text("You have joined in another page")
    assert await figures(who.page) == []
    await connected(*others)
    for other in others:
        await until(other.page, 2, flows)
    await tab.close()
    for other in others:
        await expect(told(other, who)).to_contain_text("not in voice")
    await join(who)
    await connected(who, *others)


async def _loses(who: Friend, host: Friend, other: Friend) -> None:
    """A seat that was given a new link is not heard by whoever had it."""
    await who.cut()
    await expect(host.page.locator(".away")).to_contain_text("away 0:")
    await host.page.get_by_role("button", name="Menu").click()
    await host.page.get_by_role("button", name="The seats").click()
    await host.page.get_by_role("button", name=f"New link for {who.name}").click()
    await host.page.get_by_role("dialog").locator(".links input").wait_for()
    for friend in (host, other):
        assert len(await figures(friend.page)) == 1
    await who.plug()
    await expect(who.page.locator(".banner")).to_contain_text("the seat has a new link")
    assert await figures(who.page) == []
    assert (await tracks(who))[-1]["readyState"] == "ended"


@pytest.mark.parametrize(
    ("thrown", "told"),
    [
        (
            "new DOMException('', 'NotAllowedError')",
            "Allow it in the browser's settings",
        ),
        ("new DOMException('', 'NotFoundError')", "No microphone was found."),
        ("new DOMException('', 'NotReadableError')", "another program may be using it"),
        (None, "only to pages that came by https"),
    ],
)
async def test_a_microphone_that_does_not_come(
    open_page: Windows, server: Server, thrown: str | None, told: str
) -> None:
    window = await open_page()
    change = (
        f"navigator.mediaDevices.getUserMedia = async () => {{ throw {thrown} }}"
        if thrown
        else "Object.defineProperty(navigator, 'mediaDevices', { value: undefined })"
    )
    await opens(window, voice=True)
    await window.page.locator(".voice").wait_for()
    await window.page.evaluate(f"() => {{ {change} }}")
    button = window.page.get_by_role("button", name="Join voice")
    await button.click()
    await expect(window.page.locator(".voice .trouble")).to_contain_text(told)
    await window.axe()
    # The table is as it was, and the button too.
    await expect(button).to_be_enabled()
    await expect(window.page.locator(".lobby .links input")).to_have_count(2)


async def test_both_may_offer_at_once(open_page: Windows) -> None:
    """Whichever seat is polite gives way, and sound goes on over the new way."""
    window = await open_page()
    await window.page.evaluate(PAIR)
    for _ in range(3):
        before = await window.page.evaluate("ways()")
        await window.page.evaluate("pair.forEach(({ pc }) => pc.restartIce())")
        async with asyncio.timeout(15):
            while set(await window.page.evaluate("ways()")) & set(before):
                pass
        await window.page.wait_for_function(
            """() => pair.every(({ pc, stand }) =>
                 stand === "connected" && pc.signalingState === "stable")"""
        )
