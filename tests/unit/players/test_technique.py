"""Each rule of Tressette technique, in positions whose answer the technique gives."""

import pytest

from spots import spot_of
from support import cards
from terziglio.cards import Card
from terziglio.players import technique
from terziglio.players.spot import Spot
from terziglio.players.technique import (
    LEADS,
    Rule,
    cash_out,
    cost,
    feed_partner,
    from_a_top,
    from_length,
    known_against,
    lead_against_soloist,
    loose_ace,
    master,
    overtake_partner,
    partners_suit,
    play,
    richest,
    run_suit,
    soloists_suit,
    throw_cheapest,
    win_surely,
    work_on_suit,
)


def says(rule: Rule, spot: Spot) -> str | None:
    card = rule(spot)
    return None if card is None else str(card)


def test_richest_is_the_ace_then_the_weakest_court() -> None:
    assert richest(cards("3S AS KS 4S")) is Card("AS")
    assert richest(cards("3S KS JS 4S")) is Card("JS")


def test_cash_out_leads_the_ace_when_all_that_is_left_is_sure() -> None:
    assert says(cash_out, spot_of("3S 2S AS 3D")) == "AS"
    assert says(cash_out, spot_of("3S 2S AS 3D", soloist=1)) == "AS"
    assert says(cash_out, spot_of("KS 3D", tricks=("0: 3S 2S AS",))) == "KS"
    assert says(cash_out, spot_of("3S 2S KS 3D")) is None, "the ace is out"


def test_run_suit_ace_first_once_3_and_2_are_gone() -> None:
    gone = ("0: 3S 4S 5S", "0: 2S 6S 7S")
    assert says(run_suit, spot_of("AS KS QS 4D 5D", tricks=gone)) == "AS"


def test_run_suit_of_bosses_alone_before_longer_ones_that_do_not_run() -> None:
    assert says(run_suit, spot_of("3S 2S AS 2D KD QD 7D 6D 5D")) == "AS"
    assert says(run_suit, spot_of("3S 2S KS 2D KD QD 7D")) is None, "the ace is out"


def test_run_suit_whose_bosses_draw_all_that_is_out() -> None:
    gone = ("0: AS 5S 6S", "0: KS QS JS")
    held = "3S 2S 4S 4D"
    assert says(run_suit, spot_of(held, tricks=gone)) == "2S", "7S alone is out"
    assert says(run_suit, spot_of(held, tricks=gone[:1])) is None, "four are out"


def test_run_suit_leaves_short_bosses_as_entries_while_foes_can_follow() -> None:
    assert says(run_suit, spot_of("3S 2S 4D 5D")) is None
    bare = "0: AS KS QS", "0: JS 7S 6S", "0: 5S 4D 6D"
    assert says(run_suit, spot_of("3S 2S 5D 7D", tricks=bare, monte="4S AC KC QC")) == (
        "2S"
    ), "nobody has any left"


def test_run_suit_takes_the_suit_with_most_beyond_what_is_out() -> None:
    gone = ("0: AD KD QD", "0: JD 7D 6D")
    assert says(run_suit, spot_of("3S 2S AS 3D 2D 4C", tricks=gone)) == "AS"
    assert says(run_suit, spot_of("3S 2S AS 3D 2D 5D 4C", tricks=gone)) == "2D"


@pytest.mark.parametrize("rule", [run_suit, work_on_suit])
def test_a_defender_leads_by_other_rules(rule: Rule) -> None:
    assert says(rule, spot_of("3S 2S AS 4D", soloist=1)) is None


def test_work_on_the_long_suit_bosses_first() -> None:
    assert says(work_on_suit, spot_of("3S 2S KS 7S 6S 3H 4C")) == "2S"


def test_work_low_where_the_boss_is_out() -> None:
    assert says(work_on_suit, spot_of("2S KS QS 7S 6S 3H 4C")) == "6S"


def test_work_on_the_shorter_suit_of_which_less_is_out() -> None:
    gone = ("0: 2D 7D 6D", "0: JD QD 4D")
    assert says(work_on_suit, spot_of("KS QS 7S 6S AD KD 5D", tricks=gone)) == "5D"
    assert says(work_on_suit, spot_of("KS QS 7S 6S AD KD 5D")) == "6S"


def lead(held: str, *tricks: str, monte: str = "4H 5H 6H 7H") -> str | None:
    """What seat 0 leads against soloist 1; its partner is seat 2."""
    spot = spot_of(held, soloist=1, tricks=tricks, monte=monte)
    return says(lead_against_soloist, spot)


