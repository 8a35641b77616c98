"""The page of the client's README: another origin, a join link, the first option."""

import asyncio
import json
import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
from playwright.async_api import Browser, expect

from client import Json, Server

CLIENT = Path(__file__).parents[2] / "clients" / "typescript"
BASE = "http://127.0.0.1:8000"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_told: object) -> None:
        """Say nothing."""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder with the client in it, and where it is served."""
    shutil.copy(CLIENT / "client.js", tmp_path)
    handler = partial(_Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        Thread(target=serving.serve_forever, daemon=True).start()
        yield tmp_path, f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


@pytest.fixture
def server(folder: tuple[Path, str], tmp_path: Path) -> Iterator[Server]:
    """A server that knows that origin."""
    _, origin = folder
    running = Server(
        tmp_path / "tables.sqlite3",
        TERZIGLIO_ORIGINS=json.dumps([origin]),
        TERZIGLIO_WEB_ORIGIN=origin,
    ).start()
    yield running
    assert running.stop() == 0


async def test_the_readmes_page_plays_from_another_origin(
    browser: Browser, folder: tuple[Path, str], server: Server
) -> None:
    place, origin = folder
    readme = (CLIENT / "README.md").read_text("utf-8")
    (html,) = re.findall(r"```html\n(.*?)```", readme, flags=re.DOTALL)
    (place / "index.html").write_text(html.replace(BASE, server.url))
    (asked,) = re.findall(r"-d '(.+)'", readme)
    context = await browser.new_context()
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as http:
        body = json.loads(asked) | {"pace_ms": 0}
        opened: Json = (await http.post("/v1/tables", json=body)).json()
        http.headers["Authorization"] = f"Bearer {opened['token']}"
        page = await context.new_page()
        # The link of the answer leads to the page itself.
        link = opened["invites"][0]["link"]
        assert link.startswith(f"{origin}/#/join/")
        await page.goto(link)
        await expect(page.locator("#hand")).to_have_text(
            re.compile(r"^(\w\w ){11}\w\w$")
        )
        bid = await spoken(http, f"/v1/tables/{opened['table']}")
        assert bid == "pass"  # the first option
    await context.close()


async def spoken(http: httpx.AsyncClient, path: str) -> str:
    """Pass at seat 0 until seat 1 has bid; return the bid."""
    view: Json = (await http.get(f"{path}/view")).json()
    async with asyncio.timeout(30):
        while True:
            for made in view["auction"]:
                if made["seat"] == 1:
                    bid: str = made["bid"]
                    return bid
            if view["options"] is not None:
                decision = view["turn"]["decision"]
                action = {"type": "bid", "bid": "pass"}
                said = {"id": decision, "decision": decision, "action": action}
                view = (await http.post(f"{path}/actions", json=said)).json()["view"]
                continue
            told = await http.get(f"{path}/view?after={view['seq']}&wait=10")
            view = told.json() if told.status_code == 200 else view
