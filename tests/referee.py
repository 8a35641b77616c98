"""An independent second referee for Terziglio (rule set terziglio/1).

Written only from the rules document, to be compared with the real engine.
Simple and slow on purpose: a card is a string, rank then suit ("3S": card[0] is
its rank, card[1] its suit), and piles are plain lists.
Numbers such as R38 or O26 are those of the rules document.
"""

from __future__ import annotations

from typing import Any

SUITS = ["S", "C", "H", "D"]  # R2; no rank between suits (R4)
RANKS = ["3", "2", "A", "K", "Q", "J", "7", "6", "5", "4"]  # high to low, R3
WORTH = {"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1}  # in thirds, R6
PACK = [rank + suit for suit in SUITS for rank in RANKS]  # R1
BIDS = ["pass", "chiamo", "solo", "solissimo"]  # low to high, R15
STAKES = {"chiamo": 1, "solo": 2, "solissimo": 4}  # game points, R50
LAST_TRICK = 3  # thirds, R7
TARGETS = [7, 11, 21]  # R61
PHASE_FOR = {"bid": "auction", "call": "call", "discard": "exchange", "play": "play"}


def thirds(cards: list[str]) -> int:
    """What the cards are worth, in thirds of a point. Rules: R6"""
    return sum(WORTH.get(card[0], 0) for card in cards)


def next_seat(seat: int) -> int:
    """The seat to the right, next in every order of the game. Rules: R9"""
    return (seat + 1) % 3


def trick_winner(trick: list[tuple[int, str]]) -> int:
    """The seat with the highest card of the led suit. Rules: R3 R4 R40"""
    winner, best = trick[0]
    for seat, card in trick[1:]:
        if card[1] == best[1] and RANKS.index(card[0]) < RANKS.index(best[0]):
            winner, best = seat, card
    return winner


def reckon(
    contract: str,
    in_tricks: tuple[int, int],
    tricks: tuple[int, int],
    monte_thirds: int,
    soloist_took_last: bool,
) -> dict[str, Any]:
    """The count of a hand; pairs are (soloist, defenders). Rules: R44-R57"""
    end = LAST_TRICK + monte_thirds  # both go with trick 12: R44
    soloist_thirds = in_tricks[0] + (end if soloist_took_last else 0)
    defender_thirds = in_tricks[1] + (0 if soloist_took_last else end)
    won = soloist_thirds >= 18  # R47
    loser = 1 if won else 0  # index into the pairs
    bonus: str | None = None
    multiplier = 1
    if 12 in tricks:  # one side took all twelve, or none: R52
        bonus, multiplier = "cappotto", 2
    elif tricks[loser] >= 1 and in_tricks[loser] < 3:  # R53; never both: R55
        bonus, multiplier = "stramazzo", 3
    return {
        "contract": contract,
        "won": won,
        "soloist_thirds": soloist_thirds,
        "defender_thirds": defender_thirds,
        "in_tricks": in_tricks,
        "tricks": tricks,
        "bonus": bonus,
        "payment": STAKES[contract] * multiplier,
    }


class Referee:
    """One hand, from the deal to the count. Rules: R11-R58"""

    def __init__(self, dealer: int, deck: list[str]) -> None:
        """Deal the hand. Rules: R1 R11 R12 R14 O26"""
        if dealer not in (0, 1, 2) or sorted(deck) != sorted(PACK):
            raise ValueError("dealer 0, 1 or 2; deck of the 40 different cards")
        self.dealer = dealer
        self.first = next_seat(dealer)  # the rules' seat f
        self.hands: list[list[str]] = [[], [], []]
        position = 0
        for _ in range(3):
            for step in range(3):
                seat = (self.first + step) % 3
                self.hands[seat].extend(deck[position : position + 4])
                position += 4
        self.monte: list[str] = list(deck[36:40])
        self.phase = "auction"
        self.turn: int | None = self.first
        self.log: list[tuple[int, str]] = []  # the bids, passes included
        self.soloist: int | None = None  # set when the auction is over
        self.contract: str | None = None  # set when the auction is over
        self.called: str | None = None
        self.passed_by: int | None = None  # the defender who gave the called card
        self.trick: list[tuple[int, str]] = []
        self.tricks: list[tuple[int, list[str], int]] = []

    def verdict(self, seat: int, action: tuple[Any, ...]) -> str | None:
        """None when the action is allowed, else why not. Rules: O22 I15"""
        if self.turn is None:
            return "hand_over"
        if seat != self.turn:
            return "not_your_turn"
        kind = action[0]
        if PHASE_FOR.get(kind) != self.phase:
            return "wrong_phase"  # so no call in solo or solissimo: R27 R35
        if kind == "bid":
            return self._bid_verdict(action[1])
        if kind == "call":
            return self._call_verdict(seat, action[1])
        if kind == "discard":
            return self._discard_verdict(seat, action[1], action[2])
        return self._play_verdict(seat, action[1])

    def _highest_bid(self) -> str:
        """The highest bid so far, "pass" when there is none. Rules: R15"""
        bids = [bid for _, bid in self.log if bid != "pass"]
        return bids[-1] if bids else "pass"  # each is higher than those before

    def _bid_verdict(self, bid: str) -> str | None:
        """A call is a pass or a strictly higher bid. Rules: R15 R16"""
        if bid not in BIDS:
            raise ValueError(f"no such bid: {bid!r}")
        too_low = BIDS.index(bid) <= BIDS.index(self._highest_bid())
        return "bid_too_low" if bid != "pass" and too_low else None

    def _call_verdict(self, seat: int, card: str) -> str | None:
        """Any of the 28 cards not in the caller's hand. Rules: R23 R24 O2"""
        if card not in PACK:
            raise ValueError(f"no such card: {card!r}")
        return "card_in_own_hand" if card in self.hands[seat] else None

    def _discard_verdict(
        self, seat: int, cards: list[str], give_back: str | None
    ) -> str | None:
        """Bury four; give one back if one was passed. Rules: R29-R33 O1 O3"""
        hand = self.hands[seat]
        if len(cards) != 4:
            return "wrong_discard_count"
        for index, card in enumerate(cards):
            if card in cards[:index]:
                return "duplicate_discard"
        for card in cards:
            if card not in hand:
                return "discard_not_held"
        if self.passed_by is None:
            return None if give_back is None else "give_back_not_wanted"
        if give_back is None:
            return "give_back_missing"
        if give_back not in hand:
            return "give_back_not_held"
        if give_back in cards:
            return "give_back_also_discarded"
        return None

    def _play_verdict(self, seat: int, card: str) -> str | None:
        """Follow the led suit if you hold it. Rules: R37 R38 R39"""
        hand = self.hands[seat]
        if card not in hand:
            return "card_not_held"
        if self.trick:
            led = self.trick[0][1][1]  # the suit of the first card
            if card[1] != led and any(held[1] == led for held in hand):
                return "must_follow_suit"
        return None

    def legal(self) -> list[tuple[Any, ...]]:
        """All that the seat on turn may do. Rules: R16 R24 R37-R39 I10"""
        if self.phase == "exchange":
            raise ValueError("the exchange is not listed")
        if self.turn is None:
            return []
        every: list[tuple[Any, ...]] = [("bid", bid) for bid in BIDS]
        every += [("call", card) for card in PACK]
        every += [("play", card) for card in PACK]
        return [action for action in every if self.verdict(self.turn, action) is None]

    def act(self, seat: int, action: tuple[Any, ...]) -> str | None:
        """Do the action if it is allowed; answers as verdict does. Rules: O22"""
        refusal = self.verdict(seat, action)
        if refusal is not None:
            return refusal
        kind = action[0]
        if kind == "bid":
            self._bid(seat, action[1])
        elif kind == "call":
            self._call(seat, action[1])
        elif kind == "discard":
            self._discard(seat, list(action[1]), action[2])
        else:
            self._play(seat, action[1])
        return None

    def _bid(self, seat: int, bid: str) -> None:
        """One call each, solissimo closes the auction. Rules: R14 R17-R20"""
        self.log.append((seat, bid))
        if bid != "solissimo" and len(self.log) < 3:
            self.turn = next_seat(seat)
            return
        highest = self._highest_bid()
        if highest == "pass":  # R20
            self.phase = "thrown_in"
            self.turn = None
            return
        self.contract = highest
        for bidder, made in self.log:
            if made == highest:
                self.soloist = bidder  # R19
        self.turn = self.soloist
        if highest == "chiamo":  # R22
            self.phase = "call"
        elif highest == "solo":
            self._take_monte()
        else:  # R35 R36: no exchange, the soloist leads
            self.phase = "play"

    def _call(self, seat: int, card: str) -> None:
        """The defender who holds the card hands it over. Rules: R22 R25 R26"""
        self.called = card
        for other in range(3):
            if card in self.hands[other]:
                self.passed_by = other
                self.hands[other].remove(card)
                self.hands[seat].append(card)
                break
        self._take_monte()

    def _take_monte(self) -> None:
        """The monte joins the soloist's hand. Rules: R28 R31 R33"""
        assert self.soloist is not None
        self.hands[self.soloist].extend(self.monte)
        self.monte = []
        self.phase = "exchange"

    def _discard(self, seat: int, cards: list[str], give_back: str | None) -> None:
        """Give back and bury in one act; then f leads. Rules: R29 R30 R36 O6"""
        if give_back is not None:
            assert self.passed_by is not None
            self.hands[seat].remove(give_back)
            self.hands[self.passed_by].append(give_back)
        for card in cards:
            self.hands[seat].remove(card)
        self.monte = cards
        self.phase = "play"
        self.turn = self.first

    def _play(self, seat: int, card: str) -> None:
        """Play a card; the winner of a trick leads the next. Rules: R38-R41"""
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) < 3:
            self.turn = next_seat(seat)
            return
        winner = trick_winner(self.trick)
        leader = self.trick[0][0]
        self.tricks.append((leader, [played for _, played in self.trick], winner))
        self.trick = []
        self.turn = winner
        if len(self.tricks) == 12:
            self.phase = "count"
            self.turn = None

    def result(self) -> dict[str, Any]:
        """The count and the payments of a hand played out. Rules: R42-R58 O11"""
        if self.phase != "count":
            raise ValueError("there is no result before the count")
        assert self.soloist is not None
        assert self.contract is not None
        card_thirds = [0, 0]
        count = [0, 0]
        for _, cards, winner in self.tricks:
            side = 0 if winner == self.soloist else 1  # R42: one pile a side
            card_thirds[side] += thirds(cards)
            count[side] += 1
        last_winner = self.tricks[-1][2]
        outcome = reckon(
            self.contract,
            (card_thirds[0], card_thirds[1]),
            (count[0], count[1]),
            thirds(self.monte),
            last_winner == self.soloist,
        )
        to_soloist = outcome["payment"] if outcome["won"] else -outcome["payment"]
        delta = [-to_soloist, -to_soloist, -to_soloist]  # R51 R58
        delta[self.soloist] = 2 * to_soloist
        outcome["soloist"] = self.soloist
        outcome["delta"] = delta
        outcome["monte_to"] = last_winner
        return outcome


