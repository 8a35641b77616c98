"""The socket's messages: what a client sends, and what it is sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field

from terziglio.events import HandEvent
from terziglio.frozen import quick
from terziglio_api.seen import TableView
from terziglio_api.wire.actions import ActionModel
from terziglio_api.wire.base import ActionId, Incoming, Json, Outgoing, SeatNo, optional
from terziglio_api.wire.events import EventModel, hand_event
from terziglio_api.wire.view import View, Why, common_json, own_json

__all__ = [
    "PROTOCOL",
    "Ack",
    "ActionMessage",
    "Bye",
    "ByeCode",
    "ClientMessage",
    "ErrorMessage",
    "EventMessage",
    "Hello",
    "NextHandMessage",
    "Ping",
    "Pong",
    "PresenceMessage",
    "RematchMessage",
    "Resync",
    "ServerMessage",
    "Signal",
    "SignalFrom",
    "Told",
    "Welcome",
    "ack_message",
    "event_message",
    "event_messages",
]

PROTOCOL = "terziglio.v1"
"""The subprotocol's name."""


class Hello(Incoming):
    """The first message: who you are, and what you have already."""

    type: Literal["hello"]
    token: str = Field(max_length=200, description="Your seat token.")
    after: int | None = Field(
        default=None,
        ge=0,
        description="The last `seq` you have; null: you have nothing.",
    )


class ActionMessage(Incoming):
    """Answer the decision that is due."""

    type: Literal["action"]
    id: ActionId
    decision: str = Field(max_length=32, description="From `view.turn.decision`.")
    action: ActionModel


class NextHandMessage(Incoming):
    """Ask for the hand after this deal."""

    type: Literal["next_hand"]
    deal: int = Field(ge=0)
    id: ActionId | None = Field(default=None, description="Comes back in the answer.")


class RematchMessage(Incoming):
    """Ask for a new match at the same table."""

    type: Literal["rematch"]
    id: ActionId | None = Field(default=None, description="Comes back in the answer.")


class Resync(Incoming):
    """Ask for the table as it stands."""

    type: Literal["resync"]


class Signal(Incoming):
    """Set up voice with another seat: relayed as it is, never stored."""

    type: Literal["signal"]
    to: SeatNo
    data: dict[str, Any]


class Ping(Incoming):
    """Ask for a sign of life."""

    type: Literal["ping"]
    n: int


ClientMessage = Annotated[
    Hello | ActionMessage | NextHandMessage | RematchMessage | Resync | Signal | Ping,
    Field(discriminator="type"),
]


class Welcome(Outgoing):
    """You are known; what you missed follows, then a snapshot."""

    type: Literal["welcome"]
    protocol: Literal["terziglio.v1"]
    table: str
    seat: SeatNo
    seq: int
    heartbeat_s: int = Field(
        description="Seconds between the service's pings. A browser does not see them: "
        "send `ping` to find out whether the line is alive."
    )
    server_time: str


class EventMessage(Outgoing):
    """One accepted change of the table, or a snapshot, with your whole view then."""

    type: Literal["event"]
    seq: int
    event: EventModel
    view: View


@quick
@dataclass(frozen=True, slots=True)
class Told:
    """An ``EventMessage`` or ``Ack``, encoded."""

    seq: int
    text: str


def event_message(event: Json, seen: TableView) -> Told:
    """Return the ``EventMessage`` to one seat."""
    return event_messages([(event, seen)])[0]


def event_messages(told: Sequence[tuple[Json, TableView]]) -> list[Told]:
    """Return the ``EventMessage`` to each seat that is told of one change.

    What is the same in all their views is encoded once; what just happened too, where
    it is the same for all.
    """
    seen = told[0][1]
    head = f'{{"type":"event","seq":{seen.seq},"event":'
    common = f',"view":{_text(common_json(seen))[:-1]},'
    events = {id(event): event for event, _ in told}  # mostly one, as is the last
    lasts = {id(view.game.last): view.game.last for _, view in told}
    begun = {key: f"{head}{_text(event)}{common}" for key, event in events.items()}
    ends = {key: f',"last":{_last(event)}}}}}' for key, event in lasts.items()}
    return [
        Told(
            seen.seq,
            f"{begun[id(event)]}{_text(own_json(view))[1:-1]}{ends[id(view.game.last)]}",
        )
        for event, view in told
    ]


def _last(event: HandEvent | None) -> str:
    return "[]" if event is None else f"[{_text(hand_event(event))}]"


def _text(value: Json) -> str:
    return orjson.dumps(value).decode()


class Ack(Outgoing):
    """Your action is stored; its event follows."""

    type: Literal["ack"]
    id: str | None = optional("The action's own name.")
    seq: int
    duplicate: Literal[True] | None = optional("It had been stored before.")


def ack_message(name: str | None, seq: int, *, duplicate: bool) -> Told:
    """Return the ``Ack`` of what a client named so."""
    ack: Json = {"type": "ack"}
    if name is not None:
        ack["id"] = name
    ack["seq"] = seq
    if duplicate:
        ack["duplicate"] = True
    return Told(seq, _text(ack))


class ErrorMessage(Outgoing):
    """What you asked is refused and has changed nothing."""

    type: Literal["error"]
    id: str | None = optional("The action's own name, if it could be read.")
    code: str
    params: dict[str, str | int]
    why: Why | None = optional("Which rule, for `illegal_action`.")
    detail: str
    view: View | None = optional("The table as it stands, where that may help.")


class PresenceMessage(Outgoing):
    """Another seat came online or went; nothing of the table has changed.

    After a welcome and its snapshot one comes for each seat that is away, as far as the
    service knows since when.
    """

    type: Literal["presence"]
    seat: SeatNo
    present: bool
    since: str = Field(description="When, in UTC.")


class SignalFrom(Outgoing):
    """Another seat sets up voice with you."""

    type: Literal["signal"]
    from_: SeatNo = Field(alias="from")
    data: dict[str, Any]


class Pong(Outgoing):
    """The answer to a ping."""

    type: Literal["pong"]
    n: int


ByeCode = Literal[
    "bad_token",
    "flood",
    "no_hello",
    "origin",
    "replaced",
    "restart",
    "slow",
    "version",
]


class Bye(Outgoing):
    """The service closes this socket on purpose."""

    type: Literal["bye"]
    code: ByeCode = Field(description="Why; each has a close code of its own.")
    retry_ms: int | None = optional("Come back after this long.")


ServerMessage = Annotated[
    Welcome
    | EventMessage
    | Ack
    | ErrorMessage
    | PresenceMessage
    | SignalFrom
    | Pong
    | Bye,
    Field(discriminator="type"),
]
