"""A history checker: what clients were told and promised, against the log.

``violations`` and ``broken_promises`` compare and are pure; ``read_log`` gives them the
log of a database file. Who is online is known to one process only and kept in no log,
so presence is left out.
"""

import asyncio
import json
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from terziglio import Seat
from terziglio_api.journal import Acted, Dealt, Event, NextHandAsked, RematchAsked, Sat
from terziglio_api.showing import table_view, update
from terziglio_api.storage.sqlite import SqliteLog
from terziglio_api.table import Table, replay
from terziglio_api.wire.events import event_of
from terziglio_api.wire.view import view_of

__all__ = [
    "Ack",
    "Live",
    "Log",
    "Transcript",
    "broken_promises",
    "files_of",
    "read_log",
    "violations",
]

Json = dict[str, Any]
Log = Mapping[str, Sequence[Event]]
"""The events of every table, from the first on."""
Live = Mapping[tuple[str, int], Json]
"""By table and seat: the view that the service gave last."""
_RESUME: Final = 256
_ONLINE: Final = ("present", "since")


@dataclass(frozen=True, slots=True)
class Ack:
    """A promise: this message of this kind is stored, at this ``seq``."""

    id: str
    kind: str
    seq: int
    duplicate: bool = False


@dataclass
class Transcript:
    """All that one seat was told, in the order of arrival."""

    table: str
    seat: int
    after: int = 0
    """The ``seq`` that its first hello named."""
    acks: list[Ack] = field(default_factory=list)
    frames: list[bytes] = field(default_factory=list)
    """Event messages, compressed: a long run has many."""

    def keep(self, raw: str) -> None:
        """Add an event message."""
        self.frames.append(zlib.compress(raw.encode(), 1))

    def told(self) -> Iterator[Json]:
        """Yield the event messages."""
        for frame in self.frames:
            yield json.loads(zlib.decompress(frame))


def files_of(database: Path, folder: Path) -> Path:
    """Copy a database nobody writes to, its write-ahead log too; return the copy.

    To open a database is to recover it: what a killed server left is looked at in a
    copy, so that the next server has it to recover itself.
    """
    for suffix in ("", "-wal"):
        source = database.with_name(database.name + suffix)
        if source.exists():
            shutil.copyfile(source, folder / source.name)
    return folder / database.name


async def read_log(database: Path) -> dict[str, list[Event]]:
    """Return the log of a database that nobody writes to, and leave it as it is."""
    with tempfile.TemporaryDirectory() as made:
        log = SqliteLog(await asyncio.to_thread(files_of, database, Path(made)))
        try:
            return {table: await log.read(table) for table in await log.tables()}
        finally:
            await log.close()


def violations(
    log: Log, transcripts: Sequence[Transcript], live: Live | None = None
) -> list[str]:
    """Return what of the history cannot be; nothing if all is well.

    No promise is broken; each seat's frames are, without gap or double, what the log
    projects for it; the live view is that of the replayed log.
    """
    wrong = broken_promises(log, transcripts)
    for table, told in _by_table(transcripts).items():
        states = list(replay(table, log.get(table, ())))
        for one in told:
            found = (*_untrue(states, one), *_unlike(states, one, live))
            wrong += [f"{table} seat {one.seat}: {line}" for line in found]
    return wrong


def broken_promises(log: Log, transcripts: Sequence[Transcript]) -> list[str]:
    """Return which promises the log breaks.

    What was acknowledged is there, at the ``seq`` that was told, and each action's id
    once. This is quick: nothing is replayed.
    """
    wrong = []
    for table, told in _by_table(transcripts).items():
        events = log.get(table, ())
        wrong += [f"{table}: {line}" for line in _doubled(events)]
        for one in told:
            lost = _lost(events, one)
            wrong += [f"{table} seat {one.seat}: {line}" for line in lost]
    return wrong


def _by_table(transcripts: Sequence[Transcript]) -> dict[str, list[Transcript]]:
    tables: dict[str, list[Transcript]] = {}
    for transcript in transcripts:
        tables.setdefault(transcript.table, []).append(transcript)
    return tables


