"""What the rules of play look at: sides, what each seat may hold, what is sure."""

from dataclasses import replace

from spots import play_view, spot_of
from support import cards
from terziglio.cards import ALL_CARDS, Card, Suit, cards_in, set_of
from terziglio.players.spot import above, length, read
from terziglio.seats import Seat
from terziglio.tricks import Trick


def holds(bits: int, text: str) -> bool:
    """Whether all these cards are in the set; never a part of them."""
    wanted = set_of(cards(text))
    assert bits & wanted in {0, wanted}
    return bool(bits & wanted)


def test_R3_above_are_the_cards_of_the_suit_that_beat_it() -> None:
    assert cards_in(above(Card("KS"))) == cards("AS 2S 3S")
    assert above(Card("3D")) == 0


def test_length_counts_a_suit() -> None:
    assert length(cards("3S 4S 4D"), Suit.SWORDS) == 2
    assert length((), Suit.COINS) == 0


def test_others_may_hold_all_that_is_not_seen() -> None:
    spot = spot_of("3S 4D", "5S", tricks=("1: 4S 6S 7S",), monte="AC AH AD KD")
    gone = set_of(cards("3S 4D 5S 4S 6S 7S AC AH AD KD"))
    assert spot.unseen == ALL_CARDS & ~gone
    assert spot.may_hold == (set_of(cards("3S 4D")), spot.unseen, spot.unseen)


def test_a_seat_that_did_not_follow_holds_no_card_of_that_suit() -> None:
    spot = spot_of("3S 4D", "5H 4H", tricks=("1: 4S 6H 7S",))
    assert not holds(spot.may_hold[2], "2S KS QS JS 5S"), "in a finished trick"
    assert holds(spot.may_hold[1], "2S KS QS JS 5S")
    now = spot_of("3S 4D", "5H 4C")
    assert not holds(now.may_hold[2], "3H 2H AH KH QH JH 7H 6H 4H"), "on the table"


def test_R28_the_monte_turned_up_is_not_with_the_partner() -> None:
    spot = spot_of("4D 5D", seat=1, soloist=0, monte="3S 2S AS KS")
    assert not holds(spot.may_hold[2], "3S 2S AS KS")
    assert holds(spot.may_hold[0], "3S 2S AS KS")


def test_R25_the_card_passed_is_with_the_soloist_and_the_one_given_back_is_not() -> (
    None
):
    spot = spot_of("4D 5D", seat=1, soloist=0, monte="2S AS 7C 7D", exchange="3S 2 7C")
    assert holds(spot.may_hold[0], "3S 2S AS 7D")
    assert not holds(spot.may_hold[0], "7C")
    assert not holds(spot.may_hold[2], "3S 2S AS 7D")
    assert holds(spot.may_hold[2], "7C")


def test_the_soloist_knows_who_got_the_card_given_back() -> None:
    spot = spot_of("4D 5D", soloist=0, exchange="3S 2 7C", monte="4S 5S 6S 7S")
    assert holds(spot.may_hold[2], "7C")
    assert not holds(spot.may_hold[1], "7C")


def test_before_play_nothing_is_placed() -> None:
    view = replace(play_view("4D 5D"), contract=None, monte=None, trick=None)
    spot = read(view)
    assert (spot.soloist, spot.partner) == (Seat.S0, None)
    assert spot.may_hold[1] == spot.may_hold[2] == spot.unseen
    assert read(replace(view, contract=play_view("4D").contract)).led == (0, 0, 0)


def test_finished_trick_on_the_table_counts_as_the_next_ones_start() -> None:
    done = Trick(Seat.S1, cards("4S 5S 6S"))
    spot = read(replace(play_view("4D", tricks=("1: 4S 5S 6S",)), trick=done))
    assert spot.trick == Trick(Seat.S0)


def test_partners_are_the_two_who_are_not_the_soloist() -> None:
    assert spot_of("4D", seat=0, soloist=0).partner is None
    assert spot_of("4D", seat=0, soloist=1).partner is Seat.S2
    assert spot_of("4D", seat=2, soloist=1).partner is Seat.S0


def test_suits_led_by_each_seat() -> None:
    spot = spot_of("4D", tricks=("1: 4S 5S 6S", "0: 4C 5C 6C", "0: 4H 5H 6H"))
    assert [bool(spot.led[s] >> c & 1) for s in (0, 1) for c in (0, 10, 20)] == [
        *(False, True, True),
        *(True, False, False),
    ]


def test_foes_are_both_defenders_or_the_soloist_alone() -> None:
    void = ("1: 4S 6H 7S",)
    assert holds(spot_of("4D", soloist=0, tricks=void).foes, "3S 2S AS")
    assert not holds(spot_of("4D", soloist=2, tricks=void).foes, "3S 2S AS")


def test_boss_for_all_master_against_the_foes() -> None:
    spot = spot_of("KS 3D", seat=0, soloist=2, tricks=("1: 4S 6H 7S",))
    assert not spot.is_boss(Card("KS"))
    assert spot.is_master(Card("KS")), "the soloist has no swords"
    assert spot.is_boss(Card("3D"))
    assert not spot_of("KS 3D", soloist=0).is_master(Card("KS"))


def test_stands_asks_only_foes_who_have_still_to_play() -> None:
    """Seat 0 plays second, after seat 2: seat 1 alone is still to come."""
    alone = spot_of("KS 4S", "JS", soloist=0)
    assert not alone.stands(Card("KS"))
    partner_behind = spot_of("KS 4S", "JS", seat=0, soloist=2)
    assert partner_behind.stands(Card("KS"))
    soloist_behind = spot_of("KS 4S", "JS", seat=0, soloist=1)
    assert not soloist_behind.stands(Card("KS"))
    assert spot_of("KS 4S", "JS 5S", soloist=0).stands(Card("4S")), "last of all"


def test_what_wins_the_trick() -> None:
    spot = spot_of("KS 4S 2S", "5S 3D", soloist=0)
    assert spot.best is Card("5S")
    assert spot.winning == cards("KS 2S")
    assert spot.last
    assert not spot_of("KS", "5S").last


def test_suits_of_the_hand() -> None:
    spot = spot_of("KS 4S 3S 3D 4D", tricks=("1: AD 2D 5C",))
    assert spot.suit(Suit.SWORDS) == cards("4S KS 3S")
    assert spot.bosses(Suit.SWORDS) == cards("3S")
    assert spot.bosses(Suit.COINS) == cards("3D")
    assert spot.longest == cards("4S KS 3S")
    assert (spot.out(Suit.SWORDS), spot.out(Suit.COINS)) == (7, 6)
