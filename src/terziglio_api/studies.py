"""Hints and analyses: worked out once, whoever asks, and the newest kept.

All of it can be worked out again from the log, so none of it is stored.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Literal

from terziglio_api.commands import Code, Refusal
from terziglio_api.gate import RETRY_S
from terziglio_api.logs import logger
from terziglio_api.thinking import Thinkers, Unanswered

__all__ = ["Studies", "Study"]

_log = logger(__name__)
_KEPT: Final = 256
"""Answers kept, and at most so many that are waited for."""


class Study:
    """One task under way, or done."""

    def __init__(self, thinkers: Thinkers, task: str, given: bytes) -> None:
        self.state: Literal["queued", "running", "done"] = "queued"
        self.answer = asyncio.create_task(self._think(thinkers, task, given))

    async def _think(self, thinkers: Thinkers, task: str, given: bytes) -> bytes:
        told = await thinkers.think(task, given, self._begun)
        self.state = "done"
        return told

    def _begun(self) -> None:
        self.state = "running"


class Studies:
    """Tasks by key, each begun once.

    Args:
        thinkers: who does them.
        kept: how many are kept.
    """

    def __init__(self, thinkers: Thinkers, kept: int = _KEPT) -> None:
        self._thinkers = thinkers
        self._kept = kept
        self._studies: OrderedDict[Hashable, Study] = OrderedDict()

    def demand(self, task: str) -> None:
        """Return if a task can be done here.

        Raises:
            Refusal: ``no_solver``.
        """
        if task not in self._thinkers.offered:
            raise Refusal(Code.NO_SOLVER)

    def study(self, key: Hashable, task: str, given: bytes) -> Study:
        """Return a task that is under way or done; begin it if it is neither.

        Raises:
            Refusal: ``overloaded``: too many are waited for.
        """
        study = self._studies.get((task, key))
        if study is None:
            self._make_room()
            study = self._studies[task, key] = Study(self._thinkers, task, given)
        self._studies.move_to_end((task, key))
        return study

    async def result(self, key: Hashable, task: str, study: Study) -> bytes:
        """Return what a task came to; wait for it.

        Raises:
            Refusal: ``overloaded``: it came to nothing, and may be asked for again.
        """
        try:
            return await asyncio.shield(study.answer)
        except Unanswered as error:
            # Told once, then forgotten: whoever asks again begins it again.
            if self._studies.get((task, key)) is study:
                del self._studies[task, key]
            _log.error(
                "no answer", task=task, kind=error.kind, error=error.what,
                where=error.where,
            )  # fmt: skip
            raise Refusal(Code.OVERLOADED, retry_s=RETRY_S) from None

    async def close(self) -> None:
        """End what is under way."""
        answers = [study.answer for study in self._studies.values()]
        for answer in answers:
            answer.cancel()
        await asyncio.gather(*answers, return_exceptions=True)

    def _make_room(self) -> None:
        if len(self._studies) < self._kept:
            return
        for key, study in self._studies.items():
            if study.answer.done():
                if not study.answer.cancelled():
                    study.answer.exception()  # seen, even if nobody asks any more
                del self._studies[key]
                return
        raise Refusal(Code.OVERLOADED, retry_s=RETRY_S)
