"""What the service sends, held against what it publishes, in every test.

``openapi/openapi.json`` says what REST answers, by operation and status, and
``openapi/asyncapi.json`` what the socket says. Here both are read strictly: an object
has no field that its schema does not name. A ``Recorder`` stands between the tests
and whatever they talk to: every httpx client, every websocket client and every
channel in memory. What does not fit makes the running test fail. ``recorded.py`` runs
a server with a recorder inside, for clients that are programs of their own.
"""

import json
import re
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import httpx
import jsonschema_rs
import pytest
from httpx import AsyncByteStream
from websockets.asyncio.client import ClientConnection

from terziglio_api import channel
from terziglio_api.sockets import Socket
from terziglio_api.wire import talk
from terziglio_api.wire.messages import ClientMessage

__all__ = ["RECORDER", "Recorder", "answer_misfit", "message_misfit"]

Json = dict[str, Any]
ROOT: Final = Path(__file__).parents[1]
PROBLEM: Final = "application/problem+json"
UNPUBLISHED: Final = re.compile(r"/v1/(openapi|asyncapi)\.json|/docs(/.*)?")
"""The documents and their pages, which neither document describes."""
PAGE: Final = re.compile(
    r"/|/(?!v1/)[\w./-]+(\.(html|js|css|svg|webmanifest)|/LICENSE)"
)
"""The page's files, where they are there."""
SOCKET: Final = re.compile(r"/v1/tables/[^/]*/ws")


@cache
def _document(name: str) -> Json:
    text = (ROOT / "openapi" / f"{name}.json").read_text("utf-8")
    return cast("Json", _strictly(json.loads(text)))


