"""A hand as it is given on a command line: a file, standard input, or the text."""

import json
import sys
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from terziglio import notation
from terziglio.cards import Card, set_of
from terziglio.errors import IllegalAction
from terziglio.hand import apply, deal
from terziglio.notation import NotationError
from terziglio.phases import Dealt, Hand
from terziglio.seats import Seat
from terziglio.trial import spoken, unfolded
from terziglio_api.wire.actions import ActionModel, parse

__all__ = ["Unclear", "hand_of", "read"]

_actions: Final = TypeAdapter[Any](ActionModel)


class Unclear(Exception):
    """The text is no hand, or only in its beginning.

    Args:
        reason: what is wrong, in a line.
        hand: the hand up to there, if there is one.
        refused: the rules' own reason, if they refuse it.
    """

    def __init__(
        self,
        reason: str,
        hand: Hand | None = None,
        refused: IllegalAction | None = None,
    ) -> None:
        super().__init__(reason)
        self.hand = hand
        self.refused = refused


def read(given: str) -> str:
    """Return the text that was meant: ``-`` is standard input, a file its contents.

    Raises:
        OSError: the file cannot be read.
    """
    if given == "-":
        return sys.stdin.read()
    if "\n" in given or ";" in given or given.lstrip().startswith("{"):
        return given
    return Path(given).read_text("utf-8")


def hand_of(text: str) -> Hand:
    """Return the hand that a text tells: notation, or a record's JSON.

    Raises:
        Unclear: it does not, or not all of it.
    """
    return _recorded(text) if text.lstrip().startswith("{") else _noted(text)


def _noted(text: str) -> Hand:

    text = unfolded(text)
    try:
        return notation.parse(text)
    except NotationError as error:
        refused = error.__cause__
        if not isinstance(refused, IllegalAction):
            raise Unclear(str(error)) from error
        line = text.splitlines()[error.line - 1].partition("#")[0].strip()
        reason = f"line {error.line}: {line}"
        raise Unclear(reason, _beginning(text, error.line), refused) from error


def _beginning(text: str, line: int) -> Hand:
    """Return the hand up to what a line says against the rules."""
    lines = text.splitlines()
    key, _, value = lines[line - 1].partition("#")[0].partition(":")
    between = "," if key.strip() == "bids" else " "
    parts = value.split(between) if between == "," else value.split()
    for count in range(len(parts) - 1, 0, -1):
        part = f"{key}:{between.join(parts[:count])}"
        try:
            return notation.parse("\n".join((*lines[: line - 1], part)))
        except NotationError:
            pass
    before = [given for given in lines[: line - 1] if not given.startswith("give")]
    return notation.parse("\n".join(before))


def _recorded(text: str) -> Hand:

    try:
        told = json.loads(text)
        first, second, third = (set_of(map(Card, held)) for held in told["hands"])
        monte = set_of(map(Card, told["monte"]))
        dealt = Dealt(Seat(told["dealer"]), (first, second, third), monte)
        hand: Hand = deal(dealt.dealer, dealt.deck)
        done = [
            (Seat(made["seat"]), parse(_actions.validate_python(made["action"])))
            for made in told["actions"]
        ]
    except (ValueError, KeyError, TypeError, IndexError, ValidationError) as error:
        reason = f"not a record of this service: {type(error).__name__}: {error}"
        raise Unclear(reason) from error
    for number, (seat, action) in enumerate(done, 1):
        try:
            hand = apply(hand, seat, action)
        except IllegalAction as refused:
            reason = f"action {number}, seat {seat}: {spoken(action)}"
            raise Unclear(reason, hand, refused) from refused
    return hand
