"""What a seat can do, one frozen value a kind, and the phases it is done in."""

from dataclasses import dataclass
from enum import StrEnum

from terziglio.cards import Card
from terziglio.contracts import Contract

__all__ = ["Action", "Bid", "Call", "Discard", "Phase", "Play"]


class Phase(StrEnum):
    """Where a hand, or a match between hands, stands."""

    WAITING = "waiting"
    AUCTION = "auction"
    CALL = "call"
    EXCHANGE = "exchange"
    PLAY = "play"
    COUNT = "count"
    THROWN_IN = "thrown_in"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid a contract in the auction; ``Bid(None)`` passes. Rules: R14-R18."""

    contract: Contract | None


@dataclass(frozen=True, slots=True)
class Call:
    """Name the card the chiamo soloist asks for. Rules: R22-R26."""

    card: Card


@dataclass(frozen=True, slots=True)
class Discard:
    """Lay four cards face down; give one back if a card was passed (R29, R30).

    Any iterable of cards will do, in any order. ``give_back`` is ``None`` when
    nothing was passed. Both happen in one act (ruling O6).
    """

    cards: tuple[Card, ...]
    give_back: Card | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(self.cards))


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick. Rules: R37-R39."""

    card: Card


Action = Bid | Call | Discard | Play
