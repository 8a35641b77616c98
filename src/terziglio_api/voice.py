"""The words of the terminal: the game's own, told to the person as "you"."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio.count import Result
from terziglio.events import CardPlayed, HandEvent, TrickTaken
from terziglio.seats import Seat
from terziglio.view import BidView, ContractView
from terziglio.words import Deck, Language, Words, catalogue

__all__ = ["DOT", "YOU", "Voice"]

YOU: Final = Seat.S0
"""The seat of the person at the terminal."""
DOT: Final = " · "
"""What stands between the parts of a line."""


class Voice(Words):
    """A language's words and the terminal's own phrases.

    Args:
        language: ``en`` or ``it``.
        deck: whose names the cards have; ``None`` takes the language's own custom.
    """

    def __init__(self, language: Language = "en", deck: Deck | None = None) -> None:
        self.phrases: Mapping[str, Any] = catalogue(language)["terminal"]
        names = self.phrases["names"]
        super().__init__(language, deck, (names["0"], names["1"], names["2"]))

    def say(self, key: str, **told: object) -> str:
        """Return a phrase."""
        return str(self.phrases[key].format(**told))

    def about(self, key: str, seat: Seat, **told: object) -> str:
        """Return a phrase about a seat, in the second person if it is yours."""
        key = f"{key}.you" if seat is YOU else key
        return self.say(key, seat=self.seat(seat), **told)

    def two(self, seats: Iterable[Seat]) -> str:
        """Return the names of two seats."""
        first, second = map(self.seat, seats)
        return self.say("both", first=first, second=second)

    def news(self, event: HandEvent) -> str:
        """Return what a seat did, without the trick or hand that this finished."""
        if isinstance(event, CardPlayed):
            event = replace(event, trick=None, count=None, winner=None)
        return " ".join(self._news(key, told) for key, told in self.told(event))

    def _news(self, key: str, told: Mapping[str, object]) -> str:
        """Return one sentence, in the second person where there is one about you."""
        about_you = self.seat(YOU) in told.values() and key in self.phrases["you"]
        sentences = self.phrases["you"] if about_you else self.data["events"]
        return str(sentences[key].format(**told))

    def taken(self, trick: TrickTaken) -> str:
        """Return who has taken a trick, and what it is worth."""
        thirds = self.amount("third", trick.thirds)
        return self.about("took", trick.winner, thirds=thirds)

    def offer(self, bid: Contract | None) -> str:
        """Return a bid with its stake."""
        name = self.bid(bid)
        return name if bid is None else self.say("bid", bid=name, stake=bid.stake)

    def auction(self, calls: Sequence[BidView]) -> str:
        """Return who has said what."""
        said = (f"{self.seat(call.seat)}: {self.bid(call.bid)}" for call in calls)
        return DOT.join(said) or self.say("auction.open")

    def contract(self, contract: ContractView) -> str:
        """Return what is played, and by whom."""
        soloist = self.seat(contract.soloist)
        return self.say("contract", bid=self.offer(contract.bid), soloist=soloist)

    def called(self, called: Card, contract: ContractView) -> str:
        """Return which card was called, where it was, and what went back for it."""
        card = self.card(called)
        if contract.passed_by is None:
            return self.say("call.monte", card=card)
        told = self.say("call.passed", card=card, seat=self.seat(contract.passed_by))
        if contract.given_back is None:
            return told
        return told + DOT + self.say("call.back", card=self.card(contract.given_back))

    def sides(self, soloist: Seat) -> tuple[str, str]:
        """Return the names on both sides: ``Ada (soloist)``, ``You and Bruno (..)``."""
        words = self.data["sides"]
        defenders = self.two(seat for seat in Seat if seat is not soloist)
        return (
            f"{self.seat(soloist)} ({words['soloist']})",
            f"{defenders} ({words['defenders']})",
        )

    def by_side(self, soloist: Seat, numbers: tuple[int, int]) -> str:
        """Return what the soloist and the defenders have of something."""
        named = zip(self.sides(soloist), numbers, strict=True)
        return DOT.join(f"{side} {number}" for side, number in named)

    def payment(self, result: Result) -> Iterator[str]:
        """Yield who has won, the stake, what multiplies it, and who pays."""
        outcome = "won" if result.won else "lost"
        stake, bonus = result.contract.stake, result.bonus
        thirds = self.amount("third", result.soloist_thirds)
        yield self.say(f"outcome.{outcome}", thirds=thirds)
        points = self.amount("point", stake)
        yield self.say("stake", bid=self.bid(result.contract), points=points)
        if bonus is None:
            yield self.say("stake.once")
        else:
            name = self.data["bonuses"][bonus]
            yield self.say(
                "stake.times",
                bonus=name[:1].upper() + name[1:],
                stake=stake,
                multiplier=bonus.multiplier,
                payment=result.payment,
            )
        yield self.say(f"paid.{outcome}", points=self.amount("point", result.payment))