class RefereeMatch:
    """Hands one after another up to a target. Rules: R13 R59-R67"""

    def __init__(self, target: int, dealer: int) -> None:
        """A new match with its first dealer. Rules: R10 R59 R61"""
        if target not in TARGETS or dealer not in (0, 1, 2):
            raise ValueError("the target is 7, 11 or 21; the dealer 0, 1 or 2")
        self.target = target
        self.dealer = dealer  # of the current hand or, between hands, the next
        self.scores = [0, 0, 0]
        self.winner: int | None = None
        self.deal_no = 0  # deals made so far, the current one included
        self.hand_no = 0  # hands counted so far, thrown-in deals left out: R66
        self.hand: Referee | None = None  # the hand not yet settled

    def deal(self, deck: list[str]) -> Referee:
        """Deal the next hand; it is kept until it is settled. Rules: R11 R67"""
        if self.winner is not None or self.hand is not None:
            raise ValueError("the match is over or a hand is still unsettled")
        self.hand = Referee(self.dealer, deck)
        self.deal_no += 1
        return self.hand

    def settle(self) -> None:
        """Book the finished hand, pass the deal on. Rules: R13 R59 R62-R66"""
        if self.hand is None or self.hand.phase not in ("count", "thrown_in"):
            raise ValueError("there is no finished hand to settle")
        if self.hand.phase == "count":
            delta = self.hand.result()["delta"]
            self.scores = [self.scores[seat] + delta[seat] for seat in range(3)]
            self.hand_no += 1
            top = max(self.scores)
            if top >= self.target and self.scores.count(top) == 1:  # R62-R64
                self.winner = self.scores.index(top)
        self.dealer = next_seat(self.dealer)
        self.hand = None
