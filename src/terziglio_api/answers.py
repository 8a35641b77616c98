"""What the person types at the terminal, read into what it means. Pure."""

from collections.abc import Sequence
from typing import Final

from terziglio.cards import Card
from terziglio.contracts import Contract
from terziglio_api.voice import Voice

__all__ = ["Unclear", "read_bid", "read_card", "read_cards"]

_CODES: Final = {card.code: card for card in Card}
_SAID_BACK: Final = 12
"""Characters of a wrong answer that are said back."""


class Unclear(Exception):
    """What was typed is no answer here.

    Its ``phrase`` is the key of a phrase of the terminal, ``told`` has the params.
    """

    def __init__(self, phrase: str, **told: object) -> None:
        super().__init__(phrase, told)
        self.phrase = phrase
        self.told = told


def read_cards(text: str, listed: Sequence[Card]) -> tuple[Card, ...]:
    """Read cards by code, or by their number in the list they are chosen from.

    Raises:
        Unclear: some word is neither.
    """
    numbers = {str(number): card for number, card in enumerate(listed, 1)}
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        card = numbers.get(word, _CODES.get(word.upper()))
        if card is None:
            raise Unclear("unclear.card", text=_said_back(word))
        cards.append(card)
    return tuple(cards)


def read_card(text: str, listed: Sequence[Card]) -> Card:
    """Read one card.

    Raises:
        Unclear: it is no card, or several.
    """
    cards = read_cards(text, listed)
    if len(cards) != 1:
        raise Unclear("unclear.one", count=len(cards))
    return cards[0]


def read_bid(
    text: str, offered: Sequence[Contract | None], voice: Voice
) -> Contract | None:
    """Read a bid by name, or by its number in the list; ``None`` is a pass.

    Raises:
        Unclear: it is neither. A bid that is too low is a bid: the rules refuse it.
    """
    every: tuple[Contract | None, ...] = (None, *Contract)
    bids = {voice.bid(bid): bid for bid in every}
    bids |= {str(number): bid for number, bid in enumerate(offered, 1)}
    if text.lower() not in bids:
        raise Unclear("unclear.bid", text=_said_back(text))
    return bids[text.lower()]


def _said_back(text: str) -> str:
    """The beginning of a wrong answer, fit to be printed."""
    return "".join(filter(str.isprintable, text[:_SAID_BACK]))
