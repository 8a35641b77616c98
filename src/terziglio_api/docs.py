"""The specifications as one page for readers: ``/docs``.

Written here from the two documents, so that it needs no script, no build and no other
host: a page of HTML with a style sheet. Operations, messages and schemas have anchors
and link to each other.
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final, cast

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from terziglio_api.spec import asyncapi

__all__ = ["POLICY", "page", "router"]

Json = dict[str, Any]
POLICY: Final = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""The page's content security policy: it loads its style sheet and nothing else."""
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_LIMITS: Final = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "like {}",
    "default": "default {}",
}

_SHOWN: Final = 2
"""How many examples of one kind the page shows."""
_INNERMOST: Final = re.compile(r"[\[{][^\[\]{}]*[\]}]")
_BREAK: Final = re.compile(r"\n *")

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def get_docs(request: Request) -> HTMLResponse:
    """Serve the page of this application."""
    state = request.app.state
    if not hasattr(state, "docs"):
        state.docs = page(request.app.openapi(), asyncapi())
    return HTMLResponse(state.docs, headers=_HEADERS)


@router.get("/docs/style.css")
async def get_style() -> Response:
    """Serve its style sheet."""
    return Response(_style(), media_type="text/css", headers=_HEADERS)


@cache
def _style() -> str:
    return files("terziglio_api").joinpath("data", "docs.css").read_text("utf-8")


def page(rest: Json, socket: Json) -> str:
    """Return the page of an OpenAPI and an AsyncAPI document."""
    schemas = {**socket["components"]["schemas"], **rest["components"]["schemas"]}
    operations = [
        (method.upper(), path, operation)
        for path, methods in rest["paths"].items()
        for method, operation in methods.items()
    ]
    tags = {
        tag["name"]: [o for o in operations if o[2]["tags"][-1] == tag["name"]]
        for tag in rest["tags"]
    }
    about = {tag["name"]: tag["description"] for tag in rest["tags"]}
    main = [_tag("h1", _text(f"{rest['info']['title']} {rest['info']['version']}"))]
    main += [_prose(rest["info"]["summary"]), _DOCUMENTS]
    for name, found in tags.items():
        main.append(_section(f"rest-{name}", f"REST: {name}", _prose(about[name])))
        main += [_operation(*operation) for operation in found]
    main.append(_channel(socket))
    main.append(_section("schemas", "Schemas"))
    main += [_schema(name, schemas[name]) for name in sorted(schemas)]
    links = [
        (f"rest-{name}", name, [(o["operationId"],) * 2 for *_, o in found])
        for name, found in tags.items()
    ]
    messages = [(f"message-{name}", m["name"]) for name, m in _messages(socket)]
    links.append(("socket", "socket", messages))
    names = [(f"schema-{name}", name) for name in sorted(schemas)]
    links.append(("schemas", "schemas", names))
    return _PAGE.format(
        title=escape(rest["info"]["title"]), links=_links(links), main="\n".join(main)
    )


