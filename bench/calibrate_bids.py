"""Fit what a bid is worth (``terziglio.players.bidding``) to hands that are played out.

The first seat to speak bids chiamo, then solo, with whatever it was dealt; a player
does the rest of its hand, ``rules`` all the others. What its score changed by is
fitted, by least squares, to the cards it bid on. Deals are of the bank ``tune``.

    python bench/calibrate_bids.py --deals 9000 --player rules
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from rich.progress import track

from terziglio import Bid, Card, Contract, Seat, Suit, new_match, seat_view
from terziglio.bank import deal_of
from terziglio.cards import Rank
from terziglio.count import Result
from terziglio.players import PLAYERS
from terziglio.players.bidding import worth_of
from terziglio.players.rules import rules

CHUNK = 20
NAMES = ("start", "3", "2", "A", "K", "Q", "longer")
Sample = tuple[tuple[Card, ...], int]


def features(hand: tuple[Card, ...]) -> list[float]:
    """Return what the line is fitted to."""
    ranks = (Rank.THREE, Rank.TWO, Rank.ACE, Rank.KING, Rank.QUEEN)
    longest = max(sum(card.suit is suit for card in hand) for suit in Suit)
    counts = [sum(card.rank is rank for card in hand) for rank in ranks]
    return [1.0, *map(float, counts), float(max(0, longest - 4))]


def played(index: int, contract: Contract, name: str) -> Sample:
    """Play one deal; return the hand bid on, and what its score changed by."""
    deal = deal_of("tune", "bids", index)
    match = new_match(21, Seat(2)).deal(deal.deck)
    hand = seat_view(match, Seat(0)).hand
    match = match.apply(Seat(0), Bid(contract))
    while (seat := match.turn) is not None:
        view = seat_view(match, seat)
        if view.legal.bids:
            match = match.apply(seat, Bid(None))
        else:
            player = PLAYERS[name] if seat is Seat(0) else rules
            match = match.apply(seat, player(view))
    assert match.hand is not None
    result = getattr(match.hand, "result", None)
    assert isinstance(result, Result)
    return hand, result.delta[0]


def chunk(first: int, contract: Contract, name: str) -> list[Sample]:
    """Play some deals of the bank."""
    return [played(index, contract, name) for index in range(first, first + CHUNK)]


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=9000)
    parser.add_argument(
        "--player", default="rules", help="who plays the soloist's hand"
    )
    args = parser.parse_args()
    firsts = range(0, args.deals, CHUNK)
    for contract in (Contract.CHIAMO, Contract.SOLO):
        work = partial(chunk, contract=contract, name=args.player)
        with ProcessPoolExecutor() as pool:
            parts = track(pool.map(work, firsts), str(contract), total=len(firsts))
            samples = [sample for part in parts for sample in part]
        cards = np.array([features(hand) for hand, _ in samples])
        gains = np.array([float(gain) for _, gain in samples])
        line, *_ = np.linalg.lstsq(cards, gains, rcond=None)
        print(
            contract, {n: round(float(v), 2) for n, v in zip(NAMES, line, strict=True)}
        )
        over = gains - np.array([worth_of(contract, hand) for hand, _ in samples])
        error = 1.96 * over.std() / len(over) ** 0.5
        print(f"  above the line in use: {over.mean():+.2f} +- {error:.2f}")


if __name__ == "__main__":
    main()
