"""Hands in a row: scores, the race, ties, the dealer's way round."""

from dataclasses import replace

import pytest

from support import golden, on_table, play_in, played, prefix, rotated, shuffled
from terziglio.actions import Bid, Phase
from terziglio.contracts import Contract
from terziglio.errors import Illegal, IllegalAction
from terziglio.match import TARGETS, Match, new_match
from terziglio.phases import Hand
from terziglio.seats import Seat


def hand_of(name: str, soloist: int) -> Hand:
    """A golden hand moved round the table until this seat is its soloist."""
    hand = played(name)
    return rotated(hand, (soloist - hand.terms.soloist) % 3)


def before(hand: Hand, scores: tuple[int, int, int], target: int = 7) -> Match:
    """A match that stands like this and whose next deal is the hand's."""
    return Match(target, hand.dealt.dealer, scores)


@pytest.mark.parametrize(
    ("scores", "target", "name", "soloist", "after", "winner"),
    [
        pytest.param((5, -1, -4), 7, "solo_won", 0, (9, -3, -6), 0, id="W57"),
        pytest.param((0, 0, 0), 7, "solissimo_won", 1, (-4, 8, -4), 1, id="W58"),
        pytest.param((0, 0, 0), 11, "solissimo_won", 1, (-4, 8, -4), None, id="W58-11"),
        pytest.param((6, 6, -12), 7, "chiamo_lost", 2, (7, 7, -14), None, id="W59"),
        pytest.param((7, 7, -14), 7, "chiamo_lost", 0, (5, 8, -13), 1, id="W60"),
        pytest.param((7, 7, -14), 7, "chiamo_won", 2, (6, 6, -12), None, id="W61"),
        pytest.param((6, 5, -11), 7, "solo_lost", 2, (8, 7, -15), 0, id="W62"),
        pytest.param(
            (0, 0, 0), 7, "solissimo_lost_cappotto", 0, (-16, 8, 8), None, id="W63"
        ),
        pytest.param(
            (0, 0, 0), 21, "solissimo_lost_stramazzo", 0, (-24, 12, 12), None, id="W64"
        ),
        pytest.param((5, 1, -6), 7, "chiamo_won", 0, (7, 0, -7), 0, id="W66"),
    ],
)
def test_R59_R62_R64_hand_moves_scores_and_may_end_the_match(
    scores: tuple[int, int, int],
    target: int,
    name: str,
    soloist: int,
    after: tuple[int, int, int],
    winner: int | None,
) -> None:
    hand = hand_of(name, soloist)
    match = play_in(before(hand, scores, target), hand)
    assert match.scores == after
    assert match.winner == winner
    assert match.phase == ("count" if winner is None else "finished")
    assert match.hand_no == 1
    assert match.turn is None


def test_R63_W59_W60_tie_at_the_top_then_another_hand_decides() -> None:
    first = hand_of("chiamo_lost", 2)
    tie = play_in(before(first, (6, 6, -12)), first)
    assert (tie.scores, tie.winner) == ((7, 7, -14), None)
    after = play_in(tie, hand_of("chiamo_lost", 0))
    assert after.dealer == tie.dealer.next
    assert (after.scores, after.winner) == ((5, 8, -13), Seat.S1)


def test_R63_O18_W59_W61_tie_then_nobody_is_there_and_the_match_goes_on() -> None:
    first = hand_of("chiamo_lost", 2)
    tie = play_in(before(first, (6, 6, -12)), first)
    after = play_in(tie, hand_of("chiamo_won", 2))
    assert (after.scores, after.winner) == ((6, 6, -12), None)
    assert after.deal(shuffled(1)).phase is Phase.AUCTION


def test_R20_R66_O21_W36_thrown_in_moves_the_deal_and_nothing_else() -> None:
    hand = golden("thrown_in")
    assert hand.dealt.dealer is Seat.S2
    match = play_in(before(hand, (3, -1, -2)), hand)
    assert match.scores == (3, -1, -2)
    assert (match.hand_no, match.deal_no) == (0, 1)
    assert match.phase is Phase.THROWN_IN
    assert match.turn is None
    dealt = match.deal(shuffled(1))
    assert dealt.dealer is Seat.S0
    assert (dealt.hand_no, dealt.deal_no) == (0, 2)


def test_R66_W65_thrown_in_deal_cannot_end_a_match() -> None:
    hand = golden("thrown_in")
    match = play_in(before(hand, (20, -9, -11), 21), hand)
    assert match.scores == (20, -9, -11)
    assert match.winner is None


def test_R59_new_match_stands_at_nothing() -> None:
    match = new_match(target=11, dealer=Seat.S2)
    assert match.scores == (0, 0, 0)
    assert (match.hand, match.turn, match.winner) == (None, None, None)
    assert (match.deal_no, match.hand_no) == (0, 0)
    assert match.phase is Phase.WAITING
    assert match.dealer is Seat.S2
    assert match.target == 11


