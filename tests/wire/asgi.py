"""The application called in this process as a server calls it: requests and sockets.

Everything that it sends is kept as it was sent: status, headers, bytes, close codes.
No port, no thread and no second event loop, so two runs of one script are the same run.
"""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message, Scope

__all__ = ["Answer", "Line", "Stream", "call"]

Headers = dict[str, str]
_MARK = 424242
PATIENCE_S = 20
"""How long anything may take before the test gives up: it is never waited for."""


@dataclass
class Answer:
    """What a request was answered."""

    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    @property
    def text(self) -> str:
        """The whole answer, byte for byte."""
        headers = "\n".join(f"{name}: {value}" for name, value in self.headers)
        return f"{self.status}\n{headers}\n\n{self.body.decode()}"

    def heard(self, message: Message) -> None:
        """Keep a part of it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = [(n.decode(), v.decode()) for n, v in message["headers"]]
        else:
            self.body += message.get("body", b"")


def _scope(kind: str, path: str, headers: Headers, **more: Any) -> Scope:
    where, _, query = path.partition("?")
    # As uvicorn has it, and Starlette hears of a hang-up by it.
    spec = "2.3" if kind == "http" else "2.4"
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": spec},
        "http_version": "1.1",
        "path": where,
        "raw_path": where.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(n.lower().encode(), v.encode()) for n, v in headers.items()],
        "client": ("192.0.2.1", 50000),
        "server": ("example", 80),
        "state": {},
        **more,
    }


def _sent(method: str, path: str, headers: Headers, content: bytes) -> Scope:
    if content:
        headers = {"Content-Type": "application/json", **headers}
    return _scope("http", path, headers, method=method, scheme="http")


async def call(
    app: ASGIApp, method: str, path: str, headers: Headers, content: bytes = b""
) -> Answer:
    """Make a request and return what it is answered."""
    answer, parts = Answer(), iter([content])

    async def receive() -> Message:
        for part in parts:
            return {"type": "http.request", "body": part, "more_body": False}
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def send(message: Message) -> None:
        answer.heard(message)

    async with asyncio.timeout(PATIENCE_S):
        await app(_sent(method, path, headers, content), receive, send)
    return answer


class _Open:
    """A conversation that goes on while other things happen."""

    def __init__(self) -> None:
        self._news = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._inbox: asyncio.Queue[Message] = asyncio.Queue()

    def _start(self, app: ASGIApp, scope: Scope) -> None:
        self._task = asyncio.create_task(
            app(scope, self._inbox.get, self._hear)  # type: ignore[arg-type]
        )
        self._task.add_done_callback(lambda _: asyncio.ensure_future(self._tell()))

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def _hear(self, message: Message) -> None:
        self._keep(message)
        await self._tell()

    def _keep(self, message: Message) -> None:
        raise NotImplementedError

    @property
    def over(self) -> bool:
        """Whether the application has ended it."""
        return self._task is None or self._task.done()

    async def until(self, heard: Callable[[], bool]) -> None:
        """Wait until something is heard, or the application has ended it."""
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(lambda: self.over or heard())
        if self._task is not None and self._task.done():
            self._task.result()

    async def leave(self, message: Message) -> None:
        """Go away, and wait until the application has noticed."""
        if self._task is not None:
            await self._inbox.put(message)
            async with asyncio.timeout(PATIENCE_S):
                await self._task


class Stream(_Open):
    """A request whose answer may go on for long."""

    def __init__(self, app: ASGIApp, path: str, headers: Headers) -> None:
        super().__init__()
        self.answer = Answer()
        self._inbox.put_nowait({"type": "http.request", "body": b""})
        self._start(app, _sent("GET", path, headers, b""))

    def _keep(self, message: Message) -> None:
        self.answer.heard(message)

    async def reached(self, seq: int) -> None:
        """Wait until it has told of a change, if it tells of changes."""
        told = f'"seq":{seq},'.encode()
        await self.until(lambda: told in self.answer.body)

    async def close(self) -> None:
        """Stop listening."""
        await self.leave({"type": "http.disconnect"})


class Line(_Open):
    """A websocket that keeps what it is sent."""

    def __init__(
        self,
        app: ASGIApp,
        path: str,
        headers: Headers,
        protocols: Iterable[str] = ("terziglio.v1",),
    ) -> None:
        super().__init__()
        self.frames: list[str] = []
        self.seq = -1
        """The last ``seq`` it was told of."""
        self._inbox.put_nowait({"type": "websocket.connect"})
        headers = {"Host": "example", **headers}
        offered = list(protocols)
        scope = _scope("websocket", path, headers, scheme="ws", subprotocols=offered)
        self._start(app, scope)

    def _keep(self, message: Message) -> None:
        text = message.get("text")
        if text is None:
            self.frames.append(json.dumps(message, default=repr))
            return
        self.frames.append(text)
        if text.startswith('{"type":"event"'):
            self.seq = json.loads(text)["seq"]

    async def say(self, message: str | bytes) -> None:
        """Send a frame."""
        kind = "text" if isinstance(message, str) else "bytes"
        await self._inbox.put({"type": "websocket.receive", kind: message})

    async def ask(self, message: str | bytes) -> None:
        """Send a frame, and wait until it is dealt with: not all are answered."""
        before = len(self.frames)
        await self.say(message)
        await self.say(f'{{"type":"ping","n":{_MARK}}}')
        # Before hello a ping is refused as all else is.
        answered = (f'"n":{_MARK}', '"say hello first"')
        await self.until(
            lambda: any(a in f for f in self.frames[before:] for a in answered)
        )

    async def more_than(self, frames: int) -> None:
        """Wait until it has been sent more than so many frames."""
        await self.until(lambda: len(self.frames) > frames)

    async def reached(self, seq: int) -> None:
        """Wait until it has told of a change."""
        await self.until(lambda: self.seq >= seq)

    async def close(self) -> None:
        """Hang up."""
        await self.leave({"type": "websocket.disconnect", "code": 1000})
