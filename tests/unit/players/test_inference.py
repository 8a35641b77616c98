"""How likely a deal is: the hands that were dealt, what was bid and called and laid."""

from collections.abc import Iterable
from dataclasses import replace
from math import exp
from typing import Unpack

import pytest

from spots import Seen, play_view
from strategies import rng
from support import cards
from terziglio.cards import Card, cards_in, set_of
from terziglio.contracts import Contract
from terziglio.players import PLAYERS, inference
from terziglio.players.house import BARS
from terziglio.players.inference import laid_anew, likelihood, may_be_laid
from terziglio.players.knowledge import MONTE, Knowledge, World
from terziglio.seats import Seat
from terziglio.view import BidView, SeatView
from worlds import decisions, every, true_world, view_of, with_left

OWN = "4D 5D 6D 7D JD QD KD AD 4H 5H 6H 7H"
STRONG = "3S 2S AS KS QS 3C 2C AC 3H 2H JS 7S"
"""Worth 23: three 3s, three 2s, two aces, a king, and three beyond four swords."""
WEAK = "4S 5S 6S 4C 5C 6C 7C JC QC KC JH QH"
"""Worth 4: a king, and three beyond four clubs."""
REST = "3D 2D AH KH"


def says(value: int, bid: Contract) -> float:
    """How likely a hand is to bid so much."""
    return 1 / (1 + exp(-(value + 0.5 - BARS[bid]) / 0.8))


def defender(*auction: tuple[int, Contract | None], **seen: Unpack[Seen]) -> SeatView:
    """What seat 0 sees, seat 1 soloist, after these bids."""
    view = play_view(OWN, seat=0, soloist=1, **seen)
    spoken = tuple(BidView(Seat(seat), bid) for seat, bid in auction)
    return replace(view, auction=spoken, hand_sizes=(12, 12, 12))


def world_of(first: str, second: str, third: str, monte: str) -> World:
    a, b, c, d = (set_of(cards(text)) for text in (first, second, third, monte))
    return a, b, c, d


def test_a_hand_that_bids_as_the_house_would_is_likelier() -> None:
    """Seat 2 passes, seat 1 bids solo, what seat 0 itself says tells it nothing."""
    view = defender((2, None), (0, None), (1, Contract.SOLO), monte=REST)
    world = world_of(OWN, STRONG, WEAK, REST)
    # Of his sixteen he was dealt those that did not lie in the monte: all of STRONG.
    passes = 1 - says(4, Contract.CHIAMO)
    bids = says(23, Contract.SOLO) * (1 - says(23, Contract.SOLISSIMO))
    assert likelihood(Knowledge(view), world) == pytest.approx(passes * bids)
    other = world_of(OWN, WEAK, STRONG, REST)
    assert likelihood(Knowledge(view), other) < passes * bids / 1000


def test_to_pass_over_a_bid_says_that_there_is_none_to_raise_it() -> None:
    view = defender((1, Contract.SOLO), (2, None), monte=REST)
    world = world_of(OWN, STRONG, WEAK, REST)
    bids = says(23, Contract.SOLO) * (1 - says(23, Contract.SOLISSIMO))
    passes = 1 - says(4, Contract.SOLISSIMO)
    assert likelihood(Knowledge(view), world) == pytest.approx(bids * passes)


def test_there_is_nothing_above_solissimo_to_be_denied() -> None:
    view = defender((1, Contract.SOLISSIMO))
    assert view.contract is not None
    view = replace(view, contract=replace(view.contract, bid=Contract.SOLISSIMO))
    world = world_of(OWN, STRONG, WEAK, REST)
    told = likelihood(Knowledge(view), world)
    assert told == pytest.approx(says(23, Contract.SOLISSIMO))
    before = replace(view, contract=None)
    assert likelihood(Knowledge(before), world) == told, "and without a contract"


def test_the_monte_was_not_in_the_hand_that_bid() -> None:
    """He took the three tops that were shown, and laid worthless cards."""
    shown, laid = "3D 2D AH KH", "4C 5C 6C 4S"
    strong = "3D 2D AH KH 3S 2S AS KS QS JS 7S 6S"
    view = defender((1, Contract.SOLO), monte=shown)
    world = world_of(OWN, strong, "5S 7C JC QC KC JH QH 3C 2C AC 3H 2H", laid)
    # 3S 2S AS KS and eight of swords and four of clubs, in all 3 + 2 + 2 + 1 + 5.
    value = 3 + 2 + 2 + 1 + (9 - 4)
    bids = says(value, Contract.SOLO) * (1 - says(value, Contract.SOLISSIMO))
    assert likelihood(Knowledge(view), world) == pytest.approx(bids)
    unseen = replace(view, monte=None)
    assert likelihood(Knowledge(unseen), world) > likelihood(Knowledge(view), world)


