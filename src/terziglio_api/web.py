"""The page: ``examples/web`` at ``/``, as it lies in a checkout or in the wheel.

Addresses are fixed when the application is made: each file of the page has one, and
nothing else is reached by any. What can be read is read once (``constant.py``).
"""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from fastapi import Request, Response
from starlette.routing import Route

from terziglio_api.constant import Constant

__all__ = ["POLICY", "Place", "place", "routes"]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
)
"""The page's content security policy: its own files and the service, nothing else.

Text becomes markup only in the view library, which escapes what it is handed.
"""
_HEADERS: Final = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
_DOCUMENT: Final = {
    "Content-Security-Policy": POLICY,
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=(), "
    "display-capture=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
}
"""For what a window can show; a page's parts obey the page's own, and are many."""
_PARTS: Final = {".css", ".js"}
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""What is served; types and settings of the compiler, for one, are not."""
_LICENCE: Final = "LICENSE"
_CLIENT: Final = "clients/typescript/client.js"
"""The client's place in a checkout, and its address: the page says ``../../`` of it,
and a browser goes no higher than ``/``."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the page lies: its folder, and the client that it imports."""

    folder: Path
    client: Path

    @property
    def found(self) -> dict[str, Path]:
        """What is served, by its address."""
        kept = {
            path.relative_to(self.folder).as_posix(): path
            for path in sorted(self.folder.rglob("*"))
            if path.suffix in _TYPES or path.name == _LICENCE
        }
        if "index.html" not in kept:
            return {}
        kept[""] = kept["index.html"]
        kept[_CLIENT] = self.client
        return {f"/{name}": path for name, path in kept.items()}


def _read(path: Path) -> Constant:
    return Constant(
        _TYPES.get(path.suffix, "text/plain; charset=utf-8"),
        path.read_bytes(),
        _HEADERS if path.suffix in _PARTS else _HEADERS | _DOCUMENT,
    )


@cache
def place() -> Place:
    """Return where the page lies: in the package's data, or else in the checkout."""
    package = Path(str(files("terziglio_api")))
    data, root = package / "data", package.parents[1]
    if (data / "web").is_dir():
        return Place(data / "web", data / "client.js")
    return Place(root / "examples" / "web", root / _CLIENT)


@cache
def _kept(at: Place) -> dict[str, Constant]:
    """Return the page, read once for all applications of this process."""
    return {address: _read(path) for address, path in at.found.items()}


def routes(at: Place, *, live: bool) -> list[Route]:
    """Return a route for each file of the page; none where there is no page.

    Args:
        at: where it lies.
        live: each file is read again whenever it is asked for, for who is writing it.
    """
    if live:
        return [_route(address, _live(path)) for address, path in at.found.items()]
    return [_route(address, _fixed(kept)) for address, kept in _kept(at).items()]


def _route(address: str, answer: Callable[[Request], Any]) -> Route:
    return Route(address, answer, methods=["GET"], include_in_schema=False)


def _fixed(kept: Constant) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    async def get_file(request: Request) -> Response:
        return kept.answer(request)

    return get_file


def _live(path: Path) -> Callable[[Request], Response]:
    # Not a coroutine: it waits for a disk, and so has a thread.
    def get_file(request: Request) -> Response:
        return _read(path).answer(request)

    return get_file
