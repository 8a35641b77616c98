"""A counted hand as a record: every card open, and step by step on request."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import pairwise

from terziglio import notation
from terziglio.cards import Card, CardSet, cards_in
from terziglio.contracts import Contract
from terziglio.count import Bonus
from terziglio.events import BidMade, CardCalled, CardPlayed, CardsDiscarded, HandEvent
from terziglio.hand import history
from terziglio.match import Match
from terziglio.phases import Auction, Calling, Counted, Playing
from terziglio.seats import Seat
from terziglio.view import SeatView, last_event, seat_view
from terziglio_api.journal import Acted
from terziglio_api.seen import OpenView, Record, Step
from terziglio_api.showing import table_view
from terziglio_api.table import CountedDeal, Table

__all__ = ["record", "rules_of", "steps"]

Cards = tuple[Card, ...]


def record(table: str, done: CountedDeal) -> Record:
    """Return the record of a counted hand."""
    dealt = done.hand.dealt
    actions = zip(history(done.hand), done.bys, strict=True)
    return Record(
        table=table,
        deal=done.match.deal_no,
        dealer=dealt.dealer,
        hands=_each(dealt.hands),
        monte=cards_in(dealt.monte),
        actions=tuple((seat, action, by) for (seat, action), by in actions),
        count=done.hand.result,
        scores_before=done.scores_before,
        scores_after=done.match.scores,
        text=notation.write(done.hand),
    )


def steps(
    states: Iterable[Table], deal: int, seat: Seat | None, present: AbstractSet[Seat]
) -> Iterator[Step]:
    """Yield each action of a deal with its event, its rules, and the view after it.

    Args:
        states: the table's states, in order.
        deal: the counted deal to tell.
        seat: whose view to give; ``None``: the open one.
        present: the seats online now, for a seat's view.
    """
    for before, after in pairwise(states):
        acted = after.event
        if not isinstance(acted, Acted) or after.match.deal_no != deal:
            continue
        # An open hand has no secret from its actor: his is the fullest event.
        told = last_event(after.match, acted.seat if seat is None else seat)
        assert told is not None  # noqa: S101 - an action has just been done
        view = _open(after.match) if seat is None else table_view(after, seat, present)
        rules = rules_of(told, seat_view(before.match, acted.seat))
        yield Step(told, acted.by, rules, view)


def _each(masks: tuple[CardSet, CardSet, CardSet]) -> tuple[Cards, Cards, Cards]:
    first, second, third = map(cards_in, masks)
    return first, second, third


def _open(match: Match) -> OpenView:
    hand = match.hand
    first, second, third = (seat_view(match, seat).hand for seat in Seat)
    match hand:
        case Playing() | Counted():
            monte = hand.monte
        case Auction() | Calling():
            monte = hand.dealt.monte
        case _:
            monte = 0
    public = seat_view(match, Seat.S0)
    return OpenView(public, (first, second, third), cards_in(monte))


def rules_of(event: HandEvent, before: SeatView) -> tuple[str, ...]:
    """Return the numbers of the rules that an event shows, the first one foremost."""
    match event:
        case BidMade(bid=None, thrown_in=True):
            return ("R15", "R20")
        case BidMade(bid=Contract.SOLISSIMO):
            return ("R15", "R17", "R35")
        case BidMade():
            return ("R15", "R19") if event.soloist is not None else ("R15",)
        case CardCalled(passed_by=None):
            return ("R22", "R26", "R28")
        case CardCalled():
            return ("R22", "R25", "R28")
        case CardsDiscarded():
            return ("R30",) if event.given_back is None else ("R29", "R30")
        case CardPlayed():
            return tuple(_rules_of_play(event, before))


def _rules_of_play(event: CardPlayed, before: SeatView) -> Iterator[str]:
    trick = before.trick
    if trick is None or len(trick.cards) % 3 == 0:
        yield "R36" if not before.tricks else "R40"
        yield "R37"
    else:
        yield "R38" if event.card.suit is trick.cards[0].suit else "R39"
    if event.trick is not None:
        yield "R40"
    if event.count is not None:
        yield "R44"
        yield "R47"
        bonus = event.count.bonus
        if bonus is not None:
            yield "R52" if bonus is Bonus.CAPPOTTO else "R53"
    if event.winner is not None:
        yield "R62"
