"""Commands for authors, where a real terminal or a real expert would be needed."""

import sys
from io import StringIO
from types import ModuleType

import pytest
from rich.console import Console

from support import golden, prefix
from terziglio import Call, Card, Phase, Play, SeatView
from terziglio.players.hint import Chance, Hint, Reason
from terziglio.trial import one_line
from terziglio.words import Words
from terziglio_api import watching
from terziglio_api.cli import main
from terziglio_api.watching import Film, Viewer


def viewer() -> tuple[Viewer, StringIO]:
    out = StringIO()
    console = Console(file=out, width=100, color_system=None)
    film = Film(golden("solo_won"), ("a", "b", "c"), "the end")
    return Viewer(film, Words("en"), console), out


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt, None])
def test_a_viewer_goes_forward_and_back(end: type[BaseException] | None) -> None:
    seen, out = viewer()
    last = len(seen) - 1
    typed = iter(
        ["n", "", "p", "x", "-1", "٣", str(last), "n", "9" * 12, "0", "p", "Q"]
    )
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        line = next(typed)
        if line == "Q" and end is not None:
            raise end
        return line

    seen.browse(ask)
    numbers = [int(prompt.partition("/")[0][1:]) for prompt in prompts]
    assert numbers == [0, 1, 2, 1, 1, 1, 1, last, last, last, 0, 0]
    assert out.getvalue().count(f"or a number up to {last}") == 4
    assert out.getvalue().count("the end") == 2


def test_at_a_terminal_the_viewer_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(watching.Viewer, "browse", lambda _, ask: asked.append(ask))
    assert main(["watch", "house", "house", "house", "--no-color"]) == 0
    assert len(asked) == 1


@pytest.fixture
def expert(monkeypatch: pytest.MonkeyPatch) -> list[SeatView]:
    """An expert that keeps what it is shown."""
    shown: list[SeatView] = []

    def hint(view: SeatView) -> Hint:
        shown.append(view)
        if view.phase is Phase.CALL:
            return Hint(Call(Card("3S")), Reason.BEST_CALL)
        cards = view.legal.cards
        chances = tuple(Chance(card, 0.1 * n) for n, card in enumerate(cards))
        return Hint(Play(cards[-1]), Reason.MOST_CHANCES, chances, 40)

    module = ModuleType("terziglio.players.expert")
    module.hint = hint  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "terziglio.players.expert", module)
    return shown


def test_a_hint_is_for_the_view_of_the_seat_on_turn(
    expert: list[SeatView], capsys: pytest.CaptureFixture[str]
) -> None:
    hand = prefix(golden("chiamo_lost"), 5)
    assert hand.turn is not None
    text = one_line(hand)
    assert main(["hint", text, "--seat", str(hand.turn)]) == 0
    told = capsys.readouterr().out.splitlines()
    (view,) = expert
    assert view.seat is hand.turn
    assert told[0].startswith(f"seat {hand.turn}: play {view.legal.cards[-1]} (")
    assert told[-1].strip() == "looked at 40 deals that fit"
    chances = [float(line.split()[1]) for line in told[1:-1]]
    assert chances == sorted(chances, reverse=True)
    assert len(chances) == len(view.legal.cards)
    assert main(["hint", text, "--seat", str(hand.turn.next)]) == 2
    assert f"seat {hand.turn} is to act" in capsys.readouterr().err


def test_a_hint_outside_play_has_no_chances(
    expert: list[SeatView], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", one_line(prefix(golden("chiamo_lost"), 3))]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert len(expert) == 1


@pytest.mark.parametrize(
    ("text", "told"), [("nothing", "No such file"), ("a: b;", "expected 'rules'")]
)
def test_a_hint_for_no_hand(
    text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", text]) == 2
    assert told in capsys.readouterr().err
    assert main(["hint", one_line(golden("solo_won"))]) == 2
    assert "nobody is to act" in capsys.readouterr().err


def test_without_the_expert_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert main(["hint", one_line(prefix(golden("solo_won"), 0))]) == 2
    assert ".[strong]" in capsys.readouterr().err
