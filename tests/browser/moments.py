"""Views of one seat at every moment of a table, made by the engine, not by a service.

``MOMENTS["call, you"]()`` is the view of the seat on turn in the call; a ``Puppet``
shows it on the page without a table, a hand or a wait.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from support import at, golden, on_table, play_in, prefix
from terziglio import Hand, Match, Phase, Seat, legal
from terziglio.phases import Playing
from terziglio.view import seat_view
from terziglio_api.commands import Mode
from terziglio_api.seen import SeatInfo, TableView
from terziglio_api.wire.view import view_json

__all__ = ["MOMENTS", "NAMES", "TABLE", "view"]

Json = dict[str, Any]
TABLE: Final = "t_0000000000000000000000000000000000aa"
NAMES: Final = ("Anna", "Bruno", "Carla")


def view(
    match: Match,
    seat: Seat,
    *,
    mode: Mode = Mode.FRIENDS,
    closed: bool = False,
    free: int = 0,
    asked: tuple[int, ...] = (),
    deadline: int | None = None,
) -> Json:
    """Return what the service would send to a seat.

    Args:
        match: the match as it stands.
        seat: whose view to make.
        mode: which table it is; at a computer table the others are computers.
        closed: whether the host has ended it.
        free: how many of the links nobody has opened.
        asked: the seats that have asked for the next hand.
        deadline: when the clock of the decision runs out, in ms since 1970.
    """
    computer = mode is Mode.COMPUTER
    infos = tuple(
        SeatInfo(
            each,
            None if each > 2 - free else NAMES[each],
            "link"
            if each > 2 - free
            else "computer"
            if computer and each
            else "person",
            "house" if computer and each else None,
            each <= 2 - free,
            each in asked,
        )
        for each in Seat
    )
    game = seat_view(match, seat)
    seen = TableView(
        TABLE,
        seq=7,
        mode=mode,
        phase=Phase.FINISHED if closed else match.phase,
        host=seat is Seat.S0,
        seats=infos,
        game=game,
        closed=closed,
        clock_s=None if deadline is None else 30,
        deadline=deadline,
        voice=False,
    )
    told = view_json(seen)
    if closed:
        told |= {"turn": None, "options": None}
    return told


def _yours(match: Match, **more: Any) -> Json:
    """The view of the seat on turn."""
    assert match.turn is not None
    return view(match, match.turn, **more)


def _other(match: Match, **more: Any) -> Json:
    """The view of the seat that comes after it."""
    assert match.turn is not None
    return view(match, match.turn.after(1), **more)


def _in(name: str, phase: Phase) -> Match:
    return on_table(at(golden(name), phase))


def _moment(name: str, wanted: Callable[[Playing], bool]) -> Match:
    """The match at the first decision of the play that is a wanted one."""
    hand = golden(name)
    for done in range(40):
        now: Hand = prefix(hand, done)
        if isinstance(now, Playing) and wanted(now):
            return on_table(now)
    raise AssertionError(name)


def _follows(hand: Playing) -> bool:
    """Not any card may be played, and some tricks are finished."""
    return (
        len(hand.tricks) >= 3
        and len(hand.trick.cards) in {1, 2}
        and bool(legal(hand, hand.turn).why)
    )


def _leads(hand: Playing) -> bool:
    """A finished trick still lies there."""
    return len(hand.tricks) >= 3 and len(hand.trick.cards) % 3 == 0


def _scored(name: str, scores: tuple[int, int, int]) -> Match:
    """The match after a whole hand, with these scores before it."""
    hand = golden(name)
    return play_in(Match(7, hand.dealt.dealer, scores), hand)


def _counted(name: str, seat: int = 0, **more: Any) -> Json:
    return view(on_table(golden(name), 21), Seat(seat), **more)


def _soon() -> int:
    """In half a minute, in ms since 1970."""
    return int((time.time() + 30) * 1000)


_NEW: Final = Match(7, Seat(0))
_LEAD: Final = partial(_moment, "chiamo_lost", _leads)
_FOLLOW: Final = partial(_moment, "chiamo_lost", _follows)

MOMENTS: Final[dict[str, Callable[[], Json]]] = {
    "waiting, the host": lambda: view(_NEW, Seat(0), free=2),
    "waiting, a guest": lambda: view(_NEW, Seat(1), free=1),
    "auction, you, the first": lambda: _yours(_in("chiamo_lost", Phase.AUCTION)),
    "auction, another": lambda: _other(on_table(prefix(golden("solo_won"), 1))),
    "auction, you": lambda: _yours(on_table(prefix(golden("solo_won"), 2))),
    "call, you": lambda: _yours(_in("chiamo_lost", Phase.CALL)),
    "call, another": lambda: _other(_in("chiamo_lost", Phase.CALL)),
    "exchange, you": lambda: _yours(_in("solo_won", Phase.EXCHANGE)),
    "exchange, you, one back": lambda: _yours(_in("chiamo_lost", Phase.EXCHANGE)),
    "exchange, another": lambda: _other(_in("chiamo_won", Phase.EXCHANGE)),
    "play, you lead": lambda: _yours(_LEAD()),
    "play, another leads": lambda: _other(_LEAD()),
    "play, you follow": lambda: _yours(_FOLLOW()),
    "play, another": lambda: _other(_FOLLOW()),
    "play, computers": lambda: view(_FOLLOW(), Seat(0), mode=Mode.COMPUTER),
    "play, nobody sees the monte": lambda: _other(_in("solissimo_won", Phase.PLAY)),
    "play, a clock": lambda: _other(_FOLLOW(), deadline=_soon()),
    "thrown in": lambda: view(on_table(golden("thrown_in")), Seat(0)),
    "count, won": lambda: _counted("chiamo_won"),
    "count, lost": lambda: _counted("solo_lost"),
    "count, cappotto": lambda: _counted("chiamo_won_cappotto", 1),
    "count, stramazzo": lambda: _counted("chiamo_lost_stramazzo", 2),
    "count, asked": lambda: _counted("chiamo_lost", asked=(0,)),
    "count, computers": lambda: _counted("solo_won", mode=Mode.COMPUTER),
    "count, a tie": lambda: view(_scored("chiamo_lost", (6, 6, -12)), Seat(0)),
    "finished, you": lambda: view(_scored("solo_won", (4, -2, -2)), Seat(0)),
    "finished, another": lambda: view(_scored("solo_won", (4, -2, -2)), Seat(1)),
    "closed": lambda: _other(_FOLLOW(), closed=True),
}
"""By what is read in them: the phase, and whose move it is."""
