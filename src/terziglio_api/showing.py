"""What a seat sees of a table: its view, and each change as that seat may know it."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final, Literal, assert_never

from terziglio.legal import NOTHING
from terziglio.seats import Seat
from terziglio.view import seat_views
from terziglio_api.commands import By
from terziglio_api.journal import (
    Acted,
    Closed,
    Dealt,
    NextHandAsked,
    Opened,
    RematchAsked,
    Sat,
    SecretsChanged,
)
from terziglio_api.seen import (
    Deal,
    Notice,
    SeatInfo,
    SeatReissued,
    SeatTaken,
    Summary,
    TableClosed,
    TableView,
    Update,
)
from terziglio_api.seen import NextHandAsked as NextHandNotice
from terziglio_api.seen import RematchAsked as RematchNotice
from terziglio_api.table import Table
from terziglio_api.timing import deadline

__all__ = ["summary", "table_view", "update", "updates"]


_SEATS: Final = tuple(Seat)
_KINDS: Final[dict[By | None, Literal["person", "bot", "computer", "link"]]] = {
    None: "link",
    By.PERSON: "person",
    By.BOT: "bot",
    By.COMPUTER: "computer",
}


def table_view(
    table: Table, seat: Seat, present: AbstractSet[Seat], up_since: int = 0
) -> TableView:
    """Return what a seat sees of the table.

    Args:
        table: the table.
        seat: whose view to give.
        present: the seats online.
        up_since: when the service came up: see ``timing.deadline``.
    """
    return _views(table, (seat,), present, up_since)[0]


def _views(
    table: Table, seats: Sequence[Seat], present: AbstractSet[Seat], up_since: int
) -> list[TableView]:
    games = seat_views(table.match, seats)
    opening, phase, infos = table.opening, table.phase, _seats(table, present)
    if table.closed:
        # A closed table asks nobody for anything and shows no more than before.
        games = [
            replace(game, phase=phase, turn=None, decision=None, legal=NOTHING)
            for game in games
        ]
    runs_out = deadline(table, up_since)
    return [
        TableView(
            table.id,
            table.seq,
            opening.mode,
            phase,
            game.seat is Seat.S0,
            infos,
            game,
            table.closed,
            opening.clock_s,
            runs_out,
            opening.voice,
        )
        for game in games
    ]


def summary(table: Table, present: AbstractSet[Seat]) -> Summary:
    """Return what anybody may know of the table."""
    return Summary(
        table=table.id,
        seq=table.seq,
        mode=table.opening.mode,
        phase=table.phase,
        seats=_seats(table, present),
        target=table.match.target,
        scores=table.match.scores,
        closed=table.closed,
    )


def update(
    table: Table, seat: Seat, present: AbstractSet[Seat], up_since: int = 0
) -> Update:
    """Return the change that led to this table, as a seat sees it."""
    return updates(table, (seat,), present, up_since)[0]


def updates(
    table: Table, seats: Sequence[Seat], present: AbstractSet[Seat], up_since: int = 0
) -> list[Update]:
    """Return the change that led to this table, as each of these seats sees it."""
    by = table.event.by if isinstance(table.event, Acted) else None
    return [
        Update(table.seq, _notice(table, seen), by, seen)
        for seen in _views(table, seats, present, up_since)
    ]


def _notice(table: Table, seen: TableView) -> Notice:
    """Return the event that led to this table, as who sees it so may know it."""
    match table.event:
        case Acted():
            event = seen.game.last
            assert event is not None  # noqa: S101 - an action is in the hand
            return event
        case Opened(name=name, kind=kind):
            return SeatTaken(Seat.S0, name, kind)
        case Sat(seat=guest, name=name, kind=kind):
            return SeatTaken(guest, name, kind)
        case SecretsChanged(seat=changed):
            return SeatReissued(changed)
        case Dealt():
            return Deal(table.match.deal_no, table.match.dealer)
        case NextHandAsked(seat=asking):
            return NextHandNotice(asking, table.match.deal_no)
        case RematchAsked(seat=asking):
            return RematchNotice(asking)
        case Closed():
            return TableClosed()
        case _:
            assert_never(table.event)


def _seats(table: Table, present: AbstractSet[Seat]) -> tuple[SeatInfo, ...]:
    wanting = table.wanting
    return tuple(
        [
            SeatInfo(
                seat,
                sitter.name,
                _KINDS[sitter.kind],
                sitter.player,
                sitter.kind is By.COMPUTER or seat in present,
                seat in wanting,
            )
            for seat, sitter in zip(_SEATS, table.seats, strict=True)
        ]
    )
