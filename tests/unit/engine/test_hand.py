"""The way of a hand from the deal to the count: who may do what, and what follows."""

import pytest

from support import (
    at,
    bidding,
    cards,
    dealt,
    golden,
    played,
    prefix,
    shuffled,
    steps,
)
from terziglio.actions import Action, Bid, Call, Discard, Phase, Play
from terziglio.cards import Card, cards_in, set_of
from terziglio.contracts import Contract
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import apply, check, deal, decision, history
from terziglio.phases import Counted, Exchange, Hand, Passed, Playing
from terziglio.seats import Seat


def chiamo() -> Counted:
    """Dealer 0, soloist 2; 3S passed by seat 1, 4C given back, 5C 7D 6D 5D laid."""
    return played("chiamo_lost")


def solo() -> Counted:
    """Dealer 0 and soloist, monte QS 5S 7C 7D."""
    return played("solo_won")


def code(hand: Hand, seat: int, action: Action) -> Illegal | None:
    reason = check(hand, Seat(seat), action)
    return None if reason is None else reason.code


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_R11_R12_O26_O27_three_packets_of_four_then_the_monte(dealer: int) -> None:
    deck = shuffled(7)
    packets = deal(Seat(dealer), deck).dealt
    f = (dealer + 1) % 3
    for turn in range(3):
        own = [
            deck[12 * round_ + 4 * turn + i] for round_ in range(3) for i in range(4)
        ]
        assert set(cards_in(packets.hands[(f + turn) % 3])) == set(own)
    assert set(cards_in(packets.monte)) == set(deck[36:])


@pytest.mark.parametrize(
    "deck",
    [
        tuple(Card)[:39],
        (*tuple(Card), Card("3S")),
        (*tuple(Card)[:39], Card("4S")),
        (),
    ],
)
def test_R1_deck_is_the_forty_cards_each_once(deck: tuple[Card, ...]) -> None:
    with pytest.raises(ValueError, match="forty cards"):
        deal(Seat.S0, deck)


def test_R36_W37_dealers_chiamo_is_led_to_by_the_seat_after_him() -> None:
    hand = prefix(golden("chiamo_won_cappotto"), 5)
    assert isinstance(hand, Playing)
    assert hand.dealt.dealer is hand.terms.soloist is Seat.S1
    assert hand.terms.contract is Contract.CHIAMO
    assert hand.turn is hand.trick.leader is Seat.S2


def test_R23_W39_card_of_the_own_hand_cannot_be_called() -> None:
    hand = dealt(
        2,
        (
            "3S 2S AS 3C 2C AC 3H 2H AH 3D 2D AD",
            "KS QS JS 7S KC QC JC 7C KH QH JH 7H",
            "KD QD JD 7D 6S 5S 4S 6C 5C 4C 6H 5H",
        ),
        "4H 6D 5D 4D",
    )
    calling = bidding(hand, "CPP")
    refusal = check(calling, Seat.S0, Call(Card("3S")))
    assert refusal == IllegalAction(Illegal.CARD_IN_OWN_HAND, {"card": "3S"})


def test_R24_O2_W40_any_of_the_28_others_can_be_called() -> None:
    """O2: a 4 too; R23 looks at the twelve, so a card of the monte will do."""
    hand = at(chiamo(), Phase.CALL)
    own = set(cards("AS 3C AC KC 7C 5C 4C 3H 2H AD 7D 6D"))
    legal = {card for card in Card if check(hand, Seat.S2, Call(card)) is None}
    assert legal == set(Card) - own
    assert len(legal) == 28
    assert Card("4D") in legal
    assert set(cards("KS JS KH 5D")) <= legal


def test_R25_W41_defender_passes_the_card_and_gets_one_back() -> None:
    hand = at(chiamo(), Phase.EXCHANGE)
    assert isinstance(hand, Exchange)
    assert hand.terms.call == Passed(Card("3S"), Seat.S1)
    assert [held.bit_count() for held in hand.held] == [12, 11, 17]
    assert hand.turn is Seat.S2
    bare = Discard(cards("5C 7D 6D 5D"))
    assert code(hand, 2, bare) is Illegal.GIVE_BACK_MISSING
    after = apply(hand, Seat.S2, Discard(bare.cards, Card("4C")))
    assert isinstance(after, Playing)
    assert [held.bit_count() for held in after.held] == [12, 12, 12]
    assert after.held[Seat.S1] >> Card("4C") & 1
    assert after.monte == set_of(bare.cards)


def test_R26_W42_call_that_lies_in_the_monte_passes_nothing() -> None:
    hand = at(golden("chiamo_won"), Phase.EXCHANGE)
    assert isinstance(hand, Exchange)
    assert hand.terms.call == Passed(Card("AC"), None)
    assert [held.bit_count() for held in hand.held] == [12, 12, 16]
    four = cards("5S 7C 5C 7H")
    assert code(hand, 2, Discard(four, Card("JD"))) is Illegal.GIVE_BACK_NOT_WANTED
    assert code(hand, 2, Call(Card("3S"))) is Illegal.WRONG_PHASE
    after = apply(hand, Seat.S2, Discard(four))
    assert isinstance(after, Playing)
    assert after.monte == set_of(four)


@pytest.mark.parametrize(
    ("laid", "reason"),
    [
        ("4S 5S 6C", Illegal.WRONG_DISCARD_COUNT),
        ("4S 5S 6C 4H QD", Illegal.WRONG_DISCARD_COUNT),
        ("4S 5S 4S 4H", Illegal.DUPLICATE_DISCARD),
        ("4S 5S 6C KD", Illegal.DISCARD_NOT_HELD),
    ],
)
def test_R30_W43_four_different_cards_of_the_hand(laid: str, reason: Illegal) -> None:
    assert code(at(solo(), Phase.EXCHANGE), 0, Discard(cards(laid))) is reason


