"""Players by name or from a file: what a command line calls a player.

    load("house")            one of ``PLAYERS``
    load("my_bot.py")        the one bot of a file
    load("my_bot.py:Bold")   one of several

The bot of a file is the class derived from ``Bot`` that no other class of the file is
derived from; a file without such a class may have one function of one parameter,
``view``. Names that begin with an underscore do not count.
"""

import inspect
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from hashlib import sha256
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol, runtime_checkable

from terziglio.bot import Bot
from terziglio.players import PLAYERS, Player
from terziglio.seats import Seat

__all__ = [
    "Author",
    "Entrant",
    "EntrantError",
    "Fault",
    "Seating",
    "load",
    "seated",
]


@runtime_checkable
class Seating(Protocol):
    """What makes a player anew for each deal, as a class of bots does.

    One with a true ``keeps_time`` stops its players itself when they are late.
    """

    def seated(self, seed: str, deal: int, seat: Seat) -> Player:
        """Return the player for one deal at one seat."""
        ...


_THINKING: Final = frozenset({"search", "expert"})
"""Players that solve hundreds of deals for a card."""

Author = Seating | Player
"""Where the player at a seat comes from: something that seats one, or itself."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player as an arena lists it."""

    name: str
    source: str | Author
    """What ``load`` takes, or the author itself."""

    def author(self) -> Author:
        """Return the author, read from its file if it is in one."""
        return load(self.source) if isinstance(self.source, str) else self.source


class Fault(StrEnum):
    """Why there is no player."""

    UNKNOWN_PLAYER = "unknown_player"
    NO_SOLVER = "no_solver"
    """The player would take some fifty times as long as it should."""
    NO_FILE = "no_file"
    SYNTAX = "syntax"
    FAILED = "failed"
    """The file raised an exception while it was read."""
    NO_BOT = "no_bot"
    SEVERAL_BOTS = "several_bots"
    INCOMPLETE_BOT = "incomplete_bot"


class EntrantError(Exception):
    """There is no such player; ``str`` is one line that says what to do."""

    def __init__(self, code: Fault, told: str) -> None:
        super().__init__(code, told)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[1])


def load(spec: str) -> Author:
    """Return the player of a name, or of a file.

    Raises:
        EntrantError: there is none.
    """
    path, colon, name = spec.rpartition(":")
    if not colon or not path.endswith(".py"):
        path, name = spec, ""
    if not path.endswith(".py"):
        return _named(spec)
    return _chosen(path, _module(Path(path)), name)


def seated(author: Author, seed: str, deal: int, seat: Seat) -> Player:
    """Return the player for one deal at one seat."""
    if isinstance(author, Seating):
        return author.seated(seed, deal, seat)
    return author


def _named(name: str) -> Player:
    if name in _THINKING and find_spec("numba") is None:
        told = f"{name} wants the solver: pip install '.[strong]' in Terziglio's folder"
        raise EntrantError(Fault.NO_SOLVER, told)
    if name in PLAYERS:
        return PLAYERS[name]
    near = get_close_matches(name, PLAYERS, n=1)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise EntrantError(
        Fault.UNKNOWN_PLAYER,
        f"no player {name!r}{hint} A player is one of {', '.join(PLAYERS)}, "
        "or a file like my_bot.py",
    )


def _module(path: Path) -> ModuleType:
    """Run a file as a module, which stays in ``sys.modules`` as pickle wants it."""
    if not path.is_file():
        raise EntrantError(Fault.NO_FILE, f"there is no file {path}")
    home = str(path.resolve().parent)
    if home not in sys.path:
        sys.path.append(home)  # so that it may import its neighbours
    digest = sha256(str(path.resolve()).encode()).hexdigest()
    name = f"terziglio_entrant_{digest[:16]}"
    spec = spec_from_file_location(name, path)
    assert spec is not None  # noqa: S101 - its name ends in .py
    assert spec.loader is not None  # noqa: S101 - as above
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        where = f"{error.filename}:{error.lineno}"
        raise EntrantError(Fault.SYNTAX, f"{where}: {error.msg}") from error
    except Exception as error:
        del sys.modules[name]
        told = f"{_place(error, path)}: {type(error).__name__}: {error}"
        raise EntrantError(Fault.FAILED, told) from error
    return module


def _place(error: Exception, path: Path) -> str:
    """Return the line of the file itself that led to the error."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f"{path}:{lines[-1]}" if lines else str(path)


def _chosen(path: str, module: ModuleType, name: str) -> Author:
    found = dict(_authors(module))
    if name and name not in found:
        told = ", ".join(found) or "none"
        raise EntrantError(
            Fault.NO_BOT, f"{path} has no bot {name!r}; its bots: {told}"
        )
    if not found:
        raise EntrantError(
            Fault.NO_BOT,
            f"{path} has no bot: write a class derived from terziglio.Bot, or a "
            "function of one parameter, view",
        )
    if not name and len(found) > 1:
        first = next(iter(found))
        raise EntrantError(
            Fault.SEVERAL_BOTS,
            f"{path} has several bots: {', '.join(found)}; name one: {path}:{first}",
        )
    author = found[name or next(iter(found))]
    bot = _bot(author)
    if bot is not None and bot.unanswered():
        raise EntrantError(Fault.INCOMPLETE_BOT, f"{path}: {bot.complaint()}")
    return author


def _bot(thing: object) -> type[Bot] | None:
    """Return the thing if it is a class of bots."""
    return thing if isinstance(thing, type) and issubclass(thing, Bot) else None


def _authors(module: ModuleType) -> Iterator[tuple[str, Author]]:
    """Yield a file's own bots, or if it has none its own players."""
    own = [
        (name, thing)
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and getattr(thing, "__module__", None) == module.__name__
    ]
    bots = [(name, bot) for name, thing in own if (bot := _bot(thing)) is not None]
    for name, bot in bots:
        if not any(bot is not other and issubclass(other, bot) for _, other in bots):
            yield name, bot
    if bots:
        return
    for name, thing in own:
        if inspect.isfunction(thing) and list(inspect.signature(thing).parameters) == [
            "view"
        ]:
            yield name, thing
