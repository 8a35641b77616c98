"""``terziglio arena``: players against each other, over the same deals."""

import argparse
import shlex
import shutil
import signal
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from terziglio.chairs import Failure
    from terziglio.entrants import Entrant

__all__ = ["options", "run"]

_PLOTS = {".png", ".svg"}


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = (
        "Play two or three players against each other, over deals of a public bank. "
        "Of two the first is tested: it plays every deal in each seat, the second in "
        "the other two. Three play every deal in all six orders. A player is a name "
        "(random, house, ..) or a file like my_bot.py."
    )
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="name or file")
    parser.add_argument(
        "--cmd",
        action="append",
        default=[],
        metavar="COMMAND",
        help="a program in any language as a player, before the others: docs/arena.md",
    )
    parser.add_argument(
        "--deals",
        type=_positive,
        default=200,
        metavar="N",
        help="deals, fixed before you look (default 200)",
    )
    parser.add_argument(
        "--seed", default="1", metavar="S", help="names the deals (default 1)"
    )
    parser.add_argument(
        "--bank",
        choices=("test", "tune"),
        default="test",
        help="which deals of the public bank: test (default) to measure, the same for "
        "everybody; tune, others, to make a player on",
    )
    parser.add_argument(
        "--first",
        type=_natural,
        default=0,
        metavar="N",
        help="number of the first deal (default 0)",
    )
    parser.add_argument(
        "--roles",
        action="store_true",
        help="soloist against pair, each with each; rules, or --play-only, bids",
    )
    parser.add_argument(
        "--play-only",
        metavar="PLAYER",
        help="who bids, calls and exchanges for every seat instead",
    )
    parser.add_argument(
        "--jobs",
        type=_positive,
        metavar="N",
        help="processes (default: one for each core); changes no result",
    )
    parser.add_argument(
        "--isolate",
        action="store_true",
        help="give each file a process of its own, killed when it is late",
    )
    parser.add_argument(
        "--move-ms",
        type=_positive,
        metavar="N",
        help="count answers later than this; programs and isolated files are killed",
    )
    parser.add_argument("--jsonl", type=Path, metavar="FILE", help="write JSON lines")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw a plot: .png or .svg"
    )


def _positive(text: str) -> int:
    return _at_least(1, text)


def _natural(text: str) -> int:
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"a number from {least} on, not {text!r}")
    return int(text)


def _stop(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


@contextmanager
def _stoppable() -> Generator[None]:
    """Take the end of the terminal, and a polite kill, as a Ctrl-C.

    Else the programs that play would be left alone, and might run for ever. What is
    ignored stays ignored: ``nohup terziglio arena ...`` outlives its terminal.
    """
    ends = [getattr(signal, n) for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)]
    before = {end: signal.getsignal(end) for end in ends}
    heard = {end: was for end, was in before.items() if was is not signal.SIG_IGN}
    for end in heard:
        signal.signal(end, _stop)
    try:
        yield
    finally:
        for end, was in heard.items():
            signal.signal(end, was)


def run(args: argparse.Namespace) -> int:
    """Play, and return the exit status: 130 after Ctrl-C, with what was done."""
    wrong = _wrong(args)
    if wrong is not None:
        print(f"terziglio arena: {wrong}", file=sys.stderr)
        return 2
    from rich.console import Console

    from terziglio.arena import compare, roles
    from terziglio.crew import PlayerEndedProcess
    from terziglio.entrants import EntrantError
    from terziglio_api.tools import programs, reports

    play = roles if args.roles else compare
    try:
        with ExitStack() as stack:
            stack.enter_context(_stoppable())
            stack.callback(programs.close_all)
            found = play(
                *_entrants(args),
                deals=args.deals,
                seed=args.seed,
                bank=args.bank,
                first=args.first,
                play_only=args.play_only,
                move_ms=args.move_ms,
                jobs=args.jobs,
                progress=stack.enter_context(reports.progress()),
            )
    except (EntrantError, ValueError) as error:
        print(f"terziglio arena: {error}", file=sys.stderr)
        return 2
    except PlayerEndedProcess as error:
        print(f"terziglio arena: {error}", file=sys.stderr)
        return 1
    console = Console(highlight=False, soft_wrap=True)
    reports.show(console, found, lambda failure: _again(args, failure))
    if args.jsonl is not None:
        reports.write_lines(args.jsonl, found)
    if args.plot is not None:
        from terziglio_api.tools.plot import draw

        draw(args.plot, found)
    return 130 if found.stopped else 0


def _wrong(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options, before anything is played."""
    number = len(args.cmd) + len(args.players)
    if number not in {2, 3}:
        return f"two or three players, not {number}: terziglio arena my_bot.py house"
    for command in args.cmd:
        words = shlex.split(command)
        if not words or shutil.which(words[0]) is None:
            return f"no program to run in --cmd {command!r}"
    if args.plot is not None:
        if args.plot.suffix not in _PLOTS:
            return f"--plot writes .png or .svg, not {args.plot.name}"
        if find_spec("matplotlib") is None:
            return (
                "--plot needs matplotlib: pip install '.[plot]' in Terziglio's folder"
            )
    for file in (args.jsonl, args.plot):
        if file is not None and not file.absolute().parent.is_dir():
            return f"there is no directory {file.parent} for {file.name}"
    return None


def _entrants(args: argparse.Namespace) -> "list[Entrant]":
    from terziglio.entrants import Entrant
    from terziglio_api.tools.programs import LIMIT_MS, Program

    limit = args.move_ms or LIMIT_MS
    entrants = [
        Entrant(command, Program(tuple(shlex.split(command)), limit))
        for command in args.cmd
    ]
    for spec in args.players:
        entrant = Entrant(spec, spec)
        if args.isolate and ".py" in spec:
            entrant.author()  # what is wrong with a file is told at once
            host = (sys.executable, "-m", "terziglio_api.tools.hosted", spec)
            entrant = Entrant(spec, Program(host, limit))
        entrants.append(entrant)
    return entrants


def _again(args: argparse.Namespace, failure: "Failure") -> str:
    """Return the command that plays the failure's block again."""
    words = ["terziglio", "arena", *args.players]
    for command in args.cmd:
        words += ["--cmd", command]
    words += ["--seed", args.seed, "--bank", args.bank]
    words += ["--first", str(failure.deal), "--deals", "1", "--jobs", "1"]
    words += ["--roles"] * args.roles + ["--isolate"] * args.isolate
    for name in ("play_only", "move_ms"):
        value = getattr(args, name)
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)
