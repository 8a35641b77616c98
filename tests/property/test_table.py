"""The service's pure table, looked at through the lives of random tables."""

import json
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import get_args

import pytest
from pydantic import TypeAdapter

from lives import TABLE, a_chance, an_opening, lived
from strategies import SCALE, rng
from terziglio import Bid, Illegal, IllegalAction, Seat, legal, seat_view
from terziglio.actions import Phase
from terziglio.events import HandEvent
from terziglio.legal import Legal
from terziglio_api.commands import Act, AskRematch, By, Claim, Code, Refusal, Reissue
from terziglio_api.decisions import decide
from terziglio_api.journal import Acted, Dealt, Event, Plan, Sat
from terziglio_api.showing import table_view, update, updates
from terziglio_api.storage.codec import decode, encode
from terziglio_api.table import opened, replay, states
from terziglio_api.wire.events import (
    HandEventModel,
    event_of,
    hand_event,
    load_event,
)
from terziglio_api.wire.game import game_of
from terziglio_api.wire.messages import EventMessage, event_message, event_messages

FEW = 16
HAND_EVENT: TypeAdapter[HandEventModel] = TypeAdapter(HandEventModel)
LIVES = range(FEW * SCALE)
PRESENT = frozenset({Seat.S0, Seat.S2})

every_life = pytest.mark.parametrize("seed", LIVES, ids="life{}".format)


@every_life
def test_replaying_the_log_gives_the_live_state_at_every_prefix(seed: int) -> None:
    life = lived(seed)
    stored = [decode(encode(event)) for event in life.log]
    assert list(replay(TABLE, life.log)) == life.states
    assert list(replay(TABLE, stored)) == life.states
    for end in range(1, len(stored), 50):  # as a service does that starts again there
        *_, head = replay(TABLE, stored[:end])
        assert head == life.states[end - 1]
        assert list(states(head, stored[end:])) == life.states[end:]


@every_life
def test_every_action_is_known_by_its_id_while_its_seat_is_held(seed: int) -> None:
    life, given = lived(seed), dict[tuple[Seat, str], int]()
    for event, state in zip(life.log, life.states, strict=True):
        if isinstance(event, Sat):
            given = {key: seq for key, seq in given.items() if key[0] != event.seat}
        if isinstance(event, Acted) and event.id is not None:
            given[event.seat, event.id] = state.seq
        assert {key: state.given(*key) for key in given} == given


@every_life
def test_an_older_state_never_changes(seed: int) -> None:
    life = lived(seed)
    assert [hash(repr(state)) for state in life.states] == life.told


@every_life
def test_a_refused_command_changes_nothing_not_even_seq(seed: int) -> None:
    refused, moments = 0, lived(seed).moments
    for moment in moments:
        if moment.refusal is not None:
            refused += 1
            assert moment.after is moment.before
            told = repr(moment.before)
            with pytest.raises((Refusal, IllegalAction)) as again:
                decide(moment.before, moment.command, moment.chance)
            assert again.value.args == moment.refusal.args
            assert repr(moment.before) == told
        else:
            # The same command by the same chance leads to the same events.
            same = decide(moment.before, moment.command, moment.chance)
            assert same == moment.events
            assert moment.after.seq == moment.before.seq + len(same)
    assert refused > len(moments) // 20


@every_life
def test_decoding_what_was_encoded_gives_the_event_back(seed: int) -> None:
    for event in lived(seed).log:
        text = encode(event)
        assert decode(text) == event
        assert "\n" not in text
        assert json.loads(text)["at"] == event.at


@every_life
def test_each_seat_is_told_each_change_under_the_same_gap_free_seq(seed: int) -> None:
    life = lived(seed)
    told = [[update(state, seat, PRESENT) for state in life.states] for seat in Seat]
    for seat, changes in zip(Seat, told, strict=True):
        assert [change.seq for change in changes] == [*range(1, len(life.log) + 1)]
        for change, state in zip(changes, life.states, strict=True):
            assert change.view == table_view(state, seat, PRESENT)
            assert change.view.seq == change.seq
    for first, second, third in zip(*told, strict=True):
        kinds = {change.notice.kind for change in (first, second, third)}
        assert len(kinds) == 1  # left out of an event, never the event itself
        assert first.by == second.by == third.by


@every_life
def test_deals_are_numbered_through_the_life_of_the_table(seed: int) -> None:
    life = lived(seed)
    dealt = [s.match.deal_no for s in life.states if isinstance(s.event, Dealt)]
    assert dealt == [*range(1, len(dealt) + 1)]
    for before, after in pairwise(life.states):
        assert after.match.deal_no - before.match.deal_no == isinstance(
            after.event, Dealt
        )
    numbers = [done.match.deal_no for done in life.states[-1].counted]
    assert numbers == sorted(set(numbers))


@every_life
def test_an_action_id_that_comes_again_leads_to_no_event(seed: int) -> None:
    life, random = lived(seed), rng("ids", seed)
    acts = [m for m in life.moments if m.events and isinstance(m.command, Act)]
    for moment in acts:
        act = moment.command
        assert isinstance(act, Act)
        if act.id is None:
            continue
        first = moment.after.seq - 1
        last = random.randrange(first, len(life.states))
        later = life.states[last]
        sat = (s.event for s in life.states[first + 1 : last + 1])
        if any(isinstance(event, Sat) and event.seat is act.seat for event in sat):
            # A new sitter has ids of his own.
            assert later.given(act.seat, act.id) is None
            continue
        assert later.given(act.seat, act.id) == moment.after.seq
        for again in (act, replace(act, action=Bid(None), decision="0.0")):
            assert decide(later, again, moment.chance) == ()
        assert later.given(act.seat.next, act.id) is None  # another seat's id


