"""The only door out of a hand: what one seat may know, built up from nothing.

``seat_view`` never copies a hand and strips it: each field of a ``SeatView`` is put
there by a line that says what the seat may know (Rules 1.11). There is no view for
nobody: the seat is not optional.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import assert_never

from terziglio.actions import Phase
from terziglio.cards import Card, cards_in
from terziglio.contracts import Contract
from terziglio.count import Result
from terziglio.events import (
    BidMade,
    CardCalled,
    CardPlayed,
    CardsDiscarded,
    HandEvent,
    TrickTaken,
)
from terziglio.frozen import quick
from terziglio.hand import decision
from terziglio.legal import NOTHING, Legal, legal
from terziglio.match import Match
from terziglio.phases import (
    MONTE,
    Auction,
    Calling,
    Counted,
    Exchange,
    Hand,
    Masks,
    Played,
    Playing,
    Settled,
    Terms,
    ThrownIn,
)
from terziglio.seats import AFTER, SEATS, Seat
from terziglio.tricks import Trick

__all__ = [
    "BidView",
    "ContractView",
    "MatchView",
    "MonteView",
    "SeatView",
    "last_event",
    "seat_view",
    "seat_views",
]


@quick
@dataclass(frozen=True, slots=True)
class MatchView:
    """The match; ``scores`` in game points by seat."""

    target: int
    scores: tuple[int, int, int]
    deal: int
    """Number of the deal on the table, 0 before the first."""
    hand: int
    """Hands counted so far."""
    dealer: Seat
    winner: Seat | None


@quick
@dataclass(frozen=True, slots=True)
class BidView:
    """One call of the auction; ``bid`` is ``None`` for a pass."""

    seat: Seat
    bid: Contract | None


@quick
@dataclass(frozen=True, slots=True)
class ContractView:
    """The contract once there is one, and what the exchange made public."""

    soloist: Seat
    bid: Contract
    called: Card | None
    """The card called; ``None`` if none was, or not yet."""
    passed_by: Seat | None
    """Who passed it; ``None`` beside a called card: it lay in the monte."""
    given_back: Card | None


@quick
@dataclass(frozen=True, slots=True)
class MonteView:
    """The monte."""

    count: int
    """Cards in the middle: 4, or 0 while the soloist has them in hand."""
    shown: tuple[Card, ...] | None
    """The dealt monte once turned up to all; it stays public (R28)."""
    cards: tuple[Card, ...] | None
    """The four that lie there now, if this seat may know them (O7, R45)."""


@quick
@dataclass(frozen=True, slots=True)
class SeatView:
    """All that one seat may know of a match. Equal views compare equal."""

    seat: Seat
    phase: Phase
    match: MatchView
    auction: tuple[BidView, ...] = ()
    contract: ContractView | None = None
    monte: MonteView | None = None
    """``None`` before the first deal."""
    hand: tuple[Card, ...] = ()
    """The seat's own cards, by suit, weakest first."""
    hand_sizes: tuple[int, int, int] = (0, 0, 0)
    trick: Trick | None = None
    """The trick on the table; right after a trick, the one just finished."""
    tricks: tuple[Trick, ...] = ()
    """The finished tricks, oldest first."""
    thirds: tuple[int, int] | None = None
    """Thirds in the tricks of soloist and defenders; ``None`` before play (R49)."""
    turn: Seat | None = None
    decision: int | None = None
    """Number of the decision that is due in this deal, from 1."""
    legal: Legal = NOTHING
    """What this seat may do now; empty when it is not on turn."""
    last: HandEvent | None = None
    """What just happened in this hand."""
    count: Result | None = None

    def side(self, seat: Seat) -> str | None:
        """Return ``soloist`` or ``defenders``, ``None`` while there is no soloist."""
        if self.contract is None:
            return None
        return "soloist" if seat == self.contract.soloist else "defenders"


def seat_view(match: Match, seat: Seat) -> SeatView:
    """Return what ``seat`` may know of the match now."""
    return seat_views(match, (seat,))[0]


def seat_views(match: Match, seats: Sequence[Seat]) -> list[SeatView]:
    """Return what each of these seats may know of the match now.

    What all three know is worked out once; what is of one seat alone has that seat
    as an argument.
    """
    table = MatchView(
        target=match.target,
        scores=match.scores,
        deal=match.deal_no,
        hand=match.hand_no,
        dealer=match.dealer,
        winner=match.winner,
    )
    hand, phase = match.hand, match.phase
    if hand is None:
        return [SeatView(seat, phase, table) for seat in seats]
    played = hand if isinstance(hand, Played) else None
    held, turn = _held(hand), hand.turn
    shown, sizes = _shown(hand), _sizes(held)
    auction, contract = _auction(hand.dealt.dealer, hand.bids), _contract(hand)
    trick = None if played is None else _trick(played)
    thirds = None if played is None else played.in_tricks
    due = None if turn is None else decision(hand)
    count = hand.result if isinstance(hand, Counted) else None
    last = None if played is None else _card_played(match, played)
    tricks = () if played is None else played.tricks
    return [
        SeatView(
            seat,
            phase,
            table,
            auction,
            contract,
            _monte(hand, shown, seat),
            cards_in(held[seat]),
            sizes,
            trick,
            tricks,
            thirds,
            turn,
            due,
            legal(hand, seat) if seat is turn else NOTHING,
            last or last_event(match, seat),
            count,
        )
        for seat in seats
    ]


