"""What one seat knows of where the cards are, and how many ways the rest can lie.

Besides its own hand a seat knows the cards played, the called card and the one given
back, the monte once it was shown, and who did not follow suit. What is left over is
grouped by where it may be; how many deals fit is then counted exactly, and each can be
drawn with the same chance.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from random import Random
from typing import Final

from terziglio.cards import ALL_CARDS, SUIT_CARDS, CardSet, cards_in, set_of
from terziglio.seats import SEATS, Seat
from terziglio.tricks import Trick
from terziglio.view import SeatView

__all__ = ["Knowledge", "World"]

_MONTE: Final = 4
_PLACES: Final = 4
"""Where a card may be: with a seat, or in the monte."""

World = tuple[CardSet, CardSet, CardSet, CardSet]
"""What each seat still holds, and the monte."""


@dataclass(frozen=True)
class Knowledge:
    """What a view of a hand in play says of every card.

    Args:
        view: of a seat, in the phase ``play``.
    """

    view: SeatView

    @cached_property
    def trick(self) -> Trick:
        """The trick to play to; empty for its leader."""
        trick = self.view.trick
        if trick is None or len(trick.cards) == SEATS:
            assert self.view.turn is not None  # noqa: S101 - asked on turn alone
            return Trick(self.view.turn)
        return trick

    @cached_property
    def played(self) -> tuple[CardSet, CardSet, CardSet]:
        """What each seat has played."""
        played = [0, 0, 0]
        for trick in (*self.view.tricks, self.trick):
            for turn, card in enumerate(trick.cards):
                played[trick.leader.after(turn)] |= 1 << card
        return played[0], played[1], played[2]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many cards lie in each place: with the seats, and in the monte."""
        return *self.view.hand_sizes, _MONTE

    @cached_property
    def known(self) -> tuple[CardSet, ...]:
        """The cards whose place is known, by place."""
        view = self.view
        gone = self.played[0] | self.played[1] | self.played[2]
        known = [0] * _PLACES
        known[view.seat] = set_of(view.hand)
        if view.monte is not None and view.monte.cards is not None:
            known[3] = set_of(view.monte.cards)
        contract = view.contract
        if contract is not None and contract.given_back is not None:
            back = 1 << contract.given_back
            if contract.passed_by is not None and not back & gone:
                known[contract.passed_by] |= back
        return tuple(known)

    @cached_property
    def soloists(self) -> CardSet:
        """Cards that only the soloist can have had when he laid the monte."""
        view, contract = self.view, self.view.contract
        bits = 0
        if view.monte is not None and view.monte.shown is not None:
            bits |= set_of(view.monte.shown)
        if contract is not None and contract.passed_by is not None:
            if contract.called is not None:
                bits |= 1 << contract.called
        if contract is not None and contract.given_back is not None:
            bits &= ~(1 << contract.given_back)
        return bits

    @cached_property
    def voids(self) -> tuple[CardSet, CardSet, CardSet]:
        """The suits that each seat is known not to hold, as card sets."""
        voids = [0, 0, 0]
        for trick in (*self.view.tricks, self.trick):
            for turn, card in enumerate(trick.cards):
                led = trick.cards[0].suit
                if card.suit is not led:
                    voids[trick.leader.after(turn)] |= SUIT_CARDS[led]
        return voids[0], voids[1], voids[2]

    @cached_property
    def groups(self) -> tuple[tuple[CardSet, tuple[int, ...]], ...]:
        """The cards whose place is open, with the places where they may be."""
        view, contract = self.view, self.view.contract
        soloist = None if contract is None else contract.soloist
        free = list(self.sizes)
        known = self.known
        gone = self.played[0] | self.played[1] | self.played[2]
        open_cards = ALL_CARDS & ~gone
        for place in range(_PLACES):
            free[place] -= known[place].bit_count()
            open_cards &= ~known[place]
        groups: dict[tuple[int, ...], CardSet] = {}
        for card in cards_in(open_cards):
            bit = 1 << card
            places = tuple(
                place
                for place in range(_PLACES)
                if free[place]
                and not (place < SEATS and self.voids[place] & bit)
                and not (self.soloists & bit and place < SEATS and place != soloist)
            )
            groups[places] = groups.get(places, 0) | bit
        return tuple((bits, places) for places, bits in groups.items())

    @cached_property
    def _room(self) -> tuple[int, ...]:
        return tuple(
            size - known.bit_count()
            for size, known in zip(self.sizes, self.known, strict=True)
        )

    @cached_property
    def _splits(self) -> list[tuple[int, tuple[tuple[int, ...], ...]]]:
        """Each way to share out the groups by number, with how many deals it makes."""
        found: list[tuple[int, tuple[tuple[int, ...], ...]]] = []
        groups = self.groups

        def share(
            at: int, room: tuple[int, ...], ways: int, so_far: tuple[tuple[int, ...], ...]
        ) -> None:
            if at == len(groups):
                if not any(room):
                    found.append((ways, so_far))
                return
            bits, places = groups[at]
            total = bits.bit_count()
            for counts in product(*(range(min(total, room[p]) + 1) for p in places[1:])):
                first = total - sum(counts)
                if not places or first < 0 or first > room[places[0]]:
                    continue
                left, more, rest = list(room), ways, total
                for place, count in zip(places, (first, *counts), strict=True):
                    left[place] -= count
                    more *= comb(rest, count)
                    rest -= count
                share(at + 1, tuple(left), more, (*so_far, (first, *counts)))

        share(0, self._room, 1, ())
        return found

    @cached_property
    def count(self) -> int:
        """How many deals fit."""
        return sum(ways for ways, _ in self._splits)

    def draw(self, rng: Random) -> World:
        """Return one of the deals that fit, each with the same chance."""
        splits = self._splits
        at = rng.randrange(self.count)
        for ways, counts in splits:
            if at < ways:
                break
            at -= ways
        else:
            raise AssertionError("the deals are as many as were counted")
        world = list(self.known)
        for (bits, places), numbers in zip(self.groups, counts, strict=True):
            cards = list(cards_in(bits))
            rng.shuffle(cards)
            for place, number in zip(places, numbers, strict=True):
                for card in cards[:number]:
                    world[place] |= 1 << card
                del cards[:number]
        return world[0], world[1], world[2], world[3]
