"""``terziglio hint``: what the expert would do."""

import argparse
import sys

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = (
        "Tell what the expert would do in a hand that is not over. It is given the "
        "view of the seat on turn, and nothing else of the notation."
    )
    parser.add_argument(
        "hand", metavar="NOTATION", help="a file, - for standard input, or the text"
    )
    parser.add_argument(
        "--seat", type=int, choices=(0, 1, 2), help="must be the seat on turn"
    )
    parser.add_argument("--lang", choices=("en", "it"), default="en", help="language")
    parser.add_argument(
        "--deck", choices=("french", "italian"), help="whose names the cards have"
    )


def run(args: argparse.Namespace) -> int:
    """Tell the hint; return the exit status."""
    from importlib import import_module
    from importlib.util import find_spec

    from terziglio.players.hint import Hint
    from terziglio.trial import on_table, spoken
    from terziglio.view import seat_view
    from terziglio.words import Words
    from terziglio_api.texts import Unclear, hand_of, read

    try:
        match = on_table(hand_of(read(args.hand)))
    except (OSError, Unclear) as error:
        print(f"terziglio: {error}", file=sys.stderr)
        return 2
    if match.turn is None or args.seat not in {None, match.turn}:
        told = "nobody" if match.turn is None else f"seat {match.turn}"
        print(f"terziglio: {told} is to act in this hand", file=sys.stderr)
        return 2
    if find_spec("numba") is None:
        told = "this takes the solver: pip install '.[strong]' in Terziglio's folder"
        print(f"terziglio: {told}", file=sys.stderr)
        return 2
    expert = import_module("terziglio.players.expert")
    hint: Hint = expert.hint(seat_view(match, match.turn))
    words = Words(args.lang, args.deck)
    reasons = words.data.get("reasons", {})
    reason = reasons.get(hint.reason.value, hint.reason.value.replace("_", " "))
    print(f"seat {match.turn}: {spoken(hint.action)} ({reason})")
    for chance in sorted(hint.chances, key=lambda chance: -chance.win):
        print(f"  {chance.card}  {100 * chance.win:5.1f} %  {words.card(chance.card)}")
    if hint.worlds:
        print(f"  looked at {hint.worlds} deals that fit")
    return 0
