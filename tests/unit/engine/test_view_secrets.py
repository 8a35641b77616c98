"""What a view must never tell: laid cards, the unseen monte, other hands.

The chiamo: dealer 0, soloist 2; seat 1 passes 3S and gets 4C back; the monte turned
up is KS JS KH 5D; 5C 7D 6D 5D are laid.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

import pytest

from support import cards, golden, on_table, played, prefix, random_hand, steps
from terziglio.actions import Discard
from terziglio.cards import Card, cards_in
from terziglio.contracts import Contract
from terziglio.hand import apply
from terziglio.legal import NOTHING
from terziglio.match import Match
from terziglio.phases import (
    Auction,
    Calling,
    Counted,
    Exchange,
    Hand,
    Playing,
    ThrownIn,
)
from terziglio.seats import Seat
from terziglio.view import MonteView, SeatView, seat_view

LAID = cards("5C 7D 6D 5D")
DEFENDERS = (Seat.S0, Seat.S1)
SOLOIST = Seat.S2


def chiamo() -> Counted:
    return played("chiamo_lost")


def solissimo() -> Counted:
    return played("solissimo_won")


def view(hand: Hand, seat: int) -> SeatView:
    return seat_view(on_table(hand), Seat(seat))


def named(value: object) -> Iterator[Card]:
    """Every card named anywhere in a value."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from named(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from named(getattr(value, field.name))


def known(hand: Hand, seat: Seat) -> set[Card]:
    """What the rules let a seat know (1.11): its own cards and all that was public."""
    if isinstance(hand, Auction | ThrownIn | Calling):
        return set(cards_in(hand.dealt.hands[seat]))
    cards_known: set[Card] = set()
    if hand.terms.call is not None:
        cards_known.add(hand.terms.call.card)
    if hand.terms.contract is not Contract.SOLISSIMO or isinstance(hand, Counted):
        cards_known |= set(cards_in(hand.dealt.monte))
    if isinstance(hand, Exchange | Playing):
        cards_known |= set(cards_in(hand.held[seat]))
    if isinstance(hand, Playing | Counted):
        on_tricks = (hand.trick,) if isinstance(hand, Playing) else ()
        cards_known |= set(named((hand.tricks, on_tricks)))
        if hand.exchange is not None:
            cards_known |= set(named(hand.exchange.give_back))
            if seat == hand.terms.soloist or isinstance(hand, Counted):
                cards_known |= set(hand.exchange.cards)
    return cards_known


def test_R12_R49_R69_view_names_exactly_the_cards_its_seat_may_know() -> None:
    """The caller's 28 options apart: they are the pack without his own hand."""
    hands = [golden(n) for n in ("chiamo_lost", "chiamo_won", "solo_won", "thrown_in")]
    hands += [solissimo(), golden("chiamo_won_cappotto"), *map(random_hand, range(15))]
    for hand in hands:
        for now in [*(now for now, _, _ in steps(hand)), hand]:
            for seat in Seat:
                seen = seat_view(Match(7, now.dealt.dealer, hand=now), seat)
                legal = seen.legal
                options = (legal.cards, tuple(legal.why), legal.discard)
                told = {*named(replace(seen, legal=NOTHING)), *named(options)}
                assert told == known(now, seat)
                assert not legal.calls or seat == now.turn


@pytest.mark.parametrize("seat", DEFENDERS)
def test_O8_W48_no_laid_card_anywhere_in_a_defenders_view(seat: Seat) -> None:
    """5D was turned up to all in the monte: that much stays public."""
    for actions in range(5, 41):
        seen = set(named(view(prefix(chiamo(), actions), seat)))
        assert seen & set(LAID) == {Card("5D")}
    assert set(LAID) <= set(named(view(chiamo(), seat)))


@pytest.mark.parametrize("seat", DEFENDERS)
def test_O8_W48_defender_cannot_tell_which_four_were_laid(seat: Seat) -> None:
    exchange = prefix(chiamo(), 4)
    seen = set()
    for four in ("5C 7D 6D 5D", "AS 3C AC KC", "KS JS KH 5D", "3S 7D 6D AD"):
        laid = apply(exchange, SOLOIST, Discard(cards(four), Card("4C")))
        seen.add(view(laid, seat))
    assert len(seen) == 1


@pytest.mark.parametrize("seat", Seat)
def test_R35_O10_W47_monte_of_solissimo_is_four_backs_to_all_till_the_count(
    seat: Seat,
) -> None:
    monte = set(cards_in(solissimo().dealt.monte))
    for now, _, _ in steps(solissimo()):
        seen = view(now, seat)
        assert seen.monte == MonteView(4, None, None)
        assert monte.isdisjoint(named(seen))
    counted = view(solissimo(), seat)
    assert counted.monte == MonteView(4, None, tuple(sorted(monte)))
