"""What happened, on the wire: one model for each kind of event."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, assert_never

from pydantic import Field

from terziglio.cards import CODES, Card
from terziglio.contracts import Contract
from terziglio.events import (
    BidMade,
    CardCalled,
    CardPlayed,
    CardsDiscarded,
    HandEvent,
    TrickTaken,
)
from terziglio.seats import Seat
from terziglio_api.commands import By
from terziglio_api.seen import (
    Deal,
    NextHandAsked,
    Notice,
    RematchAsked,
    SeatReissued,
    SeatTaken,
    TableClosed,
)
from terziglio_api.wire.actions import bid_name
from terziglio_api.wire.base import (
    BidName,
    CardCode,
    Json,
    Outgoing,
    SeatNo,
    SitterKind,
    optional,
)
from terziglio_api.wire.counts import Count, count_of, load_count

__all__ = [
    "SNAPSHOT",
    "EventModel",
    "HandEventModel",
    "codes",
    "event_of",
    "hand_event",
    "load_event",
]

ByName = Literal["person", "computer", "bot", "clock"]
_BY = "Who chose it."


class BidEvent(Outgoing):
    """A seat bid or passed."""

    kind: Literal["bid"]
    seat: SeatNo
    bid: BidName
    thrown_in: Literal[True] | None = optional("This was the third pass.")
    soloist: SeatNo | None = optional("The soloist, if this ended the auction.")
    monte_shown: list[CardCode] | None = optional("The monte, if it was turned up.")
    by: ByName | None = optional(_BY)


class CalledEvent(Outgoing):
    """The soloist called a card; the monte was turned up."""

    kind: Literal["called"]
    seat: SeatNo
    card: CardCode
    passed_by: SeatNo | Literal["monte"]
    monte_shown: list[CardCode]
    by: ByName | None = optional(_BY)


class DiscardedEvent(Outgoing):
    """The soloist laid four cards face down."""

    kind: Literal["discarded"]
    seat: SeatNo
    count: int
    given_back: CardCode | None = optional("The card given back, if one was.")
    cards: list[CardCode] | None = optional("The cards laid: to the soloist alone.")
    by: ByName | None = optional(_BY)


class TrickResult(Outgoing):
    """Who took a trick, and its thirds."""

    winner: SeatNo
    thirds: int


class CardPlayedEvent(Outgoing):
    """A seat played a card."""

    kind: Literal["card_played"]
    seat: SeatNo
    card: CardCode
    trick: TrickResult | None = optional("The trick, if this card finished it.")
    count: Count | None = optional("The count, if this card finished the hand.")
    winner: SeatNo | None = optional("The winner, if this card finished the match.")
    by: ByName | None = optional(_BY)


class SeatTakenEvent(Outgoing):
    """Somebody sat down."""

    kind: Literal["seat_taken"]
    seat: SeatNo
    name: str
    sitter: SitterKind


class DealtEvent(Outgoing):
    """A hand was dealt."""

    kind: Literal["dealt"]
    deal: int
    dealer: SeatNo


class NextHandAskedEvent(Outgoing):
    """A seat asked for the hand after this deal."""

    kind: Literal["next_hand_asked"]
    seat: SeatNo
    deal: int


class RematchAskedEvent(Outgoing):
    """A seat asked for a rematch."""

    kind: Literal["rematch_asked"]
    seat: SeatNo


class SeatReissuedEvent(Outgoing):
    """A seat's link or token was replaced."""

    kind: Literal["seat_reissued"]
    seat: SeatNo


class TableClosedEvent(Outgoing):
    """The host ended the table."""

    kind: Literal["table_closed"]


class SnapshotEvent(Outgoing):
    """Nothing happened: this is the table as it stands."""

    kind: Literal["snapshot"]


HandEventModel = Annotated[
    BidEvent | CalledEvent | DiscardedEvent | CardPlayedEvent,
    Field(discriminator="kind"),
]
EventModel = Annotated[
    BidEvent
    | CalledEvent
    | DiscardedEvent
    | CardPlayedEvent
    | SeatTakenEvent
    | DealtEvent
    | NextHandAskedEvent
    | RematchAskedEvent
    | SeatReissuedEvent
    | TableClosedEvent
    | SnapshotEvent,
    Field(discriminator="kind"),
]