def last_event(match: Match, seat: Seat) -> HandEvent | None:
    """Return the last thing done in the hand on the table, as ``seat`` knows it."""
    hand = match.hand
    match hand:
        case None:
            return None
        case Auction():
            return _last_bid(hand) if hand.bids else None
        case ThrownIn():
            return _last_bid(hand, thrown_in=True)
        case Calling():
            return _last_bid(hand, hand.terms)
        case Exchange():
            return _card_called(hand.terms) or _last_bid(hand, hand.terms)
        case Playing() | Counted():
            return (
                _card_played(match, hand)
                or _discarded(hand, seat)
                or _last_bid(hand, hand.terms)
            )
        case _:
            assert_never(hand)


def _last_bid(
    hand: Hand, terms: Terms | None = None, *, thrown_in: bool = False
) -> BidMade:
    return BidMade(
        seat=hand.dealt.dealer.after(len(hand.bids)),
        bid=hand.bids[-1],
        thrown_in=thrown_in,
        soloist=None if terms is None else terms.soloist,
        monte_shown=None if terms is None or terms.call is not None else _shown(hand),
    )


def _card_called(terms: Terms) -> CardCalled | None:
    call = terms.call
    if call is None:
        return None
    return CardCalled(terms.soloist, call.card, call.giver, cards_in(terms.dealt.monte))


def _discarded(hand: Playing | Counted, seat: Seat) -> CardsDiscarded | None:
    if hand.exchange is None:
        return None
    soloist, laid = hand.terms.soloist, hand.exchange.cards
    own = laid if seat == soloist else None
    return CardsDiscarded(soloist, len(laid), hand.exchange.give_back, own)


def _card_played(match: Match, hand: Playing | Counted) -> CardPlayed | None:
    trick = _trick(hand)
    if not trick.cards:
        return None
    seat, card = trick.leader.after(len(trick.cards) - 1), trick.cards[-1]
    if len(trick.cards) < SEATS:
        return CardPlayed(seat, card)
    taken = TrickTaken(trick.winner, trick.thirds)
    if isinstance(hand, Playing):
        return CardPlayed(seat, card, taken)
    return CardPlayed(seat, card, taken, hand.result, match.winner)


@cache
def _auction(dealer: Seat, bids: tuple[Contract | None, ...]) -> tuple[BidView, ...]:
    """The calls with their seats; there are not many different auctions."""
    speaking = AFTER[dealer.next]
    return tuple([BidView(speaking[i], bid) for i, bid in enumerate(bids)])


def _contract(hand: Hand) -> ContractView | None:
    if not isinstance(hand, Settled):
        return None
    terms = hand.terms
    exchange = hand.exchange if isinstance(hand, Played) else None
    return ContractView(
        soloist=terms.soloist,
        bid=terms.contract,
        called=None if terms.call is None else terms.call.card,
        passed_by=None if terms.call is None else terms.call.giver,
        given_back=None if exchange is None else exchange.give_back,
    )


def _monte(hand: Hand, shown: tuple[Card, ...] | None, seat: Seat) -> MonteView:
    if isinstance(hand, Exchange):
        return MonteView(0, shown, None)
    cards = None
    if isinstance(hand, Counted) or (
        # The soloist may look again at the four he laid (O7); in solissimo he laid
        # none, and nobody looks (R35).
        isinstance(hand, Playing)
        and seat == hand.terms.soloist
        and hand.exchange is not None
    ):
        cards = cards_in(hand.monte)
    return MonteView(MONTE, shown, cards)


def _shown(hand: Hand) -> tuple[Card, ...] | None:
    """The dealt monte, once it was turned up to all: never in solissimo (R28, R35)."""
    if not isinstance(hand, (Exchange, Played)):
        return None
    if not hand.terms.contract.takes_the_monte:
        return None
    return cards_in(hand.dealt.monte)


def _held(hand: Hand) -> Masks:
    match hand:
        case Exchange() | Playing():
            return hand.held
        case Counted():
            return 0, 0, 0
        case _:
            return hand.dealt.hands


def _sizes(held: Masks) -> tuple[int, int, int]:
    first, second, third = held
    return first.bit_count(), second.bit_count(), third.bit_count()


def _trick(hand: Playing | Counted) -> Trick:
    """The trick on the table; a finished one stays until the next card."""
    if isinstance(hand, Playing) and (hand.trick.cards or not hand.tricks):
        return hand.trick
    return hand.tricks[-1]
