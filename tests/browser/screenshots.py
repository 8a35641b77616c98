"""Pictures of the page: each screen, in both languages, in each look, at two sizes.

    make screenshots
    PYTHONPATH=tests python -m browser.screenshots play count --look dark --size phone

They go to ``docs/images`` and are there to be looked at; those that a page of the
documentation shows are committed, the others are not.
"""

import argparse
import asyncio
import io
import json
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.async_api import Browser, async_playwright

from browser.chromium import FLAGS, executable
from browser.scene import Scene, choosing, in_phase, staged, waiting
from browser.window import ROOT, Window
from client import Server
from support import golden
from terziglio.actions import Phase

__all__ = ["LOOKS", "SCREENS", "SIZES", "Screen", "scenes", "settle", "show"]

Json = dict[str, Any]
LANGUAGES: Final = ("en", "it")
LOOKS: Final[dict[str, Json]] = {
    "light": {"scheme": "light"},
    "dark": {"scheme": "dark"},
    "contrast": {"scheme": "light", "contrast": "high"},
}
"""Settings of the page by the name of the look."""
SIZES: Final[dict[str, Json]] = {
    "phone": {"viewport": {"width": 360, "height": 640}, "has_touch": True},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
"""What a browser's context is made with, by the name of the size."""
COLOURS: Final = 128
"""Of a picture; the page has few, and it is smaller by half."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What is shown: a fragment or a scene, and what is clicked there."""

    name: str
    at: str = ""
    """A fragment of the address, or the name of a scene."""
    clicks: tuple[str, ...] = ()
    """Selectors of what is clicked, one after the other."""
    shows: str = "main"
    """Selector of what is there when all is there."""


SCREENS: Final = (
    Screen("doors", "#/"),
    Screen("settings", "#/", ("header nav button >> nth=1",), "dialog[open]"),
    Screen("help", "#/", ("header nav button >> nth=0",), "dialog[open]"),
    Screen("rules", "#/rules"),
    Screen("sample", "#/sample"),
    Screen("lobby", "lobby", (), "main[data-phase=waiting]"),
    Screen("auction", "auction", (), "main[data-phase=auction]"),
    Screen("call", "call", (), "main[data-phase=call]"),
    Screen("exchange", "exchange", (), "main[data-phase=exchange]"),
    Screen("play", "play", (), "main[data-phase=play]"),
    Screen("last", "play", ("header nav button >> nth=0",), "dialog[open]"),
    Screen("menu", "play", ("header nav button >> nth=1",), "dialog[open]"),
    Screen("count", "count", (), "main[data-phase=count]"),
    Screen("finished", "finished", (), "main[data-phase=finished]"),
)


async def scenes(url: str) -> dict[str, Scene]:
    """Open the tables that are shown, with everybody present."""
    hand, end = golden("chiamo_won_cappotto"), golden("solissimo_won_stramazzo")
    made = {
        "lobby": await waiting(url),
        "auction": await staged(url, hand, in_phase(Phase.AUCTION)),
        "call": await staged(url, hand, in_phase(Phase.CALL)),
        "exchange": await staged(url, hand, in_phase(Phase.EXCHANGE)),
        "play": await staged(url, hand, choosing),
        "count": await staged(url, hand),
        "finished": await staged(url, end),
    }
    for scene in made.values():
        await scene.others_come()
    return made


async def settle(window: Window, lang: str, look: str) -> None:
    """Keep the settings of a language and a look in the window's browser."""
    settings = {"lang": lang, "motion": "none", **LOOKS[look]}
    text = json.dumps(json.dumps(settings))
    await window.context.add_init_script(
        "if (location.protocol.startsWith('http'))"
        f" localStorage.setItem('terziglio.settings', {text})"
    )


async def show(window: Window, screen: Screen, shown: dict[str, Scene]) -> None:
    """Go to a screen, and wait until all of it is there."""
    scene = shown.get(screen.at)
    if scene is None:
        await window.go(screen.at)
    else:
        await scene.sit(window)
    page = window.page
    await page.locator("main").wait_for()
    for selector in screen.clicks:
        await page.locator(selector).click()
    await page.locator(screen.shows).wait_for()


def small(picture: bytes) -> bytes:
    """Return a picture with few colours, and so in few bytes."""
    written = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(written, "PNG", optimize=True)
    return written.getvalue()


async def take_all(
    browser: Browser,
    url: str,
    screens: Iterable[Screen],
    looks: Iterable[tuple[str, str, str]],
    into: Path,
) -> list[str]:
    """Take the pictures; return what the page did wrong meanwhile."""
    shown = await scenes(url)
    faults: list[str] = []
    for size, look, lang in looks:
        context = await browser.new_context(reduced_motion="reduce", **SIZES[size])
        window = Window(context, await context.new_page(), url)
        await settle(window, lang, look)
        for screen in screens:
            name = f"{screen.name}-{size}-{look}-{lang}.png"
            await show(window, screen, shown)
            picture = await window.page.screenshot(animations="disabled")
            await asyncio.to_thread((into / name).write_bytes, small(picture))
        await window.close()
        faults += [f"{size} {look} {lang}: {fault}" for fault in window.faults]
    for scene in shown.values():
        await scene.leave()
    return faults


def asked() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="browser.screenshots", description=__doc__)
    names = [screen.name for screen in SCREENS]
    parser.add_argument("screens", nargs="*", metavar="SCREEN", help=", ".join(names))
    parser.add_argument("--lang", action="append", choices=LANGUAGES)
    parser.add_argument("--look", action="append", choices=LOOKS)
    parser.add_argument("--size", action="append", choices=SIZES)
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "images")
    given = parser.parse_args()
    for name in given.screens:
        if name not in names:
            parser.error(f"no screen {name!r}: {', '.join(names)}")
    return given


async def main() -> int:
    """Take the pictures that are asked for; return the exit status."""
    given = asked()
    screens = [s for s in SCREENS if s.name in given.screens or not given.screens]
    looks = product(given.size or SIZES, given.look or LOOKS, given.lang or LANGUAGES)
    given.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "tables.sqlite3", "--dev").start()
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=executable(), args=list(FLAGS)
                )
                faults = await take_all(browser, server.url, screens, looks, given.into)
                await browser.close()
        finally:
            server.kill()
    for fault in faults:
        print(fault, file=sys.stderr)  # noqa: T201 - a script's answer
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
