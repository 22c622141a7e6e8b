"""Live updates over server-sent events."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from types import FrameType
from typing import Any, NamedTuple

import msgspec
from litestar.channels import ChannelsPlugin

from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.web.background import failed
from kursbuch.web.db.models import Table
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.live.patches import ServerEvent
from kursbuch.web.live.presence import Presence, spectator
from kursbuch.web.ops.logs import ThrottledLog, without_password
from kursbuch.web.ops.metrics import STREAMS

#: Seconds after which a quiet stream sends a sign of life, so that both ends notice a dead connection (`DEAF` in
#: `frontend/src/table/live.ts`).
HEARTBEAT = 15.0

#: Seconds until the first check after a connection, in case a change came before the subscription took effect.
SECOND_LOOK = 1.0

#: Milliseconds until a browser reconnects.
RETRY = 1500

#: The event of a quiet stream.
STILL_HERE = ServerEvent("quiet", b"{}")

#: Maximum delay of the response to a move by its announcement.
ANNOUNCING = 2.0
log = logging.getLogger(__name__)


class Announcement(msgspec.Struct, frozen=True):
    """A change of a table: its new version and number of moves, the browsers to move, the browsers of its seats, and
    the spectator settings."""

    version: int
    number: int
    deciding: tuple[str, ...]
    owners: tuple[str | None, ...] = ()
    terms: str = ""


class Message(msgspec.Struct, frozen=True):
    """An event for a browser; `turn` says whether it is to move."""

    version: int
    number: int
    turn: bool


class Pushed(NamedTuple):
    """An event for one reader, and its version of the table."""

    version: int
    event: ServerEvent


#: Builds the update for one reader since a version; None if the stream no longer belongs to that reader.
Pusher = Callable[[int], Awaitable[Pushed | None]]


class PresentMessage(msgspec.Struct, frozen=True):
    """The seats whose players look at the table, and the number of spectators."""

    seats: tuple[int, ...]
    watching: int


def make_channels(redis: str) -> ChannelsPlugin:
    """Channels between the servers that share a Redis."""
    try:
        from litestar.channels.backends.redis import RedisChannelsPubSubBackend
        from redis.asyncio import Redis
        from redis.exceptions import RedisError
    except ModuleNotFoundError:
        raise KursbuchError(
            "Redis cannot be used without the Python package redis: pip install '.[redis]' in the "
            "folder of the source."
        ) from None

    told = ThrottledLog(log)

    class SteadyBackend(RedisChannelsPubSubBackend):
        """Receive messages; go on when a lost connection to Redis is back."""

        def __init__(self) -> None:
            super().__init__(redis=client)
            #: Pending subscriptions.
            self._missing: set[str] = set()
            self._trying: asyncio.Task[None] | None = None

        async def subscribe(self, channels: Iterable[str]) -> None:
            self._missing.update(channels)
            await self._try()
            if self._missing and (self._trying is None or self._trying.done()):
                self._trying = asyncio.create_task(self._try_again())

        async def unsubscribe(self, channels: Iterable[str]) -> None:
            left = set(channels)
            self._missing -= left
            # Messages without subscribers do no harm.
            with suppress(RedisError, OSError):
                await super().unsubscribe(left)

        async def on_shutdown(self) -> None:
            if self._trying is not None:
                self._trying.cancel()
            with suppress(RedisError, OSError):
                await super().on_shutdown()

        async def _try(self) -> None:
            wanted = set(self._missing)
            if not wanted:
                return
            try:
                await super().subscribe(wanted)
            except (RedisError, OSError) as error:
                told.write("subscribing", "Redis does not announce anything: %s", error)
            else:
                self._missing -= wanted

        async def _try_again(self) -> None:
            while self._missing:
                await asyncio.sleep(1)
                await self._try()

        async def stream_events(self) -> AsyncGenerator[tuple[str, Any], None]:
            while True:
                try:
                    async for event in super().stream_events():
                        yield event
                except (RedisError, OSError) as error:
                    told.write("hearing", "No announcements from Redis: %s", error)
                    await asyncio.sleep(1)

    try:
        client = Redis.from_url(redis)
    except ValueError as error:
        raise KursbuchError(
            "The address {url} of Redis cannot be used: {why}.",
            url=without_password(redis),
            why=str(error),
        ) from None
    return ChannelsPlugin(backend=SteadyBackend(), arbitrary_channels_allowed=True)


async def check_redis(url: str) -> None:
    """Raise `KursbuchError` unless Redis answers there."""
    make_channels(url)
    from redis.asyncio import Redis
    from redis.exceptions import RedisError

    client = Redis.from_url(url, socket_connect_timeout=5)
    try:
        await client.exists("kursbuch")
    except (RedisError, OSError) as error:
        raise NotNow(
            "Redis does not answer at {url}: {why}.",
            url=without_password(url),
            why=str(error).rstrip("."),
        ) from None
    finally:
        await client.aclose()


class Channel:
    """The open streams of a table. They hear of its changes together."""

    def __init__(self) -> None:
        self.streams = 0
        #: The newest announcement.
        self.latest: Announcement | None = None
        #: Set, and replaced, when there may be news.
        self.news = asyncio.Event()
        #: Listens to other servers.
        self.listener: asyncio.Task[None] | None = None

    def hear(self, change: Announcement) -> None:
        """Tell the streams of a change."""
        if self.latest is None or change.version > self.latest.version:
            self.latest = change
        self.wake()

    def wake(self) -> None:
        """Wake the streams."""
        self.news.set()
        self.news = asyncio.Event()


class Live:
    """Announces changes as server-sent events. With `channels`, servers inform each other; `prefix` separates those
    that share a Redis but no database."""

    def __init__(
        self, presence: Presence, channels: ChannelsPlugin | None = None, prefix: str = "kursbuch"
    ) -> None:
        self._channels = channels
        self._presence = presence
        self._prefix = prefix
        self._open: dict[str, Channel] = {}
        self._looking: dict[str, asyncio.Future[Announcement | None]] = {}
        self._told = ThrottledLog(log)
        self._closing = False

    def on_arrival(self, table_id: str) -> None:
        """Announce a new visitor of a table."""
        if table_id in self._open:
            self._open[table_id].wake()

    def close(self) -> None:
        """End all event streams, which would otherwise keep the server from stopping."""
        self._closing = True
        for channel in self._open.values():
            channel.wake()

    async def on_change(self, table: Table, announcement: Announcement) -> None:
        """Announce a change to all servers. Browsers that miss it learn of it with the heartbeat."""
        if table.id in self._open:
            self._open[table.id].hear(announcement)
        if self._channels is None:
            return
        try:
            sending = self._channels.wait_published(
                msgspec.json.encode(announcement), self._name(table.id)
            )
            await asyncio.wait_for(sending, ANNOUNCING)
        except Exception as error:
            self._told.write("announcing", "Changes could not be announced: %r", error)

    def _name(self, table_id: str) -> str:
        return f"{self._prefix}-table-{table_id}"

    @contextmanager
    def _joined(self, table_id: str, told: bool) -> Iterator[Channel]:
        """The channel of a table, which is open while any stream has joined it."""
        name = table_id if told else f"{table_id} later"
        channel = self._open.get(name)
        if channel is None:
            channel = self._open[name] = Channel()
            if told and self._channels is not None:
                listening = self._listen(self._channels, self._name(table_id), channel)
                channel.listener = asyncio.create_task(listening)
        channel.streams += 1
        with STREAMS.track_inprogress():
            try:
                yield channel
            finally:
                channel.streams -= 1
                if not channel.streams:
                    del self._open[name]
                    if channel.listener is not None:
                        channel.listener.cancel()

    async def _listen(self, channels: ChannelsPlugin, name: str, channel: Channel) -> None:
        """Pass on what other servers announce, until cancelled."""
        subscribing = asyncio.create_task(channels.subscribe(name))
        try:
            subscriber = await asyncio.shield(subscribing)
            async for data in subscriber.iter_events():
                channel.hear(msgspec.json.decode(data, type=Announcement))
        finally:
            # The streams are gone; the subscription must be ended all the same.
            await channels.unsubscribe(await subscribing, name)

    async def events(
        self,
        table_id: str,
        visitor: str,
        look: Callable[[], Awaitable[Announcement | None]],
        told: bool = True,
        push: Pusher | None = None,
        sees: bool = False,
    ) -> AsyncIterator[ServerEvent]:
        """Stream events to one browser, beginning with the present state.

        `sees` counts the stream as a visible page. `look` reads the table at the start and with every
        heartbeat, so that lost announcements do no harm; it returns None for a deleted table. While the
        database does not answer, the stream waits. With `push`, later events carry the new content of
        the page; a slow browser gets the newest only. Without `told`, changes are not announced: only
        `look` reveals them. New spectator settings end the streams of spectators, who reconnect.
        """
        with self._joined(table_id, told) as channel:
            sent = 0
            latest: Announcement | None = None
            terms: str | None = None
            present: PresentMessage | None = None
            fresh = True
            patience = SECOND_LOOK
            while not self._closing:
                news, heard = channel.news, channel.latest
                if heard is not None and (latest is None or heard.version > latest.version):
                    latest = heard
                if fresh:
                    if sees:
                        self._presence.see(table_id, visitor)
                    self._touch(table_id, visitor, latest)
                    with suppress(Unavailable):
                        found = await self._look(f"{table_id} {told}", look)
                        if found is None:
                            return
                        if _is_news(latest, found):
                            latest = found
                        self._touch(table_id, visitor, latest)
                if latest is not None and visitor not in latest.owners:
                    if terms not in (None, latest.terms):
                        return
                    terms = latest.terms
                if latest is not None and latest.version > sent:
                    try:
                        pushed = await _news(latest, visitor, push if sent else None)
                    except Unavailable:
                        patience = SECOND_LOOK
                    else:
                        if pushed is None:
                            return
                        sent = pushed.version
                        yield pushed.event
                elif patience == HEARTBEAT:
                    yield STILL_HERE
                if told and latest is not None and self._present(table_id, latest) != present:
                    present = self._present(table_id, latest)
                    yield _presence(present)
                try:
                    async with asyncio.timeout(patience):
                        await news.wait()
                    fresh = False
                except TimeoutError:
                    fresh = True
                    patience = HEARTBEAT

    def _touch(self, table_id: str, visitor: str, latest: Announcement | None) -> None:
        if latest is not None:
            holds = visitor in latest.owners
            self._presence.touch(table_id, visitor if holds else spectator(visitor))

    def _present(self, table_id: str, latest: Announcement) -> PresentMessage:
        seats = tuple(
            seat
            for seat, owner in enumerate(latest.owners)
            if owner is not None and self._presence.looking(table_id, owner)
        )
        return PresentMessage(seats, self._presence.spectators(table_id))

    async def _look(
        self, channel: str, look: Callable[[], Awaitable[Announcement | None]]
    ) -> Announcement | None:
        """The result of `look`, shared by all streams that want it at the same time."""
        looking = self._looking.get(channel)
        if looking is None:
            # In a task of its own: a disconnecting browser cancels repeatedly, which in the middle of a query would
            # leave the database connection half closed.
            looking = asyncio.ensure_future(look())
            self._looking[channel] = looking

            def done(looked: asyncio.Future[Announcement | None]) -> None:
                del self._looking[channel]
                looked.cancelled() or looked.exception()  # perhaps no stream waits any more

            looking.add_done_callback(done)
        return await asyncio.shield(looking)


def _is_news(known: Announcement | None, found: Announcement) -> bool:
    """Whether a check found an unannounced change. Versions of delayed tables are of another kind; their readers
    reconnect."""
    return known is None or found.version > known.version or found.terms != known.terms


@contextmanager
def closing_on_signals(updates: Live) -> Iterator[None]:
    """End the event streams as soon as the server is told to stop: it waits for open connections before it tells the
    application."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(updates.close)
        earlier = before[signal.Signals(number)]
        if callable(earlier):
            earlier(number, frame)
        elif earlier == signal.SIG_DFL:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is stop:
                signal.signal(number, handler)


async def _news(latest: Announcement, visitor: str, push: Pusher | None) -> Pushed | None:
    """The event for a change; None if the stream is to end."""
    if push is not None:
        try:
            return await push(latest.version)
        except Unavailable:
            raise
        except KursbuchError:
            pass  # the page reconnects, and learns why it is refused
        except Exception:
            failed(log, "What is new at a table could not be shown")
    deciding = visitor in latest.deciding
    message = Message(latest.version, latest.number, deciding)
    return Pushed(latest.version, _changed(message))


@lru_cache(maxsize=1000)
def _changed(message: Message) -> ServerEvent:
    fields = f"id: {message.version}\r\nretry: {RETRY}\r\n"
    return ServerEvent("changed", msgspec.json.encode(message), fields)


@lru_cache(maxsize=1000)
def _presence(present: PresentMessage) -> ServerEvent:
    return ServerEvent("present", msgspec.json.encode(present))