def test_O1_W44_called_card_itself_may_go_back() -> None:
    hand = at(chiamo(), Phase.EXCHANGE)
    action = Discard(cards("5C 7D 6D 5D"), Card("3S"))
    after = apply(hand, Seat.S2, action)
    assert isinstance(after, Playing)
    assert after.held[Seat.S1] == hand.dealt.hands[Seat.S1]


def test_R32_O3_W45_any_four_may_be_laid_the_four_aces_too() -> None:
    hand = at(golden("solo_lost_stramazzo"), Phase.EXCHANGE)
    assert code(hand, 0, Discard(cards("AS AC AH AD"))) is None


def test_R33_the_monte_itself_may_be_laid_again() -> None:
    assert code(at(solo(), Phase.EXCHANGE), 0, Discard(cards("QS 5S 7C 7D"))) is None


def test_O3_called_card_may_be_laid() -> None:
    action = Discard(cards("3S 7D 6D 5D"), Card("4C"))
    assert code(at(chiamo(), Phase.EXCHANGE), 2, action) is None


def test_R27_W46_no_call_in_solo() -> None:
    hand = bidding(prefix(solo(), 0), "PCS")
    assert isinstance(hand, Exchange)
    assert hand.held[Seat.S0].bit_count() == 16
    assert check(hand, Seat.S0, Call(Card("3S"))) == IllegalAction(
        Illegal.WRONG_PHASE, {"phase": "exchange"}
    )


def test_R35_W47_no_call_and_no_exchange_in_solissimo() -> None:
    hand = at(golden("solissimo_won_cappotto"), Phase.PLAY)
    assert code(hand, 1, Discard(cards("3S 2S AS KS"))) is Illegal.WRONG_PHASE
    assert code(hand, 1, Call(Card("3C"))) is Illegal.WRONG_PHASE


def test_O4_caller_can_do_nothing_but_call() -> None:
    hand = at(chiamo(), Phase.CALL)
    others = (Bid(None), Discard(cards("AS 3C AC KC")), Play(Card("AS")))
    assert [code(hand, 2, a) for a in others] == [Illegal.WRONG_PHASE] * 3


@pytest.mark.parametrize(
    ("name", "leader"),
    [
        ("chiamo_lost", 1),
        ("solo_won", 1),
        ("solo_lost", 1),
        ("solissimo_won", 1),
        ("solissimo_won_stramazzo", 0),
    ],
)
def test_R36_first_lead(name: str, leader: int) -> None:
    """Chiamo and solo: the seat after the dealer; solissimo: the soloist."""
    hand = at(golden(name), Phase.PLAY)
    assert isinstance(hand, Playing)
    assert hand.turn == leader
    if hand.terms.contract is Contract.SOLISSIMO:
        assert leader == hand.terms.soloist
    else:
        assert leader == (hand.dealt.dealer + 1) % 3


def test_R38_R40_turns_follow_the_winners() -> None:
    """The first three tricks of the chiamo: leads by 1, 1, 2."""
    turns = [seat for _, seat, _ in steps(chiamo())][5 : 5 + 9]
    assert turns == [1, 2, 0, 1, 2, 0, 2, 0, 1]


def test_R41_O24_always_twelve_tricks() -> None:
    """A hand whose winner is certain goes on until the last card."""
    sure = golden("solissimo_won_cappotto")
    before = prefix(sure, 1 + 35)
    assert isinstance(before, Playing)
    assert len(before.tricks) == 11
    assert isinstance(sure, Counted)
    assert len(sure.tricks) == 12
    assert all(len(trick.cards) == 3 for trick in sure.tricks)


@pytest.mark.parametrize(
    "name", ["chiamo_lost", "chiamo_won", "solo_won", "solissimo_won", "thrown_in"]
)
def test_I15_nothing_is_accepted_once_the_hand_is_over(name: str) -> None:
    hand = golden(name)
    four = cards("5C 7D 6D 5D")
    for seat in Seat:
        for action in (Bid(None), Call(four[0]), Discard(four), Play(four[0])):
            assert code(hand, seat, action) is Illegal.HAND_OVER


@pytest.mark.parametrize(
    "name", ["chiamo_lost", "chiamo_won", "solo_won", "solissimo_won", "thrown_in"]
)
def test_history_and_decision_number_tell_every_action(name: str) -> None:
    hand = golden(name)
    done: list[tuple[Seat, Action]] = []
    for number, (now, seat, action) in enumerate(steps(hand), start=1):
        assert list(history(now)) == done
        assert decision(now) == number
        done.append((seat, action))
    assert list(history(hand)) == done
    assert decision(hand) == len(done) + 1


@pytest.mark.parametrize(
    ("name", "actions"),
    [("chiamo_lost", 41), ("solo_won", 40), ("solissimo_won", 38), ("thrown_in", 3)],
)
def test_number_of_actions_in_a_hand(name: str, actions: int) -> None:
    """Bids, a call, a discard and 36 cards; solissimo has cards alone."""
    assert len(list(history(golden(name)))) == actions


def test_I13_an_older_hand_never_changes() -> None:
    hand = prefix(chiamo(), 17)
    before, copy = hash(hand), prefix(chiamo(), 17)
    assert hand.turn is not None
    for card in Card:
        if check(hand, hand.turn, Play(card)) is None:
            assert apply(hand, hand.turn, Play(card)) != hand
    assert hash(hand) == before
    assert hand == copy
