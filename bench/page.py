"""Open the page as a phone on a slow line does: first paint, first use, bytes.

A server of its own, Chromium with a line of 1.6 Mbit/s down, 0.75 Mbit/s up and 150 ms
there and back, and a processor slowed down four times: what Lighthouse calls a phone on
slow 4G. Nothing is kept from one visit to the next.

    python bench/page.py --visits 5
"""

import argparse
import asyncio
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.async_api import Browser, async_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.chromium import FLAGS, executable
from client import Server

LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 0.75e6 / 8,
}
SLOWER = 4
LIMIT_KIB = 120


async def visit(browser: Browser, url: str) -> tuple[float, float, float]:
    """Return first paint and first use in seconds, and the bytes of it in KiB."""
    context = await browser.new_context(viewport={"width": 360, "height": 640})
    page = await context.new_page()
    wire = await context.new_cdp_session(page)
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda told: sizes.append(_size(told)))
    await wire.send("Network.enable")
    await wire.send("Network.emulateNetworkConditions", LINE)
    await wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.goto(url, wait_until="commit")
    await page.wait_for_selector("form button")
    used: float = await page.evaluate("() => performance.now()")
    painted: float = await page.evaluate(
        "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    await page.wait_for_load_state("networkidle")
    await context.close()
    return painted / 1000, used / 1000, sum(sizes) / 1024


def _size(told: dict[str, Any]) -> float:
    size: float = told["encodedDataLength"]
    return size


async def main(visits: int) -> None:
    """Print the medians of some visits."""
    with TemporaryDirectory() as folder:
        server = Server(Path(folder) / "tables.sqlite3").start()
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=executable(), args=list(FLAGS)
            )
            seen = [await visit(browser, server.url) for _ in range(visits)]
            await browser.close()
        server.stop()
    painted, used, sizes = zip(*seen, strict=True)
    print(f"first paint    {median(painted):.2f} s (most {max(painted):.2f}; aim 1)")
    print(f"a door to use  {median(used):.2f} s (most {max(used):.2f})")
    print(f"bytes          {max(sizes):.1f} KiB (aim {LIMIT_KIB})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--visits", type=int, default=5)
    asyncio.run(main(parser.parse_args().visits))
