"""Caches that drop the least recently used entries."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class _Kept(Generic[ValueT]):
    """A cached value with its weight and the time of its last use."""

    __slots__ = ("used", "value", "weight")

    def __init__(self, value: ValueT, weight: float, used: float) -> None:
        self.value = value
        self.weight = weight
        self.used = used


class LruCache(Generic[KeyT, ValueT]):
    """A cache of at most `most` values; the least recently used one goes first. With `weigh` the
    limit applies to the total weight. With `rest`, values unused for that many seconds go as well.

    >>> kept = LruCache[str, int](2)
    >>> kept.put("a", 1), kept.put("b", 2), kept.get("a"), kept.put("c", 3)
    (1, 2, 1, 3)
    >>> kept.get("a"), kept.get("b")
    (1, None)
    >>> heavy = LruCache[str, str](5, weigh=len)
    >>> heavy.put("a", "xxx"), heavy.put("b", "xx"), heavy.put("c", "x"), heavy.weight
    ('xxx', 'xx', 'x', 3.0)
    """

    def __init__(
        self,
        most: float,
        weigh: Callable[[ValueT], float] | None = None,
        rest: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        _ALL.add(self)
        self._kept: OrderedDict[KeyT, _Kept[ValueT]] = OrderedDict()
        self._most = most
        self._weigh = weigh or (lambda value: 1)
        self._rest = rest
        self._clock = clock
        #: Total weight of all values.
        self.weight = 0.0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: KeyT) -> ValueT | None:
        """Return the value of a key, None if it is not cached."""
        found = self._kept.get(key)
        if found is None:
            return None
        found.used = self._clock()
        self._kept.move_to_end(key)
        return found.value

    def put(self, key: KeyT, value: ValueT) -> ValueT:
        """Store and return a value. The newest value stays, however heavy it is."""
        self.drop(key)
        weight = self._weigh(value)
        self._kept[key] = _Kept(value, weight, self._clock())
        self.weight += weight
        while len(self._kept) > 1:
            oldest = next(iter(self._kept))
            used = self._kept[oldest].used
            late = self._rest is not None and used < self._clock() - self._rest
            if self.weight <= self._most and not late:
                break
            self.drop(oldest)
        return value

    def drop(self, key: KeyT) -> None:
        """Remove a value."""
        found = self._kept.pop(key, None)
        if found is not None:
            self.weight -= found.weight

    def clear(self) -> None:
        """Remove all values."""
        self._kept.clear()
        self.weight = 0.0


_ALL: WeakSet[LruCache[Any, Any]] = WeakSet()


def clear_all_caches() -> None:
    """Empty every cache of this process, because the database was replaced."""
    for kept in list(_ALL):
        kept.clear()
