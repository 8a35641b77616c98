"""Whole hands as text, held against what their first lines say and a second referee.

``# expect:`` in each file names contract, outcome, bonus and payments; ``illegal.txt``
names what is refused, hand by hand.
"""

import re
from dataclasses import dataclass
from typing import Any

import pytest

from support import (
    GOLDEN,
    Try,
    golden,
    golden_text,
    prefix,
    read_tries,
    referee_of,
    spoken,
    steps,
)
from terziglio.actions import Discard, Phase, Play
from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.count import Bonus
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import apply, check
from terziglio.notation import parse, write
from terziglio.phases import Counted, Exchange, Playing, ThrownIn

NAMES = sorted(path.stem for path in GOLDEN.glob("*.hand"))
THROWN_IN = "thrown in"
EXPECT = re.compile(
    r"# expect: (chiamo|solo|solissimo) (won|lost), (plain|cappotto|stramazzo), "
    r"delta (-?\d+) (-?\d+) (-?\d+)"
)


@dataclass(frozen=True, slots=True)
class Expected:
    contract: str
    outcome: str
    bonus: str
    delta: tuple[int, ...]


def expected(name: str) -> Expected | None:
    """What a file expects; ``None`` where it expects the cards to be thrown in."""
    lines = [ln for ln in golden_text(name).splitlines() if ln.startswith("# expect:")]
    assert len(lines) == 1, f"{name} has {len(lines)} lines of expectation"
    if lines[0] == f"# expect: {THROWN_IN}":
        return None
    told = EXPECT.fullmatch(lines[0])
    assert told is not None, lines[0]
    contract, outcome, bonus, *delta = told.groups()
    return Expected(contract, outcome, bonus, tuple(map(int, delta)))


@pytest.mark.parametrize("name", NAMES)
def test_hand_comes_out_as_its_file_expects(name: str) -> None:
    hand, wanted = golden(name), expected(name)
    if wanted is None:
        assert isinstance(hand, ThrownIn)
        return
    assert isinstance(hand, Counted), "a golden hand is played to its end"
    assert re.search(r"^count: \d+ \d+$", golden_text(name), re.MULTILINE)
    result = hand.result
    assert result.contract.code == wanted.contract
    assert result.won == (wanted.outcome == "won")
    assert (result.bonus or "plain") == wanted.bonus
    assert result.delta == wanted.delta


@pytest.mark.parametrize("name", NAMES)
def test_second_referee_agrees_move_by_move(name: str) -> None:
    hand = golden(name)
    referee = referee_of(hand)
    for now, seat, action in steps(hand):
        assert referee.turn == seat == now.turn
        assert referee.phase == now.phase
        assert referee.act(seat, spoken(action)) is None
    assert referee.turn is None
    assert referee.phase == hand.phase
    if isinstance(hand, Counted):
        agree(referee.result(), hand)


def agree(theirs: dict[str, Any], hand: Counted) -> None:
    ours = hand.result
    assert theirs == {
        "contract": ours.contract.code,
        "soloist": ours.soloist,
        "won": ours.won,
        "soloist_thirds": ours.soloist_thirds,
        "defender_thirds": ours.defender_thirds,
        "in_tricks": ours.in_tricks,
        "tricks": ours.tricks,
        "bonus": ours.bonus,
        "payment": ours.payment,
        "delta": list(ours.delta),
        "monte_to": ours.monte_to,
    }


@pytest.mark.parametrize("name", NAMES)
def test_hand_and_each_beginning_of_it_survive_the_notation(name: str) -> None:
    hand = golden(name)
    assert parse(write(hand)) == hand
    for now, _, _ in steps(hand):
        assert parse(write(now)) == now


def test_R58_every_contract_won_and_lost_plain_and_with_each_bonus() -> None:
    """All eighteen lines of the table of changes, and the hand that has none."""
    told = [expected(name) for name in NAMES]
    shown = {(e.contract, e.outcome, e.bonus) for e in told if e is not None}
    assert shown == {
        (contract.code, outcome, bonus)
        for contract in Contract
        for outcome in ("won", "lost")
        for bonus in ("plain", *Bonus)
    }
    assert None in told


def test_golden_hands_show_each_way_of_the_exchange() -> None:
    """R26 R29 R31 O1: a call met, one in the monte, the called card given back."""
    met, in_monte, same_back = False, False, False
    for name in NAMES:
        for now, _, action in steps(golden(name)):
            if isinstance(action, Discard) and isinstance(now, Exchange):
                call = now.terms.call
                met |= call is not None and call.giver is not None
                in_monte |= call is not None and call.giver is None
                same_back |= call is not None and action.give_back == call.card
    assert met
    assert in_monte
    assert same_back


def test_golden_hands_show_solissimo_after_each_number_of_calls() -> None:
    """R17: it closes the auction at once, be it the first, second or third call."""
    hands = map(golden, NAMES)
    ended = {len(hand.bids) for hand in hands if Contract.SOLISSIMO in hand.bids}
    assert ended == {1, 2, 3}


def test_R47_golden_hands_stand_on_both_sides_of_the_line() -> None:
    hands = [hand for name in NAMES if isinstance(hand := golden(name), Counted)]
    totals = {(hand.result.soloist_thirds, hand.result.won) for hand in hands}
    assert {(17, False), (18, True)} <= totals


TRIES = read_tries()
TRY_IDS = [f"{t.hand}-{t.applied}-{t.refusal.code}" for t in TRIES]


@pytest.mark.parametrize("tried", TRIES, ids=TRY_IDS)
def test_try_is_refused_with_its_code_and_params(tried: Try) -> None:
    hand = prefix(golden(tried.hand), tried.applied)
    refusal = check(hand, tried.seat, tried.action)
    assert refusal == tried.refusal
    with pytest.raises(IllegalAction) as raised:
        apply(hand, tried.seat, tried.action)
    assert raised.value == tried.refusal
    assert hand == prefix(golden(tried.hand), tried.applied)


@pytest.mark.parametrize("tried", TRIES, ids=TRY_IDS)
def test_second_referee_refuses_the_try_for_the_same_reason(tried: Try) -> None:
    hand = golden(tried.hand)
    referee = referee_of(hand)
    for _, (_, seat, action) in zip(range(tried.applied), steps(hand), strict=False):
        assert referee.act(seat, spoken(action)) is None
    assert referee.act(tried.seat, spoken(tried.action)) == tried.refusal.code


def test_illegal_txt_shows_every_reason_with_all_its_params() -> None:
    assert {tried.refusal.code for tried in TRIES} == set(Illegal)


def test_O22_no_golden_hand_can_be_played_past_a_refusal() -> None:
    """At every decision, every card but the playable ones is refused."""
    for name in NAMES:
        for now, seat, _ in steps(golden(name)):
            if isinstance(now, Playing):
                allowed = [c for c in Card if check(now, seat, Play(c)) is None]
                assert allowed, "a seat on turn can always play"
                held = now.held[seat]
                led = now.trick.cards[0].suit if now.trick.cards else None
                own = [card for card in Card if held >> card & 1]
                same = [card for card in own if card.suit is led]
                assert allowed == (same or own)
                assert now.phase is Phase.PLAY
