"""``terziglio serve``: tables for the network."""

import argparse
import sys
from pathlib import Path

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = (
        "Serve tables over HTTP and WebSocket. Every option can also be set in the "
        "environment, as TERZIGLIO_HOST and so on."
    )
    parser.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    parser.add_argument(
        "--port", type=int, help="port, 0 for a free one (default 8000)"
    )
    parser.add_argument(
        "--database",
        type=Path,
        metavar="FILE",
        help="SQLite file with the tables (default: in the user's data directory)",
    )
    parser.add_argument(
        "--dev",
        action="store_true",
        default=None,
        help="allow forced deals and seeds, and pages of this machine",
    )
    parser.add_argument(
        "--no-web",
        action="store_false",
        default=None,
        dest="web",
        help="do not serve the page at /",
    )


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop; return the exit status."""
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from terziglio_api.server import serve
    from terziglio_api.settings import Settings

    names = ("host", "port", "database", "dev", "web")
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
