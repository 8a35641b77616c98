"""The examples and the README's blocks do what they say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from client import Server

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BASE = "http://127.0.0.1:8000"


def run(*command: str, timeout: float = 90) -> str:
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_play_one_hand() -> None:
    told = run(sys.executable, "examples/play_one_hand.py").splitlines()
    assert sum(" plays the " in line for line in told) == 36
    assert told[-1].startswith("scores (")


@pytest.mark.parametrize("name", ["rest_bot.py", "seat_socket.py"])
def test_examples_play_a_match(server: Server, name: str) -> None:
    told = run(sys.executable, f"examples/{name}", server.url)
    winner = re.search(r"winner: .+ at seat (\d), scores \[(.+), (.+), (.+)\]", told)
    assert winner, told
    seat, *scores = map(int, winner.groups())
    assert scores[seat] == max(scores)
    assert sum(scores) == 0
    assert max(scores) >= 7


@pytest.mark.parametrize("name", ["rest_bot.py", "seat_socket.py"])
@pytest.mark.parametrize("where", ["http://127.0.0.1:9", "--help"])
def test_examples_say_that_no_server_is_there(name: str, where: str) -> None:
    command = [sys.executable, f"examples/{name}", where]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"no server at {where}")


@pytest.mark.parametrize("block", blocks("python"))
def test_the_readmes_python_runs(server: Server, block: str) -> None:
    told = run(sys.executable, "-c", block.replace(BASE, server.url))
    expected = re.findall(r"# (?:->|prints) (.+)", block)
    for line in expected:
        assert line in told, told


@pytest.mark.parametrize("block", blocks("sh"))
def test_the_readmes_shell_runs(server: Server, block: str) -> None:
    if "curl" not in block:
        targets = re.findall(r"make (\w+)", block)
        makefile = (ROOT / "Makefile").read_text()
        assert targets
        assert all(f"\n{target}: " in makefile for target in targets)
        return
    told = run("bash", "-euo", "pipefail", "-c", block.replace(BASE, server.url))
    assert '"phase":"auction"' in told


def test_the_changelog_knows_this_version() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    version = re.search(r'^version = "(.+)"$', project, flags=re.MULTILINE)
    assert version
    assert f"## [{version[1]}]" in (ROOT / "CHANGELOG.md").read_text()


def test_every_decision_record_is_listed_in_order() -> None:
    names = sorted(path.name for path in (ROOT / "docs" / "adr").glob("*.md"))
    assert [name[:4] for name in names] == [f"{n:04}" for n in range(1, len(names) + 1)]


HOSTS = re.compile(r"(pypi\.org|pythonhosted|npmjs|//registry\.|/work/|/tmp/)")


def test_no_tracked_file_names_a_registry_or_a_path_of_one_machine() -> None:
    tracked = run("git", "ls-files").split()
    this = Path(__file__).relative_to(ROOT).as_posix()
    for name in tracked:
        path = ROOT / name
        if name != this and path.is_file():
            text = path.read_text("utf-8", errors="replace")  # some are pictures
            assert not HOSTS.search(text), name


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    named = set(
        re.findall(r"\b(?:tests|docs|examples|openapi|bench)/[\w/.]+\.\w+", text)
    )
    assert named
    for name in named:
        assert (ROOT / name).exists(), f"{page} names {name}"
