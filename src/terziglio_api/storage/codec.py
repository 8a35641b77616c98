"""The stored form of a table's events: tagged JSON of this service's own.

Apart from the wire's JSON on purpose: what is on disk outlives versions of the
protocol. ``FORMAT`` goes up with any change that older code cannot read.
"""

from collections.abc import Sequence
from typing import Any, Final, assert_never

import orjson

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.notation import RULES
from terziglio.seats import Seat
from terziglio_api.commands import By, Mode
from terziglio_api.journal import (
    Acted,
    Closed,
    Dealt,
    Event,
    NextHandAsked,
    Opened,
    Plan,
    RematchAsked,
    Sat,
    SecretsChanged,
)

__all__ = ["FORMAT", "UnknownFormat", "decode", "encode"]

FORMAT: Final = 2
_READABLE: Final = {1, 2}
"""Format 1 had no clocks and no voice; the rest is the same."""
_Body = dict[str, Any]


class UnknownFormat(ValueError):
    """The log was written by a version that this one cannot read."""


def encode(event: Event) -> str:
    """Return the event as one line of JSON."""
    body: _Body = {"at": event.at}
    match event:
        case Opened():
            body |= {
                "k": "opened",
                "format": FORMAT,
                "rules": RULES,
                "mode": event.mode,
                "name": event.name,
                "kind": event.kind,
                "token": event.token,
                "target": event.target,
                "pace_ms": event.pace_ms,
                "plans": [[plan.player, plan.invite] for plan in event.plans],
                "dealer": event.dealer,
                "seed": event.seed,
                "deck": None if event.deck is None else _codes(event.deck),
                "again": event.again,
                "clock_s": event.clock_s,
                "voice": event.voice,
            }
        case Sat(_, seat, name, kind, token, key):
            body |= {"k": "sat", "seat": seat, "name": name, "kind": kind}
            body |= {"token": token, "key": key}
        case SecretsChanged(_, seat, token, invites):
            body |= {"k": "secrets", "seat": seat, "token": token, "invites": invites}
        case Dealt(_, deck, dealer):
            body |= {"k": "dealt", "deck": _codes(deck), "dealer": dealer}
        case Acted(_, seat, action, by, name):
            body |= {"k": "acted", "seat": seat, "by": by, "id": name}
            body |= {"action": _encode_action(action)}
        case NextHandAsked(_, seat):
            body |= {"k": "next_hand", "seat": seat}
        case RematchAsked(_, seat):
            body |= {"k": "rematch", "seat": seat}
        case Closed():
            body |= {"k": "closed"}
        case _:
            assert_never(event)
    return orjson.dumps(body).decode()


def decode(text: str) -> Event:
    """Return the event that ``encode`` wrote.

    Raises:
        UnknownFormat: another version's format, rules, or kind of event.
    """
    body: _Body = orjson.loads(text)
    at: int = body["at"]
    match body["k"]:
        case "opened":
            return _decode_opening(at, body)
        case "sat":
            seat, kind = Seat(body["seat"]), By(body["kind"])
            return Sat(at, seat, body["name"], kind, body["token"], body["key"])
        case "secrets":
            invites = tuple((Seat(seat), invite) for seat, invite in body["invites"])
            return SecretsChanged(at, Seat(body["seat"]), body["token"], invites)
        case "dealt":
            dealer = body["dealer"]
            deck = _cards(body["deck"])
            return Dealt(at, deck, None if dealer is None else Seat(dealer))
        case "acted":
            action = _decode_action(body["action"])
            return Acted(at, Seat(body["seat"]), action, By(body["by"]), body["id"])
        case "next_hand":
            return NextHandAsked(at, Seat(body["seat"]))
        case "rematch":
            return RematchAsked(at, Seat(body["seat"]))
        case "closed":
            return Closed(at)
        case kind:
            raise UnknownFormat(f"an event of kind {kind!r}")


def _decode_opening(at: int, body: _Body) -> Opened:
    if body["format"] not in _READABLE or body["rules"] != RULES:
        raise UnknownFormat(f"format {body['format']}, rules {body['rules']}")
    right, left = (Plan(player, invite) for player, invite in body["plans"])
    return Opened(
        at=at,
        mode=Mode(body["mode"]),
        name=body["name"],
        kind=By(body["kind"]),
        token=body["token"],
        target=body["target"],
        pace_ms=body["pace_ms"],
        plans=(right, left),
        dealer=Seat(body["dealer"]),
        seed=body["seed"],
        deck=None if body["deck"] is None else _cards(body["deck"]),
        again=body["again"],
        clock_s=body.get("clock_s"),
        voice=body.get("voice", False),
    )


def _encode_action(action: Action) -> list[Any]:
    match action:
        case Bid(contract):
            return ["bid", None if contract is None else contract.code]
        case Call(card):
            return ["call", card.code]
        case Discard(cards, given_back):
            back = None if given_back is None else given_back.code
            return ["discard", _codes(cards), back]
        case Play(card):
            return ["play", card.code]
        case _:
            assert_never(action)


def _decode_action(stored: list[Any]) -> Action:
    match stored:
        case ["bid", contract]:
            return Bid(None if contract is None else Contract(contract))
        case ["call", card]:
            return Call(Card(card))
        case ["discard", cards, back]:
            return Discard(_cards(cards), None if back is None else Card(back))
        case ["play", card]:
            return Play(Card(card))
        case _:
            raise UnknownFormat(f"an action {stored!r}")


def _codes(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _cards(codes: str) -> tuple[Card, ...]:
    return tuple(map(Card, codes.split()))
