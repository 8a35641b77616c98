"""``terziglio arena`` as it is typed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from terziglio_api.cli import main
from terziglio_api.seen import TableView
from terziglio_api.tools.arena import _stop, _stoppable
from terziglio_api.wire.base import Json
from terziglio_api.wire.messages import Told, event_message

TERZIGLIO = [sys.executable, "-m", "terziglio_api.cli"]
MINE = """
from terziglio import Bot

class MyBot(Bot):
    def act(self, view):
        return view.legal.first()
"""
LUCK = """
from terziglio import Bot
from terziglio.players.random import choose

class Luck(Bot):
    def act(self, view):
        print("thinking aloud")
        return choose(view, self.rng)
"""
FAILING = """
import os, time
from terziglio import Bot, Card, Play
from terziglio.players import house

class Failing(Bot):
    def act(self, view):
        match len(view.hand):
            case 9 if view.legal.cards:
                return Play(Card("3S" if Card("3S") not in view.hand else "4S"))
            case 7:
                raise RuntimeError("seven")
            case 5:
                time.sleep(60)
            case 3:
                os._exit(4)
        return house(view)
"""
PROGRAM = """
import json, sys

print(json.dumps({"type": "hello", "token": "not asked for"}), flush=True)
for line in sys.stdin:
    view = json.loads(line)["view"]
    options, kind = view["options"], view["options"]["type"]
    if kind == "bid":
        action = {"type": "bid", "bid": options["bids"][0]}
    elif kind == "discard":
        cards = options["from"]
        back = cards[4] if options["give_back"] else None
        action = {"type": "discard", "cards": cards[:4], "give_back": back}
    else:
        action = {"type": kind, "card": options["cards"][0]}
    answer = {"type": "action", "id": "a", "decision": view["turn"]["decision"]}
    print(json.dumps({**answer, "action": action}), flush=True)
"""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def file(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def lines(path: str) -> list[dict[str, Any]]:
    told = Path(path).read_text("utf-8").splitlines()
    return [json.loads(line) for line in told]


def blocks(path: str) -> list[dict[str, Any]]:
    return [line for line in lines(path) if line["type"] == "block"]


def arena(*words: str) -> int:
    return main(["arena", *words])


def test_a_bot_against_house(capsys: pytest.CaptureFixture[str]) -> None:
    mine = file("my_bot.py", MINE)
    words = (mine, "house", "--deals", "12", "--jsonl", "x.jsonl", "--plot")
    assert arena(*words, "x.png", "--jobs", "1") == 0
    told = capsys.readouterr().out
    assert "12 deals of bank test, seed 1, from 0 on" in told
    assert "36 hands" in told
    assert Path("x.png").read_bytes().startswith(b"\x89PNG")
    found = lines("x.jsonl")
    assert [line["type"] for line in found] == [
        "arena",
        *["block"] * 12,
        *["player"] * 2,
    ]
    points = [block["points"][0] for block in blocks("x.jsonl")]
    assert found[-2]["points"] == pytest.approx(sum(points) / 12)
    for block in blocks("x.jsonl"):
        own = [hand["delta"][hand["seats"].index(0)] for hand in block["hands"]]
        assert block["points"][0] == pytest.approx(sum(own) / 3)


def test_jobs_and_isolation_change_no_result(capfd: pytest.CaptureFixture[str]) -> None:
    luck = file("luck.py", LUCK)
    for name, more in {
        "one": ("--jobs", "1"),
        "two": ("--jobs", "2"),
        "apart": ("--jobs", "1", "--isolate"),
    }.items():
        words = (luck, "house", "--deals", "6", *more, "--jsonl", name)
        assert arena(*words) == 0
    assert "deals of bank" in capfd.readouterr().out
    assert blocks("one") == blocks("two") == blocks("apart")
    assert any(hand["delta"] != [0, 0, 0] for b in blocks("one") for hand in b["hands"])


def test_a_program_plays_as_the_bot_that_does_the_same() -> None:
    program = file("program.py", PROGRAM)
    file("first.py", MINE)
    command = f"{sys.executable} {program}"
    assert arena("house", "--cmd", command, "--deals", "5", "--jsonl", "a") == 0
    assert arena("first.py", "house", "--deals", "5", "--jsonl", "b") == 0
    assert blocks("a") == blocks("b")
    assert lines("a")[-1]["failures"] == {"illegal": 0, "crash": 0, "time-out": 0}


def test_three_failures_with_their_policies(capsys: pytest.CaptureFixture[str]) -> None:
    failing = file("failing.py", FAILING)
    words = (failing, "house", "--deals", "1", "--jobs", "1", "--isolate")
    assert arena(*words, "--move-ms", "1500", "--jsonl", "x") == 0
    told = capsys.readouterr().out
    assert "failing.py: illegal, first in deal 0" in told
    assert "card_not_held: You do not hold" in told
    assert "would do: " in told
    assert "/failing.py:12, in act)" in told
    assert "no answer in 1500 ms: killed" in told
    again = "terziglio arena failing.py house --seed 1 --bank test --first 0 --deals 1 "
    assert f"again: {again}--jobs 1 --isolate --move-ms 1500" in told
    mine, _ = (line for line in lines("x") if line["type"] == "player")
    assert mine["failures"] == {"illegal": 3, "crash": 6, "time-out": 3}
    # House answered for each, and plays as house does.
    assert blocks("x")[0]["points"] == [0.0, 0.0]


def test_a_program_that_talks_nonsense(capsys: pytest.CaptureFixture[str]) -> None:
    for text, told in {
        "print('what?', flush=True)": "malformed: ",
        'print(\'{"type":"action"}\', flush=True)': "malformed: action.id: ",
        "import os; os.close(0); os.close(1); raise SystemExit(7)": "status 7",
        "raise ValueError('odd')": "status 1: ValueError: odd",
        'print(\'{"type":"action","id":"a","decision":"9.9","action":{"type":"bid",'
        '"bid":"pass"}}\', flush=True)': "decision 9.9, due is 1.",
    }.items():
        program = file("p.py", f"import sys\nsys.stdin.readline()\n{text}\n")
        command = f"{sys.executable} {program}"
        assert (
            arena(
                "house",
                "--cmd",
                command,
                "--deals",
                "1",
                "--play-only",
                "rules",
                "--jobs",
                "1",
            )
            == 0
        )
        assert told in capsys.readouterr().out


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Whoever started the tests may ignore SIGINT; a command started here must not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_stops_and_tells_what_there_is() -> None:
    file("luck.py", LUCK.replace('print("thinking aloud")', "pass"))
    marker = LUCK.replace('print("thinking aloud")', "open('begun', 'w').close()")
    file("marked.py", marker)
    for jobs in ("1", "2"):
        words = ["arena", "marked.py", "house", "--deals", "100000", "--jobs", jobs]
        Path("begun").unlink(missing_ok=True)
        running = subprocess.Popen(
            [*TERZIGLIO, *words, "--jsonl", "x"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        while not Path("begun").exists() and running.poll() is None:
            os.sched_yield()
        # As a terminal does: to the workers too.
        os.killpg(running.pid, signal.SIGINT)
        told, errors = running.communicate(timeout=60)
        assert running.returncode == 130, errors
        assert "Traceback" not in errors
        assert "Stopped after " in told
        assert "of 100000 deals" in told
        assert lines("x")[0]["deals"] == 100000


SPINS = """
import os
from terziglio import Bot

