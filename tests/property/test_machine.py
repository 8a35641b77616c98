"""Whole matches under hypothesis: what must hold after every single command.

I1 to I15 are the invariants of ``docs/rules.md``. A rule draws one or two numbers and
plays what comes of them, so that there is little to shrink.
"""

import re
from collections import Counter
from typing import ClassVar

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from strategies import (
    CI,
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
    Bonus,
    Card,
    Contract,
    Discard,
    Hand,
    Illegal,
    IllegalAction,
    Match,
    Seat,
    apply,
    check,
    deal,
    legal,
    new_match,
    seat_view,
)
from terziglio.cards import ALL_CARDS, SUIT_CARDS, cards_in, set_of, thirds_in
from terziglio.hand import decision, history
from terziglio.notation import parse, write
from terziglio.phases import Auction, Calling, Counted, Exchange, Playing, ThrownIn
from terziglio.view import SeatView

seeds = st.integers(0, 2**32)


class Matches(RuleBasedStateMachine):
    """A match and everything that it has been."""

    seen: ClassVar[Counter[str]] = Counter()
    match: Match
    script: Script

    @initialize(goal=st.sampled_from((7, 11, 21)), dealer=st.sampled_from(list(Seat)))
    def sit_down(self, goal: int, dealer: Seat) -> None:
        self.match = new_match(goal, dealer)
        self.past: list[tuple[Match, str, int]] = []
        with pytest.raises(IllegalAction, match="hand_over"):
            self.match.apply(Seat.S0, Bid(None))

    @precondition(lambda self: self.match.turn is None and self.match.winner is None)
    @rule(seed=seeds, contract=st.sampled_from((None, *CONTRACTS)))
    def next_hand(self, seed: int, contract: str | None) -> None:
        random, before = rng(seed), self.match
        dealer = before.dealer if before.hand is None else before.dealer.next
        deck = lopsided(random, dealer) if random.random() < 0.3 else shuffled(random)
        self.script = Script.drawn(random, contract)
        self.move_to(before.deal(deck))
        after = self.match
        assert after.dealer == dealer  # R13, after played and thrown-in hands
        assert after.deal_no == before.deal_no + 1
        assert (after.scores, after.hand_no) == (before.scores, before.hand_no)

    @precondition(lambda self: self.match.turn is not None)
    @rule(steps=st.integers(1, 12))
    def act(self, steps: int) -> None:
        for _ in range(steps):
            if self.match.turn is not None:
                self.act_once()

    @precondition(lambda self: self.match.turn is not None)
    @rule()
    def play_out(self) -> None:
        while self.match.turn is not None:
            self.act_once()

    def act_once(self) -> None:
        before, seat = self.match, self.match.turn
        assert before.hand is not None
        assert seat is not None
        action = self.script.action(before.hand)
        assert check(before.hand, seat, action) is None
        self.move_to(before.apply(seat, action))
        after = self.match.hand
        assert after is not None
        # I13: the same again gives the same.
        assert after == apply(before.hand, seat, action) != before.hand
        told = [*history(before.hand), (seat, in_fixed_order(action))]
        assert list(history(after)) == told
        if isinstance(after, Counted):
            scores = zip(before.scores, after.result.delta, strict=True)
            assert self.match.scores == tuple(map(sum, scores))
            assert self.match.hand_no == before.hand_no + 1
            won = "won" if after.result.won else "lost"
            self.seen[f"{after.result.contract} {won}"] += 1
            self.seen[after.result.bonus or "no bonus"] += 1
        else:
            assert self.match.scores == before.scores  # R66 too
            assert self.match.hand_no == before.hand_no
            self.seen[after.phase] += 1

    @precondition(lambda self: self.match.hand is not None)
    @rule(seed=seeds)
    def try_anything(self, seed: int) -> None:
        hand, random, before = self.match.hand, rng(seed), repr(self.match)
        assert hand is not None
        for _ in range(8):
            seat, action = probe(random, hand)
            refusal = check(hand, seat, action)
            if refusal is not None:
                with pytest.raises(IllegalAction) as caught:
                    self.match.apply(seat, action)
                assert caught.value == refusal
            if hand.turn is None:  # I15
                assert refusal == IllegalAction(Illegal.HAND_OVER)
        assert repr(self.match) == before

    @precondition(lambda self: self.match.turn is not None)
    @rule(seed=seeds)
    def deal_too_early(self, seed: int) -> None:
        with pytest.raises(IllegalAction, match="wrong_phase"):
            self.match.deal(shuffled(rng(seed)))

    @precondition(lambda self: self.match.winner is not None)
    @rule(seed=seeds)
    def deal_too_late(self, seed: int) -> None:
        self.seen["match over"] += 1
        with pytest.raises(IllegalAction, match="hand_over"):
            self.match.deal(shuffled(rng(seed)))

    def move_to(self, match: Match) -> None:
        for old, told, hashed in self.past[-1:]:
            assert (repr(old), hash(old)) == (told, hashed)
        self.match = match
        self.past.append((match, repr(match), hash(match)))
        check_match(match)
        assert match.hand is not None
        check_hand(match.hand)
        for seat in Seat:
            check_view(match, seat)

    def teardown(self) -> None:
        match = self.match
        if match.hand is not None:
            note(f"{match.scores} to {match.target}, deal {match.deal_no}")
            note(write(match.hand))
        for old, told, hashed in self.past:  # older states never change
            assert (repr(old), hash(old)) == (told, hashed)


