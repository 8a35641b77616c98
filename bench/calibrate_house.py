"""Calibrate the house player's bars by self-play, and print the table.

For every deal the first seat to speak is made to pass, then to bid each contract;
the house player does the rest for all three. A bar is the least hand value at which
the contract is worth at least as much, in game points, as the next weaker thing to
do with such a hand: passing for chiamo, chiamo for solo, solo for solissimo. What
passing is worth depends on the others' bars, so the script runs rounds until the
bars repeat.

    python bench/calibrate_house.py --deals 20000 --seed 1
"""

import argparse
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from random import Random
from statistics import fmean

from rich.console import Console
from rich.progress import track
from rich.table import Table

from terziglio import Bid, Card, Contract, Match, Seat, new_match, seat_view
from terziglio.players.house import BARS, hand_value, house
from terziglio.view import SeatView

CHUNK = 250
FEW = 100
Bars = dict[Contract, int]
Samples = dict[tuple[Contract | None, int], list[int]]
CHOICES: tuple[Contract | None, ...] = (None, *Contract)


def bid(view: SeatView, bars: Bars) -> Bid:
    """Bid as the house player does, with these bars."""
    value = hand_value(view.hand)
    worth = (b for b in view.legal.bids if b is not None and value >= bars[b])
    return Bid(max(worth, default=None))


def outcome(match: Match, bars: Bars) -> Match:
    """Play a hand to its end."""
    while match.turn is not None:
        view = seat_view(match, match.turn)
        action = bid(view, bars) if view.legal.bids else house(view)
        match = match.apply(match.turn, action)
    return match


def sample(seed: int, *, bars: Bars) -> tuple[Samples, int]:
    """Play ``CHUNK`` deals; return gains by choice and value, and the pass-outs."""
    rng, pack = Random(seed), list(Card)
    gains: Samples = defaultdict(list)
    passed_out = 0
    for _ in range(CHUNK):
        rng.shuffle(pack)
        match = new_match(21, Seat(2)).deal(pack)
        value = hand_value(seat_view(match, Seat(0)).hand)
        for choice in CHOICES:
            end = outcome(match.apply(Seat(0), Bid(choice)), bars)
            gains[choice, value].append(end.scores[0])
        passed_out += outcome(match, bars).hand_no == 0
    return dict(gains), passed_out


def gather(
    pool: ProcessPoolExecutor, deals: int, seed: int, bars: Bars
) -> tuple[Samples, float]:
    """Return all gains and the share of deals that are passed out."""
    seeds = range(seed * 1_000_000, seed * 1_000_000 + deals // CHUNK)
    gains: Samples = defaultdict(list)
    passed_out = 0
    chunks = pool.map(partial(sample, bars=bars), seeds)
    for some, out in track(chunks, total=len(seeds), description="deals"):
        passed_out += out
        for key, values in some.items():
            gains[key] += values
    return gains, passed_out / (len(seeds) * CHUNK)


def find_bars(gains: Samples) -> Bars:
    """Return for each contract the least value from which on it pays to bid it."""
    values = sorted({value for _, value in gains})
    bars: Bars = {}
    for weaker, contract in pairwise(CHOICES):
        assert contract is not None
        # Scanning down stops at the first value where the stronger bid loses; values
        # that too few deals have are not asked.
        bar = values[-1] + 1
        for value in reversed(values):
            few = len(gains[contract, value]) < FEW
            if not few and fmean(gains[contract, value]) < fmean(gains[weaker, value]):
                break
            bar = value
        bars[contract] = bar
    return bars


def main() -> None:
    """Run rounds until the bars repeat and print the table of the last one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=20_000, help="deals a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5, help="rounds at the most")
    args = parser.parse_args()
    console, bars = Console(), dict(BARS)
    with ProcessPoolExecutor() as pool:
        for number in range(args.rounds):
            gains, out = gather(pool, args.deals, args.seed + number, bars)
            found = find_bars(gains)
            show(console, gains)
            console.print(f"bars {told(bars)}: {out:.1%} of deals passed out")
            console.print(f"gains ask for {told(found)}")
            if found == bars:
                break
            bars = found


def told(bars: Bars) -> str:
    """Return bars as text."""
    return ", ".join(f"{contract} {bar}" for contract, bar in bars.items())


def show(console: Console, gains: Samples) -> None:
    """Print mean gains in game points by hand value."""
    table = Table("value", "deals", "pass", *(str(c) for c in Contract))
    for value in sorted({value for _, value in gains}):
        means = (f"{fmean(gains[choice, value]):+.2f}" for choice in CHOICES)
        table.add_row(str(value), str(len(gains[None, value])), *means)
    console.print(table)


if __name__ == "__main__":
    main()
