"""The player ``rules``: the house auction, a better exchange, Tressette technique."""

from terziglio.actions import Action, Call, Play
from terziglio.players.exchange import call, exchange
from terziglio.players.house import house
from terziglio.players.spot import read
from terziglio.players.technique import play
from terziglio.view import SeatView

__all__ = ["rules"]


def rules(view: SeatView) -> Action:
    """Answer the decision that is due."""
    if view.legal.cards:
        return Play(play(read(view)))
    if view.legal.calls:
        return Call(call(view.hand, view.legal.calls))
    rule = view.legal.discard
    if rule is not None:
        return exchange(rule.choices, rule.count, give_back=rule.give_back)
    return house(view)
