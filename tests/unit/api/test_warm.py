"""``terziglio warm``: what it says where there is nothing to warm."""

import pytest

from terziglio_api import labour, thinking
from terziglio_api.cli import main
from terziglio_api.thinking import TASKS


def test_without_a_solver_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(thinking, "installed", lambda _tasks: frozenset[str]())
    assert main(["warm"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert ".[strong]" in told.err


def test_it_says_how_long_it_took(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    warmed: list[str] = []
    monkeypatch.setattr(thinking, "installed", frozenset)
    monkeypatch.setattr(labour, "warm", warmed.extend)
    assert main(["warm"]) == 0
    assert set(warmed) == set(TASKS)
    assert capsys.readouterr().out.startswith("warm in 0.0 s: ")
