"""No view tells what its seat may not know: re-deal just that, and nothing moves.

``redealt`` makes another hand with the same public record and the same cards for one
seat; ``look`` compares what that seat is told of the two. Doors that leak on purpose
show that it would see a leak.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace

import pytest

from redeal import MOMENTS, moments, redealt
from strategies import (
    SCALE,
    held,
    rng,
)
from terziglio import Card, Hand, Match, Seat, legal
from terziglio.cards import SUIT_CARDS, cards_in, thirds_in
from terziglio.events import CardsDiscarded, HandEvent
from terziglio.legal import LegalCalls
from terziglio.notation import write
from terziglio.phases import Playing
from terziglio.tricks import Trick
from terziglio.view import MonteView, SeatView, last_event, seat_view

LOOKS = 300


class LeakError(AssertionError):
    """A seat was told what it may not know."""


@dataclass(frozen=True)
class Door:
    """What is let out of a hand."""

    view: Callable[[Match, Seat], SeatView] = seat_view
    event: Callable[[Match, Seat], HandEvent | None] = last_event


def look(door: Door, match: Match, other: Match, seat: Seat) -> None:
    for told, again in (
        (door.view(match, seat), door.view(other, seat)),
        (door.event(match, seat), door.event(other, seat)),
    ):
        if told != again or repr(told) != repr(again):
            hands = [write(m.hand) for m in (match, other) if m.hand is not None]
            raise LeakError("\n".join([f"seat {seat} can tell apart", *hands]))


def patrol(door: Door, moment: str, looks: int, *seed: object) -> int:
    """Look at hands and their like; return how many were dealt otherwise."""
    random, moved = rng("patrol", moment, *seed), 0
    for _ in range(looks):
        match = moments(moment, random)
        assert match.hand is not None
        for seat in Seat:
            again = redealt(match.hand, seat, random)
            moved += again.dealt != match.hand.dealt
            look(door, match, replace(match, hand=again), seat)
    return moved


@pytest.mark.parametrize("chunk", range(SCALE), ids="chunk{}".format)
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_seat_cannot_tell_what_it_may_not_know(moment: str, chunk: int) -> None:
    moved = patrol(Door(), moment, LOOKS, chunk)
    # At the count every card is public; before, most looks do deal other cards.
    assert moved == 0 if moment == "count" else moved > 3 * LOOKS * 0.7


def hand_of(match: Match) -> Hand:
    assert match.hand is not None
    return match.hand


def laid_cards_for_all(match: Match, seat: Seat) -> SeatView:
    view, hand = seat_view(match, seat), hand_of(match)
    if not isinstance(hand, Playing) or hand.exchange is None or view.monte is None:
        return view
    return replace(view, monte=replace(view.monte, cards=hand.exchange.cards))


def solissimo_monte_for_the_soloist(match: Match, seat: Seat) -> SeatView:
    view, hand = seat_view(match, seat), hand_of(match)
    if (
        not isinstance(hand, Playing)
        or seat != hand.terms.soloist
        or view.monte is None
    ):
        return view
    return replace(view, monte=replace(view.monte, cards=cards_in(hand.monte)))


def monte_shown_at_once(match: Match, seat: Seat) -> SeatView:
    monte = cards_in(hand_of(match).dealt.monte)
    return replace(seat_view(match, seat), monte=MonteView(4, monte, None))


def thirds_with_the_monte(match: Match, seat: Seat) -> SeatView:
    view, hand = seat_view(match, seat), hand_of(match)
    if not isinstance(hand, Playing) or view.thirds is None:
        return view
    soloist, defenders = view.thirds
    return replace(view, thirds=(soloist, defenders + thirds_in(hand.monte)))


def options_for_all(match: Match, seat: Seat) -> SeatView:
    hand = hand_of(match)
    assert hand.turn is not None
    return replace(seat_view(match, seat), legal=legal(hand, hand.turn))


def number_of_options_for_all(match: Match, seat: Seat) -> SeatView:
    hand = hand_of(match)
    assert hand.turn is not None
    options = legal(hand, hand.turn)
    return replace(seat_view(match, seat), decision=len(options.cards))


def calls_but_those_in_vain(match: Match, seat: Seat) -> SeatView:
    view, monte = seat_view(match, seat), hand_of(match).dealt.monte
    calls = tuple(card for card in view.legal.calls if not monte >> card & 1)
    return replace(view, legal=LegalCalls(calls) if calls else view.legal)


def called_card_foretold(match: Match, seat: Seat) -> SeatView:
    view, hand = seat_view(match, seat), hand_of(match)
    assert view.contract is not None
    giver = next((s for s in Seat if held(hand)[s] >> Card.S3 & 1), None)
    return replace(view, contract=replace(view.contract, passed_by=giver))


def unsorted_hand(match: Match, seat: Seat) -> SeatView:
    """An order of the seat's own cards that comes from another seat's cards."""
    view = seat_view(match, seat)
    turn = (held(hand_of(match))[seat.next] & SUIT_CARDS[0]).bit_count()
    return replace(view, hand=view.hand[turn:] + view.hand[:turn])


def hand_of_the_next_seat(match: Match, seat: Seat) -> SeatView:
    cards = cards_in(held(hand_of(match))[seat.next])
    return replace(seat_view(match, seat), hand=cards)


def everybody_shows_at_the_end(match: Match, seat: Seat) -> SeatView:
    hands = map(cards_in, hand_of(match).dealt.hands)
    tricks = tuple(Trick(s, cards) for s, cards in zip(Seat, hands, strict=True))
    return replace(seat_view(match, seat), tricks=tricks)


@dataclass(frozen=True, slots=True)
class Talkative(SeatView):
    """Equal where a view is, but its repr, which may get into a log, tells more."""

    dealt: object = field(default=None, compare=False)


def only_in_the_repr(match: Match, seat: Seat) -> SeatView:
    view = seat_view(match, seat)
    plain = {part.name: getattr(view, part.name) for part in fields(view)}
    return Talkative(**plain, dealt=hand_of(match).dealt)


def laid_cards_in_the_event(match: Match, seat: Seat) -> HandEvent | None:
    event, hand = last_event(match, seat), hand_of(match)
    if not isinstance(event, CardsDiscarded) or not isinstance(hand, Playing):
        return event
    assert hand.exchange is not None
    return replace(event, cards=hand.exchange.cards)


LEAKS = [
    *(
        pytest.param(moment, Door(view=view), id=f"{view.__name__}-{moment}")
        for view, moments_of_it in {
            laid_cards_for_all: ("chiamo", "solo", "just-laid", "after-a-trick"),
            solissimo_monte_for_the_soloist: ("solissimo",),
            monte_shown_at_once: ("auction", "call", "solissimo", "thrown-in"),
            thirds_with_the_monte: ("chiamo", "solo", "solissimo"),
            options_for_all: ("exchange", "chiamo", "solo", "solissimo"),
            number_of_options_for_all: ("chiamo", "solo", "solissimo"),
            calls_but_those_in_vain: ("call",),
            called_card_foretold: ("call",),
            unsorted_hand: ("auction", "call", "chiamo", "solo", "solissimo"),
            hand_of_the_next_seat: ("auction", "exchange", "chiamo", "solissimo"),
            everybody_shows_at_the_end: ("thrown-in",),
            only_in_the_repr: [moment for moment in MOMENTS if moment != "count"],
        }.items()
        for moment in moments_of_it
    ),
    pytest.param(
        "just-laid", Door(event=laid_cards_in_the_event), id="laid_cards_in_the_event"
    ),
]


@pytest.mark.parametrize(("moment", "door"), LEAKS)
def test_a_planted_leak_is_seen(moment: str, door: Door) -> None:
    with pytest.raises(LeakError, match="can tell apart"):
        patrol(door, moment, 200, 0)
