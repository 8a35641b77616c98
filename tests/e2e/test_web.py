"""The page of this project, from a checkout and from the wheel."""

import asyncio
import json
import re
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets import ConnectionClosed, Origin
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from client import Server, open_table

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "examples" / "web"
UNSERVED = {".ts", ".md", ".json"}
"""Suffixes of the page's files that are for its developers."""
SERVED = [
    path.relative_to(PAGE).as_posix()
    for path in sorted(PAGE.rglob("*"))
    if path.is_file() and path.suffix not in UNSERVED
]


async def test_the_page_is_served_whole(server: Server) -> None:
    async with httpx.AsyncClient(base_url=server.url) as http:
        page = await http.get("/")
        assert page.content == (PAGE / "index.html").read_bytes()
        for name in SERVED:
            answer = await http.get(f"/{name}")
            assert answer.status_code == 200, name
            assert answer.headers["content-encoding"] == "gzip"
            assert answer.content == (PAGE / name).read_bytes()
            head = await http.head(f"/{name}")
            assert head.headers["content-length"] == answer.headers["content-length"]
            known = {"If-None-Match": answer.headers["etag"]}
            assert (await http.get(f"/{name}", headers=known)).status_code == 304
        client = await http.get("/clients/typescript/client.js")
    assert client.content == (ROOT / "clients/typescript/client.js").read_bytes()
    # The page says what it loads by relative addresses, and has an icon.
    loads = re.findall(r'(?:src|href)="([^"#]+)"', page.text)
    assert {*loads} <= {*SERVED, "../../clients/typescript/client.js"}
    assert re.search(r'<link rel="icon" href="icon\.svg"', page.text)


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/..%2f..%2fpyproject.toml", "/./../../etc/passwd"]
)
async def test_no_address_leads_out_of_the_page(server: Server, path: str) -> None:
    # By hand, for clients tidy addresses up before they send them.
    host, _, port = server.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, port)
    asked = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
    writer.write(asked.encode())
    async with asyncio.timeout(20):
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert b"problem+json" in answer


async def test_a_server_can_do_without_the_page(tmp_path: Path) -> None:
    running = Server(tmp_path / "tables.sqlite3", "--no-web").start()
    try:
        async with httpx.AsyncClient(base_url=running.url) as http:
            answer = await http.get("/")
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
            assert (await http.get("/docs")).status_code == 200
    finally:
        running.kill()


async def test_a_friend_on_the_same_network_is_let_in(tmp_path: Path) -> None:
    everywhere = ("--host", "0.0.0.0")  # noqa: S104 - as the host of a game would
    running = Server(tmp_path / "tables.sqlite3", *everywhere).start()
    port = running.url.rpartition(":")[2]
    try:
        # Every address of 127/8 is this machine's, as one of its network would be.
        for name in ("127.0.0.1", "127.0.0.2", "localhost"):
            at = f"http://{name}:{port}"
            opened = await open_table(at, mode="friends")
            assert opened["invites"][0]["link"].startswith(f"{at}/#/join/")
            assert await said_to_a_page(at, at, opened) == "welcome"
            for origin in (f"http://127.0.0.3:{port}", f"http://{name}:1", "null"):
                assert await said_to_a_page(origin, at, opened) == "bye 4403"
    finally:
        running.kill()


async def said_to_a_page(origin: str, at: str, opened: Json) -> str:
    """What the socket first says to a page of this origin."""
    url = at.replace("http", "ws", 1) + f"/v1/tables/{opened['table']}/ws"
    protocols = [Subprotocol("terziglio.v1")]
    async with connect(url, origin=Origin(origin), subprotocols=protocols) as socket:
        with suppress(ConnectionClosed):
            await socket.send(json.dumps({"type": "hello", "token": opened["token"]}))
        said: Json = json.loads(await socket.recv())
        if said["type"] == "bye":
            await socket.wait_closed()
            return f"bye {socket.close_code}"
        return str(said["type"])


def build(of: Path, target: str, into: Path) -> Path:
    """Build a distribution of a folder."""
    command = (sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into)
    done = subprocess.run(
        command, cwd=of, capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = into.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return built


SERVE = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
import httpx, terziglio_api
assert terziglio_api.__file__.startswith(sys.argv[1])
from terziglio_api.app import create_app
from terziglio_api.settings import Settings
async def main():
    transport = httpx.ASGITransport(create_app(Settings(database=None)))
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as http:
        for path in sys.argv[2:]:
            answer = await http.get(path)
            assert answer.status_code == 200, path
asyncio.run(main())
"""


def test_the_wheel_has_the_page_also_when_it_is_built_from_the_sources_archive(
    tmp_path: Path,
) -> None:
    archive = build(ROOT, "sdist", tmp_path / "sdist")
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path], check=True)  # noqa: S607
    unpacked = tmp_path / archive.name.removesuffix(".tar.gz")
    wheel = build(unpacked, "wheel", tmp_path / "wheel")
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
        opened.extractall(tmp_path / "installed")
    data = "terziglio_api/data"
    kept = {n for n in names if n.startswith(f"{data}/web/")}
    assert kept == {f"{data}/web/{name}" for name in SERVED}
    assert f"{data}/client.js" in names
    assert not any(n.startswith(("examples", "clients", "src", "tests")) for n in names)
    addresses = ["/", "/clients/typescript/client.js", *(f"/{n}" for n in SERVED)]
    installed = str(tmp_path / "installed")
    subprocess.run(
        [sys.executable, "-I", "-c", SERVE, installed, *addresses], check=True
    )
