"""What thought finds for a seat: a hint for its decision, and hands in hindsight."""

from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Query, Response

from terziglio.errors import Illegal, IllegalAction
from terziglio.words import Words
from terziglio_api.commands import Code, Mode, Refusal
from terziglio_api.hall import Hall
from terziglio_api.routes.access import (
    Asker,
    HallOf,
    Seated,
    refusals,
)
from terziglio_api.routes.hands import DealNo
from terziglio_api.studies import Study
from terziglio_api.thinking import ANALYSIS, HINT
from terziglio_api.wire.thoughts import AnalysisModel, AnalysisState, HintModel
from terziglio_api.wire.view import view_of

__all__ = ["router"]

router = APIRouter(prefix="/v1/tables/{table}")


@router.get(
    "/hint",
    operation_id="getHint",
    summary="Ask the expert what to do, at a computer table",
    tags=["actions"],
    responses=refusals(
        Code.BAD_TOKEN,
        Code.COMPUTER_TABLE_ONLY,
        Code.STALE_DECISION,
        Code.TABLE_CLOSED,
        Code.MALFORMED,
        Code.NO_SOLVER,
        Code.OVERLOADED,
    ),
)
async def get_hint(
    asker: Seated,
    hall: HallOf,
    lang: Annotated[
        Literal["en", "it"] | None,
        Query(description="Say why in this language; default: the code alone."),
    ] = None,
) -> HintModel:
    """Return the expert's choice for your own view, on your own turn.

    Refused off turn with 409 `not_your_turn` or `hand_over`.
    """
    service = hall.service
    seen = await service.view(asker.table, asker.seat, asker.holder)
    if seen.mode is not Mode.COMPUTER:
        raise Refusal(Code.COMPUTER_TABLE_ONLY)
    if seen.closed:
        raise Refusal(Code.TABLE_CLOSED)
    game = seen.game
    if game.turn is None:
        raise IllegalAction(Illegal.HAND_OVER)
    if game.turn is not asker.seat:
        raise IllegalAction(Illegal.NOT_YOUR_TURN, {"turn": int(game.turn)})
    studies = hall.studies
    studies.demand(HINT)
    decision = f"{game.match.deal}.{game.decision}"
    key = asker.table, asker.seat, decision
    # The same bytes that a program at this seat's socket has, and nothing else.
    text = view_of(seen).model_dump_json(by_alias=True).encode()
    study = studies.study(key, HINT, text)
    found: dict[str, Any] = orjson.loads(await studies.result(key, HINT, study))
    now = (await service.view(asker.table, asker.seat, asker.holder)).game
    if (now.turn, now.match.deal, now.decision) != (
        game.turn,
        game.match.deal,
        game.decision,
    ):
        due = "" if now.decision is None else f"{now.match.deal}.{now.decision}"
        raise Refusal(Code.STALE_DECISION, due=due)
    if lang is not None:
        found["sentence"] = Words(lang).sentence("reasons", found["reason"])
    return HintModel.model_validate(found | {"decision": decision})


_WANTED = refusals(
    Code.BAD_TOKEN,
    Code.HAND_IN_PROGRESS,
    Code.NO_SUCH_HAND,
    Code.MALFORMED,
    Code.NO_SOLVER,
    Code.OVERLOADED,
)


async def _studied(hall: Hall, asker: Asker, deal: int) -> Study:
    """Return the study of a counted hand, begun if need be."""
    record = await hall.service.hands.record(asker.table, deal)
    hall.studies.demand(ANALYSIS)
    given = orjson.dumps(record.text)
    return hall.studies.study((asker.table, deal), ANALYSIS, given)


@router.post(
    "/hands/{deal}/analysis",
    operation_id="analyseHand",
    summary="Have a counted hand analysed in hindsight",
    tags=["hands"],
    status_code=202,
    responses=_WANTED,
)
async def analyse_hand(asker: Seated, hall: HallOf, deal: DealNo) -> AnalysisState:
    """Begin the analysis, if nobody has; `GET` has it when it is done."""
    return AnalysisState(state=(await _studied(hall, asker, deal)).state)


@router.get(
    "/hands/{deal}/analysis",
    operation_id="getAnalysis",
    summary="Read a counted hand in hindsight",
    tags=["hands"],
    response_model=AnalysisModel,
    responses={
        **_WANTED,
        202: {"model": AnalysisState, "description": "It is not done: ask again."},
    },
)
async def get_analysis(
    asker: Seated, hall: HallOf, deal: DealNo
) -> AnalysisModel | Response:
    """Return the analysis, or how far it is.

    One that is not kept any more is begun again.
    """
    study = await _studied(hall, asker, deal)
    if not study.answer.done():
        return Response(
            AnalysisState(state=study.state).model_dump_json(),
            status_code=202,
            media_type="application/json",
            headers={"Retry-After": "1"},
        )
    key = asker.table, deal
    found = orjson.loads(await hall.studies.result(key, ANALYSIS, study))
    return AnalysisModel.model_validate(found | {"table": asker.table, "deal": deal})
