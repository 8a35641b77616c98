"""The history checker itself: a true history passes, and each planted lie is found."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from history import Ack, Live, Transcript, broken_promises, violations
from lives import TABLE, lived
from terziglio import Seat
from terziglio_api.journal import Acted, Event
from terziglio_api.showing import table_view, update
from terziglio_api.wire.events import event_of
from terziglio_api.wire.messages import EventMessage
from terziglio_api.wire.view import view_of

LIFE = lived(1)
SEAT = Seat.S0
PRESENT = frozenset({Seat.S1})
Json = dict[str, Any]


def frame(number: int, seat: Seat = SEAT) -> str:
    """What a seat is told of the change that led to this state."""
    change = update(LIFE.states[number], seat, PRESENT)
    event = event_of(change.notice, change.by)
    message = EventMessage(
        type="event", seq=change.seq, event=event, view=view_of(change.view)
    )
    return message.model_dump_json(by_alias=True)


FRAMES = [frame(number) for number in range(len(LIFE.states))]
ACTS = [
    (number, event)
    for number, event in enumerate(LIFE.log)
    if isinstance(event, Acted) and event.seat == SEAT and event.id is not None
]


class History:
    """A true one, until something is changed in it."""

    def __init__(self) -> None:
        self.log: list[Event] = list(LIFE.log)
        self.frames: list[str] = list(FRAMES)
        self.acks = [Ack(str(e.id), "action", number + 1) for number, e in ACTS]
        shown = view_of(table_view(LIFE.states[-1], SEAT, PRESENT))
        self.view: Json = json.loads(shown.model_dump_json(by_alias=True))

    def violations(self) -> list[str]:
        told = Transcript(TABLE, SEAT, acks=self.acks)
        for one in self.frames:
            told.keep(one)
        live: Live = {(TABLE, SEAT): self.view}
        return violations({TABLE: self.log}, [told], live)


def test_a_true_history_passes() -> None:
    assert len(ACTS) > 20
    assert History().violations() == []


def _lost(history: History) -> None:
    """The last action was acknowledged, and the log ends before it."""
    del history.log[ACTS[-1][0] :]
    del history.frames[ACTS[-1][0] :]
    shown = view_of(table_view(LIFE.states[ACTS[-1][0] - 1], SEAT, PRESENT))
    history.view = json.loads(shown.model_dump_json(by_alias=True))


def _elsewhere(history: History) -> None:
    """It is in the log, but not where the ack says."""
    history.acks[3] = replace(history.acks[3], seq=history.acks[3].seq + 1)


def _gap(history: History) -> None:
    del history.frames[20]


def _double(history: History) -> None:
    history.frames.insert(20, history.frames[20])


def _swapped(history: History) -> None:
    history.frames[20:22] = reversed(history.frames[20:22])


def _first_missing(history: History) -> None:
    del history.frames[0]


def _other_eyes(history: History) -> None:
    """A frame that was another seat's."""
    dealt = next(n for n, one in enumerate(FRAMES) if '"dealt"' in one)
    history.frames[dealt] = frame(dealt, Seat.S1)


def _untold(history: History) -> None:
    """The event of a frame is another than the log's, the view is right."""
    told = json.loads(history.frames[20])
    told["event"] = {"kind": "table_closed"}
    history.frames[20] = json.dumps(told)


def _not_stored(history: History) -> None:
    """A frame for an event that is not in the log."""
    told = json.loads(history.frames[-1])
    history.frames.append(json.dumps(told | {"seq": told["seq"] + 1}))


def _another_life(history: History) -> None:
    history.view["match"]["deal"] += 1


PLANTED = [
    (_lost, "is lost: the log ends with"),
    (_elsewhere, "is lost: the log has"),
    (_gap, "has seq 22 after 20"),
    (_double, "has seq 21 after 21"),
    (_swapped, "has seq 22 after 20"),
    (_first_missing, "has seq 2 after 0"),
    (_other_eyes, "hand is"),
    (_untold, "and not"),
    (_not_stored, "the log ends with"),
    (_another_life, "the live view: match is"),
]


@pytest.mark.parametrize(("plant", "found"), PLANTED)
def test_a_planted_lie_is_found(plant: Callable[[History], None], found: str) -> None:
    history = History()
    plant(history)
    wrong = history.violations()
    assert wrong
    assert found in wrong[0]


def test_an_id_that_is_in_the_log_twice_is_found() -> None:
    _, first = ACTS[0]
    log = {TABLE: [*LIFE.log, first]}
    told = Transcript(TABLE, SEAT)
    assert broken_promises({TABLE: LIFE.log}, [told]) == []
    (wrong,) = broken_promises(log, [told])
    assert "is in the log twice" in wrong


def test_presence_is_no_part_of_history() -> None:
    history = History()
    for seat in history.view["seats"]:
        seat["present"] = not seat["present"]
    assert history.violations() == []
