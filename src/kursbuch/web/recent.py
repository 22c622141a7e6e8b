"""What was used lately is kept, and what was not makes room."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class Recent(Generic[KeyT, ValueT]):
    """At most so many values by key; the one that was not used for longest goes.

    >>> kept = Recent[str, int](2)
    >>> kept.put("a", 1), kept.put("b", 2), kept.get("a"), kept.put("c", 3)
    (1, 2, 1, 3)
    >>> kept.get("a"), kept.get("b")
    (1, None)
    """

    def __init__(self, most: int) -> None:
        self._kept: OrderedDict[KeyT, ValueT] = OrderedDict()
        self._most = most

    def get(self, key: KeyT) -> ValueT | None:
        """The value of a key, None if it is not there (any more)."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def put(self, key: KeyT, value: ValueT) -> ValueT:
        """Keep a value, and return it."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value

    def drop(self, key: KeyT) -> None:
        """Forget a value."""
        self._kept.pop(key, None)

    def clear(self) -> None:
        """Forget all values."""
        self._kept.clear()
