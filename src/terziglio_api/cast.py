"""Who answers for computer seats: quick players here, those that think elsewhere.

Whoever fails is played for by the house, which is counted and logged without a card.
"""

import traceback
from collections.abc import Mapping

from pydantic import TypeAdapter

from terziglio.actions import Action
from terziglio.players import Player, cheapest, house
from terziglio.view import SeatView
from terziglio_api.logs import logger
from terziglio_api.metrics import Metrics
from terziglio_api.thinking import SLOW_PLAYERS, Idle, Thinkers, Unanswered
from terziglio_api.wire.actions import ActionModel, parse
from terziglio_api.wire.game import game_of
from terziglio_api.wire.view import View

__all__ = ["Cast", "Question"]

_log = logger(__name__)
_ACTION: TypeAdapter[ActionModel] = TypeAdapter(ActionModel)


class Question:
    """A seat's view as a program at a socket gets it, and nothing else.

    Args:
        table: whose it is, for the log.
        player: who is asked; ``None``: the clock.
        view: the seat's view.
    """

    def __init__(self, table: str, player: str | None, view: View) -> None:
        self.table = table
        self.player = player
        self.text = view.model_dump_json(by_alias=True).encode()
        self.game: SeatView = game_of(View.model_validate_json(self.text))


class Cast:
    """Asks players for their answers.

    Args:
        quick: players that answer in no time, by name.
        thinkers: who does what takes longer.
        metrics: where it is counted when somebody else answers for a seat.
    """

    def __init__(
        self,
        quick: Mapping[str, Player],
        thinkers: Thinkers | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self._quick = quick
        self._thinkers = Idle() if thinkers is None else thinkers
        self._metrics = Metrics() if metrics is None else metrics

    def thinks(self, player: str | None) -> bool:
        """Whether a player takes its time, away from the event loop."""
        return player in SLOW_PLAYERS or player in self._thinkers.offered

    async def answer(self, asked: Question) -> Action:
        """Return a player's answer, or the house's if it fails; the clock's."""
        if asked.player is None:
            self._metrics.substitutes.labels("clock").inc()
            return cheapest(asked.game)
        try:
            if not self.thinks(asked.player):
                return self._quick[asked.player](asked.game)
            told = await self._thinkers.think(asked.player, asked.text)
            return parse(_ACTION.validate_json(told))
        except Unanswered as error:
            self._failed(asked, error.kind, error.what, error.where)
        except Exception as error:
            # Where it failed, but not what it said: that may name a card.
            where = "".join(traceback.format_tb(error.__traceback__))
            self._failed(asked, "failed", type(error).__name__, where)
        return _house(asked)

    def illegal(self, asked: Question, code: str) -> tuple[Action, Action]:
        """Return what to do instead of a breach; the second is surely legal."""
        self._metrics.substitutes.labels("illegal").inc()
        _log.error("broke a rule", table=asked.table, player=asked.player, code=code)
        return _house(asked), asked.game.legal.first()

    def _failed(self, asked: Question, kind: str, what: str, where: str) -> None:
        self._metrics.substitutes.labels(kind).inc()
        _log.error(
            "failed" if kind == "failed" else "too slow",
            table=asked.table,
            player=asked.player,
            error=what,
            where=where,
        )


def _house(asked: Question) -> Action:
    """Return the house's answer, or if it fails too the first that is legal."""
    try:
        return house(asked.game)
    except Exception as error:
        _log.error("the house failed", table=asked.table, error=type(error).__name__)
        return asked.game.legal.first()
