"""Who asks, and for what table: the dependencies of every route."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from terziglio.seats import Seat
from terziglio_api.commands import Code, Holder, Refusal
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from terziglio_api.wire.problems import Problem, status_of
from terziglio_api.wire.view import View, view_of

__all__ = [
    "Asker",
    "Host",
    "IdempotencyKey",
    "Seated",
    "Service",
    "SettingsOf",
    "TableId",
    "refusals",
    "view_for",
]


def _service(request: Request) -> TableService:
    service: TableService = request.app.state.service
    return service


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


Service = Annotated[TableService, Depends(_service)]
SettingsOf = Annotated[Settings, Depends(_settings)]
TableId = Annotated[str, Path(description="The table's id.", examples=["t_0a1b2c"])]
IdempotencyKey = Annotated[
    str | None,
    Header(
        max_length=200,
        description="A random name for this request: sent again, it gives the same "
        "seat with fresh secrets, and the former ones are void.",
    ),
]
_bearer = HTTPBearer(auto_error=False, description="A seat token, `tzs_...`.")


@dataclass(frozen=True, slots=True)
class Asker:
    """A seat that has shown its token."""

    table: str
    holder: Holder

    @property
    def seat(self) -> Seat:
        """The seat."""
        return self.holder.seat


async def _asker(
    request: Request,
    table: TableId,
    service: Service,
    shown: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Asker:
    """Return whose token it is; strangers and wrong tables get one same answer."""
    token = "" if shown is None else shown.credentials
    asker = Asker(table, await service.holder(table, token))
    # A refusal carries the newest view of who asked: see ``app``.
    request.state.asker = asker
    return asker


async def _host(asker: Annotated[Asker, Depends(_asker)]) -> Asker:
    if asker.seat is not Seat.S0:
        raise Refusal(Code.HOST_ONLY)
    return asker


Seated = Annotated[Asker, Depends(_asker)]
Host = Annotated[Asker, Depends(_host)]


async def view_for(service: TableService, asker: Asker) -> View:
    """Return a seat's newest view on the wire."""
    return view_of(await service.view(asker.table, asker.seat, asker.holder))


def refusals(
    *codes: Code, malformed_body: bool = False, stored: bool = True
) -> dict[int | str, Any]:
    """Describe an operation's refusals for the OpenAPI document.

    Args:
        codes: what it may be refused for.
        malformed_body: whether it takes a body, which may not be JSON (400).
        stored: whether it needs the storage, which may be out of reach (503).
    """
    by_status: dict[int, list[str]] = {}
    for code in (*codes, Code.STORAGE_UNAVAILABLE) if stored else codes:
        by_status.setdefault(status_of(Refusal(code)), []).append(f"`{code}`")
    if malformed_body:
        by_status[400] = [f"`{Code.MALFORMED}`"]
    return {
        status: {"model": Problem, "description": "Refused: " + ", ".join(names)}
        for status, names in sorted(by_status.items())
    }
