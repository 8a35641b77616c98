"""The page's files: which are served, as what, how often, and nothing beside them."""

import gzip
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from terziglio_api import web
from terziglio_api.app import create_app
from terziglio_api.settings import Settings

MODULE = "export const seats = 3; // " + "x" * 500 + "\n"
FILES = {
    "index.html": "<!doctype html><title>Page</title>",
    "main.js": MODULE,
    "style.css": "body { color: black }",
    "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "vendor/lib/lib.js": "export {};",
    "vendor/lib/LICENSE": "Licence",
}
UNSERVED = {
    "vendor/lib/lib.d.ts": "export {};",
    "tsconfig.json": "{}",
    "README.md": "# Page",
    ".hidden": "",
    "main.test.mjs": "",
}
BESIDE = "a file beside the page"
TYPES = {
    "/": "text/html; charset=utf-8",
    "/index.html": "text/html; charset=utf-8",
    "/main.js": "text/javascript; charset=utf-8",
    "/style.css": "text/css; charset=utf-8",
    "/icon.svg": "image/svg+xml",
    "/vendor/lib/lib.js": "text/javascript; charset=utf-8",
    "/vendor/lib/LICENSE": "text/plain; charset=utf-8",
    "/clients/typescript/client.js": "text/javascript; charset=utf-8",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page, with files beside it that are not of it."""
    folder = tmp_path / "page"
    for name, text in {**FILES, **UNSERVED, "../beside.js": BESIDE}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "client.js").write_text(MODULE)
    monkeypatch.setattr(web, "place", lambda: web.Place(folder, tmp_path / "client.js"))
    return folder


def client(**changed: Any) -> httpx.AsyncClient:
    """A client of an application, which asks for nothing compressed."""
    transport = httpx.ASGITransport(create_app(Settings(database=None, **changed)))
    return httpx.AsyncClient(
        transport=transport,
        base_url="http://example",
        headers={"Accept-Encoding": "identity"},
    )


@pytest.mark.usefixtures("folder")
async def test_each_file_is_served_as_what_it_is() -> None:
    async with client() as http:
        for path, media in TYPES.items():
            answer = await http.get(path)
            assert answer.status_code == 200, path
            assert answer.headers["content-type"] == media
            headers = answer.headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == "no-cache"
            assert headers["vary"] == "Accept-Encoding"
            # What only a document obeys is not sent with each of its parts.
            part = media.startswith(("text/css", "text/javascript"))
            assert headers.get("content-security-policy") == (
                None if part else web.POLICY
            )
            assert headers.get("referrer-policy") == (None if part else "no-referrer")
            assert (
                "microphone=(self)" in headers.get("permissions-policy", "")
            ) != part
            assert headers["content-length"] == str(len(answer.content))
            head = await http.head(path)
            assert (head.status_code, head.headers) == (200, headers)
        assert (await http.get("/")).text == FILES["index.html"]
        assert (await http.get("/main.js")).text == MODULE


def test_the_policy_allows_the_page_its_own_files_and_no_more() -> None:
    parts = dict(part.split(" ", 1) for part in web.POLICY.split("; "))
    assert parts.pop("require-trusted-types-for") == "'script'"
    assert parts.pop("trusted-types") == "lit-html"
    assert parts.pop("default-src") == "'none'"
    assert {*parts.values()} == {"'self'", "'none'"}
    assert parts["frame-ancestors"] == parts["base-uri"] == "'none'"


@pytest.mark.usefixtures("folder")
async def test_nothing_else_is_served() -> None:
    async with client() as http:
        for path in (
            *(f"/{name}" for name in UNSERVED),
            "/vendor",
            "/vendor/",
            "/vendor/lib/",
            "/../beside.js",
            "/%2e%2e/beside.js",
            "/vendor/..%2f..%2fbeside.js",
            "/..%5cbeside.js",
            "//etc/passwd",
            "/main.js%00.css",
            "/MAIN.JS",
            "/clients/typescript/",
            "/clients/typescript/client.d.ts",
            "/clients/typescript/example.js",
            "/favicon.ico",
        ):
            answer = await http.get(path)
            assert answer.status_code == 404, path
            assert answer.json()["code"] == "not_found"
            assert BESIDE not in answer.text
        answer = await http.post("/main.js")
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
        answer = await http.post("/nothing.js")
        assert answer.status_code == 404


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1, GZIP ; q=0.5", True),
        ("*", True),
        ("identity", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("x-gzipped", False),
    ],
)
async def test_text_is_sent_compressed_to_who_takes_it(
    accepted: str, packed: bool
) -> None:
    async with client() as http:
        headers = {"Accept-Encoding": accepted}
        async with http.stream("GET", "/main.js", headers=headers) as answer:
            sent = b"".join([part async for part in answer.aiter_raw()])
    assert (answer.headers.get("content-encoding") == "gzip") is packed
    assert int(answer.headers["content-length"]) == len(sent)
    assert (gzip.decompress(sent) if packed else sent).decode() == MODULE
    assert (len(sent) < 200) is packed


@pytest.mark.usefixtures("folder")
async def test_what_a_browser_has_is_not_sent_again() -> None:
    async with client() as http:
        plain = (await http.get("/main.js")).headers["etag"]
        takes = {"Accept-Encoding": "gzip"}
        packed = (await http.get("/main.js", headers=takes)).headers["etag"]
        other = (await http.get("/style.css")).headers["etag"]
        assert len({plain, packed, other}) == 3
        assert re.fullmatch(r'"[0-9a-f]{16}"', plain)
        for known in (plain, f"W/{plain}", f'"x", {plain}', "*"):
            answer = await http.get("/main.js", headers={"If-None-Match": known})
            assert (answer.status_code, answer.content) == (304, b"")
            assert answer.headers["etag"] == plain
            assert answer.headers["cache-control"] == "no-cache"
            assert answer.headers["vary"] == "Accept-Encoding"
            assert "content-length" not in answer.headers
        for known in (packed, other, plain.strip('"'), ""):
            answer = await http.get("/main.js", headers={"If-None-Match": known})
            assert answer.status_code == 200


async def test_who_writes_the_page_sees_it_as_it_is_now(folder: Path) -> None:
    async with client(dev=True) as writing, client() as reading:
        kept = (await reading.get("/main.js")).headers["etag"]
        assert (await writing.get("/main.js")).headers["etag"] == kept
        (folder / "main.js").write_text("export {};\n")
        answer = await writing.get("/main.js", headers={"If-None-Match": kept})
        assert (answer.status_code, answer.text) == (200, "export {};\n")
        assert (await reading.get("/main.js")).text == MODULE


@pytest.mark.usefixtures("folder")
async def test_without_the_page_there_is_nothing_at_its_addresses() -> None:
    async with client(web=False) as http:
        for path in TYPES:
            answer = await http.get(path)
            assert answer.status_code == 404, path
            assert answer.json()["code"] == "not_found"
        assert (await http.get("/docs")).status_code == 200


async def test_a_folder_without_a_page_serves_nothing(folder: Path) -> None:
    (folder / "index.html").unlink()
    async with client() as http:
        assert (await http.get("/main.js")).status_code == 404
        assert (await http.get("/healthz")).status_code == 200
