"""Seats: claim one, see what it sees, act in it, issue it anew."""

import asyncio
from contextlib import ExitStack
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from terziglio.seats import Seat
from terziglio_api.commands import Act, By, Code
from terziglio_api.routes.access import (
    HallOf,
    Host,
    IdempotencyKey,
    Known,
    Seated,
    Service,
    TableId,
    Visited,
    carry_out,
    links_to,
    refusals,
    view_for,
)
from terziglio_api.routes.strict import StrictRoute
from terziglio_api.wire.actions import parse
from terziglio_api.wire.tables import (
    ActRequest,
    ActResponse,
    ClaimRequest,
    InviteModel,
    invite_of,
)
from terziglio_api.wire.tables import Seated as SeatedModel
from terziglio_api.wire.view import View, view_of

__all__ = ["router"]

router = APIRouter(prefix="/v1/tables/{table}", tags=["seats"], route_class=StrictRoute)


@router.post(
    "/claims",
    operation_id="claimSeat",
    summary="Sit down with an invite",
    status_code=201,
    responses=refusals(
        Code.BAD_INVITE,
        Code.NO_BOTS,
        Code.SEAT_TAKEN,
        Code.TABLE_CLOSED,
        Code.MALFORMED,
        malformed_body=True,
    ),
    dependencies=[Visited],
)
async def claim(
    table: TableId,
    service: Service,
    body: ClaimRequest,
    idempotency_key: IdempotencyKey = None,
) -> SeatedModel:
    """Sit down; the answer holds the seat's token."""
    seating = await service.claim(
        table, body.invite, body.name, By(body.kind), idempotency_key or None
    )
    return SeatedModel(table=table, seat=seating.seat, token=seating.token)


@router.post(
    "/seats/{seat}/invite",
    operation_id="reissueSeat",
    summary="Issue a guest's seat anew, as the host",
    status_code=201,
    responses=refusals(
        Code.BAD_TOKEN,
        Code.HOST_ONLY,
        Code.SEAT_PRESENT,
        Code.TABLE_CLOSED,
        Code.MALFORMED,
    ),
)
async def reissue(
    request: Request,
    host: Host,
    hall: HallOf,
    seat: Annotated[int, Path(ge=1, le=2, description="A guest's seat.")],
) -> InviteModel:
    """Make a new link; the old link, or the absent guest's token, is void."""
    invite = await hall.service.reissue(host.table, Seat(seat), host.holder)
    return invite_of(host.table, seat, invite, links_to(request))


@router.get(
    "/view",
    operation_id="getView",
    summary="See what your seat sees",
    response_model=View,
    responses={
        **refusals(Code.BAD_TOKEN, Code.MALFORMED),
        204: {"description": "Nothing new after `after`, within `wait` seconds."},
    },
)
async def get_view(
    asker: Seated,
    hall: HallOf,
    after: Annotated[
        int | None, Query(ge=0, description="Answer only once `seq` is past this.")
    ] = None,
    wait: Annotated[
        float, Query(ge=0, le=30, description="Seconds to wait for that.")
    ] = 0,
) -> View | Response:
    """Return the seat's view: at once, or as a long poll."""
    service, gate = hall.service, hall.gate
    with ExitStack() as stack:
        if wait:
            # Who polls is there, from one poll to the next.
            stays, presence = hall.settings.poll_s, service.presence
            stack.enter_context(presence.poll(asker.table, asker.seat, stays))
        changed = stack.enter_context(service.follow(asker.table))
        stack.enter_context(gate.waking(changed))
        loop = asyncio.get_running_loop()
        end = loop.time() + wait
        while True:
            changed.clear()
            seen = await service.view(asker.table, asker.seat, asker.holder)
            if after is None or seen.seq > after:
                return view_of(seen)
            if gate.draining:
                return Response(status_code=204)
            try:
                async with asyncio.timeout_at(end):
                    await changed.wait()
            except TimeoutError:
                return Response(status_code=204)


@router.post(
    "/actions",
    operation_id="act",
    summary="Bid, call, discard or play",
    tags=["actions"],
    responses=refusals(
        Code.BAD_TOKEN,
        Code.STALE_DECISION,
        Code.ILLEGAL_ACTION,
        Code.MALFORMED,
        Code.TABLE_CLOSED,
        malformed_body=True,
    ),
)
async def act(asker: Known, hall: HallOf, body: ActRequest) -> ActResponse:
    """Answer the decision that is due.

    The same `id` again changes nothing: the answer tells the `seq` of the first time
    and the newest view. The answer to your own turn is never too much.
    """
    command = Act(asker.seat, parse(body.action), body.decision, body.id)
    done = await carry_out(hall, asker, command)
    view = await view_for(hall.service, asker)
    return ActResponse(seq=done.seq, view=view, duplicate=done.duplicate)
