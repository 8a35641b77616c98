"""Judges what sockets carried against the log: nothing lost, doubled, leaked or early.

Knows nothing of the simulator: a test with a real server may hand in what its clients
said and heard, and the log read back from the disk.
"""

import json
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final

from terziglio.cards import cards_in
from terziglio.phases import (
    Auction,
    Calling,
    Counted,
    Exchange,
    Playing,
    ThrownIn,
)
from terziglio.seats import Seat
from terziglio_api.commands import By
from terziglio_api.journal import Acted, Dealt, Event, NextHandAsked, RematchAsked, Sat
from terziglio_api.service import RESUME
from terziglio_api.showing import update
from terziglio_api.table import Table, replay
from terziglio_api.wire.events import event_of
from terziglio_api.wire.messages import event_message

__all__ = ["Judge", "Transcript", "leaks"]

Json = dict[str, Any]
PASSING: Final = {
    "internal", "malformed", "overloaded", "rate_limited", "storage_unavailable",
}  # fmt: skip
"""Refusals that say nothing of the action: the same may be tried again."""
VIEW_KEYS: Final = {
    "table", "seq", "rules", "mode", "phase", "closed", "clock", "voice", "you",
    "seats", "match", "auction", "contract", "monte", "hand", "trick", "tricks",
    "thirds", "turn", "options", "last", "count",
}  # fmt: skip
"""All that a view may have; what comes new is put in here on purpose."""
GRACE_S: Final = 20
"""The least time for a decision that came up before the service did."""
OVER: Final = {"count", "finished"}


@dataclass
class Transcript:
    """What one connection of a seat carried, in order.

    ``entries`` are messages with who sent them: ``True`` for the client. ``whole`` says
    that the connection lived on until everything was answered.
    """

    table: str
    seat: int
    entries: list[tuple[bool, Json]] = field(default_factory=list)
    whole: bool = False


@dataclass
class _Course:
    """How far a connection is."""

    at: int | None = None
    """The last ``seq`` told."""
    hellos: "deque[int | None]" = field(default_factory=deque)
    asked: "deque[Json]" = field(default_factory=deque)
    """What waits for its answer."""


