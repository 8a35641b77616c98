"""The house player: its hand value, and each rule it plays by."""

import pytest

from support import at, bidding, cards, dealt, golden, on_table, shuffled, steps
from terziglio.actions import Bid, Call, Discard, Phase, Play
from terziglio.cards import ALL_CARDS, Card, cards_in, set_of
from terziglio.contracts import Contract
from terziglio.hand import check, deal
from terziglio.legal import DiscardRule, LegalCalls, LegalDiscards, LegalPlays
from terziglio.match import new_match
from terziglio.phases import Hand
from terziglio.players.house import BARS, hand_value, house
from terziglio.seats import Seat
from terziglio.tricks import Trick
from terziglio.view import ContractView, MatchView, MonteView, SeatView, seat_view

TABLE = MatchView(7, (0, 0, 0), deal=1, hand=0, dealer=Seat.S0, winner=None)


def view_of(hand: Hand) -> SeatView:
    assert hand.turn is not None
    return seat_view(on_table(hand), hand.turn)


@pytest.mark.parametrize(
    ("held", "value"),
    [
        ("4S 5S 6S 7S 4C 5C 6C 7C 4H 5H 6H 7H", 0),
        ("QS JS 6S 7S QC JC 6C 7C QH JH 6H 7H", 0),
        ("3S 5S 6S 7S 4C 5C 6C 7C 4H 5H 6H 7H", 3),
        ("2S 5S 6S 7S 4C 5C 6C 7C 4H 5H 6H 7H", 2),
        ("AS 5S 6S 7S 4C 5C 6C 7C 4H 5H 6H 7H", 2),
        ("KS 5S 6S 7S 4C 5C 6C 7C 4H 5H 6H 7H", 1),
        ("4S 5S 6S 7S JS 5C 6C 7C 4H 5H 6H 7H", 1),
        ("3S 2S AS KS QS JS 7S 6S 5S 4S 3H 2H", 3 + 2 + 2 + 1 + 6 + 3 + 2),
        ("3S 2S AS 3C 2C AC 3H 2H AH 3D 2D AD", 4 * 7),
    ],
)
def test_R70_hand_value(held: str, value: int) -> None:
    assert hand_value(cards(held)) == value


def test_O29_bars_rise_with_the_bid() -> None:
    assert 0 < BARS[Contract.CHIAMO] < BARS[Contract.SOLO] < BARS[Contract.SOLISSIMO]


def bid_with(value: int, letters: str = "") -> Bid:
    """What the house bids on a real deal whose hand on turn has that value."""
    for seed in range(20_000):
        hand = bidding(deal(Seat.S0, shuffled(seed)), letters)
        assert hand.turn is not None
        if hand_value(cards_in(hand.dealt.hands[hand.turn])) == value:
            action = house(view_of(hand))
            assert isinstance(action, Bid)
            return action
    raise AssertionError(f"no hand of {value}")


def test_R70_bids_the_highest_whose_bar_it_reaches() -> None:
    assert bid_with(BARS[Contract.CHIAMO] - 1) == Bid(None)
    assert bid_with(BARS[Contract.CHIAMO]) == Bid(Contract.CHIAMO)
    assert bid_with(BARS[Contract.SOLO] - 1) == Bid(Contract.CHIAMO)
    assert bid_with(BARS[Contract.SOLO]) == Bid(Contract.SOLO)
    assert bid_with(BARS[Contract.SOLISSIMO] - 1) == Bid(Contract.SOLO)
    assert bid_with(BARS[Contract.SOLISSIMO]) == Bid(Contract.SOLISSIMO)


def test_passes_when_its_bid_is_taken() -> None:
    assert bid_with(BARS[Contract.CHIAMO], "C") == Bid(None)
    assert bid_with(BARS[Contract.SOLO], "C") == Bid(Contract.SOLO)
    assert bid_with(BARS[Contract.SOLO], "S") == Bid(None)


@pytest.mark.parametrize(
    ("held", "called"),
    [
        pytest.param(
            "2S AS KS QS JS 3C 2C 3H 2H 3D 2D 4D", "3S", id="3 of the longest suit"
        ),
        pytest.param(
            "3S 2S KS QS JS 2C 5C 6C 7C 3H 3D 2D", "3C", id="longest that lacks its 3"
        ),
        pytest.param("3S KS QS JS 7S 3C 2C 3H 2H 3D 2D 4D", "2S", id="no 3 lacks: a 2"),
        pytest.param(
            "3S 2S KS QS 3C 2C AC 3H 2H AH 3D 2D", "AS", id="no 3 or 2 lacks: an ace"
        ),
        pytest.param(
            "2S AS KS 2C AC KC 2H AH KH 2D AD KD", "3S", id="like suits: the first"
        ),
    ],
)
def test_calls_the_missing_3_then_2_then_ace_of_its_longest_suit(
    held: str, called: str
) -> None:
    own = tuple(sorted(cards(held)))
    others = cards_in(ALL_CARDS ^ set_of(own))
    view = SeatView(Seat.S1, Phase.CALL, TABLE, hand=own, legal=LegalCalls(others))
    assert house(view) == Call(Card(called))


