"""Views and actions as a program at a socket gets and gives them: through JSON."""

from typing import Any, Final

from pydantic import TypeAdapter

from terziglio.actions import Action
from terziglio.exam import Wire
from terziglio.seats import Seat
from terziglio.view import SeatView
from terziglio_api.commands import Mode
from terziglio_api.seen import SeatInfo, TableView
from terziglio_api.wire.actions import ActionModel, dump, parse
from terziglio_api.wire.game import game_of
from terziglio_api.wire.view import View, view_of

__all__ = ["WIRE", "action_carried", "view_carried", "view_told"]

_actions: Final = TypeAdapter[Any](ActionModel)


def view_carried(view: SeatView) -> SeatView:
    """Return a view after its way to a program elsewhere."""
    return game_of(View.model_validate_json(view_told(view)))


def view_told(view: SeatView) -> str:
    """Return a view as its program gets it."""
    return view_of(_at_a_table(view)).model_dump_json(by_alias=True)


def action_carried(action: Action) -> Action:
    """Return an action after its way back."""
    return parse(_actions.validate_json(dump(action).model_dump_json()))


def _at_a_table(view: SeatView) -> TableView:
    seats = (SeatInfo(s, str(s), "bot", None, True, False) for s in Seat)
    return TableView(
        table="t_check",
        seq=view.decision or 0,
        mode=Mode.OPEN,
        phase=view.phase,
        host=view.seat is Seat.S0,
        seats=tuple(seats),
        game=view,
        closed=False,
        clock_s=None,
        deadline=None,
        voice=False,
    )


WIRE: Final = Wire(view_carried, action_carried)
"""Both ways together."""
