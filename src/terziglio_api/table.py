"""A table: the state that the events of its log fold into. Pure.

Event number ``seq`` (from 1) leads from one ``Table`` to the next. What follows an
action, such as a taken trick or a count, is worked out by the engine, never stored.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, assert_never

from terziglio.actions import Phase
from terziglio.frozen import quick
from terziglio.hand import decision
from terziglio.match import Match, new_match
from terziglio.phases import Counted
from terziglio.seats import Seat
from terziglio_api.commands import By
from terziglio_api.journal import (
    Acted,
    Closed,
    Dealt,
    Event,
    NextHandAsked,
    Opened,
    RematchAsked,
    Sat,
    SecretsChanged,
)

__all__ = [
    "CountedDeal",
    "Seated",
    "Table",
    "opened",
    "replay",
    "states",
]

_Ids = Mapping[tuple[Seat, str], int]
_THERE: Final = {By.PERSON, By.BOT}
_FEW: Final = 8
"""Ids that are put together: what each action has to copy."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat of the table; ``token`` and ``invite`` are hashes."""

    name: str | None
    kind: By | None
    """``None`` while the seat waits for a guest."""
    player: str | None = None
    token: str | None = None
    invite: str | None = None
    key: str | None = None


_Seats = tuple[Seated, Seated, Seated]


@dataclass(frozen=True, slots=True)
class CountedDeal:
    """A counted hand, with who chose each of its actions."""

    match: Match
    """The match right after the count, the hand still on its table."""
    hand: Counted
    bys: tuple[By, ...]
    scores_before: tuple[int, int, int]


@quick
@dataclass(frozen=True, slots=True)
class Table:
    """A table after event number ``seq``."""

    id: str
    seq: int
    opening: Opened
    seats: _Seats
    match: Match
    event: Event
    """The event that led here."""
    bys: tuple[By, ...] = ()
    """Who chose each action of the hand on the table."""
    wanting: frozenset[Seat] = frozenset()
    """Seats that have asked for the next hand, or after a match for a rematch."""
    ids: tuple[_Ids, ...] = ()
    """The actions' ids and the ``seq`` each was given: those of former deals together,
    then those of this one, a few at a time."""
    counted: tuple[CountedDeal, ...] = ()
    closed: bool = False
    unattended: int = 0
    """Decisions in a row that only clocks and computers have answered."""
    asked_at: int = 0
    """When the decision that is due came up, in milliseconds since 1970, UTC."""

    @property
    def phase(self) -> Phase:
        """The phase as everybody sees it."""
        return Phase.FINISHED if self.closed else self.match.phase

    @property
    def turn(self) -> Seat | None:
        """The seat to act; ``None`` when nobody is, or the table is closed."""
        hand = self.match.hand
        return None if self.closed or hand is None else hand.turn

    @property
    def due(self) -> str | None:
        """The decision that is due, ``"<deal>.<n>"``; ``None`` when none is."""
        hand = self.match.hand
        if self.closed or hand is None or hand.turn is None:
            return None
        return f"{self.match.deal_no}.{decision(hand)}"

    @property
    def full(self) -> bool:
        """Whether nobody is waited for."""
        return all(seat.kind is not None for seat in self.seats)

    @property
    def people(self) -> frozenset[Seat]:
        """The seats with a token: persons and bots."""
        return frozenset(s for s in Seat if self.seats[s].token is not None)

    def given(self, seat: Seat, action_id: str | None) -> int | None:
        """Return the ``seq`` that an action of this id was given, if it was."""
        if action_id is None:
            return None
        key = (seat, action_id)
        for ids in self.ids:
            if key in ids:
                return ids[key]
        return None


def opened(table: str, event: Opened) -> Table:
    """Return the table as it stands after its first event."""
    seats = (
        Seated(event.name, event.kind, token=event.token),
        *(
            Seated(plan.player, By.COMPUTER, plan.player)
            if plan.player is not None
            else Seated(None, None, invite=plan.invite)
            for plan in event.plans
        ),
    )
    host, right, left = seats
    match = new_match(event.target, event.dealer)
    return Table(table, 1, event, (host, right, left), match, event)


