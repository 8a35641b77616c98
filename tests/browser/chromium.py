"""Chromium for the tests of the page: found, or installed where that can be done.

``make chromium`` runs this file, which needs the standard library alone. Debian's
package is taken, since it is updated with the system; ``CHROMIUM`` names another one.
"""

import os
import shutil
import subprocess
import sys
from typing import Final

__all__ = ["FLAGS", "executable"]

FLAGS: Final = (
    "--no-sandbox",  # which root does not have
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""What it is started with: only the page makes requests."""
_MISSING: Final = """\
The tests of the page need Chromium, and there is none.
Install Debian's package `chromium` (as root, `make chromium` does it),
or let the environment variable CHROMIUM name the program of another one."""
_INSTALL: Final = (
    ("apt-get", "update"),
    ("apt-get", "install", "--yes", "chromium"),
)


def executable() -> str | None:
    """Return the path of the program, ``None`` if there is none."""
    return shutil.which(os.environ.get("CHROMIUM") or "chromium")


def main() -> int:
    """Install it where it is missing; return the exit status."""
    can = os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get")
    if executable() is None and can and not os.environ.get("CHROMIUM"):
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in _INSTALL:
            if subprocess.run(command, env=env, check=False).returncode:
                break
    if executable() is None:
        print(_MISSING, file=sys.stderr)  # noqa: T201 - a script's answer
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
