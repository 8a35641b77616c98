"""The auction of a hand: the twenty ways it can go, who speaks, what is refused."""

from collections.abc import Iterator

import pytest

from support import bidding, golden, played, prefix, shuffled
from terziglio.actions import Action, Bid
from terziglio.contracts import Contract
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import apply, check, deal
from terziglio.phases import Auction, Calling, Counted, Exchange, Hand, Playing
from terziglio.seats import Seat

AUCTIONS = "PPP PPC PPS PPX PCP PCS PCX PSP PSX PX CPP CPS CPX CSP CSX CX SPP SPX SX X"
"""In the order f, f+1, d: P pass, C chiamo, S solo, X solissimo."""
WORTH = {"P": 0, "C": 1, "S": 2, "X": 3}


def chiamo() -> Counted:
    return played("chiamo_lost")


def fresh(dealer: int = 0) -> Auction:
    return deal(Seat(dealer), shuffled(1))


def code(hand: Hand, seat: int, action: Action) -> Illegal | None:
    reason = check(hand, Seat(seat), action)
    return None if reason is None else reason.code


def complete(hand: Hand, said: str = "") -> Iterator[str]:
    """Every complete auction from here, by trying each bid on whoever is on turn."""
    if not isinstance(hand, Auction):
        yield said
        return
    for letter in "PCSX":
        bid = {"P": None, "C": "chiamo", "S": "solo", "X": "solissimo"}[letter]
        action = Bid(None if bid is None else Contract(bid))
        if check(hand, hand.turn, action) is None:
            yield from complete(apply(hand, hand.turn, action), said + letter)


def test_R21_W31_exactly_twenty_auctions() -> None:
    assert sorted(complete(fresh())) == sorted(AUCTIONS.split())
    assert len(AUCTIONS.split()) == 20


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.parametrize("letters", AUCTIONS.split())
def test_R14_R19_R20_R36_what_an_auction_leads_to(letters: str, dealer: int) -> None:
    hand = bidding(fresh(dealer), letters)
    best = max(letters, key=WORTH.__getitem__)
    if best == "P":
        assert hand.phase == "thrown_in"
        assert hand.turn is None
        return
    assert isinstance(hand, Calling | Exchange | Playing)
    soloist = (dealer + 1 + letters.index(best)) % 3
    assert hand.terms.soloist == soloist
    assert (
        hand.terms.contract.code == {"C": "chiamo", "S": "solo", "X": "solissimo"}[best]
    )
    assert hand.phase == {"C": "call", "S": "exchange", "X": "play"}[best]
    assert hand.turn == soloist
    assert len(hand.bids) == len(letters)


def test_W32_pass_chiamo_solo_makes_the_dealer_soloist() -> None:
    hand = bidding(fresh(), "PCS")
    assert isinstance(hand, Exchange)
    assert hand.turn is Seat.S0
    assert hand.terms.contract is Contract.SOLO
    assert hand.terms.contract.stake == 2


@pytest.mark.parametrize(
    ("letters", "bid", "highest"),
    [
        ("C", "chiamo", "chiamo"),
        ("PC", "chiamo", "chiamo"),
        ("S", "solo", "solo"),
        ("S", "chiamo", "solo"),
        ("CS", "solo", "solo"),
        ("CS", "chiamo", "solo"),
    ],
)
def test_R15_W33_bid_must_be_higher(letters: str, bid: str, highest: str) -> None:
    hand = bidding(fresh(), letters)
    assert isinstance(hand, Auction)
    turn = hand.turn
    refusal = check(hand, turn, Bid(Contract(bid)))
    assert refusal == IllegalAction(Illegal.BID_TOO_LOW, {"highest": highest})
    assert hand.turn == turn
    assert hand.highest is Contract(highest)


def test_R17_W34_solissimo_closes_the_auction_at_once() -> None:
    hand = bidding(fresh(2), "X")
    assert isinstance(hand, Playing)
    assert hand.terms.soloist is Seat.S0
    assert hand.turn is Seat.S0
    for seat in Seat:
        assert code(hand, seat, Bid(None)) is not None


def test_R18_W35_overbid_seat_gets_no_second_chance() -> None:
    hand = bidding(fresh(), "CSP")
    assert isinstance(hand, Exchange)
    assert hand.terms.soloist is Seat.S2
    assert code(hand, 1, Bid(Contract.SOLISSIMO)) is Illegal.NOT_YOUR_TURN


@pytest.mark.parametrize("seat", [0, 2])
def test_W38_bid_out_of_turn_is_refused(seat: int) -> None:
    hand = fresh()
    before = hash(hand)
    assert check(hand, Seat(seat), Bid(None)) == IllegalAction(
        Illegal.NOT_YOUR_TURN, {"turn": 1}
    )
    with pytest.raises(IllegalAction):
        apply(hand, Seat(seat), Bid(None))
    assert hash(hand) == before
    assert hand.bids == ()


@pytest.mark.parametrize("seat", Seat)
def test_W38_bid_after_the_end_is_refused(seat: Seat) -> None:
    assert code(golden("thrown_in"), seat, Bid(None)) is Illegal.HAND_OVER
    assert code(chiamo(), seat, Bid(None)) is Illegal.HAND_OVER
    assert code(prefix(chiamo(), 3), 2, Bid(None)) is Illegal.WRONG_PHASE
