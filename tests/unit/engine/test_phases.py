"""The phases of a hand as types, and what each can say of itself."""

from dataclasses import FrozenInstanceError, fields
from typing import get_args

import pytest

from support import at, bidding, cards, golden, played, prefix, shuffled
from terziglio.actions import Discard, Phase
from terziglio.cards import Card, cards_in, set_of, thirds_in
from terziglio.contracts import Contract
from terziglio.hand import deal
from terziglio.phases import (
    Auction,
    Calling,
    Counted,
    Dealt,
    Exchange,
    Hand,
    Passed,
    Playing,
    ThrownIn,
)
from terziglio.seats import Seat


def chiamo() -> Counted:
    """Dealer 0, soloist 2; 3S passed by seat 1, 4C given back, 5C 7D 6D 5D laid."""
    return played("chiamo_lost")


def sizes(masks: tuple[int, int, int]) -> list[int]:
    return [mask.bit_count() for mask in masks]


@pytest.mark.parametrize(
    ("kind", "own"),
    [
        (Auction, {"dealt", "bids"}),
        (ThrownIn, {"dealt"}),
        (Calling, {"terms"}),
        (Exchange, {"terms"}),
        (Playing, {"terms", "exchange", "tricks", "held", "trick"}),
        (Counted, {"terms", "exchange", "tricks"}),
    ],
)
def test_each_phase_has_only_its_own_fields(kind: type[Hand], own: set[str]) -> None:
    assert {field.name for field in fields(kind)} == own


def test_each_phase_is_one_type_and_goes_by_its_name() -> None:
    assert {kind.phase for kind in get_args(Hand)} == {
        Phase.AUCTION,
        Phase.THROWN_IN,
        Phase.CALL,
        Phase.EXCHANGE,
        Phase.PLAY,
        Phase.COUNT,
    }
    assert (golden("thrown_in").phase, chiamo().phase) == ("thrown_in", "count")
    for phase in (Phase.AUCTION, Phase.CALL, Phase.EXCHANGE, Phase.PLAY):
        assert at(chiamo(), phase).phase == phase.value


@pytest.mark.parametrize("dealer", Seat)
def test_O26_dealt_cards_know_a_deck_that_deals_them(dealer: Seat) -> None:
    for seed in range(20):
        packets = deal(dealer, shuffled(seed)).dealt
        assert deal(dealer, packets.deck).dealt == packets
        assert len(packets.deck) == 40


def test_R14_turns_of_the_auction() -> None:
    hand = deal(Seat.S1, shuffled(1))
    assert [hand.turn] + [bidding(hand, "PC"[:n]).turn for n in (1, 2)] == [2, 0, 1]


@pytest.mark.parametrize(
    ("letters", "highest"),
    [
        ("", None),
        ("P", None),
        ("C", Contract.CHIAMO),
        ("CP", Contract.CHIAMO),
        ("PS", Contract.SOLO),
        ("CS", Contract.SOLO),
    ],
)
def test_R15_bid_to_beat(letters: str, highest: Contract | None) -> None:
    hand = bidding(deal(Seat.S0, shuffled(1)), letters)
    assert isinstance(hand, Auction)
    assert hand.highest is highest


def test_R20_thrown_in_knows_three_passes_and_nobody_to_act() -> None:
    hand = golden("thrown_in")
    assert isinstance(hand, ThrownIn)
    assert hand.bids == (None, None, None)
    assert hand.turn is None


def test_R22_O5_card_is_named_after_the_auction_by_the_caller_with_twelve() -> None:
    hand = at(chiamo(), Phase.CALL)
    assert isinstance(hand, Calling)
    assert hand.turn is hand.terms.soloist is Seat.S2
    assert set(cards_in(hand.own)) == set(cards("AS 3C AC KC 7C 5C 4C 3H 2H AD 7D 6D"))
    assert hand.terms.call is None