def discard_from(held: str, *, give_back: bool) -> Discard:
    own = tuple(sorted(cards(held)))
    legal = LegalDiscards(DiscardRule(4, give_back, own))
    view = SeatView(Seat.S1, Phase.EXCHANGE, TABLE, hand=own, legal=legal)
    action = house(view)
    assert isinstance(action, Discard)
    return action


def test_gives_back_its_lowest_worthless_card() -> None:
    held = "3S 2S AS KS 5S 7S 3C KC 6C 3H 2H JH QH 3D 2D AD 7D"
    assert discard_from(held, give_back=True).give_back is Card("5S")
    assert discard_from(held.replace("5S", "QS"), give_back=True).give_back is Card(
        "6C"
    )


def test_gives_back_a_figure_when_it_holds_nothing_worthless() -> None:
    held = "3S 2S AS KS QS 3C 2C AC KC 3H 2H AH JH 3D 2D AD KD"
    assert discard_from(held, give_back=True).give_back is Card("JH")


def test_lays_the_weakest_of_its_shortest_suits_and_keeps_3_2_and_ace() -> None:
    """Two clubs, two hearts, three coins: clubs and hearts but their 3, then coins."""
    held = "3S 2S AS KS QS 7S 6S 5S 4S 3C 7C KH 5H 6D JD AD"
    laid = discard_from(held, give_back=False)
    assert laid.give_back is None
    assert set(laid.cards) == set(cards("7C KH 5H 6D"))


def test_lays_aces_before_2s_before_3s_when_nothing_else_is_left() -> None:
    held = "3S 2S AS 3C 2C AC 3H 2H AH 3D 2D AD KD QD JD"
    assert set(discard_from(held, give_back=False).cards) == set(cards("JD QD KD AS"))
    rich = "3S 2S 3C 2C 3H 2H 3D 2D AD"
    assert set(discard_from(rich, give_back=False).cards) == set(cards("AD 2S 2C 2H"))


def play(
    held: str,
    trick: str = "",
    *,
    leader: int | None = None,
    soloist: int = 0,
    seat: int = 0,
    gone: str = "",
    laid: str = "",
) -> str:
    """What a seat plays; ``gone`` has been played in finished tricks."""
    own = cards(held)
    on_table_now = cards(trick)
    first = seat - len(on_table_now) if leader is None else leader
    suit = on_table_now[0].suit if on_table_now else None
    follow = [card for card in own if card.suit is suit] or own
    view = SeatView(
        seat=Seat(seat),
        phase=Phase.PLAY,
        match=TABLE,
        contract=ContractView(Seat(soloist), Contract.SOLO, None, None, None),
        monte=MonteView(4, None, cards(laid) if laid else None),
        hand=own,
        trick=Trick(Seat(first % 3), on_table_now),
        tricks=(Trick(Seat.S0, cards(gone)),) if gone else (),
        legal=LegalPlays(set_of(follow), 0, None),
    )
    action = house(view)
    assert isinstance(action, Play)
    return str(action.card)


def test_soloist_cashes_when_every_card_left_is_a_boss() -> None:
    assert play("3S 2S 3H") == "2S"
    assert play("KS 3H", gone="3S 2S AS") == "KS"
    assert play("KS 3H", gone="3S 2S", laid="AS 4S 5S 6S") == "KS"


def test_soloist_works_on_his_longest_suit_bosses_first() -> None:
    assert play("3S 2S KS 3H 4C") == "2S"
    assert play("2S KS 7S 3H") == "7S", "without a boss there, its cheapest card"
    assert play("4S 5S 4C 5C") == "4S", "of like suits the first"


def test_defender_leads_a_boss_of_his_longest_suit_with_one() -> None:
    assert play("3S 4S 3C 4C 5C 4H 5H 6H 7H", soloist=1) == "3C"
    assert play("3S 4S 3C 4C", soloist=1) == "3S", "of like suits the first"
    assert play("3C 2C 4C", soloist=1) == "2C", "of like bosses the lower"


def test_defender_with_bosses_alone_does_not_cash_them_as_a_soloist_would() -> None:
    assert play("3S 3C 2C", soloist=1) == "2C"
    assert play("3S 3C 2C", soloist=0) == "3S"


def test_defender_without_a_boss_leads_low_from_his_longest_suit() -> None:
    assert play("KS 7S QS 2D AD", soloist=1) == "7S"
    assert play("AS KS QS 2D", soloist=1) == "QS"


def test_finished_trick_on_the_table_means_that_he_leads() -> None:
    assert play("3S 4C", "4D 5D 6D", leader=0, gone="4D 5D 6D") == "3S"


