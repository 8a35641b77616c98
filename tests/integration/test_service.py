"""The service over a log: repeats, races, lost pokes, callers that go away."""

import asyncio
from collections.abc import Sequence

import pytest

from terziglio.actions import Bid, Phase
from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.errors import Illegal, IllegalAction
from terziglio.players import house
from terziglio.seats import Seat
from terziglio_api.commands import (
    Act,
    AskNextHand,
    AskRematch,
    By,
    Close,
    Code,
    DealAgain,
    Mode,
    Opening,
    Refusal,
    Seating,
)
from terziglio_api.fanout.local import LocalFanout
from terziglio_api.journal import Event
from terziglio_api.ports import SeqConflict, StorageUnavailable
from terziglio_api.service import RESUME, TableService
from terziglio_api.storage.memory import MemoryLog

LINKS = (None, None)


def opening(**changed: object) -> Opening:
    values: dict[str, object] = {
        "mode": Mode.OPEN,
        "name": "Anna",
        "kind": By.PERSON,
        "target": 7,
        "pace_ms": 0,
        "players": LINKS,
        "seed": "service",
        **changed,
    }
    return Opening(**values)  # type: ignore[arg-type]


def make(log: MemoryLog | None = None) -> TableService:
    return TableService(log or MemoryLog(), LocalFanout(), thrown_in_ms=0)


async def full_table(service: TableService, **changed: object) -> tuple[str, list[str]]:
    host = await service.open(opening(**changed))
    tokens = [host.token]
    for _, invite in host.invites:
        guest = await service.claim(host.table, invite, "Guest", By.BOT, None)
        tokens.append(guest.token)
    return host.table, tokens


async def due(service: TableService, table: str) -> tuple[Seat, str]:
    game = (await service.view(table, Seat.S0)).game
    assert game.turn is not None
    return game.turn, f"{game.match.deal}.{game.decision}"


async def play_to(service: TableService, table: str, phase: Phase) -> int:
    while (game := (await service.view(table, Seat.S0)).game).phase is not phase:
        if game.turn is None:
            for seat in Seat:
                await service.do(table, AskNextHand(seat, game.match.deal))
            continue
        seat, decision = await due(service, table)
        action = house((await service.view(table, seat)).game)
        await service.do(table, Act(seat, action, decision))
    return game.match.deal


async def refused(service: TableService, table: str, command: object) -> Code:
    before = (await service.summary(table)).seq
    with pytest.raises(Refusal) as caught:
        await service.do(table, command)  # type: ignore[arg-type]
    assert (await service.summary(table)).seq == before
    return caught.value.code


# Sitting down


async def test_the_first_hand_is_dealt_when_the_last_seat_fills() -> None:
    service = make()
    host = await service.open(opening())
    assert (await service.summary(host.table)).phase is Phase.WAITING
    (_, first), (_, second) = host.invites
    await service.claim(host.table, first, "Bruno", By.PERSON, None)
    assert (await service.summary(host.table)).phase is Phase.WAITING
    await service.claim(host.table, second, "Carla", By.PERSON, None)
    summary = await service.summary(host.table)
    # opened, two seats taken, dealt
    assert (summary.phase, summary.seq) == (Phase.AUCTION, 4)


async def test_two_guests_race_for_one_link() -> None:
    service = make()
    host = await service.open(opening())
    _, invite = host.invites[0]
    claims = (
        service.claim(host.table, invite, name, By.PERSON, None) for name in "ABCDE"
    )
    outcomes = await asyncio.gather(*claims, return_exceptions=True)
    seated = [outcome for outcome in outcomes if isinstance(outcome, Seating)]
    refusals = [o.code for o in outcomes if isinstance(o, Refusal)]
    assert len(seated) == 1
    assert refusals == [Code.SEAT_TAKEN] * 4


async def test_a_repeated_claim_gets_its_seat_and_a_fresh_token() -> None:
    service = make()
    host = await service.open(opening())
    table, (_, invite) = host.table, host.invites[0]
    first = await service.claim(table, invite, "Bruno", By.PERSON, "key")
    second = await service.claim(table, invite, "Bruno", By.PERSON, "key")
    assert first.seat == second.seat == Seat.S1
    assert (await service.holder(table, second.token)).seat == Seat.S1
    with pytest.raises(Refusal, match="bad_token"):
        await service.holder(table, first.token)
    for key in ("other", None):
        with pytest.raises(Refusal, match="seat_taken"):
            await service.claim(table, invite, "Bruno", By.PERSON, key)


