"""The application: the one place that picks adapters and puts the parts together."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.routing import Match

from terziglio.errors import IllegalAction
from terziglio.players import PLAYERS, Player
from terziglio_api import docs, web
from terziglio_api.commands import Code, Refusal
from terziglio_api.drivers import Drivers
from terziglio_api.fanout.local import LocalFanout
from terziglio_api.hall import furnish
from terziglio_api.journal import Event
from terziglio_api.keeper import Keeper
from terziglio_api.logs import logger
from terziglio_api.metrics import Metrics
from terziglio_api.ports import EventLog, StorageUnavailable
from terziglio_api.routes import (
    hands,
    meta,
    seats,
    socket,
    streams,
    tables,
    thoughts,
)
from terziglio_api.routes.access import Asker, hall_of, view_for
from terziglio_api.service import TableService
from terziglio_api.settings import Settings
from terziglio_api.spec import asyncapi, openapi
from terziglio_api.storage.memory import MemoryLog
from terziglio_api.storage.sqlite import SqliteLog
from terziglio_api.thinking import Thinkers
from terziglio_api.wire.problems import (
    MEDIA_TYPE,
    FieldError,
    FieldRefused,
    Problem,
    problem_of,
    top_level,
)
from terziglio_api.wire.view import View
from terziglio_api.workers import Workers, cores

__all__ = ["create_app"]

_log = logger(__name__)
_WITH_VIEW = {
    Code.STALE_DECISION,
    Code.ILLEGAL_ACTION,
    Code.HAND_IN_PROGRESS,
    Code.MATCH_OVER,
    Code.MATCH_NOT_OVER,
    Code.TABLE_CLOSED,
    "hand_over",
    "not_your_turn",
    "wrong_phase",
}
"""Refusals after which the asker wants to see the table as it stands."""


class _Application(FastAPI):
    """FastAPI, with the published document as its own."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document with the recorded examples."""
        if self.openapi_schema is None:
            self.openapi_schema = openapi(self)
        return self.openapi_schema


_TO_STRANGERS = {Code.BAD_TOKEN, Code.BAD_INVITE, Code.NO_SUCH_TABLE}
"""Refusals that tell nothing of a table, not even that it is there."""


def create_app(
    settings: Settings | None = None,
    log: EventLog[Event] | None = None,
    players: Mapping[str, Player] = PLAYERS,
    thinkers: Thinkers | None = None,
) -> FastAPI:
    """Return the service as an ASGI application.

    Args:
        settings: ``None`` takes them from the environment.
        log: where tables are kept; ``None`` opens what the settings name.
        players: computer players that answer in no time, by name.
        thinkers: who does what takes longer; ``None`` has processes of its own.

    Raises:
        StorageUnavailable: the database cannot be opened.
    """
    settings = Settings() if settings is None else settings
    if log is None:
        at = settings.database
        log = MemoryLog() if at is None else SqliteLog(at)
    fanout, metrics = LocalFanout(), Metrics()
    service = TableService(
        log, fanout, thrown_in_ms=settings.thrown_in_ms, metrics=metrics
    )
    if thinkers is None:
        size = max(1, cores() - 1) if settings.workers is None else settings.workers
        thinkers = Workers(size, settings.think_s, settings.analysis_s, metrics=metrics)
    hall = furnish(service, settings, metrics, players, thinkers)
    drivers = Drivers(service, fanout, players, metrics, thinkers)
    keeper = Keeper(service, settings.keep_s)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncGenerator[None, None]:
        thinkers.start()
        parts = (drivers.run(), keeper.run(), hall.gate.watch())
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await hall.studies.close()
            await thinkers.close()
            await service.close()
            await log.close()

    app = _Application(
        title="Terziglio",
        version=version("terziglio"),
        summary="Tables of Terziglio (Calabresella) for people, computers and bots",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
    )
    app.state.hall = hall
    app.state.fanout = fanout
    for module in (tables, seats, streams, hands, thoughts, meta, socket):
        app.include_router(module.router)
    app.include_router(docs.router)
    app.add_api_route(
        "/v1/asyncapi.json", _asyncapi, include_in_schema=False, methods=["GET"]
    )
    if settings.web:
        app.router.routes.extend(web.routes(web.place(), live=settings.dev))
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(IllegalAction, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(StarletteHTTPException, _http_error)
    app.add_exception_handler(StorageUnavailable, _unavailable)
    app.add_exception_handler(Exception, _internal)
    if settings.pages or settings.dev:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.pages,
            allow_origin_regex=_LOCAL if settings.dev else None,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=[
                "Authorization",
                "Content-Type",
                "Idempotency-Key",
                "Last-Event-ID",
            ],
            expose_headers=["Location", "Retry-After"],
        )
    return app