def test_defender_leads_the_master_of_his_longest_suit() -> None:
    assert lead("3S 4S 3C 4C 5C 4D 5D") == "3C"
    assert lead("KS 3S 4S 5C", "0: 5S AS 2S") == "KS", "court before the 3"


def test_defender_leads_what_the_soloist_cannot_beat() -> None:
    """The soloist has shown a void in coins."""
    assert lead("4D 5S", "2: 7D 6D 7H") == "4D"


def test_defender_returns_his_partners_suit() -> None:
    assert lead("KS QS 6S KD QD 6D", "2: 7D 5D AD") == "6D"
    assert lead("KS QS 6S KD QD 6D", "2: 7S 5S AS") == "6S"


def test_defender_keeps_off_the_soloists_suit() -> None:
    assert lead("KS QS 6S KD 6D", "1: 7S 5S AS") == "6D"
    assert lead("3S 6S KD QD 6D", "1: 7S 5S AS") == "6D", "even from its 3"


def test_defender_never_leads_a_bare_ace() -> None:
    assert lead("AS 7D 6D") == "6D"
    assert lead("AS 6D") == "6D"
    assert lead("AS KD 6D", "2: 7S 5S KS") == "6D", "not even to his partner's suit"
    assert lead("AS 6D", "0: 3S 2S 4S") == "AS", "it is the boss now"


def test_defender_does_not_lead_low_from_a_top() -> None:
    assert lead("2S 7S 6S 5S 7D 6D") == "6D"


def test_defender_keeps_off_suits_that_the_monte_gave_the_soloist() -> None:
    assert lead("KS 7S 6S KD 7D 6D", monte="3S AS QS 4H") == "6D"
    assert lead("KS 7S 6S KD 7D 6D", monte="3D AD QD 4H") == "6S"


def test_defender_leads_low_from_length_when_nothing_else_speaks() -> None:
    assert lead("KS QS 7S 7D 6D") == "7S"


def test_what_speaks_for_and_against_a_lead() -> None:
    spot = spot_of(
        "3S 7S AD KC QC",
        soloist=1,
        tricks=("1: 4D 5D 6D", "2: 4C 5C 6C"),
        monte="2S QS 2C 7H",
    )
    points = {
        code: [int(count(spot, Card(code))) for _, count in LEADS]
        for code in ("3S", "7S", "AD", "QC")
    }
    order = [count for _, count in LEADS]
    assert order == [
        *(master, partners_suit, from_length),
        *(known_against, from_a_top, loose_ace, soloists_suit),
    ]
    assert points == {
        "3S": [1, 0, 0, 2, 0, 0, 0],
        "7S": [0, 0, 2, 2, 1, 0, 0],
        "AD": [0, 0, 1, 0, 0, 1, 1],
        "QC": [0, 1, 2, 1, 0, 0, 0],
    }


def test_a_soloist_has_no_partners_suit_and_knows_no_monte_against_him() -> None:
    spot = spot_of("KC", tricks=("1: 4C 5C 6C",))
    assert not partners_suit(spot, Card("KC"))
    assert known_against(spot, Card("KC")) == 1, "his own king alone"


def test_feed_the_partner_who_holds_it_after_the_soloist_has_played() -> None:
    """Seat 2 and seat 1 defend against 0, who led."""
    assert says(feed_partner, spot_of("3S 2S AS KS 4S", "4S 5S", seat=2)) == "AS"
    assert says(feed_partner, spot_of("3S KS JS 4S", "4S 5S", seat=2)) == "JS"


def test_feed_the_partner_before_the_soloist_only_if_he_cannot_win() -> None:
    """Seat 1 led, seat 2 is to play, the soloist 0 is last."""
    assert says(feed_partner, spot_of("AS KS 4S", "3S", seat=2)) == "AS"
    assert says(feed_partner, spot_of("AS KS 4S", "2S", seat=2)) is None
    void = ("1: 5S 6S 4D",)
    assert says(feed_partner, spot_of("AS KS 4S", "2S", seat=2, tricks=void)) == "AS"


def test_feed_off_suit_the_ace_that_cannot_be_saved() -> None:
    assert says(feed_partner, spot_of("AD 3C 4C KH", "3S", seat=2)) == "AD"


def test_feed_no_3_or_2() -> None:
    assert says(feed_partner, spot_of("3D 2C", "3S", seat=2)) is None
    assert says(feed_partner, spot_of("3D 2C 7H", "3S", seat=2)) == "7H"


def test_the_soloist_feeds_nobody() -> None:
    assert says(feed_partner, spot_of("AS KS", "4S 5S", seat=0)) is None


