"""What takes thought, and who does it: the port to the processes that think.

A task is the name of a function: ``search``, ``expert`` (players), ``hint`` and
``analysis``. It is given JSON and answers JSON, so that where it runs is all the same.
"""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Final, Literal, Protocol

__all__ = [
    "ANALYSIS",
    "BESIDE_GAMES",
    "HINT",
    "SLOW_PLAYERS",
    "TASKS",
    "WAITED_FOR",
    "Idle",
    "Thinkers",
    "Unanswered",
    "installed",
]

SLOW_PLAYERS: Final = frozenset({"search", "expert"})
"""Players that think: never in the event loop."""
HINT: Final = "hint"
ANALYSIS: Final = "analysis"
TASKS: Final[Mapping[str, str]] = {
    "search": "terziglio.players.search:search",
    "expert": "terziglio.players.expert:expert",
    HINT: "terziglio.players.expert:hint",
    ANALYSIS: "terziglio.analysis:analyse",
}
"""Each task's function, as ``module:name``."""
BESIDE_GAMES: Final = 19
"""How nice a process is that thinks for hours: others' games come first."""
WAITED_FOR: Final = 5
"""How nice one is that works for some seconds now and then, and somebody waits: while
it loads and compiles, and for a hand in hindsight. At 19 it would get next to nothing
of a processor for which anything else on the machine asks."""
_OURS: Final = "terziglio."


class Unanswered(Exception):
    """A task came to nothing.

    Args:
        kind: ``timeout``, or ``failed``.
        what: the type of the error, or how a process ended: nothing with a card in it.
        where: lines of its traceback, without what it said.
    """

    def __init__(
        self, kind: Literal["failed", "timeout"], what: str, where: str = ""
    ) -> None:
        super().__init__(kind, what)
        self.kind = kind
        self.what = what
        self.where = where


class Thinkers(Protocol):
    """Do tasks somewhere else than in the event loop."""

    @property
    def offered(self) -> frozenset[str]:
        """The tasks that can be done here."""
        ...

    async def think(
        self, task: str, given: bytes, begun: Callable[[], None] | None = None
    ) -> bytes:
        """Return a task's answer; wait for one's turn first.

        Args:
            task: its name.
            given: JSON on one line.
            begun: called when its turn has come.

        Raises:
            Unanswered: it failed, or took too long.
        """
        ...

    def start(self) -> None:
        """Get ready, in the background."""
        ...

    async def close(self) -> None:
        """End at once, with all that is under way."""
        ...


class Idle:
    """Nobody who thinks: nothing is offered."""

    offered: frozenset[str] = frozenset()

    async def think(
        self, task: str, given: bytes, begun: Callable[[], None] | None = None
    ) -> bytes:
        """Refuse.

        Raises:
            Unanswered: always.
        """
        del given, begun
        raise Unanswered("failed", f"no {task} here")

    def start(self) -> None:
        """There is nothing to get ready."""

    async def close(self) -> None:
        """There is nothing to end."""


def installed(tasks: Mapping[str, str]) -> frozenset[str]:
    """Return the tasks that this installation can do.

    Ours need the compiled solver, and that numba: whether it is there is found out
    without loading it, which the event loop's process never does.
    """
    solver = find_spec("numba") is not None
    return frozenset(
        task
        for task, at in tasks.items()
        if not at.startswith(_OURS) or (solver and _found(at.partition(":")[0]))
    )


def _found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
