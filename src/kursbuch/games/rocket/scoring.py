"""Majority payments [def-majority, tie-1 to tie-4]."""

from __future__ import annotations

from collections.abc import Sequence


def prizes(
    counts: Sequence[int], first: int, second_numerator: int, second_denominator: int, unit: int
) -> tuple[int, ...]:
    """What each player receives: `first` for the most, the second prize (a fraction, so that half of
    an odd amount stays exact) for the second most, every part rounded up to `unit`.

    >>> prizes([4, 3, 1], 5000, 5000, 2, 1000)       # half of 5000, rounded up [tie-1]
    (5000, 3000, 0)
    >>> prizes([1, 1, 1], 2000, 1000, 1, 1000)       # tied for first [tie-2]
    (1000, 1000, 1000)
    >>> prizes([3, 2, 2], 6000, 3000, 1, 1000)       # tied for second [tie-3]
    (6000, 2000, 2000)
    >>> prizes([0, 2, 0], 6000, 3000, 1, 1000)       # nobody is second [tie-4]
    (0, 6000, 0)
    """
    best = max(counts)
    if best == 0:
        return (0,) * len(counts)
    leaders = counts.count(best)
    if leaders > 1:
        pot = first * second_denominator + second_numerator
        part = -(-pot // (second_denominator * leaders * unit)) * unit
        return tuple(part if count == best else 0 for count in counts)
    runner_up = max((count for count in counts if count != best), default=0)
    if runner_up == 0:
        return tuple(first_rounded(first, unit) if count == best else 0 for count in counts)
    part = -(-second_numerator // (second_denominator * counts.count(runner_up) * unit)) * unit
    return tuple(
        first_rounded(first, unit) if count == best else part if count == runner_up else 0
        for count in counts
    )


def first_rounded(amount: int, unit: int) -> int:
    """An amount rounded up to the next multiple of `unit`."""
    return -(-amount // unit) * unit
