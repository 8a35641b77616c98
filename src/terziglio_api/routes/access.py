"""Who asks, and for what table: the dependencies of every route."""

from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from terziglio.seats import Seat
from terziglio_api.commands import Code, Command, Done, Holder, Refusal
from terziglio_api.hall import Hall
from terziglio_api.ports import StorageUnavailable
from terziglio_api.service import TableService
from terziglio_api.wire.problems import Problem, status_of
from terziglio_api.wire.view import View, view_of

__all__ = [
    "Asker",
    "HallOf",
    "Host",
    "IdempotencyKey",
    "Known",
    "Seated",
    "Service",
    "TableId",
    "Visited",
    "address_of",
    "carry_out",
    "hall_of",
    "let_in",
    "links_to",
    "prefers_text",
    "refusals",
    "view_for",
]


def hall_of(request: Request) -> Hall:
    """Return what the service's requests share."""
    hall: Hall = request.app.state.hall
    return hall


def _service(hall: Annotated[Hall, Depends(hall_of)]) -> TableService:
    return hall.service


HallOf = Annotated[Hall, Depends(hall_of)]
Service = Annotated[TableService, Depends(_service)]
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


def address_of(request: Request) -> str:
    """Return where a request comes from; of IPv6 its /64 network."""
    host = "" if request.client is None else request.client.host
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((host, 64), strict=False))


def _visitor(request: Request, hall: HallOf) -> None:
    hall.limits.address.demand(address_of(request))


Visited = Depends(_visitor)
"""For what needs no seat: so many requests from one address."""


async def _known(
    request: Request,
    table: TableId,
    hall: HallOf,
    shown: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Asker:
    """Return whose token it is; strangers and wrong tables get one same answer."""
    token = "" if shown is None else shown.credentials
    try:
        asker = Asker(table, await hall.service.holder(table, token))
    except Refusal:
        hall.limits.address.demand(address_of(request))
        raise
    # A refusal carries the newest view of who asked: see ``app``.
    request.state.asker = asker
    return asker


async def _asker(asker: Annotated[Asker, Depends(_known)], hall: HallOf) -> Asker:
    hall.limits.seat.demand((asker.table, asker.seat))
    return asker


async def _host(asker: Annotated[Asker, Depends(_asker)]) -> Asker:
    if asker.seat is not Seat.S0:
        raise Refusal(Code.HOST_ONLY)
    return asker


Known = Annotated[Asker, Depends(_known)]
"""A seat, whose requests are not counted yet."""
Seated = Annotated[Asker, Depends(_asker)]
Host = Annotated[Asker, Depends(_host)]


def let_in(request: Request, hall: Hall) -> None:
    """Let a new table in.

    Raises:
        Refusal: ``draining``, ``overloaded``, ``rate_limited``.
    """
    hall.gate.demand()
    hall.limits.tables.demand(address_of(request))


def links_to(request: Request) -> str:
    """Return where join links point to.

    Without a setting it is the address by which the asker has reached the service: who
    listens on all of them has no other that a friend could open.
    """
    return hall_of(request).settings.web_origin or str(request.base_url)


def prefers_text(accept: str) -> bool:
    """Whether who asks wants a hand in notation, by the header ``Accept``."""
    return accept.partition(",")[0].partition(";")[0].strip() == "text/plain"


async def carry_out(hall: Hall, asker: Asker, command: Command) -> Done:
    """Carry out a seat's command; what it is asked for has a limit of its own.

    Raises:
        Refusal: ``rate_limited``, or as ``TableService.do``.
        IllegalAction: the rules do not allow it.
        StorageUnavailable: nothing was stored, and this was no try.
    """
    limits, who = hall.limits, (asker.table, asker.seat)
    asked = await hall.service.awaited(asker.table, command)
    if asked is None:
        limits.seat.demand(who)
    else:
        limits.answers.demand((*who, asked))
    try:
        return await hall.service.do(asker.table, command, asker.holder)
    except StorageUnavailable:
        limits.answers.give_back((*who, asked))
        raise


async def view_for(service: TableService, asker: Asker) -> View:
    """Return a seat's newest view on the wire."""
    return view_of(await service.view(asker.table, asker.seat, asker.holder))


def refusals(
    *codes: Code,
    malformed_body: bool = False,
    stored: bool = True,
    counted: bool = True,
) -> dict[int | str, Any]:
    """Describe an operation's refusals for the OpenAPI document.

    Args:
        codes: what it may be refused for.
        malformed_body: whether it takes a body, which may not be JSON (400).
        stored: whether it needs the storage, which may be out of reach (503).
        counted: whether so many requests are refused (429).
    """
    by_status: dict[int, list[str]] = {}
    always = (Code.RATE_LIMITED,) if counted else ()
    for code in (
        *codes,
        *always,
        *((Code.STORAGE_UNAVAILABLE,) if stored else ()),
    ):
        by_status.setdefault(status_of(Refusal(code)), []).append(f"`{code}`")
    if malformed_body:
        by_status[400] = [f"`{Code.MALFORMED}`"]
    return {
        status: {"model": Problem, "description": "Refused: " + ", ".join(names)}
        for status, names in sorted(by_status.items())
    }
