"""A table: the state that the events of its log fold into, and what may come next.

Pure. Event number ``seq`` (from 1) leads from one ``Table`` to the next; ``decide``
turns a command into events. What follows an action, such as a taken trick or a
count, is worked out by the engine and never stored.
"""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Final, assert_never

from terziglio.actions import Phase
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import check, decision
from terziglio.match import Match, new_match
from terziglio.phases import Counted
from terziglio.seats import Seat
from terziglio_api.commands import (
    Act,
    AskNextHand,
    AskRematch,
    By,
    Chance,
    Claim,
    Close,
    Code,
    Command,
    DealAgain,
    Refusal,
    Reissue,
)
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
from terziglio_api.shuffle import draw_seat, shuffle

__all__ = ["CountedDeal", "Seated", "Table", "decide", "fold", "opened"]

_NO_IDS: Final[Mapping[tuple[Seat, str], int]] = MappingProxyType({})


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


@dataclass(frozen=True, slots=True)
class CountedDeal:
    """A counted hand, with who chose each action and the scores before it."""

    deal: int
    hand: Counted
    bys: tuple[By, ...]
    scores_before: tuple[int, int, int]
    scores_after: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Table:
    """A table after event number ``seq``."""

    id: str
    seq: int
    opening: Opened
    seats: tuple[Seated, Seated, Seated]
    match: Match
    event: Event
    """The event that led here."""
    bys: tuple[By, ...] = ()
    """Who chose each action of the hand on the table."""
    wanting: frozenset[Seat] = frozenset()
    """Seats that have asked for the next hand, or after a match for a rematch."""
    ids: tuple[Mapping[tuple[Seat, str], int], ...] = ()
    """For each deal, the actions' ids and the ``seq`` each was given."""
    counted: tuple[CountedDeal, ...] = ()
    closed: bool = False

    @property
    def phase(self) -> Phase:
        """The phase as everybody sees it."""
        return Phase.FINISHED if self.closed else self.match.phase

    @property
    def turn(self) -> Seat | None:
        """The seat to act; ``None`` when nobody is, or the table is closed."""
        return None if self.closed else self.match.turn

    @property
    def due(self) -> str | None:
        """The decision that is due, ``"<deal>.<n>"``; ``None`` when none is."""
        if self.match.hand is None or self.turn is None:
            return None
        return f"{self.match.deal_no}.{decision(self.match.hand)}"

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
        return next((ids[key] for ids in reversed(self.ids) if key in ids), None)


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


def fold(table: Table, events: Iterable[Event]) -> Table:
    """Return the table after these events.

    Raises:
        IllegalAction: an event does not fit; the log is not one that this service
            wrote.
    """
    for event in events:
        table = _after(replace(table, seq=table.seq + 1, event=event), event)
    return table


def _after(table: Table, event: Event) -> Table:
    match event:
        case Acted():
            return _acted(table, event)
        case Dealt():
            return _dealt(table, event)
        case Sat(_, seat, name, kind, token, key):
            invite = table.seats[seat].invite
            return _seat(table, seat, Seated(name, kind, None, token, invite, key))
        case SecretsChanged():
            for seat, invite in event.invites:
                table = _seat(table, seat, replace(table.seats[seat], invite=invite))
            sitter = replace(table.seats[event.seat], token=event.token)
            return _seat(table, event.seat, sitter)
        case NextHandAsked() | RematchAsked():
            return replace(table, wanting=table.wanting | {event.seat})
        case Closed():
            return replace(table, closed=True)
        case Opened():
            raise ValueError("a table is opened once")
        case _:
            assert_never(event)


def _seat(table: Table, seat: Seat, sitter: Seated) -> Table:
    first, second, third = (sitter if s == seat else table.seats[s] for s in Seat)
    return replace(table, seats=(first, second, third))


def _dealt(table: Table, event: Dealt) -> Table:
    match = table.match
    if event.dealer is not None:
        # Deals are numbered through the table's life, new matches included.
        fresh = new_match(match.target, event.dealer)
        match = replace(fresh, deal_no=match.deal_no)
    return replace(
        table,
        match=match.deal(event.deck),
        bys=(),
        wanting=frozenset(),
        ids=(*table.ids, _NO_IDS),
    )


def _acted(table: Table, event: Acted) -> Table:
    match = table.match.apply(event.seat, event.action)
    if table.opening.again:
        match = replace(match, scores=(0, 0, 0))
    bys, ids, counted = (*table.bys, event.by), table.ids, table.counted
    if event.id is not None:
        ids = (*ids[:-1], {**ids[-1], (event.seat, event.id): table.seq})
    if isinstance(match.hand, Counted):
        scores = table.match.scores
        done = CountedDeal(match.deal_no, match.hand, bys, scores, match.scores)
        counted = (*counted, done)
    return replace(table, match=match, bys=bys, ids=ids, counted=counted)