class Spins(Bot):
    def act(self, view):
        with open("pid.new", "w") as told:
            told.write(str(os.getpid()))
        os.rename("pid.new", "pid")
        while True:
            pass
"""


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_polite_kill_leaves_no_player_behind(sent: signal.Signals, jobs: str) -> None:
    file("spins.py", SPINS)
    Path("pid").unlink(missing_ok=True)
    words = ["arena", "spins.py", "house", "--deals", "2", "--isolate", "--jobs", jobs]
    running = subprocess.Popen(
        [*TERZIGLIO, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not Path("pid").exists() and running.poll() is None:
        os.sched_yield()
    running.send_signal(sent)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "Traceback" not in errors
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path("pid").read_text()), 0)


def test_what_nohup_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _stoppable():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is _stop
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) is not _stop
    finally:
        signal.signal(signal.SIGHUP, before)


def test_roles_and_a_plot_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("house", "random", "--roles", "--deals", "10", "--jobs", "1")
    assert arena(*words, "--plot", "x.svg", "--jsonl", "x") == 0
    assert "against random" in capsys.readouterr().out
    first = Path("x.svg").read_bytes()
    assert arena(*words, "--plot", "x.svg") == 0
    assert Path("x.svg").read_bytes() == first
    assert [line["type"] for line in lines("x")].count("role") == 4


def test_three_players_sit_in_six_orders() -> None:
    words = ("house", "random", "rules", "--deals", "2", "--jobs", "1", "--jsonl", "x")
    assert arena(*words) == 0
    for block in blocks("x"):
        assert len({tuple(hand["seats"]) for hand in block["hands"]}) == 6
        assert sum(block["points"]) == pytest.approx(0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["house"], "two or three players, not 1"),
        (["house", "nobody"], "no player 'nobody'"),
        (["none.py", "house"], "there is no file none.py"),
        (["none.py", "house", "--isolate"], "there is no file none.py"),
        (["house", "house", "--plot", "x.gif"], ".png or .svg"),
        (["house", "house", "--jsonl", "no/x"], "no directory no for x"),
        (["house", "--cmd", "no-such-program x"], "no program to run in --cmd"),
        (["house", "house", "--seed", "\0"], "zero byte"),
    ],
)
def test_wrong_use_is_told_in_a_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena(*words, "--deals", "1") == 2
    errors = capsys.readouterr().err
    assert errors.startswith("terziglio arena: ")
    assert told in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("words", [["--deals", "0"], ["--first", "-1"]])
def test_numbers_out_of_range(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        arena("house", "house", *words)
    assert ended.value.code == 2


def test_a_number_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arena("house", "house", "--deals", "ten")
    assert "a number from 1 on, not 'ten'" in capsys.readouterr().err


def test_a_plot_without_matplotlib_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("terziglio_api.tools.arena.find_spec", lambda _name: None)
    assert arena("house", "house", "--plot", "x.png") == 2
    assert "pip install '.[plot]'" in capsys.readouterr().err


def test_the_documented_program_and_what_it_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doc = (Path(__file__).parents[2] / "docs" / "arena.md").read_text("utf-8")

    def shown(kind: str) -> str:
        return doc.split(f"```{kind}\n")[1].split("```")[0]

    file("bot.py", shown("python program"))
    command = f"{sys.executable} bot.py"
    sent: list[str] = []

    def told(event: Json, seen: TableView) -> Told:
        sent.append(event_message(event, seen).text)
        return event_message(event, seen)

    monkeypatch.setattr("terziglio_api.tools.programs.event_message", told)
    words = ("--deals", "1", "--seed", "3", "--jobs", "1", "--jsonl", "x")
    assert arena("house", "--cmd", command, *words) == 0
    assert sent[0] == shown("json in").strip()
    answer = subprocess.run(
        [sys.executable, "bot.py"],
        input=sent[0],
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == shown("json out").strip()
    for line in lines("x"):
        assert sum(line.get("failures", {}).values()) == 0
