"""``/docs``: whole, safe to open, and of use without a mouse or a network."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx

from terziglio_api import docs
from terziglio_api.app import create_app
from terziglio_api.settings import Settings

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
OPENAPI, ASYNCAPI = (
    json.loads((ROOT / "openapi" / f"{name}.json").read_text("utf-8"))
    for name in ("openapi", "asyncapi")
)
OPERATIONS = {
    operation["operationId"]
    for path in OPENAPI["paths"].values()
    for operation in path.values()
}


class Links(HTMLParser):
    """What a page links to, loads, and can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            assert name not in {"style", "srcset"}
            assert not name.startswith("on"), "a script"
            if name == "id":
                self.ids.append(value or "")
            if name in {"href", "src", "data", "action", "poster"}:
                (self.links if tag == "a" else self.loads).append(value or "")


async def test_the_page_for_readers_is_whole_and_loads_nothing_from_elsewhere() -> None:
    app = create_app(Settings(database=None))
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://example"
    ) as http:
        answer = await http.get("/docs")
        page = Links(answer.text)
        assert not {"script", "iframe", "img", "style", "form"} & {*page.tags}
        assert page.loads == ["docs/style.css"]
        documents = [link for link in page.links if not link.startswith("#")]
        assert documents == ["v1/openapi.json", "v1/asyncapi.json"]
        for path in (*page.loads, *documents):
            served = await http.get(f"/{path}")
            assert served.status_code == 200
        style = (await http.get("/docs/style.css")).text
    assert not re.search(r"url\(|@import|//", style)
    assert answer.headers["content-security-policy"] == docs.POLICY
    sources = re.findall(r"'[^']*'|\bhttps?:\S*|\*", docs.POLICY)
    assert {*sources} == {"'none'", "'self'"}
    assert len(answer.content) + len(style) < 400 * 1024
    # Every link on the page leads somewhere, every anchor is there once.
    anchors = [link[1:] for link in page.links if link.startswith("#")]
    assert {*anchors} <= {*page.ids}
    assert len({*page.ids}) == len(page.ids)
    schemas = {f"schema-{name}" for d in (OPENAPI, ASYNCAPI) for name in _schemas(d)}
    messages = {f"message-{name}" for name in ASYNCAPI["components"]["messages"]}
    assert {*OPERATIONS, *schemas, *messages} <= {*anchors}


def _schemas(document: Json) -> Json:
    schemas: Json = document["components"]["schemas"]
    return schemas


async def test_the_page_for_readers_can_be_used_with_the_keyboard() -> None:
    text = docs.page(OPENAPI, ASYNCAPI)
    page = Links(text)
    assert '<html lang="en">' in text
    assert page.links[0] == "#main", "the first link skips the contents"
    assert page.tags.count("h1") == page.tags.count("main") == 1
    assert text.count("<pre") == text.count('<pre tabindex="0">') > 50
    style = (ROOT / "src" / "terziglio_api" / "data" / "docs.css").read_text("utf-8")
    assert ":focus-visible" in style


def test_text_of_the_documents_is_no_markup() -> None:
    document = json.loads(json.dumps(OPENAPI))
    document["components"]["schemas"]["Health"]["description"] = "<script>`<b>`"
    text = docs.page(document, ASYNCAPI)
    assert "<script" not in text
    assert "&lt;script&gt;<code>&lt;b&gt;</code>" in text
