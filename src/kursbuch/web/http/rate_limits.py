"""Rate limits per visitor and per address, and the guard that applies them."""

from __future__ import annotations

import ipaddress
import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import msgspec
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Scope

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Misdirected, TooMany, Unavailable
from kursbuch.web.http.security import Hosts, visitor_of

CHEAP, DOING, COSTLY, TABLES, LOGIN = "cheap", "doing", "costly", "tables", "login"

#: Windows of time of each kind, in seconds.
WINDOWS = {CHEAP: 60, DOING: 60, COSTLY: 60, TABLES: 3600, LOGIN: 600}

#: Number of visitors that may share an address.
SHARING = 5

#: Clock of the windows; tests replace it.
clock = time.time
log = logging.getLogger(__name__)


class Limits(msgspec.Struct, frozen=True):
    """Maximum number of requests of each kind per visitor in its window, and of open streams. An
    address may send `SHARING` times as many."""

    cheap: int
    doing: int
    costly: int
    tables: int
    login: int
    streams: int
    all_streams: int


#: For a private server: only runaway clients are stopped.
HOUSEHOLD = Limits(6000, 3000, 600, 600, 60, 200, 5000)

#: For a public server.
PUBLIC = Limits(600, 120, 60, 20, 15, 20, 5000)
PRESETS = {"household": HOUSEHOLD, "public": PUBLIC, "off": None}


def limits_of(given: str) -> Limits | None:
    """Parse limits: the name of a preset, and values that differ from it.

    >>> limits_of("public streams=5").streams, limits_of("") == HOUSEHOLD, limits_of("off")
    (5, True, None)
    """
    words = given.replace(",", " ").split()
    name = words.pop(0) if words and "=" not in words[0] else "household"
    changes = dict(word.partition("=")[::2] for word in words)
    fields = Limits.__struct_fields__
    if name not in PRESETS or not all(
        key in fields and value.isdecimal() for key, value in changes.items()
    ):
        raise KursbuchError(
            'Limits are {presets}, optionally followed by changes such as "public streams=5" '
            "to {names}.",
            presets=", ".join(PRESETS),
            names=", ".join(fields),
        )
    preset = PRESETS[name]
    return preset and msgspec.structs.replace(
        preset, **{key: int(value) for key, value in changes.items()}
    )


class Counts(Protocol):
    """Counters that restart with every window of time."""

    async def add(self, names: list[str], window: int) -> list[int]:
        """Increment counters; return their values in this window."""
        ...


