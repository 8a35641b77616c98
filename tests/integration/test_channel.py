"""A channel over a line in memory: hello, resume, order, slow and surplus sockets."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from terziglio.players import house
from terziglio.seats import Seat
from terziglio_api.channel import Channel
from terziglio_api.commands import Act, AskNextHand, AskRematch, By, Mode, Opening
from terziglio_api.fanout.local import LocalFanout
from terziglio_api.hall import furnish
from terziglio_api.journal import Event
from terziglio_api.metrics import Metrics
from terziglio_api.ports import StorageUnavailable
from terziglio_api.service import RESUME, TableService
from terziglio_api.settings import Settings
from terziglio_api.sockets import CLOSE, Gone
from terziglio_api.storage.memory import MemoryLog

Json = dict[str, Any]


class Line:
    """A socket whose other end is the test; ``reads`` turned off, it stalls."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self.outbox: asyncio.Queue[Json] = asyncio.Queue()
        self.reading = asyncio.Event()
        self.reading.set()
        self.aborted = False
        self.closed: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def receive(self) -> str | bytes:
        message = await self.inbox.get()
        if message is None:
            raise Gone
        return message

    async def send(self, text: str) -> None:
        await self.reading.wait()
        self.outbox.put_nowait(json.loads(text))

    def write(self, *texts: str) -> bool:
        if self.reading.is_set():
            for text in texts:
                self.outbox.put_nowait(json.loads(text))
        return self.reading.is_set()

    async def close(self, code: int) -> None:
        await self.reading.wait()
        self.closed.set_result(code)

    def abort(self) -> None:
        self.aborted = True
        self.closed.set_result(1006)

    def say(self, message: Json | str | bytes) -> None:
        raw = json.dumps(message) if isinstance(message, dict) else message
        self.inbox.put_nowait(raw)

    async def hear(self) -> Json:
        async with asyncio.timeout(10):
            return await self.outbox.get()


class Fanout(LocalFanout):
    """A fan-out that loses pokes when told to."""

    losing = False

    def poke(self, table: str, seq: int) -> None:
        if not self.losing:
            super().poke(table, seq)


class Room:
    """A service with one table and sockets to its host's seat."""

    def __init__(self, log: MemoryLog | None = None, **changed: Any) -> None:
        self.settings = Settings(database=None, **changed)
        self.fanout = Fanout()
        self.now = 1_800_000_000_000
        self.service = TableService(
            log or MemoryLog(), self.fanout, clock=lambda: self.now
        )
        self.hall = furnish(self.service, self.settings, Metrics())
        self.tasks: list[asyncio.Task[None]] = []
        self.table = self.token = ""

    async def open(self) -> "Room":
        opening = Opening(
            mode=Mode.COMPUTER,
            name="Anna",
            kind=By.PERSON,
            target=21,
            pace_ms=0,
            players=("house", "house"),
            dealer=Seat.S2,
            seed="channel",
        )
        seating = await self.service.open(opening)
        self.table, self.token = seating.table, seating.token
        return self

    def line(self, token: str | None = None) -> Line:
        line = Line()
        channel = Channel(line, self.hall, self.table)
        self.tasks.append(asyncio.create_task(channel.run(token)))
        return line

    async def enter(self, after: int | None = None) -> Line:
        line = self.line()
        line.say({"type": "hello", "token": self.token, "after": after})
        return line

    async def play(self, answers: int) -> None:
        """Let the house player answer so many decisions, for every seat."""
        for _ in range(answers):
            game = (await self.service.view(self.table, Seat.S0)).game
            assert game.turn is not None
            seen = (await self.service.view(self.table, game.turn)).game
            decision = f"{game.match.deal}.{game.decision}"
            act = Act(game.turn, house(seen), decision)
            await self.service.do(self.table, act)


async def test_hello_is_answered_with_welcome_and_a_snapshot() -> None:
    room = await Room().open()
    line = await room.enter()
    welcome, snapshot = await line.hear(), await line.hear()
    assert welcome["type"] == "welcome"
    assert (welcome["seat"], welcome["seq"]) == (0, 2)
    assert snapshot["event"] == {"kind": "snapshot"}
    assert snapshot["seq"] == snapshot["view"]["seq"] == 2


