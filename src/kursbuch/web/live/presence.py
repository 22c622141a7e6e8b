"""Presence: which spectators and players have a table open."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
import time
from collections.abc import Callable

import msgspec
from litestar.channels import ChannelsPlugin

from kursbuch.web.background import break_off
from kursbuch.web.ops.logs import ThrottledLog
from kursbuch.web.tables.policies import PRESENT

#: Seconds after which news are sent to the other servers together.
TELL = 1.0

#: Prefix of the names of spectators.
_SPECTATOR = "?"
log = logging.getLogger(__name__)


def spectator(visitor: str) -> str:
    """The name of a spectator in announcements; it does not reveal the visitor."""
    return _SPECTATOR + hashlib.blake2b(visitor.encode(), digest_size=9).hexdigest()


class _Seen(msgspec.Struct, frozen=True):
    """News of a server: pairs of table and visitor with an open page, and with a visible one."""

    server: str
    pairs: list[tuple[str, str]]
    eyes: list[tuple[str, str]] = []


class Presence:
    """Visitors of tables. A visitor not heard of for a while is away.

    A page may be open for days in a hidden tab, or on a sleeping computer. So visible pages are counted apart: they
    report themselves as long as they are visible.

    With a `prefix`, servers that share their channels inform each other.
    """

    def __init__(
        self,
        channels: ChannelsPlugin | None = None,
        prefix: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._channels = channels
        self._channel = f"{prefix}-presence"
        self._server = secrets.token_hex(8)
        self._clock = clock
        self._seen: dict[str, dict[str, float]] = {}
        self._eyes: dict[str, dict[str, float]] = {}
        self._untold: set[tuple[str, str]] = set()
        self._untold_eyes: set[tuple[str, str]] = set()
        self._tasks: list[asyncio.Task[None]] = []
        #: Called with a table when a visitor arrives there.
        self.listeners: list[Callable[[str], None]] = []

    async def start(self) -> None:
        """Start sending and receiving."""
        self._tasks.append(asyncio.create_task(self._keep()))
        if self._channels is not None:
            self._tasks.append(asyncio.create_task(self._hear(self._channels)))

    async def stop(self) -> None:
        """Stop sending and receiving."""
        await break_off(*self._tasks)
        self._tasks.clear()

    def touch(self, table_id: str, owner: str) -> None:
        """Record an open page of a seat's owner or a `spectator`."""
        self._untold.add((table_id, owner))
        self._note(table_id, owner)

    def see(self, table_id: str, visitor: str) -> bool:
        """Record a visible page. Returns whether the last one was some time ago."""
        came = self.saw(table_id, visitor) is None
        self._untold_eyes.add((table_id, visitor))
        self._eyes.setdefault(table_id, {})[visitor] = self._clock()
        return came

    def looking(self, table_id: str, owner: str) -> bool:
        """Whether the owner of a seat has an open page."""
        return self._is_late(self._seen.get(table_id, {}).get(owner)) is False

    def saw(self, table_id: str, visitor: str) -> float | None:
        """Seconds since the visitor had a visible page; None if too long ago."""
        then = self._eyes.get(table_id, {}).get(visitor)
        return None if then is None or self._is_late(then) else self._clock() - then

    def watched(self, table_id: str) -> bool:
        """Whether the table has any open pages."""
        return any(not self._is_late(then) for then in self._seen.get(table_id, {}).values())

    def spectators(self, table_id: str) -> int:
        """The number of spectators."""
        seen = self._seen.get(table_id, {})
        return sum(
            owner.startswith(_SPECTATOR) and not self._is_late(then) for owner, then in seen.items()
        )

    def _is_late(self, then: float | None) -> bool:
        return then is None or then < self._clock() - PRESENT.total_seconds()

    def _note(self, table_id: str, owner: str) -> None:
        seen = self._seen.setdefault(table_id, {})
        came = self._is_late(seen.get(owner))
        if not owner.startswith(_SPECTATOR):
            seen.pop(spectator(owner), None)  # the spectator has sat down
        elif came:
            came = not self.watched(
                table_id
            )  # among many spectators, the heartbeat tells of one more
        seen[owner] = self._clock()
        if came:
            for listener in self.listeners:
                listener(table_id)

    async def _keep(self) -> None:
        """Tell the other servers, and forget visitors who left."""
        swept = self._clock()
        told = ThrottledLog(log)
        while True:
            await asyncio.sleep(TELL)
            untold, self._untold = self._untold, set()
            eyes, self._untold_eyes = self._untold_eyes, set()
            if (untold or eyes) and self._channels is not None:
                try:
                    seen = msgspec.json.encode(_Seen(self._server, sorted(untold), sorted(eyes)))
                    await self._channels.wait_published(seen, self._channel)
                except Exception as error:
                    told.write(
                        "telling", "The other servers could not be told who looks on: %r", error
                    )
            if self._clock() - swept > PRESENT.total_seconds():
                swept = self._clock()
                self._sweep()

    def _sweep(self) -> None:
        for known in (self._seen, self._eyes):
            for table_id, seen in list(known.items()):
                for owner in [owner for owner, then in seen.items() if self._is_late(then)]:
                    del seen[owner]
                if not seen:
                    del known[table_id]

    async def _hear(self, channels: ChannelsPlugin) -> None:
        subscriber = await channels.subscribe(self._channel)
        try:
            async for data in subscriber.iter_events():
                with contextlib.suppress(msgspec.MsgspecError):
                    told = msgspec.json.decode(data, type=_Seen)
                    if told.server != self._server:
                        for table_id, owner in told.pairs:
                            self._note(table_id, owner)
                        for table_id, visitor in told.eyes:
                            self._eyes.setdefault(table_id, {})[visitor] = self._clock()
        finally:
            await channels.unsubscribe(subscriber, self._channel)
