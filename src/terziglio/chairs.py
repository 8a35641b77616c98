"""A player in its chair: asked, timed, and answered for when it fails.

Three things may go wrong, each counted under its own name. For an illegal answer and
for a crash ``house`` plays that decision, and the player is asked again at the next.
A player that can be stopped raises ``TimedOut``, and ``house`` plays too; one that
merely comes late has its answer taken.
"""

import traceback
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from time import perf_counter_ns
from typing import Final, assert_never

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.errors import IllegalAction
from terziglio.legal import Legal
from terziglio.match import Match
from terziglio.players import Player
from terziglio.players.house import house
from terziglio.seats import Seat
from terziglio.view import SeatView, seat_view
from terziglio.words import Words

__all__ = [
    "POLICY",
    "BadAnswer",
    "Chair",
    "Crashed",
    "Failing",
    "Failure",
    "Tally",
    "TimedOut",
    "where",
]


class Failing(StrEnum):
    """How a player fails."""

    ILLEGAL = "illegal"
    CRASH = "crash"
    TIME_OUT = "time-out"


POLICY: Final = {
    Failing.ILLEGAL: "house plays that decision",
    Failing.CRASH: "house plays that decision",
    Failing.TIME_OUT: "house plays if the player was stopped; a late answer counts",
}
"""What happens then."""


_KINDS: Final = "Bid(contract), Call(card), Discard(cards, give_back), Play(card)"


class TimedOut(Exception):
    """The player was stopped before it had an answer."""


class Crashed(Exception):
    """The player failed somewhere else; ``str`` says how."""


class BadAnswer(Exception):
    """The player's answer cannot be read as an action; ``str`` says why."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The first failure of one kind of a player in a block."""

    player: str
    failing: Failing
    deal: int
    """The deal's index in its bank."""
    seat: Seat
    decision: int
    """Number of the decision in the deal, from 1."""
    told: str
    """What was wrong: the rule, the exception or the time."""
    would_do: str
    """What the rules would have taken."""


@dataclass(slots=True)
class Tally:
    """What is counted of one player while a block is played."""

    failures: Counter[Failing] = field(default_factory=Counter[Failing])
    first: dict[Failing, Failure] = field(default_factory=dict[Failing, Failure])
    micros: Counter[int] = field(default_factory=Counter[int])
    """Answers by their time in microseconds, to two digits."""


class Chair:
    """One player at one seat for one deal.

    Args:
        name: what the player is called.
        player: it.
        tally: where it is counted.
        deal: the deal's index.
        move_ms: when an answer is late; ``None``: never.
    """

    def __init__(
        self, name: str, player: Player, tally: Tally, deal: int, move_ms: int | None
    ) -> None:
        self._name = name
        self._player = player
        self._tally = tally
        self._deal = deal
        self._move_ms = move_ms

    def move(self, match: Match, seat: Seat) -> Match:
        """Return the match after this player's answer for the seat on turn."""
        view = seat_view(match, seat)
        action = self._asked(view)
        if action is not None:
            try:
                return match.apply(seat, action)
            except IllegalAction as refusal:
                told = f"{refusal.code}: {Words().refusal(refusal)}"
                self._fail(view, Failing.ILLEGAL, f"{told} It answered {_told(action)}")
        return match.apply(seat, house(view))

    def _asked(self, view: SeatView) -> Action | None:
        """Return the answer; ``None`` if there is none that is an action."""
        start = perf_counter_ns()
        try:
            action = self._player(view)
        except TimedOut as late:
            self._fail(view, Failing.TIME_OUT, str(late))
            return None
        except BadAnswer as bad:
            self._fail(view, Failing.ILLEGAL, str(bad))
            return None
        except Crashed as crash:
            self._fail(view, Failing.CRASH, str(crash))
            return None
        except (Exception, SystemExit) as error:
            self._fail(view, Failing.CRASH, where(error))
            return None
        finally:
            micros = (perf_counter_ns() - start) // 1000
            self._tally.micros[_rounded(micros)] += 1
        if self._move_ms is not None and micros > 1000 * self._move_ms:
            late_by = f"{micros // 1000} ms, of {self._move_ms} allowed"
            self._fail(view, Failing.TIME_OUT, f"it took {late_by}")
        if not _is_action(action):
            self._fail(view, Failing.ILLEGAL, f"{action!r} is none of {_KINDS}")
            return None
        return action

    def _fail(self, view: SeatView, failing: Failing, told: str) -> None:
        self._tally.failures[failing] += 1
        if failing not in self._tally.first:
            self._tally.first[failing] = Failure(
                self._name,
                failing,
                self._deal,
                view.seat,
                view.decision or 0,
                told,
                _would_do(view.legal),
            )


def _rounded(micros: int) -> int:
    """Return a time to two digits, so that equal ones meet."""
    step = int(10 ** max(0, len(str(micros)) - 2))
    return micros // step * step


def _is_action(thing: object) -> bool:
    match thing:
        case Bid(None | Contract()) | Call(Card()) | Play(Card()):
            return True
        case Discard(cards, None | Card()):
            return {type(card) for card in cards} <= {Card}
        case _:
            return False


def _told(action: Action) -> str:
    match action:
        case Bid(contract):
            return f"bid {contract or 'pass'}"
        case Call(card):
            return f"call {card}"
        case Play(card):
            return f"play {card}"
        case Discard(cards, back):
            laid = " ".join(map(str, cards))
            return f"lay {laid}" + ("" if back is None else f" give {back}")
        case _:
            assert_never(action)


def _would_do(legal: Legal) -> str:
    if legal.discard is not None:
        rule = legal.discard
        back = " and one more to give back" if rule.give_back else ""
        return f"any {rule.count}{back} of {' '.join(map(str, rule.choices))}"
    if legal.bids:
        return ", ".join(str(bid or "pass") for bid in legal.bids)
    return " ".join(map(str, legal.calls or legal.cards))


def where(error: BaseException) -> str:
    """Return what was raised, and the last line of the author's own that led to it."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    told = f"{type(error).__name__}: {error}".rstrip(": ")
    if not frames:
        return told
    home = Path(__file__).parent
    own = [frame for frame in frames if Path(frame.filename).parent != home]
    last = (own or frames)[-1]
    return f"{told} ({last.filename}:{last.lineno}, in {last.name})"
