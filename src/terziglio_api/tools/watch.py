"""``terziglio watch``: step a hand forward and back."""

import argparse
import sys

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = (
        "Have three players play a deal, and step through it: Enter or n forward, p "
        "back, a number to that step, q leaves. If the input is no terminal, every "
        "step is printed. The deals are those of the arena."
    )
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="who sits at seats 0, 1 and 2: files like my_bot.py, or names like house",
    )
    parser.add_argument("--seed", default="watch", metavar="TEXT", help="of the deals")
    parser.add_argument("--deal", type=int, default=0, metavar="N", help="which deal")
    parser.add_argument(
        "--bank", choices=("test", "tune"), default="test", help="of deals"
    )
    parser.add_argument(
        "--notation", metavar="FILE", help="watch this hand instead: a file, - or text"
    )
    parser.add_argument("--lang", choices=("en", "it"), default="en", help="language")
    parser.add_argument(
        "--deck", choices=("french", "italian"), help="whose names the cards have"
    )
    parser.add_argument("--no-color", action="store_true", help="no colours")


def run(args: argparse.Namespace) -> int:
    """Play the deal and show it; return the exit status."""
    from terziglio.entrants import EntrantError
    from terziglio_api.texts import Unclear
    from terziglio_api.watching import Film, show

    if (args.notation is None) != (len(args.players) == 3):
        print("terziglio: watch takes three players, or --notation", file=sys.stderr)
        return 2
    try:
        if args.notation is None:
            film = Film.played(args.players, args.seed, args.deal, args.bank)
        else:
            film = Film.noted(args.notation)
    except (EntrantError, OSError, ValueError, Unclear) as error:
        print(f"terziglio: {error}", file=sys.stderr)
        return 2
    return show(film, args)
