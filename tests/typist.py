"""A typist at the terminal: sees what a person sees, types what a player says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO

from rich.console import Console

from terziglio import Action, Bid, Call, Contract, Discard, Play, SeatView
from terziglio.players import Player, house
from terziglio.words import Deck, Language
from terziglio_api.screen import in_order
from terziglio_api.terminal import Game, Session
from terziglio_api.voice import Voice

Line = tuple[str, str | None]
"""What is typed, and the sentence said for it; ``None``: whatever is said."""


@dataclass(frozen=True)
class Asked:
    """A question: what the seat knew, what was shown before it, what was typed."""

    view: SeatView
    shown: str
    question: str
    typed: str


class Typist:
    """Types what its player decides; detours come before each right answer.

    After a detour the view must be the same, and only the sentence may be said.

    Args:
        language: of the session.
        deck: of the session.
        seed: of the game.
        player: decides the right answers.
        detours: what to type first at each decision.
    """

    def __init__(
        self,
        language: Language = "en",
        deck: Deck | None = None,
        seed: str | None = "a",
        player: Player = house,
        detours: Callable[["Typist", SeatView], Sequence[Line]] = lambda _, __: (),
    ) -> None:
        self.voice = Voice(language, deck)
        self.game = Game(7, seed)
        self.asked: list[Asked] = []
        self._player = player
        self._detours = detours
        self._out = StringIO()
        self._read: list[str] = []
        self._due: tuple[int, int | None] | None = None
        self._left: list[Line] = []
        self._expected: str | None = None

    @property
    def text(self) -> str:
        """All that was shown."""
        return "".join((*self._read, self._out.getvalue()))

    def play(self) -> None:
        """Play a match, as far as the answers go."""
        console = Console(file=self._out, width=240, color_system=None)
        Session(self.game, self.voice, self.ask, console).run()

    def ask(self, prompt: str) -> str:
        """Type the next line."""
        view = self.game.view
        shown = self._take()
        if self._expected is not None:
            assert shown == f"{self._expected}\n"
        if self._due == (view.match.deal, view.decision):
            assert view == self.asked[-1].view
        else:
            self._due = view.match.deal, view.decision
            self._left = list(self._detours(self, view))
        question = prompt.removesuffix(" > ")
        typed, self._expected = (
            self._left.pop(0) if self._left else (self._answer(question, view), None)
        )
        self.asked.append(Asked(view, shown, question, typed))
        return typed

    def _take(self) -> str:
        """Take away what was shown since the last question."""
        shown = self._out.getvalue()
        self._out.seek(0)
        self._out.truncate()
        self._read.append(shown)
        return shown

    def _answer(self, question: str, view: SeatView) -> str:
        if view.turn is None:
            return ""
        match self._player(view):
            case Bid(bid):
                return self.voice.bid(bid).upper()
            case Call(card):
                return str(in_order(view.legal.calls).index(card) + 1)
            case Play(card):
                return str(in_order(view.hand).index(card) + 1)
            case Discard(laid, back):
                if question == self.voice.say("ask.give_back"):
                    return str(back).lower()
                return " , ".join(map(str, laid))


def bidding(contract: Contract | None, deals: int = 3) -> Player:
    """The house player, but in the first deals he bids this whenever he may."""

    def player(view: SeatView) -> Action:
        bold = view.match.deal <= deals and contract in view.legal.bids
        return Bid(contract) if bold else house(view)

    return player
