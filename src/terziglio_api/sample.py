"""The sample hand, for who has played none: a record with its steps, made of a text.

A table in memory replays ``data/sample.hand`` of the engine, so that the record and the
views are made by the code that makes those of real tables.
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from terziglio import notation
from terziglio.hand import history
from terziglio.phases import Counted
from terziglio.seats import Seat
from terziglio.words import Language, Words
from terziglio_api.commands import By, Mode
from terziglio_api.journal import Acted, Dealt, Event, Opened, Plan, Sat
from terziglio_api.record import record, steps
from terziglio_api.table import Table, replay
from terziglio_api.wire.records import record_of

__all__ = ["sample_json", "sample_text"]

_NAME: Final = "sample"
"""The id of its table, which no real one has."""
_TARGET: Final = 7


def sample_text() -> str:
    """Return the sample hand in notation."""
    return notation.write(_hand())


def sample_json(seat: Seat | None, language: Language) -> bytes:
    """Return the sample hand's record with its steps, as JSON.

    Args:
        seat: whose view the steps show; ``None``: the open one.
        language: of the seats' names.
    """
    states = _states(language)
    (done,) = states[-1].counted
    told = steps(states, done.match.deal_no, seat, frozenset(Seat))
    made = record_of(record(_NAME, done), told)
    return made.model_dump_json(by_alias=True).encode()


@cache
def _hand() -> Counted:
    text = files("terziglio").joinpath("data", "sample.hand").read_text("utf-8")
    hand = notation.parse(text)
    assert isinstance(hand, Counted)  # noqa: S101 - a file of ours, played out
    return hand


def _states(language: Language) -> tuple[Table, ...]:
    return tuple(replay(_NAME, _events(language)))


def _events(language: Language) -> Iterator[Event]:
    """Yield the log of a table of three people at which it was played."""
    hand, words = _hand(), Words(language)
    yield Opened(
        at=0,
        mode=Mode.FRIENDS,
        name=words.seat(Seat.S0),
        kind=By.PERSON,
        token="",
        target=_TARGET,
        pace_ms=0,
        plans=(Plan(None, None), Plan(None, None)),
        dealer=hand.dealt.dealer,
    )
    for seat in (Seat.S1, Seat.S2):
        yield Sat(0, seat, words.seat(seat), By.PERSON, "", None)
    yield Dealt(0, hand.dealt.deck)
    for seat, action in history(hand):
        yield Acted(0, seat, action, By.PERSON, None)
