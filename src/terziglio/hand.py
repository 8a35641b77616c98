"""One hand, from the deal to the count: ``deal``, ``check``, ``apply``.

Pure functions over the frozen phases of ``terziglio.phases``: no clock, no
randomness, the deck comes in as a value. Legality has one source, ``_step``, which
both ``check`` and ``apply`` call. Rules: R11-R43.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import ALL_CARDS, Card, CardSet, Suit, cards_in, set_of
from terziglio.contracts import Contract
from terziglio.count import TRICKS
from terziglio.errors import Illegal, IllegalAction
from terziglio.phases import (
    MONTE,
    PACKET,
    Auction,
    Calling,
    Counted,
    Dealt,
    Exchange,
    Hand,
    Masks,
    Passed,
    Played,
    Playing,
    Terms,
    ThrownIn,
)
from terziglio.seats import SEATS, Seat
from terziglio.tricks import Trick

__all__ = [
    "apply",
    "check",
    "deal",
    "decision",
    "history",
    "must_follow",
    "refuse_discard",
]


def deal(dealer: Seat, deck: Sequence[Card]) -> Auction:
    """Deal a hand: three packets of four to each seat, the last four to the monte.

    Args:
        dealer: who deals; the seat after him gets the first packet (R11).
        deck: the 40 cards in dealing order (O26).

    Raises:
        ValueError: the deck is not the forty cards, each once.
    """
    masks = [0, 0, 0]
    for packet in range(9):
        at = packet * PACKET
        masks[dealer.after(1 + packet % 3)] |= set_of(deck[at : at + PACKET])
    dealt = Dealt(dealer, (masks[0], masks[1], masks[2]), set_of(deck[36:]))
    if len(deck) != 40 or masks[0] | masks[1] | masks[2] | dealt.monte != ALL_CARDS:
        raise ValueError("a deck is the forty cards, each once")
    return Auction(dealt)


def check(hand: Hand, seat: Seat, action: Action) -> IllegalAction | None:
    """Return why ``seat`` may not do this now, or ``None`` if it may."""
    outcome = _step(hand, seat, action)
    return outcome if isinstance(outcome, IllegalAction) else None


def apply(hand: Hand, seat: Seat, action: Action) -> Hand:
    """Return the hand after the action.

    Raises:
        IllegalAction: the rules refuse it; the hand is unchanged.
    """
    outcome = _step(hand, seat, action)
    if isinstance(outcome, IllegalAction):
        raise outcome
    return outcome


def _step(hand: Hand, seat: Seat, action: Action) -> Hand | IllegalAction:
    turn = hand.turn
    if turn is None:
        return IllegalAction(Illegal.HAND_OVER)
    if seat != turn:
        return IllegalAction(Illegal.NOT_YOUR_TURN, {"turn": int(turn)})
    if isinstance(action, Play) and isinstance(hand, Playing):
        return _play(hand, seat, action.card)
    if isinstance(action, Bid) and isinstance(hand, Auction):
        return _bid(hand, action.contract)
    if isinstance(action, Call) and isinstance(hand, Calling):
        return _call(hand, action.card)
    if isinstance(action, Discard) and isinstance(hand, Exchange):
        return _discard(hand, action)
    return IllegalAction(Illegal.WRONG_PHASE, {"phase": hand.phase.value})


def _bid(hand: Auction, bid: Contract | None) -> Hand | IllegalAction:
    highest = hand.highest
    if bid is not None and highest is not None and bid <= highest:
        return IllegalAction(Illegal.BID_TOO_LOW, {"highest": highest.code})
    bids = (*hand.bids, bid)
    if len(bids) < SEATS and bid is not Contract.SOLISSIMO:
        return Auction(hand.dealt, bids)
    contract = bid or highest
    if contract is None:
        return ThrownIn(hand.dealt)
    soloist = hand.dealt.dealer.after(1 + bids.index(contract))
    terms = Terms(hand.dealt, bids, contract, soloist, None)
    if contract.calls_a_card:
        return Calling(terms)
    if contract.takes_the_monte:
        return Exchange(terms)
    return _lead(terms, None, hand.dealt.hands)


def _call(hand: Calling, card: Card) -> Hand | IllegalAction:
    if hand.own >> card & 1:
        return IllegalAction(Illegal.CARD_IN_OWN_HAND, {"card": card.code})
    terms = hand.terms
    giver = next((s for s in Seat if terms.dealt.hands[s] >> card & 1), None)
    call = Passed(card, giver)
    return Exchange(Terms(terms.dealt, terms.bids, terms.contract, terms.soloist, call))


def _discard(hand: Exchange, action: Discard) -> Hand | IllegalAction:
    held = hand.held
    reason = refuse_discard(action, held[hand.turn], hand.terms.needs_give_back)
    if reason is not None:
        return reason
    laid = set_of(action.cards)
    after = list(held)
    after[hand.turn] ^= laid
    call, back = hand.terms.call, action.give_back
    if call is not None and call.giver is not None and back is not None:
        after[hand.turn] ^= 1 << back
        after[call.giver] |= 1 << back
    return _lead(
        hand.terms, Discard(cards_in(laid), back), (after[0], after[1], after[2])
    )


def refuse_discard(
    action: Discard, own: CardSet, needs_give_back: bool
) -> IllegalAction | None:
    """Return why a soloist with these cards may not discard so (R29-R31)."""
    cards, back = action.cards, action.give_back
    if len(cards) != MONTE:
        params = {"expected": MONTE, "got": len(cards)}
        return IllegalAction(Illegal.WRONG_DISCARD_COUNT, params)
    for index, card in enumerate(cards):
        if card in cards[:index]:
            return IllegalAction(Illegal.DUPLICATE_DISCARD, {"card": card.code})
    for card in cards:
        if not own >> card & 1:
            return IllegalAction(Illegal.DISCARD_NOT_HELD, {"card": card.code})
    if back is None:
        return IllegalAction(Illegal.GIVE_BACK_MISSING) if needs_give_back else None
    if not needs_give_back:
        return IllegalAction(Illegal.GIVE_BACK_NOT_WANTED)
    if not own >> back & 1:
        return IllegalAction(Illegal.GIVE_BACK_NOT_HELD, {"card": back.code})
    if back in cards:
        return IllegalAction(Illegal.GIVE_BACK_ALSO_DISCARDED, {"card": back.code})
    return None


def _lead(terms: Terms, exchange: Discard | None, held: Masks) -> Playing:
    leads = terms.contract.soloist_leads
    leader = terms.soloist if leads else terms.dealt.dealer.next
    return Playing(terms, exchange, (), held, _LED_BY[leader])


def _play(hand: Playing, seat: Seat, card: Card) -> Hand | IllegalAction:
    bit, playable, on_table = 1 << card, hand.playable(seat), hand.trick
    if not bit & playable:
        if not hand.held[seat] & bit:
            return IllegalAction(Illegal.CARD_NOT_HELD, {"card": card.code})
        return must_follow(on_table.cards[0].suit, playable.bit_count())
    first, second, third = hand.held
    if seat == 0:
        held = (first ^ bit, second, third)
    elif seat == 1:
        held = (first, second ^ bit, third)
    else:
        held = (first, second, third ^ bit)
    cards = (*on_table.cards, card)
    trick = Trick(on_table.leader, cards)
    if len(cards) < SEATS:
        return Playing(hand.terms, hand.exchange, hand.tricks, held, trick)
    tricks = (*hand.tricks, trick)
    if len(tricks) == TRICKS:
        return Counted(hand.terms, hand.exchange, tricks)
    return Playing(hand.terms, hand.exchange, tricks, held, _LED_BY[trick.winner])


_LED_BY: Final = tuple(map(Trick, Seat))
"""The empty trick of each leader."""


def must_follow(led: Suit, held: int) -> IllegalAction:
    """Return why a held card of another suit is refused (R38)."""
    return IllegalAction(Illegal.MUST_FOLLOW_SUIT, {"led": led.code, "held": held})


def history(hand: Hand) -> Iterator[tuple[Seat, Action]]:
    """Yield every action of the hand so far, in order, with its seat."""
    for index, bid in enumerate(hand.bids):
        yield hand.dealt.dealer.after(1 + index), Bid(bid)
    if isinstance(hand, Auction | ThrownIn | Calling):
        return
    terms = hand.terms
    if terms.call is not None:
        yield terms.soloist, Call(terms.call.card)
    if isinstance(hand, Exchange):
        return
    if hand.exchange is not None:
        yield terms.soloist, hand.exchange
    on_table = (hand.trick,) if isinstance(hand, Playing) else ()
    for trick in (*hand.tricks, *on_table):
        for index, card in enumerate(trick.cards):
            yield trick.leader.after(index), Play(card)


def decision(hand: Hand) -> int:
    """Return the number of the decision that is due: the actions so far, and one."""
    number = len(hand.bids) + 1
    if isinstance(hand, (Exchange, Played)):
        number += hand.terms.call is not None
    if isinstance(hand, Played):
        number += (hand.exchange is not None) + SEATS * len(hand.tricks)
    if isinstance(hand, Playing):
        number += len(hand.trick.cards)
    return number
