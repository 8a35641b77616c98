"""A seat's view on the wire.

``wire.game`` reads it back, so that a computer player in this service gets exactly
what a program at the other end of a socket gets.
"""

from typing import Literal

import orjson
from pydantic import Field

from terziglio.cards import CODES
from terziglio.errors import IllegalAction
from terziglio.notation import RULES
from terziglio.seats import Seat
from terziglio.view import SeatView
from terziglio_api.seen import SeatInfo, TableView
from terziglio_api.wire.actions import bid_name
from terziglio_api.wire.base import (
    BidName,
    CardCode,
    Json,
    KindName,
    ModeName,
    Outgoing,
    PlayerName,
    SeatNo,
    time_of,
)
from terziglio_api.wire.counts import (
    Count,
    OpenTrick,
    Sides,
    TakenTrick,
    count_of,
    open_trick,
    sides,
)
from terziglio_api.wire.events import HandEventModel, hand_event
from terziglio_api.wire.options import Options, options_of
from terziglio_api.wire.parts import HELD, free_hand, monte_of, tricks_taken, you

__all__ = [
    "AuctionBid",
    "ContractModel",
    "MatchModel",
    "PhaseName",
    "SeatModel",
    "SideName",
    "Turn",
    "View",
    "Why",
    "auction_of",
    "common_json",
    "contract_of",
    "match_of",
    "own_json",
    "turn_of",
    "view_json",
    "view_of",
    "why",
]

PhaseName = Literal[
    "waiting",
    "auction",
    "call",
    "exchange",
    "play",
    "count",
    "thrown_in",
    "finished",
]
SideName = Literal["soloist", "defenders"]


class Why(Outgoing):
    """Why the rules refuse something."""

    code: str
    params: dict[str, str | int]


class You(Outgoing):
    """Whose view this is."""

    seat: SeatNo
    side: SideName | None
    host: bool


class SeatModel(Outgoing):
    """A seat at the table."""

    seat: SeatNo
    name: str | None
    kind: KindName
    player: PlayerName | None = Field(description="Which computer player sits here.")
    present: bool
    cards: int = Field(description="How many cards it holds.")
    side: SideName | None
    wants_next: bool = Field(description="It has asked for the next hand or match.")


class MatchModel(Outgoing):
    """The match."""

    target: int
    scores: list[int] = Field(description="Game points by seat.")
    deal: int = Field(description="Number of the deal on the table, from 1.")
    hand: int = Field(description="Hands counted so far.")
    dealer: SeatNo
    winner: SeatNo | None


class AuctionBid(Outgoing):
    """One call of the auction."""

    seat: SeatNo
    bid: BidName


class ContractModel(Outgoing):
    """The contract, and what the exchange made public."""

    soloist: SeatNo
    bid: BidName
    stake: int
    called: CardCode | None
    passed_by: SeatNo | Literal["monte"] | None
    given_back: CardCode | None


class MonteModel(Outgoing):
    """The monte."""

    count: int = Field(description="Cards that lie there; 0 while they are in hand.")
    shown: list[CardCode] | None = Field(description="The dealt monte once turned up.")
    cards: list[CardCode] | None = Field(description="What lies there, if you know.")


class HandCard(Outgoing):
    """A card you hold; ``why`` says why you may not play it now."""

    card: CardCode
    why: Why | None


class Turn(Outgoing):
    """Who is to act."""

    seat: SeatNo
    decision: str = Field(description="Name it in your action: `<deal>.<n>`.")
    deadline: str | None = Field(description="When the clock runs out; null: never.")


class Clock(Outgoing):
    """The table's clock."""

    decision_s: int = Field(description="Seconds for each decision.")


class View(Outgoing):
    """All that your seat may know of the table: draw the newest one."""

    table: str
    seq: int = Field(description="The table's newest change that this view knows.")
    rules: str
    mode: ModeName
    phase: PhaseName = Field(
        description="`thrown_in` goes on by itself, `count` when all ask for the next "
        "hand, `finished` when all ask for a rematch."
    )
    closed: bool = Field(description="The host has ended the table.")
    clock: Clock | None = Field(description="Null: everybody takes their time.")
    voice: bool = Field(description="Seats may set up voice with `signal`.")
    you: You
    seats: list[SeatModel]
    match: MatchModel
    auction: list[AuctionBid] = Field(description="The calls so far, in order.")
    contract: ContractModel | None = Field(description="Null while nobody plays alone.")
    monte: MonteModel | None = Field(description="Null before the first deal.")
    hand: list[HandCard] = Field(description="Your cards, by suit, weakest first.")
    trick: OpenTrick | None = Field(
        description="On the table; a finished trick stays until the next card."
    )
    tricks: list[TakenTrick] = Field(description="The finished ones, oldest first.")
    thirds: Sides | None = Field(description="Thirds in each side's tricks so far.")
    turn: Turn | None
    options: Options | None = Field(description="What you may do; null off turn.")
    last: list[HandEventModel] = Field(description="What just happened.")
    count: Count | None = Field(
        description="In `count` and `finished`; never after a thrown-in deal."
    )


