r"""A hand as text that a card player can read, both ways.

One line says one thing; ``#`` starts a comment; the beginning of a hand is a hand::

    rules: terziglio/1
    dealer: 0
    hand 0: QS 4S JC JH 7H 6H 4H 3D 2D QD JD 4D
    hand 1: 3S 2S 7S 6S 5S 2C QC 6C AH QH 5H KD
    hand 2: AS 3C AC KC 7C 5C 4C 3H 2H AD 7D 6D
    monte: KS JS KH 5D
    bids: 1 pass, 2 chiamo, 0 pass
    call: 3S
    give: 4C
    lay: 5C 7D 6D 5D
    lead 1: 2C KC JC
    count: 17 18

``call`` names a card, ``give`` gives one back to the defender who passed it, ``lay``
is the discard, ``lead`` a trick by its leader, ``count`` the thirds of soloist and
defenders, which must be right. The text is fixture, bug report and forced deal.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from terziglio.actions import Action, Bid, Call, Discard, Play
from terziglio.cards import Card, CardSet, cards_in, set_of
from terziglio.contracts import Contract
from terziglio.errors import IllegalAction
from terziglio.hand import apply, deal, history
from terziglio.phases import (
    MONTE,
    Auction,
    Counted,
    Dealt,
    Exchange,
    Hand,
    Played,
    Playing,
)
from terziglio.seats import SEATS, Seat

__all__ = ["RULES", "NotationError", "parse", "write"]

RULES: Final = "terziglio/1"
"""The rule set that the text, the log and the views name."""
_HAND = 12
_HEAD = ("rules", "dealer", "hand 0", "hand 1", "hand 2", "monte")


class NotationError(ValueError):
    """The text is not a hand: ``line`` (from 1) and ``reason`` say where and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    key: str
    value: str

    def error(self, reason: str) -> NotationError:
        return NotationError(self.number, reason)

    def cards(self) -> list[Card]:
        try:
            return [Card(code) for code in self.value.split()]
        except ValueError as error:
            raise self.error(str(error)) from None

    def card(self) -> Card:
        cards = self.cards()
        if len(cards) != 1:
            raise self.error(f"{self.key} takes one card, got {len(cards)}")
        return cards[0]

    def seat(self, text: str) -> Seat:
        if text not in {"0", "1", "2"}:
            raise self.error(f"a seat is 0, 1 or 2, not {text!r}")
        return Seat(int(text))


def parse(text: str) -> Hand:
    """Return the hand that the text tells, as far as it tells it.

    Raises:
        NotationError: with the line and the reason, an illegal action's included.
    """
    lines = list(_lines(text))
    hand: Hand = _deal(lines)
    given: Card | None = None
    for line in lines[len(_HEAD) :]:
        match line.key.split():
            case ["bids"]:
                hand = _bids(hand, line)
            case ["call"]:
                hand = _act(hand, line, Call(line.card()))
            case ["give"] if given is None and isinstance(hand, Exchange):
                given = line.card()
            case ["lay"]:
                hand = _act(hand, line, Discard(tuple(line.cards()), given))
                given = None
            case ["lead", seat]:
                hand = _trick(hand, line, line.seat(seat))
            case ["count"]:
                _count(hand, line)
            case _:
                raise line.error(f"{line.key!r} does not belong here")
    if given is not None:
        raise lines[-1].error("give is followed by lay")
    return hand


def write(hand: Hand) -> str:
    """Return the hand as text; ``parse`` gives the equal hand back."""
    return "".join(f"{line}\n" for line in _written(hand))


