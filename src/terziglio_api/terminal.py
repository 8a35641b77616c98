"""A match at the terminal: one person against two players of the computer's.

The person's side, ``Session``, knows the game through ``Game.view`` alone: what seat 0
may know. The cards of the others stay in ``Game``, with the engine.
"""

import argparse
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from secrets import token_bytes
from typing import TypeVar

from rich.console import Console, RenderableType

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import Card
from terziglio.entrants import Author, EntrantError, load, seated
from terziglio.errors import Illegal, IllegalAction
from terziglio.match import new_match
from terziglio.players import Player, house
from terziglio.seats import Seat
from terziglio.trial import Failed, answer
from terziglio.view import SeatView, seat_view
from terziglio_api import screen
from terziglio_api.answers import Unclear, read_bid, read_card, read_cards
from terziglio_api.shuffle import draw_seat, seeded_key, shuffle
from terziglio_api.voice import YOU, Voice

__all__ = ["Game", "Quit", "Session", "opponents", "play"]

Answer = TypeVar("Answer")


def play(args: argparse.Namespace) -> int:
    """Play a match at this terminal and return the exit status."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal without the suits' symbols shows their words all the same.
            stream.reconfigure(errors="replace")
    if sys.stdin.isatty():
        with suppress(ImportError):
            import_module("readline")  # gives the input line its editing keys
    try:
        first, second = map(load, opponents(args.vs))
    except EntrantError as error:
        print(f"terziglio: {error}", file=sys.stderr)
        return 2
    console = Console(no_color=args.no_color or None, highlight=False)
    voice = Voice(args.lang, args.deck)
    try:
        game = Game(args.target, args.seed, (first, second))
        Session(game, voice, input, console).run()
    except (EOFError, KeyboardInterrupt):
        console.print()
    except Quit:
        pass
    console.print(voice.say("bye"))
    return 0


def opponents(told: str) -> tuple[str, str]:
    """Return who plays at seats 1 and 2: one name for both, or two."""
    first, _, second = told.partition(",")
    return first, second or first


class Game:
    """A match on the engine, with computer players at the other two seats.

    Args:
        target: game points to reach.
        seed: the same seed deals the same cards; ``None`` deals at random.
        authors: who plays at seats 1 and 2.
    """

    def __init__(
        self,
        target: int = 7,
        seed: str | None = None,
        authors: tuple[Author, Author] = (house, house),
    ) -> None:
        self.failures: list[Failed] = []
        """Answers that were no good, since they were last looked at."""
        self._seed = seed
        self._authors = authors
        self._players: dict[Seat, Player] = {}
        self._match = new_match(target, draw_seat(self._key(1)))

    @property
    def view(self) -> SeatView:
        """All that the person may know."""
        return seat_view(self._match, YOU)

    def deal(self) -> None:
        """Deal the next hand."""
        number = self._match.deal_no + 1
        self._match = self._match.deal(shuffle(self._key(number)))
        seed = "" if self._seed is None else self._seed
        self._players = {
            seat: seated(author, seed, number, seat)
            for seat, author in zip((Seat.S1, Seat.S2), self._authors, strict=True)
        }

    def act(self, action: Action) -> None:
        """Do what the person has chosen.

        Raises:
            IllegalAction: the rules refuse it; nothing has changed.
        """
        self._match = self._match.apply(YOU, action)

    def others(self) -> Iterator[SeatView]:
        """Let the others act up to the person's turn; yield each new view."""
        while (seat := self._match.turn) is not None and seat is not YOU:
            view = seat_view(self._match, seat)
            try:
                action = answer(self._players[seat], view)
            except Failed as failed:
                self.failures.append(failed)
                action = house(view)
            self._match = self._match.apply(seat, action)
            yield self.view

    def _key(self, deal: int) -> bytes:
        """A deal's 256 bits: from the operating system, or from the seed."""
        if self._seed is None:
            return token_bytes(32)
        return seeded_key(self._seed, deal)


class Quit(Exception):
    """The person leaves the match."""