class Judge:
    """Judges one table's transcripts by its log.

    Args:
        table: its id.
        events: its whole log.
        seats: whose views are looked at, without those of computers.
    """

    def __init__(
        self, table: str, events: Sequence[Event], seats: Sequence[int] = (0, 1, 2)
    ) -> None:
        self.events = events
        self.seats = seats
        self.states: tuple[Table, ...] = tuple(replay(table, events))
        self._told: dict[tuple[int, int], tuple[Json, Json]] = {}
        self._given = dict(self._ids())
        self._acked: Counter[tuple[int, str]] = Counter()

    @property
    def head(self) -> int:
        """The last ``seq``."""
        return len(self.events)

    def told(self, seat: int, seq: int) -> tuple[Json, Json]:
        """Return the event and the view that a seat is to be told at a ``seq``."""
        key = (seat, seq)
        if key not in self._told:
            seen = update(self.states[seq - 1], Seat(seat), frozenset())
            told = event_message(event_of(seen.notice, seen.by), seen.view)
            frame: Json = json.loads(told.text)
            self._told[key] = frame["event"], frame["view"]
        return self._told[key]

    def of_the_log(self) -> Iterator[str]:
        """Yield what is wrong with the log itself, and with what it lets seats see."""
        sitters = [0, 0, 0]
        seen: set[tuple[int, int, str]] = set()
        for seq, event in enumerate(self.events, 1):
            if isinstance(event, Sat):
                sitters[event.seat] += 1
            elif isinstance(event, Acted) and event.id is not None:
                key = (int(event.seat), sitters[event.seat], event.id)
                if key in seen:
                    yield f"log {seq}: the action {event.id} is there twice"
                seen.add(key)
        for state in self.states:
            for seat in self.seats:
                told, hidden = self.told(seat, state.seq), _hidden(state, seat)
                for leak in leaks(*told, hidden):
                    yield f"log {state.seq}, seat {seat}: {leak}"

    def of_clocks(self, starts: Sequence[int]) -> Iterator[str]:
        """Yield which clocks ran out too early.

        Args:
            starts: when the service came up, each time, in milliseconds since 1970.
        """
        for before, event in zip(self.states, self.events[1:], strict=False):
            if not isinstance(event, Acted) or event.by is not By.CLOCK:
                continue
            clock_s = before.opening.clock_s
            if clock_s is None:
                yield f"log {before.seq + 1}: by a clock that is off"
                continue
            runs_out = before.asked_at + clock_s * 1000
            up = max((start for start in starts if start <= event.at), default=0)
            if up > before.asked_at:
                runs_out = up + max(clock_s, GRACE_S) * 1000
            if event.at < runs_out:
                yield f"log {before.seq + 1}: the clock ran out too early"

    def of_state(self, live: Table) -> Iterator[str]:
        """Yield how a live state differs from the replayed one."""
        if live.seq > self.head:
            yield f"the service is at {live.seq}, the log at {self.head}"
        elif live != self.states[live.seq - 1]:
            yield f"the service's state {live.seq} is not the replayed one"

    def of(self, transcript: Transcript) -> Iterator[str]:
        """Yield what is wrong with a connection."""
        course, seat = _Course(), transcript.seat
        for number, (ours, message) in enumerate(transcript.entries):
            for wrong in self._entry(course, seat, ours, message):
                yield f"seat {seat}, entry {number} ({_short(message)}): {wrong}"
        if transcript.whole:
            for asked in course.asked:
                if not _is_half(asked, ""):
                    yield f"seat {seat}: no answer to {_short(asked)}"

    def _entry(
        self, course: _Course, seat: int, ours: bool, message: Json
    ) -> Iterator[str]:
        match message["type"]:
            case "hello" if ours:
                course.hellos.append(message.get("after"))
            case _ if ours:
                if message.get("id") is not None:
                    course.asked.append(message)
            case "welcome":
                after = course.hellos.popleft() if course.hellos else None
                course.at = message["seq"] if after is None else after
                if message["seat"] != seat:
                    yield "another seat's welcome"
            case "event":
                yield from self._event(course, seat, message)
            case "ack" | "error" if message.get("id") is not None:
                yield from self._answer(course, seat, message)
            case _:
                pass
        if not ours and message.get("view") is not None:
            yield from self._view(seat, message["view"])

    def _event(self, course: _Course, seat: int, message: Json) -> Iterator[str]:
        seq, at = message["seq"], course.at
        course.at = seq
        if message["view"]["seq"] != seq:
            yield "the view is of another seq"
        if at is None:
            yield "an event before the welcome"
            return
        if message["event"]["kind"] == "snapshot":
            if not (seq == at or seq - at > RESUME):
                yield f"a snapshot after {at} leaves out what was to be told"
        elif seq != at + 1:
            yield f"after {at} comes {seq}"
        elif seq <= self.head and message["event"] != self.told(seat, seq)[0]:
            yield f"the log says {self.told(seat, seq)[0]}"

    def _view(self, seat: int, view: Json) -> Iterator[str]:
        if not 1 <= view["seq"] <= self.head:
            yield f"a view of {view['seq']}, but the log ends at {self.head}"
            return
        expected = self.told(seat, view["seq"])[1]
        for key in sorted(view.keys() | expected.keys()):
            told, right = view.get(key), expected.get(key)
            if key == "seats":
                told, right = _without_presence(told), _without_presence(right)
            elif key == "turn" and told and right:
                # A service that came up later gives more time.
                late, early = told["deadline"], right["deadline"]
                if (late is None) != (early is None) or (late or "") < (early or ""):
                    yield f"the deadline is {late}, not {early} or later"
                told = {**told, "deadline": early}
            if told != right:
                yield f"view.{key} is {told}, not {right}"

    def _answer(self, course: _Course, seat: int, message: Json) -> Iterator[str]:
        name = message["id"]
        while course.asked and _is_half(course.asked[0], name):
            course.asked.popleft()
        if not course.asked or course.asked[0]["id"] != name:
            yield "an answer that nothing waits for"
            return
        asked = course.asked.popleft()
        if message["type"] == "error":
            if message["code"] not in PASSING and (seat, name) in self._given:
                yield f"refused, but stored as {self._given[seat, name]}"
            return
        seq, twice = message["seq"], message.get("duplicate", False)
        if not 1 <= seq <= self.head:
            yield f"acknowledged as {seq}, but the log ends at {self.head}"
            return
        if not twice and course.at is not None and course.at >= seq:
            yield "the event came before its ack"
        if asked["type"] == "action":
            if self._given.get((seat, name)) != seq:
                yield f"acknowledged, but stored as {self._given.get((seat, name))}"
            self._acked[seat, name] += not twice
            if self._acked[seat, name] > 1:
                yield "acknowledged twice as the first time"
        elif not twice:
            stored = self.events[seq - 1]
            if not isinstance(stored, NextHandAsked | RematchAsked | Dealt):
                yield f"acknowledged, but the log has {type(stored).__name__}"
            elif not isinstance(stored, Dealt) and stored.seat != seat:
                yield "acknowledged, but the log has another seat's"

    def _ids(self) -> Iterator[tuple[tuple[int, str], int]]:
        for seq, event in enumerate(self.events, 1):
            if isinstance(event, Acted) and event.id is not None:
                yield (int(event.seat), event.id), seq