def test_defender_feeds_his_partners_sure_trick_with_the_richest_card() -> None:
    """Seat 2 defends with seat 1 against 0."""
    last = play("3S 2S AS KS 4S", "4S 5S", seat=2, leader=0)
    assert last == "AS", "the soloist led 4S, his partner holds it with 5S"
    boss = play("AS KS 4S", "3S", seat=2, leader=1)
    assert boss == "AS", "his partner led the boss, the soloist is still to play"
    assert play("KH AD 4C", "3S", seat=2, leader=1) == "AD", "off suit as well"


def test_defender_feeds_no_3_or_2() -> None:
    assert play("3S 2S", "4S 5S", seat=2, leader=0) == "2S"
    assert play("2S KS 7S", "4S 5S", seat=2, leader=0) == "KS"
    assert play("2S KH", "4D 5D", seat=2, leader=0) == "KH"
    assert play("2S 7H", "4D 5D", seat=2, leader=0) == "7H"


def test_defender_does_not_feed_what_the_soloist_may_still_win() -> None:
    assert play("AS KS 4S", "2S", seat=2, leader=1) == "4S"


def test_last_to_play_wins_with_the_ace_if_it_wins() -> None:
    assert play("3S 2S AS 4S", "KS 5S", seat=0, leader=1) == "AS"
    assert play("2S AS KS JS 4S", "7S 5S", seat=0, leader=1) == "AS"


def test_last_to_play_wins_else_as_cheaply_as_can_be() -> None:
    assert play("3S 2S KS QS 4S", "JS 5S", seat=0, leader=1) == "QS"
    assert play("3S QS 4S", "AS 5S", seat=0, leader=1) == "3S"


def test_last_to_play_that_cannot_win_throws_his_cheapest() -> None:
    assert play("AS KS 7S", "3S 5S", seat=0, leader=1) == "7S"
    assert play("AH KD 7C 4D", "4S 5S", seat=0, leader=1) == "4D"


def test_second_to_play_wins_for_sure_or_not_at_all() -> None:
    assert play("3S 4S", "KS", seat=0, leader=2) == "3S"
    assert play("3S 2S 4S", "KS", seat=0, leader=2) == "2S"
    assert play("AS 4S", "KS", seat=0, leader=2, gone="3S 2S 5D") == "AS"
    assert play("2S 4S", "KS", seat=0, leader=2) == "4S", "3S may be behind him"
    assert play("3S 4S", "KS", seat=1, leader=0, soloist=0) == "3S"


def test_cheapest_card_is_of_fewest_thirds_then_rank_then_suit() -> None:
    assert play("AH JD QC", "4S", seat=0, leader=2) == "JD"
    assert play("AH 5D 4C 4H", "4S", seat=0, leader=2) == "4C"


def test_every_answer_is_legal_in_whole_matches() -> None:
    phases = set()
    for seed in range(60):
        match = new_match(dealer=Seat(seed % 3)).deal(shuffled(seed))
        while match.turn is not None:
            view = seat_view(match, match.turn)
            action = house(view)
            assert house(view) == action
            assert match.hand is not None
            assert check(match.hand, match.turn, action) is None
            phases.add(match.phase)
            match = match.apply(match.turn, action)
    assert phases == {Phase.AUCTION, Phase.CALL, Phase.EXCHANGE, Phase.PLAY}


def test_takes_the_exchange_of_a_real_chiamo() -> None:
    """16 and 17 cards, with and without a card to give back."""
    for name in ("chiamo_lost", "chiamo_won", "solo_won"):
        hand = at(golden(name), Phase.EXCHANGE)
        action = house(view_of(hand))
        assert isinstance(action, Discard)
        assert hand.turn is not None
        assert check(hand, hand.turn, action) is None


def test_R69_hidden_cards_do_not_move_it() -> None:
    hands = ("3S 2S AS KS QS JS 7S 6S 5S 4S 3H 2H",)
    one = dealt(
        2,
        (
            *hands,
            "3C AC QC 6C 4C KH JH 5H 3D AD QD 5D",
            "2C KC JC 5C AH QH 6H 4H 2D KD JD 4D",
        ),
        "7C 7H 7D 6D",
    )
    other = dealt(
        2,
        (
            *hands,
            "2C KC JC 5C AH QH 6H 4H 2D KD JD 4D",
            "7C 7H 7D 6D 4C KH JH 5H 3D AD QD 5D",
        ),
        "3C AC QC 6C",
    )
    assert view_of(one) == view_of(other)
    assert house(view_of(one)) == house(view_of(other))


def test_plays_the_golden_hands_decisions_without_refusal() -> None:
    for name in ("chiamo_lost", "solo_won", "solissimo_lost"):
        for now, seat, _ in steps(golden(name)):
            assert check(now, seat, house(view_of(now))) is None
