"""What the seat on turn may do, on the wire."""

from typing import Annotated, Literal

from pydantic import Field

from terziglio.legal import NOTHING, Legal
from terziglio_api.wire.actions import bid_name
from terziglio_api.wire.base import BidName, CardCode, Json, Outgoing
from terziglio_api.wire.events import codes

__all__ = [
    "BidOptions",
    "CallOptions",
    "DiscardOptions",
    "Options",
    "PlayOptions",
    "options_of",
]


class BidOptions(Outgoing):
    """Bids you may make."""

    type: Literal["bid"]
    bids: list[BidName]


class CallOptions(Outgoing):
    """Cards you may call."""

    type: Literal["call"]
    cards: list[CardCode]


class DiscardOptions(Outgoing):
    """How you may discard."""

    type: Literal["discard"]
    count: int = Field(description="How many cards go face down.")
    from_: list[CardCode] = Field(alias="from", description="Your whole hand.")
    give_back: bool = Field(description="Whether one card more must be given back.")


class PlayOptions(Outgoing):
    """Cards you may play."""

    type: Literal["play"]
    cards: list[CardCode]


Options = Annotated[
    BidOptions | CallOptions | DiscardOptions | PlayOptions,
    Field(discriminator="type"),
]


def options_of(legal: Legal) -> Json | None:
    """Return what a seat may do, on the wire; ``None`` off turn."""
    if legal is NOTHING:
        return None
    if legal.cards:
        return {"type": "play", "cards": codes(legal.cards)}
    if legal.bids:
        return {"type": "bid", "bids": [bid_name(bid) for bid in legal.bids]}
    if legal.calls:
        return {"type": "call", "cards": codes(legal.calls)}
    rule = legal.discard
    if rule is None:
        return None
    return {
        "type": "discard",
        "count": rule.count,
        "from": codes(rule.choices),
        "give_back": rule.give_back,
    }
