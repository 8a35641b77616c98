"""What thought finds, on the wire: a hint for one seat, and a hand in hindsight."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from terziglio.count import NEED
from terziglio.players.hint import Hint, Reason
from terziglio_api.wire.actions import ActionModel, dump
from terziglio_api.wire.base import CardCode, Json, Outgoing, SeatNo, optional
from terziglio_api.wire.counts import Sides, TakenTrick, sides, taken_trick

if TYPE_CHECKING:  # the solver is no affair of the server's own process
    from terziglio.analysis import Analysis, Judged

__all__ = [
    "AnalysisModel",
    "AnalysisState",
    "HintModel",
    "StateName",
    "analysis_json",
    "hint_json",
]

StateName = Literal["queued", "running", "done"]


class ChanceModel(Outgoing):
    """How likely your side is to win if you play a card."""

    card: CardCode
    win: float = Field(ge=0, le=1, description="From 0 to 1.")


class HintModel(Outgoing):
    """What the expert would do in your seat, knowing what your seat may know."""

    decision: str = Field(description="The decision that this is for.")
    action: ActionModel
    reason: Reason = Field(description="Why; `/v1/meta/words` has the sentences.")
    sentence: str | None = optional("Why, in the language that was asked for.")
    chances: list[ChanceModel] = Field(
        description="One for each card that may be played; none outside play."
    )
    worlds: int = Field(description="How many deals were looked at; 0: none had to be.")


def hint_json(hint: Hint) -> Json:
    """Return a hint on the wire, but for its decision and its sentence."""
    return {
        "action": dump(hint.action).model_dump(),
        "reason": hint.reason.value,
        "chances": [
            {"card": chance.card.code, "win": round(chance.win, 4)}
            for chance in hint.chances
        ],
        "worlds": hint.worlds,
    }


class AnalysisState(Outgoing):
    """How far an analysis is: ask again with `GET`."""

    state: StateName


class JudgedModel(Outgoing):
    """A card played, judged with every card known, which nobody could know."""

    trick: int = Field(ge=1, le=12)
    seat: SeatNo
    card: CardCode
    lost: int = Field(
        ge=0, description="Thirds it lost for its side against the best card."
    )
    best: list[CardCode] = Field(description="The cards that would have lost nothing.")
    value: int = Field(
        description="The soloist's final thirds from here on, both sides perfect."
    )
    could_win: bool = Field(description="Whether that is enough for the soloist.")


class AnalysisModel(Outgoing):
    """A counted hand in hindsight: every card known, both sides perfect."""

    table: str
    deal: int
    knowledge: Literal["hindsight"] = Field(
        description="Values rest on every card, hidden ones too: a card that lost "
        "thirds here may have been the right one to play."
    )
    soloist: SeatNo
    need: int = Field(description="What the soloist needs: 18.")
    start: int = Field(
        description="The soloist's final thirds from the first card on, both sides "
        "perfect."
    )
    final: int = Field(description="The soloist's final thirds as it was played.")
    makeable: bool = Field(description="Whether the bid could be made: `start`.")
    won: bool = Field(description="Whether it was made: `final`.")
    lost: Sides = Field(
        description="Thirds lost by each side: `final - start` is the defenders' less "
        "the soloist's."
    )
    turning: int | None = Field(
        description="Which of `cards`, from 0, was the first to lose the hand for its "
        "side; null: none was."
    )
    cards: list[JudgedModel] = Field(description="The 36 cards, in order.")
    line: list[TakenTrick] = Field(description="A best line from the first card on.")


def analysis_json(analysis: "Analysis") -> Json:
    """Return an analysis on the wire, but for its table and its deal."""
    turning = analysis.turning
    return {
        "knowledge": analysis.knowledge,
        "soloist": analysis.soloist,
        "need": NEED,
        "start": analysis.start,
        "final": analysis.final,
        "makeable": analysis.makeable,
        "won": analysis.won,
        "lost": sides(analysis.lost),
        "turning": None if turning is None else analysis.cards.index(turning),
        "cards": [_judged(card) for card in analysis.cards],
        "line": [taken_trick(trick) for trick in analysis.line],
    }


def _judged(judged: "Judged") -> Json:
    return {
        "trick": judged.trick,
        "seat": judged.seat,
        "card": judged.card.code,
        "lost": judged.lost,
        "best": [card.code for card in judged.best],
        "value": judged.value,
        "could_win": judged.could_win,
    }
