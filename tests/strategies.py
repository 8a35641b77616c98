"""Decks, hands and probes at random, each from a seed that a failing test can name.

A seed, not a list of draws: a hand is some forty dependent choices, and what makes a
counter-example small is that it stops early, which ``hands`` lets hypothesis find.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from hypothesis import settings
from hypothesis import strategies as st

from terziglio import (
    Action,
    Bid,
    Call,
    Card,
    Contract,
    Discard,
    Hand,
    Play,
    Seat,
    apply,
    deal,
    legal,
)
from terziglio.cards import cards_in
from terziglio.phases import Auction, Calling, Counted, Exchange, Playing, ThrownIn

__all__ = [
    "AUCTIONS",
    "BIDS",
    "CI",
    "CONTRACTS",
    "PACK",
    "PHASES",
    "SCALE",
    "Script",
    "contract_of",
    "deck_of",
    "hands",
    "held",
    "line",
    "lopsided",
    "middle",
    "probe",
    "rng",
    "shuffled",
]

SCALE: Final = 25 if os.environ.get("TERZIGLIO_PROOF") else 1
"""How many times longer the long runs are."""

settings.register_profile(
    "ci",
    # The same examples on every machine: a red run is red for everybody. No deadline:
    # a slow machine is no bug. One bug at a time, or shrinking takes minutes.
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    report_multiple_bugs=False,
)
CI: Final = settings.get_profile("ci")

_AUCTIONS: Final = (
    "PPP PPC PPS PPX PCP PCS PCX PSP PSX PX CPP CPS CPX CSP CSX CX SPP SPX SX X"
)
AUCTIONS: Final = tuple(_AUCTIONS.split())
"""Every complete auction (R21, W31): pass, chiamo, solo, solissimo (X)."""
BIDS: Final = {
    "P": None,
    "C": Contract.CHIAMO,
    "S": Contract.SOLO,
    "X": Contract.SOLISSIMO,
}
CONTRACTS: Final = ("P", "C", "S", "X")
"""What an auction can end in, by its highest bid; P: thrown in."""
PACK: Final = tuple(Card)
PHASES: Final = {
    "auction": "PCSX",
    "call": "C",
    "exchange": "CS",
    "play": "CSX",
    "count": "CSX",
    "thrown_in": "P",
}
"""Every phase of a hand, with the contracts that lead there."""


def rng(*seed: object) -> Random:
    """Return a generator that belongs to this seed on every machine."""
    return Random(repr(seed))


def contract_of(auction: str) -> str:
    """Return the letter of the highest bid, which is the last one (R15, R19)."""
    return auction.rstrip("P")[-1:] or "P"


def shuffled(random: Random) -> list[Card]:
    """Return a random deck."""
    return random.sample(PACK, 40)


def lopsided(random: Random, dealer: Seat) -> list[Card]:
    """Return a deck with a strong, a weak and a middling hand: it makes bonuses."""
    noise = random.choice((0, 2, 5))
    cards = sorted(Card, key=lambda card: card.rank + noise * random.random())
    dealt = [cards[28:], cards[:12], cards[12:24]]
    return deck_of(dealer, random.sample(dealt, 3), cards[24:28])


def deck_of(
    dealer: int, dealt: Sequence[Sequence[Card]], monte: Sequence[Card]
) -> list[Card]:
    """Return the deck, in packets of four, that deals these cards (R11, O26)."""
    packets = [
        dealt[(dealer + 1 + step) % 3][at : at + 4]
        for at in (0, 4, 8)
        for step in range(3)
    ]
    return [card for packet in packets for card in packet] + list(monte)


@dataclass
class Script:
    """Someone who plays all three seats by the rules, at random or in a style."""

    random: Random
    auction: str | None = None
    """One of ``AUCTIONS``; ``None`` bids at random."""
    styles: tuple[str, str] = ("any", "any")
    """How soloist and defenders play: ``any``, ``high`` or ``low`` cards."""

    @classmethod
    def drawn(cls, random: Random, contract: str | None = None) -> "Script":
        """Return a random script; ``contract`` is one of ``CONTRACTS``, or open."""
        auction = None
        if contract is not None:
            auction = random.choice([a for a in AUCTIONS if contract_of(a) == contract])
        any_way = ("any", "any")
        styles = random.choice((any_way, any_way, ("high", "low"), ("low", "high")))
        return cls(random, auction, styles)

    def action(self, hand: Hand) -> Action:
        """Return what the seat on turn does."""
        assert hand.turn is not None
        allowed = legal(hand, hand.turn)
        if allowed.bids:
            said = len(hand.bids)  # by others too, so the script may have run out
            if self.auction is None or said >= len(self.auction):
                return Bid(self.random.choice(allowed.bids))
            return Bid(BIDS[self.auction[said]])
        if allowed.calls:
            in_monte = self.random.random() < 0.3
            monte = cards_in(hand.dealt.monte)
            return Call(self.random.choice(monte if in_monte else allowed.calls))
        if allowed.discard is not None:
            return self._discard(
                allowed.discard.choices, give_back=allowed.discard.give_back
            )
        return Play(self._card(hand, allowed.cards))

    def _discard(self, cards: tuple[Card, ...], *, give_back: bool) -> Discard:
        """Lay any four, the weakest four, or what is worth most: even four aces."""
        order = self.random.sample(cards, len(cards))
        if "any" not in self.styles:
            order.sort(key=lambda c: c.rank if "high" in self.styles[0] else -c.thirds)
        return Discard(tuple(order[:4]), order[-1] if give_back else None)

    def _card(self, hand: Hand, cards: tuple[Card, ...]) -> Card:
        assert isinstance(hand, Playing)
        style = self.styles[hand.turn != hand.terms.soloist]
        if style == "any":
            return self.random.choice(cards)
        return (max if style == "high" else min)(cards, key=lambda card: card.rank)


def line(script: Script, dealer: Seat, deck: Sequence[Card]) -> Iterator[Hand]:
    """Yield a hand's states, from the deal to its end."""
    hand: Hand = deal(dealer, deck)
    yield hand
    while hand.turn is not None:
        hand = apply(hand, hand.turn, script.action(hand))
        yield hand


