"""Random hands, played in lockstep by the engine and by the second referee.

The two share no code: the referee is plain strings. A failing chunk repeats under the
number in its name, and tells the hand in notation.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from referee import Referee, RefereeMatch, thirds
from strategies import (
    BIDS,
    CONTRACTS,
    SCALE,
    Script,
    held,
    lopsided,
    middle,
    probe,
    rng,
    shuffled,
)
from terziglio import (
    Action,
    Bid,
    Call,
    Discard,
    Hand,
    IllegalAction,
    Match,
    Play,
    Seat,
    check,
    legal,
    new_match,
)
from terziglio.cards import cards_in
from terziglio.notation import write
from terziglio.phases import Auction, Calling, Counted, Exchange, Playing, ThrownIn
from terziglio.tricks import Trick

CHUNKS = 40 * SCALE
HANDS = 500  # a chunk: 20,000 in all


@pytest.mark.parametrize("chunk", range(CHUNKS), ids="chunk{}".format)
def test_the_engine_and_the_second_referee_agree(chunk: int) -> None:
    random = rng("referee", chunk)
    table = Table.fresh(random)
    for number in range(HANDS):
        try:
            play_a_hand(table, random, MIXES[number % len(MIXES)], probing=number % 4)
        except Exception as error:
            assert table.match.hand is not None
            error.add_note(f"hand {number} of chunk {chunk}, seed {('referee', chunk)}")
            error.add_note(write(table.match.hand))
            raise
    # The claim is empty unless every contract and every bonus was there.
    assert min(table.seen[name] for name in ("P", "C", "S", "X")) >= HANDS // 10
    assert {"cappotto", "stramazzo", "soloist won", "soloist lost"} <= set(table.seen)
    assert table.seen["refused"] >= 1000


MIXES: tuple[str | None, ...] = (None, *CONTRACTS[1:], *CONTRACTS)
"""What a hand's auction is made to end in; ``None``: any bids."""


@dataclass
class Table:
    """One match, held twice."""

    match: Match
    referee: RefereeMatch
    seen: Counter[str] = field(default_factory=Counter)

    @classmethod
    def fresh(cls, random: Random) -> "Table":
        target, dealer = random.choice((7, 11, 21)), random.choice(tuple(Seat))
        return cls(new_match(target, dealer), RefereeMatch(target, int(dealer)))

    def start_again(self, random: Random) -> None:
        fresh = Table.fresh(random)
        self.match, self.referee = fresh.match, fresh.referee


def play_a_hand(
    table: Table, random: Random, contract: str | None, *, probing: int
) -> None:
    dealer = Seat(table.referee.dealer)
    deck = lopsided(random, dealer) if random.random() < 0.4 else shuffled(random)
    referee = table.referee.deal([card.code for card in deck])
    table.match = table.match.deal(deck)
    script = Script.drawn(random, contract)
    agree_on_the_match(table)
    while table.match.turn is not None:
        hand, seat = now(table), table.match.turn
        agree_on_the_hand(hand, referee)
        agree_on_what_is_legal(hand, referee, everything=probing == 0)
        if probing == 0:
            table.seen["refused"] += agree_on_probes(hand, referee, random)
        action = script.action(hand)
        assert referee.act(int(seat), told(action)) is None
        table.match = table.match.apply(seat, action)
    hand = now(table)
    agree_on_the_hand(hand, referee)
    agree_on_the_tricks(hand, referee)
    agree_on_probes(hand, referee, random)
    outcome = "P"
    if isinstance(hand, Counted):
        agree_on_the_result(hand, referee)
        result = hand.result
        outcome = {bid: letter for letter, bid in BIDS.items()}[result.contract]
        table.seen["soloist won" if result.won else "soloist lost"] += 1
        table.seen[result.bonus or "plain"] += 1
    table.seen[outcome] += 1
    table.referee.settle()
    agree_between_hands(table)
    if table.match.winner is not None:
        table.start_again(random)


def now(table: Table) -> Hand:
    assert table.match.hand is not None
    return table.match.hand


def told(action: Action) -> tuple[Any, ...]:
    """The action as the referee hears it."""
    match action:
        case Bid(contract):
            return "bid", "pass" if contract is None else contract.code
        case Call(card):
            return "call", card.code
        case Play(card):
            return "play", card.code
        case Discard(cards, back):
            codes = [card.code for card in cards]
            return "discard", codes, None if back is None else back.code


def codes(bits: int) -> set[str]:
    return {card.code for card in cards_in(bits)}