def _written(hand: Hand) -> Iterator[str]:
    dealt = hand.dealt
    yield f"rules: {RULES}"
    yield f"dealer: {dealt.dealer}"
    for seat in Seat:
        yield f"hand {seat}: {_codes(_strongest_first(dealt.hands[seat]))}"
    yield f"monte: {_codes(_strongest_first(dealt.monte))}"
    told = enumerate(hand.bids, start=1)
    bids = [f"{dealt.dealer.after(turn)} {bid or 'pass'}" for turn, bid in told]
    if bids:
        yield f"bids: {', '.join(bids)}"
    for _, action in history(hand):
        match action:
            case Call(card):
                yield f"call: {card}"
            case Discard(cards, given_back):
                if given_back is not None:
                    yield f"give: {given_back}"
                yield f"lay: {_codes(_strongest_first(set_of(cards)))}"
            case _:
                pass
    if isinstance(hand, Played):
        on_table = (hand.trick,) if isinstance(hand, Playing) else ()
        for trick in (*hand.tricks, *on_table):
            if trick.cards:
                yield f"lead {trick.leader}: {_codes(trick.cards)}"
    if isinstance(hand, Counted):
        result = hand.result
        yield f"count: {result.soloist_thirds} {result.defender_thirds}"


def _codes(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def _strongest_first(cards: CardSet) -> list[Card]:
    return sorted(cards_in(cards), key=lambda card: (card.suit, -card))


def _lines(text: str) -> Iterator[_Line]:
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if line:
            key, colon, value = line.partition(":")
            if not colon:
                raise NotationError(number, "a line is 'key: value'")
            yield _Line(number, " ".join(key.split()), value.strip())


def _deal(lines: Sequence[_Line]) -> Auction:
    for index, key in enumerate(_HEAD):
        if index == len(lines):
            last = lines[-1].number if lines else 0
            raise NotationError(last + 1, f"{key!r} is missing")
        if lines[index].key != key:
            raise lines[index].error(f"expected {key!r}, got {lines[index].key!r}")
    rules, dealer, *packets = lines[: len(_HEAD)]
    if rules.value != RULES:
        raise rules.error(f"unknown rules {rules.value!r}, this is {RULES}")
    seen: CardSet = 0
    sets: list[CardSet] = []
    for line in packets:
        cards, want = line.cards(), MONTE if line.key == "monte" else _HAND
        if len(cards) != want:
            raise line.error(f"{line.key} takes {want} cards, got {len(cards)}")
        for card in cards:
            if seen >> card & 1:
                raise line.error(f"{card} is there twice")
            seen |= 1 << card
        sets.append(set_of(cards))
    dealt = Dealt(dealer.seat(dealer.value), (sets[0], sets[1], sets[2]), sets[3])
    return deal(dealt.dealer, dealt.deck)


def _act(hand: Hand, line: _Line, action: Action, seat: Seat | None = None) -> Hand:
    turn = hand.turn if seat is None else seat
    try:
        return apply(hand, Seat.S0 if turn is None else turn, action)
    except IllegalAction as refusal:
        raise line.error(str(refusal)) from refusal


def _bids(hand: Hand, line: _Line) -> Hand:
    for told in line.value.split(","):
        match told.split():
            case [seat, "pass"]:
                bid = None
            case [seat, name] if name in {contract.code for contract in Contract}:
                bid = Contract(name)
            case _:
                raise line.error(
                    f"a bid is 'SEAT pass|chiamo|solo|solissimo': {told!r}"
                )
        hand = _act(hand, line, Bid(bid), line.seat(seat))
    return hand


def _trick(hand: Hand, line: _Line, leader: Seat) -> Hand:
    cards = line.cards()
    if not isinstance(hand, Playing) or hand.trick.cards:
        raise line.error("no trick begins here")
    if not 0 < len(cards) <= SEATS:
        raise line.error(f"a trick has up to {SEATS} cards, got {len(cards)}")
    for turn, card in enumerate(cards):
        hand = _act(hand, line, Play(card), leader.after(turn))
    return hand


def _count(hand: Hand, line: _Line) -> None:
    if not isinstance(hand, Counted):
        raise line.error("the hand is not played out")
    thirds = f"{hand.result.soloist_thirds} {hand.result.defender_thirds}"
    if line.value.split() != thirds.split():
        raise line.error(f"the count is {thirds}, not {line.value}")