def in_fixed_order(action: Action) -> Action:
    """The action as history tells it: the cards of a discard sorted."""
    if isinstance(action, Discard):
        return Discard(tuple(sorted(action.cards)), action.give_back)
    return action


def check_match(match: Match) -> None:
    assert sum(match.scores) == 0  # I14
    top = max(match.scores)
    alone = match.scores.count(top) == 1
    if top >= match.target and alone:
        assert match.winner == match.scores.index(top)
        assert match.phase == "finished"
    else:
        assert match.winner is None
        assert match.hand is not None
        assert match.phase == match.hand.phase
    assert match.hand_no <= match.deal_no


def check_hand(hand: Hand) -> None:
    check_cards(hand)
    check_legal(hand)
    assert parse(write(hand)) == hand
    again: Hand = deal(hand.dealt.dealer, hand.dealt.deck)
    for number, (seat, action) in enumerate(history(hand), start=1):
        assert decision(again) == number
        assert seat == again.turn
        again = apply(again, seat, action)
    assert again == hand
    if isinstance(hand, Playing | Counted):
        check_thirds(hand)
    if isinstance(hand, Counted):
        check_result(hand)


def check_cards(hand: Hand) -> None:
    """I1 and I2: forty cards, each in one place, and how many are where."""
    tricks = hand.tricks if isinstance(hand, Playing | Counted) else ()
    on_table = hand.trick.cards if isinstance(hand, Playing) else ()
    played = [card for trick in tricks for card in trick.cards]
    places = [*held(hand), middle(hand), set_of(played), set_of(on_table)]
    assert sum(place.bit_count() for place in places) == 40
    assert set_of(c for place in places for c in cards_in(place)) == ALL_CARDS
    assert len(played) == 3 * len(tricks)
    sizes = [cards.bit_count() for cards in held(hand)]
    want = [12 - len(tricks)] * 3
    match hand:
        case Exchange():
            call, soloist = hand.terms.call, hand.terms.soloist
            want[soloist] = 16
            if call is not None and call.giver is not None:
                want[soloist], want[call.giver] = 17, 11
        case Playing():
            for turn in range(len(on_table)):
                want[(hand.trick.leader + turn) % 3] -= 1
        case Auction() | Calling() | ThrownIn() | Counted():
            pass
    assert sizes == want
    assert middle(hand).bit_count() == (0 if isinstance(hand, Exchange) else 4)


