"""Live updates over server-sent events."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from types import FrameType
from typing import Any

import msgspec
from anyio import CancelScope
from litestar.channels import ChannelsPlugin, Subscriber
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend

from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.web.background import failed
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.live.presence import Presence, spectator
from kursbuch.web.ops.logs import ThrottledLog, without_password
from kursbuch.web.ops.metrics import STREAMS

#: After so many quiet seconds a stream says that it is alive, so that both ends notice a dead connection
#: (`DEAF` in `frontend/src/table/live.ts`).
HEARTBEAT = 15.0

#: A first look at the table follows so soon after a browser connected, in case a change fell between
#: reading the table and the subscription's taking effect.
SECOND_LOOK = 1.0

#: How long a browser waits before it connects again, in milliseconds.
RETRY = 1500

#: What a quiet stream says.
STILL_HERE = b"event: quiet\r\ndata: {}\r\n\r\n"

#: How long an announcement may hold up the answer to the one who caused it.
ANNOUNCING = 2.0
log = logging.getLogger(__name__)


class Announcement(msgspec.Struct, frozen=True):
    """A change of a table: its new version and number of moves, the browsers that decide now, those
    that hold its seats, by seat, and what holds for those who look on."""

    version: int
    number: int
    deciding: tuple[str, ...]
    owners: tuple[str | None, ...] = ()
    terms: str = ""


class Message(msgspec.Struct, frozen=True):
    """What a browser is told; `turn` says whether it has to decide."""

    version: int
    number: int
    turn: bool


class Pushed(msgspec.Struct, frozen=True):
    """What is new on the page of one reader, and of which version of the table it is."""

    version: int
    data: bytes


#: Makes what is new for one reader from a version of the table on; None if this is a stream for somebody else by now.
Pusher = Callable[[int], Awaitable[Pushed | None]]


class PresentMessage(msgspec.Struct, frozen=True):
    """The seats whose people look at the table, and how many look on who hold none."""

    seats: tuple[int, ...]
    watching: int


def make_backend(redis: str | None) -> ChannelsBackend:
    """The carrier of the announcements: memory, or Redis when there are several servers."""
    if redis is None:
        return MemoryChannelsBackend()
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
        """Goes on when the connection to Redis comes back after a break."""

        def __init__(self) -> None:
            super().__init__(redis=client)
            #: What could not be subscribed to yet.
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
            # What nobody listens to does no harm.
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
    return SteadyBackend()


async def check_redis(url: str) -> None:
    """Raise `KursbuchError` unless Redis answers there."""
    make_backend(url)
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


class Live:
    """Announces changes, and turns them into server-sent events. `prefix` keeps servers apart that
    share a Redis without sharing a database."""

    def __init__(
        self, channels: ChannelsPlugin, presence: Presence, prefix: str = "kursbuch"
    ) -> None:
        self._channels = channels
        self._presence = presence
        self._prefix = prefix
        #: What wakes the streams of a table.
        self._open: dict[str, set[asyncio.Event]] = {}
        self._looking: dict[str, asyncio.Future[Announcement | None]] = {}
        self._told = ThrottledLog(log)
        self._closing = False

    def on_arrival(self, table_id: str) -> None:
        """Somebody has come to look at a table."""
        for woken in self._open.get(table_id, ()):
            woken.set()

    def close(self) -> None:
        """End all event streams, which otherwise would keep the server from stopping."""
        self._closing = True
        for woken in chain.from_iterable(self._open.values()):
            woken.set()

    def _channel(self, table_id: str) -> str:
        return f"{self._prefix}-table-{table_id}"

    async def announce(self, table_id: str, announcement: Announcement) -> None:
        """Tell all servers of a change. Browsers that miss it learn of it with the heartbeat."""
        try:
            sending = self._channels.wait_published(
                msgspec.json.encode(announcement), self._channel(table_id)
            )
            await asyncio.wait_for(sending, ANNOUNCING)
        except Exception as error:
            self._told.write("announcing", "Changes could not be announced: %r", error)

    async def events(
        self,
        table_id: str,
        visitor: str,
        look: Callable[[], Awaitable[Announcement | None]],
        told: bool = True,
        push: Pusher | None = None,
        sees: bool = False,
    ) -> AsyncIterator[bytes]:
        """The events for one browser, beginning with how the table is now.

        Whoever `sees` the table has it before his eyes as long as he listens.

        `look` reads the table afresh; that is done at the start and with every heartbeat, so that
        nothing is missed even when announcements get lost. It returns None for a table that is gone.
        Where the database does not answer, the stream waits for it. With `push` later changes are not only announced:
        what is new on the page goes with them. A browser that is slow to take it gets the newest, not each. One that is
        not `told` hears of nothing at the moment it happens: only `look` says what there is for it. When something
        else holds for those who look on, their streams end: they have to ask anew.
        """
        channel = table_id if told else f"{table_id} later"
        woken = asyncio.Event()
        latest: Announcement | None = None

        def wake(data: bytes) -> None:
            nonlocal latest
            change = msgspec.json.decode(data, type=Announcement)
            if latest is None or change.version > latest.version:
                latest = change
            woken.set()

        subscriber = await self._channels.subscribe(self._channel(channel))
        listener = asyncio.create_task(_listen(subscriber, wake))
        self._open.setdefault(channel, set()).add(woken)
        STREAMS.inc()
        try:
            sent = 0
            terms: str | None = None
            present: PresentMessage | None = None
            fresh = True
            patience = SECOND_LOOK
            while not self._closing:
                if fresh:
                    if sees:
                        self._presence.see(table_id, visitor)
                    self._touch(table_id, visitor, latest)
                    with suppress(Unavailable):
                        found = await self._look(channel, look)
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
                        news = await _news(latest, visitor, push if sent else None)
                    except Unavailable:
                        patience = SECOND_LOOK
                    else:
                        if news is None:
                            return
                        sent = news.version
                        yield news.data
                elif patience == HEARTBEAT:
                    yield STILL_HERE
                if told and latest is not None and self._present(table_id, latest) != present:
                    present = self._present(table_id, latest)
                    yield _presence(present)
                try:
                    await asyncio.wait_for(woken.wait(), patience)
                    fresh = False
                except TimeoutError:
                    fresh = True
                    patience = HEARTBEAT
                woken.clear()
        finally:
            # The browser is gone; that must not stop the subscription from being ended.
            self._open[channel].discard(woken)
            if not self._open[channel]:
                del self._open[channel]
            STREAMS.dec()
            listener.cancel()
            with CancelScope(shield=True):
                await self._channels.unsubscribe(subscriber, self._channel(channel))

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
        """What `look` reads: once for all who want to know it at the same time."""
        looking = self._looking.get(channel)
        if looking is None:
            # In a task of its own: a browser that goes away cancels again and again, and in the middle
            # of a query that would leave the database's connection behind half closed.
            looking = asyncio.ensure_future(look())
            self._looking[channel] = looking

            def done(looked: asyncio.Future[Announcement | None]) -> None:
                del self._looking[channel]
                looked.cancelled() or looked.exception()  # perhaps nobody listens any more

            looking.add_done_callback(done)
        return await asyncio.shield(looking)


def _is_news(known: Announcement | None, found: Announcement) -> bool:
    """Whether something was found that was not announced. Versions of a table as it was some time ago are
    of another kind; those who see it so come in anew."""
    return known is None or found.version > known.version or found.terms != known.terms


async def _listen(subscriber: Subscriber, wake: Callable[[bytes], None]) -> None:
    async for data in subscriber.iter_events():
        wake(data)


@contextmanager
def closing_on_signals(updates: Live) -> Iterator[None]:
    """End the event streams as soon as the server is told to stop. A server waits for open
    connections before it says so to the application, which is too late."""
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
    """What a browser is told of a change; None if its stream is to end."""
    if push is not None:
        try:
            pushed = await push(latest.version)
            return pushed and Pushed(
                pushed.version, _event("page", pushed.data, f"id: {pushed.version}\r\n")
            )
        except Unavailable:
            raise
        except KursbuchError:
            pass  # the page asks itself, and is told why it is refused
        except Exception:
            failed(log, "What is new at a table could not be shown")
    deciding = visitor in latest.deciding
    message = Message(latest.version, latest.number, deciding)
    fields = f"id: {latest.version}\r\nretry: {RETRY}\r\n"
    return Pushed(latest.version, _event("changed", msgspec.json.encode(message), fields))


def _presence(present: PresentMessage) -> bytes:
    return _event("present", msgspec.json.encode(present))


def _event(name: str, data: bytes, fields: str = "") -> bytes:
    """A server-sent event. JSON has no line breaks of its own."""
    return f"{fields}event: {name}\r\ndata: ".encode() + data + b"\r\n\r\n"
