"""No seat and no suit is special: rename them, and the outcome is renamed alike."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import CI, SCALE, hands, held, middle, probe, rng
from terziglio import (
    Action,
    Bid,
    Call,
    Card,
    Discard,
    Hand,
    IllegalAction,
    Play,
    Seat,
    Suit,
    apply,
    check,
    deal,
    legal,
)
from terziglio.cards import Rank, cards_in
from terziglio.hand import decision, history
from terziglio.match import Match
from terziglio.phases import Auction, Counted, Playing, ThrownIn
from terziglio.view import SeatView, seat_view


@dataclass(frozen=True)
class Names:
    """New names for seats and suits, and the way back."""

    turns: int = 0
    """How many places every seat moves to the right."""
    suits: tuple[Suit, ...] = tuple(Suit)
    """The new suit of each old one."""

    @property
    def undone(self) -> "Names":
        back = sorted(Suit, key=lambda suit: self.suits[suit])
        return Names(-self.turns % 3, tuple(back))

    def seat(self, seat: int) -> Seat:
        return Seat((seat + self.turns) % 3)

    def card(self, card: Card) -> Card:
        return Card(f"{card.rank}{self.suits[card.suit]}")

    def action(self, action: Action) -> Action:
        match action:
            case Bid():
                return action
            case Call(card):
                return Call(self.card(card))
            case Play(card):
                return Play(self.card(card))
            case Discard(cards, back):
                renamed = tuple(map(self.card, cards))
                return Discard(renamed, None if back is None else self.card(back))

    def hand(self, hand: Hand) -> Hand:
        """Deal and play the same hand under the new names."""
        deck = [self.card(card) for card in hand.dealt.deck]
        renamed: Hand = deal(self.seat(hand.dealt.dealer), deck)
        for seat, action in history(hand):
            renamed = apply(renamed, self.seat(seat), self.action(action))
        return renamed

    def by_seat(self, values: Callable[[Seat], Any]) -> list[Any]:
        """For each new seat in turn, the value that belongs to the old one."""
        return [values(self.undone.seat(seat)) for seat in Seat]


NOTHING_NEW = Names()
renamings = st.builds(
    Names, st.integers(0, 2), st.sampled_from(list(permutations(Suit)))
)


def outcome(hand: Hand, names: Names = NOTHING_NEW) -> dict[str, Any]:
    """What there is to know of a hand, told under new names."""

    def cards(bits: int) -> set[Card]:
        return {names.card(card) for card in cards_in(bits)}

    turn = hand.turn
    facts: dict[str, Any] = {
        "phase": hand.phase,
        "bids": hand.bids,
        "turn": None if turn is None else names.seat(turn),
        "decision": decision(hand),
        "held": names.by_seat(lambda seat: cards(held(hand)[seat])),
        "middle": cards(middle(hand)),
        "legal": names.by_seat(lambda seat: may(hand, seat, names)),
    }
    if not isinstance(hand, Auction | ThrownIn):
        call = hand.terms.call
        facts["contract"] = hand.terms.contract
        facts["soloist"] = names.seat(hand.terms.soloist)
        if call is not None:
            giver = None if call.giver is None else names.seat(call.giver)
            facts["call"] = names.card(call.card), giver
    if isinstance(hand, Playing | Counted):
        facts["thirds"] = hand.in_tricks
        facts["tricks"] = (
            hand.tricks_won,
            [
                (names.seat(trick.leader), names.seat(trick.winner), trick.thirds)
                for trick in hand.tricks
            ],
        )
    if isinstance(hand, Counted):
        result = hand.result
        facts["result"] = (
            names.seat(result.soloist),
            names.seat(result.monte_to),
            names.by_seat(lambda seat: result.delta[seat]),
            (result.won, result.bonus, result.payment, result.monte, result.steps),
        )
    return facts


def may(hand: Hand, seat: Seat, names: Names) -> dict[str, Any]:
    """What a seat may do, in sets: the order of cards is by suit, so it changes."""
    allowed = legal(hand, seat)
    rule = allowed.discard
    return {
        "bids": allowed.bids,
        "calls": {names.card(card) for card in allowed.calls},
        "cards": {names.card(card) for card in allowed.cards},
        "why": {names.card(c): told(why, names) for c, why in allowed.why.items()},
        "discard": rule
        and (rule.count, rule.give_back, {names.card(c) for c in rule.choices}),
    }


def told(refusal: IllegalAction | None, names: Names) -> Any:
    """A refusal under new names: its params name seats, suits and cards."""
    if refusal is None:
        return None
    params = dict(refusal.params)
    if "turn" in params:
        params["turn"] = int(names.seat(int(params["turn"])))
    if "led" in params:
        params["led"] = names.suits[Suit(params["led"])].code
    if "card" in params:
        params["card"] = names.card(Card(params["card"])).code
    return refusal.code, params


@settings(CI, max_examples=1600 * SCALE)
@given(hand=hands(), names=renamings, seed=st.integers(0, 2**32))
def test_renaming_seats_and_suits_renames_the_outcome(
    hand: Hand, names: Names, seed: int
) -> None:
    renamed = names.hand(hand)
    assert outcome(renamed) == outcome(hand, names)
    assert names.undone.hand(renamed) == hand
    random = rng(seed)
    for _ in range(10):
        seat, action = probe(random, hand)
        refusal = check(renamed, names.seat(seat), names.action(action))
        assert told(refusal, NOTHING_NEW) == told(check(hand, seat, action), names)


@settings(CI, max_examples=600 * SCALE)
@given(hand=hands(), turns=st.integers(1, 2))
def test_renaming_the_seats_renames_every_view(hand: Hand, turns: int) -> None:
    names = Names(turns)
    renamed = names.hand(hand)
    for seat in Seat:
        theirs, ours = view_of(renamed, names.seat(seat)), view_of(hand, seat)
        # Seats aside, the new view is the old one: nobody is shown more or less.
        assert theirs.hand == ours.hand
        assert theirs.monte == ours.monte
        assert theirs.legal == ours.legal
        assert theirs.thirds == ours.thirds
        assert [trick.cards for trick in theirs.tricks] == [
            trick.cards for trick in ours.tricks
        ]
        assert theirs.hand_sizes == tuple(names.by_seat(ours.hand_sizes.__getitem__))
        assert type(theirs.last) is type(ours.last)


def view_of(hand: Hand, seat: Seat) -> SeatView:
    return seat_view(Match(7, hand.dealt.dealer, deal_no=1, hand=hand), seat)


def test_the_names_are_a_renaming() -> None:
    names = Names(1, (Suit.CUPS, Suit.SWORDS, Suit.COINS, Suit.BATONS))
    assert {names.card(card) for card in Card} == set(Card)
    assert names.card(Card("3S")) == Card("3H")
    assert names.undone.card(Card("3H")) == Card("3S")
    assert all(names.card(card).rank is Rank(card.rank) for card in Card)
    assert [names.seat(seat) for seat in Seat] == [1, 2, 0]
    assert names.by_seat(lambda seat: "abc"[seat]) == ["c", "a", "b"]