async def test_a_repeated_opening_gets_its_table_and_fresh_secrets() -> None:
    service = make()
    first = await service.open(opening(origin="request 1"))
    second = await service.open(opening(origin="request 1"))
    other = await service.open(opening(origin="request 2"))
    assert first.table == second.table != other.table
    assert (await service.holder(first.table, second.token)).seat == Seat.S0
    with pytest.raises(Refusal, match="bad_token"):
        await service.holder(first.table, first.token)
    with pytest.raises(Refusal, match="bad_invite"):
        await service.claim(first.table, first.invites[0][1], "B", By.PERSON, None)
    await service.claim(first.table, second.invites[0][1], "B", By.PERSON, None)
    # A seat that is taken by now is not given away again.
    third = await service.open(opening(origin="request 1"))
    assert [seat for seat, _ in third.invites] == [Seat.S2]


async def test_a_reissued_seat_is_the_new_links_alone() -> None:
    service = make()
    table, tokens = await full_table(service)
    invite = await service.reissue(table, Seat.S1)
    with pytest.raises(Refusal, match="bad_token"):
        await service.holder(table, tokens[1])
    back = await service.claim(table, invite, "Bruno again", By.PERSON, None)
    assert back.seat == Seat.S1
    assert (await service.holder(table, back.token)).seat == Seat.S1
    here = service.presence.attend(table, Seat.S1)
    with here, pytest.raises(Refusal, match="seat_present"):
        await service.reissue(table, Seat.S1)
    await service.reissue(table, Seat.S1)


async def test_strangers_and_wrong_tables_are_answered_alike() -> None:
    service = make()
    table, _ = await full_table(service)
    for where in (table, "t_absent", ""):
        with pytest.raises(Refusal) as caught:
            await service.holder(where, "tzs_guess")
        assert caught.value.code is Code.BAD_TOKEN
        assert caught.value.params == {}


# Acting


async def test_a_resent_action_changes_nothing() -> None:
    service = make()
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    act = Act(seat, Bid(None), decision, "one")
    first = await service.do(table, act)
    again = await service.do(table, act)
    assert not first.duplicate
    assert again.duplicate
    assert again.seq == first.seq == (await service.summary(table)).seq
    await play_to(service, table, Phase.COUNT)
    later = await service.do(table, act)
    assert (later.seq, later.duplicate) == (first.seq, True)


async def test_the_same_action_sent_twice_at_once_is_done_once() -> None:
    service = make()
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    act = Act(seat, Bid(Contract.CHIAMO), decision, "one")
    outcomes = await asyncio.gather(*(service.do(table, act) for _ in range(9)))
    assert {outcome.seq for outcome in outcomes} == {5}
    assert sum(not outcome.duplicate for outcome in outcomes) == 1


async def test_two_different_answers_to_one_decision() -> None:
    service = make()
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    acts = (
        Act(seat, Bid(bid), decision, f"{bid}") for bid in (None, Contract.SOLISSIMO)
    )
    outcomes = await asyncio.gather(
        *(service.do(table, act) for act in acts), return_exceptions=True
    )
    refusals = [o.code for o in outcomes if isinstance(o, Refusal)]
    assert refusals == [Code.STALE_DECISION]


async def test_refusals_by_the_moment() -> None:
    service = make()
    waiting = await service.open(opening())
    bid = Bid(None)
    with pytest.raises(IllegalAction) as caught:
        await service.do(waiting.table, Act(Seat.S0, bid, "1.1"))
    assert caught.value.code is Illegal.WRONG_PHASE
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    with pytest.raises(IllegalAction) as caught:
        await service.do(table, Act(seat.next, bid, decision))
    assert caught.value.code is Illegal.NOT_YOUR_TURN
    assert await refused(service, table, AskNextHand(seat, 1)) is Code.HAND_IN_PROGRESS
    assert await refused(service, table, AskNextHand(seat, 9)) is Code.STALE_DECISION
    assert await refused(service, table, AskRematch(seat)) is Code.MATCH_NOT_OVER
    stale = Act(seat, bid, "1.2")
    assert await refused(service, table, stale) is Code.STALE_DECISION
    deal = await play_to(service, table, Phase.COUNT)
    with pytest.raises(IllegalAction) as caught:
        await service.do(table, Act(seat, bid, f"{deal}.99"))
    assert caught.value.code is Illegal.HAND_OVER


