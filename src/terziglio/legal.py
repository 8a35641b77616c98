"""What a seat may do now, and for each card it may not play, why.

Made from the same predicates that ``terziglio.hand.check`` uses, so that what is
offered is what is accepted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import ALL_CARDS, SUBSETS, Card, CardSet, Suit, cards_in
from terziglio.contracts import Contract
from terziglio.errors import IllegalAction
from terziglio.frozen import quick
from terziglio.hand import must_follow
from terziglio.phases import MONTE, Auction, Calling, Exchange, Hand, Playing
from terziglio.seats import Seat

__all__ = [
    "NOTHING",
    "DiscardRule",
    "Legal",
    "LegalBids",
    "LegalCalls",
    "LegalDiscards",
    "LegalPlays",
    "legal",
]


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
    """What one seat may do now. This one, the base, is off turn: nothing at all."""

    @property
    def bids(self) -> tuple[Contract | None, ...]:
        """Bids it may make, ``None`` (pass) first."""
        return ()

    @property
    def calls(self) -> tuple[Card, ...]:
        """Cards it may call, in their fixed order."""
        return ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """Cards it may play, in their fixed order."""
        return ()

    @property
    def why(self) -> Mapping[Card, IllegalAction]:
        """For each held card that may not be played now, the reason."""
        return {}

    @property
    def discard(self) -> DiscardRule | None:
        """How it may discard; ``None`` outside its exchange."""
        return None

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
            LookupError: the seat is not on turn.
        """
        for action in self.actions():
            return action
        raise LookupError("not on turn: there is no legal action")


@dataclass(frozen=True, slots=True)
class LegalBids(Legal):
    """What a seat may do in the auction."""

    choices: tuple[Contract | None, ...]

    @property
    def bids(self) -> tuple[Contract | None, ...]:
        """Bids it may make, ``None`` (pass) first."""
        return self.choices


@dataclass(frozen=True, slots=True)
class LegalCalls(Legal):
    """What the chiamo soloist may call."""

    choices: tuple[Card, ...]

    @property
    def calls(self) -> tuple[Card, ...]:
        """Cards it may call, in their fixed order."""
        return self.choices


@dataclass(frozen=True, slots=True)
class LegalDiscards(Legal):
    """What the soloist may do in the exchange."""

    rule: DiscardRule

    @property
    def discard(self) -> DiscardRule | None:
        """How it may discard."""
        return self.rule


@quick
@dataclass(frozen=True, slots=True)
class LegalPlays(Legal):
    """What a seat may play: card sets, told as cards only where they are asked for."""

    playable: CardSet
    unplayable: CardSet
    """Cards it holds and may not play, all because they do not follow suit."""
    led: Suit | None
    """The suit led; ``None`` when every card may be played."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """Cards it may play, in their fixed order."""
        if self.led is not None:
            return SUBSETS[self.led][self.playable >> 10 * self.led]
        return cards_in(self.playable)

    @property
    def why(self) -> Mapping[Card, IllegalAction]:
        """For each held card that may not be played now, the reason."""
        if self.led is None:
            return {}
        reason = must_follow(self.led, self.playable.bit_count())
        return dict.fromkeys(cards_in(self.unplayable), reason)


NOTHING: Final = Legal()
"""What a seat may do when it is not on turn."""
_BIDS: Final = {
    highest: LegalBids((None, *(b for b in Contract if not highest or b > highest)))
    for highest in (None, *Contract)
}


def legal(hand: Hand, seat: Seat) -> Legal:
    """Return what the seat may do now."""
    match hand:
        case Playing() if seat == hand.turn:
            playable = hand.playable(seat)
            unplayable = hand.held[seat] ^ playable
            led = hand.trick.cards[0].suit if unplayable else None
            return LegalPlays(playable, unplayable, led)
        case Auction() if seat == hand.turn:
            return _BIDS[hand.highest]
        case Calling() if seat == hand.turn:
            return LegalCalls(cards_in(ALL_CARDS ^ hand.own))
        case Exchange() if seat == hand.turn:
            choices = cards_in(hand.held[seat])
            rule = DiscardRule(MONTE, hand.terms.needs_give_back, choices)
            return LegalDiscards(rule)
        case _:
            return NOTHING
