"""What is sent is held against what is published: that it is noticed if not."""

import json
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from conformance import RECORDER, _Heard, answer_misfit, message_misfit
from terziglio_api.app import create_app
from terziglio_api.settings import Settings
from terziglio_api.sockets import Socket

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
ASYNCAPI: Json = json.loads((ROOT / "openapi" / "asyncapi.json").read_text("utf-8"))
ACK = {"type": "ack", "id": "a", "seq": 3}


@pytest.mark.parametrize(
    ("message", "fits"),
    [
        (ACK, True),
        ({"type": "ack", "seq": 3}, True),
        ({"type": "ack", "id": "a"}, False),
        ({**ACK, "deck": ["3S"]}, False),
        ({**ACK, "id": None}, False),
        ({**ACK, "seq": "3"}, False),
        ({"type": "secret"}, False),
        ({"type": "hello", "token": "tzs_"}, False),
    ],
)
def test_a_message_fits_or_not(message: Json, fits: bool) -> None:
    assert (message_misfit(json.dumps(message)) is None) is fits


def test_a_surplus_field_is_seen_wherever_it_is() -> None:
    examples = ASYNCAPI["components"]["messages"]["EventMessage"]["examples"]
    planted = 0
    for message in (example["payload"] for example in examples):
        assert message_misfit(json.dumps(message)) is None
        parts: list[Any] = [message]
        while parts:
            part = parts.pop()
            if isinstance(part, list):
                parts += part
            elif isinstance(part, dict) and "params" not in part:
                part["deck"] = ["3S"]
                assert message_misfit(json.dumps(message)), part
                del part["deck"]
                planted += 1
                parts += part.values()
    assert planted > 100


HEALTH = ("GET", "/healthz", 200, "application/json")


@pytest.mark.parametrize(
    ("answer", "body", "fits"),
    [
        (HEALTH, '{"status": "ok"}', True),
        (HEALTH, '{"status": "ok", "load": 1}', False),
        (HEALTH, "{}", False),
        (("GET", "/healthz", 200, "text/plain"), "ok", False),
        (("GET", "/healthz", 202, "application/json"), '{"status": "ok"}', False),
        (("GET", "/metrics/x", 200, "text/plain"), "1", False),
        (("GET", "/v1/tables/t/view", 204, ""), "", True),
        (("GET", "/v1/tables/t/view", 204, ""), "x", False),
    ],
)
def test_an_answer_fits_or_not(
    answer: tuple[str, str, int, str], body: str, fits: bool
) -> None:
    assert (answer_misfit(*answer, body) is None) is fits


async def test_the_recorder_sees_what_an_application_answers() -> None:
    app = create_app(Settings(database=None))
    seen = RECORDER.seen
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://example"
    ) as http:
        assert (await http.get("/v1/meta/codes")).status_code == 200
        assert RECORDER.seen == seen + 1
        assert RECORDER.take() == []
        app.add_api_route("/v1/meta/secret", lambda: {"deck": []})
        await http.get("/v1/meta/secret")
    (misfit,) = RECORDER.take()
    assert misfit.startswith("GET /v1/meta/secret 200: ")


@pytest.mark.parametrize("taken", [True, False])
def test_the_recorder_sees_what_goes_straight_to_the_line(*, taken: bool) -> None:
    class Line:
        def write(self, *_texts: str) -> bool:
            return taken

    heard = _Heard(cast("Socket", Line()), RECORDER)
    texts = [json.dumps(ACK), json.dumps({**ACK, "deck": []})]
    assert heard.write(*texts) is taken
    assert len(RECORDER.take()) == int(taken)
