"""What each seat may know, phase by phase, and what it must never see.

Most tests watch one chiamo: dealer 0, soloist 2; seat 1 passes 3S and gets 4C back;
the monte turned up is KS JS KH 5D; 5C 7D 6D 5D are laid.
"""

from dataclasses import replace

import pytest

from support import at, cards, golden, on_table, play_in, played, prefix
from terziglio.actions import Phase
from terziglio.cards import Card, cards_in
from terziglio.contracts import Contract
from terziglio.events import (
    BidMade,
    CardCalled,
    CardPlayed,
    CardsDiscarded,
    HandEvent,
    TrickTaken,
)
from terziglio.legal import NOTHING, legal
from terziglio.match import Match, new_match
from terziglio.phases import (
    Counted,
    Hand,
)
from terziglio.seats import Seat
from terziglio.tricks import Trick
from terziglio.view import (
    BidView,
    ContractView,
    MatchView,
    MonteView,
    SeatView,
    last_event,
    seat_view,
)

TURNED_UP = tuple(sorted(cards("KS JS KH 5D")))
LAID = tuple(sorted(cards("5C 7D 6D 5D")))
DEFENDERS = (Seat.S0, Seat.S1)
SOLOIST = Seat.S2
BIDS = (
    BidView(Seat.S1, None),
    BidView(Seat.S2, Contract.CHIAMO),
    BidView(Seat.S0, None),
)


def chiamo() -> Counted:
    return played("chiamo_lost")


def solo() -> Counted:
    return played("solo_won")


def solissimo() -> Counted:
    return played("solissimo_won")


def view(hand: Hand, seat: int) -> SeatView:
    return seat_view(on_table(hand), Seat(seat))


def after(actions: int, seat: int) -> SeatView:
    """The chiamo after some actions, as a seat sees it."""
    return view(prefix(chiamo(), actions), seat)


@pytest.mark.parametrize("seat", Seat)
def test_waiting_before_the_first_deal(seat: Seat) -> None:
    match = new_match(target=11, dealer=Seat.S1)
    table = MatchView(11, (0, 0, 0), deal=0, hand=0, dealer=Seat.S1, winner=None)
    seen = seat_view(match, seat)
    assert seen == SeatView(seat, Phase.WAITING, table)
    assert seen.monte is None
    assert seen.hand == ()
    assert seen.legal == NOTHING
    assert last_event(match, seat) is None


@pytest.mark.parametrize("seat", Seat)
def test_R12_auction_shows_own_twelve_the_bids_and_four_backs(seat: Seat) -> None:
    seen = after(2, seat)
    assert seen == SeatView(
        seat=seat,
        phase=Phase.AUCTION,
        match=MatchView(7, (0, 0, 0), deal=1, hand=0, dealer=Seat.S0, winner=None),
        auction=BIDS[:2],
        monte=MonteView(4, None, None),
        hand=cards_in(chiamo().dealt.hands[seat]),
        hand_sizes=(12, 12, 12),
        turn=Seat.S0,
        decision=3,
        legal=legal(prefix(chiamo(), 2), seat),
        last=BidMade(Seat.S2, Contract.CHIAMO),
    )
    assert seen.side(seat) is None
    assert bool(seen.legal.bids) == (seat == Seat.S0)


@pytest.mark.parametrize("seat", Seat)
def test_R22_call_offers_28_cards_to_the_soloist_alone(seat: Seat) -> None:
    seen = after(3, seat)
    assert seen.phase is Phase.CALL
    assert seen.auction == BIDS
    assert seen.contract == ContractView(SOLOIST, Contract.CHIAMO, None, None, None)
    assert seen.monte == MonteView(4, None, None)
    assert seen.hand == cards_in(chiamo().dealt.hands[seat])
    assert len(seen.legal.calls) == (28 if seat == SOLOIST else 0)
    assert set(seen.legal.calls).isdisjoint(seen.hand)
    assert (seen.turn, seen.decision) == (SOLOIST, 4)
    assert seen.last == BidMade(Seat.S0, None, soloist=SOLOIST)
    assert (seen.trick, seen.tricks, seen.thirds, seen.count) == (None, (), None, None)


