"""For tests of a player: hands from notation, tables to play at, answers that hold.

    from terziglio.testing import assert_legal, deal, table

    def test_it_is_legal():
        assert_legal("my_bot.py", 100)

    def test_it_leads_the_three():
        match = deal("rules: terziglio/1; dealer: 0; hand 0: ...; bids: 1 solissimo")
        assert table(match, "my_bot.py", "my_bot.py", "house").ask() == Play(Card("3S"))

With pytest the three are fixtures too: ``def test_it(deal, table, assert_legal)``.
An answer that is no good is told as ``terziglio check`` tells it.
"""

from dataclasses import dataclass

from terziglio.actions import Action
from terziglio.entrants import Author, load, seated
from terziglio.exam import Exam
from terziglio.match import Match
from terziglio.notation import parse
from terziglio.players import Player
from terziglio.seats import Seat
from terziglio.trial import Failed, ask, dealt, on_table, unfolded
from terziglio.view import SeatView, seat_view

__all__ = ["Table", "assert_legal", "deal", "table"]

_SEED = "test"


def deal(text: str) -> Match:
    """Return a match at 0 0 0 with a hand on the table, as far as its notation goes.

    Args:
        text: notation, as ``terziglio.notation`` has it; ``;`` may stand for the end
            of a line.

    Raises:
        NotationError: it is no hand, or an illegal one.
    """
    return on_table(parse(unfolded(text)))


@dataclass(slots=True)
class Table:
    """A match, and who plays it."""

    match: Match
    """As it stands now."""
    players: tuple[Player, Player, Player]
    names: tuple[str, str, str]

    @property
    def turn(self) -> Seat:
        """The seat to act.

        Raises:
            LookupError: the hand is over.
        """
        if self.match.turn is None:
            raise LookupError("the hand is over: nobody is on turn")
        return self.match.turn

    @property
    def view(self) -> SeatView:
        """The view of the seat to act."""
        return seat_view(self.match, self.turn)

    def ask(self) -> Action:
        """Return what the seat on turn would do; the match stays as it is.

        Raises:
            AssertionError: it would do nothing that the rules allow.
        """
        try:
            return ask(self.players[self.turn], self.match, self.names[self.turn])
        except Failed as failed:
            raise AssertionError(str(failed)) from failed

    def step(self) -> Action:
        """Let the seat on turn do what it would, and return it."""
        action = self.ask()
        self.match = self.match.apply(self.turn, action)
        return action

    def play(self) -> Match:
        """Play the hand to its end, and return the match then."""
        while self.match.turn is not None:
            self.step()
        return self.match


def table(hand: str | Match | int, *players: str | Author, seed: str = _SEED) -> Table:
    """Return a table at which players sit.

    Args:
        hand: notation, what ``deal`` returned, or the number of a deal of the bank.
        players: for seats 0, 1 and 2: files, names, classes or functions; one alone
            sits at all three.
        seed: of the bank's deal, and of the players' own generators.
    """
    if len(players) not in {1, 3}:
        raise TypeError(f"a table takes one player or three, not {len(players)}")
    number = hand if isinstance(hand, int) else 0
    if isinstance(hand, int):
        match = dealt(seed, hand)
    else:
        match = deal(hand) if isinstance(hand, str) else hand
    first, second, third = players * 3 if len(players) == 1 else players
    told = (first, second, third)
    a, b, c = (
        seated(_author(player), seed, number, seat)
        for seat, player in zip(Seat, told, strict=True)
    )
    name_a, name_b, name_c = map(_name, told)
    return Table(match, (a, b, c), (name_a, name_b, name_c))


def assert_legal(bot: str | Author, n: int = 60, seed: str = _SEED) -> None:
    """Play n deals, in all phases, and assert that every answer is a legal action.

    Args:
        bot: a file, a name, a class or a function.
        n: how many deals.
        seed: of the deals.
    """
    exam = Exam(_author(bot), _name(bot), seed)
    wrong = [check for check in exam.sit(range(n)) if not check.passed]
    if wrong:
        told = [f"{_name(bot)} fails in {n} deals"]
        told += [f"{c.name} {len(c.failures)} x: {c.failures[0]}" for c in wrong]
        raise AssertionError("\n".join(told))


def _author(player: str | Author) -> Author:
    return load(player) if isinstance(player, str) else player


def _name(player: str | Author) -> str:
    if isinstance(player, str):
        return player
    return str(getattr(player, "__name__", type(player).__name__))
