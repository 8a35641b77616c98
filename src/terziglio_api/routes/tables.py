"""Tables: open one, look at one, end one, play another match."""

import json

from fastapi import APIRouter, Request, Response

from terziglio.cards import Card
from terziglio.notation import NotationError, parse
from terziglio.seats import Seat
from terziglio_api.commands import (
    AskNextHand,
    AskRematch,
    By,
    Close,
    Code,
    Command,
    Mode,
    Opening,
    Refusal,
)
from terziglio_api.hall import Hall
from terziglio_api.routes.access import (
    Asker,
    HallOf,
    Host,
    IdempotencyKey,
    Known,
    Service,
    TableId,
    Visited,
    address_of,
    carry_out,
    let_in,
    links_to,
    refusals,
    view_for,
)
from terziglio_api.routes.strict import StrictRoute
from terziglio_api.wire.problems import FieldRefused
from terziglio_api.wire.tables import (
    NextHandRequest,
    Opened,
    OpenRequest,
    SeqResponse,
    SummaryModel,
    opened_of,
    summary_of,
)

__all__ = ["router"]

router = APIRouter(prefix="/v1/tables", tags=["tables"], route_class=StrictRoute)


@router.post(
    "",
    operation_id="openTable",
    summary="Open a table and sit down as its host",
    status_code=201,
    responses=refusals(
        Code.MALFORMED,
        Code.DEV_ONLY,
        Code.NO_BOTS,
        Code.DRAINING,
        Code.OVERLOADED,
        Code.NO_SOLVER,
        malformed_body=True,
    ),
    dependencies=[Visited],
)
async def open_table(
    request: Request,
    response: Response,
    hall: HallOf,
    body: OpenRequest,
    idempotency_key: IdempotencyKey = None,
) -> Opened:
    """Open a table.

    The answer holds the host's token and, for every free seat, an invite to give
    away. A computer table deals at once; others when their last seat fills.
    """
    settings = hall.settings
    if (body.deal is not None or body.seed is not None) and not settings.dev:
        raise Refusal(Code.DEV_ONLY)
    if body.mode == "friends" and body.kind == "bot":
        raise Refusal(Code.NO_BOTS)
    if not hall.players.issuperset(filter(None, body.players)):
        raise Refusal(Code.NO_SOLVER)
    dealer, deck = None, None
    if body.deal is not None:
        dealer, deck = _forced(body.deal)
    opening = Opening(
        mode=Mode(body.mode),
        name=body.name,
        kind=By(body.kind),
        target=body.target,
        pace_ms=body.pace_ms,
        players=body.players,
        dealer=dealer,
        deck=deck,
        seed=body.seed,
        clock_s=None if body.clock is None else body.clock.decision_s,
        voice=body.voice,
        origin=_origin(request, body, idempotency_key),
    )
    if not await hall.service.repeats(opening):
        let_in(request, hall)
    seating = await hall.service.open(opening)
    response.headers["Location"] = f"/v1/tables/{seating.table}"
    return opened_of(seating, links_to(request))


def _forced(text: str) -> tuple[Seat, tuple[Card, ...]]:
    """Return the dealer and the deck of a deal in notation."""
    try:
        hand = parse(text)
    except NotationError as error:
        raise FieldRefused("/deal", str(error)) from None
    if hand.bids:
        raise FieldRefused("/deal", "a forced deal ends with its monte")
    return hand.dealt.dealer, hand.dealt.deck


def _origin(request: Request, body: OpenRequest, key: str | None) -> str | None:
    """Name a request that may come twice: by its key, its whole body and its sender.

    The key alone would let whoever guesses it have the host's token.
    """
    if not key:
        return None
    return json.dumps([key, body.model_dump(mode="json"), address_of(request)])


@router.get(
    "/{table}",
    operation_id="getTable",
    summary="Look at a table from outside",
    responses=refusals(Code.NO_SUCH_TABLE),
    dependencies=[Visited],
)
async def get_table(table: TableId, service: Service) -> SummaryModel:
    """Return what anybody may know of a table: no card, no secret."""
    return summary_of(await service.summary(table))


@router.delete(
    "/{table}",
    operation_id="endTable",
    summary="End the table, as its host",
    status_code=204,
    response_class=Response,
    responses=refusals(Code.BAD_TOKEN, Code.HOST_ONLY),
)
async def end_table(host: Host, service: Service) -> None:
    """End the table for everybody; its views stay readable."""
    await service.do(host.table, Close(), host.holder)


@router.post(
    "/{table}/next-hand",
    operation_id="askNextHand",
    summary="Ask for the next hand",
    responses=refusals(
        Code.BAD_TOKEN,
        Code.HAND_IN_PROGRESS,
        Code.MATCH_OVER,
        Code.STALE_DECISION,
        Code.TABLE_CLOSED,
        Code.MALFORMED,
        malformed_body=True,
    ),
)
async def next_hand(asker: Known, hall: HallOf, body: NextHandRequest) -> SeqResponse:
    """Ask for the hand after this deal; it is dealt when every seat has asked."""
    return await _ask(hall, asker, AskNextHand(asker.seat, body.deal))


@router.post(
    "/{table}/rematch",
    operation_id="askRematch",
    summary="Ask for a new match at the same table",
    responses=refusals(Code.BAD_TOKEN, Code.MATCH_NOT_OVER, Code.TABLE_CLOSED),
)
async def rematch(asker: Known, hall: HallOf) -> SeqResponse:
    """Ask for a rematch; it begins when every seat has asked."""
    return await _ask(hall, asker, AskRematch(asker.seat))


async def _ask(hall: Hall, asker: Asker, command: Command) -> SeqResponse:
    done = await carry_out(hall, asker, command)
    return SeqResponse(seq=done.seq, view=await view_for(hall.service, asker))
