"""The phases of a hand as frozen types, each with only its own fields.

    Auction -> ThrownIn
            -> Calling -> Exchange -> Playing -> Counted      (chiamo)
            ->            Exchange -> Playing -> Counted      (solo)
            ->                        Playing -> Counted      (solissimo)

What leads from one to the next is in ``terziglio.hand``. Rules: R11-R49.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from terziglio.actions import Discard, Phase
from terziglio.cards import SUIT_CARDS, Card, CardSet, cards_in, set_of, thirds_in
from terziglio.contracts import Contract
from terziglio.count import Result
from terziglio.frozen import quick
from terziglio.seats import AFTER, Seat
from terziglio.tricks import Trick

__all__ = [
    "MONTE",
    "PACKET",
    "Auction",
    "Calling",
    "Counted",
    "Dealt",
    "Exchange",
    "Hand",
    "Masks",
    "Passed",
    "Played",
    "Playing",
    "Settled",
    "Terms",
    "ThrownIn",
]

Masks = tuple[CardSet, CardSet, CardSet]
MONTE = 4
"""Cards in the monte, and so in a discard (R12, R30)."""
PACKET = 4
"""Cards in a packet of the deal (R11)."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards as dealt."""

    dealer: Seat
    hands: Masks
    monte: CardSet

    @property
    def deck(self) -> tuple[Card, ...]:
        """A deck that deals these cards (O26)."""
        packets = [cards_in(self.hands[self.dealer.after(turn)]) for turn in (1, 2, 3)]
        return (
            *(c for i in range(0, 12, PACKET) for p in packets for c in p[i : i + 4]),
            *cards_in(self.monte),
        )


@dataclass(frozen=True, slots=True)
class Passed:
    """A call, and where the card was: ``giver`` is ``None`` if in the monte."""

    card: Card
    giver: Seat | None


@dataclass(frozen=True, slots=True)
class Terms:
    """What the auction and the call have settled."""

    dealt: Dealt
    bids: tuple[Contract | None, ...]
    """In the order f, f+1, d; solissimo may have cut it short."""
    contract: Contract
    soloist: Seat
    call: Passed | None
    """``None`` where nothing is called: solo and solissimo."""

    @property
    def needs_give_back(self) -> bool:
        """Whether a defender passed a card, so one goes back to him (R29)."""
        return self.call is not None and self.call.giver is not None


@quick
@dataclass(frozen=True, slots=True)
class Auction:
    """Bidding. Rules: R14-R21."""

    phase: ClassVar[Phase] = Phase.AUCTION
    dealt: Dealt
    bids: tuple[Contract | None, ...] = ()

    @property
    def turn(self) -> Seat:
        """The seat to speak: f, then f+1, then the dealer (R14)."""
        return self.dealt.dealer.after(1 + len(self.bids))

    @property
    def highest(self) -> Contract | None:
        """The bid to beat."""
        return max((bid for bid in self.bids if bid is not None), default=None)


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """Three passes: no score, the next seat deals. Rules: R20."""

    phase: ClassVar[Phase] = Phase.THROWN_IN
    turn: ClassVar[None] = None
    dealt: Dealt
    bids: ClassVar[tuple[None, None, None]] = (None, None, None)


@dataclass(frozen=True, slots=True)
class Settled:
    """A hand whose auction has found a soloist."""

    terms: Terms

    @property
    def dealt(self) -> Dealt:
        """The cards as dealt."""
        return self.terms.dealt

    @property
    def bids(self) -> tuple[Contract | None, ...]:
        """The auction, in order."""
        return self.terms.bids


@dataclass(frozen=True, slots=True)
class Calling(Settled):
    """The chiamo soloist names a card. Rules: R22-R24."""

    phase: ClassVar[Phase] = Phase.CALL

    @property
    def turn(self) -> Seat:
        """The soloist."""
        return self.terms.soloist

    @property
    def own(self) -> CardSet:
        """The soloist's twelve cards, none of which he may call (R23)."""
        return self.terms.dealt.hands[self.turn]


@dataclass(frozen=True, slots=True)
class Exchange(Settled):
    """The soloist has taken the monte and lays four cards. Rules: R28-R34."""

    phase: ClassVar[Phase] = Phase.EXCHANGE

    @property
    def turn(self) -> Seat:
        """The soloist."""
        return self.terms.soloist

    @property
    def held(self) -> Masks:
        """What each seat holds: the soloist 16 cards, or 17 if one was passed."""
        terms = self.terms
        held = list(terms.dealt.hands)
        held[terms.soloist] |= terms.dealt.monte
        if terms.call is not None and terms.call.giver is not None:
            held[terms.call.giver] ^= 1 << terms.call.card
            held[terms.soloist] |= 1 << terms.call.card
        return held[0], held[1], held[2]


@dataclass(frozen=True, slots=True)
class Played(Settled):
    """A hand whose cards are being played, or have been."""

    exchange: Discard | None
    """The soloist's discard, cards in fixed order; ``None`` in solissimo."""

    tricks: tuple[Trick, ...]
    """The finished tricks."""

    @property
    def monte(self) -> CardSet:
        """The four cards on the table: laid, or in solissimo dealt (O11)."""
        if self.exchange is None:
            return self.terms.dealt.monte
        return set_of(self.exchange.cards)

    @property
    def tricks_won(self) -> tuple[int, int]:
        """How many tricks the soloist and the defenders have."""
        won = sum(trick.winner == self.terms.soloist for trick in self.tricks)
        return won, len(self.tricks) - won

    @property
    def in_tricks(self) -> tuple[int, int]:
        """Thirds in the tricks of the soloist and of the defenders (R49)."""
        soloist, thirds = self.terms.soloist, [0, 0]
        for trick in self.tricks:
            winner, worth = _outcome(trick)
            thirds[winner != soloist] += worth
        return thirds[0], thirds[1]


@lru_cache(maxsize=1 << 14)
def _outcome(trick: Trick) -> tuple[Seat, int]:
    """Who took a trick and what it is worth: asked for again after every card."""
    return trick.winner, trick.thirds


@quick
@dataclass(frozen=True, slots=True)
class Playing(Played):
    """Playing the tricks. Rules: R36-R43."""

    phase: ClassVar[Phase] = Phase.PLAY
    held: Masks
    trick: Trick
    """The trick on the table, possibly still empty."""

    @property
    def turn(self) -> Seat:
        """The seat to play."""
        trick = self.trick
        return AFTER[trick.leader][len(trick.cards)]

    def playable(self, seat: Seat) -> CardSet:
        """Return which of its cards a seat may play to the trick (R37-R39)."""
        held, cards = self.held[seat], self.trick.cards
        return held & SUIT_CARDS[cards[0] // 10] or held if cards else held


@quick
@dataclass(frozen=True, slots=True)
class Counted(Played):
    """Played out and counted. Rules: R44-R58."""

    phase: ClassVar[Phase] = Phase.COUNT
    turn: ClassVar[None] = None

    @property
    def result(self) -> Result:
        """The count, worked out from the tricks and the monte."""
        return Result(
            soloist=self.terms.soloist,
            contract=self.terms.contract,
            tricks=self.tricks_won,
            in_tricks=self.in_tricks,
            monte=thirds_in(self.monte),
            monte_to=self.tricks[-1].winner,
        )


Hand = Auction | ThrownIn | Calling | Exchange | Playing | Counted
