"""The published specifications: fresh, valid, whole, and true to what is sent."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from terziglio_api import spec
from terziglio_api.app import create_app
from terziglio_api.export import export, rehearse, rules_page, settings_page
from terziglio_api.settings import Settings
from terziglio_api.sockets import CLOSE
from terziglio_api.wire.problems import all_codes

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
STALE = "run `make specs` and commit what it writes"


def committed(name: str) -> Json:
    document: Json = json.loads((ROOT / "openapi" / f"{name}.json").read_text("utf-8"))
    return document


OPENAPI, ASYNCAPI = committed("openapi"), committed("asyncapi")
OPERATIONS = {
    operation["operationId"]: operation
    for path in OPENAPI["paths"].values()
    for operation in path.values()
}


def valid(document: Json, schema: Json, value: Any) -> None:
    """Check a value against a schema of the document."""
    whole = {**schema, "components": document["components"]}
    Draft202012Validator(_plain(whole)).validate(value)


def _plain(schema: Any) -> Any:
    """A schema without the discriminators, which JSON Schema does not know."""
    if isinstance(schema, dict):
        return {k: _plain(v) for k, v in schema.items() if k != "discriminator"}
    return [_plain(item) for item in schema] if isinstance(schema, list) else schema


def test_what_is_committed_is_what_the_code_says() -> None:
    app = create_app(Settings(database=None))
    assert spec.openapi(app) == OPENAPI, STALE
    assert app.openapi() == OPENAPI
    assert spec.asyncapi() == ASYNCAPI, STALE
    for name, page in (("rules", rules_page()), ("settings", settings_page())):
        assert (ROOT / "docs" / f"{name}.md").read_text("utf-8") == page, STALE


async def test_the_examples_are_what_is_really_sent() -> None:
    assert await rehearse() == spec.examples(), STALE


def test_the_export_writes_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Json] = []
    monkeypatch.setattr("terziglio_api.export.write_examples", written.append)
    (tmp_path / "openapi").mkdir()
    (tmp_path / "docs").mkdir()
    export(tmp_path)
    assert written == [spec.examples()]
    for path in ("openapi/openapi.json", "openapi/asyncapi.json", "docs/settings.md"):
        assert (tmp_path / path).read_bytes() == (ROOT / path).read_bytes(), STALE


def test_the_openapi_document_is_valid() -> None:
    validate(OPENAPI)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_is_whole(name: str) -> None:
    operation = OPERATIONS[name]
    assert operation["summary"]
    assert operation["description"]
    assert operation["tags"]
    for status, response in operation["responses"].items():
        if status in {"204", "304"}:
            continue
        for media, content in response["content"].items():
            if int(status) >= 400:
                assert media == "application/problem+json"
            assert content.get("examples"), f"{name} {status} {media} has no example"
            for example in content["examples"].values():
                valid(OPENAPI, content["schema"], example["value"])
    body = operation.get("requestBody")
    if body is not None:
        content = body["content"]["application/json"]
        assert content["examples"], f"{name} has no example of a request"
        for example in content["examples"].values():
            valid(OPENAPI, content["schema"], example["value"])


def test_every_problem_in_the_examples_is_a_listed_code() -> None:
    codes = {code.code for code in all_codes()}
    for by_status in spec.examples()["rest"].values():
        for status, exchanges in by_status.items():
            for exchange in exchanges:
                if int(status) >= 400:
                    problem = exchange["response"]
                    assert problem["code"] in codes
                    assert problem["status"] == int(status)


@pytest.mark.parametrize("name", ASYNCAPI["components"]["messages"])
def test_every_message_has_true_examples(name: str) -> None:
    message = ASYNCAPI["components"]["messages"][name]
    assert message["examples"], f"{name} has no example"
    for example in message["examples"]:
        valid(ASYNCAPI, message["payload"], example["payload"])
        assert example["payload"]["type"] == message["name"]


def test_every_kind_of_event_has_an_example() -> None:
    kinds = {
        example["payload"]["event"]["kind"]
        for example in ASYNCAPI["components"]["messages"]["EventMessage"]["examples"]
    }
    schemas = ASYNCAPI["components"]["schemas"].values()
    fields = [schema.get("properties", {}).get("kind", {}) for schema in schemas]
    assert kinds == {field["const"] for field in fields if "const" in field}
    assert len(kinds) == 11


def test_asyncapi_references_lead_somewhere() -> None:
    def check(node: Any) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                found: Any = ASYNCAPI
                for part in node["$ref"].removeprefix("#/").split("/"):
                    found = found[part]
            assert not isinstance(node.get("discriminator"), dict)
            for value in node.values():
                check(value)
        elif isinstance(node, list):
            for value in node:
                check(value)

    check(ASYNCAPI)
    assert ASYNCAPI["asyncapi"] == "3.1.0"


def test_no_generated_file_names_a_secret_or_a_host_of_ours() -> None:
    for document in (OPENAPI, ASYNCAPI):
        text = json.dumps(document)
        assert "127.0.0.1" not in text
        assert "/home/" not in text


def test_both_documents_say_the_same_of_what_they_share() -> None:
    rest, socket = (d["components"]["schemas"] for d in (OPENAPI, ASYNCAPI))
    shared = rest.keys() & socket.keys()
    assert "View" in shared
    for name in shared:
        assert _said(rest[name]) == _said(socket[name]), name


def _said(schema: Any) -> Any:
    """A schema without the defaults of null that one of the two generators adds."""
    if isinstance(schema, dict):
        kept = {k: v for k, v in _plain(schema).items() if (k, v) != ("default", None)}
        return {key: _said(value) for key, value in kept.items()}
    return [_said(item) for item in schema] if isinstance(schema, list) else schema


def test_every_close_code_is_told() -> None:
    assert {str(code) for code in CLOSE.values()} <= ASYNCAPI["x-close-codes"].keys()


def test_the_clients_packages_are_exact_and_name_no_address() -> None:
    client = ROOT / "clients" / "typescript"
    package = json.loads((client / "package.json").read_text("utf-8"))
    lock = json.loads((client / "package-lock.json").read_text("utf-8"))["packages"]
    assert "dependencies" not in package
    wanted = package["devDependencies"]
    assert wanted == lock[""]["devDependencies"]
    for name, version in wanted.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
        assert lock[f"node_modules/{name}"]["version"] == version
    for name, locked in lock.items():
        assert "resolved" not in locked, name
        assert not name or locked["integrity"].startswith("sha512-")
    assert "omit-lockfile-registry-resolved=true" in (client / ".npmrc").read_text()
    assert package["version"] == OPENAPI["info"]["version"]
