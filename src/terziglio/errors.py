"""Why an action is refused.

``IllegalAction`` is the engine's one exception for what a seat may not do. Its
``code`` is stable, its ``params`` are plain JSON values; ``terziglio.words`` turns
the two into a sentence.
"""

from collections.abc import Mapping
from enum import StrEnum

__all__ = ["Illegal", "IllegalAction"]


class Illegal(StrEnum):
    """The reasons, in the order in which they are checked, with their params."""

    HAND_OVER = "hand_over"
    NOT_YOUR_TURN = "not_your_turn"
    """``turn``: the seat to act."""
    WRONG_PHASE = "wrong_phase"
    """``phase``: the phase the hand is in."""
    BID_TOO_LOW = "bid_too_low"
    """``highest``: the bid to beat."""
    CARD_IN_OWN_HAND = "card_in_own_hand"
    """``card``: the card called."""
    WRONG_DISCARD_COUNT = "wrong_discard_count"
    """``expected``, ``got``: numbers of cards."""
    DUPLICATE_DISCARD = "duplicate_discard"
    """``card``: the first card that is there twice."""
    DISCARD_NOT_HELD = "discard_not_held"
    """``card``: the first card that is not held."""
    GIVE_BACK_MISSING = "give_back_missing"
    GIVE_BACK_NOT_WANTED = "give_back_not_wanted"
    GIVE_BACK_NOT_HELD = "give_back_not_held"
    """``card``: the card to give back."""
    GIVE_BACK_ALSO_DISCARDED = "give_back_also_discarded"
    """``card``: the card to give back."""
    CARD_NOT_HELD = "card_not_held"
    """``card``: the card played."""
    MUST_FOLLOW_SUIT = "must_follow_suit"
    """``led``: the suit led; ``held``: how many cards of it the seat holds."""


class IllegalAction(Exception):
    """An action that the rules refuse; the hand is unchanged.

    Equal when code and params are equal.
    """

    def __init__(
        self, code: Illegal, params: Mapping[str, str | int] | None = None
    ) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: Mapping[str, str | int] = params or {}

    def __str__(self) -> str:
        told = ", ".join(f"{name} {value}" for name, value in self.params.items())
        return f"{self.code} ({told})" if told else str(self.code)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IllegalAction):
            return NotImplemented
        return self.code is other.code and self.params == other.params

    def __hash__(self) -> int:
        return hash((self.code, frozenset(self.params.items())))
