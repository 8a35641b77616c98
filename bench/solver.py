"""Time the solver on deals with a strong soloist, and a bridge solver beside it.

Deals come from the public bank; the seat with the best hand takes the monte in a solo
and exchanges as ``rules`` does; the seat after the dealer leads. With 8 cards left,
``rules`` has played the first four tricks. Beside it DDS (``endplay``, the double-dummy
solver of bridge) solves no-trump deals of 13 tricks, for the best card. One core, each
question asked once, the table of positions empty at its start.

    python bench/solver.py --deals 200
"""

import argparse
from random import Random
from time import process_time

from endplay.dds import solve_board
from endplay.types import Deal, Denom, Player

from terziglio import Contract, Match, Seat, new_match, seat_view
from terziglio.actions import Bid
from terziglio.bank import deal_of
from terziglio.cards import thirds_in
from terziglio.phases import Hand, Playing
from terziglio.players.bidding import worth_of
from terziglio.players.rules import rules
from terziglio.solver import COMPILED, Position, reaches, thirds


def position(hand: Hand) -> Position:
    """Return a hand in play as the solver takes it."""
    assert isinstance(hand, Playing)
    return Position(
        hand.held,
        hand.terms.soloist,
        hand.trick.leader,
        hand.trick.cards,
        thirds_in(hand.monte),
    )


def played(match: Match, left: int) -> Position:
    """Let ``rules`` go on until so many tricks are left; return the position."""
    while match.hand is not None and match.turn is not None:
        hand = match.hand
        if isinstance(hand, Playing) and len(hand.tricks) == 12 - left:
            return position(hand)
        match = match.apply(match.turn, rules(seat_view(match, match.turn)))
    raise AssertionError("a hand has twelve tricks")


def strong(index: int) -> Match:
    """Return a bank deal in which the seat with the best hand plays solo."""
    deal = deal_of("test", "bench", index)
    match = new_match(21, deal.dealer).deal(deal.deck)
    best = max(Seat, key=lambda s: worth_of(Contract.SOLO, seat_view(match, s).hand))
    while match.hand is not None and match.hand.phase == "auction":
        seat = match.turn
        assert seat is not None
        match = match.apply(seat, Bid(Contract.SOLO if seat is best else None))
    return match


def bridge(rng: Random) -> Deal:
    """Return a no-trump deal of 13 tricks, a random seat to lead."""
    pack = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
    rng.shuffle(pack)
    hands = []
    for seat in range(4):
        held = pack[13 * seat : 13 * seat + 13]
        hands.append(".".join("".join(c[0] for c in held if c[1] == s) for s in "SHDC"))
    deal = Deal("N:" + " ".join(hands))
    deal.trump, deal.first = Denom.nt, rng.choice(list(Player))
    return deal


def told(name: str, times: list[float]) -> float:
    """Print the median and the tail of some times; return the median."""
    times.sort()
    middle, tail = times[len(times) // 2], times[int(len(times) * 0.99)]
    print(f"{name:44} median {middle * 1e3:8.2f} ms   p99 {tail * 1e3:8.1f} ms")
    return middle


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200)
    count = parser.parse_args().deals
    matches = [strong(index) for index in range(count)]
    whole = [played(match, 12) for match in matches]
    late = [played(match, 8) for match in matches]
    reaches(whole[0], 18), thirds(late[0])  # compiled, or loaded from its cache
    print(f"{count} deals, {'compiled' if COMPILED else 'plain Python'}")
    times = []
    for at in whole:
        begun = process_time()
        reaches(at, 18)
        times.append(process_time() - begun)
    told("12 tricks left: does the soloist reach 18?", times)
    medians = {}
    for name, positions in (("12", whole), ("8", late)):
        times = []
        for at in positions:
            begun = process_time()
            thirds(at)
            times.append(process_time() - begun)
        medians[name] = told(f"{name} tricks left: exact thirds", times)
    rng, times = Random(18), []
    for _ in range(count):
        deal = bridge(rng)
        begun = process_time()
        solve_board(deal)
        times.append(process_time() - begun)
    dds = told("DDS, no trumps, 13 tricks", times)
    print(f"exact thirds / DDS at the median: {medians['12'] / dds:.2f}")


if __name__ == "__main__":
    main()
