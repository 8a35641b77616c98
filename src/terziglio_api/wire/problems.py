"""Refusals on the wire: RFC 9457 problems over HTTP, errors on the socket.

The one place that knows which HTTP status belongs to which code, and the one list of
all codes with their params.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from terziglio.errors import Illegal, IllegalAction
from terziglio.words import Words
from terziglio_api.commands import Code, Refusal
from terziglio_api.wire.base import Outgoing, optional
from terziglio_api.wire.view import View, Why, why

__all__ = [
    "MEDIA_TYPE",
    "PARAMS",
    "CodeModel",
    "FieldError",
    "FieldRefused",
    "Problem",
    "all_codes",
    "problem_of",
    "sentence",
    "status_of",
    "top_level",
    "why_of",
]

MEDIA_TYPE: Final = "application/problem+json"
_WORDS: Final = Words("en")

_STATUS: Final[Mapping[Code, int]] = {
    Code.MALFORMED: 422,
    Code.BAD_TOKEN: 401,
    Code.BAD_INVITE: 403,
    Code.NO_SUCH_TABLE: 404,
    Code.NO_SUCH_HAND: 404,
    Code.NOT_FOUND: 404,
    Code.METHOD_NOT_ALLOWED: 405,
    Code.DEV_ONLY: 403,
    Code.NO_BOTS: 403,
    Code.HOST_ONLY: 403,
    Code.COMPUTER_TABLE_ONLY: 403,
    Code.SEAT_TAKEN: 409,
    Code.SEAT_PRESENT: 409,
    Code.TABLE_CLOSED: 410,
    Code.STALE_DECISION: 409,
    Code.ILLEGAL_ACTION: 422,
    Code.HAND_IN_PROGRESS: 409,
    Code.MATCH_OVER: 409,
    Code.MATCH_NOT_OVER: 409,
    Code.VOICE_OFF: 403,
    Code.NO_SOLVER: 503,
    Code.RATE_LIMITED: 429,
    Code.OVERLOADED: 503,
    Code.DRAINING: 503,
    Code.STORAGE_UNAVAILABLE: 503,
    Code.INTERNAL: 500,
}
_TIMING: Final = (Illegal.HAND_OVER, Illegal.NOT_YOUR_TURN, Illegal.WRONG_PHASE)
"""Refusals that come from the moment, not from the action: codes of their own."""

PARAMS: Final[Mapping[str, tuple[str, ...]]] = {
    Code.STALE_DECISION: ("due",),
    Code.RATE_LIMITED: ("retry_s",),
    Code.OVERLOADED: ("retry_s",),
    Code.DRAINING: ("retry_s",),
    Illegal.NOT_YOUR_TURN: ("turn",),
    Illegal.WRONG_PHASE: ("phase",),
    Illegal.BID_TOO_LOW: ("highest",),
    Illegal.CARD_IN_OWN_HAND: ("card",),
    Illegal.WRONG_DISCARD_COUNT: ("expected", "got"),
    Illegal.DUPLICATE_DISCARD: ("card",),
    Illegal.DISCARD_NOT_HELD: ("card",),
    Illegal.GIVE_BACK_NOT_HELD: ("card",),
    Illegal.GIVE_BACK_ALSO_DISCARDED: ("card",),
    Illegal.CARD_NOT_HELD: ("card",),
    Illegal.MUST_FOLLOW_SUIT: ("led", "held"),
}
"""The params of every code that has some."""


class FieldError(Outgoing):
    """What is wrong with one part of a request."""

    pointer: str
    """JSON pointer into the request."""
    detail: str


class FieldRefused(Refusal):
    """A field of a well-formed request says something impossible: 422."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(Code.MALFORMED)
        self.errors = [FieldError(pointer=pointer, detail=detail)]


class Problem(Outgoing):
    """Why a request is refused; nothing has changed."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    params: dict[str, str | int]
    seq: int | None = optional("Where the table stands.")
    why: Why | None = optional("Which rule, for `illegal_action`.")
    view: View | None = optional("The table as it stands, where that may help.")
    errors: list[FieldError] | None = optional("What is wrong with which field.")


class CodeModel(Outgoing):
    """A code, where it occurs, and its params."""

    code: str
    kind: str
    """``problem``: of the service; ``illegal``: of the rules, in ``why``."""
    status: int | None
    params: list[str]
    title: str


def top_level(refusal: Refusal | IllegalAction) -> tuple[str, dict[str, str | int]]:
    """Return a refusal's own code and params: a breach of rules is one code."""
    if isinstance(refusal, IllegalAction) and refusal.code not in _TIMING:
        return Code.ILLEGAL_ACTION.value, {}
    return refusal.code.value, dict(refusal.params)


def sentence(refusal: Refusal | IllegalAction) -> str:
    """Return a refusal in English."""
    if isinstance(refusal, IllegalAction):
        return _WORDS.refusal(refusal)
    return _WORDS.sentence("problems", refusal.code, refusal.params)


def status_of(refusal: Refusal | IllegalAction) -> int:
    """Return the HTTP status of a refusal."""
    if isinstance(refusal, Refusal):
        return _STATUS[refusal.code]
    return 409 if refusal.code in _TIMING else _STATUS[Code.ILLEGAL_ACTION]


def problem_of(
    refusal: Refusal | IllegalAction,
    instance: str,
    *,
    status: int | None = None,
    detail: str | None = None,
    seq: int | None = None,
    view: View | None = None,
    errors: list[FieldError] | None = None,
) -> Problem:
    """Return a refusal as a problem.

    Args:
        refusal: what was refused and why.
        instance: the path of the request.
        status: another status than the code's usual one.
        detail: more than the code's own sentence.
        seq: where the table stands, if it may be told.
        view: the seat's view, where the table has moved on.
        errors: what is wrong with which field.
    """
    code, params = top_level(refusal)
    return Problem(
        type=f"/v1/meta/codes#{code}",
        title=code.replace("_", " ").capitalize(),
        status=status_of(refusal) if status is None else status,
        detail=sentence(refusal) if detail is None else detail,
        instance=instance,
        code=code,
        params=params,
        seq=seq if view is None else view.seq,
        why=why_of(refusal),
        view=view,
        errors=errors,
    )


def why_of(refusal: Refusal | IllegalAction) -> Why | None:
    """Return which rule an illegal action breaks."""
    code, _ = top_level(refusal)
    if isinstance(refusal, IllegalAction) and code == Code.ILLEGAL_ACTION:
        return why(refusal)
    return None


def all_codes() -> Iterator[CodeModel]:
    """Yield every code with its params."""
    for code in Code:
        title = _WORDS.data["problems"][code.value]
        yield _code(code.value, "problem", _STATUS[code], title)
    for reason in Illegal:
        status = 409 if reason in _TIMING else None
        yield _code(reason.value, "illegal", status, _WORDS.data["illegal"][reason])


def _code(code: str, kind: str, status: int | None, title: str) -> CodeModel:
    params: list[str] = [*PARAMS.get(code, ())]
    return CodeModel(code=code, kind=kind, status=status, params=params, title=title)
