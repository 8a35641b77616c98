"""What a searching player thinks of a decision, for a person who asks."""

from dataclasses import dataclass
from enum import StrEnum

from terziglio.actions import Action
from terziglio.cards import Card

__all__ = ["Chance", "Hint", "Reason"]


class Reason(StrEnum):
    """Why an action was chosen; ``terziglio.words`` has a sentence for each."""

    ONLY_CARD = "only_card"
    """Nothing else may be played."""
    SURE = "sure"
    """It wins whatever the others hold."""
    MOST_CHANCES = "most_chances"
    """It wins in most of the deals that fit."""
    MOST_POINTS = "most_points"
    """It wins about as often as the card that wins most, and by more."""
    LONG_SHOT = "long_shot"
    """It loses in every deal that fits, unless the others go wrong."""
    TECHNIQUE = "technique"
    """What ``rules`` plays: no deal could be looked at in time."""
    BEST_BID = "best_bid"
    """It is worth most, over the deals that fit."""
    BEST_CALL = "best_call"
    """The card called helps most."""
    BEST_EXCHANGE = "best_exchange"
    """What is left plays best."""


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely the asking seat's side is to win if it plays a card."""

    card: Card
    win: float
    """From 0 to 1."""


@dataclass(frozen=True, slots=True)
class Hint:
    """An answer with its reason."""

    action: Action
    reason: Reason
    chances: tuple[Chance, ...] = ()
    """One for each card that may be played, in their fixed order; none outside play."""
    worlds: int = 0
    """How many deals were looked at; 0: none had to be."""
