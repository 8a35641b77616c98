"""What ``terziglio check`` asks of a player: a list of checks, passed or failed.

In every deal the player sits at one seat; a few of the deals are its own, in the
others it is made to play each contract, so that it is asked in every phase however it
bids. Four instances of it play the same deal: the first one's answers count, the
second is asked the same, the third is asked what a program at a socket would be, the
fourth is asked with other hidden cards.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from shlex import quote
from statistics import median
from time import perf_counter
from typing import Final

from terziglio.actions import Action, Bid, Phase
from terziglio.contracts import Contract
from terziglio.entrants import Author, seated
from terziglio.hand import deal, history
from terziglio.match import Match
from terziglio.phases import Hand
from terziglio.players import PLAYERS, Player
from terziglio.redeal import redealt
from terziglio.seats import Seat
from terziglio.trial import Failed, Kind, answer, ask, dealt, on_table, spoken, where
from terziglio.view import SeatView, seat_view

__all__ = ["Check", "Exam", "Wire", "outcome"]

_CONTRACTS: Final = (None, Contract.CHIAMO, None, Contract.SOLO, Contract.SOLISSIMO)
"""What the player is made to play, deal by deal; ``None``: it bids for itself."""
_OTHERS: Final = ("house", "random")
_PHASES: Final = (Phase.AUCTION, Phase.CALL, Phase.EXCHANGE, Phase.PLAY)


@dataclass(frozen=True, slots=True)
class Wire:
    """A way to a player and back, as over the network."""

    view: Callable[[SeatView], SeatView]
    action: Callable[[Action], Action]


@dataclass(slots=True)
class Check:
    """One line of the list."""

    name: str
    told: str = ""
    """What was looked at, once all is done."""
    failures: list[str] = field(default_factory=list[str])
    """What was wrong, each with the command that shows it again."""

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not self.failures


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision, and what the first instance did."""

    view: SeatView
    said: str


