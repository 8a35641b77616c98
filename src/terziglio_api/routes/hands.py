"""Counted hands: their records, and the same deal again."""

from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from terziglio.seats import Seat
from terziglio_api.commands import Code
from terziglio_api.routes.access import (
    HallOf,
    Seated,
    Service,
    let_in,
    links_to,
    prefers_text,
    refusals,
)
from terziglio_api.wire.records import RecordModel, record_of
from terziglio_api.wire.tables import Opened, opened_of

__all__ = ["DealNo", "router"]

router = APIRouter(prefix="/v1/tables/{table}/hands/{deal}", tags=["hands"])

DealNo = Annotated[int, Path(ge=1, description="Number of the deal.")]


@router.get(
    "",
    operation_id="getHand",
    summary="Read the record of a counted hand",
    response_model=RecordModel,
    responses={
        **refusals(
            Code.BAD_TOKEN, Code.HAND_IN_PROGRESS, Code.NO_SUCH_HAND, Code.MALFORMED
        ),
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
    },
)
async def get_hand(
    asker: Seated,
    service: Service,
    deal: DealNo,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
    steps: Annotated[
        bool, Query(description="Add every action's event, rules and view.")
    ] = False,
    seat: Annotated[
        int | None,
        Query(ge=0, le=2, description="Whose view the steps show; default: open."),
    ] = None,
) -> RecordModel | Response:
    """Return a hand with every card open, once it is counted.

    With `Accept: text/plain` it comes in notation.
    """
    record = await service.hands.record(asker.table, deal)
    if prefers_text(accept):
        return PlainTextResponse(record.text)
    told = None
    if steps:
        whose = None if seat is None else Seat(seat)
        told = await service.hands.steps(asker.table, deal, whose)
    return record_of(record, told)


@router.post(
    "/again",
    operation_id="playAgain",
    summary="Play the same deal again, unscored",
    status_code=201,
    responses=refusals(
        Code.BAD_TOKEN,
        Code.COMPUTER_TABLE_ONLY,
        Code.HAND_IN_PROGRESS,
        Code.NO_SUCH_HAND,
        Code.MALFORMED,
        Code.DRAINING,
        Code.OVERLOADED,
    ),
)
async def again(
    request: Request,
    response: Response,
    asker: Seated,
    hall: HallOf,
    deal: DealNo,
) -> Opened:
    """Open a new computer table that always deals this deal and keeps no score."""
    let_in(request, hall)
    seating = await hall.service.hands.again(asker.table, deal)
    response.headers["Location"] = f"/v1/tables/{seating.table}"
    return opened_of(seating, links_to(request))