@st.composite
def hands(draw: st.DrawFn, *phases: str) -> Hand:
    """A hand in one of these phases, or in any; the fewer cards played the simpler."""
    phase = draw(st.sampled_from(phases or tuple(PHASES)))
    contract = draw(st.sampled_from(PHASES[phase]))
    random = rng(draw(st.integers(0, 2**32)))
    dealer = Seat(random.randrange(3))
    deck = lopsided(random, dealer) if random.random() < 0.3 else shuffled(random)
    states = line(Script.drawn(random, contract), dealer, deck)
    there = [hand for hand in states if hand.phase == phase]
    return there[min(draw(st.integers(0, 35)), len(there) - 1)]


def probe(random: Random, hand: Hand) -> tuple[Seat, Action]:
    """Return something that anybody might try; most of it is refused."""
    seat = Seat(random.randrange(3))
    if hand.turn is not None and random.random() < 0.7:
        seat = hand.turn
    own = cards_in(held(hand)[seat]) or PACK
    any_card = random.choice(random.choice((own, PACK)))
    kinds = {"auction": "bid", "call": "call", "exchange": "discard", "play": "play"}
    kind = kinds.get(hand.phase, "play")
    if random.random() < 0.3:
        kind = random.choice(tuple(kinds.values()))
    match kind:
        case "bid":
            return seat, Bid(random.choice((None, *Contract)))
        case "call":
            return seat, Call(any_card)
        case "play":
            return seat, Play(any_card)
        case _:
            pool = own if random.random() < 0.7 else PACK
            cards = random.sample(pool, min(len(pool), random.choice((3, 4, 4, 4, 5))))
            if random.random() < 0.2:
                cards[0] = cards[-1]
            back = random.choice((None, any_card, random.choice(cards)))
            return seat, Discard(tuple(cards), back)


def held(hand: Hand) -> tuple[int, int, int]:
    """Return the card set that each seat holds."""
    match hand:
        case Exchange() | Playing():
            return hand.held
        case Counted():
            return 0, 0, 0
        case Auction() | ThrownIn() | Calling():
            return hand.dealt.hands


def middle(hand: Hand) -> int:
    """Return the card set that lies in the middle."""
    match hand:
        case Exchange():
            return 0
        case Playing() | Counted():
            return hand.monte
        case Auction() | ThrownIn() | Calling():
            return hand.dealt.monte