def codes(cards: Sequence[Card]) -> list[str]:
    """Return the codes of cards."""
    return [CODES[card] for card in cards]


SNAPSHOT: Final[Json] = {"kind": "snapshot"}
"""The event that says that nothing happened."""


def event_of(notice: Notice, by: By | None) -> Json:
    """Return what happened, on the wire."""
    match notice:
        case BidMade() | CardCalled() | CardsDiscarded() | CardPlayed():
            return hand_event(notice, by)
        case SeatTaken(seat, name, sitter):
            kind = "bot" if sitter is By.BOT else "person"
            return {"kind": "seat_taken", "seat": seat, "name": name, "sitter": kind}
        case Deal(deal, dealer):
            return {"kind": "dealt", "deal": deal, "dealer": dealer}
        case NextHandAsked(seat, deal):
            return {"kind": "next_hand_asked", "seat": seat, "deal": deal}
        case RematchAsked(seat):
            return {"kind": "rematch_asked", "seat": seat}
        case SeatReissued(seat):
            return {"kind": "seat_reissued", "seat": seat}
        case TableClosed():
            return {"kind": "table_closed"}
        case _:
            assert_never(notice)


def hand_event(event: HandEvent, by: By | None = None) -> Json:
    """Return what happened in a hand, on the wire."""
    told: Json
    match event:
        case CardPlayed():
            told = {"kind": "card_played", "seat": event.seat, "card": event.card.code}
            if event.trick is not None:
                trick = event.trick
                told["trick"] = {"winner": trick.winner, "thirds": trick.thirds}
            if event.count is not None:
                told["count"] = count_of(event.count)
            if event.winner is not None:
                told["winner"] = event.winner
        case BidMade():
            told = {"kind": "bid", "seat": event.seat, "bid": bid_name(event.bid)}
            if event.thrown_in:
                told["thrown_in"] = True
            if event.soloist is not None:
                told["soloist"] = event.soloist
            if event.monte_shown is not None:
                told["monte_shown"] = codes(event.monte_shown)
        case CardCalled():
            told = {
                "kind": "called",
                "seat": event.seat,
                "card": event.card.code,
                "passed_by": "monte" if event.passed_by is None else event.passed_by,
                "monte_shown": codes(event.monte_shown),
            }
        case CardsDiscarded():
            told = {"kind": "discarded", "seat": event.seat, "count": event.count}
            if event.given_back is not None:
                told["given_back"] = event.given_back.code
            if event.cards is not None:
                told["cards"] = codes(event.cards)
        case _:
            assert_never(event)
    if by is not None:
        told["by"] = by.value
    return told


def load_event(
    event: HandEventModel, soloist: Seat | None, contract: Contract | None
) -> HandEvent:
    """Return what happened, as the wire tells it beside a contract."""
    seat = Seat(event.seat)
    match event:
        case BidEvent():
            return BidMade(
                seat=seat,
                bid=None if event.bid == "pass" else Contract(event.bid),
                thrown_in=event.thrown_in is not None,
                soloist=None if event.soloist is None else Seat(event.soloist),
                monte_shown=_cards(event.monte_shown),
            )
        case CalledEvent():
            by = event.passed_by
            return CardCalled(
                seat=seat,
                card=Card(event.card),
                passed_by=None if by == "monte" else Seat(by),
                monte_shown=tuple(map(Card, event.monte_shown)),
            )
        case DiscardedEvent():
            back = event.given_back
            return CardsDiscarded(
                seat=seat,
                count=event.count,
                given_back=None if back is None else Card(back),
                cards=_cards(event.cards),
            )
        case CardPlayedEvent():
            trick, count = event.trick, event.count
            taken = None
            if trick is not None:
                taken = TrickTaken(Seat(trick.winner), trick.thirds)
            result = None
            if count is not None and soloist is not None and contract is not None:
                result = load_count(count, soloist, contract)
            winner = None if event.winner is None else Seat(event.winner)
            return CardPlayed(seat, Card(event.card), taken, result, winner)
        case _:
            assert_never(event)


def _cards(shown: list[str] | None) -> tuple[Card, ...] | None:
    return None if shown is None else tuple(map(Card, shown))