def leaks(event: Json, view: Json, hidden: AbstractSet[str]) -> Iterator[str]:
    """Yield what a seat is told that it may not know: by names, sizes and places.

    ``hidden`` are the cards that the seat may not know.
    """
    seat, contract = view["you"]["seat"], view["contract"]
    alone = contract is not None and contract["soloist"] == seat
    if extra := view.keys() - VIEW_KEYS:
        yield f"unknown in the view: {sorted(extra)}"
    turn = view["turn"]
    if view["options"] is not None and (turn is None or turn["seat"] != seat):
        yield "options off turn"
    if any(c["why"] for c in view["hand"]) and view["options"] is None:
        yield "a reason off turn"
    if len(view["hand"]) != view["seats"][seat]["cards"]:
        yield "a hand of another size than is told"
    held = {c["card"] for c in view["hand"]}
    if leaked := (held | _cards_of(view)) & hidden:
        yield f"cards it may not know: {sorted(leaked)}"
    over = view["count"] is not None
    shown = (view["monte"] or {}).get("shown")
    if shown is not None and view["phase"] == "auction":
        yield "the monte in the auction"
    if event.get("cards") is not None and not alone:
        yield "the cards laid"
    if over and view["phase"] not in OVER:
        yield "the count before the end"


def _hidden(state: Table, seat: int) -> set[str]:
    """The cards that a seat may not know while a hand is on."""
    hand = state.match.hand
    if hand is None or isinstance(hand, Counted):
        return set()
    held = hand.held if isinstance(hand, Exchange | Playing) else hand.dealt.hands
    hidden = held[seat - 1] | held[seat - 2]
    if isinstance(hand, Auction | Calling | ThrownIn):
        hidden |= hand.dealt.monte
    elif isinstance(hand, Playing) and (
        hand.exchange is None or seat != hand.terms.soloist
    ):
        hidden |= hand.monte
    return {card.code for card in cards_in(hidden)}


def _cards_of(view: Json) -> set[str]:
    """The cards that a view tells, those left out that may be called."""
    cards = {*((view["monte"] or {}).get("cards") or ())}
    for trick in (*view["tricks"], *([view["trick"]] if view["trick"] else ())):
        cards |= {play["card"] for play in trick["plays"]}
    options = view["options"] or {}
    if options.get("type") != "call":
        cards |= {*options.get("cards", ()), *options.get("from", ())}
    return cards


def _without_presence(seats: Sequence[Mapping[str, Any]] | None) -> list[Json]:
    dropped = {"present", "since"}
    return [{k: v for k, v in s.items() if k not in dropped} for s in seats or ()]


def _is_half(asked: Json, name: str) -> bool:
    """Whether this is an action of another name that is not whole.

    It may be refused as one message too many, without its name being read.
    """
    whole = asked["type"] != "action" or "action" in asked
    return not whole and asked["id"] != name


def _short(message: Json) -> str:
    told = {k: v for k, v in message.items() if k not in {"view", "detail", "token"}}
    return str(told)
