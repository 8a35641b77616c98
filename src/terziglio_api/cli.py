"""The ``terziglio`` command: a table of subcommands, each a module of ``tools``.

Only the module of the subcommand that is asked for is imported.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Final

__all__ = ["COMMANDS", "main"]

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "serve": ("serve tables to the network", "terziglio_api.tools.serve"),
    "warm": ("compile the solver ahead of time", "terziglio_api.tools.warm"),
    "play": ("play at this terminal", "terziglio_api.tools.play"),
    "arena": ("play players against each other", "terziglio_api.tools.arena"),
    "new-bot": ("write a player to start from", "terziglio_api.tools.new_bot"),
    "check": ("see whether a player is fit to play", "terziglio_api.tools.check"),
    "watch": ("step a hand forward and back", "terziglio_api.tools.watch"),
    "explain": ("tell a hand in sentences, with rules", "terziglio_api.tools.explain"),
    "hint": ("what the expert would do in a hand", "terziglio_api.tools.hint"),
    "bot": ("seat a player at a real table", "terziglio_api.tools.bot"),
    "analyse": ("a played hand in hindsight", "terziglio_api.tools.analyse"),
}
"""Each subcommand: a line of help, and the module with its options and its run."""


_PIPE: Final = 141
"""What a shell shows of a program that writes where nobody reads any more."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    given = list(sys.argv[1:] if argv is None else argv)
    parser = _parser(given)
    if not given:
        parser.print_help(sys.stderr)
        return 2
    args = parser.parse_args(given)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has seen enough (``| head``); nothing is left to flush at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE
    return status


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="terziglio", description="Terziglio (Calabresella), the game for three."
    )
    parser.add_argument(
        "--version", action="version", version=f"terziglio {version('terziglio')}"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    asked = next((word for word in argv if not word.startswith("-")), None)
    for name, (told, module) in COMMANDS.items():
        command = commands.add_parser(name, help=told)
        if name == asked:
            tool = import_module(module)
            tool.options(command)
            command.set_defaults(run=tool.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
