"""``make chromium``: nothing where it is there, apt-get where it can, else words."""

import os
from pathlib import Path

import pytest

from browser import chromium

APT = """\
#!/bin/sh
echo "$0 $* $DEBIAN_FRONTEND" | sed 's|.*/||' >> {log}
[ "$1" = install ] && printf '#!/bin/sh\\n' > {bin}/chromium && chmod +x {bin}/chromium
exit {status}
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all the programs that there are: a shell's."""
    monkeypatch.setenv("PATH", f"{tmp_path}")
    monkeypatch.delenv("CHROMIUM", raising=False)
    for name in ("sh", "sed", "chmod"):
        (tmp_path / name).symlink_to(f"/bin/{name}")
    return tmp_path


def apt_get(programs: Path, status: int) -> Path:
    """Put an apt-get there that says what it is asked."""
    log = programs / "log"
    program = programs / "apt-get"
    program.write_text(APT.format(log=log, bin=programs, status=status))
    program.chmod(0o755)
    return log


def user(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: number)


def test_it_is_installed_once(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user(monkeypatch, 0)
    log = apt_get(programs, 0)
    assert chromium.executable() is None
    assert chromium.main() == chromium.main() == 0
    assert chromium.executable() == f"{programs}/chromium"
    assert log.read_text().splitlines() == [
        "apt-get update noninteractive",
        "apt-get install --yes chromium noninteractive",
    ]


@pytest.mark.parametrize(("number", "apt"), [(0, None), (0, 100), (1000, 0)])
def test_what_is_missing_is_told_where_it_cannot_be_installed(
    programs: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    apt: int | None,
) -> None:
    user(monkeypatch, number)
    if apt is not None:
        apt_get(programs, apt)
    assert chromium.main() == 1
    assert "Install Debian's package `chromium`" in capsys.readouterr().err


def test_another_one_can_be_named(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user(monkeypatch, 0)
    log = apt_get(programs, 0)
    monkeypatch.setenv("CHROMIUM", f"{programs}/brave")
    assert chromium.main() == 1, "what is named is not installed"
    assert not log.exists()
    (programs / "brave").symlink_to("/bin/sh")
    assert chromium.main() == 0
    assert chromium.executable() == f"{programs}/brave"