@pytest.mark.parametrize("name", ["house", "rules", "random"])
def test_the_hands_that_bid_are_those_that_were_dealt(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def valued(held: Iterable[Card]) -> int:
        asked.append(set_of(held))
        return 0

    monkeypatch.setattr(inference, "hand_value", valued)
    for seed in range(6):
        for hand in decisions(PLAYERS[name], rng("dealt", name, seed)):
            asked.clear()
            view = view_of(hand)
            likelihood(Knowledge(view), true_world(hand))
            others = [b.seat for b in view.auction if b.seat != view.seat]
            assert asked == [hand.dealt.hands[seat] for seat in others]


@pytest.mark.parametrize("name", ["house", "rules"])
def test_what_house_and_rules_call_is_expected(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inference, "_ODD_CALL", 0.0)
    called = 0
    for seed in range(10):
        for hand in decisions(PLAYERS[name], rng("call", name, seed)):
            called += hand.terms.call is not None
            assert likelihood(Knowledge(view_of(hand)), true_world(hand)) > 0
    assert called > 50


def test_an_odd_call_is_less_likely() -> None:
    """WEAK lacks all 3s, and its longest suit is clubs: it calls the 3 of clubs."""
    likely = {}
    for called in ("3C", "4H"):
        view = defender(monte="3S 2S AS KS", exchange=f"{called} 2 4C")
        soloist = f"3S 2S AS KS {called} 6S 7C JC QC KC JH QH"
        other = "3C" if called == "4H" else "KH"
        partner = f"4C QS JS 7S 2C AC 3H 2H 3D 2D AH {other}"
        # Laid: 4S 5C 6C and 5S, so that he was dealt WEAK but for the 6S.
        world = world_of(OWN, soloist, partner, "4S 5C 6C 5S")
        likely[called] = likelihood(Knowledge(view), world)
    assert likely == {"3C": 1.0, "4H": 0.2}
    own = replace(defender(exchange="4H 2 4C"), seat=Seat.S1)
    assert likelihood(Knowledge(own), world_of("", WEAK, OWN, REST)) == 1.0


@pytest.mark.parametrize("seed", range(30))
def test_what_is_laid_anew_may_lie_there(seed: int) -> None:
    random = rng("anew", seed)
    hand = with_left(random, random.choice((1, 2)), "CS")
    knowledge, deals = Knowledge(view_of(hand)), every(hand)
    for _ in range(10):
        world = knowledge.draw(random)
        if may_be_laid(knowledge.view):
            again = laid_anew(knowledge, world, random)
            assert again in deals
            seats = {0, 1, 2} - {knowledge.soloist}
            assert all(again[seat] == world[seat] for seat in seats)


def test_tops_are_kept_and_the_worthless_laid() -> None:
    view = defender(monte=REST)
    world = world_of(OWN, "4S 5S 6S 4C 5C 6C 7C JC QC KC JH QH", "", "3S 2S AS 3C")
    random, laid = rng("tops"), dict.fromkeys(Card, 0)
    for _ in range(100):
        for card in cards_in(laid_anew(Knowledge(view), world, random)[MONTE]):
            laid[card] += 1
    assert sum(laid.values()) == 400
    assert laid[Card("3S")] == laid[Card("3C")] == 0
    assert laid[Card("2S")] < 10 < laid[Card("4S")]
    assert laid[Card("QH")] > laid[Card("QC")], "of the short suit"


def test_what_the_soloist_has_shown_to_lack_he_has_laid() -> None:
    world = world_of(OWN, "4C 5C 6C 7C JC QC KC JH", "", "3S 2S 4S AC")
    view = defender(monte=REST, tricks=("0: 7H 7S 6S", "2: 7S 4D JC"))
    for turn in range(20):
        again = laid_anew(Knowledge(view), world, rng("void", turn))
        assert again[MONTE] & set_of(cards("3S 2S 4S")) == set_of(cards("3S 2S 4S"))


def test_when_there_is_a_laid_monte_that_the_seat_does_not_know() -> None:
    assert may_be_laid(play_view(OWN, seat=0, soloist=1))
    assert not may_be_laid(play_view(OWN, seat=0, soloist=0)), "he knows it himself"
    view = play_view(OWN, seat=0, soloist=1)
    assert view.contract is not None
    solissimo = replace(view.contract, bid=Contract.SOLISSIMO)
    assert not may_be_laid(replace(view, contract=solissimo)), "nothing was laid"
    assert not may_be_laid(replace(view, contract=None))
