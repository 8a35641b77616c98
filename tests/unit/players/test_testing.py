"""What authors use in their own tests."""

import pytest

from support import golden, golden_text, prefix
from terziglio import Action, Bid, Bot, Play, Seat, SeatView, seat_view
from terziglio.notation import NotationError
from terziglio.players import house
from terziglio.testing import assert_legal, deal, table
from terziglio.trial import one_line


class First(Bot):
    def act(self, view: SeatView) -> Action:
        return view.legal.first()


def too_low(view: SeatView) -> Action:
    return Play(view.hand[0]) if view.legal.cards else house(view)


def test_a_hand_comes_from_notation_in_lines_or_in_one() -> None:
    hand = golden("solo_won")
    assert deal(golden_text("solo_won")).hand == deal(one_line(hand)).hand == hand
    with pytest.raises(NotationError):
        deal("rules: terziglio/1; dealer: 7")


def test_players_sit_at_a_table_and_play_it_out() -> None:
    begun = one_line(prefix(golden("solo_won"), 0))
    at = table(begun, "house", First, house)
    assert at.names == ("house", "First", "house")
    assert at.view == seat_view(at.match, at.turn)
    first = at.ask()
    assert at.ask() == first
    assert at.step() == first
    over = at.play()
    assert over.turn is None
    with pytest.raises(LookupError, match="over"):
        _ = at.turn


def test_a_table_has_a_deal_of_the_bank_or_a_match() -> None:
    assert table(5, "random").match == table(5, "random").match
    assert table(5, "random").match != table(5, "random", seed="b").match
    match = table(5, "house").match
    assert table(match, First).match is match
    with pytest.raises(TypeError, match="one player or three"):
        table(5, "house", "house")


def test_an_answer_that_is_no_good_fails_the_test() -> None:
    at = table(0, lambda _: Bid(3))  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="which is no action"):
        at.ask()
    assert at.turn is Seat.S1
    with pytest.raises(AssertionError, match="breaks R38"):
        table(0, too_low).play()


def test_a_legal_player_passes_and_another_is_told() -> None:
    assert_legal("house", 6)
    assert_legal(First(), 6)
    with pytest.raises(AssertionError) as caught:
        assert_legal(too_low, 6)
    told = str(caught.value)
    assert told.startswith("too_low fails in 6 deals\nanswers are legal ")
    assert "would do: Play of " in told
    assert "again: terziglio check too_low --notation " in told
