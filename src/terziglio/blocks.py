"""What an arena plays one at a time: all the hands of one deal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Final

from terziglio.actions import Action, Phase
from terziglio.bank import Deal, deal_of
from terziglio.chairs import Chair, Failing, Failure, Tally
from terziglio.contracts import Contract
from terziglio.count import Bonus
from terziglio.entrants import Author, Entrant, seated
from terziglio.match import Match, new_match
from terziglio.phases import Counted, Playing
from terziglio.players import Player
from terziglio.seats import Seat
from terziglio.view import SeatView

__all__ = ["Block", "HandPlayed", "Score", "Setup", "Table", "seatings"]

_TARGET: Final = 21
"""Players see a match at 0 0 0 to 21: a point is worth a point."""

Seating3 = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Setup:
    """All that the results of an arena depend on, but the deals' indices."""

    entrants: tuple[Entrant, ...]
    seed: str
    bank: str
    frozen: Entrant | None = None
    """Who bids, calls and exchanges for every seat; ``None``: each for itself."""
    roles: bool = False
    """Whether to play soloist against pair, after one frozen auction."""
    move_ms: int | None = None

    @property
    def everybody(self) -> tuple[Entrant, ...]:
        """The entrants, and last the one who bids for all."""
        return self.entrants if self.frozen is None else (*self.entrants, self.frozen)


@dataclass(frozen=True, slots=True)
class Score:
    """How a hand with a soloist came out."""

    soloist: Seat
    contract: Contract
    won: bool
    bonus: Bonus | None
    thirds: tuple[int, int]
    """Of soloist and defenders."""


@dataclass(frozen=True, slots=True)
class HandPlayed:
    """A hand: who sat where, and what each seat got."""

    seats: Seating3
    """The number of the entrant at each seat."""
    score: Score | None
    """``None``: thrown in."""
    delta: tuple[int, int, int]
    """Game points by seat; 0 for all when it was thrown in."""


@dataclass(frozen=True, slots=True)
class Block:
    """The hands of one deal. Equal if they went alike, whatever time they took."""

    deal: int
    dealer: Seat
    hands: tuple[HandPlayed, ...]
    failures: tuple[Mapping[Failing, int], ...]
    """By player, as ``Setup.everybody`` has them."""
    first: tuple[Failure, ...]
    micros: tuple[Mapping[int, int], ...] = field(compare=False)
    """Answers by their time in microseconds, to two digits."""

    def points(self, entrant: int) -> float:
        """Return an entrant's game points per hand and seat: the block's ``y``."""
        got = [
            hand.delta[seat]
            for hand in self.hands
            for seat in Seat
            if hand.seats[seat] == entrant
        ]
        return sum(got) / len(got)


def seatings(entrants: int) -> tuple[Seating3, ...]:
    """Return who sits where in the hands of a block.

    Of two the first is tested: once in each seat, the second in the other two. Three
    sit in all six orders.
    """
    if entrants == 2:
        return (0, 1, 1), (1, 0, 1), (1, 1, 0)
    return tuple((a, b, c) for a, b, c in permutations(range(3)))


class Table:
    """Plays the blocks of a set-up.

    Raises:
        EntrantError: there is no such player.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._authors = tuple(entrant.author() for entrant in setup.everybody)

    def play(self, index: int) -> Block:
        """Play the hands of one deal of the bank."""
        setup = self._setup
        deal = deal_of(setup.bank, setup.seed, index)
        tallies = tuple(Tally() for _ in setup.everybody)
        hands = (
            self._roles(deal, tallies) if setup.roles else self._seats(deal, tallies)
        )
        return Block(
            deal=index,
            dealer=deal.dealer,
            hands=tuple(hands),
            failures=tuple(dict(tally.failures) for tally in tallies),
            first=tuple(f for tally in tallies for f in tally.first.values()),
            micros=tuple(dict(tally.micros) for tally in tallies),
        )

    def _seats(self, deal: Deal, tallies: Sequence[Tally]) -> list[HandPlayed]:
        hands: list[HandPlayed] = []
        ready = None if self._setup.frozen is None else self._bid(deal, tallies)
        for seats in seatings(len(self._setup.entrants)):
            match = _dealt(deal) if ready is None else ready
            hands.append(self._hand(deal, tallies, match, seats))
        return hands

    def _roles(self, deal: Deal, tallies: Sequence[Tally]) -> list[HandPlayed]:
        """Play each entrant as soloist against two of each."""
        ready = self._bid(deal, tallies)
        if not isinstance(ready.hand, Playing):
            return []
        soloist = ready.hand.terms.soloist
        hands: list[HandPlayed] = []
        for alone, pair in product(range(len(self._setup.entrants)), repeat=2):
            first, second, third = (alone if s == soloist else pair for s in Seat)
            seats = (first, second, third)
            hands.append(self._hand(deal, tallies, ready, seats))
        return hands

    def _bid(self, deal: Deal, tallies: Sequence[Tally]) -> Match:
        """Return the match after auction, call and exchange, all by the frozen one."""
        last = len(self._setup.entrants)
        chairs = [self._chair(deal, tallies, last, seat) for seat in Seat]
        match = _dealt(deal)
        while (turn := match.turn) is not None and match.phase is not Phase.PLAY:
            match = chairs[turn].move(match, turn)
        return match

    def _hand(
        self, deal: Deal, tallies: Sequence[Tally], match: Match, seats: Seating3
    ) -> HandPlayed:
        """Play a hand to its end."""
        chairs = [self._chair(deal, tallies, seats[seat], seat) for seat in Seat]
        while (turn := match.turn) is not None:
            match = chairs[turn].move(match, turn)
        if not isinstance(match.hand, Counted):
            return HandPlayed(seats, None, (0, 0, 0))
        result = match.hand.result
        score = Score(
            result.soloist,
            result.contract,
            result.won,
            result.bonus,
            (result.soloist_thirds, result.defender_thirds),
        )
        return HandPlayed(seats, score, result.delta)

    def _chair(
        self, deal: Deal, tallies: Sequence[Tally], who: int, seat: Seat
    ) -> Chair:
        setup = self._setup
        author = self._authors[who]
        player = _player(author, setup.seed, deal.index, seat)
        move_ms = None if getattr(author, "keeps_time", False) else setup.move_ms
        name = setup.everybody[who].name
        return Chair(name, player, tallies[who], deal.index, move_ms)


def _dealt(deal: Deal) -> Match:
    return new_match(_TARGET, deal.dealer).deal(deal.deck)


def _player(author: Author, seed: str, deal: int, seat: Seat) -> Player:
    """Return the player; one that cannot even sit down fails at each decision."""
    try:
        return seated(author, seed, deal, seat)
    except (Exception, SystemExit) as error:
        failed = error

        def fails(view: SeatView) -> Action:
            raise failed

        return fails