def _doubled(events: Sequence[Event]) -> Iterator[str]:
    """Find ids of actions that are in the log twice."""
    ids: Counter[tuple[Seat, str]] = Counter()
    for event in events:
        if isinstance(event, Sat):  # a new sitter has ids of his own
            ids = Counter({key: n for key, n in ids.items() if key[0] != event.seat})
        if isinstance(event, Acted) and event.id is not None:
            ids[event.seat, event.id] += 1
            if ids[event.seat, event.id] == 2:
                yield f"action {event.id!r} of seat {event.seat} is in the log twice"


def _lost(events: Sequence[Event], told: Transcript) -> Iterator[str]:
    """Find what was acknowledged and is not in the log."""
    for ack in told.acks:
        if not 0 < ack.seq <= len(events):
            yield f"{ack} is lost: the log ends with {len(events)}"
            continue
        event = events[ack.seq - 1]
        match ack.kind:
            case "action":
                kept = isinstance(event, Acted) and (event.seat, event.id) == (
                    told.seat,
                    ack.id,
                )
            case "next_hand" if not ack.duplicate:
                kept = isinstance(event, NextHandAsked | Dealt)
            case "rematch" if not ack.duplicate:
                kept = isinstance(event, RematchAsked | Dealt)
            case _:
                kept = True
        if not kept:
            yield f"{ack} is lost: the log has {event} there"


def _untrue(states: Sequence[Table], told: Transcript) -> Iterator[str]:
    """Find frames that the log does not tell this seat at this point."""
    last = told.after
    for number, frame in enumerate(told.told()):
        seq, kind = frame["seq"], frame["event"]["kind"]
        if kind != "snapshot" and seq != last + 1:
            yield f"frame {number} has seq {seq} after {last}"
        elif kind == "snapshot" and seq != last and seq - last <= _RESUME:
            yield f"frame {number} is a snapshot at {seq} after {last}"
        last = seq
        if not 0 < seq <= len(states):
            yield f"frame {number}, {kind} at {seq}: the log ends with {len(states)}"
            continue
        event, view = _projected(states[seq - 1], told.seat)
        if kind != "snapshot" and frame["event"] != event:
            yield f"frame {number} at {seq}: {frame['event']} and not {event}"
        if _offline(frame["view"]) != view:
            yield f"frame {number}, {kind} at {seq}: {_unequal(frame['view'], view)}"


def _unlike(
    states: Sequence[Table], told: Transcript, live: Live | None
) -> Iterator[str]:
    """Find what the live view has and the replayed log has not."""
    if live is None:
        return
    seen = live[told.table, told.seat]
    shown = view_of(table_view(states[-1], Seat(told.seat), frozenset()))
    view = _offline(json.loads(shown.model_dump_json(by_alias=True)))
    if _offline(seen) != view:
        yield f"the live view: {_unequal(seen, view)}"


def _projected(state: Table, seat: int) -> tuple[Json, Json]:
    """Return the event and the view that the log tells a seat."""
    change = update(state, Seat(seat), frozenset())
    event = json.dumps(event_of(change.notice, change.by))
    view = view_of(change.view).model_dump_json(by_alias=True)
    return json.loads(event), _offline(json.loads(view))


def _offline(view: Json) -> Json:
    """Return a view without what only one process knows: who is online, and the time
    that a decision has again because the service was down."""
    seats = [
        {key: value for key, value in seat.items() if key not in _ONLINE}
        for seat in view["seats"]
    ]
    turn = view["turn"] and view["turn"] | {"deadline": None}
    return view | {"seats": seats, "turn": turn}


def _unequal(one: Json, other: Json) -> str:
    """Tell where two views differ."""
    pairs = ((key, one.get(key), other.get(key)) for key in {*one, *other} - {"seats"})
    found = [f"{key} is {a} and not {b}" for key, a, b in pairs if a != b]
    return "; ".join(found) or "the seats differ"
