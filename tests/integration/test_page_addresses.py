"""The page is built on the public protocol: it knows no address but published ones."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "examples" / "web"
PATHS: dict[str, dict[str, object]] = json.loads(
    (ROOT / "openapi" / "openapi.json").read_text("utf-8")
)["paths"]
ADDRESS = re.compile(r"""["'`]/?(?:v\d/|healthz|readyz|metrics)[^"'`]*["'`]""")
"""A piece of text that is, or begins, an address of the service."""
ASKED = re.compile(r'\bask\(\s*"(\w+)",\s*"([^"]+)"')
"""A call of the page's one function that makes requests."""


REQUEST = re.compile(
    r"\b(?:fetch|EventSource|WebSocket|XMLHttpRequest|sendBeacon)\("
    r"|\bimport\((?!\"\./\w+\.js\"\))"
)
"""What makes a request, but for the page's own modules by name; the socket is the
client's, in ``clients/typescript``."""
COMMENT = re.compile(r"^[ \t]*//[^\n]*|/\*.*?\*/", re.MULTILINE | re.DOTALL)


def code_of(name: str) -> str:
    """A module of the page, without what it says about itself."""
    return COMMENT.sub("", (PAGE / name).read_text("utf-8"))


def asked(text: str) -> list[tuple[str, str]]:
    """The operations that ``api.js`` asks for: the method and the address of each."""
    found = [(method, address) for method, address in ASKED.findall(text)]
    calls = len(re.findall(r"\bask\(", text)) - text.count("function ask(")
    assert len(found) == calls, "a call of `ask` whose method and address are not seen"
    assert len(ADDRESS.findall(text)) == len(found), "an address past `ask`"
    return found


def unpublished(operations: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those that ``openapi.json`` does not have."""
    return [(m, path) for m, path in operations if m not in PATHS.get(path, {})]


def test_the_page_asks_for_published_operations_alone() -> None:
    operations = asked(code_of("api.js"))
    assert len(operations) >= 10
    assert unpublished(operations) == []


def test_no_other_module_knows_an_address_or_makes_a_request() -> None:
    modules = {path.name for path in PAGE.glob("*.js")} - {"api.js"}
    assert len(modules) > 10
    for name in modules:
        code = code_of(name)
        assert not ADDRESS.search(code), name
        assert not REQUEST.search(code), name


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        (
            'ask("get", "/v1/tables/{table}/cards", {})',
            [("get", "/v1/tables/{table}/cards")],
        ),
        ('ask("delete", "/v1/tables", {})', [("delete", "/v1/tables")]),
        ('ask("get", "/v1/tables/{id}", {})', [("get", "/v1/tables/{id}")]),
        ('ask("get", "/v1/tables/{table}", {})', []),
    ],
)
def test_an_operation_that_is_not_published_is_seen(
    planted: str, told: list[tuple[str, str]]
) -> None:
    assert unpublished(asked(planted)) == told


@pytest.mark.parametrize(
    "planted", ["ask(method, `/v1/${name}`)", 'fetch("/v1/tables")', "'/metrics'"]
)
def test_an_address_that_cannot_be_seen_is_refused(planted: str) -> None:
    with pytest.raises(AssertionError, match=r"not seen|past"):
        asked(planted)
