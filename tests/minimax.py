"""Plain minimax over an ending with every card known: the solver's independent referee.

Written from the rules alone, on plain lists and tuples: no windows, no bounds, no
equal cards, no engine. ``Ending`` is what it takes; a card is ``(suit, strength)``,
strength 0 for the four up to 9 for the three (R3). All values are thirds that the
soloist will still get, both sides perfect: the tricks to be completed, the one on the
table included, and for the last trick 3 and the monte (R6, R7, R44).

What was worked out is kept by position within one ending; nothing else is clever.
"""

from dataclasses import dataclass, field

__all__ = ["Ending", "Minimax", "allowed"]

Card = tuple[int, int]
Hand = tuple[Card, ...]
Hands = tuple[Hand, Hand, Hand]
State = tuple[Hands, int, tuple[Card, ...]]

WORTH = (0, 0, 0, 0, 1, 1, 1, 3, 1, 1)
"""Thirds by strength: 4 5 6 7 J Q K A 2 3 (R6)."""


@dataclass(frozen=True)
class Ending:
    """What is left of a hand; all three hold as many cards once the trick is full."""

    hands: Hands
    soloist: int
    leader: int
    trick: tuple[Card, ...]
    """The cards on the table, the leader's first; they are in no hand."""
    monte: int
    """Thirds in the monte."""


@dataclass
class Minimax:
    """Answers about one ending."""

    ending: Ending
    known: dict[State, int] = field(default_factory=dict)

    def thirds(self) -> int:
        """Thirds the soloist will still get, both sides perfect."""
        return self._value(self.start)

    def cards(self) -> dict[Card, int]:
        """The same after each card that the seat to play may play."""
        return {card: self._after(self.start, card) for card in allowed(self.start)}

    @property
    def start(self) -> State:
        """The ending as a state: hands, leader, cards on the table."""
        return self.ending.hands, self.ending.leader, self.ending.trick

    def _value(self, state: State) -> int:
        if state not in self.known:
            turn = (state[1] + len(state[2])) % 3
            values = [self._after(state, card) for card in allowed(state)]
            choose = max if turn == self.ending.soloist else min
            # Nothing left to play: nothing left to get.
            self.known[state] = choose(values, default=0)
        return self.known[state]

    def _after(self, state: State, card: Card) -> int:
        hands, leader, table = state
        turn = (leader + len(table)) % 3
        left = [list(hand) for hand in hands]
        left[turn].remove(card)
        rest = (tuple(left[0]), tuple(left[1]), tuple(left[2]))
        table = (*table, card)
        if len(table) < 3:
            return self._value((rest, leader, table))
        suit = table[0][0]
        best = max(strength for s, strength in table if s == suit)
        winner = (leader + table.index((suit, best))) % 3
        gained = 0
        if winner == self.ending.soloist:
            gained = sum(WORTH[strength] for _, strength in table)
            if not any(rest):
                gained += 3 + self.ending.monte
        return gained + self._value((rest, winner, ()))


def allowed(state: State) -> Hand:
    """What the seat to play may play: the suit led if it has it (R37-R39)."""
    hands, leader, table = state
    hand = hands[(leader + len(table)) % 3]
    if not table:
        return hand
    return tuple(card for card in hand if card[0] == table[0][0]) or hand
