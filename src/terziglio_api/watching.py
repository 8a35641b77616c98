"""A hand on the screen, one step at a time, every card open."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from terziglio.entrants import load, seated
from terziglio.phases import Hand
from terziglio.seats import Seat
from terziglio.trial import Failed, ask, dealt
from terziglio.words import Words
from terziglio_api.telling import Told, steps, table
from terziglio_api.texts import Unclear, hand_of, read

__all__ = ["Film", "Viewer", "show"]


@dataclass(frozen=True, slots=True)
class Film:
    """A hand to watch, and why it ends where it does."""

    hand: Hand
    names: tuple[str, str, str]
    failed: str = ""
    """What went wrong, where a player failed or the notation breaks a rule."""

    @classmethod
    def played(
        cls, names: Sequence[str], seed: str, deal: int, bank: str = "test"
    ) -> "Film":
        """Have players play a deal of the bank, as far as they do.

        Raises:
            EntrantError: there is no such player.
            ValueError: there is no such deal.
        """
        first, second, third = names
        match = dealt(seed, deal, bank)
        authors = [load(name) for name in names]
        failed = ""
        try:
            players = [seated(authors[s], seed, deal, s) for s in Seat]
            while (turn := match.turn) is not None:
                match = match.apply(turn, ask(players[turn], match, names[turn]))
        except Failed as error:
            failed = f"{names[error.view.seat]}: {error}"
        assert match.hand is not None  # noqa: S101 - it was dealt
        return cls(match.hand, (first, second, third), failed)

    @classmethod
    def noted(cls, given: str) -> "Film":
        """Read a hand: from a file, from standard input (``-``), or the text itself.

        Raises:
            OSError: the file cannot be read.
            Unclear: the text is no hand.
        """
        names, failed = ("-", "-", "-"), ""
        try:
            hand = hand_of(read(given))
        except Unclear as unclear:
            if unclear.hand is None:
                raise
            hand, failed = unclear.hand, f"{unclear}: {unclear.refused}"
        return cls(hand, names, failed)


class Viewer:
    """Shows a film step by step.

    Args:
        film: the hand.
        words: in whose words.
        console: where.
    """

    def __init__(self, film: Film, words: Words, console: Console) -> None:
        self._film = film
        self._console = console
        self._steps = tuple(steps(film.hand, words))

    def __len__(self) -> int:
        return len(self._steps)

    def show(self, number: int) -> None:
        """Show one step."""
        step = self._steps[number]
        title = f"{number} of {len(self._steps) - 1} · {', '.join(step.rules)}"
        lines = [Text(step.sentence, "bold"), *self._table(step)]
        told = Text("\n").join(lines)
        self._console.print(Panel(told, title=title, title_align="left"))
        if number == len(self._steps) - 1 and self._film.failed:
            # Outside the frame and in one piece: it holds a command to copy.
            self._console.print(Text(self._film.failed, "red"), soft_wrap=True)

    def _table(self, step: Told) -> list[Text]:
        return [Text(line) for line in table(step.match, self._film.names)]

    def everything(self) -> None:
        """Show all steps, one after the other."""
        for number in range(len(self._steps)):
            self.show(number)

    def browse(self, ask: Callable[[str], str]) -> None:
        """Show the steps that are asked for, until ``q`` or the end of the input."""
        number, last = 0, len(self._steps) - 1
        self.show(number)
        while True:
            try:
                wish = ask(f"[{number}/{last}] n, p, number, q > ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                return
            if wish == "q":
                return
            if wish in {"", "n"}:
                number = min(number + 1, last)
            elif wish == "p":
                number = max(number - 1, 0)
            elif wish.isascii() and wish.isdigit() and int(wish[:9]) <= last:
                number = int(wish)
            else:
                self._console.print(f"n, p, q, or a number up to {last}")
                continue
            self.show(number)


def show(film: Film, args: argparse.Namespace) -> int:
    """Show the film at this terminal; return the exit status."""
    console = Console(no_color=args.no_color or None, highlight=False)
    viewer = Viewer(film, Words(args.lang, args.deck), console)
    if sys.stdin.isatty() and sys.stdout.isatty():
        viewer.browse(input)
    else:
        viewer.everything()
    return 1 if film.failed else 0
