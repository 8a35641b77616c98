"""Short ways to say cards, decks, hands and matches, shared by the tests.

``golden("solo_won")`` is a whole hand from ``tests/golden``; ``prefix`` is how it
stood earlier, ``rotated`` the same hand at other seats. ``counted`` builds a played
hand with any figures, ``referee_of`` and ``spoken`` talk to the second referee.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from referee import Referee
from terziglio import Action, Bid, Call, Card, Contract, Discard, Hand, Match, Play
from terziglio.actions import Phase
from terziglio.cards import set_of
from terziglio.errors import Illegal, IllegalAction
from terziglio.hand import apply, deal, history
from terziglio.notation import parse
from terziglio.phases import Auction, Counted, Dealt, Terms
from terziglio.players.random import choose
from terziglio.seats import Seat
from terziglio.tricks import Trick
from terziglio.view import seat_view

GOLDEN = Path(__file__).parent / "golden"
LETTERS = {
    "P": None,
    "C": Contract.CHIAMO,
    "S": Contract.SOLO,
    "X": Contract.SOLISSIMO,
}


def cards(text: str) -> tuple[Card, ...]:
    """Cards from their codes: ``cards("3S 4D")``."""
    return tuple(Card(code) for code in text.split())


def shuffled(seed: int) -> tuple[Card, ...]:
    """A deck that is the same for the same seed."""
    deck = list(Card)
    generator(seed).shuffle(deck)
    return tuple(deck)


def generator(seed: int) -> Random:
    """A seeded generator for tests that draw."""
    return Random(seed)


def dealt(dealer: int, hands: tuple[str, str, str], monte: str) -> Auction:
    """The hand in which seats 0, 1 and 2 were dealt these cards."""
    first, second, third = (set_of(cards(text)) for text in hands)
    packets = Dealt(Seat(dealer), (first, second, third), set_of(cards(monte)))
    return deal(Seat(dealer), packets.deck)


def golden_text(name: str) -> str:
    """The text of a golden hand, named without its suffix."""
    return (GOLDEN / f"{name}.hand").read_text("utf-8")


@cache
def golden(name: str) -> Hand:
    """A golden hand, named without its suffix."""
    return parse(golden_text(name))


def played(name: str) -> Counted:
    """A golden hand that was played out."""
    hand = golden(name)
    assert isinstance(hand, Counted)
    return hand


@dataclass(frozen=True, slots=True)
class Try:
    """A line of ``illegal.txt``: what is refused, when, and with what."""

    hand: str
    applied: int
    seat: Seat
    action: Action
    refusal: IllegalAction


def action_of(text: str) -> Action:
    """An action from its words: ``play 3S``, ``lay 4S 5S 6S 7S give 4C``."""
    kind, *words = text.split()
    match kind:
        case "bid":
            return Bid(None if words == ["pass"] else Contract(words[0]))
        case "call":
            return Call(Card(words[0]))
        case "play":
            return Play(Card(words[0]))
        case _:
            assert kind == "lay"
            back = Card(words[-1]) if "give" in words else None
            laid = words[:-2] if "give" in words else words
            return Discard(tuple(map(Card, laid)), back)


def read_tries() -> list[Try]:
    """All lines of ``illegal.txt``."""
    tries = []
    for line in (GOLDEN / "illegal.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            hand, applied, seat, action, told = map(str.strip, line.split("|"))
            code, *pairs = told.split()
            params: dict[str, str | int] = {}
            for name, _, value in (pair.partition("=") for pair in pairs):
                number = name in {"turn", "expected", "got", "held"}
                params[name] = int(value) if number else value
            refusal = IllegalAction(Illegal(code), params)
            seated = Seat(int(seat))
            tries.append(Try(hand, int(applied), seated, action_of(action), refusal))
    return tries


def steps(hand: Hand) -> Iterator[tuple[Hand, Seat, Action]]:
    """Every decision of a hand: how it stood, whose turn it was, what he did."""
    now: Hand = deal(hand.dealt.dealer, hand.dealt.deck)
    for seat, action in history(hand):
        yield now, seat, action
        now = apply(now, seat, action)


def prefix(hand: Hand, count: int) -> Hand:
    """The hand as it stood after that many actions."""
    now: Hand = deal(hand.dealt.dealer, hand.dealt.deck)
    for _, (seat, action) in zip(range(count), history(hand), strict=False):
        now = apply(now, seat, action)
    return now


def at(hand: Hand, phase: Phase) -> Hand:
    """The hand as it stood when it entered a phase."""
    return next(now for now, _, _ in steps(hand) if now.phase is phase)


def bidding(hand: Hand, letters: str) -> Hand:
    """The hand after these bids in turn: P pass, C chiamo, S solo, X solissimo."""
    for letter in letters:
        assert hand.turn is not None
        hand = apply(hand, hand.turn, Bid(LETTERS[letter]))
    return hand


def rotated(hand: Hand, by: int) -> Hand:
    """The same hand with every seat moved to the right."""
    moved = {seat.after(by): hand.dealt.hands[seat] for seat in Seat}
    masks = (moved[Seat.S0], moved[Seat.S1], moved[Seat.S2])
    packets = Dealt(hand.dealt.dealer.after(by), masks, hand.dealt.monte)
    now: Hand = deal(packets.dealer, packets.deck)
    for seat, action in history(hand):
        now = apply(now, seat.after(by), action)
    return now


def play_in(match: Match, hand: Hand) -> Match:
    """The match after it has played this hand next, move by move."""
    match = match.deal(hand.dealt.deck)
    assert match.dealer == hand.dealt.dealer, "the hand is another dealer's"
    for seat, action in history(hand):
        match = match.apply(seat, action)
    return match


def on_table(hand: Hand, target: int = 7) -> Match:
    """A match at 0 0 0 with this hand on the table, as far as it goes."""
    return play_in(Match(target, hand.dealt.dealer), hand)


def random_hand(seed: int) -> Hand:
    """A whole hand of random legal actions; three passes come out thrown in."""
    rng = generator(seed)
    hand: Hand = deal(Seat(seed % 3), shuffled(seed))
    while hand.turn is not None:
        match = Match(7, hand.dealt.dealer, hand=hand)
        hand = apply(hand, hand.turn, choose(seat_view(match, hand.turn), rng))
    return hand


def counted(
    contract: Contract,
    soloist: Seat,
    tricks: tuple[int, int],
    in_tricks: tuple[int, int],
    last: str,
) -> Counted:
    """A played hand with these figures; ``last`` is S or D, who took trick 12.

    The four cards of the monte are worth what the tricks leave of 32 thirds. The
    tricks need not be playable: the count looks only at who won which cards.
    """
    piles = _piles(tricks, in_tricks)
    won: list[Trick] = []
    for side, pile in zip("SD", piles[:2], strict=True):
        for index in range(0, len(pile), 3):
            # The highest card leads, so it cannot be beaten in its own suit.
            three = tuple(sorted(pile[index : index + 3], reverse=True))
            seat = soloist if side == "S" else soloist.after(1 + index // 3 % 2)
            won.append(Trick(seat, three))
    won.sort(key=lambda trick: (trick.leader == soloist) == (last == "S"))
    monte = piles[2]
    takes = contract.takes_the_monte
    masks = [0, 0, 0]
    for trick in won:
        for index, card in enumerate(trick.cards):
            masks[trick.leader.after(index)] |= 1 << card
    packets = Dealt(soloist.after(2), (masks[0], masks[1], masks[2]), set_of(monte))
    terms = Terms(packets, (contract, None, None), contract, soloist, None)
    return Counted(terms, Discard(tuple(monte)) if takes else None, tuple(won))


def _piles(tricks: tuple[int, int], in_tricks: tuple[int, int]) -> list[list[Card]]:
    """Cards for soloist, defenders and monte, with these numbers and thirds."""
    sizes = (3 * tricks[0], 3 * tricks[1], 4)
    worths = (*in_tricks, 32 - sum(in_tricks))
    pools = {worth: [c for c in Card if c.thirds == worth] for worth in (0, 1, 3)}
    splits = [(a, b, 4 - a - b) for a in range(5) for b in range(5 - a)]
    for aces in splits:
        ones = [worth - 3 * n for worth, n in zip(worths, aces, strict=True)]
        zeros = [s - n - m for s, n, m in zip(sizes, aces, ones, strict=True)]
        if min(*ones, *zeros) >= 0:
            return [
                [pools[3].pop() for _ in range(aces[i])]
                + [pools[1].pop() for _ in range(ones[i])]
                + [pools[0].pop() for _ in range(zeros[i])]
                for i in range(3)
            ]
    raise ValueError("no forty cards come out like that")


def spoken(action: Action) -> tuple[object, ...]:
    """An action as the second referee takes it."""
    match action:
        case Bid(contract):
            return "bid", "pass" if contract is None else contract.code
        case Call(card):
            return "call", str(card)
        case Discard(laid, back):
            return "discard", list(map(str, laid)), None if back is None else str(back)
        case Play(card):
            return "play", str(card)


def referee_of(hand: Hand) -> Referee:
    """The second referee with the same deal, before the first bid."""
    return Referee(int(hand.dealt.dealer), [str(card) for card in hand.dealt.deck])
