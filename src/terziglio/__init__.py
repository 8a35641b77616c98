"""Terziglio (Calabresella): the game as immutable values.

    hand = deal(dealer=Seat(2), deck=cards)
    hand = apply(hand, Seat(0), Bid(Contract.SOLO))
    legal(hand, hand.turn).cards

``deal``, ``check``, ``apply`` and ``legal`` play one hand; ``new_match`` strings
hands together; ``seat_view`` is what one seat may know. Importing the package loads
the core alone: standard library, no clock, no randomness. ``Bot``, the class for
authors of players, is imported when it is asked for.
"""

from typing import TYPE_CHECKING, Any

from terziglio.actions import Action, Bid, Call, Discard, Phase, Play
from terziglio.cards import Card, Rank, Suit
from terziglio.contracts import Contract
from terziglio.count import Bonus, Result
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import apply, check, deal
from terziglio.legal import DiscardRule, Legal, legal
from terziglio.match import Match, new_match
from terziglio.phases import Hand
from terziglio.seats import Seat
from terziglio.view import SeatView, seat_view

if TYPE_CHECKING:
    from terziglio.bot import Bot

__all__ = [
    "Action",
    "Bid",
    "Bonus",
    "Bot",
    "Call",
    "Card",
    "Contract",
    "Discard",
    "DiscardRule",
    "Hand",
    "Illegal",
    "IllegalAction",
    "Legal",
    "Match",
    "Phase",
    "Play",
    "Rank",
    "Result",
    "Seat",
    "SeatView",
    "Suit",
    "apply",
    "check",
    "deal",
    "legal",
    "new_match",
    "seat_view",
]


def __getattr__(name: str) -> Any:
    if name == "Bot":
        from terziglio.bot import Bot  # noqa: PLC0415 - it brings randomness with it

        return Bot
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