async def test_the_handshakes_header_is_as_good_as_hello() -> None:
    room = await Room().open()
    line = room.line(room.token)
    assert (await line.hear())["type"] == "welcome"
    assert (await line.hear())["event"]["kind"] == "snapshot"


async def test_no_hello_in_time() -> None:
    room = await Room(hello_s=0.05).open()
    line = room.line()
    assert await line.closed == CLOSE["no_hello"] == 4408


@pytest.mark.parametrize("header", [True, False])
async def test_a_wrong_token(header: bool) -> None:
    room = await Room().open()
    line = room.line("tzs_wrong" if header else None)
    if not header:
        line.say({"type": "hello", "token": "tzs_wrong"})
    assert (await line.hear()) == {"type": "bye", "code": "bad_token"}
    assert await line.closed == 4401
    assert room.service.presence.seats(room.table) == frozenset()


async def test_before_hello_nothing_else_is_done() -> None:
    room = await Room().open()
    line = room.line()
    line.say(b"\xff\xfe")
    assert (await line.hear())["code"] == "malformed"
    line.say({"type": "resync"})
    assert (await line.hear())["code"] == "bad_token"
    line.say({"type": "hello", "token": room.token})
    assert (await line.hear())["type"] == "welcome"


async def test_the_ack_comes_before_the_event_it_causes() -> None:
    room = await Room().open()
    line = await room.enter()
    await line.hear()
    view = (await line.hear())["view"]
    bid = {"type": "bid", "bid": "solissimo"}
    decision = view["turn"]["decision"]
    for _ in range(2):
        line.say({"type": "action", "id": "a", "decision": decision, "action": bid})
    assert await line.hear() == {"type": "ack", "id": "a", "seq": 3}
    event = await line.hear()
    if event["type"] == "ack":  # the second copy may be read before the pump runs
        again, event = event, await line.hear()
    else:
        again = await line.hear()
    assert again == {"type": "ack", "id": "a", "seq": 3, "duplicate": True}
    assert event["seq"] == 3
    assert event["event"] == {
        "kind": "bid", "seat": 0, "bid": "solissimo", "soloist": 0, "by": "person",
    }  # fmt: skip


async def test_resume_tells_what_was_missed_then_a_snapshot() -> None:
    room = await Room().open()
    await room.play(9)
    head = (await room.service.summary(room.table)).seq
    line = await room.enter(after=4)
    assert (await line.hear())["seq"] == head
    for seq in range(5, head + 1):
        event = await line.hear()
        assert event["seq"] == event["view"]["seq"] == seq
        assert event["event"]["kind"] != "snapshot"
    assert (await line.hear())["event"]["kind"] == "snapshot"
    await room.play(1)
    assert (await line.hear())["seq"] == head + 1


@pytest.mark.parametrize("after", [10_000, None])
async def test_an_unknown_or_no_position_gets_the_snapshot_alone(
    after: int | None,
) -> None:
    room = await Room().open()
    line = await room.enter(after)
    assert (await line.hear())["type"] == "welcome"
    assert (await line.hear())["event"]["kind"] == "snapshot"
    line.say({"type": "ping", "n": 5})
    assert await line.hear() == {"type": "pong", "n": 5}


async def test_resync_and_a_second_hello_give_a_snapshot() -> None:
    room = await Room().open()
    line = await room.enter()
    await line.hear()
    first = await line.hear()
    line.say({"type": "resync"})
    assert await line.hear() == first
    line.say({"type": "hello", "token": room.token, "after": 0})
    assert (await line.hear())["type"] == "welcome"
    assert [(await line.hear())["seq"] for _ in range(2)] == [1, 2]
    assert await line.hear() == first


async def test_a_second_hello_with_another_token_ends_the_socket() -> None:
    room = await Room().open()
    line = await room.enter()
    line.say({"type": "hello", "token": "tzs_other"})
    assert await line.closed == 4401


