"""A server process to kill, to starve and to stop."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

import httpx

__all__ = ["ServerProcess"]

_TESTS: Final = Path(__file__).parents[1]
_UNLIMITED: Final = {
    f"TERZIGLIO_{name}_RATE": "0" for name in ("SOCKET", "SEAT", "ADDRESS", "TABLES")
} | {"TERZIGLIO_MOST_LAG_MS": "60000", "TERZIGLIO_WORKERS": "0"}
"""Load is the point here; limits have tests of their own, and so has thinking."""


class ServerProcess:
    """The service as a process of its own, on the same port in every life."""

    def __init__(self, database: Path, log: Path, **settings: str) -> None:
        self.database = database
        self.log = log
        self.url = ""
        self._settings = settings
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    async def start(self, die: str = "", within: Sequence[str] = ()) -> float:
        """Start it; return the seconds until it served.

        Args:
            die: a point and a number of passes at which it kills itself.
            within: a command that runs the server's command.
        """
        settings = {"DATABASE": str(self.database), "PORT": self._port}
        env = os.environ | _UNLIMITED | {"DIE": die, "PYTHONPATH": str(_TESTS)}
        env |= {f"TERZIGLIO_{k}": v for k, v in {**settings, **self._settings}.items()}
        begun = perf_counter()
        with self.log.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                *within,
                *(sys.executable, "-m", "faults.server"),
                env=env,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        assert self._process.stdout is not None
        line = (await self._process.stdout.readline()).decode()
        assert "http://" in line, self.log.read_text()
        self.url = line.split()[-1]
        async with httpx.AsyncClient(base_url=self.url) as http:
            assert (await http.get("/healthz")).status_code == 200
        return perf_counter() - begun

    @property
    def processor_s(self) -> float:
        """Seconds of processor time that it has used: no busy machine adds to them."""
        stat = Path(f"/proc/{self.pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @property
    def _port(self) -> str:
        return self.url.rpartition(":")[2] or "0"

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)

    async def ended(self) -> int:
        """Wait until it has ended; return its exit status."""
        assert self._process is not None
        await self._process.communicate()
        assert self._process.returncode is not None
        return self._process.returncode

    @property
    def tracebacks(self) -> int:
        """How many tracebacks it has logged."""
        return self.log.read_text().count("Traceback")
