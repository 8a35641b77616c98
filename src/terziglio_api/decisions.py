"""What a command does to a table: the events it leads to, or why not. Pure.

What comes from outside, entropy and the time, comes in as ``Chance``.
"""

import hmac
from collections.abc import Mapping, Set
from typing import assert_never

from terziglio.actions import Phase
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import check
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
    Mode,
    Opening,
    Refusal,
    Reissue,
    Renew,
)
from terziglio_api.journal import (
    Acted,
    Closed,
    Dealt,
    Event,
    NextHandAsked,
    Opened,
    Plan,
    RematchAsked,
    Sat,
    SecretsChanged,
)
from terziglio_api.shuffle import draw_seat, seeded_key, shuffle
from terziglio_api.table import Table, opened

__all__ = ["awaited", "decide", "first_deal", "open_table", "opening_dealer"]


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
    if isinstance(command, Renew):
        free = (seat for seat in Seat if table.seats[seat].kind is None)
        fresh = tuple((seat, command.invites[seat]) for seat in free)
        return (SecretsChanged(chance.at, Seat.S0, command.token, fresh),)
    if isinstance(command, Act) and table.given(command.seat, command.id) is not None:
        return ()
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
            if table.seats[seat].kind is By.COMPUTER:
                raise Refusal(Code.SEAT_PRESENT)
            changed = SecretsChanged(chance.at, seat, None, ((seat, invite),))
            # Who is left may all have asked, and need not ask again.
            people, wanting = table.people - {seat}, table.wanting - {seat}
            return changed, *_if_all_ask(table, people, wanting, chance)
        case _:
            assert_never(command)


def _act(table: Table, command: Act, chance: Chance) -> tuple[Event, ...]:
    hand = table.match.hand
    if hand is None:
        raise IllegalAction(Illegal.WRONG_PHASE, {"phase": Phase.WAITING.value})
    due = table.due
    if due is not None and command.decision != due:
        raise Refusal(Code.STALE_DECISION, due=due)
    refusal = check(hand, command.seat, command.action)
    if refusal is not None:
        raise refusal
    by = command.by or table.seats[command.seat].kind or By.PERSON
    return (Acted(chance.at, command.seat, command.action, by, command.id),)


def _ask_next_hand(
    table: Table, command: AskNextHand, chance: Chance
) -> tuple[Event, ...]:
    if table.phase is Phase.FINISHED:
        raise Refusal(Code.MATCH_OVER)
    if command.deal != table.match.deal_no:
        raise Refusal(Code.STALE_DECISION, due=str(table.match.deal_no))
    if table.match.hand is None or table.turn is not None:
        raise Refusal(Code.HAND_IN_PROGRESS)
    asked = (
        ()
        if command.seat in table.wanting
        else (NextHandAsked(chance.at, command.seat),)
    )
    wanting = table.wanting | {command.seat}
    return *asked, *_if_all_ask(table, table.people, wanting, chance)


def _ask_rematch(
    table: Table, command: AskRematch, chance: Chance
) -> tuple[Event, ...]:
    if table.phase is not Phase.FINISHED:
        raise Refusal(Code.MATCH_NOT_OVER)
    asked = (
        ()
        if command.seat in table.wanting
        else (RematchAsked(chance.at, command.seat),)
    )
    wanting = table.wanting | {command.seat}
    return *asked, *_if_all_ask(table, table.people, wanting, chance)


def _if_all_ask(
    table: Table, people: Set[Seat], wanting: Set[Seat], chance: Chance
) -> tuple[Event, ...]:
    """Return the next deal, of a new match after one, if all with a token want it."""
    if not people <= wanting:
        return ()
    over = table.phase is Phase.FINISHED
    return (_deal(table, chance, draw_seat(_key(table, chance)) if over else None),)


def _claim(table: Table, command: Claim, chance: Chance) -> tuple[Event, ...]:
    seat = next((s for s in Seat if _same(table.seats[s].invite, command.invite)), None)
    if seat is None:
        raise Refusal(Code.BAD_INVITE)
    if table.opening.mode is Mode.FRIENDS and command.kind is By.BOT:
        raise Refusal(Code.NO_BOTS)
    sitter = table.seats[seat]
    if sitter.token is not None:
        if command.key is None or not _same(sitter.key, command.key):
            raise Refusal(Code.SEAT_TAKEN)
        return (SecretsChanged(chance.at, seat, command.token),)
    sat = Sat(chance.at, seat, command.name, command.kind, command.token, command.key)
    if table.match.hand is not None or any(
        s.kind is None for i, s in enumerate(table.seats) if i != seat
    ):
        return (sat,)
    return sat, _deal(table, chance)


def awaited(table: Table, command: Command) -> str | None:
    """Return the name of what a seat is asked for, if the command answers just that.

    Whoever only plays, however fast, sends nothing else.
    """
    match command:
        case Act(seat=seat, decision=named):
            return named if table.turn is seat and table.due == named else None
        case AskNextHand(seat=seat, deal=deal):
            waits = table.phase is Phase.COUNT and deal == table.match.deal_no
        case AskRematch(seat=seat):
            waits = table.phase is Phase.FINISHED and not table.closed
        case _:
            return None
    return str(table.match.deal_no) if waits and seat not in table.wanting else None


def open_table(
    table: str,
    opening: Opening,
    token: str,
    invites: Mapping[Seat, str],
    chance: Chance,
) -> tuple[Event, ...]:
    """Return the first events of a table; the first deal too, if no seat is free.

    Args:
        table: its id.
        opening: what was asked for.
        token: hash of the host's seat token.
        invites: hash of an invite for each other seat, for those that are free.
        chance: entropy and the time.
    """
    right, left = (
        Plan(player, None if player else invites[seat])
        for seat, player in zip((Seat.S1, Seat.S2), opening.players, strict=True)
    )
    event = Opened(
        at=chance.at,
        mode=opening.mode,
        name=opening.name,
        kind=opening.kind,
        token=token,
        target=opening.target,
        pace_ms=opening.pace_ms,
        plans=(right, left),
        dealer=opening_dealer(opening.dealer, opening.seed, chance),
        seed=opening.seed,
        deck=opening.deck,
        again=opening.again,
        clock_s=opening.clock_s,
        voice=opening.voice,
    )
    return event, *first_deal(opened(table, event), chance)


def opening_dealer(asked: Seat | None, seed: str | None, chance: Chance) -> Seat:
    """Return who deals first: asked for, drawn from the seed, or drawn (R10)."""
    if asked is not None:
        return asked
    return draw_seat(chance.key if seed is None else seeded_key(seed, 1))


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
    return chance.key if seed is None else seeded_key(seed, table.match.deal_no + 1)


def _same(stored: str | None, given: str) -> bool:
    return stored is not None and hmac.compare_digest(stored, given)
