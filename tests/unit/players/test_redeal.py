"""Hidden cards dealt anew: the seat's view stays, the rest does not."""

import pytest

from redeal import MOMENTS, moments
from strategies import rng
from support import golden
from terziglio import Seat, seat_view
from terziglio.redeal import redealt

OPEN = ("count", "thrown-in")


@pytest.mark.parametrize("moment", [name for name in MOMENTS if name not in OPEN])
@pytest.mark.parametrize("seed", range(2))
def test_R69_the_view_is_the_same_and_hidden_cards_move(moment: str, seed: int) -> None:
    random = rng("redeal", moment, seed)
    match = moments(moment, random)
    assert match.hand is not None
    for seat in Seat:
        others = [redealt(match.hand, seat, random) for _ in range(2)]
        for other in others:
            moved = type(match)(
                *(match.target, match.dealer, match.scores, match.deal_no),
                *(match.hand_no, other),
            )
            assert seat_view(moved, seat) == seat_view(match, seat)
        if moment in {"auction", "call", "exchange", "just-laid"}:
            assert any(other != match.hand for other in others)


def test_what_was_laid_is_dealt_anew_too() -> None:
    hand = next(
        m.hand for seed in range(50)
        if (m := moments("just-laid", rng("laid", seed))).hand is not None
    )  # fmt: skip
    assert hand is not None
    random, seat = rng("laid"), Seat(hand.terms.soloist.next)  # type: ignore[union-attr]
    laid = {redealt(hand, seat, random).exchange for _ in range(10)}  # type: ignore[union-attr]
    assert len(laid) > 1


def test_a_hand_with_nothing_hidden_stays() -> None:
    hand = golden("solo_won")
    assert redealt(hand, Seat.S0, rng("over")) == hand
