"""About the game and the service: rules, codes, words, a sample hand, health."""

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Header, Path, Query, Response
from fastapi.responses import PlainTextResponse
from pydantic import Field

from terziglio.seats import Seat
from terziglio.words import catalogue, rulebook
from terziglio_api.commands import Code
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

_KEEP: Final = {"Cache-Control": "public, max-age=3600", "Vary": "Accept"}
"""It changes with the service's version at most."""


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
    responses=refusals(Code.MALFORMED, stored=False),
    dependencies=[Visited],
)
async def get_rules(lang: Lang) -> RulesModel:
    """Return the numbered rules and the choices where sources differ."""
    book = rulebook()
    return RulesModel(
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


@router.get(
    "/v1/meta/codes",
    operation_id="getCodes",
    summary="List every code with its params",
    responses=refusals(stored=False),
    dependencies=[Visited],
)
async def get_codes() -> CodesModel:
    """Return all codes that a refusal may carry, and what each means."""
    return CodesModel(codes=list(all_codes()))


@router.get(
    "/v1/meta/words/{lang}",
    operation_id="getWords",
    summary="Get names and sentences",
    responses=refusals(Code.MALFORMED, stored=False),
    dependencies=[Visited],
)
async def get_words(lang: Lang) -> dict[str, Any]:
    """Return names of cards, bids and phases, and sentences with `{params}`."""
    return dict(catalogue(lang))


@router.get(
    "/v1/meta/sample",
    operation_id="getSampleHand",
    summary="Read a sample hand step by step",
    response_model=RecordModel,
    responses={
        **refusals(Code.MALFORMED, stored=False),
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
    },
    dependencies=[Visited],
)
async def get_sample_hand(
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

    It is told as a counted hand of a table is, and may be kept for an hour. With
    `Accept: text/plain` it comes in notation.
    """
    if prefers_text(accept):
        return PlainTextResponse(sample_text(), headers=_KEEP)
    whose = None if seat is None else Seat(seat)
    told = sample_json(whose, lang)
    return Response(told, media_type="application/json", headers=_KEEP)


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
