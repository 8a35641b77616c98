"""``terziglio check``: is this player fit to play?"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from terziglio.entrants import Author
    from terziglio.exam import Check

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = (
        "Play a player through some deals and list what passes and what fails. "
        "The exit status is 0 if all passes, else 1."
    )
    parser.add_argument("player", help="a file like my_bot.py, or a name like house")
    parser.add_argument(
        "--deals", type=int, default=60, metavar="N", help="how many (default 60)"
    )
    parser.add_argument("--seed", default="check", metavar="TEXT", help="of the deals")
    parser.add_argument("--deal", type=int, metavar="N", help="this deal alone")
    parser.add_argument(
        "--notation",
        metavar="TEXT",
        help="ask for one answer: to this hand, in notation, a file's name, or - for "
        "standard input",
    )
    parser.add_argument(
        "--move-ms",
        type=float,
        default=1000,
        metavar="MS",
        help="the most a decision may take (default 1000)",
    )


def run(args: argparse.Namespace) -> int:
    """Check, and return the exit status."""
    from terziglio.entrants import EntrantError, load

    try:
        author = load(args.player)
    except EntrantError as error:
        print(f"FAIL  loads: {error}")
        return 1
    print("pass  loads")
    return _one(author, args) if args.notation is not None else _many(author, args)


def _one(author: "Author", args: argparse.Namespace) -> int:
    """Ask for the one answer that a hand in notation is waiting for."""
    from terziglio.entrants import seated
    from terziglio.trial import Failed, ask, on_table, spoken
    from terziglio_api.texts import Unclear, hand_of, read

    try:
        match = on_table(hand_of(read(args.notation)))
    except (OSError, Unclear) as error:
        print(f"terziglio: {error}", file=sys.stderr)
        return 2
    if match.turn is None:
        print("terziglio: the hand is over: nobody is asked", file=sys.stderr)
        return 2
    try:
        player = seated(author, args.seed, args.deal or 0, match.turn)
        print(f"pass  seat {match.turn} does this: {spoken(ask(player, match))}")
    except Failed as failed:
        print(
            f"FAIL  {failed.kind}: " + "\n  ".join(failed.told).replace("\n", "\n    ")
        )
        return 1
    return 0


def _many(author: "Author", args: argparse.Namespace) -> int:
    from terziglio.exam import Exam
    from terziglio_api.carried import WIRE

    deals = range(args.deals) if args.deal is None else range(args.deal, args.deal + 1)
    exam = Exam(author, args.player, args.seed, WIRE, args.move_ms)
    try:
        checks = exam.sit(deals)
    except ValueError as error:
        print(f"terziglio: {error}", file=sys.stderr)
        return 2
    for check in checks:
        _tell(check)
    failed = [check.name for check in checks if not check.passed]
    name = Path(args.player).name
    print(f"{name} fails: {', '.join(failed)}" if failed else f"{name} is fit to play")
    return 1 if failed else 0


def _tell(check: "Check") -> None:
    """Print a line of the list, and the first failure in full."""
    if check.passed:
        print(f"pass  {check.name}: {check.told}")
        return
    count = len(check.failures)
    times = "once" if count == 1 else f"{count} times; the first"
    first = check.failures[0].replace("\n", "\n      ")
    print(f"FAIL  {check.name}: {times}:\n      {first}")
