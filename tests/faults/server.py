"""The service with a death in it: at the n-th pass of a point it kills itself.

Nothing in the service knows of it. The log is a subclass, SQLite's connections are
made by a factory of ours, and a middleware sees what goes out of the sockets.

    DIE=after_commit:120 python -m faults.server

With ``PARTS``, a table of tasks as JSON, it has one process that thinks.
"""

import json
import os
import signal
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from terziglio_api import server
from terziglio_api.app import create_app
from terziglio_api.journal import Event
from terziglio_api.settings import Settings
from terziglio_api.sockets import LINE
from terziglio_api.storage.sqlite import SqliteLog
from terziglio_api.workers import Workers

POINTS: Final = ("before_append", "after_append", "after_commit", "after_ack")
"""In the order in which an action passes them."""


class Death:
    """Comes at the n-th pass of a point, as sudden as a power cut."""

    def __init__(self, spec: str) -> None:
        self._point, _, passes = spec.partition(":")
        self._left = int(passes or 0)

    def passes(self, point: str) -> None:
        """Die, if this is the pass."""
        if point == self._point:
            self._left -= 1
            if not self._left:
                os.kill(os.getpid(), signal.SIGKILL)


DEATH = Death(os.environ.get("DIE", ""))


class MortalConnection(sqlite3.Connection):
    """A connection that passes two points: all is written but the commit, and it."""

    def execute(self, sql: str, *args: Any, **more: Any) -> sqlite3.Cursor:
        if sql != "COMMIT":
            return super().execute(sql, *args, **more)
        DEATH.passes("after_append")
        done = super().execute(sql)
        DEATH.passes("after_commit")
        return done


class MortalLog(SqliteLog):
    """The log, with a point before it is handed anything."""

    async def append(self, table: str, after: int, events: Sequence[Event]) -> None:
        DEATH.passes("before_append")
        await super().append(table, after, events)


class MortalSockets:
    """A middleware with a point right after an ack has been sent."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            await send(message)
            _sent(message.get("text") or "")

        line = scope.get("extensions", {}).get(LINE)
        if line is not None:
            scope["extensions"][LINE] = line | {"write": _writing(line["write"])}
        await self._app(scope, receive, sent)


def _writing(write: Callable[..., bool]) -> Callable[..., bool]:
    """Return the direct way to the socket, which is past the middleware."""

    def written(*texts: str) -> bool:
        done = write(*texts)
        if done:
            _sent(*texts)
        return done

    return written


def _sent(*texts: str) -> None:
    if any('"type":"ack"' in text for text in texts):
        DEATH.passes("after_ack")


def mortal(settings: Settings) -> FastAPI:
    """Return the service as it is, over a mortal log and mortal sockets."""
    assert settings.database is not None
    parts = json.loads(os.environ.get("PARTS", "{}"))
    thinkers = Workers(1, 60, 60, parts) if parts else None
    app = create_app(settings, log=MortalLog(settings.database), thinkers=thinkers)
    app.add_middleware(MortalSockets)
    return app


if __name__ == "__main__":
    sqlite3.connect = partial(sqlite3.connect, factory=MortalConnection)  # type: ignore[assignment]
    setattr(server, "create_app", mortal)  # noqa: B010 - it is not exported
    raise SystemExit(server.serve(Settings()))
