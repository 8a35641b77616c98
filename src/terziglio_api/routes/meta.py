"""About the game and the service: rules, codes, words, a sample hand, health."""

import json
from functools import cache
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import Field

from terziglio.seats import Seat
from terziglio.words import Language, catalogue, rulebook
from terziglio_api.commands import Code
from terziglio_api.constant import Constant
from terziglio_api.metrics import MEDIA_TYPE
from terziglio_api.routes.access import (
    HallOf,
    Service,
    Visited,
    prefers_text,
    refusals,
)
from terziglio_api.sample import sample_json, sample_text
from terziglio_api.wire.base import Outgoing
from terziglio_api.wire.problems import CodeModel, all_codes
from terziglio_api.wire.records import RecordModel

__all__ = ["router"]

router = APIRouter(tags=["meta"])

Lang = Annotated[Literal["en", "it"], Path(description="English or Italian.")]

_KNOWN: Final[dict[int | str, Any]] = {
    304: {"description": "You have it: `If-None-Match` names its `ETag`."}
}
"""What is about the game changes with the service's version at most."""


def _document(told: str, vary: str = "") -> Constant:
    return Constant("application/json", told.encode(), vary=vary)


class RuleModel(Outgoing):
    """One rule."""

    id: str = Field(examples=["R38"])
    text: str
    source: str


class RuleSection(Outgoing):
    """Rules that belong together."""

    id: str
    title: str
    rules: list[RuleModel]


class ChoiceModel(Outgoing):
    """A point the sources leave open, and how it is played here."""

    id: str = Field(examples=["O1"])
    question: str
    ruling: str


class RulesModel(Outgoing):
    """The rules in full."""

    rules: str
    language: str
    sections: list[RuleSection]
    choices: list[ChoiceModel]


class CodesModel(Outgoing):
    """Every code with its params."""

    codes: list[CodeModel]


class Health(Outgoing):
    """The service answers."""

    status: Literal["ok"]


@router.get(
    "/v1/meta/rules/{lang}",
    operation_id="getRules",
    summary="Read the rules in full",
    response_model=RulesModel,
    responses=_KNOWN | refusals(Code.MALFORMED, stored=False),
    dependencies=[Visited],
)
async def get_rules(lang: Lang, request: Request) -> Response:
    """Return the numbered rules and the choices where sources differ."""
    return _rules(lang).answer(request)


@cache
def _rules(lang: Language) -> Constant:
    book = rulebook()
    told = RulesModel(
        rules=book["rules"],
        language=lang,
        sections=[
            RuleSection(
                id=section["id"],
                title=section["title"][lang],
                rules=[
                    RuleModel(id=rule["id"], text=rule[lang], source=rule["source"])
                    for rule in section["rules"]
                ],
            )
            for section in book["sections"]
        ],
        choices=[
            ChoiceModel(
                id=choice["id"],
                question=choice["question"][lang],
                ruling=choice["ruling"][lang],
            )
            for choice in book["choices"]
        ],
    )
    return _document(told.model_dump_json(by_alias=True))


@router.get(
    "/v1/meta/codes",
    operation_id="getCodes",
    summary="List every code with its params",
    response_model=CodesModel,
    responses=_KNOWN | refusals(stored=False),
    dependencies=[Visited],
)
async def get_codes(request: Request) -> Response:
    """Return all codes that a refusal may carry, and what each means."""
    return _codes().answer(request)


@cache
def _codes() -> Constant:
    told = CodesModel(codes=list(all_codes()))
    return _document(told.model_dump_json(by_alias=True))


@router.get(
    "/v1/meta/words/{lang}",
    operation_id="getWords",
    summary="Get names and sentences",
    response_model=dict[str, Any],
    responses=_KNOWN | refusals(Code.MALFORMED, stored=False),
    dependencies=[Visited],
)
async def get_words(lang: Lang, request: Request) -> Response:
    """Return names of cards, bids and phases, and sentences with `{params}`."""
    return _words(lang).answer(request)


@cache
def _words(lang: Language) -> Constant:
    told = json.dumps(catalogue(lang), ensure_ascii=False, separators=(",", ":"))
    return _document(told)


@router.get(
    "/v1/meta/sample",
    operation_id="getSampleHand",
    summary="Read a sample hand step by step",
    response_model=RecordModel,
    responses={
        **_KNOWN,
        **refusals(Code.MALFORMED, stored=False),
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
    },
    dependencies=[Visited],
)
async def get_sample_hand(
    request: Request,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
    seat: Annotated[
        int | None,
        Query(ge=0, le=2, description="Whose view the steps show; default: open."),
    ] = None,
    lang: Annotated[
        Literal["en", "it"], Query(description="What the seats' names are in.")
    ] = "en",
) -> Response:
    """Return a hand to look at before the first own: a record, always with its steps.

    It is told as a counted hand of a table is. With `Accept: text/plain` it comes in
    notation.
    """
    if prefers_text(accept):
        return _noted_sample().answer(request)
    return _sample(None if seat is None else Seat(seat), lang).answer(request)


@cache
def _sample(seat: Seat | None, lang: Language) -> Constant:
    return _document(sample_json(seat, lang).decode(), vary="Accept")


@cache
def _noted_sample() -> Constant:
    text = sample_text().encode()
    return Constant("text/plain; charset=utf-8", text, vary="Accept")


@router.get(
    "/healthz",
    operation_id="getHealth",
    summary="Ask whether the service answers",
    responses=refusals(counted=False),
)
async def get_health(service: Service) -> Health:
    """Answer while the service can read its tables."""
    await service.check()
    return Health(status="ok")


@router.get(
    "/readyz",
    operation_id="getReadiness",
    summary="Ask whether new tables are welcome",
    responses=refusals(Code.DRAINING, Code.OVERLOADED, counted=False),
)
async def get_readiness(hall: HallOf) -> Health:
    """Answer while the service takes new tables: not while it stops, nor when full."""
    hall.gate.demand()
    await hall.service.check()
    return Health(status="ok")


@router.get(
    "/metrics",
    operation_id="getMetrics",
    summary="Get figures for Prometheus",
    response_class=PlainTextResponse,
)
async def get_metrics(hall: HallOf) -> Response:
    """Return counters and times; labels are codes, kinds and phases only."""
    return Response(hall.metrics.page(), media_type=MEDIA_TYPE)