@pytest.mark.parametrize("seat", Seat)
def test_R25_R28_exchange_shows_call_giver_and_the_monte_to_all(seat: Seat) -> None:
    seen = after(4, seat)
    assert seen.phase is Phase.EXCHANGE
    assert seen.contract == ContractView(
        SOLOIST, Contract.CHIAMO, Card("3S"), Seat.S1, None
    )
    assert seen.monte == MonteView(0, TURNED_UP, None)
    assert seen.hand_sizes == (12, 11, 17)
    assert len(seen.hand) == seen.hand_sizes[seat]
    assert (Card("3S") in seen.hand) == (seat == SOLOIST)
    assert set(TURNED_UP) <= set(seen.hand) or seat != SOLOIST
    assert (seen.legal.discard is not None) == (seat == SOLOIST)
    assert seen.last == CardCalled(SOLOIST, Card("3S"), Seat.S1, TURNED_UP)
    assert (seen.turn, seen.decision) == (SOLOIST, 5)


@pytest.mark.parametrize("seat", Seat)
def test_R26_everybody_learns_that_the_called_card_lay_in_the_monte(
    seat: Seat,
) -> None:
    seen = view(at(golden("chiamo_won"), Phase.EXCHANGE), seat)
    assert seen.contract is not None
    assert seen.contract.called is Card("AC")
    assert seen.contract.passed_by is None
    shown = tuple(sorted(cards("5S AC 7H KD")))
    assert seen.last == CardCalled(Seat.S2, Card("AC"), None, shown)
    assert seen.hand_sizes == (12, 12, 16)


@pytest.mark.parametrize("seat", Seat)
def test_R28_O9_solo_turns_the_monte_up_with_the_last_bid(seat: Seat) -> None:
    seen = view(at(solo(), Phase.EXCHANGE), seat)
    shown = tuple(sorted(cards("QS 5S 7C 7D")))
    assert seen.monte == MonteView(0, shown, None)
    assert seen.contract == ContractView(Seat.S0, Contract.SOLO, None, None, None)
    assert seen.last == BidMade(
        Seat.S0, Contract.SOLO, soloist=Seat.S0, monte_shown=shown
    )
    assert seen.hand_sizes == (16, 12, 12)


@pytest.mark.parametrize("seat", Seat)
def test_R29_R30_O7_laid_cards_are_the_soloists_alone(seat: Seat) -> None:
    seen = after(5, seat)
    own = LAID if seat == SOLOIST else None
    assert seen.phase is Phase.PLAY
    assert seen.monte == MonteView(4, TURNED_UP, own)
    assert seen.contract == ContractView(
        SOLOIST, Contract.CHIAMO, Card("3S"), Seat.S1, Card("4C")
    )
    assert seen.last == CardsDiscarded(SOLOIST, 4, Card("4C"), own)
    assert seen.hand_sizes == (12, 12, 12)
    assert (seen.trick, seen.tricks, seen.thirds) == (Trick(Seat.S1), (), (0, 0))
    assert (seen.turn, seen.decision) == (Seat.S1, 6)
    assert seen.side(seat) == ("soloist" if seat == SOLOIST else "defenders")


@pytest.mark.parametrize("seat", Seat)
def test_R17_last_event_before_the_first_card_of_solissimo(seat: Seat) -> None:
    seen = view(at(solissimo(), Phase.PLAY), seat)
    soloist = Seat.S1
    assert seen.last == BidMade(soloist, Contract.SOLISSIMO, soloist=soloist)
    assert seen.turn is soloist
    assert seen.decision == 3


@pytest.mark.parametrize("seat", Seat)
def test_R38_R71_card_that_may_not_be_played_says_why_to_its_holder_alone(
    seat: Seat,
) -> None:
    """Clubs are led and seat 2 holds four of them."""
    seen = after(6, seat)
    assert seen.trick == Trick(Seat.S1, cards("2C"))
    assert seen.last == CardPlayed(Seat.S1, Card("2C"))
    if seat == Seat.S2:
        assert seen.legal.cards == tuple(sorted(cards("3C AC KC 7C")))
        assert set(seen.legal.why) == set(seen.hand) - set(seen.legal.cards)
    else:
        assert seen.legal == NOTHING


@pytest.mark.parametrize("seat", Seat)
def test_finished_trick_stays_until_the_next_card(seat: Seat) -> None:
    first = Trick(Seat.S1, cards("2C KC JC"))
    seen = after(8, seat)
    assert seen.trick == first
    assert seen.tricks == (first,)
    assert seen.thirds == (0, 3)
    assert seen.last == CardPlayed(Seat.S0, Card("JC"), TrickTaken(Seat.S1, 3))
    assert seen.turn is Seat.S1
    following = after(9, seat)
    assert following.trick == Trick(Seat.S1, cards("5H"))
    assert following.tricks == (first,)
    assert following.last == CardPlayed(Seat.S1, Card("5H"))


