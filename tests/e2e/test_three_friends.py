"""The example with three friends: it plays, and it tells when transcripts differ."""

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "three_friends.py"
Lines = list[dict[str, Any]]


def test_three_friends_agree_though_one_was_killed() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLE],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    killed = re.search(r"is killed; its notes end with (\d+)", done.stdout)
    assert killed
    scores = re.search(r"\[(-?\d+), (-?\d+), (-?\d+)\]", done.stdout)
    assert scores
    assert max(map(int, scores.groups())) >= 7
    agreed = re.search(r"transcripts of (\d+) changes: no gaps, and", done.stdout)
    assert agreed
    # It was killed in mid-match, so there was something to come back for.
    assert 20 <= int(killed[1]) < int(agreed[1])


def _line(seq: int, card: str) -> dict[str, Any]:
    shown = ("phase", "match", "auction", "contract", "trick", "tricks", "count")
    event = {"kind": "card_played", "seat": 0, "card": card}
    return {"seq": seq, "event": event, "view": dict.fromkeys(shown)}


@pytest.mark.parametrize(
    ("third", "told"),
    [
        ([_line(1, "3S"), _line(2, "4D")], []),
        ([_line(1, "3S"), _line(2, "5D")], ["they were not told the same"]),
        (
            [_line(1, "3S"), _line(3, "4D")],
            ["Carla has gaps or doubles"],
        ),
        (
            [_line(1, "3S"), _line(1, "3S"), _line(2, "4D")],
            ["Carla has gaps or doubles", "they were not told the same"],
        ),
        ([_line(1, "3S")], ["they were not told the same"]),
    ],
)
def test_transcripts_that_differ_are_told(third: Lines, told: list[str]) -> None:
    example = runpy.run_path(str(EXAMPLE))
    same = [_line(1, "3S"), _line(2, "4D")]
    assert example["compare"]({"Anna": same, "Bruno": same, "Carla": third}) == told