async def test_what_comes_with_the_hello_is_answered_after_the_welcome() -> None:
    room = await Room().open()
    line = room.line()
    line.say({"type": "hello", "token": room.token})
    bid = {"type": "bid", "bid": "pass"}
    line.say({"type": "action", "id": "a", "decision": "1.1", "action": bid})
    heard = [await line.hear() for _ in range(4)]
    assert [message["type"] for message in heard] == [
        "welcome", "event", "ack", "event",
    ]  # fmt: skip
    assert heard[3]["event"]["kind"] == "bid"


async def test_a_resync_swallows_no_event() -> None:
    room = await Room().open()
    line = await room.enter()
    await line.hear()
    await line.hear()
    room.fanout.losing = True
    await room.play(3)
    line.say({"type": "resync"})
    heard = [await line.hear() for _ in range(4)]
    assert [message["seq"] for message in heard] == [3, 4, 5, 5]
    assert heard[3]["event"]["kind"] == "snapshot"
    assert heard[3]["view"] == heard[2]["view"]


@pytest.mark.parametrize("long", [False, True])
async def test_a_void_token_ends_its_sockets(long: bool) -> None:
    room = await Room().open()
    opening = Opening(
        Mode.OPEN, "Anna", By.PERSON, 7, 0, (None, "house"), Seat.S2, "void"
    )
    seating = await room.service.open(opening)
    room.table = seating.table
    (_, invite), *_ = seating.invites
    claim = room.service.claim(room.table, invite, "B", By.PERSON, "key")
    room.token = (await claim).token
    line = await room.enter()
    await line.hear()
    await line.hear()
    if long:  # the socket has not heard of the change when it asks for something
        room.fanout.losing = True
    await room.service.claim(room.table, invite, "B", By.PERSON, "key")
    if long:
        line.say({"type": "resync"})
    assert (await line.hear()) == {"type": "bye", "code": "bad_token"}
    assert await line.closed == 4401


async def test_a_token_that_is_far_too_long_is_a_wrong_one() -> None:
    room = await Room().open()
    line = room.line("x" * 5000)
    assert await line.closed == 4401


async def test_refusals_carry_the_view_and_change_nothing() -> None:
    room = await Room().open()
    line = await room.enter()
    await line.hear()
    view = (await line.hear())["view"]
    play = {"type": "play", "card": "3S"}
    line.say({"type": "action", "id": "x", "decision": "1.1", "action": play})
    error = await line.hear()
    assert (error["id"], error["code"]) == ("x", "wrong_phase")
    assert error["params"] == {"phase": "auction"}
    assert error["view"] == view
    line.say({"type": "action", "id": "y", "decision": "1.1"})
    error = await line.hear()
    assert (error["id"], error["code"]) == ("y", "malformed")
    line.say({"type": "next_hand", "deal": 1, "id": "z"})
    error = await line.hear()
    assert (error["id"], error["code"]) == ("z", "hand_in_progress")
    line.say({"type": "rematch"})
    assert (await line.hear())["code"] == "match_not_over"


async def test_the_fifth_socket_replaces_the_first() -> None:
    room = await Room().open()
    lines = [await room.enter() for _ in range(4)]
    for line in lines:
        await line.hear()
        await line.hear()
    fifth = await room.enter()
    await fifth.hear()
    assert await lines[0].hear() == {"type": "bye", "code": "replaced"}
    assert await lines[0].closed == 4409
    await fifth.hear()
    await room.play(1)
    for line in (*lines[1:], fifth):
        assert (await line.hear())["seq"] == 3


async def test_presence_counts_sockets_not_their_order() -> None:
    room = await Room().open()
    first, second = await room.enter(), await room.enter()
    for line in (first, second):
        await line.hear()
        await line.hear()
    assert room.service.presence.seats(room.table) == {Seat.S0}
    first.inbox.put_nowait(None)
    await room.tasks[0]
    assert room.service.presence.seats(room.table) == {Seat.S0}
    second.inbox.put_nowait(None)
    await room.tasks[1]
    assert room.service.presence.seats(room.table) == frozenset()


