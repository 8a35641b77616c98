"""The wire's view read back: the ``SeatView`` that a player gets."""

from typing import assert_never

from terziglio.actions import Phase
from terziglio.cards import Card, set_of
from terziglio.contracts import Contract
from terziglio.legal import (
    NOTHING,
    DiscardRule,
    Legal,
    LegalBids,
    LegalCalls,
    LegalDiscards,
    LegalPlays,
)
from terziglio.seats import Seat
from terziglio.view import BidView, ContractView, MatchView, MonteView, SeatView
from terziglio_api.wire.counts import load_count, load_trick
from terziglio_api.wire.events import load_event
from terziglio_api.wire.options import (
    BidOptions,
    CallOptions,
    DiscardOptions,
    PlayOptions,
)
from terziglio_api.wire.view import ContractModel, MatchModel, View

__all__ = ["game_of"]


def game_of(view: View) -> SeatView:
    """Return the game that a view on the wire tells; equal to what it came from."""
    contract = None if view.contract is None else _contract(view.contract)
    soloist = None if contract is None else contract.soloist
    bid = None if contract is None else contract.bid
    last = [load_event(event, soloist, bid) for event in view.last]
    count = None
    if view.count is not None and soloist is not None and bid is not None:
        count = load_count(view.count, soloist, bid)
    first, second, third = (seat.cards for seat in view.seats)
    thirds = view.thirds
    return SeatView(
        seat=Seat(view.you.seat),
        phase=Phase(view.phase),
        match=_match(view.match),
        auction=tuple(BidView(Seat(b.seat), _bid(b.bid)) for b in view.auction),
        contract=contract,
        monte=_monte(view),
        hand=tuple(Card(held.card) for held in view.hand),
        hand_sizes=(first, second, third),
        trick=None if view.trick is None else load_trick(view.trick),
        tricks=tuple(load_trick(trick) for trick in view.tricks),
        thirds=None if thirds is None else (thirds.soloist, thirds.defenders),
        turn=None if view.turn is None else Seat(view.turn.seat),
        decision=None if view.turn is None else int(view.turn.decision.split(".")[1]),
        legal=_legal(view),
        last=last[0] if last else None,
        count=count,
    )


def _bid(name: str) -> Contract | None:
    return None if name == "pass" else Contract(name)


def _match(match: MatchModel) -> MatchView:
    first, second, third = match.scores
    return MatchView(
        target=match.target,
        scores=(first, second, third),
        deal=match.deal,
        hand=match.hand,
        dealer=Seat(match.dealer),
        winner=None if match.winner is None else Seat(match.winner),
    )


def _contract(contract: ContractModel) -> ContractView:
    by = contract.passed_by
    return ContractView(
        soloist=Seat(contract.soloist),
        bid=Contract(contract.bid),
        called=None if contract.called is None else Card(contract.called),
        passed_by=None if by is None or by == "monte" else Seat(by),
        given_back=None if contract.given_back is None else Card(contract.given_back),
    )


def _monte(view: View) -> MonteView | None:
    monte = view.monte
    if monte is None:
        return None
    return MonteView(
        count=monte.count,
        shown=None if monte.shown is None else tuple(map(Card, monte.shown)),
        cards=None if monte.cards is None else tuple(map(Card, monte.cards)),
    )


def _legal(view: View) -> Legal:
    match view.options:
        case None:
            return NOTHING
        case BidOptions(bids=bids):
            return LegalBids(tuple(map(_bid, bids)))
        case CallOptions(cards=cards):
            return LegalCalls(tuple(map(Card, cards)))
        case DiscardOptions() as rule:
            choices = tuple(map(Card, rule.from_))
            return LegalDiscards(DiscardRule(rule.count, rule.give_back, choices))
        case PlayOptions(cards=cards):
            barred = set_of(Card(h.card) for h in view.hand if h.why is not None)
            led = None
            if barred and view.trick is not None:
                led = Card(view.trick.plays[0].card).suit
            playable = set_of(map(Card, cards))
            return LegalPlays(playable, barred, led)
        case _:
            assert_never(view.options)
