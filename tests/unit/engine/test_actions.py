"""The four actions as values, and the names of the phases."""

from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from support import cards
from terziglio.actions import Action, Bid, Call, Discard, Phase, Play
from terziglio.cards import Card
from terziglio.contracts import Contract


def test_R43_O23_O24_four_kinds_of_action_and_no_signal_claim_or_annulment() -> None:
    assert set(get_args(Action)) == {Bid, Call, Discard, Play}


def test_phases_have_their_names_on_the_wire() -> None:
    assert [phase.value for phase in Phase] == [
        "waiting",
        "auction",
        "call",
        "exchange",
        "play",
        "count",
        "thrown_in",
        "finished",
    ]


def test_equal_actions_are_equal_and_can_be_keys() -> None:
    card = Card("3S")
    assert {Bid(None), Bid(None), Bid(Contract.SOLO)} == {Bid(Contract.SOLO), Bid(None)}
    assert {Call(card), Call(Card("3S"))} == {Call(card)}
    assert {Play(card), Play(Card("3S"))} == {Play(card)}
    assert len({Call(card), Play(card)}) == 2


@pytest.mark.parametrize("given", [list, tuple, iter, set])
def test_O6_discard_takes_any_iterable_of_cards(given: type) -> None:
    four = cards("5C 7D 6D 5D")
    discard = Discard(given(four), Card("4C"))
    assert isinstance(discard.cards, tuple)
    assert sorted(discard.cards) == sorted(four)
    assert discard.give_back is Card("4C")


def test_R31_discard_gives_nothing_back_unless_told() -> None:
    assert Discard(cards("5C 7D 6D 5D")).give_back is None


def test_actions_cannot_be_changed() -> None:
    action = Play(Card("3S"))
    with pytest.raises(FrozenInstanceError):
        action.card = Card("4S")  # type: ignore[misc]
