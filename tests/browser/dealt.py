"""Tables whose deals are known: the same match in every run."""

import json
from typing import Any

from playwright.async_api import Page, Route

__all__ = ["seeded"]


async def seeded(page: Page, seed: str) -> None:
    """Let the table that the page opens be dealt from a seed, its players be quick."""

    async def opened(route: Route) -> None:
        wish: dict[str, Any] = json.loads(route.request.post_data or "{}")
        await route.continue_(post_data={**wish, "seed": seed, "pace_ms": 0})

    await page.route("**/v1/tables", opened)
