"""Endings at random, with every card known: what the solver is asked about in tests.

Each kind makes another sort of trouble: voids, long suits, many equal cards, many
points, and endings that real play leads to.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from minimax import Ending, Minimax, allowed
from strategies import Script, line, lopsided, shuffled
from terziglio import Card, Seat
from terziglio.cards import cards_in, set_of, thirds_in
from terziglio.phases import Playing
from terziglio.solver import Position

__all__ = ["KINDS", "answers", "ending", "plain"]

Pool = Callable[[Random, int], list[Card]]


def _any(random: Random, cards: int) -> list[Card]:
    return random.sample(list(Card), cards)


def _long_suits(random: Random, cards: int) -> list[Card]:
    """As few suits as will do: everybody follows for long, or is void."""
    suits = random.sample(range(4), 4)
    pack = sorted(Card, key=lambda card: suits.index(card.suit))
    return random.sample(pack[: max(cards, 10 * -(-cards // 10))], cards)


def _equals(random: Random, cards: int) -> list[Card]:
    """Neighbours of equal worth: sevens to fours, courts, threes and twos."""
    groups = [(0, 1, 2, 3), (4, 5, 6), (8, 9), (4, 5, 6, 8, 9)]
    ranks = {rank for group in random.sample(groups, 2) for rank in group}
    first = [card for card in Card if card.rank in ranks]
    rest = [card for card in Card if card.rank not in ranks]
    random.shuffle(first)
    return [*first, *random.sample(rest, len(rest))][:cards]


def _rich(random: Random, cards: int) -> list[Card]:
    """Where most points are: aces, threes, twos and courts."""
    return sorted(Card, key=lambda card: random.random() - (card.thirds > 0))[:cards]


POOLS: Final[dict[str, Pool]] = {
    "any": _any,
    "long suits": _long_suits,
    "equals": _equals,
    "rich": _rich,
}
KINDS: Final = (*POOLS, "sorted", "played")
"""Kinds of endings; ``played`` comes out of a hand, ``sorted`` deals by suit."""


def ending(random: Random, kind: str, tricks: int) -> Position:
    """Return an ending of this kind, with so many tricks to be completed."""
    if kind == "played":
        return _played(random, tricks)
    cards = POOLS.get(kind, _any)(random, 3 * tricks)
    if kind == "sorted":
        # Whole suits in one hand, and so voids in the others.
        cards.sort(key=lambda card: (card.suit, random.random() < 0.2))
    rest = [card for card in Card if card not in cards]
    monte = thirds_in(set_of(random.sample(rest, 4)))
    hands = [set_of(cards[at : at + tricks]) for at in range(0, 3 * tricks, tricks)]
    random.shuffle(hands)
    now = Position(
        (hands[0], hands[1], hands[2]),
        Seat(random.randrange(3)),
        Seat(random.randrange(3)),
        (),
        monte,
    )
    for _ in range(random.randrange(3)):
        now = _with(now, random.choice(now.playable))
    return now


def _with(now: Position, card: Card) -> Position:
    """The position with one card more on the table."""
    held = list(now.hands)
    held[now.turn] ^= 1 << card
    trick = (*now.trick, card)
    return Position(
        (held[0], held[1], held[2]), now.soloist, now.leader, trick, now.monte
    )


def _played(random: Random, tricks: int) -> Position:
    """A moment of a hand with so many tricks to be completed."""
    dealer = Seat(random.randrange(3))
    deck = lopsided(random, dealer) if random.random() < 0.3 else shuffled(random)
    script = Script.drawn(random, random.choice("CSX"))
    there = [
        hand
        for hand in line(script, dealer, deck)
        if isinstance(hand, Playing) and len(hand.tricks) == 12 - tricks
    ]
    hand = random.choice(there)
    return Position(
        hand.held,
        hand.terms.soloist,
        hand.trick.leader,
        hand.trick.cards,
        thirds_in(hand.monte),
    )


def plain(position: Position) -> Ending:
    """The same position as the plain minimax takes it."""
    first, second, third = (tuple(_cards(held)) for held in position.hands)
    return Ending(
        (first, second, third),
        int(position.soloist),
        int(position.leader),
        tuple((int(card.suit), int(card.rank)) for card in position.trick),
        position.monte,
    )


def _cards(held: int) -> Iterator[tuple[int, int]]:
    return ((int(card.suit), int(card.rank)) for card in cards_in(held))


def answers(position: Position) -> dict[Card, int]:
    """What plain minimax says of each card that may be played."""
    referee = Minimax(plain(position))
    values = referee.cards()
    assert set(values) == set(allowed(referee.start))
    return {Card(10 * suit + rank): value for (suit, rank), value in values.items()}