def _strictly(node: Any) -> Any:
    """A schema that allows only the fields it names."""
    if isinstance(node, list):
        return [_strictly(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {k: _strictly(v) for k, v in node.items() if k != "discriminator"}
    if node.get("type") == "object" and "properties" in node:
        made.setdefault("additionalProperties", False)
    return made


def _validator(document: str, schema: Json) -> jsonschema_rs.Draft202012Validator:
    components = _document(document)["components"]
    whole = {**schema, "components": {"schemas": components["schemas"]}}
    return jsonschema_rs.Draft202012Validator(whole)


@cache
def _messages(operation: str) -> dict[str, jsonschema_rs.Draft202012Validator]:
    """The messages of one direction, by their type."""
    document = _document("asyncapi")
    sent = document["operations"][operation]["messages"]
    names = [message["$ref"].rpartition("/")[2] for message in sent]
    found = [document["components"]["messages"][name] for name in names]
    return {m["name"]: _validator("asyncapi", m["payload"]) for m in found}


def message_misfit(raw: str | bytes, direction: str = "sendToClient") -> str | None:
    """Return why a message on the socket is none that is published."""
    if isinstance(raw, bytes):
        return "a binary frame"
    message = json.loads(raw)
    validator = _messages(direction).get(message.get("type"))
    if validator is None:
        return f"no message of type {message.get('type')!r} is published: {raw}"
    return _misfit(validator, message)


@cache
def _operations() -> list[tuple[re.Pattern[str], Json]]:
    """Every path as a pattern, those without parameters first."""
    paths = _document("openapi")["paths"]
    return [
        (re.compile(re.sub(r"\\{\w+\\}", "[^/]*", re.escape(path))), operations)
        for path, operations in sorted(paths.items(), key=lambda item: "{" in item[0])
    ]


@cache
def _answer(schema: str) -> jsonschema_rs.Draft202012Validator:
    """The validator of a schema that is written out; equal ones are compiled once."""
    return _validator("openapi", json.loads(schema))


def _content(part: Json, media: str) -> jsonschema_rs.Draft202012Validator:
    return _answer(json.dumps(part["content"][media]["schema"]))


def answer_misfit(
    method: str, path: str, status: int, media: str, body: str, *, asked: str = ""
) -> str | None:
    """Return why an answer of REST is none that is published.

    Args:
        method: of the request.
        path: of the request, without a query.
        status: of the answer.
        media: its media type, without parameters.
        body: its text.
        asked: the text of the request; one that succeeds must fit as well.
    """
    if UNPUBLISHED.fullmatch(path) or method == "OPTIONS":
        return None
    if PAGE.fullmatch(path) and status in {200, 304}:
        return None
    operations = next((ops for at, ops in _operations() if at.fullmatch(path)), {})
    operation = operations.get(method.lower())
    if operation is None:  # an unknown path or method
        if status not in {404, 405} or media != PROBLEM:
            return f"{status} {media}, where nothing is published"
        problem = _answer('{"$ref": "#/components/schemas/Problem"}')
        return _misfit(problem, json.loads(body))
    response = operation["responses"].get(str(status))
    if response is None:
        return f"{status} is not published: {body}"
    if "requestBody" in operation and status < 300:
        fits = _content(operation["requestBody"], "application/json")
        misfit = _misfit(fits, json.loads(asked))
        if misfit is not None:
            return f"it accepts what is not published: {misfit}"
    if "content" not in response:
        return f"a body is not published: {body}" if body else None
    if media not in response["content"]:
        return f"{media!r} is not published"
    if not media.endswith("json"):
        return None
    return _misfit(_content(response, media), json.loads(body))


def _misfit(validator: jsonschema_rs.Draft202012Validator, value: Any) -> str | None:
    if validator.is_valid(value):
        return None
    told = []
    for error in validator.iter_errors(value):
        leaf = _leaf(error)
        told.append(f"/{'/'.join(map(str, leaf.instance_path))}: {leaf.message}")
    return "; ".join(told)


def _leaf(error: jsonschema_rs.ValidationError) -> jsonschema_rs.ValidationError:
    """What is wrong in the one member of a union that is meant."""
    branches: list[list[jsonschema_rs.ValidationError]]
    branches = getattr(error.kind, "context", [])
    for branch in branches:
        if branch and not any(e.kind.name in {"const", "type"} for e in branch):
            return _leaf(branch[0])
    return error


class Recorder:
    """Sees every frame of the running test, and keeps what does not fit."""

    def __init__(self) -> None:
        self.seen = 0
        self._misfits: list[str] = []

    def take(self) -> list[str]:
        """Return what did not fit since the last time."""
        taken, self._misfits = self._misfits, []
        return taken

    def message(self, raw: str | bytes) -> None:
        """Look at a message that the service has sent."""
        self._look("socket", message_misfit(raw))

    def streamed(self, text: bytes) -> None:
        """Look at whole lines of server-sent events."""
        for line in text.splitlines():
            if line.startswith(b"data:"):
                self.message(line.removeprefix(b"data:").decode().strip())

    def accepted(self, raw: str | bytes) -> None:
        """Look at a client's message that the service has taken for one."""
        self._look("socket, from the client", message_misfit(raw, "receiveFromClient"))

    def answer(self, request: httpx.Request, response: httpx.Response) -> None:
        """Look at an answer of REST that has been read."""
        self.answered(
            request.method,
            request.url.raw_path.partition(b"?")[0].decode(),
            response.status_code,
            response.headers.get("content-type", ""),
            response.text,
            asked=request.content.decode() if response.is_success else "",
        )

    def answered(
        self, method: str, path: str, status: int, media: str, body: str, *, asked: str
    ) -> None:
        """Look at the parts of an answer of REST."""
        media = media.partition(";")[0]
        misfit = answer_misfit(method, path, status, media, body, asked=asked)
        self._look(f"{method} {path} {status}", misfit)

    def _look(self, where: str, misfit: str | None) -> None:
        self.seen += 1
        if misfit is not None:
            self.keep(f"{where}: {misfit}")

    def keep(self, misfit: str) -> None:
        """Keep what does not fit."""
        self._misfits.append(misfit)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Stand between the tests and what they talk to."""
        send, receive = httpx.AsyncClient.send, ClientConnection.recv
        self.install_inside(patch)

        async def sent(
            client: httpx.AsyncClient, request: httpx.Request, **options: Any
        ) -> httpx.Response:
            response = await send(client, request, **options)
            media = response.headers.get("content-type", "")
            if not options.get("stream"):
                self.answer(request, response)
            elif media.startswith("text/event-stream"):
                assert isinstance(response.stream, AsyncByteStream)
                response.stream = _Stream(response.stream, self)
            return response

        async def received(
            connection: ClientConnection, decode: bool | None = None
        ) -> str | bytes:
            raw: str | bytes = await receive(connection, decode)
            request = connection.request
            if request is not None and SOCKET.match(request.path):
                self.message(raw)
            return raw

        patch.setattr(httpx.AsyncClient, "send", sent)
        patch.setattr(ClientConnection, "recv", received)

    def install_inside(self, patch: pytest.MonkeyPatch) -> None:
        """Stand between the channels of this process and their sockets."""
        begin, read = channel.Channel.__init__, talk.read_message

        def begun(one: channel.Channel, socket: Socket, *others: Any) -> None:
            begin(one, _Heard(socket, self), *others)

        def understood(raw: str | bytes, *limits: int) -> ClientMessage:
            message = read(raw, *limits)
            self.accepted(raw)
            return message

        patch.setattr(channel.Channel, "__init__", begun)
        patch.setattr(channel, "read_message", understood)


class _Heard:
    """A channel's socket whose messages a recorder sees."""

    def __init__(self, socket: Socket, recorder: Recorder) -> None:
        self._socket = socket
        self._recorder = recorder

    async def receive(self) -> str | bytes:
        return await self._socket.receive()

    async def send(self, text: str) -> None:
        self._recorder.message(text)
        await self._socket.send(text)

    def write(self, *texts: str) -> bool:
        written = self._socket.write(*texts)
        for text in texts if written else ():
            self._recorder.message(text)
        return written

    async def close(self, code: int) -> None:
        await self._socket.close(code)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


class _Stream(AsyncByteStream):
    """A stream of server-sent events whose messages a recorder sees."""

    def __init__(self, stream: AsyncByteStream, recorder: Recorder) -> None:
        self._stream = stream
        self._recorder = recorder

    async def __aiter__(self) -> AsyncIterator[bytes]:
        rest = b""
        async for chunk in self._stream:
            whole, end, rest = (rest + chunk).rpartition(b"\n")
            self._recorder.streamed(whole + end)
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


RECORDER: Final = Recorder()
"""The recorder of this process, which ``conftest`` installs."""