class Exam:
    """The checks of one player.

    Args:
        author: the player.
        name: what a command line calls it.
        seed: of the deals, and of the player's own generator.
        wire: a view's way to a program elsewhere, and an action's way back; without
            it only legality and crashes are looked at, with one instance.
        move_ms: the most that a decision may take.
    """

    def __init__(
        self,
        author: Author,
        name: str,
        seed: str,
        wire: Wire | None = None,
        move_ms: float = 1000,
    ) -> None:
        self._author = author
        self._name = name
        self._seed = seed
        self._wire = wire
        self._move_ms = move_ms
        self._instances = 1 if wire is None else 4
        self._asked: dict[Phase, int] = dict.fromkeys(_PHASES, 0)
        self._ms: list[float] = []
        self._redealt = 0
        self._legal = Check("answers are legal")
        self._whole = Check("no crash")
        self._same = Check("same views, same answers")
        self._blind = Check("blind to hidden cards")
        self._carried = Check("plays the same over JSON")
        self._speed = Check("speed")

    def sit(self, deals: Iterable[int]) -> tuple[Check, ...]:
        """Play these deals and return the checks."""
        for number in deals:
            self._play(number)
        self._legal.told = ", ".join(f"{n} {phase}" for phase, n in self._asked.items())
        self._whole.told = f"{len(self._ms)} decisions"
        self._same.told = self._carried.told = f"{sum(self._asked.values())} answers"
        self._blind.told = f"{self._redealt} times dealt anew"
        self._speed.told = (
            f"median {median(self._ms or [0]):.2f} ms, "
            f"slowest {max(self._ms, default=0):.2f} ms, allowed {self._move_ms:g} ms"
        )
        if self._wire is None:
            return self._legal, self._whole
        answers = (self._legal, self._whole, self._same, self._blind)
        return *answers, self._carried, self._speed

    def _play(self, number: int) -> None:
        """Have the player play one deal."""
        contract = _CONTRACTS[number % len(_CONTRACTS)]
        seat = Seat(number // len(_CONTRACTS) % 3)
        other = PLAYERS[_OTHERS[number // (3 * len(_CONTRACTS)) % len(_OTHERS)]]
        match, made = dealt(self._seed, number), list[Asked]()
        try:
            players = [self._seated(number, seat) for _ in range(self._instances)]
        except Exception as error:
            told = f"to make one raised {type(error).__name__}: {error}"
            self._fail(self._whole, number, told)
            return
        while match.hand is not None and match.turn is not None:
            turn, view = match.turn, seat_view(match, match.turn)
            if turn == seat:
                action, said = self._answer(players[0], number, match, view)
                made.append(Asked(view, said))
                if self._wire is not None:
                    self._compare(
                        self._same, number, made[-1], outcome(players[1], view)
                    )
                    self._carry(self._wire, players[2], number, made[-1])
            else:
                action = other(view)
            if view.legal.bids and contract is not None:
                action = Bid(contract if turn == seat else None)
            match = match.apply(turn, action)
        if self._wire is not None and made and match.hand is not None:
            self._redeal(players[3], number, match.hand, made)

    def _seated(self, number: int, seat: Seat) -> Player:
        return seated(self._author, self._seed, number, seat)

    def _answer(
        self, player: Player, number: int, match: Match, view: SeatView
    ) -> tuple[Action, str]:
        """Return the answer, the first legal one if it is no good, and what it was."""
        start = perf_counter()
        try:
            action = ask(player, match, self._name)
        except Failed as failed:
            crashed = failed.kind is Kind.CRASH
            (self._whole if crashed else self._legal).failures.append(str(failed))
            self._asked[view.phase] += not crashed
            return view.legal.first(), failed.kind.value
        finally:
            ms = 1000 * (perf_counter() - start)
            self._ms.append(ms)
            if ms > self._move_ms:
                self._fail(self._speed, number, f"{ms:.0f} ms, {where(view)}")
        self._asked[view.phase] += 1
        return action, spoken(action)

    def _carry(self, wire: Wire, player: Player, number: int, asked: Asked) -> None:
        """Ask with the view, and take the answer, as they come over the network."""
        try:
            action = answer(player, wire.view(asked.view))
            said = spoken(wire.action(action))
        except Failed as failed:
            said = failed.kind.value
        self._compare(self._carried, number, asked, said)

    def _redeal(
        self, player: Player, number: int, hand: Hand, made: list[Asked]
    ) -> None:
        """Ask once more up to some decision, of a hand with other hidden cards."""
        rng = Random(f"{self._seed}/{number}")  # noqa: S311 - which cards to move
        seat = made[0].view.seat
        upto = rng.randrange(len(made))
        states = [m for m in _states(dealt(self._seed, number), hand) if m.turn == seat]
        then = states[upto].hand
        assert then is not None  # noqa: S101 - a seat is on turn
        anew = redealt(then, seat, rng)
        self._redealt += anew != then
        again = on_table(deal(then.dealt.dealer, anew.dealt.deck))
        asked = iter(made)
        for match in _states(again, anew):
            if match.turn == seat:
                view = seat_view(match, seat)
                self._compare(self._blind, number, next(asked), outcome(player, view))

    def _compare(self, check: Check, number: int, asked: Asked, said: str) -> None:
        if said != asked.said:
            told = f"{where(asked.view)}: first {asked.said!r}, then {said!r}"
            self._fail(check, number, told)

    def _fail(self, check: Check, number: int, told: str) -> None:
        again = f"terziglio check {self._name} --seed {quote(self._seed)}"
        check.failures.append(f"{told}\n  again: {again} --deal {number}")


def outcome(player: Player, view: SeatView) -> str:
    """Return what a player does, or how it fails."""
    try:
        return spoken(answer(player, view))
    except Failed as failed:
        return failed.kind.value


def _states(match: Match, hand: Hand) -> Iterator[Match]:
    """Yield the match before each action of the hand, and as the hand stands."""
    yield match
    for seat, action in history(hand):
        match = match.apply(seat, action)
        yield match
