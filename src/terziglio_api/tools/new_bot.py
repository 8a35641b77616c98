"""``terziglio new-bot``: a player to start from."""

import argparse
import re
import sys
from pathlib import Path
from shlex import quote
from typing import Final

__all__ = ["options", "run"]

_TEXT: Final = """\
from terziglio import Action, Bid, Bot, Play, SeatView


class {name}(Bot):
    def act(self, view: SeatView) -> Action:  # a view is what your seat may know
        if view.legal.bids:  # the auction: None is a pass
            return Bid(None)
        if view.legal.cards:  # the cards that you may play, by suit, weakest first
            return Play(max(view.legal.cards, key=lambda card: card.rank))
        return view.legal.first()  # what is left: a call, a discard
"""


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = "Write a player of ten lines that runs, to start from."
    parser.add_argument("file", type=Path, metavar="FILE", help="like my_bot.py")


def run(args: argparse.Namespace) -> int:
    """Write the file; return the exit status."""
    path: Path = args.file
    if path.suffix != ".py":
        print(f"terziglio: {path}: a bot's file ends in .py", file=sys.stderr)
        return 2
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(_TEXT.format(name=_class_name(path.stem)))
    except FileExistsError:
        print(f"terziglio: {path} is there already", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"terziglio: {path}: {error.strerror}", file=sys.stderr)
        return 2
    name = quote(str(path))
    print(f"{path} is written. Next:")
    print(f"  terziglio check {name}")
    print(f"  terziglio arena {name} house --deals 200")
    print(f"  terziglio watch {name} house house")
    return 0


def _class_name(stem: str) -> str:
    """``my_bot`` is ``MyBot``."""
    words = re.findall(r"[A-Za-z0-9]+", stem)
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name if name and not name[0].isdigit() and name != "Bot" else "My" + name