@every_life
def test_a_stale_decision_is_refused_whatever_it_decides(seed: int) -> None:
    life, random = lived(seed), rng("stale", seed)
    for state in life.states:
        if state.due is None or state.match.hand is None or state.turn is None:
            continue
        action = legal(state.match.hand, state.turn).first()
        fresh = Act(state.turn, action, state.due)
        assert len(decide(state, fresh, a_chance(random))) == 1
        deal, number = state.due.split(".")
        for stale in (f"{deal}.{int(number) - 1}", f"{int(deal) + 1}.{number}", ""):
            with pytest.raises(Refusal, match="stale_decision") as caught:
                decide(state, replace(fresh, decision=stale), a_chance(random))
            assert caught.value.params == {"due": state.due}


@every_life
def test_a_closed_table_asks_nobody_and_shows_no_more_than_before(seed: int) -> None:
    closed = [state for state in lived(seed).states if state.closed]
    before = [state for state in lived(seed).states if not state.closed]
    for state in closed:
        for seat in Seat:
            shown, last = (
                table_view(t, seat, PRESENT).game for t in (state, before[-1])
            )
            assert (shown.phase, shown.turn, shown.decision) == ("finished", None, None)
            assert shown.legal == Legal()
            # But for what was asked of somebody it is the last view, no card more.
            assert last == replace(
                shown,
                phase=last.phase,
                turn=last.turn,
                decision=last.decision,
                legal=last.legal,
            )
            with pytest.raises(Refusal, match="table_closed"):
                decide(state, AskRematch(seat), a_chance(rng(seed)))


@every_life
def test_a_view_comes_back_from_the_wire_as_it_was(seed: int) -> None:
    for state in lived(seed).states:
        for seat in Seat:
            change = update(state, seat, PRESENT)
            text = event_message(event_of(change.notice, change.by), change.view).text
            told = EventMessage.model_validate_json(text)
            # What is written is what its model describes, and nothing besides.
            assert json.loads(text) == told.model_dump(mode="json", by_alias=True)
            back = game_of(told.view)
            if not state.closed:  # a closed table asks nobody for anything
                assert back == seat_view(state.match, seat)
            assert back == change.view.game
            assert repr(back) == repr(change.view.game)
            assert "secret" not in text


@every_life
def test_what_is_told_to_three_is_what_is_told_to_each(seed: int) -> None:
    for state in lived(seed).states:
        told = [
            (event_of(change.notice, change.by), change.view)
            for change in updates(state, tuple(Seat), PRESENT)
        ]
        alone = [update(state, seat, PRESENT) for seat in Seat]
        assert [view for _, view in told] == [change.view for change in alone]
        assert event_messages(told) == [event_message(*one) for one in told]


@every_life
def test_what_was_done_in_a_hand_comes_back_from_the_wire(seed: int) -> None:
    for state in lived(seed).states:
        if not isinstance(state.event, Acted):
            continue
        for seat in Seat:
            change = update(state, seat, PRESENT)
            assert isinstance(change.notice, HandEvent)
            told = hand_event(change.notice, change.by)
            said: HandEventModel = HAND_EVENT.validate_python(told)
            contract = change.view.game.contract
            soloist = None if contract is None else contract.soloist
            bid = None if contract is None else contract.bid
            assert load_event(said, soloist, bid) == change.notice
            assert said.by == state.event.by


def test_the_lives_are_full_enough() -> None:
    lives = [lived(seed) for seed in range(FEW)]
    events = {type(event).__name__ for life in lives for event in life.log}
    assert events == {kind.__name__ for kind in get_args(Event)}
    rematches = sum(
        isinstance(s.event, Dealt)
        and s.event.dealer is not None
        and s.match.deal_no > 1
        for life in lives
        for s in life.states
        if not s.opening.again
    )
    assert rematches >= 5
    phases = {state.phase for life in lives for state in life.states}
    assert phases == set(Phase)
    codes = {m.refusal.code for life in lives for m in life.moments if m.refusal}
    assert codes >= {
        Code.BAD_INVITE,
        Code.SEAT_TAKEN,
        Code.TABLE_CLOSED,
        Code.STALE_DECISION,
        Code.HAND_IN_PROGRESS,
        Code.MATCH_OVER,
        Code.MATCH_NOT_OVER,
        Illegal.NOT_YOUR_TURN,
        Illegal.MUST_FOLLOW_SUIT,
        Illegal.HAND_OVER,
    }


def test_a_computers_seat_is_not_given_to_a_guest() -> None:
    chance = a_chance(rng("computer"))
    house = Plan("house", None)
    table = opened(TABLE, replace(an_opening(rng("computer")), plans=(house, house)))
    claim = Claim("an invite", "guest", By.PERSON, "a token", None)
    for command in (Reissue(Seat.S1, "an invite"), claim):
        with suppress(Refusal):
            *_, table = (table, *states(table, decide(table, command, chance)))
    assert table.seats[Seat.S1].kind is By.COMPUTER