class Session:
    """The person's side of a match: shows the table, asks, tells what happens.

    Args:
        game: the match.
        voice: in whose words.
        ask: shows a prompt and returns the line typed; ``EOFError`` when none comes.
        console: where all the rest is shown.
    """

    def __init__(
        self, game: Game, voice: Voice, ask: Callable[[str], str], console: Console
    ) -> None:
        self._game = game
        self._voice = voice
        self._ask = ask
        self._console = console
        self._commands: dict[str, Callable[[], None]] = {
            "?": lambda: self._show(screen.help_page(voice, game.view)),
            "l": lambda: self._show(screen.last_trick(voice, game.view)),
            "s": lambda: self._show(screen.score_page(voice, game.view)),
            "r": lambda: self._show(screen.rules_page(voice, game.view)),
            "q": self._leave,
        }
        self._commands["help"] = self._commands["?"]

    def run(self) -> None:
        """Play the match to its end.

        Raises:
            Quit: the person leaves.
        """
        self._show(screen.welcome(self._voice, self._game.view))
        self._hand()
        while self._game.view.match.winner is None:
            while self._line(self._voice.say("ask.next")):
                self._show(self._voice.say("unclear.next"))
            self._hand()

    def _hand(self) -> None:
        """Deal a hand and play it out."""
        self._game.deal()
        self._show(screen.deal_line(self._voice, self._game.view))
        while self._game.view.turn is not None:
            for view in self._game.others():
                while self._game.failures:
                    self._fail(self._game.failures.pop(0))
                self._show(screen.news(self._voice, view))
            if self._game.view.turn is YOU:
                self._turn()
        self._show(screen.hand_end(self._voice, self._game.view))

    def _fail(self, failed: Failed) -> None:
        """Tell the author of a player what was wrong with its answer."""
        name = self._voice.seat(failed.view.seat)
        self._show(f"! {name}: {failed}\n  house plays instead")

    def _turn(self) -> None:
        """Ask until the person has acted; a refused action changes nothing."""
        self._show(screen.turn_page(self._voice, self._game.view))
        while True:
            try:
                self._act(self._game.view)
                break
            except IllegalAction as refused:
                self._show(self._voice.refusal(refused))
        self._show(screen.news(self._voice, self._game.view))

    def _act(self, view: SeatView) -> None:
        """Ask for what is due, and do it."""
        legal, voice = view.legal, self._voice
        if legal.bids:
            bid = self._answer(
                voice.say("ask.bid"), lambda text: read_bid(text, legal.bids, voice)
            )
            self._game.act(Bid(bid))
        elif legal.calls:
            self._game.act(Call(self._card(voice.say("ask.call"), legal.calls)))
        elif legal.discard is not None:
            self._discard(view)
        else:
            self._game.act(Play(self._card(voice.say("ask.card"), view.hand)))

    def _discard(self, view: SeatView) -> None:
        """Ask for the four cards, and for one more only if the rules miss it."""
        hand = screen.in_order(view.hand)
        cards = self._answer(
            self._voice.say("ask.discard"), lambda text: read_cards(text, hand)
        )
        try:
            self._game.act(Discard(cards))
        except IllegalAction as refused:
            if refused.code is not Illegal.GIVE_BACK_MISSING:
                raise
            question = self._voice.say("ask.give_back")
            self._game.act(Discard(cards, self._card(question, hand)))

    def _card(self, question: str, cards: Sequence[Card]) -> Card:
        listed = screen.in_order(cards)
        return self._answer(question, lambda text: read_card(text, listed))

    def _answer(self, question: str, read: Callable[[str], Answer]) -> Answer:
        """Ask until there is an answer that can be read; Enter shows the table."""
        while True:
            text = self._line(question)
            if not text:
                self._show(screen.turn_page(self._voice, self._game.view))
                continue
            try:
                return read(text)
            except Unclear as unclear:
                self._show(self._voice.say(unclear.phrase, **unclear.told))

    def _line(self, question: str) -> str:
        """Ask until what is typed is no command."""
        while True:
            text = self._ask(f"{question} > ").strip()
            command = self._commands.get(text.lower())
            if command is None:
                return text
            command()

    def _leave(self) -> None:
        answer = self._ask(f"{self._voice.say('ask.quit')} > ").strip().lower()
        if answer in self._voice.say("yes").split():
            raise Quit

    def _show(self, what: RenderableType) -> None:
        # What was typed is said back: it must not pass for markup.
        self._console.print(what, markup=False, emoji=False, highlight=False)
