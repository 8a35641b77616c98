from pathlib import Path

import pytest

import terziglio
from support import at, golden, on_table, prefix
from terziglio import Bot, Seat, SeatView, seat_view
from terziglio.actions import Action, Phase
from terziglio.bot import generator, seat_key
from terziglio.entrants import Entrant, EntrantError, Fault, load, seated
from terziglio.players import PLAYERS, house


def view_in(phase: Phase) -> SeatView:
    hand = at(golden("chiamo_won"), phase)
    assert hand.turn is not None
    return seat_view(on_table(hand), hand.turn)


class First(Bot):
    def act(self, view: SeatView) -> Action:
        return view.legal.first()


def test_act_is_enough() -> None:
    bot = First()
    for phase in (Phase.AUCTION, Phase.CALL, Phase.EXCHANGE, Phase.PLAY):
        view = view_in(phase)
        assert bot(view) == view.legal.first()


def test_each_answer_is_overridden_by_itself() -> None:
    class Plays(First):
        def play(self, view: SeatView) -> Action:
            return house(view)

    begun = golden("chiamo_won")
    hand = next(
        now
        for now in (prefix(begun, n) for n in range(10, 30))
        if now.turn is not None
        and house(seat_view(on_table(now), now.turn))
        != seat_view(on_table(now), now.turn).legal.first()
    )
    assert hand.turn is not None
    view = seat_view(on_table(hand), hand.turn)
    assert Plays()(view) == house(view) != First()(view)
    assert Plays()(view_in(Phase.AUCTION)) == view_in(Phase.AUCTION).legal.first()


def test_a_bot_without_answers_is_refused_with_what_is_missing() -> None:
    class Mute(Bot):
        pass

    class Bids(Bot):
        def bid(self, view: SeatView) -> Action:
            return view.legal.first()

    with pytest.raises(TypeError, match="Mute has no answer to bid, call, discard, pl"):
        Mute()
    with pytest.raises(TypeError, match=r"define act\(self, view\), or call and disc"):
        Bids()
    assert Mute.unanswered() == ("bid", "call", "discard", "play")
    with pytest.raises(NotImplementedError):
        Bot.act(First(), view_in(Phase.PLAY))


def test_the_generator_depends_on_seed_deal_and_seat() -> None:
    keys = {seat_key(s, d, seat) for s in "ab" for d in (0, 1) for seat in Seat}
    assert len(keys) == 12
    one, same = (First.seated("a", 3, Seat.S1) for _ in range(2))
    assert one.rng.random() == same.rng.random()
    assert one.rng.random() != First.seated("a", 3, Seat.S2).rng.random()
    key = seat_key("a", 3, Seat.S1)
    first = First.keyed(key).rng.random()
    assert (
        first == generator(key).random() == First.seated("a", 3, Seat.S1).rng.random()
    )


def test_the_package_exports_it_lazily() -> None:
    assert terziglio.Bot is Bot
    with pytest.raises(AttributeError, match="no attribute 'Bat'"):
        _ = terziglio.Bat


def test_players_are_a_mapping() -> None:
    assert len(PLAYERS) == len(list(PLAYERS))
    assert PLAYERS["house"] is house
    with pytest.raises(KeyError):
        _ = PLAYERS["nobody"]


HEAD = "from terziglio import Bot\n"
BOT = "class {}({}):\n    def act(self, view):\n        return view.legal.first()\n"


def written(home: Path, text: str) -> str:
    path = home / "my_bot.py"
    path.write_text(text, "utf-8")
    return str(path)


def test_a_file_gives_its_bot(tmp_path: Path) -> None:
    spec = written(
        tmp_path, HEAD + BOT.format("Base", "Bot") + BOT.format("Me", "Base")
    )
    author = load(spec)
    assert isinstance(author, type)
    assert author.__name__ == "Me"
    view = view_in(Phase.AUCTION)
    assert seated(author, "1", 0, view.seat)(view) == view.legal.first()
    assert Entrant("me", spec).author().__name__ == "Me"  # type: ignore[union-attr]


def test_a_file_gives_its_one_function_of_a_view(tmp_path: Path) -> None:
    spec = written(
        tmp_path,
        "from terziglio.players import house\n"
        "def other(a, b): return 1\n"
        "def _hidden(view): return 1\n"
        "def mine(view): return house(view)\n",
    )
    author = load(spec)
    view = view_in(Phase.AUCTION)
    assert seated(author, "1", 0, view.seat)(view) == house(view)


def test_one_of_several_is_named(tmp_path: Path) -> None:
    spec = written(tmp_path, HEAD + BOT.format("A", "Bot") + BOT.format("B", "Bot"))
    author = load(f"{spec}:B")
    assert isinstance(author, type)
    assert author.__name__ == "B"


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("x = 1\ndef f(:\n", Fault.SYNTAX, r"my_bot.py:2: "),
        ("x = 1\n1/0\n", Fault.FAILED, r"my_bot.py:2: ZeroDivisionError: "),
        ("x = 1\n", Fault.NO_BOT, "has no bot: write a class"),
        (
            HEAD + BOT.format("A", "Bot") + BOT.format("B", "Bot"),
            Fault.SEVERAL_BOTS,
            r"several bots: A, B; name one: .*my_bot.py:A",
        ),
        (HEAD + "class A(Bot): pass\n", Fault.INCOMPLETE_BOT, "A has no answer to bid"),
    ],
)
def test_what_is_wrong_with_a_file(
    tmp_path: Path, text: str, code: Fault, told: str
) -> None:
    with pytest.raises(EntrantError, match=told) as caught:
        load(written(tmp_path, text))
    assert caught.value.code is code
    assert "\n" not in str(caught.value)


def test_no_such_player(tmp_path: Path) -> None:
    cases = {
        "hous": (Fault.UNKNOWN_PLAYER, "did you mean house"),
        "zzz": (Fault.UNKNOWN_PLAYER, r"no player 'zzz'\. A player is one of "),
        str(tmp_path / "no.py"): (Fault.NO_FILE, "there is no file"),
        written(tmp_path, HEAD + BOT.format("A", "Bot")) + ":Z": (
            Fault.NO_BOT,
            "has no bot 'Z'; its bots: A",
        ),
    }
    for spec, (code, told) in cases.items():
        with pytest.raises(EntrantError, match=told) as caught:
            load(spec)
        assert caught.value.code is code


def test_who_thinks_wants_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load("expert") is PLAYERS["expert"]
    monkeypatch.setattr("terziglio.entrants.find_spec", lambda _name: None)
    for name in ("expert", "search"):
        with pytest.raises(EntrantError, match=r"'\.\[strong\]'") as caught:
            load(name)
        assert caught.value.code is Fault.NO_SOLVER


def test_a_file_that_fails_elsewhere_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_bot.py").write_text("def go(): raise OSError(3)\n")
    spec = written(tmp_path, "from neighbour_of_bot import go\ngo()\n")
    with pytest.raises(EntrantError, match=r"my_bot\.py:2: OSError: 3"):
        load(spec)
    (tmp_path / "no_text.py").write_bytes(b"\0")
    with pytest.raises(EntrantError):
        load(str(tmp_path / "no_text.py"))
