"""What stays as it is while the service runs: kept in memory, compressed once.

The page's files, and the documents about the game. A browser asks each time whether it
has the newest (``no-cache``) and is told so in a few bytes, so that a page opened after
an update has no old modules beside new ones, nor old words.
"""

import gzip
import re
from dataclasses import dataclass, field
from hashlib import sha256

from fastapi import Request, Response

__all__ = ["Constant"]


@dataclass(frozen=True, slots=True)
class Constant:
    """A body as it is sent.

    Args:
        type: its media type.
        plain: the body.
        headers: what else is said of it.
        vary: what of a request, besides the encodings it takes, chose it.
    """

    type: str
    plain: bytes
    headers: dict[str, str] = field(default_factory=dict[str, str])
    vary: str = ""
    _packed: bytes = field(init=False)
    _tag: str = field(init=False)

    def __post_init__(self) -> None:
        """Compress and name it."""
        object.__setattr__(self, "_packed", gzip.compress(self.plain, mtime=0))
        object.__setattr__(self, "_tag", sha256(self.plain).hexdigest()[:16])

    def answer(self, request: Request) -> Response:
        """Return it, or that the asker has it."""
        packed = _takes_gzip(request.headers.get("accept-encoding", ""))
        tag = f'"{self._tag}-gzip"' if packed else f'"{self._tag}"'
        headers = self.headers | {
            "Cache-Control": "no-cache",
            "ETag": tag,
            "Vary": ", ".join(filter(None, (self.vary, "Accept-Encoding"))),
        }
        if _has(tag, request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        if packed:
            headers["Content-Encoding"] = "gzip"
        body = self._packed if packed else self.plain
        # The type as a header: Starlette adds a character set to some by itself.
        return Response(body, headers=headers | {"Content-Type": self.type})


def _takes_gzip(accepted: str) -> bool:
    """Return whether an ``Accept-Encoding`` allows it."""
    for offer in accepted.lower().split(","):
        name, _, weight = offer.partition(";")
        if name.strip() in {"gzip", "*"}:
            return re.fullmatch(r"q=0(\.0*)?", weight.replace(" ", "")) is None
    return False


def _has(tag: str, known: str) -> bool:
    """Return whether an ``If-None-Match`` names this tag."""
    tags = {one.strip().removeprefix("W/") for one in known.split(",")}
    return bool(tags & {tag, "*"})
