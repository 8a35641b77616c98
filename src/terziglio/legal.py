"""What a seat may do now, and for each card it may not play, why.

Made from the same predicates that ``terziglio.hand.check`` uses, so that what is
offered is what is accepted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import ALL_CARDS, Card, Suit, cards_in
from terziglio.contracts import Contract
from terziglio.errors import IllegalAction
from terziglio.hand import must_follow
from terziglio.phases import MONTE, Auction, Calling, Exchange, Hand, Playing
from terziglio.seats import Seat

__all__ = ["NOTHING", "DiscardRule", "Legal", "legal"]


@dataclass(frozen=True, slots=True)
class DiscardRule:
    """What a discard must look like. Rules: R29-R32."""

    count: int
    """How many cards go face down."""
    give_back: bool
    """Whether one card more must be given back."""
    choices: tuple[Card, ...]
    """The cards to choose from: the whole hand."""


@dataclass(frozen=True, slots=True)
class Legal:
    """What one seat may do now; all empty when it is not on turn."""

    bids: tuple[Contract | None, ...] = ()
    """Bids it may make, ``None`` (pass) first."""
    calls: tuple[Card, ...] = ()
    """Cards it may call."""
    cards: tuple[Card, ...] = ()
    """Cards it may play, in their fixed order."""
    refused: tuple[Card, ...] = ()
    """Cards it holds and may not play."""
    led: Suit | None = None
    """The suit that the refused cards do not follow; ``None`` when none is."""
    discard: DiscardRule | None = None
    """How it may discard; ``None`` outside its exchange."""

    @property
    def why(self) -> Mapping[Card, IllegalAction]:
        """For each held card that may not be played now, the reason."""
        if self.led is None:
            return {}
        return dict.fromkeys(self.refused, must_follow(self.led, len(self.cards)))

    def actions(self) -> Iterator[Action]:
        """Yield every legal action, lazily, in a fixed order (up to 30,940)."""
        yield from map(Bid, self.bids)
        yield from map(Call, self.calls)
        yield from map(Play, self.cards)
        if self.discard is None:
            return
        choices = self.discard.choices
        for back in choices if self.discard.give_back else (None,):
            rest = (card for card in choices if card != back)
            for cards in combinations(rest, self.discard.count):
                yield Discard(cards, back)

    def first(self) -> Action:
        """Return the first legal action.

        Raises:
            StopIteration: the seat is not on turn.
        """
        return next(self.actions())


NOTHING: Final = Legal()
"""What a seat may do when it is not on turn."""


def legal(hand: Hand, seat: Seat) -> Legal:
    """Return what the seat may do now."""
    if seat != hand.turn:
        return NOTHING
    match hand:
        case Playing():
            playable = hand.playable(seat)
            refused = hand.held[seat] ^ playable
            if not refused:
                return Legal((), (), cards_in(playable))
            led = hand.trick.cards[0].suit
            return Legal((), (), cards_in(playable), cards_in(refused), led)
        case Auction():
            highest = hand.highest
            above = (bid for bid in Contract if highest is None or bid > highest)
            return Legal(bids=(None, *above))
        case Calling():
            return Legal(calls=cards_in(ALL_CARDS ^ hand.own))
        case Exchange():
            choices = cards_in(hand.held[seat])
            rule = DiscardRule(MONTE, hand.terms.needs_give_back, choices)
            return Legal(discard=rule)
        case _:
            return NOTHING