def decide(table: Table, command: Command, chance: Chance) -> tuple[Event, ...]:
    """Return the events that the command leads to; none if it changes nothing.

    Raises:
        Refusal: the table does not allow it.
        IllegalAction: the rules do not allow it.
    """
    if isinstance(command, Close):
        return () if table.closed else (Closed(chance.at),)
    if isinstance(command, DealAgain):
        waits = table.phase is Phase.THROWN_IN and command.deal == table.match.deal_no
        return (_deal(table, chance),) if waits else ()
    if table.closed:
        raise Refusal(Code.TABLE_CLOSED)
    match command:
        case Act():
            return _act(table, command, chance)
        case AskNextHand():
            return _ask_next_hand(table, command, chance)
        case AskRematch():
            return _ask_rematch(table, command, chance)
        case Claim():
            return _claim(table, command, chance)
        case Reissue(seat, invite):
            return (SecretsChanged(chance.at, seat, None, ((seat, invite),)),)
        case _:
            assert_never(command)


def _act(table: Table, command: Act, chance: Chance) -> tuple[Event, ...]:
    if table.given(command.seat, command.id) is not None:
        return ()
    hand = table.match.hand
    if hand is None:
        raise IllegalAction(Illegal.WRONG_PHASE, {"phase": Phase.WAITING.value})
    if table.due is not None and command.decision != table.due:
        raise Refusal(Code.STALE_DECISION, due=table.due)
    refusal = check(hand, command.seat, command.action)
    if refusal is not None:
        raise refusal
    return (Acted(chance.at, command.seat, command.action, command.by, command.id),)


def _ask_next_hand(
    table: Table, command: AskNextHand, chance: Chance
) -> tuple[Event, ...]:
    if table.phase is Phase.FINISHED:
        raise Refusal(Code.MATCH_OVER)
    if command.deal != table.match.deal_no:
        raise Refusal(Code.STALE_DECISION, due=str(table.match.deal_no))
    if table.match.hand is None or table.turn is not None:
        raise Refusal(Code.HAND_IN_PROGRESS)
    if command.seat in table.wanting:
        return ()
    asked = NextHandAsked(chance.at, command.seat)
    if table.people <= table.wanting | {command.seat}:
        return asked, _deal(table, chance)
    return (asked,)


def _ask_rematch(
    table: Table, command: AskRematch, chance: Chance
) -> tuple[Event, ...]:
    if table.phase is not Phase.FINISHED:
        raise Refusal(Code.MATCH_NOT_OVER)
    if command.seat in table.wanting:
        return ()
    asked = RematchAsked(chance.at, command.seat)
    if table.people <= table.wanting | {command.seat}:
        dealer = draw_seat(_key(table, chance))
        return asked, _deal(table, chance, dealer)
    return (asked,)


def _claim(table: Table, command: Claim, chance: Chance) -> tuple[Event, ...]:
    seat = next((s for s in Seat if _same(table.seats[s].invite, command.invite)), None)
    if seat is None:
        raise Refusal(Code.BAD_INVITE)
    sitter = table.seats[seat]
    if sitter.token is not None:
        if command.key is None or not _same(sitter.key, command.key):
            raise Refusal(Code.SEAT_TAKEN)
        return (SecretsChanged(chance.at, seat, command.token),)
    sat = Sat(chance.at, seat, command.name, command.kind, command.token, command.key)
    if table.match.hand is None and fold(table, (sat,)).full:
        return sat, _deal(table, chance)
    return (sat,)


def first_deal(table: Table, chance: Chance) -> tuple[Event, ...]:
    """Return the first deal, if the opening left no seat free."""
    return (_deal(table, chance),) if table.full else ()


def _deal(table: Table, chance: Chance, dealer: Seat | None = None) -> Dealt:
    opening = table.opening
    if opening.deck is not None and (opening.again or table.match.deal_no == 0):
        return Dealt(chance.at, opening.deck, opening.dealer)
    return Dealt(chance.at, shuffle(_key(table, chance)), dealer)


def _key(table: Table, chance: Chance) -> bytes:
    """The next deal's 256 bits: from chance, or at a seeded table from its seed."""
    seed = table.opening.seed
    if seed is None:
        return chance.key
    return sha256(f"{seed}/{table.match.deal_no + 1}".encode()).digest()


def _same(stored: str | None, given: str) -> bool:
    return stored is not None and hmac.compare_digest(stored, given)
