"""The events of a table's log: what came in from outside, and nothing derived.

``at`` is always in milliseconds since 1970, UTC. Secrets are here as hashes only.
"""

import re
from dataclasses import dataclass
from typing import Final

from terziglio.actions import Action
from terziglio.cards import Card
from terziglio.frozen import quick
from terziglio.seats import Seat
from terziglio_api.commands import By, Mode

__all__ = [
    "Acted",
    "Closed",
    "Dealt",
    "Event",
    "NextHandAsked",
    "Opened",
    "Plan",
    "RematchAsked",
    "Sat",
    "SecretsChanged",
    "kind_of",
]


_WORD: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a table's opening says of seat 1 or 2.

    ``player`` names a computer player; a seat without one waits for a guest, whose
    invite has the hash ``invite``.
    """

    player: str | None
    invite: str | None


@dataclass(frozen=True, slots=True)
class Opened:
    """The host opened the table and sat down in seat 0."""

    at: int
    mode: Mode
    name: str
    kind: By
    token: str
    """Hash of the host's seat token."""
    target: int
    pace_ms: int
    plans: tuple[Plan, Plan]
    dealer: Seat
    seed: str | None = None
    """Decks come from this seed, not from chance; dev mode only."""
    deck: tuple[Card, ...] | None = None
    """The first hand's deck, if it was forced."""
    again: bool = False
    """Whether the table deals this deck always, and keeps no score."""
    clock_s: int | None = None
    """Seconds for each decision of a person or a bot; ``None``: no clock."""
    voice: bool = False
    """Whether seats may set up voice between their browsers."""


@dataclass(frozen=True, slots=True)
class Sat:
    """A guest sat down."""

    at: int
    seat: Seat
    name: str
    kind: By
    token: str
    key: str | None
    """Hash of the idempotency key that came with the claim."""


@dataclass(frozen=True, slots=True)
class SecretsChanged:
    """A seat has a new token, a new invite, or (for seat 0) both kinds anew."""

    at: int
    seat: Seat
    token: str | None
    invites: tuple[tuple[Seat, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand was dealt."""

    at: int
    deck: tuple[Card, ...]
    dealer: Seat | None = None
    """The first dealer of a new match; ``None`` in mid-match: the deal moves on."""


@quick
@dataclass(frozen=True, slots=True)
class Acted:
    """A seat acted in the hand."""

    at: int
    seat: Seat
    action: Action
    by: By
    id: str | None


@dataclass(frozen=True, slots=True)
class NextHandAsked:
    """A seat asked for the next hand."""

    at: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class RematchAsked:
    """A seat asked for a rematch."""

    at: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class Closed:
    """The host ended the table."""

    at: int


Event = (
    Opened
    | Sat
    | SecretsChanged
    | Dealt
    | Acted
    | NextHandAsked
    | RematchAsked
    | Closed
)


def kind_of(event: Event) -> str:
    """Return what happened, in a word: of an action only its kind, never a card."""
    what = event.action if isinstance(event, Acted) else event
    return _WORD.sub("_", type(what).__name__).lower()
