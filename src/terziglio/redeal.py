"""Deal anew what a seat may not know, and let the same public record happen.

The way to ask whether a player looks at hidden cards: the view of the new hand is the
same, so the answer has to be.
"""

from random import Random

from terziglio.actions import Action, Discard, Play
from terziglio.cards import ALL_CARDS, Card, CardSet, cards_in, set_of
from terziglio.errors import IllegalAction
from terziglio.hand import apply, deal, history
from terziglio.match import Match
from terziglio.phases import Dealt, Hand
from terziglio.seats import Seat
from terziglio.view import SeatView, seat_view

__all__ = ["redealt"]


def redealt(hand: Hand, seat: Seat, rng: Random, tries: int = 60) -> Hand:
    """Return a hand that looks the same to a seat.

    Two hidden cards change places, again and again; what the record or the view
    would tell is left as it was.

    Args:
        hand: the hand under way.
        seat: whose view stays the same.
        rng: chooses the cards.
        tries: how many changes of place to try.
    """
    view = _view(hand, seat)
    pool = cards_in(ALL_CARDS & ~_fixed(hand, view))
    for _ in range(tries if len(pool) > 1 else 0):
        first, second = rng.sample(pool, 2)
        other = _swapped(hand, first, second, laid=rng.random() < 0.5)
        if other is not None and _view(other, seat) == view:
            hand = other
    return hand


def _view(hand: Hand, seat: Seat) -> SeatView:
    return seat_view(Match(7, hand.dealt.dealer, deal_no=1, hand=hand), seat)


def _fixed(hand: Hand, view: SeatView) -> CardSet:
    """The cards that lie where the seat knows: its own, and those played."""
    played = [action.card for _, action in history(hand) if isinstance(action, Play)]
    monte = () if view.monte is None else view.monte.cards or ()
    return set_of((*view.hand, *played, *monte))


def _swapped(hand: Hand, first: Card, second: Card, *, laid: bool) -> Hand | None:
    """The hand in which two cards have changed places, if the record allows it.

    Args:
        hand: the hand as it is.
        first: a hidden card.
        second: another.
        laid: whether only what was laid face down is another.
    """
    dealt = hand.dealt
    if not laid:
        a, b, c = (_moved(cards, first, second) for cards in dealt.hands)
        dealt = Dealt(dealt.dealer, (a, b, c), _moved(dealt.monte, first, second))
    now: Hand = deal(dealt.dealer, dealt.deck)
    try:
        for seat, action in history(hand):
            now = apply(now, seat, _told(action, first, second))
    except IllegalAction:
        return None
    return now


def _told(action: Action, first: Card, second: Card) -> Action:
    """What was laid face down moves with the cards; all else was seen by all."""
    if not isinstance(action, Discard):
        return action
    laid = _moved(set_of(action.cards), first, second)
    return Discard(cards_in(laid), action.give_back)


def _moved(cards: CardSet, first: Card, second: Card) -> CardSet:
    both = 1 << first | 1 << second
    return cards ^ both if (cards & both).bit_count() == 1 else cards
