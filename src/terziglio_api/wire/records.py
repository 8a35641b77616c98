"""The record of a counted hand on the wire, with its steps."""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from terziglio.notation import RULES
from terziglio_api.seen import OpenView, Record, Step
from terziglio_api.wire.actions import ActionModel, dump
from terziglio_api.wire.base import CardCode, Json, Outgoing, SeatNo, optional
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
    MatchModel,
    PhaseName,
    Turn,
    View,
    auction_of,
    contract_of,
    match_of,
    turn_of,
    view_json,
)

__all__ = ["RecordModel", "record_of"]


class ActionMade(Outgoing):
    """One action of the hand."""

    seat: SeatNo
    action: ActionModel
    by: Literal["person", "computer", "bot", "clock"]


class OpenMonte(Outgoing):
    """The monte of an open hand."""

    count: int
    shown: list[CardCode] | None
    cards: list[CardCode] = Field(description="What lay there, seen or not.")


class OpenViewModel(Outgoing):
    """A finished hand at one of its moments, every card open."""

    phase: PhaseName
    match: MatchModel
    auction: list[AuctionBid]
    contract: ContractModel | None
    monte: OpenMonte
    hands: list[list[CardCode]] = Field(description="By seat.")
    trick: OpenTrick | None
    tricks: list[TakenTrick]
    thirds: Sides | None
    turn: Turn | None
    count: Count | None


class StepModel(Outgoing):
    """One action, what happened, why, and the view after it: open, or the seat's."""

    event: HandEventModel
    rules: list[str] = Field(description="Numbers of the rules, the foremost first.")
    view: OpenViewModel | View


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
    told: Json = {
        "table": record.table,
        "deal": record.deal,
        "rules": RULES,
        "dealer": record.dealer,
        "hands": [codes(hand) for hand in record.hands],
        "monte": codes(record.monte),
        "actions": [
            {"seat": seat, "action": dump(action), "by": by.value}
            for seat, action, by in record.actions
        ],
        "count": count_of(record.count),
        "scores_before": record.scores_before,
        "scores_after": record.scores_after,
        "steps": None if steps is None else [_step(step) for step in steps],
    }
    return RecordModel.model_validate(told)


def _step(step: Step) -> Json:
    view = step.view
    return {
        "event": hand_event(step.event, step.by),
        "rules": step.rules,
        "view": _open(view) if isinstance(view, OpenView) else view_json(view),
    }


def _open(view: OpenView) -> Json:
    game = view.public
    shown = None if game.monte is None else game.monte.shown
    return {
        "phase": game.phase.value,
        "match": match_of(game),
        "auction": auction_of(game),
        "contract": contract_of(game),
        "monte": {
            "count": len(view.monte),
            "shown": None if shown is None else codes(shown),
            "cards": codes(view.monte),
        },
        "hands": [codes(hand) for hand in view.hands],
        "trick": None if game.trick is None else open_trick(game.trick),
        "tricks": [taken_trick(trick) for trick in game.tricks],
        "thirds": None if game.thirds is None else sides(game.thirds),
        "turn": turn_of(game),
        "count": None if game.count is None else count_of(game.count),
    }
