"""Names and sentences in English and Italian for every card, code and event.

The words are data, ``data/en.json`` and ``data/it.json``, loaded on first use; this
module puts codes and params into them. A code is stable, its sentence is not.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, assert_never

from terziglio.cards import Card, Rank, Suit
from terziglio.contracts import Contract
from terziglio.count import Result
from terziglio.errors import IllegalAction
from terziglio.events import (
    BidMade,
    CardCalled,
    CardPlayed,
    CardsDiscarded,
    HandEvent,
)
from terziglio.seats import Seat

__all__ = [
    "LANGUAGES",
    "Deck",
    "Language",
    "Words",
    "catalogue",
    "rulebook",
]

Language = Literal["en", "it"]
Deck = Literal["french", "italian"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "it")


@cache
def _data(name: str) -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = json.loads(
        files("terziglio").joinpath("data", f"{name}.json").read_text("utf-8")
    )
    return loaded


def catalogue(language: Language) -> Mapping[str, Any]:
    """Return all names and sentences of a language, sentences with ``{params}``."""
    return _data(language)


def rulebook() -> Mapping[str, Any]:
    """Return the numbered rules and choices, each in every language."""
    return _data("rules")


class Words:
    """One language's words, with the card names of one deck.

    Args:
        language: ``en`` or ``it``.
        deck: whose names the cards have: ``french`` (queen of spades) or ``italian``
            (knight of swords); ``None`` takes the language's own custom.
        names: what to call the seats, in order; ``None`` calls them by number.
    """

    def __init__(
        self,
        language: Language = "en",
        deck: Deck | None = None,
        names: tuple[str, str, str] | None = None,
    ) -> None:
        self.data = catalogue(language)
        self.deck: Deck = deck or self.data["deck"]
        self.names = names

    def suit(self, suit: Suit) -> str:
        """Return a suit by symbol and word: ``♠ spades`` (R72)."""
        told = self.data["suits"][suit.code]
        return f"{told['symbol']} {told[self.deck]}"

    def rank(self, rank: Rank) -> str:
        """Return a rank's name."""
        name: str = self.data["ranks"][rank.code][self.deck]
        return name

    def card(self, card: Card) -> str:
        """Return a card's name, suit by symbol and word: ``ace of ♠ spades``."""
        told = self.data["card"]
        return str(told.format(rank=self.rank(card.rank), suit=self.suit(card.suit)))

    def cards(self, cards: tuple[Card, ...]) -> str:
        """Return the names of several cards."""
        return ", ".join(map(self.card, cards))

    def bid(self, bid: Contract | None) -> str:
        """Return a bid's name; ``None`` is a pass."""
        name: str = self.data["bids"]["pass" if bid is None else bid.code]
        return name

    def seat(self, seat: Seat) -> str:
        """Return what a seat is called."""
        if self.names is not None:
            return self.names[seat]
        return str(self.data["seat"].format(seat=int(seat)))

    def amount(self, unit: Literal["third", "point"], number: int) -> str:
        """Return so many thirds of a card point, or so many game points."""
        name = unit if number == 1 else f"{unit}s"
        return str(self.data["amounts"][name].format(n=number))

    def refusal(self, error: IllegalAction) -> str:
        """Return the sentence for a refused action."""
        return self.sentence("illegal", error.code, error.params)

    def sentence(
        self, section: str, code: str, params: Mapping[str, object] | None = None
    ) -> str:
        """Return the sentence of a code, its params told in words.

        Args:
            section: ``illegal``, ``problems`` or ``events``.
            code: a key of that section.
            params: as the code carries them: card, suit and bid codes, seat numbers.
        """
        told = {name: self._param(name, p) for name, p in (params or {}).items()}
        return str(self.data[section][code].format(**told))

    def _param(self, name: str, value: object) -> str:
        match name:
            case "card":
                return self.card(Card(str(value)))
            case "led":
                return self.suit(Suit(str(value)))
            case "turn" | "seat" | "dealer" | "soloist" | "winner":
                return self.seat(Seat(int(str(value))))
            case "phase":
                return str(self.data["phases"][value])
            case "highest" | "bid":
                return str(self.data["bids"][value])
            case _:
                return str(value)

    def event(self, event: HandEvent) -> str:
        """Return what happened, in one or more sentences."""
        told = self.data["events"]
        return " ".join(told[key].format(**p) for key, p in self.told(event))

    def told(self, event: HandEvent) -> Iterator[tuple[str, dict[str, object]]]:
        """Yield the keys of an event's sentences and their params in words."""
        seat = {"seat": self.seat(event.seat)}
        match event:
            case BidMade():
                key = "bid.pass" if event.bid is None else "bid"
                yield key, {**seat, "bid": self.bid(event.bid)}
                if event.thrown_in:
                    yield "bid.thrown_in", {}
                if event.soloist is not None:
                    yield "bid.soloist", {"soloist": self.seat(event.soloist)}
                yield from self._monte(event.monte_shown)
            case CardCalled():
                yield "called", {**seat, "card": self.card(event.card)}
                if event.passed_by is None:
                    yield "called.monte", {}
                else:
                    yield "called.passed", {"passed_by": self.seat(event.passed_by)}
                yield from self._monte(event.monte_shown)
            case CardsDiscarded():
                yield "discarded", {**seat, "count": event.count}
                if event.given_back is not None:
                    card = self.card(event.given_back)
                    yield "discarded.given_back", {**seat, "card": card}
            case CardPlayed():
                yield "card_played", {**seat, "card": self.card(event.card)}
                if event.trick is not None:
                    winner = self.seat(event.trick.winner)
                    thirds = self.amount("third", event.trick.thirds)
                    yield "card_played.trick", {"winner": winner, "thirds": thirds}
                if event.count is not None:
                    yield from self._count(event.count)
                if event.winner is not None:
                    yield "card_played.winner", {"winner": self.seat(event.winner)}
            case _:
                assert_never(event)

    def _monte(
        self, shown: tuple[Card, ...] | None
    ) -> Iterator[tuple[str, dict[str, object]]]:
        if shown is not None:
            yield "monte_shown", {"cards": self.cards(shown)}

    def _count(self, count: Result) -> Iterator[tuple[str, dict[str, object]]]:
        yield (
            "card_played.count",
            {
                "soloist_thirds": count.soloist_thirds,
                "defender_thirds": count.defender_thirds,
                "result": self.data["results"]["won" if count.won else "lost"],
            },
        )
        if count.bonus is not None:
            bonus = self.data["bonuses"][count.bonus.value]
            yield "card_played.bonus", {"bonus": bonus[:1].upper() + bonus[1:]}
