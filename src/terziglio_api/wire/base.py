"""What the wire's models share: how strict they are, and the smallest types."""

import re
import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

__all__ = [
    "ActionId",
    "BidName",
    "CardCode",
    "Incoming",
    "Json",
    "KindName",
    "ModeName",
    "Name",
    "Outgoing",
    "PlayerName",
    "SeatNo",
    "SitterKind",
    "optional",
    "time_of",
]


class Incoming(BaseModel):
    """What a client sends: unknown fields and loose types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Json = dict[str, Any]
"""An object on the wire, ready to be encoded: its model describes it and reads it."""


class Outgoing(BaseModel):
    """What the service sends: clients ignore fields they do not know."""

    model_config = ConfigDict(frozen=True)


def optional(description: str) -> Any:
    """Return a field that is left out of the JSON where it says nothing."""
    return Field(
        default=None,
        description=description,
        exclude_if=lambda value: value is None,
        json_schema_extra=_never_null,
    )


def _never_null(schema: dict[str, Any]) -> None:
    """Publish what is sent: such a field is there with a value, or is not there."""
    del schema["default"]
    kinds = [kind for kind in schema.pop("anyOf") if kind != {"type": "null"}]
    schema.update({**kinds[0], **schema} if len(kinds) == 1 else {"anyOf": kinds})


def time_of(at: int) -> str:
    """Return milliseconds since 1970 as the wire tells a time, in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


_UNSEEN: Final = {"Cc", "Cs", "Co", "Cn"}
_BIDI: Final = re.compile("[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def _clean_name(text: str) -> str:
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= 32:
        raise ValueError("a name has 1 to 32 characters")
    if _BIDI.search(name) or any(unicodedata.category(c) in _UNSEEN for c in name):
        raise ValueError("a name has no control or direction characters")
    return name


CardCode = Annotated[
    str,
    Field(
        pattern="^[32AKQJ7654][SCHD]$",
        description="Rank and suit: `3S` is the three of swords (spades).",
    ),
]
SeatNo = Annotated[int, Field(ge=0, le=2, description="Seat, in playing order.")]
BidName = Literal["pass", "chiamo", "solo", "solissimo"]
KindName = Literal["person", "bot", "computer", "link"]
PlayerName = Literal["house", "random", "rules", "search", "expert"]
SitterKind = Literal["person", "bot"]
ModeName = Literal["computer", "friends", "open"]
Name = Annotated[
    str,
    AfterValidator(_clean_name),
    Field(
        min_length=1,
        max_length=64,
        description="Trimmed, NFC, 1 to 32 characters, none of them a control.",
    ),
]
ActionId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        description="Your own name for it, given to no other action.",
    ),
]