async def test_the_others_are_told_who_comes_and_goes() -> None:
    room = await Room().open()
    opening = Opening(Mode.OPEN, "Anna", By.PERSON, 7, 0, (None, None), Seat.S2, "come")
    seating = await room.service.open(opening)
    room.table = seating.table
    tokens = [seating.token]
    for _, invite in seating.invites:
        seated = await room.service.claim(room.table, invite, "B", By.PERSON, None)
        tokens.append(seated.token)
    host = room.line(tokens[0])
    await host.hear()
    await host.hear()
    guests = [room.line(token) for token in tokens[1:]]
    for guest in guests:
        await guest.hear()
        await guest.hear()
    told = [await host.hear() for _ in guests]
    assert [(m["type"], m["seat"], m["present"]) for m in told] == [
        ("presence", 1, True),
        ("presence", 2, True),
    ]
    # A second socket of a seat that is here changes nothing, nor does its end.
    twice = room.line(tokens[1])
    await twice.hear()
    await twice.hear()
    twice.inbox.put_nowait(None)
    await room.tasks[-1]
    guests[0].inbox.put_nowait(None)
    await room.tasks[1]
    gone = await host.hear()
    assert (gone["seat"], gone["present"]) == (1, False)
    assert gone["since"].endswith("+00:00")
    view = (await room.service.view(room.table, Seat.S0)).seats
    assert [seat.present for seat in view] == [True, False, True]


async def test_who_connects_is_told_since_when_others_are_away() -> None:
    room = await VoiceRoom().open()
    lines = await room.all_in()
    room.now += 5000
    lines[1].inbox.put_nowait(None)
    await room.tasks[1]
    gone = await heard(lines[0], "presence", seat=1, present=False)
    room.now += 7000
    lines[0].inbox.put_nowait(None)
    await room.tasks[0]
    room.now += 20_000
    # The host again, and once more with a second hello: seat 2 is here, seat 1 is not.
    back = room.line()
    for _ in range(2):
        back.say({"type": "hello", "token": room.tokens[0]})
        assert [(await back.hear())["type"] for _ in range(2)] == ["welcome", "event"]
        assert await back.hear() == gone
    # To who is back nobody is away, himself included.
    again = room.line(room.tokens[1])
    again.say({"type": "ping", "n": 2})
    told = [await again.hear() for _ in range(3)]
    assert [m["type"] for m in told] == ["welcome", "event", "pong"]
    came = await heard(back, "presence", seat=1)
    assert came["present"]


async def test_a_socket_that_does_not_read_is_dropped_and_holds_nobody_up() -> None:
    room = await Room(outbox=4, send_s=0.1).open()
    slow, other = await room.enter(), await room.enter()
    for line in (slow, other):
        await line.hear()
        await line.hear()
    slow.reading.clear()
    await room.play(12)
    assert [(await other.hear())["seq"] for _ in range(12)] == list(range(3, 15))
    # Its bye cannot be sent either, so the socket is given up without one.
    await room.tasks[0]
    assert slow.outbox.qsize() == 0
    assert slow.aborted
    assert b"terziglio_queue_overflows_total 1.0" in room.hall.metrics.page()
    assert room.service.presence.seats(room.table) == {Seat.S0}


async def test_a_lost_poke_is_made_good_by_the_next() -> None:
    room = await Room().open()
    line = await room.enter()
    await line.hear()
    await line.hear()
    room.fanout.losing = True
    await room.play(3)
    room.fanout.losing = False
    await room.play(1)
    room.fanout.poke(room.table, 6)  # a doubled poke tells nothing twice
    assert [(await line.hear())["seq"] for _ in range(4)] == [3, 4, 5, 6]
    line.say({"type": "ping", "n": 1})
    assert (await line.hear())["type"] == "pong"


async def play_on(room: Room, until: int) -> int:
    """Play and ask for more until a ``seq``; return the head."""
    while (head := (await room.service.summary(room.table)).seq) < until:
        game = (await room.service.view(room.table, Seat.S0)).game
        if game.turn is not None:
            await room.play(1)
        elif game.match.winner is not None:
            await room.service.do(room.table, AskRematch(Seat.S0))
        else:
            ask = AskNextHand(Seat.S0, game.match.deal)
            await room.service.do(room.table, ask)
    return head