async def test_the_next_hand_waits_for_every_seat_with_a_token() -> None:
    service = make()
    table, _ = await full_table(service)
    deal = await play_to(service, table, Phase.COUNT)
    first = await service.do(table, AskNextHand(Seat.S0, deal))
    again = await service.do(table, AskNextHand(Seat.S0, deal))
    assert again.duplicate
    assert again.seq == first.seq
    await service.do(table, AskNextHand(Seat.S2, deal))
    assert (await service.summary(table)).phase is Phase.COUNT
    await service.do(table, AskNextHand(Seat.S1, deal))
    assert (await service.view(table, Seat.S0)).game.match.deal == deal + 1


async def test_a_rematch_goes_on_numbering_deals() -> None:
    service = make()
    table, _ = await full_table(service)
    deal = await play_to(service, table, Phase.FINISHED)
    over = await refused(service, table, AskNextHand(Seat.S0, deal))
    assert over is Code.MATCH_OVER
    for seat in Seat:
        await service.do(table, AskRematch(seat))
    match = (await service.view(table, Seat.S0)).game.match
    assert (match.deal, match.hand, match.scores) == (deal + 1, 0, (0, 0, 0))
    assert (await service.hands.record(table, deal)).scores_after[0] != 0 or deal == 0


async def test_after_three_passes_the_next_deal_is_dealt_once() -> None:
    service = make()
    table, _ = await full_table(service)
    for _ in Seat:
        seat, decision = await due(service, table)
        await service.do(table, Act(seat, Bid(None), decision))
    assert (await service.summary(table)).phase is Phase.THROWN_IN
    deal = (await service.view(table, Seat.S0)).game.match.deal
    with pytest.raises(Refusal, match="no_such_hand"):
        await service.hands.record(table, deal)
    await asyncio.gather(*(service.do(table, DealAgain(deal)) for _ in range(5)))
    assert (await service.view(table, Seat.S0)).game.match.deal == deal + 1


async def test_a_closed_table_changes_no_more() -> None:
    service = make()
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    await service.do(table, Close())
    twice = await service.do(table, Close())
    assert twice.duplicate
    closed = Code.TABLE_CLOSED
    assert await refused(service, table, Act(seat, Bid(None), decision)) is closed
    assert await refused(service, table, AskNextHand(seat, 1)) is closed
    seen = await service.view(table, seat)
    assert (seen.phase, seen.closed, seen.game.turn) == (Phase.FINISHED, True, None)
    assert list(seen.game.legal.actions()) == []
    assert (await service.summary(table)).closed


async def test_the_same_deal_again_keeps_no_score() -> None:
    service = make()
    host = await service.open(opening(mode=Mode.COMPUTER, players=("house",) * 2))
    table = host.table
    with pytest.raises(Refusal, match="hand_in_progress"):
        await service.hands.again(table, 1)

    async def play(where: str) -> int:
        while (await service.view(where, Seat.S0)).game.turn is not None:
            seat, decision = await due(service, where)
            action = house((await service.view(where, seat)).game)
            await service.do(where, Act(seat, action, decision))
        return (await service.view(where, Seat.S0)).game.match.deal

    deal = await play(table)
    again = await service.hands.again(table, deal)
    original = await service.hands.record(table, deal)
    for expected in (1, 2):
        assert await play(again.table) == expected
        copy = await service.hands.record(again.table, expected)
        assert (copy.hands, copy.monte, copy.dealer) == (
            original.hands,
            original.monte,
            original.dealer,
        )
        assert copy.scores_before == copy.scores_after == (0, 0, 0)
        await service.do(again.table, AskNextHand(Seat.S0, expected))
    with pytest.raises(Refusal, match="computer_table_only"):
        await service.hands.again((await full_table(service))[0], 1)


async def test_a_forced_deal_is_the_first_one_only() -> None:
    service = make()
    deck = tuple(Card)
    table, _ = await full_table(service, deck=deck, dealer=Seat.S1, seed=None)
    game = (await service.view(table, Seat.S2)).game
    assert game.match.dealer is Seat.S1
    assert set(deck[:4]) <= set(game.hand)
    deal = await play_to(service, table, Phase.COUNT)
    for seat in Seat:
        await service.do(table, AskNextHand(seat, deal))
    later = (await service.view(table, Seat.S2)).game
    assert not set(deck[:4]) <= set(later.hand)


