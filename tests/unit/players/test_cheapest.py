"""What the clock does for a seat: the cases of the protocol's page, by hand."""

import pytest

from support import cards, dealt, on_table, shuffled
from terziglio import Bid, Call, Card, Contract, Discard, Play, Seat, apply, legal
from terziglio.hand import check
from terziglio.match import new_match
from terziglio.phases import Hand
from terziglio.players import cheapest
from terziglio.view import SeatView, seat_view


def view_of(hand: Hand) -> SeatView:
    assert hand.turn is not None
    return seat_view(on_table(hand), hand.turn)


def soloist_with(hand: str) -> Hand:
    """Seat 1 has these twelve cards and has bid chiamo, the others have passed."""
    mine = cards(hand)
    rest = [card for card in Card if card not in mine]
    seat2, seat0, monte = rest[:12], rest[12:24], rest[24:]

    def text(of: list[Card]) -> str:
        return " ".join(map(str, of))

    start: Hand = dealt(0, (text(seat0), hand, text(seat2)), text(monte))
    for bid in (Contract.CHIAMO, None, None):
        assert start.turn is not None
        start = apply(start, start.turn, Bid(bid))
    return start


def test_it_passes() -> None:
    match = new_match(dealer=Seat(0)).deal(shuffled(3))
    assert match.turn is not None
    assert cheapest(seat_view(match, match.turn)) == Bid(None)


@pytest.mark.parametrize(
    ("hand", "called"),
    [
        ("3H 2H AH KH 4S 5S 6S 4C 5C 6C 4D 5D", "QH"),  # the longest, its highest
        ("2H AH KH QH 4S 5S 6S 4C 5C 6C 4D 5D", "3H"),
        ("3S 2S AS 3C 2C AC 3H 2H AH 3D 2D AD", "KS"),  # equally long: S before C
        ("4C 5C 6C 4H 5H 6H 4D 5D 6D 3S 2S 7C", "3C"),
        ("3D 2D AD KD QD JD 7D 6D 5D 4D 4S 4C", "3S"),  # no coin is lacking
    ],
)
def test_it_calls_the_highest_of_the_longest_suit_that_lacks_one(
    hand: str, called: str
) -> None:
    assert cheapest(view_of(soloist_with(hand))) == Call(Card(called))


def test_it_lays_down_and_gives_back_the_cheapest() -> None:
    hand = soloist_with("3S 2S AS KS 3C 2C AC KC 4H 5H 6H 7H")
    given = apply(hand, Seat(1), Call(Card("3H")))
    view = view_of(given)
    rule = legal(given, Seat(1)).discard
    assert rule is not None
    # By thirds, then rank, then suit: worked out here from the rules' own tables.
    worth = {"A": 3, **dict.fromkeys("32KQJ", 1), **dict.fromkeys("7654", 0)}
    order = sorted(
        map(str, rule.choices),
        key=lambda c: (worth[c[0]], "4567JQKA23".index(c[0]), "SCHD".index(c[1])),
    )
    answer = cheapest(view)
    assert isinstance(answer, Discard)
    assert sorted(map(str, answer.cards)) == sorted(order[:4])
    assert str(answer.give_back) == order[4]
    assert check(given, Seat(1), answer) is None


def test_it_plays_the_cheapest_legal_card() -> None:
    for seed in range(40):
        match = new_match(dealer=Seat(0)).deal(shuffled(seed))
        while match.turn is not None:
            view = seat_view(match, match.turn)
            action = cheapest(view)
            assert match.hand is not None
            assert check(match.hand, match.turn, action) is None
            if isinstance(action, Play):
                least = min(card.thirds for card in view.legal.cards)
                assert action.card.thirds == least
                rivals = [c for c in view.legal.cards if c.thirds == least]
                assert action.card.rank == min(c.rank for c in rivals)
            bid = Bid(Contract.CHIAMO)
            if view.legal.bids and bid.contract in view.legal.bids:
                action = bid
            match = match.apply(match.turn, action)
