"""The published specifications: OpenAPI for REST, AsyncAPI for the socket.

Both come from the same pydantic models that check and write the wire's JSON. Their
examples were really sent and received: ``terziglio_api.rehearsal`` records them into
``data/examples.json``.
"""

import json
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, cast, get_args

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from terziglio_api.sockets import CLOSE
from terziglio_api.wire.messages import PROTOCOL, ClientMessage, ServerMessage
from terziglio_api.wire.problems import MEDIA_TYPE

__all__ = ["asyncapi", "examples", "openapi", "write_examples"]

Json = dict[str, Any]
_LOCAL: Final = "localhost:8000"
_REFS: Final = "#/components/schemas/{model}"
_WHAT_TO_DO: Final = {
    1000: "you closed it: stop",
    1001: "going away: come back, with jitter from 0.5 to 30 s",
    1006: "the line broke: come back, with jitter from 0.5 to 30 s",
    1009: "a frame was too large: stop",
    1011: "the service failed: come back, with jitter from 0.5 to 30 s",
    CLOSE["restart"]: "restart: come back after `retry_ms`",
    CLOSE["bad_token"]: "bad token or table: stop",
    CLOSE["origin"]: "this page's origin is not allowed: stop",
    CLOSE["no_hello"]: "no hello in time: come back and say it",
    CLOSE["replaced"]: "this seat has opened too many sockets elsewhere: stop",
    CLOSE["version"]: "unknown subprotocol: stop",
    CLOSE["flood"]: "too many messages: come back after 60 s",
    CLOSE["slow"]: "too slow to read: come back",
}


@cache
def examples() -> Json:
    """Return the recorded examples: by operation and status, and by message type."""
    path = files("terziglio_api").joinpath("data", "examples.json")
    recorded: Json = json.loads(path.read_text("utf-8"))
    return recorded


def openapi(app: FastAPI) -> Json:
    """Return the OpenAPI document of the application, with its examples."""
    document = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        routes=app.routes,
        servers=[{"url": f"http://{_LOCAL}", "description": "What `make run` serves."}],
        tags=[
            {"name": "tables", "description": "Open, look at, go on with, end."},
            {
                "name": "seats",
                "description": "Sit down; see and follow what a seat sees.",
            },
            {"name": "actions", "description": "Bid, call, discard, play."},
            {"name": "hands", "description": "Records of counted hands."},
            {"name": "meta", "description": "Rules, codes, words, health."},
        ],
    )
    recorded = examples()["rest"]
    for path in document["paths"].values():
        for operation in path.values():
            _finish(operation, recorded.get(operation["operationId"], {}))
    for unused in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(unused, None)
    return document


def write_examples(recorded: Json) -> None:
    """Keep recorded examples, where ``examples`` finds them."""
    path = Path(str(files("terziglio_api"))) / "data" / "examples.json"
    path.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", "utf-8")
    examples.cache_clear()


def _finish(operation: Json, recorded: Json) -> None:
    """Give an operation its problems' media type, and what was recorded of it."""
    if "HTTPValidationError" in json.dumps(operation["responses"].get("422", {})):
        # FastAPI adds this wherever there is a parameter; any text is a table id.
        del operation["responses"]["422"]
    for parameter in operation.get("parameters", ()):
        # One that may be left out is published as one that may be null, which neither
        # a query nor a header can say.
        schema: Json = parameter["schema"]
        kinds = [k for k in schema.get("anyOf", ()) if k != {"type": "null"}]
        if len(kinds) == 1:
            del schema["anyOf"]
            schema.update(kinds[0])
    for status, response in operation["responses"].items():
        content: Json = response.get("content", {})
        if int(status) >= 400 and content:
            (problem,) = content.values()
            content = response["content"] = {MEDIA_TYPE: problem}
        for number, exchange in enumerate(recorded.get(status, ()), start=1):
            media = exchange["type"]
            if media in content:
                shown = content[media].setdefault("examples", {})
                shown[f"{operation['operationId']}{number}"] = {
                    "summary": exchange["about"],
                    "value": exchange["response"],
                }
            if "request" in exchange and status.startswith("2"):
                body = operation["requestBody"]["content"]["application/json"]
                body.setdefault("examples", {})[f"request{number}"] = {
                    "summary": exchange["about"],
                    "value": exchange["request"],
                }


def asyncapi() -> Json:
    """Return the AsyncAPI 3.1 document of the socket."""
    client, server = _members(ClientMessage), _members(ServerMessage)
    sent: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        *((model, "validation") for model in client),
        *((model, "serialization") for model in server),
    ]
    _, schema = models_json_schema(sent, ref_template=_REFS)
    schemas: Json = schema["$defs"]
    for definition in schemas.values():
        _flatten_discriminators(definition)
    recorded = examples()["socket"]
    messages = {
        model.__name__: _message(model, recorded[side])
        for side, models in (("client", client), ("server", server))
        for model in models
    }
    return {
        "asyncapi": "3.1.0",
        "info": {
            "title": "Terziglio",
            "version": version("terziglio"),
            "description": (
                "One websocket for each seat of a table. Authorise with the "
                "Authorization header, or with a hello as the first message. Clients "
                "ignore message types and fields that they do not know; the service "
                "refuses unknown ones."
            ),
        },
        "servers": {"local": {"host": _LOCAL, "protocol": "ws"}},
        "channels": {
            "seat": {
                "address": "/v1/tables/{table}/ws",
                "title": "A seat's socket",
                "description": f"Offer the subprotocol `{PROTOCOL}` or none. "
                "Close codes: "
                + "; ".join(f"{code} {told}" for code, told in _WHAT_TO_DO.items()),
                "parameters": {"table": {"description": "The table's id."}},
                "messages": {
                    name: {"$ref": f"#/components/messages/{name}"} for name in messages
                },
            }
        },
        "operations": {
            "receiveFromClient": _operation("receive", client),
            "sendToClient": _operation("send", server),
        },
        "components": {"messages": messages, "schemas": schemas},
        "x-close-codes": {str(code): told for code, told in _WHAT_TO_DO.items()},
    }


def _members(union: Any) -> tuple[type[BaseModel], ...]:
    """The models of an annotated union."""
    return get_args(get_args(union)[0])


def _operation(action: str, models: tuple[type[BaseModel], ...]) -> Json:
    return {
        "action": action,
        "channel": {"$ref": "#/channels/seat"},
        "messages": [
            {"$ref": f"#/channels/seat/messages/{model.__name__}"} for model in models
        ],
    }


def _message(model: type[BaseModel], recorded: Json) -> Json:
    (tag,) = get_args(model.model_fields["type"].annotation)
    message: Json = {
        "name": tag,
        "summary": (model.__doc__ or "").splitlines()[0],
        "contentType": "application/json",
        "payload": {"$ref": _REFS.format(model=model.__name__)},
    }
    if tag in recorded:
        message["examples"] = [
            {"name": f"{tag}{number}", "payload": payload}
            for number, payload in enumerate(recorded[tag], start=1)
        ]
    return message


def _flatten_discriminators(node: Any) -> None:
    """Turn OpenAPI's discriminator objects into AsyncAPI's plain strings."""
    if isinstance(node, dict):
        members = cast("Json", node)
        if "propertyName" in members.get("discriminator", ()):
            members["discriminator"] = members["discriminator"]["propertyName"]
        for value in members.values():
            _flatten_discriminators(value)
    elif isinstance(node, list):
        for value in cast("list[Any]", node):
            _flatten_discriminators(value)
