"""Random full hands a second, beside OpenSpiel's skat driven the same way.

Both engines are asked for the legal actions and given one of them, drawn by the same
kind of generator, until the hand is over; skat is C++ behind Python. Skat deals by
chance moves: they are drawn from ``chance_outcomes``, as OpenSpiel's own example does,
and in a second figure from ``legal_actions``, which is cheaper for it. The engines
take turns, and a ratio is the median over the rounds.

    python bench/hands.py
"""

import argparse
from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter
from timeit import repeat

import pyspiel

from terziglio import Card, Discard, Seat, apply, deal, legal, new_match, seat_view
from terziglio.actions import Action, Bid, Call, Play
from terziglio.legal import Legal
from terziglio.phases import Hand

PACK = list(Card)
SKAT = pyspiel.load_game("skat")


def choose(offered: Legal, rng: Random) -> Action:
    """Draw one of the legal actions."""
    cards = offered.cards
    if cards:
        return Play(rng.choice(cards))
    if offered.bids:
        return Bid(rng.choice(offered.bids))
    if offered.calls:
        return Call(rng.choice(offered.calls))
    rule = offered.discard
    assert rule is not None
    drawn = rng.sample(rule.choices, rule.count + rule.give_back)
    back = drawn[-1] if rule.give_back else None
    return Discard(tuple(drawn[: rule.count]), back)


def terziglio_hand(rng: Random) -> Hand:
    """Play one random hand of this game."""
    rng.shuffle(PACK)
    hand: Hand = deal(Seat(rng.randrange(3)), PACK)
    while (turn := hand.turn) is not None:
        hand = apply(hand, turn, choose(legal(hand, turn), rng))
    return hand


def skat_hand(rng: Random) -> object:
    """Play one random hand of skat, its chance moves by their outcomes."""
    state = SKAT.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            action, _ = rng.choice(state.chance_outcomes())
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)
    return state


def skat_hand_all_legal(rng: Random) -> object:
    """Play one random hand of skat, its chance moves like all others."""
    state = SKAT.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def rate(play: Callable[[Random], object], hands: int, seed: int) -> float:
    """Return hands a second."""
    rng, start = Random(seed), perf_counter()
    for _ in range(hands):
        play(rng)
    return hands / (perf_counter() - start)


def micros(action: Callable[[], object], number: int = 20_000) -> float:
    """Return the median time of a call, in microseconds."""
    return median(repeat(action, number=number, repeat=7)) / number * 1e6


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=1500, help="hands a round")
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    players = (terziglio_hand, skat_hand, skat_hand_all_legal)
    rates: dict[Callable[[Random], object], list[float]] = {p: [] for p in players}
    for seed in range(args.rounds + 1):
        for play in players:
            rates[play].append(rate(play, args.hands if seed else 200, seed))
    ours, skat, all_legal = (
        figures[1:] for figures in rates.values()
    )  # first: warm-up
    print(f"terziglio        {median(ours):8.0f} random hands/s")
    for name, theirs in (("OpenSpiel skat", skat), ("  all by legal", all_legal)):
        ratio = median(a / b for a, b in zip(ours, theirs, strict=True))
        print(f"{name:16} {median(theirs):8.0f} random hands/s, ratio {ratio:.2f}")

    rng = Random(1)
    match = new_match().deal(PACK)
    hand, turn = match.hand, match.turn
    for _ in range(24):
        assert hand is not None
        assert turn is not None
        match = match.apply(turn, choose(legal(hand, turn), rng))
        hand, turn = match.hand, match.turn
    assert hand is not None
    assert turn is not None
    action = legal(hand, turn).first()
    print(f"one apply        {micros(lambda: apply(hand, turn, action)):8.2f} us")
    print(f"one legal        {micros(lambda: legal(hand, turn)):8.2f} us")
    print(f"one seat_view    {micros(lambda: seat_view(match, turn), 3000):8.2f} us")


if __name__ == "__main__":
    main()
