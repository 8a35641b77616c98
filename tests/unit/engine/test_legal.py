"""What a seat is offered, and why it is refused the rest."""

from math import comb

import pytest

from support import (
    at,
    bidding,
    cards,
    dealt,
    golden,
    played,
    prefix,
    random_hand,
    shuffled,
    steps,
)
from terziglio.actions import Action, Bid, Call, Discard, Phase, Play
from terziglio.cards import Card, set_of
from terziglio.contracts import Contract
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import check, deal
from terziglio.legal import NOTHING, DiscardRule, Legal, legal
from terziglio.phases import Counted, Hand, Playing
from terziglio.seats import Seat
from terziglio.tricks import Trick


def chiamo() -> Counted:
    """Dealer 0, soloist 2; 3S passed by seat 1, 4C given back, 5C 7D 6D 5D laid."""
    return played("chiamo_lost")


def offered(offer: Legal) -> set[str]:
    """Which kinds of thing a seat is offered, or told that it may not do."""
    kinds = ("bids", "calls", "cards", "why", "discard")
    return {kind for kind in kinds if getattr(offer, kind)}


@pytest.mark.parametrize(
    ("letters", "bids"),
    [
        ("", ["pass", "chiamo", "solo", "solissimo"]),
        ("P", ["pass", "chiamo", "solo", "solissimo"]),
        ("PP", ["pass", "chiamo", "solo", "solissimo"]),
        ("C", ["pass", "solo", "solissimo"]),
        ("PC", ["pass", "solo", "solissimo"]),
        ("CP", ["pass", "solo", "solissimo"]),
        ("S", ["pass", "solissimo"]),
        ("CS", ["pass", "solissimo"]),
    ],
)
def test_R16_bids(letters: str, bids: list[str]) -> None:
    hand = bidding(deal(Seat.S0, shuffled(1)), letters)
    assert hand.turn is not None
    offer = legal(hand, hand.turn)
    assert offer.bids == tuple(None if b == "pass" else Contract(b) for b in bids)
    assert offered(offer) == {"bids"}
    assert list(offer.actions()) == [Bid(bid) for bid in offer.bids]
    assert offer.first() == Bid(None)


def test_R24_W40_calls_are_the_28_cards_not_held() -> None:
    hand = at(chiamo(), Phase.CALL)
    own = set(cards("AS 3C AC KC 7C 5C 4C 3H 2H AD 7D 6D"))
    offer = legal(hand, Seat.S2)
    assert offer.calls == tuple(card for card in Card if card not in own)
    assert len(offer.calls) == 28
    assert offered(offer) == {"calls"}
    assert list(offer.actions()) == [Call(card) for card in offer.calls]


def test_R29_R30_discard_of_four_and_one_to_give_back_from_17() -> None:
    offer = legal(at(chiamo(), Phase.EXCHANGE), Seat.S2)
    own = cards("AS 3C AC KC 7C 5C 4C 3H 2H AD 7D 6D KS JS KH 5D 3S")
    assert offer.discard == DiscardRule(4, give_back=True, choices=tuple(sorted(own)))
    assert offered(offer) == {"discard"}


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("solo_won", "2S AS JS 4S 2C 6C 3H KH 4H AD QD 6D QS 5S 7C 7D"),
        ("chiamo_won", "AS QC JC 7C 5C 3H 2H AH JH 3D 2D JD 5S AC 7H KD"),
    ],
)
def test_R31_discard_of_four_alone_from_16(name: str, held: str) -> None:
    hand = at(golden(name), Phase.EXCHANGE)
    assert hand.turn is not None
    offer = legal(hand, hand.turn)
    choices = tuple(sorted(cards(held)))
    assert offer.discard == DiscardRule(4, give_back=False, choices=choices)
    assert offered(offer) == {"discard"}


def test_W54_led_suit_must_be_followed() -> None:
    """Seat 1 holds KD 5D 3S when seat 0 leads a diamond."""
    hand = follow("KD 5D 3S")
    offer = legal(hand, Seat.S1)
    assert offer.cards == cards("5D KD")
    refusal = IllegalAction(Illegal.MUST_FOLLOW_SUIT, {"led": "D", "held": 2})
    assert offer.why == {Card("3S"): refusal}
    assert check(hand, Seat.S1, Play(Card("3S"))) == refusal


def test_W55_without_the_led_suit_any_card_will_do() -> None:
    offer = legal(follow("3S 4C"), Seat.S1)
    assert offer.cards == cards("3S 4C")
    assert offer.why == {}


