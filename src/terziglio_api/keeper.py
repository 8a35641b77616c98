"""Lets go of tables that nobody touches any more."""

import asyncio
from typing import Final

from terziglio_api.commands import Refusal
from terziglio_api.logs import logger
from terziglio_api.ports import StorageUnavailable, Unreadable
from terziglio_api.service import TableService

__all__ = ["Keeper"]

_log = logger(__name__)
_MOST_S: Final = 600
"""The longest pause between two looks at what is kept."""


class Keeper:
    """Closes and deletes tables some time after their last change.

    Args:
        service: the tables.
        keep_s: for how long a table is kept, in seconds.
    """

    def __init__(self, service: TableService, keep_s: float) -> None:
        self._service = service
        self._keep_s = keep_s

    async def run(self) -> None:
        """Look every now and then until cancelled."""
        while True:
            try:
                await self.sweep()
            except StorageUnavailable:
                _log.warning("tables cannot be deleted now")
            await asyncio.sleep(min(_MOST_S, max(1, self._keep_s / 10)))

    async def sweep(self) -> None:
        """Close and delete every table whose time is over.

        Raises:
            StorageUnavailable: some are left for the next time.
        """
        before = self._service.now() - round(self._keep_s * 1000)
        for table in await self._service.idle(before):
            try:
                await self._service.forget(table)
            except Refusal:  # gone already
                continue
            except Unreadable:  # whoever mends the log decides
                _log.warning("cannot be deleted", table=table)
                continue
            _log.info("deleted", table=table)