async def test_a_gap_too_wide_to_tell_is_closed_by_a_snapshot() -> None:
    room = await Room().open()
    head = await play_on(room, RESUME + 3)
    line = await room.enter(after=1)
    assert (await line.hear())["seq"] == head
    assert (await line.hear())["event"]["kind"] == "snapshot"


async def test_a_follower_too_far_behind_goes_on_from_a_snapshot() -> None:
    room = await Room().open()
    line = await room.enter()
    await line.hear()
    await line.hear()
    room.fanout.losing = True
    head = await play_on(room, RESUME + 9)
    room.fanout.losing = False
    room.fanout.poke(room.table, head)
    event = await line.hear()
    assert (event["seq"], event["event"]["kind"]) == (head, "snapshot")
    head = await play_on(room, head + 1)
    assert (await line.hear())["seq"] == head


class BrokenLog(MemoryLog):
    """A log that fails when told to."""

    broken = False

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        if self.broken:
            raise StorageUnavailable("told to")
        await super().append(table, after, events)

    async def read(self, table: str, after: int = 0) -> list[Event]:
        if self.broken:
            raise StorageUnavailable("told to")
        return await super().read(table, after)


async def test_while_the_storage_fails_actions_are_refused_and_sockets_stay() -> None:
    log = BrokenLog()
    room = await Room(log).open()
    line = await room.enter()
    await line.hear()
    view = (await line.hear())["view"]
    decision = view["turn"]["decision"]
    bid = {"type": "bid", "bid": "pass"}
    log.broken = True
    line.say({"type": "action", "id": "a", "decision": decision, "action": bid})
    error = await line.hear()
    assert (error["id"], error["code"]) == ("a", "storage_unavailable")
    log.broken = False
    line.say({"type": "action", "id": "a", "decision": decision, "action": bid})
    assert await line.hear() == {"type": "ack", "id": "a", "seq": 3}


async def test_what_the_storage_refuses_is_no_try() -> None:
    log = BrokenLog()
    room = await Room(log, socket_rate=0.001, socket_burst=1).open()
    line = await room.enter()
    await line.hear()
    view = (await line.hear())["view"]
    bid = {"type": "bid", "bid": "pass"}
    said = {"type": "action", "id": "a", "decision": view["turn"]["decision"]}
    log.broken = True
    for _ in range(50):
        line.say({**said, "action": bid})
        assert (await line.hear())["code"] == "storage_unavailable"
    log.broken = False
    line.say({**said, "action": bid})
    assert await line.hear() == {"type": "ack", "id": "a", "seq": 3}


async def test_a_restart_is_told_to_who_has_not_said_hello() -> None:
    room = await Room().open()
    line = room.line()
    line.say("not JSON")
    assert (await line.hear())["code"] == "malformed"
    assert room.hall.roster.size == 1
    room.hall.roster.end_all("restart")
    bye = await line.hear()
    assert (bye["type"], bye["code"]) == ("bye", "restart")
    assert await line.closed == 1012
    await room.tasks[0]
    assert room.hall.roster.size == 0


async def test_a_socket_is_open_until_its_bye_is_out() -> None:
    room = await Room().open()
    line = await room.enter()
    await line.hear()
    await line.hear()
    line.reading.clear()
    room.hall.roster.end_all("restart")
    emptied = asyncio.create_task(room.hall.roster.emptied())
    await asyncio.wait({emptied}, timeout=0.05)
    assert not emptied.done()
    line.reading.set()
    await emptied
    assert (await line.hear())["code"] == "restart"
    assert await line.closed == 1012


async def test_a_table_that_cannot_be_read_closes_with_1011() -> None:
    log = BrokenLog()
    room = await Room(log).open()
    log.broken = True
    room.service = TableService(log, room.fanout)
    room.hall = furnish(room.service, room.settings, Metrics())
    line = await room.enter()
    assert await line.closed == 1011


