"""The ``terziglio`` command. Each subcommand imports only what it needs."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    args = _parser().parse_args(argv)
    run: int = args.run(args)
    return run


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="terziglio", description="Terziglio (Calabresella), the game for three."
    )
    parser.add_argument(
        "--version", action="version", version=f"terziglio {version('terziglio')}"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _serve_options(commands.add_parser("serve", help="serve tables to the network"))
    _play_options(commands.add_parser("play", help="play at this terminal"))
    return parser


def _serve_options(serve: argparse.ArgumentParser) -> None:
    serve.description = (
        "Serve tables over HTTP and WebSocket. Every option can also be set in the "
        "environment, as TERZIGLIO_HOST and so on."
    )
    serve.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    serve.add_argument("--port", type=int, help="port, 0 for a free one (default 8000)")
    serve.add_argument(
        "--database",
        type=Path,
        metavar="FILE",
        help="SQLite file with the tables (default: in the user's data directory)",
    )
    serve.add_argument(
        "--dev",
        action="store_true",
        default=None,
        help="allow forced deals and seeds, and pages of this machine",
    )
    serve.set_defaults(run=_serve)


def _serve(args: argparse.Namespace) -> int:
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from terziglio_api.server import serve
    from terziglio_api.settings import Settings

    names = ("host", "port", "database", "dev")
    given = {n: getattr(args, n) for n in names if getattr(args, n) is not None}
    try:
        settings = Settings(**given)
    except ValidationError as error:
        for wrong in error.errors():
            name = "_".join(map(str, wrong["loc"])).upper()
            print(f"terziglio: TERZIGLIO_{name}: {wrong['msg']}", file=sys.stderr)
        return 2
    except SettingsError as error:
        print(f"terziglio: {error}; a list is JSON: docs/settings.md", file=sys.stderr)
        return 2
    return serve(settings)


def _play_options(play: argparse.ArgumentParser) -> None:
    play.description = "Play a match at the terminal against two house players."
    play.add_argument("--target", type=int, choices=(7, 11, 21), default=7)
    play.add_argument("--lang", choices=("en", "it"), default="en", help="language")
    play.add_argument(
        "--deck", choices=("french", "italian"), help="whose names the cards have"
    )
    play.add_argument("--seed", metavar="TEXT", help="deal the same cards again")
    play.add_argument("--no-color", action="store_true", help="no colours")
    play.set_defaults(run=_play)


def _play(args: argparse.Namespace) -> int:
    from terziglio_api.terminal import play

    return play(args)


if __name__ == "__main__":
    sys.exit(main())
