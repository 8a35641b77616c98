"""What a client says on the socket, read strictly, and how it is refused."""

from typing import Any, Final, cast

from pydantic import TypeAdapter, ValidationError

from terziglio.errors import IllegalAction
from terziglio.seats import Seat
from terziglio_api.commands import Act, Asked, AskNextHand, AskRematch, Refusal
from terziglio_api.wire import strict
from terziglio_api.wire.actions import parse
from terziglio_api.wire.base import Json, Outgoing
from terziglio_api.wire.messages import (
    ActionMessage,
    ClientMessage,
    ErrorMessage,
    NextHandMessage,
    RematchMessage,
    Told,
)
from terziglio_api.wire.problems import sentence, top_level, why_of

__all__ = ["Unreadable", "asked_of", "dump", "error_of", "read_message"]

_messages: Final = TypeAdapter[Any](ClientMessage).validator


class Unreadable(ValueError):
    """A message that cannot be read: its ``id``, if it told one, and why."""

    def __init__(self, name: str | None, detail: str) -> None:
        super().__init__(detail)
        self.id = name
        self.detail = detail


def read_message(raw: str | bytes, most: int, signal: int) -> ClientMessage:
    """Return what a client says.

    Args:
        raw: the frame.
        most: the most bytes that a message may have.
        signal: the most that a ``signal`` may have.

    Raises:
        Unreadable: binary, too long, not JSON as we read it, or of no known form.
    """
    name: str | None = None
    try:
        text, size = _measured(raw)
        if size > most and size > signal:
            raise _too_long(max(most, signal))
        value = strict.loads(text)
        name = _name_of(value)
        if size > most or size > signal:  # most are shorter than both
            allowed = signal if _is_signal(value) else most
            if size > allowed:
                raise _too_long(allowed)
        message: ClientMessage = _messages.validate_python(value)
    except (strict.Malformed, ValidationError) as error:
        raise Unreadable(name, _told(error)) from None
    return message


def asked_of(message: ClientMessage | Unreadable, seat: Seat) -> Asked | None:
    """Return what a seat's message asks of its table, if it asks for a change."""
    match message:
        case ActionMessage(id=name, decision=decision, action=action):
            return Act(seat, parse(action), decision, name)
        case NextHandMessage(deal=deal):
            return AskNextHand(seat, deal)
        case RematchMessage():
            return AskRematch(seat)
        case _:
            return None


def dump(message: Outgoing | Told) -> str:
    """Return a message as it goes over the line."""
    if isinstance(message, Told):
        return message.text
    return message.model_dump_json(by_alias=True)


def error_of(
    refusal: Refusal | IllegalAction, name: str | None, detail: str | None = None
) -> ErrorMessage:
    """Return a refusal as the socket tells it."""
    code, params = top_level(refusal)
    return ErrorMessage(
        type="error",
        id=name,
        code=code,
        params=params,
        why=why_of(refusal),
        detail=sentence(refusal) if detail is None else detail,
    )


def _name_of(value: object) -> str | None:
    """The id of a message that may otherwise be malformed, to answer it by."""
    name = cast("Json", value).get("id") if isinstance(value, dict) else None
    return name if isinstance(name, str) and 0 < len(name) <= 64 else None


def _told(error: strict.Malformed | ValidationError) -> str:
    """Say what is wrong without repeating what was sent."""
    if isinstance(error, strict.Malformed):
        return str(error)
    first = error.errors(include_url=False, include_context=False, include_input=False)
    where = "/".join(str(part) for part in first[0]["loc"])
    return f"{where}: {first[0]['msg']}" if where else str(first[0]["msg"])


def _measured(raw: str | bytes) -> tuple[str, int]:
    """Return a text message and its length in bytes."""
    if isinstance(raw, bytes):
        raise strict.Malformed("a binary frame")
    return raw, len(raw) if raw.isascii() else len(raw.encode(errors="replace"))


def _too_long(most: int) -> strict.Malformed:
    return strict.Malformed(f"the message has more than {most} bytes")


def _is_signal(value: object) -> bool:
    match value:
        case {"type": "signal"}:
            return True
        case _:
            return False
