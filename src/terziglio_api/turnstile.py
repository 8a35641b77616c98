"""Lets so many messages of one socket through, and no more."""

from terziglio.seats import Seat
from terziglio_api.commands import Asked, Refusal
from terziglio_api.hall import Hall
from terziglio_api.limits import Limiter, Rate, limited

__all__ = ["Flood", "Turnstile"]


class Flood(Exception):
    """The socket was told to wait, again and again, and does not let up."""


class Turnstile:
    """Counts the messages of a socket; what its seat is asked for is counted apart."""

    def __init__(self, hall: Hall, table: str) -> None:
        settings = hall.settings
        self._hall = hall
        self._table = table
        self._messages = Limiter(Rate(settings.socket_rate, settings.socket_burst))
        self._most_over = settings.socket_burst
        self._over = 0
        """Messages refused in a row."""
        self._try: tuple[str, Seat, str] | None = None
        """What the last message counted as a try at."""

    async def refuses(self, asked: Asked | None) -> Refusal | None:
        """Count a message; return why it is too much, if it is.

        Args:
            asked: what it asks of the table, if it asks for a change.

        Raises:
            Flood: it was too much too often.
        """
        awaited = None
        if asked is not None:
            awaited = await self._hall.service.awaited(self._table, asked)
        if asked is None or awaited is None:
            wait = self._messages.take(self)
        else:
            self._try = (self._table, asked.seat, awaited)
            wait = self._hall.limits.answers.take(self._try)
        if not wait:
            self._over = 0
            return None
        self._over += 1
        if self._over > self._most_over:
            raise Flood
        return limited(wait)

    def give_back(self) -> None:
        """Count the last message as no try: it was refused for no fault of its own."""
        self._hall.limits.answers.give_back(self._try)