def states(table: Table, events: Iterable[Event]) -> Iterator[Table]:
    """Yield the table after each of these further events.

    Raises:
        IllegalAction: an event does not fit; the log is not one that this service
            wrote.
    """
    for event in events:
        table = _after(table, event)
        yield table


def replay(table: str, events: Iterable[Event]) -> Iterator[Table]:
    """Yield the table after each event of its log, from the first on.

    Raises:
        ValueError: the log does not begin with an opening.
        IllegalAction: as ``states``.
    """
    log = iter(events)
    for first in log:
        if not isinstance(first, Opened):
            raise ValueError("a log begins with an opening")  # noqa: TRY004 - a value
        state = opened(table, first)
        yield state
        yield from states(state, log)


def _after(table: Table, event: Event) -> Table:
    match event:
        case Acted():
            return _acted(table, event)
        case Dealt():
            return _dealt(table, event)
        case Sat(_, seat, name, kind, token, key):
            invite = table.seats[seat].invite
            # Ids are the sitter's own: a new one may use those of the former again.
            ids = tuple(_without(seat, deal) for deal in table.ids)
            sitter = Seated(name, kind, None, token, invite, key)
            return _next(table, event, ids=ids, seats=_with(table.seats, seat, sitter))
        case SecretsChanged():
            return _with_secrets(table, event)
        case NextHandAsked() | RematchAsked():
            return _next(table, event, wanting=table.wanting | {event.seat})
        case Closed():
            return _next(table, event, closed=True)
        case Opened():
            raise ValueError("a table is opened once")
        case _:
            assert_never(event)


def _with_secrets(table: Table, event: SecretsChanged) -> Table:
    """A seat has a new token, or lost the one it had: then it has asked for nothing."""
    seats, seat, wanting = table.seats, event.seat, table.wanting
    for free, invite in event.invites:
        seats = _with(seats, free, replace(seats[free], invite=invite))
    sitter = replace(seats[seat], token=event.token)
    if event.token is None:
        wanting -= {seat}
        if table.match.hand is None:  # it is waited for again, as before it was taken
            sitter = Seated(None, None, invite=sitter.invite)
    return _next(table, event, wanting=wanting, seats=_with(seats, seat, sitter))


def _next(table: Table, event: Event, **changes: Any) -> Table:
    return replace(table, seq=table.seq + 1, event=event, **changes)


def _with(seats: _Seats, seat: Seat, sitter: Seated) -> _Seats:
    first, second, third = (sitter if s == seat else seats[s] for s in Seat)
    return first, second, third


def _without(seat: Seat, ids: _Ids) -> _Ids:
    return {key: seq for key, seq in ids.items() if key[0] != seat}


def _dealt(table: Table, event: Dealt) -> Table:
    match = table.match
    if event.dealer is not None:
        # Deals are numbered through the table's life, new matches included.
        fresh = new_match(match.target, event.dealer)
        match = replace(fresh, deal_no=match.deal_no)
    return _next(
        table,
        event,
        match=match.deal(event.deck),
        bys=(),
        wanting=frozenset(),
        ids=({key: seq for few in table.ids for key, seq in few.items()}, {}),
        asked_at=event.at,
    )


def _acted(table: Table, event: Acted) -> Table:
    match = table.match.apply(event.seat, event.action)
    if table.opening.again:
        match = replace(match, scores=(0, 0, 0))
    bys, ids, counted = (*table.bys, event.by), table.ids, table.counted
    if event.id is not None:
        given, full = {(event.seat, event.id): table.seq + 1}, len(ids[-1]) == _FEW
        ids = (*ids, given) if full else (*ids[:-1], {**ids[-1], **given})
    if isinstance(match.hand, Counted):
        done = CountedDeal(match, match.hand, bys, table.match.scores)
        counted = (*counted, done)
    # Most of what is done at a table is this: no ``replace``, which takes its time.
    return Table(
        table.id,
        table.seq + 1,
        table.opening,
        table.seats,
        match,
        event,
        bys,
        table.wanting,
        ids,
        counted,
        table.closed,
        unattended=0 if event.by in _THERE else table.unattended + 1,
        asked_at=event.at,
    )
