"""Whole tables on virtual time: nothing lost, doubled, leaked, early or stalled.

A red seed says how to see it again; it happens again exactly.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.planted import PLANTED, Plant
from simulation.run import simulate
from strategies import SCALE

SEEDS = 300 * SCALE
"""How many seeds are lived through; ``make proof`` takes many more."""
WITHIN = 100
"""Seeds among which every planted bug is found."""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_seed(seed: int) -> None:
    verdict = simulate(seed)
    assert not verdict.wrong, str(verdict)


def test_a_seed_happens_again_exactly() -> None:
    """Also in another process, whose hashes of strings are others."""
    seeds = ("3", "6", "14", "21", "25")
    told = set()
    for salt in ("1", "2"):
        paths = os.pathsep.join(filter(None, sys.path))
        env = {**os.environ, "PYTHONHASHSEED": salt, "PYTHONPATH": paths}
        command = [sys.executable, "-m", "simulation", *seeds]
        tests = Path(__file__).parent.parent
        told.add(subprocess.check_output(command, env=env, cwd=tests, text=True))
    traces = [simulate(int(seed)).trace for seed in seeds]
    (text,) = told
    assert [line.split()[-1] for line in text.splitlines()[1::2]] == traces
    assert len(set(traces)) == len(seeds)


def test_the_seeds_meet_every_trouble() -> None:
    counts: dict[str, int] = {}
    for seed in range(30):
        for kind, count in simulate(seed).counts.items():
            counts[kind] = counts.get(kind, 0) + count
    troubles = {"cut", "crash", "restart", "disk", "slow", "lost"}
    assert troubles <= counts.keys()


@pytest.mark.parametrize(("plant", "told"), PLANTED.values(), ids=PLANTED)
def test_a_planted_bug_is_found(plant: Plant, told: str) -> None:
    with plant():
        for seed in range(WITHIN):
            if any(re.search(told, wrong) for wrong in simulate(seed).wrong):
                return
    pytest.fail(f"not found in {WITHIN} seeds")
