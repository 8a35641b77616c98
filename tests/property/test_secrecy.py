"""No view tells what its seat may not know: re-deal just that, and nothing moves.

``redealt`` makes another hand with the same public record and the same cards for one
seat; ``look`` compares what that seat is told of the two. Doors that leak on purpose
show that it would see a leak.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from random import Random

import pytest

from strategies import (
    SCALE,
    Script,
    deck_of,
    held,
    line,
    lopsided,
    middle,
    rng,
    shuffled,
)
from terziglio import Card, Discard, Hand, Match, Seat, apply, deal, legal
from terziglio.cards import SUIT_CARDS, CardSet, cards_in, set_of, thirds_in
from terziglio.events import CardsDiscarded, HandEvent
from terziglio.hand import history
from terziglio.legal import LegalCalls
from terziglio.notation import write
from terziglio.phases import Auction, Calling, Counted, Exchange, Playing, ThrownIn
from terziglio.tricks import Trick
from terziglio.view import MonteView, SeatView, last_event, seat_view

LOOKS = 300
MIDDLE = 3
"""The place after the three seats: the monte, or what the soloist laid."""


def redealt(hand: Hand, seat: Seat, random: Random) -> Hand:
    """Deal anew what a seat may not know; play the same public record on it."""
    at = {card: place for place, cards in enumerate(where(hand)) for card in cards}
    may = {card: may_lie(hand, seat, card) for card in at}
    hidden = [card for card in at if len(may[card]) > 1]
    for _ in range(150):
        # A swap; or a ring of three, which reaches deals that swaps alone do not.
        ring = random.sample(hidden, min(len(hidden), random.choice((2, 2, 3))))
        moved = [at[card] for card in (*ring[1:], *ring[:1])]
        if all(place in may[card] for card, place in zip(ring, moved, strict=True)):
            at.update(zip(ring, moved, strict=True))
    places = [set_of(c for c in at if at[c] == place) for place in range(4)]
    return replayed(hand, places, random)


def where(hand: Hand) -> list[tuple[Card, ...]]:
    """The cards of each place: as dealt, or once cards are played those left."""
    if isinstance(hand, Playing | Counted):
        return [cards_in(cards) for cards in (*held(hand), middle(hand))]
    return [cards_in(cards) for cards in (*hand.dealt.hands, hand.dealt.monte)]


def may_lie(hand: Hand, seat: Seat, card: Card) -> set[int]:
    """The places where a card may lie, for all that the seat knows."""
    place = next(i for i, cards in enumerate(where(hand)) if card in cards)
    known = {int(seat)}
    may = {0, 1, 2, MIDDLE}
    match hand:
        case Auction() | ThrownIn() | Calling():
            pass
        case Exchange():  # the monte lies open, and all know who had the called card
            known.add(MIDDLE)
            if hand.terms.call is not None and card == hand.terms.call.card:
                return {place}
        case Counted():
            return {place}
        case Playing(terms=terms, exchange=exchange):
            may -= {s for s in Seat if card.suit in void_suits(hand, s)}
            if exchange is not None:
                if card == exchange.give_back:
                    return {place}
                if seat == terms.soloist:
                    known.add(MIDDLE)
                # What all saw him take he holds, or has laid.
                call = () if terms.call is None else (terms.call.card,)
                if card in (*cards_in(terms.dealt.monte), *call):
                    may &= {int(terms.soloist), MIDDLE}
    return {place} if place in known else may - known


def void_suits(hand: Playing, seat: Seat) -> set[int]:
    """The suits that a seat has shown to be out of."""
    return {
        trick.cards[0].suit
        for trick in (*hand.tricks, hand.trick)
        for turn, card in enumerate(trick.cards)
        if trick.leader.after(turn) == seat and card.suit != trick.cards[0].suit
    }


def replayed(hand: Hand, places: list[CardSet], random: Random) -> Hand:
    """Go from where the cards lie back to a deal, and play the record on it."""
    dealt, laid = list(places), None
    if isinstance(hand, Playing | Counted):
        table = hand.trick if isinstance(hand, Playing) else hand.tricks[-1]
        for trick in {*hand.tricks, table}:
            for turn, card in enumerate(trick.cards):
                dealt[trick.leader.after(turn)] |= 1 << card
        if hand.exchange is not None:
            call, back = hand.terms.call, hand.exchange.give_back
            laid = Discard(cards_in(places[MIDDLE]), back)
            soloist, monte = hand.terms.soloist, hand.dealt.monte
            dealt[soloist] |= places[MIDDLE]
            if call is not None and call.giver is not None and back is not None:
                dealt[call.giver] &= ~(1 << back)
                dealt[soloist] |= 1 << back
                dealt[soloist] &= ~(1 << call.card)
                dealt[call.giver] |= 1 << call.card
            dealt[soloist] &= ~monte
            dealt[MIDDLE] = monte
    # In another order too: the order in which cards were dealt is nobody's to know.
    *hands, monte_cards = (random.sample(cards_in(c), c.bit_count()) for c in dealt)
    dealer = hand.dealt.dealer
    again: Hand = deal(dealer, deck_of(dealer, hands, monte_cards))
    for actor, action in history(hand):
        told = laid if isinstance(action, Discard) and laid is not None else action
        again = apply(again, actor, told)  # refused, were the record not legal
    return again


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


MOMENTS: dict[str, tuple[str, Callable[[Hand], bool]]] = {
    "auction": ("PCSX", lambda hand: hand.phase == "auction"),
    "call": ("C", lambda hand: hand.phase == "call"),
    "exchange": ("CS", lambda hand: hand.phase == "exchange"),
    "chiamo": ("C", lambda hand: hand.phase == "play"),
    "solo": ("S", lambda hand: hand.phase == "play"),
    "solissimo": ("X", lambda hand: hand.phase == "play"),
    "just-laid": (
        "CS",
        lambda hand: (
            isinstance(hand, Playing) and not hand.tricks and not hand.trick.cards
        ),
    ),
    "after-a-trick": (
        "CSX",
        lambda hand: (
            isinstance(hand, Playing) and not hand.trick.cards and hand.tricks != ()
        ),
    ),
    "count": ("CSX", lambda hand: hand.phase == "count"),
    "thrown-in": ("P", lambda hand: hand.phase == "thrown_in"),
}
"""Moments to look at: the contracts that lead there, and what tells the moment."""


def moments(moment: str, random: Random) -> Match:
    """Return a match at a random moment of this kind."""
    contracts, is_it = MOMENTS[moment]
    dealer = Seat(random.randrange(3))
    deck = lopsided(random, dealer) if random.random() < 0.3 else shuffled(random)
    script = Script.drawn(random, random.choice(contracts))
    hand = random.choice([hand for hand in line(script, dealer, deck) if is_it(hand)])
    scores = random.choice(((0, 0, 0), (5, -1, -4), (-6, 3, 3)))
    if isinstance(hand, Counted):
        first, second, third = map(sum, zip(scores, hand.result.delta, strict=True))
        scores = (first, second, third)
    return Match(7, dealer, scores, deal_no=4, hand_no=2, hand=hand)


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
