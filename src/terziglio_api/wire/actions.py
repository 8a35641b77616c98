"""Actions on the wire, both ways."""

from typing import Annotated, Final, Literal, assert_never

from pydantic import Field

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio_api.wire.base import BidName, CardCode, Incoming

__all__ = [
    "ActionModel",
    "BidAction",
    "CallAction",
    "DiscardAction",
    "PlayAction",
    "bid_name",
    "dump",
    "parse",
]


class BidAction(Incoming):
    """Bid, or pass."""

    type: Literal["bid"]
    bid: BidName


class CallAction(Incoming):
    """Call a card, as the chiamo soloist."""

    type: Literal["call"]
    card: CardCode


class DiscardAction(Incoming):
    """Lay four cards face down; give one back if a card was passed to you."""

    type: Literal["discard"]
    cards: list[CardCode] = Field(max_length=40, description="In any order.")
    give_back: CardCode | None = Field(
        default=None,
        description="A card of your hand, none of `cards`, if `options.give_back`.",
    )


class PlayAction(Incoming):
    """Play a card."""

    type: Literal["play"]
    card: CardCode


ActionModel = Annotated[
    BidAction | CallAction | DiscardAction | PlayAction, Field(discriminator="type")
]


_CARDS: Final = {card.code: card for card in Card}


def parse(model: ActionModel) -> Action:
    """Return the engine's action."""
    match model:
        case PlayAction(card=card):
            return Play(_CARDS[card])
        case BidAction(bid=bid):
            return Bid(None if bid == "pass" else Contract(bid))
        case CallAction(card=card):
            return Call(_CARDS[card])
        case DiscardAction(cards=cards, give_back=given_back):
            back = None if given_back is None else _CARDS[given_back]
            return Discard(tuple([_CARDS[card] for card in cards]), back)
        case _:
            assert_never(model)


def dump(action: Action) -> ActionModel:
    """Return the wire's action."""
    match action:
        case Bid(contract):
            return BidAction(type="bid", bid=bid_name(contract))
        case Call(card):
            return CallAction(type="call", card=card.code)
        case Discard(cards, given_back):
            codes = [card.code for card in cards]
            back = None if given_back is None else given_back.code
            return DiscardAction(type="discard", cards=codes, give_back=back)
        case Play(card):
            return PlayAction(type="play", card=card.code)
        case _:
            assert_never(action)


_NAMES: dict[Contract | None, BidName] = {
    None: "pass",
    Contract.CHIAMO: "chiamo",
    Contract.SOLO: "solo",
    Contract.SOLISSIMO: "solissimo",
}


def bid_name(bid: Contract | None) -> BidName:
    """Return a bid's name on the wire."""
    return _NAMES[bid]