async def _asyncapi() -> JSONResponse:
    return JSONResponse(asyncapi())


_LOCAL = r"https?://(localhost|127\.0\.0\.1)(:\d+)?"


def _answer(
    request: Request, problem: Problem, headers: dict[str, str] | None = None
) -> Response:
    hall_of(request).metrics.refusals.labels(problem.code).inc()
    return Response(
        problem.model_dump_json(by_alias=True),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers=headers,
    )


async def _refused(request: Request, refusal: Exception) -> Response:
    """Answer a refusal of the service or of the rules."""
    assert isinstance(refusal, Refusal | IllegalAction)  # noqa: S101 - registered so
    code, _ = top_level(refusal)
    silent = code in _TO_STRANGERS
    if code == Code.RATE_LIMITED:  # it may be a stranger who is told to wait
        silent = getattr(request.state, "asker", None) is None
    seq = None if silent else await _seq(request)
    problem = problem_of(
        refusal,
        request.url.path,
        seq=seq,
        view=await _view(request) if code in _WITH_VIEW else None,
        errors=refusal.errors if isinstance(refusal, FieldRefused) else None,
    )
    headers: dict[str, str] = {}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if "retry_s" in problem.params:
        headers["Retry-After"] = str(problem.params["retry_s"])
    return _answer(request, problem, headers)


async def _malformed(request: Request, error: Exception) -> Response:
    """Answer a request that does not fit its schema, without repeating it."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered so
    errors = [
        FieldError(pointer=_pointer(found["loc"]), detail=str(found["msg"]))
        for found in error.errors()
    ]
    refusal, seq, detail = Refusal(Code.MALFORMED), None, None
    said = request.headers.get("content-type", "")
    if request.method == "POST" and not said.startswith("application/json"):
        detail = "Send the body with Content-Type: application/json."
    if getattr(request.state, "asker", None) is not None:
        seq = await _seq(request)
    problem = problem_of(
        refusal, request.url.path, seq=seq, errors=errors, detail=detail
    )
    return _answer(request, problem)


_ACTIONS = {"bid", "call", "discard", "play"}
_SEATS = {"link", "computer"}


def _pointer(place: Sequence[str | int]) -> str:
    """Return where in the request something is, as a JSON pointer.

    Pydantic puts the tag of a union into the place, which is no field.
    """
    parts = list(place)
    if parts[1:2] == ["action"] and parts[2:3] and parts[2] in _ACTIONS:
        del parts[2]
    if parts[1:2] == ["seats"] and parts[3:4] and parts[3] in _SEATS:
        del parts[3]
    return "/" + "/".join(map(str, parts))


async def _view(request: Request) -> View | None:
    """The asker's view; ``None`` if his token has become void, or none can be had."""
    asker: Asker | None = getattr(request.state, "asker", None)
    if asker is None:
        return None
    try:
        return await view_for(hall_of(request).service, asker)
    except (Refusal, StorageUnavailable):
        return None


async def _seq(request: Request) -> int | None:
    """Where the table of a request stands; ``None`` if that cannot be told."""
    table: str | None = request.path_params.get("table")
    if table is None:
        return None
    try:
        return (await hall_of(request).service.summary(table)).seq
    except (Refusal, StorageUnavailable):
        return None


async def _http_error(request: Request, error: Exception) -> Response:
    """Answer what the framework refuses: bad bodies, unknown paths and methods."""
    assert isinstance(error, StarletteHTTPException)  # noqa: S101 - registered so
    codes = {404: Code.NOT_FOUND, 405: Code.METHOD_NOT_ALLOWED}
    code = codes.get(error.status_code, Code.MALFORMED)
    # What cannot be read is 400, a body that is too large for it included.
    status = 400 if code is Code.MALFORMED else error.status_code
    detail = str(error.detail) if code is Code.MALFORMED else None
    problem = problem_of(Refusal(code), request.url.path, status=status, detail=detail)
    headers = dict(error.headers or {})
    if status == 405:
        headers["Allow"] = ", ".join(_methods(request))
    return _answer(request, problem, headers)


def _methods(request: Request) -> list[str]:
    """Return all methods that an address takes; the framework tells those of one."""
    routes = request.app.router.routes
    return [
        method
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in routes
        )
    ]


async def _unavailable(request: Request, error: Exception) -> Response:
    """Answer while the log cannot be read or written."""
    _log.error("storage unavailable", why=str(error))
    refusal = Refusal(Code.STORAGE_UNAVAILABLE)
    return _answer(request, problem_of(refusal, request.url.path), {"Retry-After": "1"})


async def _internal(request: Request, _error: Exception) -> Response:
    """Answer a fault of ours; the server logs its traceback."""
    return _answer(request, problem_of(Refusal(Code.INTERNAL), request.url.path))
