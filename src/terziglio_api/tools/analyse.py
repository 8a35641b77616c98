"""``terziglio analyse``: a hand that was played, in hindsight."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from terziglio.analysis import Analysis, Judged
    from terziglio.phases import Hand

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = (
        "Tell a played hand in hindsight: with every card known, which nobody at the "
        "table could know, the thirds that each card lost for its side, the card that "
        "turned the hand, whether the bid could be made, and the best line."
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a hand in notation, or a record; -: standard input",
    )
    parser.add_argument("--json", action="store_true", help="as the service tells it")


def run(args: argparse.Namespace) -> int:
    """Analyse, and return the exit status."""
    from terziglio.phases import Counted
    from terziglio.solver import COMPILED

    try:
        hand = _read(_text(args.file))
    except (OSError, ValueError) as error:
        return _refuse(f"{args.file}: {error}")
    if not isinstance(hand, Counted):
        return _refuse(f"{args.file}: the hand is not played out")
    if not COMPILED:
        return _refuse(
            "this takes the solver: pip install '.[strong]' in Terziglio's folder"
        )
    from terziglio.analysis import analyse

    found = analyse(hand)
    if args.json:
        import json

        from terziglio_api.wire.thoughts import analysis_json

        print(json.dumps(analysis_json(found)))
        return 0
    from rich.console import Console

    console = Console(highlight=False, markup=False, soft_wrap=True)
    for line in _verdict(found):
        console.print(line)
    console.print(_table(found))
    for line in _after(found):
        console.print(line)
    return 0


def _refuse(why: str) -> int:
    print(f"terziglio analyse: {why}", file=sys.stderr)
    return 2


def _text(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")


def _read(text: str) -> "Hand":
    """Return the hand that a text tells, in notation or as a record.

    Raises:
        ValueError: with what is wrong, in one line.
    """
    from terziglio.notation import parse

    return _of_record(text) if text.lstrip().startswith("{") else parse(text)


def _of_record(text: str) -> "Hand":
    from pydantic import ValidationError

    from terziglio.cards import Card, set_of
    from terziglio.errors import IllegalAction
    from terziglio.hand import apply, deal
    from terziglio.phases import Dealt, Hand
    from terziglio.seats import Seat
    from terziglio_api.wire.actions import parse
    from terziglio_api.wire.records import RecordModel

    try:
        record = RecordModel.model_validate_json(text)
        first, second, third = (set_of(map(Card, held)) for held in record.hands)
        monte = set_of(map(Card, record.monte))
        dealt = Dealt(Seat(record.dealer), (first, second, third), monte)
        hand: Hand = deal(dealt.dealer, dealt.deck)
        for made in record.actions:
            hand = apply(hand, Seat(made.seat), parse(made.action))
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(map(str, wrong["loc"])) or "the file"
        raise ValueError(f"no record: {where}: {wrong['msg']}") from None
    except IllegalAction as error:
        raise ValueError(f"no record of a hand: {error}") from None
    return hand


def _verdict(found: "Analysis") -> Iterator[str]:
    yield "In hindsight: every card known, both sides perfect from each card on."
    yield "Nobody at the table could know this; values are thirds."
    yield ""
    could = "could" if found.makeable else "could not"
    done = "won" if found.won else "lost"
    yield f"The bid {could} be made: {found.start} of 35 for seat {found.soloist}."
    yield f"It was {done} with {found.final}; it takes 18."


def _table(found: "Analysis") -> "Table":
    from rich.table import Table

    table = Table(
        "trick", "seat", "side", "card", "lost", "best", "soloist", "turns to"
    )
    turns = found.turns
    for number, judged in enumerate(found.cards):
        table.add_row(
            str(judged.trick) if number % 3 == 0 else "",
            str(judged.seat),
            "soloist" if judged.seat == found.soloist else "defender",
            judged.card.code,
            str(judged.lost or ""),
            " ".join(card.code for card in judged.best) if judged.lost else "",
            str(judged.value),
            _won_by(judged) if judged in turns else "",
            end_section=number % 3 == 2,
        )
    return table


def _won_by(judged: "Judged") -> str:
    """Who wins from a card on, both sides perfect."""
    return "soloist" if judged.could_win else "defenders"


def _after(found: "Analysis") -> Iterator[str]:
    turning = found.turning
    if turning is None:
        yield "No card turned the hand: who could win from the first card on, won."
    else:
        better = " or ".join(card.code for card in turning.best)
        yield (
            f"The hand turned in trick {turning.trick}, for the first time: seat "
            f"{turning.seat} played {turning.card.code}, which lost {turning.lost}; "
            f"{better} would have lost nothing."
        )
    soloist, defenders = found.lost
    yield (
        f"Losses: the defenders {defenders}, the soloist {soloist}; "
        f"{found.final} - {found.start} = {defenders} - {soloist}"
        + (", as it must be." if found.adds_up else ", WHICH IS WRONG: report it.")
    )
    yield ""
    yield f"A best line from the first card on, worth {found.start}:"
    for trick in found.line:
        cards = " ".join(card.code for card in trick.cards)
        yield f"lead {trick.leader}: {cards}"