class OwnCounts:
    """Counters of one process."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[int, Counter[str]]] = {}

    async def add(self, names: list[str], window: int) -> list[int]:
        """Increment counters."""
        number = int(clock() // window)
        kept = self._counts.get(window)
        if kept is None or kept[0] != number:
            kept = self._counts[window] = (number, Counter())
        counts = kept[1]
        counts.update(names)
        return [counts[name] for name in names]


class SharedCounts:
    """Counters in Redis, shared by several processes; each uses its own while Redis is down."""

    def __init__(self, url: str, prefix: str) -> None:
        from redis.asyncio import Redis

        self._redis = Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1)
        self._prefix = prefix
        self._own = OwnCounts()
        self._away_until = 0.0

    async def add(self, names: list[str], window: int) -> list[int]:
        """Increment counters."""
        if time.monotonic() < self._away_until:
            return await self._own.add(names, window)
        from redis.exceptions import RedisError

        number = int(clock() // window)
        try:
            async with self._redis.pipeline(transaction=False) as pipe:
                for name in names:
                    key = f"{self._prefix}-limit-{name}-{window}-{number}"
                    pipe.incr(key)
                    pipe.expire(key, 2 * window)
                found: list[Any] = await pipe.execute()
        except (RedisError, OSError) as error:
            log.warning("Requests are counted without Redis for a while: %s", error)
            self._away_until = time.monotonic() + 10
            return await self._own.add(names, window)
        return [int(count) for count in found[::2]]

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()


class Limiter:
    """Counts requests of visitors and refuses excess ones."""

    def __init__(self, limits: Limits | None, redis: str | None = None, prefix: str = "") -> None:
        self.limits = limits
        self._own = OwnCounts()
        self._shared = SharedCounts(redis, prefix) if redis and limits else None
        self._streams: Counter[str] = Counter()

    async def close(self) -> None:
        """Close the connections."""
        if self._shared is not None:
            await self._shared.close()

    async def check(self, kind: str, visitor: str | None, address: str | None) -> None:
        """Count a request; raise `TooMany` above the limit of its kind. New visitors have no id yet."""
        if self.limits is None:
            return
        most: int = getattr(self.limits, kind)
        limits = {}
        if visitor is not None:
            limits[f"{kind}-{visitor}"] = most
        if address is not None:
            limits[f"{kind}-{address}"] = most * SHARING
        if not limits:
            return
        counts: Counts = self._own if self._shared is None or kind == CHEAP else self._shared
        window = WINDOWS[kind]
        found = await counts.add(list(limits), window)
        if any(count > limit for count, limit in zip(found, limits.values(), strict=True)):
            raise too_many(int(window - clock() % window) + 1)

    def check_stream(self, visitor: str, address: str | None) -> None:
        """Refuse a stream above the limits."""
        if self.limits is None:
            return
        most = self.limits.streams
        if self._streams[visitor] >= most or (
            address is not None and self._streams[address] >= most * SHARING
        ):
            raise too_many(30)
        if self._streams[""] >= self.limits.all_streams:
            raise Unavailable(N_("Too many spectators. Please try again later."))

    @contextmanager
    def streaming(self, visitor: str, address: str | None) -> Iterator[None]:
        """Count a stream while the block runs."""
        names = ["", visitor, *([address] if address else [])]
        self._streams.update(names)
        try:
            yield
        finally:
            self._streams.subtract(names)
            for name in names:
                if not self._streams[name]:
                    del self._streams[name]


def too_many(seconds: int) -> TooMany:
    """Return the refusal of an excess request, which may be repeated after `seconds`."""
    return TooMany(N_("Too many requests. Please try again in {seconds} seconds."), seconds=seconds)


def address_of(host: str | None) -> str | None:
    """Return what counts as one address: an IPv6 address stands for its /64 network. Loopback has
    none: it is the operator, or a proxy that hides its clients.

    >>> address_of("203.0.113.9"), address_of("2001:db8:1:2:3::4"), address_of("127.0.0.1")
    ('203.0.113.9', '2001:db8:1:2::/64', None)
    """
    try:
        found = ipaddress.ip_address(host or "")
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return address_of(str(found.ipv4_mapped))
        if not found.is_loopback:
            return str(ipaddress.ip_network((found, 64), strict=False))
    return None if found.is_loopback else str(found)


#: Keys in the state of a request: whether it was counted, and why it was stopped.
_COUNTED = "counted"
_REFUSAL = "refusal"


async def rate_limit_guard(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler | None = None
) -> None:
    """Check the host name and the rate limit of a request. The option `cost` of a handler names its
    kind; other handlers are `CHEAP` or `DOING`."""
    scope = connection.scope
    scope["state"][_COUNTED] = True
    hosts: Hosts = connection.app.state.hosts
    name = connection.headers.get("host", "")
    if not hosts.allows(name, scope["scheme"] == "https"):
        raise Misdirected(
            N_(
                "This server does not answer to the name {name}. Its operator can allow it with "
                "KURSBUCH_HOSTS."
            ),
            name=name[:100],
        )
    limiter: Limiter = connection.app.state.limiter
    usual = CHEAP if scope.get("method") in ("GET", "OPTIONS") else DOING
    visitor = visitor_of(connection)
    await limiter.check(
        handler.opt.get("cost", usual) if handler else usual,
        None if visitor.is_new else visitor.id or None,
        address_of_visitor(connection),
    )


async def stop_stray(error: Exception, scope: Any) -> None:
    """Check requests without a handler, which pass no guard. `refusal_of_stray` returns the refusal."""
    if scope["type"] != ScopeType.HTTP or _COUNTED in scope["state"]:
        return
    if "route_handler" in scope and not isinstance(error, NotFoundException):
        return
    try:
        await rate_limit_guard(ASGIConnection(scope))
    except KursbuchError as refusal:
        scope["state"][_REFUSAL] = refusal


def refusal_of_stray(scope: Scope) -> KursbuchError | None:
    """Return why a request was stopped, None if it was not."""
    refusal: KursbuchError | None = scope["state"].get(_REFUSAL)
    return refusal


def address_of_visitor(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the address of a request. The word of a trusted proxy is used already."""
    return address_of(connection.client.host if connection.client else None)
