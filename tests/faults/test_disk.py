"""A full disk: nobody is told what is not stored, and play goes on when there is room.

The disk is a small one in memory, in a name space of the server's own, where this
machine allows that; and everywhere a limit on the size of the server's files.
"""

import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest

from faults.figures import Note
from faults.length import LONG
from faults.load import KINDS, Load, open_tables
from faults.process import ServerProcess
from history import read_log, violations

TABLES = 20
ANSWERS = 10
"""How many answers players hear before the log is looked at."""


NAME_SPACE = ("unshare", "--map-root-user", "--mount", "sh", "-ec")
MOUNT = 'mount -t tmpfs -o size=8m tmpfs "$0"; exec "$@"'


class Disk(Protocol):
    """Where the server keeps its tables."""

    within: tuple[str, ...]
    """The command that the server is run by."""

    def path(self, server: ServerProcess) -> Path:
        """Where this process finds the database."""
        ...

    def fill(self, server: ServerProcess) -> None:
        """Leave no room."""
        ...

    def clear(self, server: ServerProcess) -> None:
        """Make room."""
        ...


class FileLimit:
    """No file of the server's may grow beyond what its log is now."""

    def __init__(self, _at: Path) -> None:
        self.within: tuple[str, ...] = ()

    def path(self, server: ServerProcess) -> Path:
        return server.database

    def fill(self, server: ServerProcess) -> None:
        wal = server.database.with_name(server.database.name + "-wal")
        self._limit(server, wal.stat().st_size + 10_000)

    def clear(self, server: ServerProcess) -> None:
        self._limit(server, resource.RLIM_INFINITY)

    def _limit(self, server: ServerProcess, size: int) -> None:
        limits = (size, resource.RLIM_INFINITY)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)


class SmallDisk:
    """A disk of 8 MiB in memory, mounted in the server's own name space."""

    def __init__(self, at: Path) -> None:
        self.within = (*NAME_SPACE, MOUNT, str(at))
        self._at = at

    def path(self, server: ServerProcess) -> Path:
        return self._seen(server) / server.database.name

    def fill(self, server: ServerProcess) -> None:
        with self._ballast(server).open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def clear(self, server: ServerProcess) -> None:
        self._ballast(server).unlink()

    def _ballast(self, server: ServerProcess) -> Path:
        return self._seen(server) / "ballast"

    def _seen(self, server: ServerProcess) -> Path:
        return Path(f"/proc/{server.pid}/root{self._at}")


def _may_mount() -> bool:
    here = str(Path(__file__).parent)
    command = [*NAME_SPACE, MOUNT, here, "true"]
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


DISKS = [pytest.param(FileLimit, id="file limit")]
if _may_mount():
    DISKS.append(pytest.param(SmallDisk, id="small disk"))


@LONG
@pytest.mark.parametrize("disk_of", DISKS)
async def test_a_full_disk_stops_play_and_room_lets_it_go_on(
    server: ServerProcess,
    tmp_path: Path,
    disk_of: Callable[[Path], Disk],
    record_property: Note,
) -> None:
    disk = disk_of(tmp_path)
    await server.start(within=disk.within)
    database = disk.path(server)
    kinds = [KINDS[n % len(KINDS)] for n in range(TABLES)]
    async with Load(await open_tables(server.url, kinds)) as load:
        load.connect()
        await load.progress(5)
        disk.fill(server)
        for _ in range(3):
            # Whatever the answers are: what they promise must be there.
            await load.answered(ANSWERS)
            told = [(p.table, p.seq) for p in load.players]
            told += [(t.table, a.seq) for t in load.transcripts for a in t.acks]
            # Not yet a thousand pages: nothing moves between the two files.
            log = await read_log(database)
            assert all(seq <= len(log[table]) for table, seq in told)
        assert load.unstored >= ANSWERS
        await _opening_is_refused(server.url)
        disk.clear(server)
        await load.progress(10)
        live = await load.settle(server.url)
        log = await read_log(database)
    assert violations(log, load.transcripts, live) == []
    assert {code for _, code in load.errors} == {"storage_unavailable"}
    record_property("refused for want of room", load.unstored)
    record_property("acknowledged actions, all there once", load.acks)


async def _opening_is_refused(url: str) -> None:
    async with httpx.AsyncClient(base_url=url) as http:
        body = {"mode": "computer", "name": "Anna"}
        answer = await http.post("/v1/tables", json=body)
        problem: dict[str, Any] = answer.json()
    assert answer.status_code == 503
    assert problem["code"] == "storage_unavailable"
    assert answer.headers["Retry-After"]
