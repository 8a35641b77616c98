"""Deal anew what a seat may not know, and play the same public record on it."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from strategies import Script, deck_of, held, line, lopsided, middle, shuffled
from terziglio import (
    Action,
    Bid,
    Call,
    Card,
    Discard,
    Hand,
    Match,
    Play,
    Seat,
    apply,
    deal,
)
from terziglio.cards import CardSet, cards_in, set_of
from terziglio.hand import history
from terziglio.phases import Auction, Calling, Counted, Exchange, Playing, ThrownIn

Played = Playing | Counted
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
    if isinstance(hand, Played):
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
    if isinstance(hand, Played):
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
    dealer = hand.dealt.dealer
    again: Hand = deal(dealer, some_deck(dealer, dealt, random))
    for actor, action in history(hand):
        told = laid if isinstance(action, Discard) and laid is not None else action
        again = apply(again, actor, told)  # refused, were the record not legal
    return again


def some_deck(dealer: Seat, dealt: Sequence[CardSet], random: Random) -> list[Card]:
    """A deck that deals these cards: in what order is nobody's to know."""
    *hands, monte = (random.sample(cards_in(c), c.bit_count()) for c in dealt)
    return deck_of(dealer, hands, monte)


def like(hand: Hand, random: Random) -> tuple[Hand, int]:
    """Deal all cards anew and go the same way: the same bids, givers and winners.

    Returns:
        A hand in which every card may be another, but each action is the same seat's;
        and after how many actions it had to stop, where no card led on.
    """
    dealer = hand.dealt.dealer
    record = [action for _, action in history(hand)]
    stack: list[tuple[int, Hand]] = [(0, deal(dealer, random.sample(list(Card), 40)))]
    best, tries = stack[0], 0
    while stack and best[0] < len(record) and tries < 400:
        number, again = stack.pop()
        best, tries = max(best, (number, again), key=lambda b: b[0]), tries + 1
        if number < len(record) and again.turn is not None:
            stack.extend(
                (number + 1, apply(again, again.turn, action))
                for action in _alike(record[number], again, hand, random)
            )
    return best[1], best[0]


def _alike(action: Action, again: Hand, hand: Hand, random: Random) -> Iterator[Action]:
    """Yield what may be done in place of an action, what promises most last."""
    match action:
        case Bid():
            yield action
        case Call():
            # Met by the same seat; or it lies in the monte as well.
            assert isinstance(hand, Exchange | Played)
            assert hand.terms.call is not None
            giver = hand.terms.call.giver
            where = again.dealt.monte if giver is None else again.dealt.hands[giver]
            yield Call(random.choice(cards_in(where)))
        case Discard():
            assert again.turn is not None
            *laid, back = random.sample(cards_in(held(again)[again.turn]), 5)
            yield Discard(tuple(laid), None if action.give_back is None else back)
        case Play():
            assert isinstance(again, Playing)
            assert isinstance(hand, Played)
            at = len(again.tricks)
            known = hand.tricks[at].winner if at < len(hand.tricks) else None
            yield from map(Play, _cards_for(again, known, random))


def _cards_for(again: Playing, winner: Seat | None, random: Random) -> list[Card]:
    """Cards to play so that this seat may win the trick, the most promising last."""
    trick, cards = again.trick, list(cards_in(again.playable(again.turn)))
    random.shuffle(cards)
    if winner is None:
        return cards[:4]
    top = trick.cards[(trick.winner - trick.leader) % 3] if trick.cards else None
    beats = [c for c in cards if top is None or (c > top and c.suit is top.suit)]
    if again.turn == winner:
        return sorted(beats, key=lambda card: card.rank)[-4:]
    if top is not None and trick.winner == winner:
        cards = [card for card in cards if card not in beats]
    return sorted(cards, key=lambda card: -card.rank)[-4:]


MOMENTS: dict[str, tuple[str, Callable[[Hand], bool]]] = {
    "auction": ("PCSX", lambda hand: hand.phase == "auction"),
    "call": ("C", lambda hand: hand.phase == "call"),
    "exchange": ("CS", lambda hand: hand.phase == "exchange"),
    "chiamo": ("C", lambda hand: hand.phase == "play"),
    "called-in-monte": (
        "C",
        lambda hand: (
            isinstance(hand, Exchange | Playing)
            and hand.terms.call is not None
            and hand.terms.call.giver is None
        ),
    ),
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


def hand_at(moment: str, random: Random, dealer: Seat | None = None) -> Hand:
    """Return a hand at a random moment of this kind."""
    contracts, is_it = MOMENTS[moment]
    if dealer is None:
        dealer = Seat(random.randrange(3))
    while True:
        deck = lopsided(random, dealer) if random.random() < 0.3 else shuffled(random)
        script = Script.drawn(random, random.choice(contracts))
        there = [hand for hand in line(script, dealer, deck) if is_it(hand)]
        if there:
            return random.choice(there)


def moments(moment: str, random: Random) -> Match:
    """Return a match at a random moment of this kind."""
    hand = hand_at(moment, random)
    dealer = hand.dealt.dealer
    scores = random.choice(((0, 0, 0), (5, -1, -4), (-6, 3, 3)))
    if isinstance(hand, Counted):
        first, second, third = map(sum, zip(scores, hand.result.delta, strict=True))
        scores = (first, second, third)
    return Match(7, dealer, scores, deal_no=4, hand_no=2, hand=hand)