# Two workers, lost pokes, callers that go away


async def test_two_services_on_one_log_share_its_tables() -> None:
    log = MemoryLog()
    one, two = make(log), make(log)
    table, _ = await full_table(one)
    for _ in range(12):
        for service in (one, two):
            seat, decision = await due(one, table)
            action = house((await one.view(table, seat)).game)
            act = Act(seat, action, decision, f"id {decision}")
            await service.do(table, act)
            # The other one has not been told: its own state is old.
            other = two if service is one else one
            assert (await other.do(table, act)).duplicate
    assert (await one.summary(table)).seq == (await two.summary(table)).seq


async def test_two_services_race_for_every_decision() -> None:
    log = MemoryLog()
    one, two = make(log), make(log)
    table, _ = await full_table(one)
    while (await one.view(table, Seat.S0)).game.phase is not Phase.COUNT:
        seat, decision = await due(one, table)
        action = house((await one.view(table, seat)).game)
        outcomes = await asyncio.gather(
            *(
                service.do(table, Act(seat, action, decision, f"{number} {decision}"))
                for number, service in enumerate((one, two))
            ),
            return_exceptions=True,
        )
        late = [o for o in outcomes if isinstance(o, Refusal | IllegalAction)]
        assert len(late) == 1
        assert late[0].code in {Code.STALE_DECISION, Illegal.HAND_OVER}
    events = await log.read(table)
    assert len(events) == (await one.summary(table)).seq


