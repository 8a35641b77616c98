"""A Python player as a program: ``python -m terziglio_api.tools.hosted my_bot.py``.

So ``--isolate`` gives a file a process of its own; see ``programs``.
"""

import os
import sys

import orjson

from terziglio.actions import Bid, Call, Discard, Play
from terziglio.bot import Bot
from terziglio.chairs import where
from terziglio.entrants import Author, EntrantError, load, seated
from terziglio.players import Player
from terziglio.seats import Seat
from terziglio_api.wire.actions import dump
from terziglio_api.wire.base import Json
from terziglio_api.wire.game import game_of
from terziglio_api.wire.messages import EventMessage

_SEATS = 3


def main(spec: str) -> int:
    """Answer the lines of standard input until it ends."""
    # What the player prints must not pass for an answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        author = load(spec)
    except EntrantError as error:
        print(error, file=sys.stderr)
        return 2
    players: dict[str, Player] = {}
    for line in sys.stdin.buffer:
        event = EventMessage.model_validate_json(line)
        view = game_of(event.view)
        if view.turn is None:
            continue
        try:
            player = _player(players, author, event)
            action = player(view)
        except (Exception, SystemExit) as error:
            message: Json = {"type": "failed", "told": where(error)}
        else:
            message = {
                "type": "action",
                "id": f"a{event.seq}",
                "decision": f"{view.match.deal}.{view.decision}",
                "action": _dumped(action),
            }
        answers.write(orjson.dumps(message) + b"\n")
        answers.flush()
    return 0


def _player(players: dict[str, Player], author: Author, event: EventMessage) -> Player:
    """Return the player at a table, in each hand a new one."""
    table = event.view.table
    if event.seq == 1 or table not in players:
        players.pop(table, None)
        while len(players) >= _SEATS:
            del players[next(iter(players))]
        players[table] = _seated(author, table)
    return players[table]


def _seated(author: Author, table: str) -> Player:
    """Return the player with the generator that it would have in the arena itself."""
    kind: object = author
    if isinstance(kind, type) and issubclass(kind, Bot):
        return kind.keyed(bytes.fromhex(table.removeprefix("t_")))
    return seated(author, table, 0, Seat.S0)


def _dumped(action: object) -> object:
    """Return the action on the wire; what is none, as words that no reader takes."""
    if not isinstance(action, Bid | Call | Discard | Play):
        return repr(action)
    try:
        return dump(action).model_dump()
    except Exception:  # a card that is none
        return repr(action)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
