"""``terziglio bot``: a player at a real table."""

import argparse
import os
import sys
from pathlib import Path
from typing import Final

__all__ = ["options", "run"]

_HERE: Final = "http://127.0.0.1:8000"


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = (
        "Seat a player at a table of a server, until the match is over. It comes back "
        "by itself when the line breaks. Other users of this machine can see what a "
        "command line says: TERZIGLIO_TOKEN and TERZIGLIO_INVITE in the environment "
        "keep the secrets from it."
    )
    parser.add_argument("player", help="a file like my_bot.py, or a name like house")
    parser.add_argument("--table", metavar="ID", help="t_..., or take it from the link")
    parser.add_argument("--token", metavar="TOKEN", help="of your seat: tzs_...")
    parser.add_argument(
        "--invite",
        metavar="INVITE",
        help="take a free seat: tzi_... with --table, or the whole link",
    )
    parser.add_argument("--name", default="", help="what the seat is called")
    parser.add_argument(
        "--url",
        help=f"the server (default: where the link leads, else {_HERE})",
    )
    parser.add_argument(
        "--rematch", action="store_true", help="ask for another match, for ever"
    )


def run(args: argparse.Namespace) -> int:
    """Play; return 0 after a match in which every answer was good, else 1."""
    import asyncio

    from terziglio.entrants import EntrantError, load
    from terziglio_api.sitting import Gone, Place, Sitting, claim

    token = args.token or os.environ.get("TERZIGLIO_TOKEN")
    invite = args.invite or os.environ.get("TERZIGLIO_INVITE")
    table = args.table
    url = args.url
    if invite is not None and "/" in invite:
        server, whole, _ = invite.partition("/#/")
        url = url or (server if whole else None)
        *_, table, invite = invite.rstrip("/").split("/")
    url = url or _HERE
    if not url.startswith(("http://", "https://")):
        print(
            f"terziglio: --url begins with http:// or https://, not {url}",
            file=sys.stderr,
        )
        return 2
    if table is None or (token is None and invite is None):
        print(
            "terziglio: bot takes --table, and --token or --invite (or TERZIGLIO_TOKEN "
            "or TERZIGLIO_INVITE in the environment)",
            file=sys.stderr,
        )
        return 2
    try:
        author = load(args.player)
        if token is None:
            token = claim(url, table, str(invite), args.name or Path(args.player).stem)
            there = "" if url == _HERE else f"--url {url} "
            print(f"seated; to come back: {there}--table {table} --token {token}")
            sys.stdout.flush()
        place = Place(url, table, token)
        sitting = Sitting(place, author, _say, rematch=args.rematch)
        view = asyncio.run(sitting.run())
    except (EntrantError, Gone) as error:
        print(f"terziglio: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"terziglio: no table at {url}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    match, you = view["match"], view["you"]["seat"]
    if match["winner"] is None:
        print("the table was closed")
    else:
        print(f"{'won' if match['winner'] == you else 'lost'}: {match['scores']}")
    if sitting.failures:
        print(f"{sitting.failures} answers were no good; house gave them")
    return 1 if sitting.failures else 0


def _say(told: str) -> None:
    print(told, flush=True)
