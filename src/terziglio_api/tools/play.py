"""``terziglio play``: a match at this terminal."""

import argparse

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = "Play a match at the terminal against two computer players."
    parser.add_argument("--target", type=int, choices=(7, 11, 21), default=7)
    parser.add_argument("--lang", choices=("en", "it"), default="en", help="language")
    parser.add_argument(
        "--deck", choices=("french", "italian"), help="whose names the cards have"
    )
    parser.add_argument(
        "--vs",
        default="house",
        metavar="PLAYER[,PLAYER]",
        help="whom to play: files like my_bot.py, or names (default house)",
    )
    parser.add_argument("--seed", metavar="TEXT", help="deal the same cards again")
    parser.add_argument("--no-color", action="store_true", help="no colours")


def run(args: argparse.Namespace) -> int:
    """Play, and return the exit status."""
    from terziglio_api.terminal import play

    return play(args)
