"""Deal anew what a seat may not know, and play the same public record on it."""

from collections.abc import Callable
from random import Random

from strategies import Script, deck_of, held, line, lopsided, middle, shuffled
from terziglio import Card, Discard, Hand, Match, Seat, apply, deal
from terziglio.cards import CardSet, cards_in, set_of
from terziglio.hand import history
from terziglio.phases import Auction, Calling, Counted, Exchange, Playing, ThrownIn

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
