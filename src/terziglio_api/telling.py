"""A hand told step by step: what was done, in words, and by which rules. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from terziglio.cards import Card, Suit, cards_in
from terziglio.hand import history
from terziglio.match import Match, new_match
from terziglio.phases import Hand, Played, Playing
from terziglio.seats import Seat
from terziglio.trial import would_do
from terziglio.view import last_event, seat_view
from terziglio.words import Language, Words, rulebook
from terziglio_api.record import rules_of

__all__ = ["Told", "refused", "rule_texts", "steps", "table"]

_TARGET: Final = 21


@dataclass(frozen=True, slots=True)
class Told:
    """A moment of a hand: the deal, or an action with what it did."""

    sentence: str
    rules: tuple[str, ...]
    """Numbers of the rules that applied, the foremost first."""
    match: Match
    """As it stands then."""


def steps(hand: Hand, words: Words) -> Iterator[Told]:
    """Yield the deal, then each action of a hand."""
    dealer = hand.dealt.dealer
    match = new_match(_TARGET, dealer).deal(hand.dealt.deck)
    told = {"deal": 1, "dealer": int(dealer)}
    yield Told(words.sentence("events", "dealt", told), ("R11", "R12"), match)
    for seat, action in history(hand):
        before, match = match, match.apply(seat, action)
        event = last_event(match, seat)
        assert event is not None  # noqa: S101 - an action has just been done
        rules = rules_of(event, seat_view(before, seat))
        yield Told(words.event(event), rules, match)


def refused(hand: Hand) -> str:
    """Return what would have done where a hand stops."""
    match = new_match(_TARGET, hand.dealt.dealer).deal(hand.dealt.deck)
    for seat, action in history(hand):
        match = match.apply(seat, action)
    if match.turn is None:
        return ""
    return f"seat {match.turn}: {would_do(seat_view(match, match.turn).legal)}"


def table(match: Match, names: Sequence[str]) -> Iterator[str]:
    """Yield the open table, a line for each seat, for the middle and for the trick."""
    hand = match.hand
    assert hand is not None  # noqa: S101 - there was a deal
    view = seat_view(match, Seat.S0)
    for seat in Seat:
        mark = ">" if seat is match.turn else " "
        side = view.side(seat)
        role = f" ({side})" if side == "soloist" else ""
        held = seat_view(match, seat).hand
        yield f"{mark} {seat} {names[seat]}{role}: {_by_suit(held)}"
    if isinstance(hand, Played):
        yield f"  monte: {_by_suit(cards_in(hand.monte))}"
    elif view.monte is not None and view.monte.count:
        yield f"  monte: {_by_suit(cards_in(hand.dealt.monte))}"
    if isinstance(hand, Playing):
        yield f"  trick {len(hand.tricks) + 1}: {_trick(hand)}"
    if view.thirds is not None:
        soloist, defenders = view.thirds
        yield f"  thirds in tricks: soloist {soloist}, defenders {defenders}"


def rule_texts(language: Language) -> Mapping[str, str]:
    """Return the text of every rule by its number."""
    return {
        rule["id"]: rule[language]
        for section in rulebook()["sections"]
        for rule in section["rules"]
    }


def _trick(hand: Playing) -> str:
    trick = hand.trick
    played = enumerate(trick.cards)
    told = ", ".join(f"{trick.leader.after(i)} {card}" for i, card in played)
    return told or f"{trick.leader} leads"


def _by_suit(cards: tuple[Card, ...]) -> str:
    symbols = Words("en").data["suits"]
    suits: list[str] = []
    for suit in Suit:
        ranks = [str(card.rank) for card in reversed(cards) if card.suit is suit]
        if ranks:
            suits.append(
                f"{symbols[suit.code]['symbol']} {suit.code} {' '.join(ranks)}"
            )
    return "  ".join(suits) or "-"
