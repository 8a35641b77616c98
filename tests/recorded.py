"""``terziglio`` with a recorder inside, which tells on stderr what does not fit.

For what talks to a server from a process of its own: examples, the terminal, Node.
"""

import gzip
import sys
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from conformance import Recorder
from terziglio_api import cli, server
from terziglio_api.app import create_app


class Teller(Recorder):
    """A recorder that tells instead of keeping."""

    def keep(self, misfit: str) -> None:
        print("not as published:", misfit, file=sys.stderr, flush=True)  # noqa: T201


class Between:
    """Middleware that shows every answer to a recorder."""

    def __init__(self, app: ASGIApp, recorder: Recorder) -> None:
        self._app = app
        self._recorder = recorder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked, told = bytearray(), bytearray()
        status, media, packed = 0, "", False

        async def received() -> Message:
            message = await receive()
            asked.extend(message.get("body", b""))
            return message

        async def sent(message: Message) -> None:
            nonlocal status, media, packed
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = dict(message["headers"])
                media = headers.get(b"content-type", b"").decode()
                packed = headers.get(b"content-encoding") == b"gzip"
            elif media.startswith("text/event-stream"):
                self._recorder.streamed(message.get("body", b""))
            else:
                told.extend(message.get("body", b""))
            await send(message)

        await self._app(scope, received, sent)
        text = (gzip.decompress(told) if packed else told).decode()
        answer = (scope["method"], scope["path"], status, media, text)
        said = asked.decode() if status < 300 else ""
        self._recorder.answered(*answer, asked=said)


def main() -> int:
    """Run the command line with a recorder inside."""
    recorder, patch = Teller(), pytest.MonkeyPatch()

    def recorded(*settings: Any) -> FastAPI:
        app = create_app(*settings)
        app.add_middleware(Between, recorder=recorder)
        return app

    recorder.install_inside(patch)
    patch.setattr(server, "create_app", recorded)
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
