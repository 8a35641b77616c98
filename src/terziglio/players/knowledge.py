"""What one seat knows of where the cards are, and every deal that fits it.

Besides its own hand a seat knows the cards played, the called card and the one given
back, the monte once it was shown, and who did not follow suit. What is left over is
grouped by where it may be; how many deals fit is counted exactly, and each can be drawn
with the same chance, or all be listed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import comb
from random import Random
from typing import Final

from terziglio.cards import ALL_CARDS, SUIT_CARDS, Card, CardSet, cards_in, set_of
from terziglio.seats import SEATS, Seat
from terziglio.tricks import Trick
from terziglio.view import SeatView

__all__ = ["MONTE", "Knowledge", "World"]

MONTE: Final = 3
"""The monte as a place of cards, after the three seats."""
World = tuple[CardSet, CardSet, CardSet, CardSet]
"""What each seat still holds, and the monte."""
_Counts = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Knowledge:
    """What a view says of every card.

    Args:
        view: of a seat on turn in the phase ``play``, or the soloist's in ``exchange``.
    """

    view: SeatView

    @cached_property
    def trick(self) -> Trick:
        """The trick to play to; empty for its leader."""
        trick = self.view.trick
        if trick is None or len(trick.cards) == SEATS:
            return Trick(self.view.seat)
        return trick

    @cached_property
    def soloist(self) -> Seat:
        """The soloist."""
        assert self.view.contract is not None  # noqa: S101 - in play there is one
        return self.view.contract.soloist

    @cached_property
    def played(self) -> tuple[CardSet, CardSet, CardSet]:
        """What each seat has played."""
        played = [0, 0, 0]
        for trick in (*self.view.tricks, self.trick):
            for turn, card in enumerate(trick.cards):
                played[trick.leader.after(turn)] |= 1 << card
        return played[0], played[1], played[2]

    @cached_property
    def voids(self) -> tuple[CardSet, CardSet, CardSet, CardSet]:
        """The cards that cannot be in each place, for want of following suit."""
        voids = [0, 0, 0]
        for trick in (*self.view.tricks, self.trick):
            for turn, card in enumerate(trick.cards):
                led = trick.cards[0].suit
                if card.suit is not led:
                    voids[trick.leader.after(turn)] |= SUIT_CARDS[led]
        return voids[0], voids[1], voids[2], 0

    @cached_property
    def known(self) -> World:
        """The unplayed cards whose place is known, by place."""
        view, contract = self.view, self.view.contract
        known = [0, 0, 0, 0]
        known[view.seat] = set_of(view.hand)
        if view.monte is not None and view.monte.cards is not None:
            known[MONTE] = set_of(view.monte.cards)
        if contract is not None and contract.given_back is not None:
            back, to = 1 << contract.given_back, contract.passed_by
            if to is not None and not back & self._gone:
                known[to] |= back
        return known[0], known[1], known[2], known[3]

    @cached_property
    def _gone(self) -> CardSet:
        return self.played[0] | self.played[1] | self.played[2]

    @cached_property
    def took(self) -> CardSet:
        """What the soloist is known to have taken up, but for what he gave back."""
        contract, monte = self.view.contract, self.view.monte
        taken = 0
        if monte is not None and monte.shown is not None:
            taken |= set_of(monte.shown)
        if contract is not None and contract.passed_by is not None:
            passed = (contract.called, contract.given_back)
            for card in passed:
                if card is not None:
                    taken |= 1 << card
            if contract.given_back is not None:
                taken ^= 1 << contract.given_back
        return taken

    @cached_property
    def _room(self) -> tuple[int, ...]:
        """How many cards of unknown place lie in each place."""
        monte = self.view.monte
        assert monte is not None  # noqa: S101 - there is one once cards are dealt
        sizes = (*self.view.hand_sizes, monte.count)
        return tuple(
            size - known.bit_count()
            for size, known in zip(sizes, self.known, strict=True)
        )

    @cached_property
    def groups(self) -> tuple[tuple[tuple[Card, ...], tuple[int, ...]], ...]:
        """The cards of unknown place, with the places where they may be."""
        open_cards = ALL_CARDS & ~self._gone
        for known in self.known:
            open_cards &= ~known
        groups: dict[tuple[int, ...], list[Card]] = {}
        for card in cards_in(open_cards):
            bit = 1 << card
            places = tuple(
                place
                for place, room in enumerate(self._room)
                if room
                and not self.voids[place] & bit
                and (place in {self.soloist, MONTE} or not self.took & bit)
            )
            groups.setdefault(places, []).append(card)
        return tuple((tuple(cards), places) for places, cards in groups.items())

    @cached_property
    def _shares(self) -> list[tuple[int, _Counts]]:
        """Each way to share out the groups by number, with how many deals it makes."""
        found: list[tuple[int, _Counts]] = [(1, ())]
        for cards, places in self.groups:
            longer: list[tuple[int, _Counts]] = []
            total = len(cards)
            for ways, so_far in found:
                room = self._left(so_far)
                for counts in product(
                    *(range(min(total, room[p]) + 1) for p in places)
                ):
                    if sum(counts) == total:
                        more, rest = ways, total
                        for count in counts:
                            more *= comb(rest, count)
                            rest -= count
                        longer.append((more, (*so_far, counts)))
            found = longer
        return [(ways, counts) for ways, counts in found if not any(self._left(counts))]

    def _left(self, shared: _Counts) -> list[int]:
        """The room that is left in each place once some groups are shared out."""
        room = list(self._room)
        for (_, places), counts in zip(self.groups, shared, strict=False):
            for place, count in zip(places, counts, strict=True):
                room[place] -= count
        return room

    @cached_property
    def count(self) -> int:
        """How many deals fit."""
        return sum(ways for ways, _ in self._shares)

    def draw(self, rng: Random) -> World:
        """Return one of the deals that fit, each with the same chance."""
        (counts,) = rng.choices(
            [counts for _, counts in self._shares],
            [ways for ways, _ in self._shares],
        )
        world = list(self.known)
        for (cards, places), numbers in zip(self.groups, counts, strict=True):
            drawn = iter(rng.sample(cards, len(cards)))
            for place, number in zip(places, numbers, strict=True):
                for _ in range(number):
                    world[place] |= 1 << next(drawn)
        return world[0], world[1], world[2], world[3]

    def all(self) -> Iterator[World]:
        """Yield every deal that fits, once."""
        for _, counts in self._shares:
            splits = (
                list(_splits(cards, numbers))
                for (cards, _), numbers in zip(self.groups, counts, strict=True)
            )
            for chosen in product(*splits):
                world = list(self.known)
                for (_, places), parts in zip(self.groups, chosen, strict=True):
                    for place, part in zip(places, parts, strict=True):
                        world[place] |= part
                yield world[0], world[1], world[2], world[3]

    def dealt(self, world: World) -> tuple[CardSet, CardSet, CardSet]:
        """Return the twelve cards that each seat was dealt in this deal."""
        view, contract = self.view, self.view.contract
        dealt = [world[seat] | self.played[seat] for seat in range(MONTE)]
        if contract is not None and contract.bid.takes_the_monte:
            soloist, giver = contract.soloist, contract.passed_by
            dealt[soloist] |= world[MONTE]
            if giver is not None and contract.given_back is not None:
                dealt[soloist] |= 1 << contract.given_back
                dealt[giver] &= ~(1 << contract.given_back)
            if giver is not None and contract.called is not None:
                dealt[soloist] &= ~(1 << contract.called)
                dealt[giver] |= 1 << contract.called
            if view.monte is not None:
                dealt[soloist] &= ~set_of(view.monte.shown or ())
        return dealt[0], dealt[1], dealt[2]


def _splits(
    cards: tuple[Card, ...], numbers: tuple[int, ...]
) -> Iterator[tuple[CardSet, ...]]:
    """Yield each way to put so many of the cards in each of several places."""
    if not numbers:
        yield ()
        return
    for part in combinations(cards, numbers[0]):
        rest = tuple(card for card in cards if card not in part)
        for others in _splits(rest, numbers[1:]):
            yield (set_of(part), *others)
