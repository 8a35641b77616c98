"""Terziglio (Calabresella): the game as immutable values.

    hand = deal(dealer=Seat(2), deck=cards)
    hand = apply(hand, Seat(0), Bid(Contract.SOLO))
    legal(hand, hand.turn).cards

``deal``, ``check``, ``apply`` and ``legal`` play one hand; ``new_match`` strings
hands together; ``seat_view`` is what one seat may know. Importing the package loads
the core alone: standard library, no clock, no randomness.
"""

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

__all__ = [
    "Action",
    "Bid",
    "Bonus",
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