_DOCUMENTS: Final = (
    '<p>As documents for programs: <a href="v1/openapi.json">OpenAPI</a> of REST, '
    '<a href="v1/asyncapi.json">AsyncAPI</a> of the socket.</p>'
)
_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}: REST and socket</title>
<link rel="stylesheet" href="docs/style.css">
<nav aria-label="Contents"><a class="skip" href="#main">Skip to the text</a>
{links}</nav>
<main id="main" tabindex="-1">
{main}
</main>
</html>
"""


def _links(parts: Iterable[tuple[str, str, list[tuple[str, str]]]]) -> str:
    told: list[str] = []
    for anchor, name, below in parts:
        items = "".join(
            _tag("li", _tag("a", escape(text), href=f"#{at}")) for at, text in below
        )
        told.append(_tag("h2", _tag("a", escape(name), href=f"#{anchor}")))
        told.append(_tag("ul", items))
    return "".join(told)


def _operation(method: str, path: str, operation: Json) -> str:
    rows = [
        (_code(p["name"]), f"{p['in']}: {_type(p['schema'])}", _about(p, p["schema"]))
        for p in operation.get("parameters", ())
    ]
    told = [
        _tag("h3", f"{_code(f'{method} {path}')} {_text(operation['summary'])}"),
        _prose(operation.get("description", "")),
    ]
    if operation.get("security"):
        told.append(_prose("With a seat's token: `Authorization: Bearer tzs_...`."))
    told.append(_table("Parameters", ("name", "where and what", "meaning"), rows))
    body: Json = operation.get("requestBody", {}).get("content", {})
    for media, content in body.items():
        told.append(_tag("p", f"Body: {_type(content['schema'])} as {_code(media)}"))
        told.append(_examples("a request", content))
    answers: list[tuple[str, ...]] = []
    for status, response in operation["responses"].items():
        content = response.get("content", {})
        types = [f"{_type(c['schema'])} as {_code(m)}" for m, c in content.items()]
        shown = [_examples(status, c) for c in content.values()]
        what = "" if status < "400" else _text(response["description"])
        answers.append(
            (_code(status), "<br>".join(types) or "-", what + "".join(shown))
        )
    told.append(_table("Answers", ("status", "body", "about"), answers))
    return _tag("article", *told, id=operation["operationId"])


def _channel(socket: Json) -> str:
    (channel,) = socket["channels"].values()
    codes = [
        (_code(code), _text(told)) for code, told in socket["x-close-codes"].items()
    ]
    told = [
        _prose(socket["info"]["description"]),
        _tag("p", _code(channel["address"])),
        _table("Close codes", ("code", "what to do"), codes),
    ]
    for name, message in _messages(socket):
        told.append(
            _tag(
                "article",
                _tag("h3", f"{_code(message['name'])} {_text(message['summary'])}"),
                _tag("p", f"{_sender(socket, name)} {_type(message['payload'])}"),
                *(
                    _details(f"Example: {_text(e['name'])}", e["payload"])
                    for e in message.get("examples", ())[:_SHOWN]
                ),
                id=f"message-{name}",
            )
        )
    return _section("socket", "Socket", *told)


def _messages(socket: Json) -> list[tuple[str, Json]]:
    return list(socket["components"]["messages"].items())


def _sender(socket: Json, name: str) -> str:
    sent = socket["operations"]["sendToClient"]["messages"]
    server = any(message["$ref"].endswith(f"/{name}") for message in sent)
    return "The service sends" if server else "You send"


def _schema(name: str, schema: Json) -> str:
    required = schema.get("required", ())
    rows = [
        (
            _code(field) + ("" if field in required else " <small>optional</small>"),
            _type(part),
            _about(part),
        )
        for field, part in schema.get("properties", {}).items()
    ]
    return _tag(
        "article",
        _tag("h3", escape(name)),
        _prose(schema.get("description", "")),
        _table(f"Fields of {name}", ("field", "what", "meaning"), rows)
        if rows
        else _tag("p", _type(schema)),
        id=f"schema-{name}",
    )


def _type(schema: Json) -> str:
    """Return what a value may be, with links to the schemas it names."""
    match schema:
        case {"$ref": str(reference)}:
            name = reference.rpartition("/")[2]
            return _tag("a", escape(name), href=f"#schema-{name}")
        case {"anyOf": kinds} | {"oneOf": kinds}:
            return " or ".join(_type(kind) for kind in kinds)
        case {"const": value}:
            return _code(json.dumps(value))
        case {"enum": values}:
            return " or ".join(_code(json.dumps(value)) for value in values)
        case {"type": "array"}:
            return f"list of {_type(schema.get('items', {}))}"
        case _:
            told = escape(str(schema.get("type", "anything")))
            values = schema.get("additionalProperties")
            if isinstance(values, dict):
                told += f" of {_type(cast('Json', values))}"
            return told


def _about(*told: Json) -> str:
    """Return the first description of these, and all limits."""
    texts = [part["description"] for part in told if "description" in part]
    limits = [
        text.format(_code(json.dumps(part[key], ensure_ascii=False)))
        for part in told
        for key, text in _LIMITS.items()
        if part.get(key) is not None
    ]
    more = f" <small>{', '.join(limits)}</small>" if limits else ""
    return "".join(_text(text) for text in texts[:1]) + more


def _examples(what: str, content: Json) -> str:
    """Return the first examples; the document has them all."""
    shown: list[Json] = list(content.get("examples", {}).values())
    return "".join(
        _details(f"Example of {escape(what)}: {_text(e['summary'])}", e["value"])
        for e in shown[:_SHOWN]
    )


def _details(summary: str, value: Any) -> str:
    text = value if isinstance(value, str) else _lines(value)
    pre = f'<pre tabindex="0">{escape(text)}</pre>'
    return _tag("details", _tag("summary", summary), pre)


def _lines(value: Any) -> str:
    """Return JSON for readers: what is innermost stays on one line."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return _INNERMOST.sub(lambda found: _BREAK.sub(" ", found[0]), text)


def _table(caption: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    lines = ("".join(_tag("td", cell) for cell in row) for row in rows)
    body = "".join(_tag("tr", line) for line in lines)
    return f"<table><caption>{escape(caption)}</caption><tr>{heads}</tr>{body}</table>"


def _section(anchor: str, title: str, *content: str) -> str:
    return _tag("h2", _text(title), id=anchor) + "".join(content)


def _prose(text: str) -> str:
    return "".join(_tag("p", _text(part)) for part in text.split("\n\n") if part)


def _text(text: str) -> str:
    """Return text as HTML; what stands in backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _code(text: str) -> str:
    return _tag("code", escape(text))


def _tag(name: str, *content: str, **attributes: str) -> str:
    told = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{told}>{''.join(content)}</{name}>"
