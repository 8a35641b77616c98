"""What a seat is told of its table, in the order in which it is told.

One feed serves one socket, or one stream of server-sent events: a welcome, what was
missed, then every change and who comes and goes. It tells by ``put``, one message at a
time, and remembers how far it has told.
"""

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager

from terziglio.seats import Seat
from terziglio_api.commands import Holder
from terziglio_api.metrics import Metrics
from terziglio_api.seen import Story, Update
from terziglio_api.service import TableService
from terziglio_api.wire.base import Outgoing, time_of
from terziglio_api.wire.events import SNAPSHOT, event_of
from terziglio_api.wire.messages import (
    PROTOCOL,
    PresenceMessage,
    Told,
    Welcome,
    event_message,
    event_messages,
)

__all__ = ["Feed"]

Put = Callable[[Outgoing | Told], Awaitable[None]]
"""Sends a message on; may wait while the other end is slow."""


class Feed:
    """Tells the holder of a seat about its table.

    Every method raises ``Refusal`` (``bad_token``) once the holder's token is void or
    the table is gone.
    """

    def __init__(
        self,
        service: TableService,
        metrics: Metrics,
        table: str,
        holder: Holder,
        heartbeat_s: int,
        put: Put,
    ) -> None:
        self._service = service
        self._metrics = metrics
        self._table = table
        self._holder = holder
        self._heartbeat_s = heartbeat_s
        self._put = put
        self._told = 0
        """The last ``seq`` whose event has been told."""
        self._news: dict[Seat, PresenceMessage] = {}
        """Who has come or gone since it was last told; only the latest of each."""

    @contextmanager
    def follow(self, wake: Callable[[], None]) -> Generator[None, None, None]:
        """Attend the table; call whenever there may be news."""
        presence = self._service.presence
        with (
            presence.attend(self._table, self._holder.seat),
            self._service.listen(self._table, wake),
            presence.watch(self._table, self._watcher(wake)),
        ):
            yield

    async def welcome(self, after: int | None) -> None:
        """Welcome the client; tell what it missed, the table as it stands, who is away.

        Args:
            after: the last ``seq`` that it has; ``None``: it has nothing.
        """
        story = await self._service.story(self._table, self._holder, after)
        await self._put(
            Welcome(
                type="welcome",
                protocol=PROTOCOL,
                table=self._table,
                seat=self._holder.seat,
                seq=story.view.seq,
                heartbeat_s=self._heartbeat_s,
                server_time=time_of(self._service.now()),
            )
        )
        if after is not None:
            told = "snapshot" if story.updates is None else "events"
            self._metrics.resumes.labels(told).inc()
        await self._tell(story, snapshot=True)
        for seat in Seat:  # each as it is by then: some may come back meanwhile
            away = self._service.presence.left(self._table).get(seat)
            if away is not None and seat is not self._holder.seat:
                self._news.pop(seat, None)
                await self._put(_presence(seat, present=False, since=away))

    async def news(self) -> None:
        """Tell what has changed since the last time, and who has come or gone."""
        newest = self.newest()
        if newest is not None:
            await self._put(newest)
            return
        await self._tell(
            await self._service.story(self._table, self._holder, self._told)
        )
        while self._news:
            await self._put(self._news.pop(min(self._news)))

    def newest(self) -> Told | None:
        """Take the table's newest change, if nothing else is to be told before it."""
        if self._news:
            return None
        change = self._service.newest(self._table, self._holder, self._told)
        if change is None:
            return None
        self._told += 1
        return change.told(_encoded)[self._holder.seat]

    async def resync(self) -> None:
        """Tell what has changed since the last time, then the table as it stands."""
        story = await self._service.story(self._table, self._holder, self._told)
        await self._tell(story, snapshot=True)

    async def _tell(self, story: Story, *, snapshot: bool = False) -> None:
        for update in story.updates or ():
            event = event_of(update.notice, update.by)
            await self._put(event_message(event, update.view))
        if snapshot or story.updates is None:
            await self._put(event_message(SNAPSHOT, story.view))
        self._told = story.view.seq

    def _watcher(self, wake: Callable[[], None]) -> Callable[[Seat, bool], None]:
        """Return what notes the coming and going of the other seats."""

        def note(seat: Seat, present: bool) -> None:
            if seat is not self._holder.seat:
                left = self._service.presence.left(self._table)
                since = self._service.now() if present else left[seat]
                self._news[seat] = _presence(seat, present=present, since=since)
                wake()

        return note


def _presence(seat: Seat, *, present: bool, since: int) -> PresenceMessage:
    return PresenceMessage(
        type="presence", seat=seat, present=present, since=time_of(since)
    )


def _encoded(updates: Sequence[Update]) -> list[Told]:
    """Return what each seat is told of a change."""
    notices = {id(u.notice): u for u in updates}  # mostly one
    events = {key: event_of(u.notice, u.by) for key, u in notices.items()}
    return event_messages([(events[id(u.notice)], u.view) for u in updates])
