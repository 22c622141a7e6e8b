"""Live updates: every change of a table is announced to the browsers that look at it."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import msgspec
from anyio import CancelScope
from litestar.channels import ChannelsPlugin, Subscriber
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.response import ServerSentEventMessage

from kursbuch.core.errors import KursbuchError

#: A comment is sent after so many quiet seconds, so that a dead connection is noticed.
HEARTBEAT = 15.0

#: A first look at the table follows so soon after a browser connected, in case a change fell between
#: reading the table and the subscription's taking effect.
SECOND_LOOK = 1.0

#: How long a browser waits before it connects again, in milliseconds.
RETRY = 1500

#: How long an announcement may hold up the answer to the one who caused it.
ANNOUNCING = 2.0

log = logging.getLogger(__name__)


class Announcement(msgspec.Struct, frozen=True):
    """A change of a table: its new version and number of moves, and the browsers that decide now."""

    version: int
    number: int
    deciding: tuple[str, ...]


class Message(msgspec.Struct, frozen=True):
    """What a browser is told; `turn` says whether it has to decide."""

    version: int
    number: int
    turn: bool


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
            "Redis cannot be used without the Python package redis: pip install kursbuch[redis]."
        ) from None

    class SteadyBackend(RedisChannelsPubSubBackend):
        """Goes on when the connection to Redis comes back after a break."""

        async def stream_events(self) -> AsyncGenerator[tuple[str, Any], None]:
            while True:
                try:
                    async for event in super().stream_events():
                        yield event
                except (RedisError, OSError) as error:
                    log.warning("No announcements from Redis: %s", error)
                    await asyncio.sleep(1)

    try:
        return SteadyBackend(redis=Redis.from_url(redis))
    except ValueError as error:
        raise KursbuchError(
            "The address {url} of Redis cannot be used: {why}.", url=redis, why=str(error)
        ) from None


async def check_redis(url: str) -> None:
    """Raise `KursbuchError` unless Redis answers there."""
    make_backend(url)
    from redis.asyncio import Redis
    from redis.exceptions import RedisError

    client = Redis.from_url(url, socket_connect_timeout=5)
    try:
        await client.exists("kursbuch")
    except (RedisError, OSError) as error:
        raise KursbuchError(
            "Redis does not answer at {url}: {why}.", url=url, why=str(error).rstrip(".")
        ) from None
    finally:
        await client.aclose()


class Live:
    """Announces changes, and turns them into server-sent events. `prefix` keeps servers apart that
    share a Redis without sharing a database."""

    def __init__(self, channels: ChannelsPlugin, prefix: str = "kursbuch") -> None:
        self._channels = channels
        self._prefix = prefix
        self._open: set[asyncio.Event] = set()
        self._closing = False

    def close(self) -> None:
        """End all event streams, which otherwise would keep the server from stopping."""
        self._closing = True
        for woken in self._open:
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
            log.warning("A change of table %s could not be announced: %r", table_id, error)

    async def events(
        self, table_id: str, visitor: str, look: Callable[[], Awaitable[Announcement | None]]
    ) -> AsyncIterator[ServerSentEventMessage]:
        """The events for one browser, beginning with how the table is now.

        `look` reads the table afresh; that is done at the start and with every heartbeat, so that
        nothing is missed even when announcements get lost. It returns None for a table that is gone.
        """
        woken = asyncio.Event()
        latest: Announcement | None = None

        def wake(data: bytes) -> None:
            nonlocal latest
            change = msgspec.json.decode(data, type=Announcement)
            if latest is None or change.version > latest.version:
                latest = change
            woken.set()

        subscriber = await self._channels.subscribe(self._channel(table_id))
        listener = asyncio.create_task(_listen(subscriber, wake))
        self._open.add(woken)
        try:
            sent = 0
            fresh = True
            patience = SECOND_LOOK
            while not self._closing:
                if fresh:
                    # A browser that goes away cancels again and again; in the middle of a query,
                    # that would leave the database's connection behind half closed.
                    with CancelScope(shield=True):
                        found = await look()
                    if found is None:
                        return
                    if latest is None or found.version > latest.version:
                        latest = found
                if latest is not None and latest.version > sent:
                    sent = latest.version
                    yield _message(latest, visitor)
                elif patience == HEARTBEAT:
                    yield ServerSentEventMessage(data=None, comment="still here")
                try:
                    await asyncio.wait_for(woken.wait(), patience)
                    fresh = False
                except TimeoutError:
                    fresh = True
                    patience = HEARTBEAT
                woken.clear()
        finally:
            # The browser is gone; that must not stop the subscription from being ended.
            self._open.discard(woken)
            listener.cancel()
            with CancelScope(shield=True):
                await self._channels.unsubscribe(subscriber, self._channel(table_id))


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


def _message(announcement: Announcement, visitor: str) -> ServerSentEventMessage:
    deciding = visitor in announcement.deciding
    message = Message(announcement.version, announcement.number, deciding)
    return ServerSentEventMessage(
        id=announcement.version,
        event="changed",
        data=msgspec.json.encode(message),
        retry=RETRY,
    )