def check_legal(hand: Hand) -> None:
    """I10: never empty on turn, always off turn; and who follows suit must."""
    for seat in Seat:
        allowed = legal(hand, seat)
        assert (next(allowed.actions(), None) is not None) == (seat == hand.turn)
        assert bool(allowed.why) <= (seat == hand.turn)
        if seat == hand.turn and isinstance(hand, Playing):
            may, trick = held(hand)[seat], hand.trick.cards
            if trick and may & SUIT_CARDS[trick[0].suit]:
                may &= SUIT_CARDS[trick[0].suit]
            assert set_of(allowed.cards) == may
            assert allowed.why.keys() == set(cards_in(held(hand)[seat] & ~may))


def check_thirds(hand: Playing | Counted) -> None:
    soloist = hand.terms.soloist
    won = [0, 0]
    for trick in hand.tricks:
        won[trick.winner != soloist] += thirds_in(set_of(trick.cards))
    assert hand.in_tricks == tuple(won)
    assert sum(won) <= 32 - thirds_in(hand.monte)  # I12


def check_result(hand: Counted) -> None:
    result = hand.result
    assert sum(result.in_tricks) + result.monte == 32  # I3
    both = (result.soloist_thirds, result.defender_thirds)
    assert sum(both) == 35  # I4
    assert sum(thirds // 3 for thirds in both) == 11
    assert sum(thirds >= 18 for thirds in both) == 1
    assert result.won == (result.soloist_thirds >= 18)
    own = result.delta[result.soloist]
    others = [result.delta[seat] for seat in Seat if seat != result.soloist]
    assert sum(result.delta) == 0  # I5
    assert [own, own] == [-2 * each for each in others]
    assert (own > 0) == result.won
    assert abs(own) in {2, 4, 6, 8, 12, 16, 24}  # I6
    loser = 1 if result.won else 0
    if result.bonus is Bonus.STRAMAZZO:  # I7
        assert result.tricks[loser] > 0
        assert result.in_tricks[loser] < 3
    if result.bonus is Bonus.CAPPOTTO:  # I8
        assert result.tricks[loser] == 0
        assert set(both) == {0, 35}
    assert sum(result.tricks) == 12


def check_view(match: Match, seat: Seat) -> None:
    """I11: a view names no card but the seat's own and the public ones."""
    view = seat_view(match, seat)
    assert match.hand is not None
    assert view.hand == cards_in(held(match.hand)[seat])
    assert cards_named(view) <= set(view.hand) | public(match.hand, seat)


def cards_named(view: SeatView) -> set[Card]:
    return {Card[name] for name in re.findall(r"<Card\.(\w+):", repr(view))}


def public(hand: Hand, seat: Seat) -> set[Card]:
    cards: set[Card] = set()
    match hand:
        case Calling() if seat == hand.turn:
            cards.update(Card)  # he may call whatever he does not hold
        case Exchange() | Playing() | Counted():
            if hand.terms.call is not None:
                cards.add(hand.terms.call.card)
            if hand.terms.contract.takes_the_monte:
                cards.update(cards_in(hand.dealt.monte))
        case Auction() | ThrownIn() | Calling():
            pass
    if isinstance(hand, Playing | Counted):
        cards.update(card for trick in hand.tricks for card in trick.cards)
        exchange = hand.exchange
        if exchange is not None and exchange.give_back is not None:
            cards.add(exchange.give_back)
        if exchange is not None and seat == hand.terms.soloist:
            cards.update(exchange.cards)
    if isinstance(hand, Playing):
        cards.update(hand.trick.cards)
    if isinstance(hand, Counted):
        cards.update(cards_in(hand.monte))
    return cards


def test_matches_keep_every_invariant_after_every_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A whole match is long to make small: past this, tell it as it is by then. The
    # five minutes that hypothesis allows itself are more than a test has here.
    monkeypatch.setattr(
        "hypothesis.internal.conjecture.engine.MAX_SHRINKING_SECONDS", 20
    )
    Matches.seen.clear()
    run_state_machine_as_test(
        Matches,
        settings=settings(CI, max_examples=100 * SCALE, stateful_step_count=30),
    )
    # The claim is empty unless all of this was there.
    told = [f"{contract} {how}" for contract in Contract for how in ("won", "lost")]
    places = ("match over", "call", "exchange", "play", "thrown_in", *Bonus, *told)
    assert [place for place in places if not Matches.seen[place]] == []