def test_R34_sizes_12_12_12_then_11_and_17_then_12_12_12_and_4() -> None:
    """W41: the exchange of a chiamo that finds a defender."""
    dealt = chiamo().dealt
    assert [*sizes(dealt.hands), dealt.monte.bit_count()] == [12, 12, 12, 4]
    exchange = at(chiamo(), Phase.EXCHANGE)
    assert isinstance(exchange, Exchange)
    assert sizes(exchange.held) == [12, 11, 17]
    assert exchange.terms.call == Passed(Card("3S"), Seat.S1)
    assert exchange.terms.needs_give_back
    play = at(chiamo(), Phase.PLAY)
    assert isinstance(play, Playing)
    assert [*sizes(play.held), play.monte.bit_count()] == [12, 12, 12, 4]
    assert Card("4C") in cards_in(play.held[Seat.S1])
    assert set(cards_in(play.monte)) == set(cards("5C 7D 6D 5D"))


@pytest.mark.parametrize("name", ["chiamo_won", "solo_won"])
def test_R31_sixteen_cards_when_nothing_was_passed(name: str) -> None:
    hand = at(golden(name), Phase.EXCHANGE)
    assert isinstance(hand, Exchange)
    assert sorted(sizes(hand.held)) == [12, 12, 16]
    assert not hand.terms.needs_give_back


def test_R35_solissimo_has_no_exchange_and_keeps_the_dealt_monte() -> None:
    hand = at(golden("solissimo_won"), Phase.PLAY)
    assert isinstance(hand, Playing)
    assert hand.exchange is None
    assert hand.monte == hand.dealt.monte
    assert hand.held == hand.dealt.hands


def test_O6_discard_is_kept_in_fixed_order() -> None:
    hand = at(golden("solo_won"), Phase.PLAY)
    assert isinstance(hand, Playing)
    assert hand.exchange == Discard(cards("4S 5S 6C 4H"))


@pytest.mark.parametrize(
    ("actions", "seat", "playable"),
    [
        (5, 1, "5S 6S 7S 2S 4C 6C QC 2C 5H QH AH KD"),
        (6, 2, "7C KC AC 3C"),
        (7, 0, "JC"),
        (13, 1, "QH AH"),
        (14, 2, "3S AS KS JS 3C AC 7C 2H AD"),
        (15, 0, "QS 4S 6H 4H 3D 2D QD JD 4D"),
    ],
)
def test_R37_R38_R39_playable_cards(actions: int, seat: int, playable: str) -> None:
    hand = prefix(chiamo(), actions)
    assert isinstance(hand, Playing)
    assert hand.turn == seat
    assert set(cards_in(hand.playable(Seat(seat)))) == set(cards(playable))


def test_R42_R49_running_tricks_and_thirds_leave_out_monte_and_last_trick() -> None:
    """After four tricks of the chiamo: 3 to the defenders, then 1, 3 and 5."""
    hand = prefix(chiamo(), 5 + 4 * 3)
    assert isinstance(hand, Playing)
    assert hand.tricks_won == (3, 1)
    assert hand.in_tricks == (1 + 3 + 5, 3)
    assert chiamo().tricks_won == (6, 6)
    assert chiamo().in_tricks == (17, 15)


def test_R44_O11_count_counts_the_monte_on_the_table_not_the_dealt_one() -> None:
    """O11: dealt KS JS KH 5D would be 3 thirds, laid were 5C 7D 6D 5D."""
    assert thirds_in(chiamo().dealt.monte) == 3
    assert chiamo().result.monte == 0
    assert chiamo().result.monte_to is Seat.S1


def test_phases_cannot_be_changed() -> None:
    hand = deal(Seat.S0, shuffled(1))
    with pytest.raises(FrozenInstanceError):
        hand.bids = (None,)  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        hand.dealt.monte = 0  # type: ignore[misc]


def test_phases_with_equal_fields_are_equal_and_can_be_keys() -> None:
    one, other = prefix(chiamo(), 20), prefix(chiamo(), 20)
    assert one == other
    assert hash(one) == hash(other)
    assert one != prefix(chiamo(), 21)
    packets = chiamo().dealt
    assert packets == Dealt(packets.dealer, packets.hands, set_of(cards("KS JS KH 5D")))
