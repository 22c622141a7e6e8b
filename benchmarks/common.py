"""Measuring: medians over several runs, always next to a baseline in the same run."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from statistics import median

import msgspec


class Measurement(msgspec.Struct):
    """One figure. `ratio` is how many times better than the baseline it is: the figure to compare
    between machines."""

    name: str
    value: float
    unit: str
    baseline: str
    baseline_value: float
    ratio: float


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    """The median time of some work."""
    times = []
    for _ in range(runs):
        gc.collect()
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return median(times)


def reference() -> int:
    """A fixed workload of plain Python of the kind a rule engine does: dictionaries, lists, small
    objects, sets and integers. Its speed stands for that of the machine and of Python."""
    total = 0
    grid = {
        (row, column): (row * 31 + column * 17) % 7 for row in range(30) for column in range(30)
    }
    for turn in range(8):
        waiting, seen = [(turn, 0)], {(turn, 0)}
        while waiting:
            row, column = waiting.pop()
            for near in (
                (row + 1, column),
                (row, column + 1),
                (row - 1, column),
                (row, column - 1),
            ):
                if near in grid and near not in seen:
                    seen.add(near)
                    waiting.append(near)
                    total += grid[near]
        total += len(sorted(seen, key=lambda place: grid[place]))
    return total


def faster(name: str, value: float, unit: str, baseline: str, baseline_value: float) -> Measurement:
    """A figure of which more is better."""
    return Measurement(name, value, unit, baseline, baseline_value, value / baseline_value)


def shorter(
    name: str, value: float, unit: str, baseline: str, baseline_value: float
) -> Measurement:
    """A figure of which less is better."""
    return Measurement(name, value, unit, baseline, baseline_value, baseline_value / value)