def test_overtake_the_partner_only_for_sure_and_only_at_need() -> None:
    """Seat 1 led, seat 2 is to play, the soloist 0 is last."""
    assert says(overtake_partner, spot_of("3S 4S", "QS", seat=2)) == "3S"
    gone = ("0: 3S 2S 5S",)
    assert says(overtake_partner, spot_of("AS 4S", "QS", seat=2, tricks=gone)) == ("AS")
    assert says(overtake_partner, spot_of("2S 4S", "QS", seat=2)) is None, "3S is out"
    assert says(overtake_partner, spot_of("3S 4S", "QS 5S", seat=0, soloist=2)) is None
    void = ("1: 5S 6S 4D",)
    assert says(overtake_partner, spot_of("3S", "QS", seat=2, tricks=void)) is None


def test_overtake_no_foe() -> None:
    assert says(overtake_partner, spot_of("3S 4S", "QS", seat=1)) is None


def test_third_hand_wins_with_the_ace_if_it_wins_else_as_cheaply_as_can_be() -> None:
    assert says(win_surely, spot_of("3S 2S AS 4S", "KS 5S")) == "AS"
    assert says(win_surely, spot_of("3S 2S KS QS", "JS 5S")) == "QS"
    assert says(win_surely, spot_of("3S QS 4S", "AS 5S")) == "3S"
    assert says(win_surely, spot_of("KS QS 4S", "AS 5S")) is None


def test_second_hand_low_unless_it_is_sure_to_hold() -> None:
    """Seat 0 is soloist, 2 led, 1 is last."""
    assert says(win_surely, spot_of("2S KS 4S", "QS")) is None
    assert says(win_surely, spot_of("3S 2S 4S", "QS")) == "2S"
    assert says(win_surely, spot_of("3S 4S", "AS")) == "3S", "an ace lies there"


def test_second_hand_knows_that_the_last_is_void() -> None:
    assert says(win_surely, spot_of("KS 4S", "QS", tricks=("2: 5S 6S 4D",))) == "KS"
    assert says(win_surely, spot_of("KS 4S", "QS", tricks=("2: 5S 6S 7S",))) is None


def test_a_defender_behind_the_soloist_wins_as_cheaply_as_can_be() -> None:
    assert says(win_surely, spot_of("3S KS 4S", "QS", seat=1)) == "KS"


def test_nobody_wins_over_his_own_side() -> None:
    assert says(win_surely, spot_of("3S KS", "4S 5S", seat=2)) is None


def test_throw_what_costs_least() -> None:
    assert says(throw_cheapest, spot_of("AH JD QC", "4S")) == "JD"
    assert says(throw_cheapest, spot_of("AH 5D 4C", "4S")) == "4C"


def test_throw_no_guard_of_an_ace_and_no_winner() -> None:
    assert says(throw_cheapest, spot_of("AH 4H 5H 6C", "4S")) == "6C"
    assert says(throw_cheapest, spot_of("AH 4H 5H 6H 7C", "4S")) == "4H", "one to spare"
    gone = ("0: 3D 2D AD", "0: KD QD JD")
    assert says(throw_cheapest, spot_of("7D JC", "4S", tricks=gone)) == "JC", "a boss"


def test_cost_of_a_card() -> None:
    spot = spot_of("3S AH 4H 7D JC", "4C")
    assert {str(c): cost(spot, c) for c in spot.hand} == {
        "3S": 4 + 6,
        "4H": 3,
        "AH": 12,
        "7D": 0,
        "JC": 4,
    }
    safe = spot_of("AH 4H", "4C", tricks=("0: 3H 2H 5H",))
    assert {str(c): cost(safe, c) for c in safe.hand} == {"4H": 0, "AH": 12 + 6}


def test_play_asks_the_rules_in_their_order() -> None:
    assert play(spot_of("3S 2S AS")) is Card("AS"), "cash out"
    assert play(spot_of("3S 2S AS 4D")) is Card("AS"), "run"
    assert play(spot_of("2S KS 4S 4D")) is Card("4S"), "work"
    assert play(spot_of("2S 5S 4D", soloist=1)) is Card("4D"), "lead as defender"
    assert play(spot_of("AS KS", "3S", seat=2)) is Card("AS"), "feed"
    assert play(spot_of("3S 5S", "KS", seat=2)) is Card("3S"), "overtake"
    assert play(spot_of("3S 5S", "KS")) is Card("3S"), "win"
    assert play(spot_of("2S 5S", "KS")) is Card("5S"), "throw"


def test_module_says_what_it_offers() -> None:
    assert set(technique.__all__) >= {"LEADS", "Rule", "play"}
