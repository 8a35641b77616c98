"""The OpenAPI document against a running server: what it promises is what is done.

Schemathesis reads the document as a stranger would, makes requests that fit it and
requests that do not, and checks status, headers, type and schema of every answer.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bad_sockets import unlimited
from client import Server
from strategies import SCALE

EXAMPLES = 50 if SCALE == 1 else 500
"""Requests made up for each operation, beside all that coverage asks for."""
CONFIG = """
hooks = "{hooks}"
continue-on-failure = true
max-stream-events = 1
request-timeout = 10

# All checks are on, as they are by default, but for what is named here.

# JSON Schema cannot say all that these bodies must be: a deal in notation, a name that
# is clean once it is trimmed, integers not written 7.0, an action that the rules allow;
# so 422 may answer a body that fits. Nor that a number has at most 18 digits: 400.
[[operations]]
include-operation-id = ["openTable", "claimSeat", "askNextHand", "act"]
checks.positive_data_acceptance.expected-statuses = [
    "2xx", "400", "401", "403", "404", "409", "410", "422", "503",
]

# This server has no solver: who asks for what takes one is told so, with 503.
[[operations]]
include-operation-id = [
    "openTable", "getHint", "analyseHand", "getAnalysis",
]
checks.not_a_server_error.expected-statuses = ["2xx", "4xx", "503"]

# The links between operations are inferred by names: the seat that a claim or an
# opening gives is tried as one that the host issues anew, which is never seat 0.
[[operations]]
include-operation-id = "reissueSeat"
checks.positive_data_acceptance.expected-statuses = [
    "2xx", "401", "403", "409", "410", "422",
]

# OpenAPI 3.1 describes a stream of events as one text; the check tries its schema on
# each event. The messages in it are in the AsyncAPI document, and tested with it.
[[operations]]
include-operation-id = "getEvents"
checks.response_schema_conformance.enabled = false
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without rate limits."""
    with unlimited(tmp_path_factory.mktemp("document") / "t.sqlite3") as running:
        yield running


@pytest.mark.timeout(300 * SCALE)
def test_the_service_does_what_its_document_says(
    server: Server, tmp_path: Path
) -> None:
    config = tmp_path / "schemathesis.toml"
    hooks = Path(__file__).parents[1] / "openapi_seats.py"
    config.write_text(CONFIG.format(hooks=hooks.as_posix()))
    command: list[str | Path] = [
        Path(sys.executable).with_name("schemathesis"),
        f"--config-file={config}",
        "run",
        f"{server.url}/v1/openapi.json",
        f"--max-examples={EXAMPLES}",
        "--generation-deterministic",
        "--no-color",
    ]
    environment = {**os.environ, "TERZIGLIO_URL": server.url}
    run = subprocess.run(
        command,
        check=False,
        cwd=tmp_path,
        env=environment,
        timeout=280 * SCALE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert run.returncode == 0, run.stdout
    assert server.tracebacks == 0, server.log.read_text()