async def test_what_waits_is_sent_before_what_could_be_sent_at_once() -> None:
    for waiting in (1, 3):  # one is in the writer's hands, the others in the outbox
        room = await Room().open()
        line = await room.enter()
        await line.hear()
        await line.hear()
        line.reading.clear()
        await room.play(waiting)
        room.fanout.losing = True
        await room.play(1)
        room.fanout.losing = False
        line.reading.set()
        room.fanout.poke(room.table, 3 + waiting)
        heard = [(await line.hear())["seq"] for _ in range(waiting + 1)]
        assert heard == list(range(3, 4 + waiting))


async def test_a_socket_that_stalls_with_one_frame_is_aborted_too() -> None:
    room = await Room(send_s=0.1).open()
    line = await room.enter()
    await line.hear()
    await line.hear()
    line.reading.clear()
    await room.play(1)
    assert await line.closed == 1006
    assert line.aborted


async def test_too_many_messages_are_refused_and_who_does_not_let_up_is_closed() -> (
    None
):
    room = await Room(socket_rate=0.001, socket_burst=5).open()
    line = await room.enter()  # the hello is the first of the five
    await line.hear()
    await line.hear()
    for n in range(20):
        line.say({"type": "ping", "n": n} if n % 2 == 0 else "not JSON")
    answers = [await line.hear() for _ in range(4)]
    assert [a["type"] for a in answers] == ["pong", "error", "pong", "error"]
    for _ in range(5):
        refused = await line.hear()
        assert refused["code"] == "rate_limited"
        assert refused["params"]["retry_s"] > 0
    assert await line.hear() == {"type": "bye", "code": "flood"}
    assert await line.closed == 4429


async def test_before_hello_the_limit_holds_too() -> None:
    room = await Room(socket_rate=0.001, socket_burst=3).open()
    line = room.line()
    for _ in range(20):
        line.say({"type": "ping", "n": 1})
    assert [(await line.hear())["code"] for _ in range(3)] == ["bad_token"] * 3
    assert [(await line.hear())["code"] for _ in range(3)] == ["rate_limited"] * 3
    assert await line.hear() == {"type": "bye", "code": "flood"}
    assert await line.closed == 4429


async def test_the_answer_to_ones_own_turn_is_never_too_much() -> None:
    room = await Room(socket_rate=0.001, socket_burst=2).open()
    line = await room.enter()
    await line.hear()
    view = (await line.hear())["view"]
    line.say({"type": "ping", "n": 1})
    assert (await line.hear())["type"] == "pong"
    line.say({"type": "ping", "n": 2})
    assert (await line.hear())["code"] == "rate_limited"
    decision = view["turn"]["decision"]
    wrong = {"type": "play", "card": "3S"}
    stale = {"type": "action", "id": "s", "decision": "9.9", "action": wrong}
    line.say(stale)
    assert (await line.hear())["code"] == "rate_limited"
    bid = {"type": "bid", "bid": "pass"}
    line.say({"type": "action", "id": "a", "decision": decision, "action": bid})
    assert await line.hear() == {"type": "ack", "id": "a", "seq": 3}


async def test_wrong_answers_to_ones_own_turn_run_out() -> None:
    room = await Room(socket_rate=0.001, socket_burst=1).open()
    line = await room.enter()
    await line.hear()
    view = (await line.hear())["view"]
    wrong = {"type": "play", "card": "3S"}
    for n in range(30):
        said = {"decision": view["turn"]["decision"], "action": wrong}
        line.say({"type": "action", "id": f"w{n}", **said})
    codes = [(await line.hear())["code"] for _ in range(21)]
    assert codes == ["wrong_phase"] * 20 + ["rate_limited"]
    assert await line.closed == 4429


class VoiceRoom(Room):
    """A room for three, with or without voice."""

    async def open(self, *, voice: bool = True) -> "VoiceRoom":
        opening = Opening(
            Mode.FRIENDS, "Anna", By.PERSON, 7, 0, (None, None), voice=voice
        )
        seating = await self.service.open(opening)
        self.table, self.tokens = seating.table, [seating.token]
        for _, invite in seating.invites:
            guest = await self.service.claim(self.table, invite, "B", By.PERSON, None)
            self.tokens.append(guest.token)
        return self

    async def all_in(self) -> list[Line]:
        lines = [self.line(token) for token in self.tokens]
        for line in lines:
            for _ in ("welcome", "snapshot"):
                await line.hear()
        return lines


