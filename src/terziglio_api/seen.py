"""What one seat sees of a table, as frozen values; ``wire`` puts them into JSON."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from terziglio.actions import Action, Phase
from terziglio.cards import Card
from terziglio.count import Result
from terziglio.events import HandEvent
from terziglio.frozen import quick
from terziglio.seats import Seat
from terziglio.view import SeatView
from terziglio_api.commands import By, Mode

__all__ = [
    "Deal",
    "NextHandAsked",
    "Notice",
    "OpenView",
    "Record",
    "RematchAsked",
    "SeatInfo",
    "SeatReissued",
    "SeatTaken",
    "Step",
    "Story",
    "Summary",
    "TableClosed",
    "TableView",
    "Update",
]


@quick
@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits where."""

    seat: Seat
    name: str | None
    """``None`` while the seat is free."""
    kind: Literal["person", "bot", "computer", "link"]
    """``person``, ``bot``, ``computer`` or, while the seat is free, ``link``."""
    player: str | None
    """Which computer player; ``None`` for others."""
    present: bool
    wants_next: bool
    """Whether it has asked for the next hand or, after the match, for a rematch."""


@quick
@dataclass(frozen=True, slots=True)
class TableView:
    """All that one seat may know of its table."""

    table: str
    seq: int
    mode: Mode
    phase: Phase
    host: bool
    """Whether this seat is the host's."""
    seats: tuple[SeatInfo, ...]
    game: SeatView
    closed: bool
    clock_s: int | None
    """Seconds for each decision; ``None``: no clock."""
    deadline: int | None
    """When the clock runs out, in milliseconds since 1970, UTC; ``None``: never."""
    voice: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """What anybody may know of a table."""

    table: str
    seq: int
    mode: Mode
    phase: Phase
    seats: tuple[SeatInfo, ...]
    target: int
    scores: tuple[int, int, int]
    closed: bool


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A guest, or at the opening the host, sat down."""

    kind: ClassVar = "seat_taken"
    seat: Seat
    name: str
    sitter: By


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand was dealt."""

    kind: ClassVar = "dealt"
    deal: int
    dealer: Seat


@dataclass(frozen=True, slots=True)
class NextHandAsked:
    """A seat asked for the next hand."""

    kind: ClassVar = "next_hand_asked"
    seat: Seat
    deal: int


@dataclass(frozen=True, slots=True)
class RematchAsked:
    """A seat asked for a rematch."""

    kind: ClassVar = "rematch_asked"
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatReissued:
    """A seat's link or token was replaced."""

    kind: ClassVar = "seat_reissued"
    seat: Seat


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The host ended the table."""

    kind: ClassVar = "table_closed"


Notice = (
    HandEvent
    | SeatTaken
    | Deal
    | NextHandAsked
    | RematchAsked
    | SeatReissued
    | TableClosed
)


@quick
@dataclass(frozen=True, slots=True)
class Update:
    """One accepted change of a table, as one seat sees it, with the view after it."""

    seq: int
    notice: Notice
    by: By | None
    """Who chose it, for what is done in a hand."""
    view: TableView


@dataclass(frozen=True, slots=True)
class Story:
    """What a seat has missed, and the table as it stands after that."""

    updates: tuple[Update, ...] | None
    """The changes in order; ``None`` if they cannot be told one by one."""
    view: TableView


@dataclass(frozen=True, slots=True)
class OpenView:
    """A finished hand at one of its moments, every card open."""

    public: SeatView
    """Some seat's view then; only what all seats knew is taken from it."""
    hands: tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
    monte: tuple[Card, ...]
    """The cards in the middle then."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a finished hand."""

    event: HandEvent
    by: By
    rules: tuple[str, ...]
    """Numbers of the rules that applied, the foremost first."""
    view: OpenView | TableView
    """The hand after it: open, or what the seat that was asked for saw."""


@dataclass(frozen=True, slots=True)
class Record:
    """A counted hand, every card open."""

    table: str
    deal: int
    dealer: Seat
    hands: tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
    """As dealt."""
    monte: tuple[Card, ...]
    """As dealt."""
    actions: tuple[tuple[Seat, Action, By], ...]
    count: Result
    scores_before: tuple[int, int, int]
    scores_after: tuple[int, int, int]
    text: str
    """The hand in notation."""
