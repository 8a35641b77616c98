"""What ``legal`` offers is what ``check`` accepts, and ``apply`` does."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import CI, PACK, SCALE, Script, hands, held, line, rng, shuffled
from terziglio import (
    Action,
    Bid,
    Call,
    Card,
    Contract,
    Discard,
    Hand,
    Illegal,
    IllegalAction,
    Play,
    Seat,
    apply,
    check,
    legal,
)
from terziglio.cards import cards_in
from terziglio.legal import Legal

SIMPLE: tuple[Action, ...] = (
    *(Bid(bid) for bid in (None, *Contract)),
    *map(Call, Card),
    *map(Play, Card),
)
"""Every action but the discards."""


@settings(CI, max_examples=300 * SCALE)
@given(hand=hands(), seed=st.integers(0, 2**32))
def test_offered_is_accepted_for_every_action_seat_and_phase(
    hand: Hand, seed: int
) -> None:
    before = repr(hand)
    for seat in Seat:
        allowed = legal(hand, seat)
        for action in (*SIMPLE, *discards(hand, seat, rng(seed, seat))):
            refusal = check(hand, seat, action)
            assert offers(allowed, action) == (refusal is None), action
            agrees_with_apply(hand, seat, action, refusal)
    assert repr(hand) == before


def offers(allowed: Legal, action: Action) -> bool:
    match action:
        case Bid(bid):
            return bid in allowed.bids
        case Call(card):
            return card in allowed.calls
        case Play(card):
            return card in allowed.cards
        case Discard(cards, back):
            rule = allowed.discard
            if rule is None:
                return False
            gone = {*cards, back} - {None}
            return (
                len(cards) == rule.count
                and (back is not None) == rule.give_back
                and len(gone) == rule.count + rule.give_back
                and gone <= set(rule.choices)
            )


def agrees_with_apply(
    hand: Hand, seat: Seat, action: Action, refusal: IllegalAction | None
) -> None:
    if refusal is None:
        assert apply(hand, seat, action) != hand
    else:
        with pytest.raises(IllegalAction) as caught:
            apply(hand, seat, action)
        assert caught.value == refusal


def discards(hand: Hand, seat: Seat, random: Random) -> Iterator[Discard]:
    """Yield discards with nothing wrong, and with one thing or more wrong."""
    own = cards_in(held(hand)[seat]) or PACK[:12]
    others = [card for card in PACK if card not in own]
    for _ in range(6):
        cards = random.sample(own, min(7, len(own)))
        four, spare = cards[:4], cards[4:]
        strange = random.choice(others)
        backs = (None, strange, random.choice(four), *spare[:1])
        for back in backs:
            yield Discard(tuple(four), back)
            yield Discard((*four[:3], strange), back)
            yield Discard((*four[:3], four[0]), back)
        yield Discard(tuple(four[:3]), random.choice(backs))
        yield Discard((*four, *spare[:1]), random.choice(backs))
        yield Discard((), random.choice(backs))


@settings(CI, max_examples=600 * SCALE)
@given(hand=hands("play"))
def test_why_is_exactly_the_refusal_of_each_held_card(hand: Hand) -> None:
    assert hand.turn is not None
    for seat in Seat:
        allowed = legal(hand, seat)
        own = cards_in(held(hand)[seat])
        if seat == hand.turn:
            refusals = {card: check(hand, seat, Play(card)) for card in own}
            refused = {card: why for card, why in refusals.items() if why is not None}
            assert allowed.why == refused
            assert {why.code for why in refused.values()} <= {Illegal.MUST_FOLLOW_SUIT}
            assert sorted((*allowed.cards, *refused)) == list(own)
        else:
            assert allowed == Legal()
            assert allowed.why == {}


@settings(CI, max_examples=300 * SCALE)
@given(hand=hands("auction", "call", "exchange", "count", "thrown_in"))
def test_nothing_is_dimmed_but_while_cards_are_played(hand: Hand) -> None:
    assert all(legal(hand, seat).why == {} for seat in Seat)


@settings(CI, max_examples=400 * SCALE)
@given(hand=hands("auction", "call", "play", "count", "thrown_in"))
def test_actions_lists_just_what_is_accepted(hand: Hand) -> None:
    for seat in Seat:
        allowed = legal(hand, seat)
        listed = list(allowed.actions())
        assert listed == [a for a in SIMPLE if check(hand, seat, a) is None]
        if seat == hand.turn:
            assert allowed.first() == listed[0]
        else:
            assert listed == []
            with pytest.raises(LookupError):
                allowed.first()


@pytest.mark.parametrize("seed", range(4 * SCALE))
@pytest.mark.parametrize(
    ("auction", "met", "number"),
    # 17 * C(16, 4) with a card given back, C(16, 4) without (R29, R31)
    [("CPP", True, 30_940), ("PCP", False, 1_820), ("PPS", False, 1_820)],
    ids=["chiamo-met", "chiamo-in-the-monte", "solo"],
)
def test_every_exchange_is_listed_once_and_accepted(
    auction: str, met: bool, number: int, seed: int
) -> None:
    random = rng("exchange", auction, seed)
    hand = an_exchange(random, auction, met=met)
    assert hand.turn is not None
    listed = list(legal(hand, hand.turn).actions())
    assert len(listed) == number
    told: set[tuple[frozenset[Card], Card | None]] = set()
    for action in listed:
        assert isinstance(action, Discard)
        assert check(hand, hand.turn, action) is None
        told.add((frozenset(action.cards), action.give_back))
    assert len(told) == number
    assert listed[0] == legal(hand, hand.turn).first()
    for action in random.sample(listed, 20):
        after = apply(hand, hand.turn, action)
        assert [cards.bit_count() for cards in held(after)] == [12, 12, 12]
    assert [legal(hand, seat) for seat in Seat if seat != hand.turn] == [Legal()] * 2


def an_exchange(random: Random, auction: str, *, met: bool) -> Hand:
    while True:
        dealer = Seat(random.randrange(3))
        for hand in line(Script(random, auction), dealer, shuffled(random)):
            if hand.phase == "exchange":
                assert hand.turn is not None
                if (held(hand)[hand.turn].bit_count() == 17) == met:
                    return hand
