"""Each screen that is photographed: axe finds nothing, and nothing is too wide."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from browser.conftest import Windows
from browser.scene import Scene
from browser.screenshots import LOOKS, SCREENS, SIZES, Screen, scenes, settle, show
from client import Server

WIDER = """
() => [...document.querySelectorAll("*")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1
    && getComputedStyle(element).position !== "absolute"
    && !element.closest(".unseen, svg"))
  .map((element) => element.outerHTML.slice(0, 100))
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shown(server: Server) -> AsyncIterator[dict[str, Scene]]:
    """The tables that the screens show."""
    made = await scenes(server.url)
    yield made
    for scene in made.values():
        await scene.leave()


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
async def test_a_screen_is_whole_and_for_everybody(
    open_page: Windows, shown: dict[str, Scene], screen: Screen
) -> None:
    window = await open_page(None, reduced_motion="reduce", **SIZES["phone"])
    page = window.page
    await settle(window, "it", "light")
    await show(window, screen, shown)
    for look in LOOKS.values():
        await page.evaluate(
            "look => Object.assign(document.documentElement.dataset, look)", look
        )
        await window.axe()
    assert await page.evaluate(WIDER) == []
    await page.set_viewport_size(SIZES["desktop"]["viewport"])
    await window.axe()
    assert await page.evaluate(WIDER) == []
