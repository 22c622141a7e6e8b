"""Tallies: what happened in a stretch of play, in numbers that two continuations of a game can be compared by."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kursbuch.core.events import Event, Payment

#: What is counted: a kind, then what it is about, such as ("dividends", "PR").
Key = tuple[str, ...]


class Tally(msgspec.Struct):
    """Money or points by key, an amount per seat, and other counts by key.

    The second part of a key is what it is about (a company), if anything: counts explain the money with the same one.

    >>> tally = Tally(2)
    >>> tally.pay(("dividends", "PR"), (30, 10))
    >>> tally.pay(("dividends", "PR"), (0, 10))
    >>> tally.count(("train", "PR", "6"))
    >>> tally.money, tally.counts
    ({('dividends', 'PR'): [30.0, 20.0]}, {('train', 'PR', '6'): 1.0})
    """

    seats: int
    money: dict[Key, list[float]] = {}
    counts: dict[Key, float] = {}

    def pay(self, key: Key, amounts: Sequence[float]) -> None:
        """Add amounts per seat."""
        row = self.money.setdefault(key, [0.0] * self.seats)
        for seat, amount in enumerate(amounts):
            row[seat] += amount

    def count(self, key: Key, number: float = 1) -> None:
        """Add a number."""
        self.counts[key] = self.counts.get(key, 0.0) + number

    def count_leader(self, key: Key, numbers: Sequence[int]) -> None:
        """Count the seat with the largest number, if it is the only one: the key ends with it.

        >>> tally = Tally(2)
        >>> tally.count_leader(("most-shares", "PR"), (1, 3))
        >>> tally.count_leader(("most-shares", "BY"), (2, 2))
        >>> tally.counts
        {('most-shares', 'PR', '1'): 1.0}
        """
        most = max(numbers)
        if most and numbers.count(most) == 1:
            self.count((*key, str(numbers.index(most))))


def payments(seats: int, events: Sequence[Event]) -> Tally:
    """The payments among these events by kind of event."""
    tally = Tally(seats)
    for event in events:
        if isinstance(event, Payment) and any(event.amounts) and not event.EXCHANGE:
            tally.pay((type(event).__name__,), event.amounts)
    return tally