def view_of(seen: TableView) -> View:
    """Return a seat's view as its model."""
    return View.model_validate_json(_text(seen))


def view_json(seen: TableView) -> Json:
    """Return a seat's view on the wire."""
    told: Json = orjson.loads(_text(seen))
    return told


def _text(seen: TableView) -> bytes:
    game = seen.game
    last = [] if game.last is None else [hand_event(game.last)]
    return orjson.dumps({**common_json(seen), **own_json(seen), "last": last})


def common_json(seen: TableView) -> Json:
    """Return the part of a view that is the same for all three seats.

    In it and in ``own_json``, what seldom changes is encoded already.
    """
    game = seen.game
    soloist = None if game.contract is None else game.contract.soloist
    return {
        "table": seen.table,
        "seq": seen.seq,
        "rules": RULES,
        "mode": seen.mode.value,
        "phase": seen.phase.value,
        "closed": seen.closed,
        "clock": None if seen.clock_s is None else {"decision_s": seen.clock_s},
        "voice": seen.voice,
        "seats": [_seat(info, game, soloist) for info in seen.seats],
        "match": match_of(game),
        "auction": auction_of(game),
        "contract": contract_of(game),
        "trick": None if game.trick is None else open_trick(game.trick),
        "tricks": tricks_taken(game.tricks),
        "thirds": None if game.thirds is None else sides(game.thirds),
        "turn": turn_of(game, seen.deadline),
        "count": None if game.count is None else count_of(game.count),
    }


def own_json(seen: TableView) -> Json:
    """Return the part of a view that may be of its seat alone, but for ``last``."""
    game = seen.game
    soloist = None if game.contract is None else game.contract.soloist
    return {
        "you": you(game.seat, _side(game.seat, soloist), seen.host),
        "monte": None if game.monte is None else monte_of(game.monte),
        "hand": _hand(game),
        "options": options_of(game.legal),
    }


def why(refusal: IllegalAction) -> Why:
    """Return why the rules refuse something."""
    return Why(code=refusal.code.value, params=dict(refusal.params))


def match_of(game: SeatView) -> Json:
    """Return the match on the wire."""
    match = game.match
    return {
        "target": match.target,
        "scores": match.scores,
        "deal": match.deal,
        "hand": match.hand,
        "dealer": match.dealer,
        "winner": match.winner,
    }


def auction_of(game: SeatView) -> list[Json]:
    """Return the auction on the wire."""
    return [{"seat": bid.seat, "bid": bid_name(bid.bid)} for bid in game.auction]


def contract_of(game: SeatView) -> Json | None:
    """Return the contract on the wire."""
    contract = game.contract
    if contract is None:
        return None
    called, back = contract.called, contract.given_back
    by: Seat | Literal["monte"] | None = contract.passed_by
    return {
        "soloist": contract.soloist,
        "bid": bid_name(contract.bid),
        "stake": contract.bid.stake,
        "called": None if called is None else called.code,
        "passed_by": "monte" if by is None and called is not None else by,
        "given_back": None if back is None else back.code,
    }


def turn_of(game: SeatView, deadline: int | None = None) -> Json | None:
    """Return who is to act, on the wire, and until when."""
    if game.turn is None:
        return None
    return {
        "seat": game.turn,
        "decision": f"{game.match.deal}.{game.decision}",
        "deadline": None if deadline is None else time_of(deadline),
    }


def _side(seat: Seat, soloist: Seat | None) -> SideName | None:
    if soloist is None:
        return None
    return "soloist" if seat is soloist else "defenders"


def _seat(info: SeatInfo, game: SeatView, soloist: Seat | None) -> Json:
    return {
        "seat": info.seat,
        "name": info.name,
        "kind": info.kind,
        "player": info.player,
        "present": info.present,
        "cards": game.hand_sizes[info.seat],
        "side": _side(info.seat, soloist),
        "wants_next": info.wants_next,
    }


def _hand(game: SeatView) -> list[Json] | orjson.Fragment:
    barred = game.legal.why
    if not barred:
        return free_hand(game.hand)
    reasons = {id(reason): reason for reason in barred.values()}  # mostly one
    told = {key: _why(reason) for key, reason in reasons.items()}
    return [
        {"card": CODES[card], "why": told[id(barred[card])]}
        if card in barred
        else HELD[card]
        for card in game.hand
    ]


def _why(refusal: IllegalAction) -> Json:
    return {"code": refusal.code.value, "params": refusal.params}
