"""What a seat's browser needs beside the socket: events without one, and voice."""

from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.responses import StreamingResponse

from terziglio_api.commands import Code, Refusal
from terziglio_api.gate import RETRY_S
from terziglio_api.routes.access import HallOf, Seated, refusals
from terziglio_api.stream import Stream
from terziglio_api.wire.voice import IceModel, ice_of

__all__ = ["router"]

router = APIRouter(prefix="/v1/tables/{table}", tags=["seats"])


class EventStream(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


@router.get(
    "/events",
    operation_id="getEvents",
    summary="Follow the table as server-sent events",
    response_class=EventStream,
    responses=refusals(Code.BAD_TOKEN, Code.MALFORMED, Code.DRAINING),
)
async def get_events(
    asker: Seated,
    hall: HallOf,
    last_event_id: Annotated[
        int | None,
        Header(ge=0, description="The last `seq` you have; none: you have nothing."),
    ] = None,
) -> EventStream:
    """Stream the socket's messages, each as the `data` of an event.

    `id` is the `seq` of an `event` message: send the last one when you come back. A
    browser's own `EventSource` cannot send the token: read the stream with `fetch`.
    There are no answers here: what you do, you do over REST.
    """
    if hall.gate.draining:
        raise Refusal(Code.DRAINING, retry_s=RETRY_S)
    stream = Stream(hall, asker.table, asker.holder)
    return EventStream(
        stream.run(last_event_id),
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@router.get(
    "/ice",
    operation_id="getIce",
    summary="Get ICE servers for voice",
    responses=refusals(Code.BAD_TOKEN, Code.VOICE_OFF),
)
async def get_ice(asker: Seated, hall: HallOf) -> IceModel:
    """Return STUN and TURN servers; credentials are good for some minutes only."""
    seen = await hall.service.view(asker.table, asker.seat, asker.holder)
    if not seen.voice:
        raise Refusal(Code.VOICE_OFF)
    settings, secret = hall.settings, hall.settings.turn_secret
    return ice_of(
        settings.stun_urls,
        settings.turn_urls,
        None if secret is None else secret.get_secret_value(),
        settings.turn_ttl_s,
        hall.service.now(),
    )
