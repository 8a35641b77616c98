import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from terziglio_api.cli import COMMANDS, main
from terziglio_api.routes.socket import allowed_origin
from terziglio_api.settings import Settings


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--help"], "serve"),
        (["serve", "--help"], "--database"),
        (["play", "--help"], "--target"),
        (["--version"], "terziglio 0"),
    ],
)
def test_help(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(options)
    assert ended.value.code == 0
    assert told in capsys.readouterr().out


def test_alone_it_lists_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    told = capsys.readouterr().err
    for name, (line, _) in COMMANDS.items():
        assert re.search(rf"^ +{name} +{re.escape(line)}$", told, re.MULTILINE)


@pytest.mark.parametrize("options", [["fly"], ["serve", "--port", "x"]])
def test_wrong_use(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(options)
    assert ended.value.code == 2
    assert "usage: terziglio" in capsys.readouterr().err


def test_who_has_read_enough_is_no_error() -> None:
    """As ``terziglio explain FILE | head -1`` ends, however much there was to come."""
    hand = "tests/golden/chiamo_won.hand"
    with subprocess.Popen(
        [sys.executable, "-m", "terziglio_api.cli", "explain", hand],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


def test_help_loads_no_framework() -> None:
    script = (
        "import sys; from terziglio_api.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'fastapi', 'pydantic', 'uvicorn', 'rich', 'httpx', 'websockets'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL
    )


def test_the_server_itself_loads_no_solver() -> None:
    """Its processes that think do: numba holds some 80 MB."""
    script = (
        "import sys; from terziglio_api.app import create_app; create_app()\n"
        "heavy = {'numba', 'numpy', 'terziglio.solver'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_database_that_cannot_be_opened_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--database", str(tmp_path), "--port", "0"]) == 1
    assert "cannot open the database" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("host", "why"), [("127.0.0.1", "in use"), ("no.such.host.invalid", "")]
)
def test_a_place_where_nobody_can_listen_is_told_in_a_line(
    host: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        at = ["--host", host, "--port", port, "--database", str(tmp_path / "t.db")]
        assert main(["serve", *at]) == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"terziglio: cannot listen on {host} port {port}: ")
    assert why in told.err
    assert told.err.count("\n") == 1


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERZIGLIO_PORT", "9000")
    monkeypatch.setenv("TERZIGLIO_ORIGINS", '["https://page.example"]')
    assert Settings().port == 9000
    assert Settings(port=1).port == 1
    assert Settings().origins == ("https://page.example",)


@pytest.mark.parametrize(
    ("origin", "dev", "allowed"),
    [
        (None, False, True),
        ("https://page.example", False, True),
        ("http://here:8000", False, True),
        ("https://evil.example", False, False),
        ("http://here:8001", False, False),
        ("null", False, False),
        ("http://[::1", True, False),
        ("http://localhost:5173", False, False),
        ("http://localhost:5173", True, True),
        ("https://localhost.evil.example", True, False),
    ],
)
def test_which_pages_may_open_sockets(
    origin: str | None, dev: bool, allowed: bool
) -> None:
    settings = Settings(dev=dev, origins=("https://page.example",), database=None)
    assert allowed_origin(origin, "here:8000", settings) is allowed


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("http://192.168.1.7:8000", "192.168.1.7:8000", True),
        ("http://[fd00::7]:8000", "[fd00::7]:8000", True),
        ("http://192.168.1.7:8000", "127.0.0.1:8000", False),
        ("http://localhost:8000", "127.0.0.1:8000", False),
        ("https://play.example", "play.example", True),
        ("https://play.example", "play.example:443", True),
        ("http://play.example", "play.example:80", True),
        ("http://play.example", "play.example:443", False),
        ("http://play.example", "play.example:8000", False),
        ("https://page.example", "127.0.0.1:8000", True),
        ("https://page.example:8443", "127.0.0.1:8000", False),
        ("http://page.example", "127.0.0.1:8000", False),
        ("http://", "", False),
        ("http://here", None, False),
    ],
)
def test_a_page_of_the_service_may_open_sockets_under_every_name_of_it(
    origin: str, host: str | None, allowed: bool
) -> None:
    settings = Settings(database=None, web_origin="https://page.example/terziglio/")
    assert allowed_origin(origin, host, settings) is allowed