async def heard(line: Line, kind: str, **fields: Any) -> Json:
    wanted = {"type": kind, **fields}
    while not wanted.items() <= (message := await line.hear()).items():
        pass
    return message


async def test_a_signal_reaches_the_other_seat_alone() -> None:
    room = await VoiceRoom().open()
    lines = await room.all_in()
    offer = {"description": {"type": "offer", "sdp": "v=0 " + "x" * 9000}}
    lines[0].say({"type": "signal", "to": 2, "data": offer})
    assert await heard(lines[2], "signal") == {
        "type": "signal",
        "from": 0,
        "data": offer,
    }
    seq = (await room.service.summary(room.table)).seq
    for line in lines:
        line.say({"type": "ping", "n": 1})
    for line in lines[:2]:
        while (message := await line.hear())["type"] != "pong":
            assert message["type"] == "presence"
    assert (await room.service.summary(room.table)).seq == seq


@pytest.mark.parametrize(
    ("to", "size", "voice", "code"),
    [
        (0, 1, True, "malformed"),
        (1, 20_000, True, "malformed"),
        (1, 1, False, "voice_off"),
    ],
    ids=["to oneself", "too large", "voice is off"],
)
async def test_a_signal_is_refused(to: int, size: int, voice: bool, code: str) -> None:
    room = await VoiceRoom().open(voice=voice)
    lines = await room.all_in()
    lines[0].say({"type": "signal", "to": to, "data": {"x": "x" * size}})
    assert (await heard(lines[0], "error"))["code"] == code


async def test_only_a_signal_may_be_long() -> None:
    room = await VoiceRoom().open()
    (line, *_) = await room.all_in()
    line.say({"type": "ping", "n": 1, "x": "x" * 5000})
    error = await heard(line, "error")
    assert (error["code"], "4096" in error["detail"]) == ("malformed", True)


async def test_signals_to_a_socket_that_does_not_read_end_it() -> None:
    room = await VoiceRoom(outbox=4, send_s=0.1).open()
    lines = await room.all_in()
    lines[1].reading.clear()
    for n in range(12):
        lines[0].say({"type": "signal", "to": 1, "data": {"n": n}})
    assert await lines[1].closed == 1006
    assert lines[1].aborted


async def test_signals_that_find_no_room_are_dropped_and_end_nothing() -> None:
    room = await VoiceRoom(outbox=4).open()
    lines = await room.all_in()
    lines[1].reading.clear()
    for n in range(12):
        lines[0].say({"type": "signal", "to": 1, "data": {"n": n}})
    lines[0].say({"type": "ping", "n": 1})
    await heard(lines[0], "pong")
    lines[1].reading.set()
    lines[1].say({"type": "ping", "n": 2})
    told = []
    while (message := await lines[1].hear())["type"] != "pong":
        if message["type"] == "signal":
            told.append(message["data"]["n"])
    assert told == list(range(len(told)))
    assert 1 < len(told) < 12


async def test_a_deleted_table_closes_its_sockets() -> None:
    room = await Room().open()
    line = await room.enter()
    await line.hear()
    await line.hear()
    await room.service.forget(room.table)
    told = [await line.hear()]
    while told[-1]["type"] != "bye":
        told.append(await line.hear())
    assert told[-1] == {"type": "bye", "code": "bad_token"}
    assert await line.closed == 4401


async def test_a_channel_that_cannot_tell_ends_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = await Room().open()
    failing, other = await room.enter(), await room.enter()
    for line in (failing, other):
        await line.hear()
        await line.hear()

    def breaks(*_texts: str) -> bool:
        raise RuntimeError("a line that breaks")

    monkeypatch.setattr(failing, "write", breaks)
    await room.play(1)  # whoever acts does not hear of it
    assert (await other.hear())["seq"] == 3
    with pytest.raises(RuntimeError, match="a line that breaks"):
        await room.tasks[0]
    await room.play(1)
    assert (await other.hear())["seq"] == 4
