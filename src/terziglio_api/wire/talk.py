"""What a client says on the socket, read strictly, and how it is refused."""

from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from terziglio.errors import IllegalAction
from terziglio_api.commands import Refusal
from terziglio_api.wire import strict
from terziglio_api.wire.messages import ClientMessage, ErrorMessage
from terziglio_api.wire.problems import sentence, top_level, why_of

__all__ = ["Unreadable", "error_of", "read_message"]

_messages: Final[TypeAdapter[Any]] = TypeAdapter(ClientMessage)


class Unreadable(ValueError):
    """A message that cannot be read: its ``name``, if it told one, and why."""

    def __init__(self, name: str | None, detail: str) -> None:
        super().__init__(detail)
        self.name = name
        self.detail = detail


def read_message(raw: str | bytes, most: int) -> ClientMessage:
    """Return what a client says in at most ``most`` bytes.

    Raises:
        Unreadable: binary, too long, not JSON as we read it, or of no known form.
    """
    name: str | None = None
    try:
        value = strict.loads(_bounded(raw, most))
        name = _name_of(value)
        message: ClientMessage = _messages.validate_python(value)
    except (strict.Malformed, ValidationError) as error:
        raise Unreadable(name, _told(error)) from None
    return message


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
    match value:
        case {"id": str(name)} if 0 < len(name) <= 64:
            return name
        case _:
            return None


def _told(error: strict.Malformed | ValidationError) -> str:
    """Say what is wrong without repeating what was sent."""
    if isinstance(error, strict.Malformed):
        return str(error)
    first = error.errors(include_url=False, include_context=False, include_input=False)
    where = "/".join(str(part) for part in first[0]["loc"])
    return f"{where}: {first[0]['msg']}" if where else str(first[0]["msg"])


def _bounded(raw: str | bytes, most: int) -> str:
    """Return a text message that is not too long."""
    if isinstance(raw, bytes):
        raise strict.Malformed("a binary frame")
    if len(raw.encode(errors="replace")) > most:
        raise strict.Malformed(f"the message has more than {most} bytes")
    return raw