@pytest.mark.parametrize("seat", Seat)
def test_R49_O25_O30_play_shows_all_tricks_and_thirds_by_side(seat: Seat) -> None:
    seen = after(5 + 12, seat)
    assert [trick.winner for trick in seen.tricks] == [1, 2, 2, 2]
    assert seen.thirds == (9, 3)
    assert seen.hand_sizes == (8, 8, 8)
    assert seen.count is None


@pytest.mark.parametrize("seat", Seat)
def test_R45_R49_count_opens_the_monte_to_all(seat: Seat) -> None:
    seen = after(41, seat)
    last = Trick(Seat.S2, cards("KS 4H 2S"))
    assert seen == SeatView(
        seat=seat,
        phase=Phase.COUNT,
        match=MatchView(7, (1, 1, -2), deal=1, hand=1, dealer=Seat.S0, winner=None),
        auction=BIDS,
        contract=ContractView(
            SOLOIST, Contract.CHIAMO, Card("3S"), Seat.S1, Card("4C")
        ),
        monte=MonteView(4, TURNED_UP, LAID),
        trick=last,
        tricks=chiamo().tricks,
        thirds=(17, 15),
        last=CardPlayed(
            Seat.S1, Card("2S"), TrickTaken(Seat.S1, 2), count=chiamo().result
        ),
        count=chiamo().result,
    )
    assert seen.hand == ()
    assert (seen.turn, seen.decision) == (None, None)


@pytest.mark.parametrize("seat", Seat)
def test_R62_finished_names_the_winner_with_the_last_card(seat: Seat) -> None:
    match = play_in(Match(7, Seat.S2), solissimo())
    seen = seat_view(match, seat)
    assert seen.phase is Phase.FINISHED
    assert seen.match.winner is Seat.S1
    assert seen.match.scores == (-4, 8, -4)
    assert isinstance(seen.last, CardPlayed)
    assert seen.last.winner is Seat.S1
    assert seen.count is not None
    assert seen.legal == NOTHING


@pytest.mark.parametrize("seat", Seat)
def test_R20_W36_thrown_in_shows_nothing_but_the_own_twelve(seat: Seat) -> None:
    hand = golden("thrown_in")
    seen = view(hand, seat)
    assert seen == SeatView(
        seat=seat,
        phase=Phase.THROWN_IN,
        match=MatchView(7, (0, 0, 0), deal=1, hand=0, dealer=Seat.S2, winner=None),
        auction=tuple(BidView(s, None) for s in Seat),
        monte=MonteView(4, None, None),
        hand=cards_in(hand.dealt.hands[seat]),
        hand_sizes=(12, 12, 12),
        last=BidMade(Seat.S2, None, thrown_in=True),
    )


def test_last_event_is_none_right_after_a_deal() -> None:
    assert last_event(on_table(prefix(chiamo(), 0)), Seat.S0) is None


def test_last_event_is_what_the_last_action_did_for_every_action() -> None:
    kinds: list[HandEvent | None] = [
        last_event(on_table(prefix(chiamo(), n)), Seat.S0) for n in range(1, 42)
    ]
    told = [event.kind for event in kinds if event is not None]
    assert told == ["bid"] * 3 + ["called", "discarded"] + ["card_played"] * 36
    taken = [event for event in kinds if isinstance(event, CardPlayed) and event.trick]
    assert len(taken) == 12


def test_decisions_are_numbered_from_1_without_gap() -> None:
    assert [after(n, 0).decision for n in range(41)] == list(range(1, 42))


def test_scores_and_deal_numbers_of_the_match_are_everybodys() -> None:
    hand = prefix(chiamo(), 3)
    match = replace(on_table(hand), scores=(3, -2, -1), deal_no=5, hand_no=3)
    for seat in Seat:
        table = seat_view(match, seat).match
        assert table == MatchView(7, (3, -2, -1), 5, 3, Seat.S0, None)


def test_equal_views_are_equal_and_can_be_keys() -> None:
    assert after(10, 0) == after(10, 0)
    assert len({after(10, 0), after(10, 0), after(10, 1)}) == 2
