"""The record of a counted hand on the wire, with its steps."""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from terziglio.cards import Card
from terziglio.notation import RULES
from terziglio.view import SeatView
from terziglio_api.seen import OpenView, Record, Step
from terziglio_api.wire.actions import ActionModel, dump
from terziglio_api.wire.base import CardCode, Outgoing, SeatNo, optional
from terziglio_api.wire.counts import (
    Count,
    OpenTrick,
    Sides,
    TakenTrick,
    count_of,
    open_trick,
    sides,
    taken_trick,
)
from terziglio_api.wire.events import HandEventModel, codes, hand_event
from terziglio_api.wire.view import (
    AuctionBid,
    ContractModel,
    PhaseName,
    auction_of,
    contract_of,
)

__all__ = ["RecordModel", "record_of"]


class ActionMade(Outgoing):
    """One action of the hand."""

    seat: SeatNo
    action: ActionModel
    by: Literal["person", "computer", "bot", "clock"]


class StepMonte(Outgoing):
    """The monte at a step."""

    count: int
    shown: list[CardCode] | None
    cards: list[CardCode] | None = Field(
        description="What lay there: always in the open view, else if the seat knew."
    )


class StepView(Outgoing):
    """The hand after a step: open, or as the seat asked for saw it then."""

    phase: PhaseName
    auction: list[AuctionBid]
    contract: ContractModel | None
    monte: StepMonte
    hands: list[list[CardCode] | None] = Field(
        description="By seat; null for a hand that is not shown."
    )
    trick: OpenTrick | None
    tricks: list[TakenTrick]
    thirds: Sides | None
    turn: SeatNo | None
    scores: list[int]
    count: Count | None


class StepModel(Outgoing):
    """One action, what happened, why, and the hand after it."""

    event: HandEventModel
    rules: list[str] = Field(description="Numbers of the rules, the foremost first.")
    view: StepView


class RecordModel(Outgoing):
    """A counted hand, every card open."""

    table: str
    deal: int
    rules: str
    dealer: SeatNo
    hands: list[list[CardCode]] = Field(description="As dealt, by seat.")
    monte: list[CardCode] = Field(description="As dealt.")
    actions: list[ActionMade]
    count: Count
    scores_before: list[int]
    scores_after: list[int]
    steps: list[StepModel] | None = optional("Only if asked for: `?steps=true`.")


def record_of(record: Record, steps: Iterable[Step] | None) -> RecordModel:
    """Return a record on the wire, with its steps if they are given."""
    return RecordModel(
        table=record.table,
        deal=record.deal,
        rules=RULES,
        dealer=record.dealer,
        hands=[codes(hand) for hand in record.hands],
        monte=codes(record.monte),
        actions=[
            ActionMade(seat=seat, action=dump(action), by=by.value)
            for seat, action, by in record.actions
        ],
        count=count_of(record.count),
        scores_before=list(record.scores_before),
        scores_after=list(record.scores_after),
        steps=None if steps is None else [_step(step) for step in steps],
    )


def _step(step: Step) -> StepModel:
    return StepModel(
        event=hand_event(step.event), rules=list(step.rules), view=_view(step.view)
    )


def _view(view: OpenView | SeatView) -> StepView:
    hands: list[list[str] | None]
    monte: tuple[Card, ...] | None
    if isinstance(view, OpenView):
        game, monte = view.public, view.monte
        hands = [codes(hand) for hand in view.hands]
    else:
        game, monte = view, None if view.monte is None else view.monte.cards
        hands = [codes(view.hand) if s == view.seat else None for s in range(3)]
    shown = None if game.monte is None else game.monte.shown
    return StepView(
        phase=game.phase.value,
        auction=auction_of(game),
        contract=contract_of(game),
        monte=StepMonte(
            count=0 if game.monte is None else game.monte.count,
            shown=None if shown is None else codes(shown),
            cards=None if monte is None else codes(monte),
        ),
        hands=hands,
        trick=None if game.trick is None else open_trick(game.trick),
        tricks=[taken_trick(trick) for trick in game.tricks],
        thirds=None if game.thirds is None else sides(game.thirds),
        turn=game.turn,
        scores=list(game.match.scores),
        count=None if game.count is None else count_of(game.count),
    )
