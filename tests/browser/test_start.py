"""The page opens without a fault, and the tests would see one."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from browser.conftest import Windows
from browser.window import Window
from client import Server


async def test_the_page_opens_without_a_fault(open_page: Windows) -> None:
    window = await open_page()
    await expect(window.page.get_by_role("heading").first).to_be_visible()
    assert await window.page.title() == "Terziglio"
    await window.axe()
    assert f"{window.url}/clients/typescript/client.js" in window.requests


def later(script: str) -> str:
    """A script that runs as the page's own would."""
    return f"setTimeout(() => {{ {script} }})"


POLICY = "Content Security Policy"


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ("console.warn('a warning')", "console warning: a warning"),
        ("console.error('an error')", "console error: an error"),
        (later("throw new Error('thrown')"), "page: thrown"),
        ("Promise.reject(new Error('left alone'))", "page: left alone"),
        ("fetch('/v1/tables/none').then(String)", "status of 404"),
        ("fetch('http://localhost:1/').catch(String)", POLICY),
        ("new WebSocket('ws://localhost:1/')", POLICY),
        ("new Image().src = 'data:image/png;base64,AA'", POLICY),
        (later("document.body.setAttribute('style', 'color: red')"), POLICY),
        (later("document.body.innerHTML = 'x'"), "'TrustedHTML'"),
        (later("setTimeout('1')"), "'TrustedScript'"),
        (later("document.body.setAttribute('onclick', '1')"), "'TrustedScript'"),
    ],
)
async def test_what_a_page_must_not_do_is_seen(
    browser: Browser, server: Server, planted: str, told: str
) -> None:
    assert told in "\n".join(await faults_of(browser, server, planted))


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ("fetch('http://localhost:1/').catch(String)", "off the host: http://loc"),
        ("new WebSocket('ws://localhost:1/')", "off the host: ws://localhost:1/"),
        ("open('http://localhost:1/')", "off the host: http://localhost:1/"),
    ],
)
async def test_a_request_off_the_host_is_seen_also_where_no_policy_stops_it(
    browser: Browser, server: Server, planted: str, told: str
) -> None:
    faults = await faults_of(browser, server, planted, bypass_csp=True)
    assert told in "\n".join(faults)


async def faults_of(
    browser: Browser, server: Server, planted: str, **options: Any
) -> list[str]:
    """What is seen of a fault that is planted in a page."""
    # Not by `open_page`, whose end would turn red.
    context = await browser.new_context(**options)
    window = Window(context, await context.new_page(), server.url)
    await window.go()
    async with asyncio.timeout(20):
        await window.page.evaluate(f"() => {{ {planted} }}")
        await window.seen()
    await window.close()
    faults = window.faults
    window.allow(".")
    assert window.faults == []
    return faults


async def test_axe_finds_what_is_wrong(open_page: Windows) -> None:
    window = await open_page()
    await expect(window.page.get_by_role("heading").first).to_be_visible()
    await window.page.evaluate(
        "() => document.querySelector('main').append(document.createElement('button'))"
    )
    with pytest.raises(AssertionError, match="button-name"):
        await window.axe()