def agree_on_the_match(table: Table) -> None:
    match, referee = table.match, table.referee
    assert match.dealer == referee.dealer
    assert list(match.scores) == referee.scores
    assert match.winner is None
    assert referee.winner is None
    assert (match.deal_no, match.hand_no) == (referee.deal_no, referee.hand_no)


def agree_between_hands(table: Table) -> None:
    match, referee = table.match, table.referee
    assert list(match.scores) == referee.scores
    assert match.winner == referee.winner
    assert (match.deal_no, match.hand_no) == (referee.deal_no, referee.hand_no)
    assert match.dealer.next == referee.dealer  # the referee names the next one
    assert (match.phase == "finished") == (referee.winner is not None)


def agree_on_the_hand(hand: Hand, referee: Referee) -> None:
    assert hand.phase == referee.phase
    assert hand.turn == referee.turn
    assert [codes(bits) for bits in held(hand)] == list(map(set, referee.hands))
    assert codes(middle(hand)) == set(referee.monte)
    first = hand.dealt.dealer.next
    bids = [(first.after(i), told(Bid(bid))[1]) for i, bid in enumerate(hand.bids)]
    assert bids == referee.log
    if isinstance(hand, Auction | ThrownIn):
        assert referee.soloist is None
        return
    terms, call = hand.terms, hand.terms.call
    assert (terms.soloist, terms.contract.code) == (referee.soloist, referee.contract)
    assert (None if call is None else call.card.code) == referee.called
    assert (None if call is None else call.giver) == referee.passed_by
    if isinstance(hand, Calling | Exchange):
        return
    assert len(hand.tricks) == len(referee.tricks)
    assert list(map(taken, hand.tricks[-1:])) == referee.tricks[-1:]
    on_table = plays(hand.trick) if isinstance(hand, Playing) else []
    assert on_table == referee.trick


def agree_on_the_tricks(hand: Hand, referee: Referee) -> None:
    tricks = hand.tricks if isinstance(hand, Counted) else ()
    assert list(map(taken, tricks)) == referee.tricks


def plays(trick: Trick) -> list[tuple[int, str]]:
    return [((trick.leader + i) % 3, card.code) for i, card in enumerate(trick.cards)]


def taken(trick: Trick) -> tuple[int, list[str], int]:
    return trick.leader, [card.code for card in trick.cards], trick.winner


def agree_on_what_is_legal(hand: Hand, referee: Referee, *, everything: bool) -> None:
    assert hand.turn is not None
    allowed = legal(hand, hand.turn)
    if isinstance(hand, Exchange):  # 30,940 ways: the rule alone is compared
        assert allowed.discard is not None
        own = {card.code for card in allowed.discard.choices}
        assert own == set(referee.hands[hand.turn])
        assert allowed.discard.give_back == (referee.passed_by is not None)
    elif everything:
        # Sorted, for each has its own order; lists, for both say each thing once.
        assert sorted(map(told, allowed.actions())) == sorted(referee.legal())
    elif isinstance(hand, Playing):
        cards = referee.hands[hand.turn]
        may = {c for c in cards if referee.verdict(hand.turn, ("play", c)) is None}
        assert {card.code for card in allowed.cards} == may


def agree_on_probes(hand: Hand, referee: Referee, random: Random) -> int:
    """Try anything; return how much of it was refused."""
    refused = 0
    for _ in range(6):
        seat, action = probe(random, hand)
        ours = verdict(check(hand, seat, action))
        assert ours == referee.verdict(int(seat), told(action)), (seat, action)
        refused += ours is not None
    return refused


def verdict(refusal: IllegalAction | None) -> str | None:
    return None if refusal is None else refusal.code.value


def agree_on_the_result(hand: Counted, referee: Referee) -> None:
    ours = hand.result
    assert referee.result() == {
        "contract": ours.contract.code,
        "won": ours.won,
        "soloist_thirds": ours.soloist_thirds,
        "defender_thirds": ours.defender_thirds,
        "in_tricks": ours.in_tricks,
        "tricks": ours.tricks,
        "bonus": ours.bonus,
        "payment": ours.payment,
        "soloist": ours.soloist,
        "delta": list(ours.delta),
        "monte_to": ours.monte_to,
    }
    assert ours.monte == thirds(referee.monte)
    *parts, total = ours.steps
    assert total.soloist == sum(step.soloist for step in parts) == ours.soloist_thirds
    assert total.defenders == sum(step.defenders for step in parts)
    assert total.defenders == ours.defender_thirds