class SlowLog(MemoryLog):
    """A log whose appends wait until they are let through."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        self.waiting.set()
        await self.gate.wait()
        await super().append(table, after, events)


async def test_a_change_that_has_begun_is_finished_without_its_caller() -> None:
    log = SlowLog()
    service = make(log)
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    log.gate.clear()
    log.waiting.clear()
    with service.follow(table) as changed:
        caller = asyncio.create_task(
            service.do(table, Act(seat, Bid(None), decision, "one"))
        )
        await log.waiting.wait()
        caller.cancel()
        log.gate.set()
        await changed.wait()
    assert (await service.summary(table)).seq == 5
    assert (await service.do(table, Act(seat, Bid(None), decision, "one"))).duplicate


class BrokenLog(MemoryLog):
    """A log that fails when told to."""

    broken = False

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        if self.broken:
            raise StorageUnavailable("told to")
        await super().append(table, after, events)


async def test_what_is_not_stored_is_not_told() -> None:
    log = BrokenLog()
    service = make(log)
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    log.broken = True
    with service.follow(table) as changed:
        with pytest.raises(StorageUnavailable):
            await service.do(table, Act(seat, Bid(None), decision))
        assert not changed.is_set()
    assert (await service.summary(table)).seq == 4
    log.broken = False
    assert (await service.do(table, Act(seat, Bid(None), decision))).seq == 5


class JealousLog(MemoryLog):
    """A log on which somebody else is always faster."""

    jealous = False

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        if self.jealous:
            raise SeqConflict
        await super().append(table, after, events)


async def test_a_conflict_without_end_is_given_up() -> None:
    log = JealousLog()
    service = make(log)
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    log.jealous = True
    with pytest.raises(StorageUnavailable):
        await service.do(table, Act(seat, Bid(None), decision))


# Telling what happened


async def test_updates_are_gap_free_and_the_same_after_a_restart() -> None:
    log = MemoryLog()
    service = make(log)
    table, tokens = await full_table(service)
    await play_to(service, table, Phase.COUNT)
    head = (await service.summary(table)).seq
    fresh = make(log)
    for token in tokens:
        holder = await service.holder(table, token)
        told = (await service.story(table, holder, 0)).updates
        assert told is not None
        assert [update.seq for update in told] == list(range(1, head + 1))
        assert (await fresh.story(table, holder, 0)).updates == told
        late = await fresh.story(table, holder, head - 3)
        assert late.updates == told[head - 3 :]
        assert late.view == told[-1].view


async def test_too_old_or_unknown_positions_get_no_updates() -> None:
    service = make()
    table, tokens = await full_table(service, target=21)
    await play_to(service, table, Phase.FINISHED)
    head = (await service.summary(table)).seq
    assert head > RESUME
    holder = await service.holder(table, tokens[0])
    for after in (head + 1, head - RESUME - 1):
        story = await service.story(table, holder, after)
        assert story.updates is None
        assert story.view.seq == head
    told = (await service.story(table, holder, head - RESUME)).updates
    assert told is not None
    assert len(told) == RESUME
    assert (await service.story(table, holder, head)).updates == ()


async def test_a_void_token_sees_and_does_nothing_more() -> None:
    service = make()
    table, tokens = await full_table(service)
    seat, decision = await due(service, table)
    host, guest = await service.holder(table, tokens[0]), Seat.S1
    old = await service.holder(table, tokens[1])
    invite = await service.reissue(table, guest)
    await service.claim(table, invite, "Dario", By.PERSON, None)
    for look in (
        service.view(table, guest, old),
        service.story(table, old, 0),
        service.do(table, Act(guest, Bid(None), decision), old),
        service.do(table, AskNextHand(guest, 1), old),
        service.reissue(table, Seat.S2, old),
    ):
        with pytest.raises(Refusal, match="bad_token"):
            await look
    assert (await service.view(table, Seat.S0, host)).game.turn is seat


async def test_a_new_sitter_has_ids_of_his_own() -> None:
    service = make()
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    while seat is Seat.S0:
        await service.do(table, Act(seat, Bid(None), decision, "a1"))
        seat, decision = await due(service, table)
    first = await service.do(table, Act(seat, Bid(Contract.CHIAMO), decision, "a1"))
    assert not first.duplicate
    invite = await service.reissue(table, seat)
    await service.claim(table, invite, "Dario", By.PERSON, None)
    while (await due(service, table))[0] is not seat:
        turn, decision = await due(service, table)
        await service.do(table, Act(turn, Bid(None), decision))
    turn, decision = await due(service, table)
    action = house((await service.view(table, seat)).game)
    assert not (await service.do(table, Act(seat, action, decision, "a1"))).duplicate


async def test_a_resend_at_a_closed_table_is_still_a_resend() -> None:
    service = make()
    table, _ = await full_table(service)
    seat, decision = await due(service, table)
    act = Act(seat, Bid(None), decision, "one")
    first = await service.do(table, act)
    await service.do(table, Close())
    again = await service.do(table, act)
    assert (again.seq, again.duplicate) == (first.seq, True)


@pytest.mark.parametrize("phase", [Phase.COUNT, Phase.FINISHED])
async def test_a_seat_issued_anew_is_not_waited_for(phase: Phase) -> None:
    """Nobody asks twice: who is left may all have asked already."""
    service = make()
    table, _ = await full_table(service)
    deal = await play_to(service, table, phase)
    for seat in (Seat.S0, Seat.S1):
        over = phase is Phase.FINISHED
        await service.do(table, AskRematch(seat) if over else AskNextHand(seat, deal))
    assert (await service.summary(table)).phase is phase
    await service.reissue(table, Seat.S2)
    game = (await service.view(table, Seat.S0)).game
    assert (game.match.deal, game.phase) == (deal + 1, Phase.AUCTION)
    assert game.match.scores == (0, 0, 0) or phase is Phase.COUNT


async def test_who_sits_down_anew_has_asked_for_nothing() -> None:
    service = make()
    table, _ = await full_table(service)
    deal = await play_to(service, table, Phase.COUNT)
    await service.do(table, AskNextHand(Seat.S2, deal))
    invite = await service.reissue(table, Seat.S2)
    assert not (await service.summary(table)).seats[2].wants_next
    await service.claim(table, invite, "Gina", By.PERSON, None)
    for seat in (Seat.S0, Seat.S1):
        await service.do(table, AskNextHand(seat, deal))
    assert (await service.summary(table)).phase is Phase.COUNT
    await service.do(table, AskNextHand(Seat.S2, deal))
    assert (await service.summary(table)).phase is Phase.AUCTION


async def test_before_the_first_hand_a_seat_issued_anew_is_a_link_again() -> None:
    service = make()
    host = await service.open(opening())
    (_, right), (_, left) = host.invites
    await service.claim(host.table, right, "Bea", By.PERSON, None)
    invite = await service.reissue(host.table, Seat.S1)
    seat = (await service.summary(host.table)).seats[1]
    assert (seat.kind, seat.name) == ("link", None)
    await service.claim(host.table, left, "Cleo", By.PERSON, None)
    assert (await service.summary(host.table)).phase is Phase.WAITING
    await service.claim(host.table, invite, "Dora", By.PERSON, None)
    seen = await service.summary(host.table)
    assert (seen.phase, seen.seats[1].name) == (Phase.AUCTION, "Dora")