def follow(held: str) -> Playing:
    """Seat 1 down to these cards, seat 0 has led 4D."""
    terms = at_play("solissimo_won").terms
    masks = (0, set_of(cards(held)), set_of(cards("4H")))
    return Playing(terms, None, (), masks, Trick(Seat.S0, cards("4D")))


def at_play(name: str) -> Playing:
    hand = at(golden(name), Phase.PLAY)
    assert isinstance(hand, Playing)
    return hand


def test_R37_W56_leader_may_play_any_card() -> None:
    for seed in range(30):
        for now, seat, _ in steps(random_hand(seed)):
            if isinstance(now, Playing) and not now.trick.cards:
                offer = legal(now, seat)
                held = tuple(c for c in Card if now.held[seat] >> c & 1)
                assert offer.cards == held
                assert offered(offer) == {"cards"}


@pytest.mark.parametrize("actions", [0, 2, 3, 4, 5, 6, 20, 40])
def test_seat_that_is_not_on_turn_is_offered_nothing(actions: int) -> None:
    hand = prefix(chiamo(), actions)
    for seat in Seat:
        if seat != hand.turn:
            assert legal(hand, seat) == NOTHING == Legal()
            assert not offered(legal(hand, seat))
            assert not list(legal(hand, seat).actions())


@pytest.mark.parametrize("name", ["chiamo_lost", "thrown_in"])
@pytest.mark.parametrize("seat", Seat)
def test_nobody_is_offered_anything_once_the_hand_is_over(
    name: str, seat: Seat
) -> None:
    assert legal(golden(name), seat) is NOTHING


def test_first_of_nothing_is_an_error() -> None:
    with pytest.raises(LookupError):
        NOTHING.first()


@pytest.mark.parametrize(
    ("name", "number"),
    [("solo_won", comb(16, 4)), ("chiamo_lost", 17 * comb(16, 4))],
)
def test_discards_come_lazily_each_once_and_are_all_accepted(
    name: str, number: int
) -> None:
    hand = at(golden(name), Phase.EXCHANGE)
    assert hand.turn is not None
    offer = legal(hand, hand.turn)
    every = list(offer.actions())
    assert len(every) == number
    different = {(frozenset(a.cards), a.give_back) for a in every if type(a) is Discard}
    assert len(different) == number
    assert all(check(hand, hand.turn, action) is None for action in every[::7])
    assert offer.first() == every[0]


def test_17_cards_offer_30940_discards() -> None:
    assert 17 * comb(16, 4) == 30_940


def accepted(hand: Hand, seat: Seat) -> set[Action]:
    """What ``check`` accepts of all bids, calls and plays there are."""
    every: list[Action] = [Bid(None), *map(Bid, Contract)]
    every += [*map(Call, Card), *map(Play, Card)]
    return {action for action in every if check(hand, seat, action) is None}


def test_I10_what_is_offered_is_what_is_accepted() -> None:
    for seed in range(12):
        for now, _, _ in steps(random_hand(seed)):
            for seat in Seat:
                offer = legal(now, seat)
                if offer.discard is None:
                    assert set(offer.actions()) == accepted(now, seat)
                if seat == now.turn:
                    assert offer.first() in offer.actions()
                for card, refusal in offer.why.items():
                    assert check(now, seat, Play(card)) == refusal


def test_offered_and_refused_cards_are_the_whole_hand() -> None:
    for seed in range(12):
        for now, seat, _ in steps(random_hand(seed)):
            if isinstance(now, Playing):
                offer = legal(now, seat)
                held = {card for card in Card if now.held[seat] >> card & 1}
                assert {*offer.cards, *offer.why} == held
                assert len(offer.cards) + len(offer.why) == len(held)
                assert list(offer.cards) == sorted(offer.cards)


def test_legal_cards_come_in_fixed_order_whatever_the_deal() -> None:
    hand = dealt(
        2,
        (
            "3D 4S AC 7C KH 3S 2H 4D 5D 6D 7D JD",
            "2S AS KS QS JS 7S 6S 5S 3C 2C KC QC",
            "JC 6C 5C 4C 3H AH QH JH 7H 6H 5H 4H",
        ),
        "2D AD KD QD",
    )
    play = bidding(hand, "X")
    ordered = cards("4S 3S 7C AC KH 2H 4D 5D 6D 7D JD 3D")
    assert legal(play, Seat.S0).cards == ordered
