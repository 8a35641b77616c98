"""What rules of play look at: one seat's view, as sets of cards.

A ``Spot`` says who is foe and who is partner, which cards each other seat may still
hold, and what is sure. "May hold" uses all that the view tells: cards seen, suits in
which a seat has shown a void, the monte turned up, the card passed and the one given
back. What is sure here is sure: no card that the view leaves open can break it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from terziglio.cards import ALL_CARDS, SUIT_CARDS, Card, CardSet, Suit, set_of
from terziglio.seats import AFTER, SEATS, Seat
from terziglio.tricks import Trick
from terziglio.view import ContractView, SeatView

__all__ = ["Spot", "above", "length", "read"]

_ABOVE: Final = tuple(SUIT_CARDS[card.suit] >> card + 1 << card + 1 for card in Card)


def above(card: Card) -> CardSet:
    """Return the cards of its suit that beat a card."""
    return _ABOVE[card]


def length(cards: Iterable[Card], suit: Suit) -> int:
    """Return how many of the cards are of a suit."""
    return sum(card.suit is suit for card in cards)


@dataclass(frozen=True, slots=True)
class Spot:
    """What the rules of play look at."""

    seat: Seat
    cards: tuple[Card, ...]
    """The cards that may be played."""
    hand: tuple[Card, ...]
    """All own cards."""
    trick: Trick
    """The trick to play to, empty for the leader."""
    unseen: CardSet
    """Cards that others may still hold."""
    soloist: Seat
    partner: Seat | None
    """The other defender; ``None`` for the soloist."""
    may_hold: tuple[CardSet, CardSet, CardSet]
    """For each seat the cards it may hold, by all that the view tells."""
    led: tuple[CardSet, CardSet, CardSet]
    """For each seat the suits that it has led."""

    @property
    def last(self) -> bool:
        """Whether nobody plays after this seat."""
        return len(self.trick.cards) == SEATS - 1

    @property
    def best(self) -> Card:
        """The card that holds the trick on the table."""
        suit = self.trick.cards[0].suit
        return max(card for card in self.trick.cards if card.suit is suit)

    @property
    def winning(self) -> tuple[Card, ...]:
        """The cards that would hold the trick now."""
        best = self.best
        return tuple(c for c in self.cards if c.suit is best.suit and c > best)

    @property
    def longest(self) -> tuple[Card, ...]:
        """The cards of the longest suit, of several the first."""
        suit = max(Suit, key=lambda suit: length(self.cards, suit))
        return tuple(card for card in self.cards if card.suit is suit)

    @property
    def foes(self) -> CardSet:
        """The cards that the other side may hold."""
        if self.partner is not None:
            return self.may_hold[self.soloist]
        held = 0
        for seat in AFTER[self.seat][1:SEATS]:
            held |= self.may_hold[seat]
        return held

    @property
    def foes_to_play(self) -> CardSet:
        """The cards of foes who play to this trick after this seat."""
        held = 0
        for seat in AFTER[self.seat][1 : SEATS - len(self.trick.cards)]:
            if seat != self.partner:
                held |= self.may_hold[seat]
        return held

    def is_boss(self, card: Card) -> bool:
        """Whether no card that others may hold beats it."""
        return not self.unseen & _ABOVE[card]

    def is_master(self, card: Card) -> bool:
        """Whether no card that a foe may hold beats it: led, it wins for its side."""
        return not self.foes & _ABOVE[card]

    def stands(self, card: Card) -> bool:
        """Whether no foe who has still to play may beat it in this trick."""
        return not self.foes_to_play & _ABOVE[card]

    def out(self, suit: Suit) -> int:
        """Return how many cards of a suit the foes may hold."""
        return (self.foes & SUIT_CARDS[suit]).bit_count()

    def bosses(self, suit: Suit) -> tuple[Card, ...]:
        """Return the own cards of a suit that nobody can beat, weakest first."""
        return tuple(card for card in self.suit(suit) if self.is_boss(card))

    def suit(self, suit: Suit) -> tuple[Card, ...]:
        """Return the own cards of a suit, weakest first."""
        return tuple(card for card in self.hand if card.suit is suit)


def read(view: SeatView) -> Spot:
    """Return what the rules look at when this view's seat is to play."""
    trick = view.trick
    if trick is None or len(trick.cards) == SEATS:
        trick = Trick(view.seat)
    seen = set_of(view.hand) | set_of(trick.cards)
    for finished in view.tricks:
        seen |= set_of(finished.cards)
    unseen = ALL_CARDS & ~seen
    if view.monte is not None and view.monte.cards is not None:
        unseen &= ~set_of(view.monte.cards)
    soloist = view.seat if view.contract is None else view.contract.soloist
    partner = None
    if view.seat != soloist:
        partner = next(seat for seat in Seat if seat not in {view.seat, soloist})
    may_hold = [unseen & ~suits for suits in _voids((*view.tricks, trick))]
    may_hold[view.seat] = set_of(view.hand)
    if view.contract is not None:
        _place(may_hold, view, view.contract)
    led = [0, 0, 0]
    for finished in view.tricks:
        led[finished.leader] |= SUIT_CARDS[finished.cards[0].suit]
    first, second, third = may_hold
    return Spot(
        view.seat,
        view.legal.cards,
        view.hand,
        trick,
        unseen,
        soloist,
        partner,
        (first, second, third),
        (led[0], led[1], led[2]),
    )


def _voids(tricks: Sequence[Trick]) -> list[CardSet]:
    """For each seat the suits that it has shown to lack."""
    lacks = [0, 0, 0]
    for trick in tricks:
        for index, card in enumerate(trick.cards):
            led = trick.cards[0].suit
            if card.suit is not led:
                lacks[trick.leader.after(index)] |= SUIT_CARDS[led]
    return lacks


def _place(may_hold: list[CardSet], view: SeatView, contract: ContractView) -> None:
    """Take from each seat the cards that the exchange placed with another."""
    back = 0 if contract.given_back is None else 1 << contract.given_back
    taken = 0 if view.monte is None else set_of(view.monte.shown or ())
    if contract.called is not None and contract.passed_by is not None:
        taken |= 1 << contract.called
    for seat in AFTER[view.seat][1:SEATS]:
        if seat != contract.soloist:
            # The monte and the card passed went to the soloist, who holds or laid them.
            may_hold[seat] &= ~(taken & ~back)
        if seat != contract.passed_by:
            may_hold[seat] &= ~back