@pytest.mark.parametrize("target", [7, 11, 21])
def test_R61_O28_targets(target: int) -> None:
    assert new_match(target).target == target
    assert target in TARGETS


def test_R61_target_is_7_unless_told() -> None:
    assert new_match().target == 7
    assert new_match().dealer is Seat.S0


@pytest.mark.parametrize("target", [0, 1, 8, -7, 31])
def test_R61_no_other_target(target: int) -> None:
    with pytest.raises(ValueError, match="target"):
        new_match(target)


def test_R10_first_dealer_is_given_from_outside() -> None:
    for seat in Seat:
        assert new_match(dealer=seat).deal(shuffled(1)).dealer is seat
    with pytest.raises(ValueError, match="not a valid Seat"):
        new_match(dealer=3)  # type: ignore[arg-type]


def test_R13_O20_R67_deal_goes_round_after_every_hand() -> None:
    """Played or thrown in, the next seat deals, and scores carry over."""
    first = golden("chiamo_lost")
    match = play_in(new_match(), first)
    assert match.dealer is Seat.S0, "until the next deal it is still his hand"
    thrown = rotated(golden("thrown_in"), 2)
    match = play_in(match, thrown)
    assert match.dealer is Seat.S1
    assert match.scores == (1, 1, -2)
    third = rotated(first, 2)
    match = play_in(match, third)
    assert match.dealer is Seat.S2
    assert match.scores == (2, -1, -1)
    assert (match.deal_no, match.hand_no) == (3, 2)
    assert match.deal(shuffled(2)).dealer is Seat.S0


def test_R59_O19_scores_fall_without_floor() -> None:
    hand = hand_of("solissimo_lost_stramazzo", 0)
    match = play_in(before(hand, (-30, 15, 15), 21), hand)
    assert match.scores == (-54, 27, 27)


def test_R60_R65_scores_sum_to_nothing_so_three_never_tie_at_the_top() -> None:
    for name in ("chiamo_lost", "solo_won", "solissimo_won_cappotto", "solo_lost"):
        assert sum(on_table(golden(name)).scores) == 0


@pytest.mark.parametrize(
    ("scores", "target", "winner"),
    [
        ((6, -3, -3), 7, None),
        ((7, -3, -4), 7, 0),
        ((8, 7, -15), 7, 0),
        ((7, 8, -15), 7, 1),
        ((-16, 8, 8), 7, None),
        ((-15, 7, 8), 7, 2),
        ((10, -5, -5), 11, None),
        ((11, -5, -6), 11, 0),
        ((20, -9, -11), 21, None),
        ((-21, 0, 21), 21, 2),
    ],
)
def test_R62_R63_R64_O17_one_seat_alone_on_top_wins(
    scores: tuple[int, int, int], target: int, winner: int | None
) -> None:
    assert Match(target, Seat.S0, scores).winner == winner


def test_deal_in_mid_hand_is_refused() -> None:
    for actions, phase in ((0, "auction"), (3, "call"), (4, "exchange"), (5, "play")):
        match = on_table(prefix(golden("chiamo_lost"), actions))
        with pytest.raises(IllegalAction) as refused:
            match.deal(shuffled(1))
        assert refused.value == IllegalAction(Illegal.WRONG_PHASE, {"phase": phase})


def test_I15_nothing_goes_on_after_a_win() -> None:
    hand = hand_of("solissimo_won", 1)
    match = play_in(before(hand, (0, 0, 0)), hand)
    over = IllegalAction(Illegal.HAND_OVER)
    with pytest.raises(IllegalAction) as refused:
        match.deal(shuffled(1))
    assert refused.value == over
    for seat in Seat:
        with pytest.raises(IllegalAction) as refused:
            match.apply(seat, Bid(None))
        assert refused.value == over


def test_action_before_the_first_deal_is_refused() -> None:
    with pytest.raises(IllegalAction) as refused:
        new_match().apply(Seat.S0, Bid(None))
    assert refused.value == IllegalAction(Illegal.HAND_OVER)


def test_deal_needs_the_forty_cards() -> None:
    with pytest.raises(ValueError, match="forty cards"):
        new_match().deal(shuffled(1)[:39])


def test_refused_action_leaves_the_match_as_it_was() -> None:
    match = new_match().deal(shuffled(1))
    same = replace(match)
    with pytest.raises(IllegalAction):
        match.apply(Seat.S0, Bid(Contract.SOLO))
    assert match == same
    assert match.apply(Seat.S1, Bid(None)) != same
    assert match == same


def test_scores_move_with_the_last_card_alone() -> None:
    hand = golden("chiamo_lost")
    for actions in range(41):
        match = on_table(prefix(hand, actions))
        assert (match.scores, match.hand_no) == ((0, 0, 0), 0)
    assert on_table(hand).scores == (1, 1, -2)
    assert on_table(hand).hand_no == 1


def test_phase_and_turn_are_the_hands_while_it_is_on() -> None:
    match = on_table(prefix(golden("chiamo_lost"), 5))
    assert match.phase is Phase.PLAY
    assert match.turn is Seat.S1
