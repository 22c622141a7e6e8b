"""Measurement: CPU times of cold work, next to a baseline in the same run.

Cold means that no answer is cached; warm is the same request again. A figure is a median; for times that vary by
position, the 99th percentile and the maximum are shown as well.
"""

from __future__ import annotations

import functools
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import NamedTuple

import msgspec

from kursbuch.games.g18xx.evaluation import Prospects
from kursbuch.games.g18xx.map.track import TrackMap

#: Number of runs; the median counts.
RUNS = 3

#: Caches of files and components, filled before the first run and kept.
LOADED = (
    "kursbuch.core.",
    "kursbuch.web.",
    "kursbuch.games.dice.components.",
    "kursbuch.games.g18xx.evaluation.tracks",
    "kursbuch.games.g18xx.g1835.components.",
    "kursbuch.games.g18xx.g1835.ai.worths",
    "kursbuch.games.g18xx.g1853.components.",
    "kursbuch.games.nimm.components.",
    "kursbuch.games.rocket.components.",
    "kursbuch.games.rocket.evaluation.tables",
    "kursbuch.games.rocket.prospects.prospects",
    "kursbuch.games.rocket.prospects.worths",
)


class Measurement(msgspec.Struct):
    """A figure. `ratio` is how many times better than the baseline it is, for comparisons between machines. `warm`
    is the figure of a repeated request, if measured."""

    name: str
    value: float
    unit: str
    baseline: str
    baseline_value: float
    ratio: float
    warm: float | None = None


class Caches:
    """Caches of the program's answers, as loaded at creation."""

    def __init__(self) -> None:
        # Frozen objects are not listed.
        frozen = gc.get_freeze_count()
        gc.unfreeze()
        objects = gc.get_objects()
        if frozen:
            gc.freeze()
        self.clears: list[Callable[[], None]] = []
        for each in objects:
            if isinstance(each, functools._lru_cache_wrapper):
                made = each.__wrapped__
                # Libraries cache partial functions, which have no name.
                name = f"{made.__module__}.{getattr(made, '__qualname__', '')}"
                if name.startswith("kursbuch.") and not name.startswith(LOADED):
                    self.clears.append(each.cache_clear)
            elif isinstance(each, TrackMap | Prospects):
                self.clears.append(each.forget)

    def clear(self) -> None:
        """Clear all caches."""
        for clear in self.clears:
            clear()


class Times(NamedTuple):
    """Seconds of cold and of repeated work."""

    cold: float
    warm: float


def once(work: Callable[[], object]) -> float:
    """CPU time of some work."""
    started = time.process_time()
    work()
    return time.process_time() - started


def timed(work: Callable[[], object], caches: Caches, runs: int = RUNS) -> Times:
    """Median times of a request, cold and repeated in each run."""
    cold, warm = [], []
    for _ in range(runs):
        caches.clear()
        cold.append(once(work))
        warm.append(once(work))
    return Times(median(cold), median(warm))


def seconds(work: Callable[[], object], runs: int = 5, caches: Caches | None = None) -> float:
    """Median CPU time of some work; cold in each run if caches are given."""
    times = []
    for _ in range(runs):
        if caches is not None:
            caches.clear()
        gc.collect()
        times.append(once(work))
    return median(times)


def reference() -> int:
    """A fixed workload of plain Python similar to a rule engine: dictionaries, lists, small objects, sets and
    integers. It measures the machine and Python."""
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
    """A figure where more is better."""
    return Measurement(name, value, unit, baseline, baseline_value, value / baseline_value)


def shorter(
    name: str,
    value: float,
    unit: str,
    baseline: str,
    baseline_value: float,
    warm: float | None = None,
) -> Measurement:
    """A figure where less is better."""
    return Measurement(name, value, unit, baseline, baseline_value, baseline_value / value, warm)


def quantile(values: Sequence[float], share: float) -> float:
    """Quantile: the value not exceeded by this share of the values.

    >>> quantile([3.0, 1.0, 2.0], 0.5), quantile([3.0, 1.0, 2.0], 1.0)
    (2.0, 3.0)
    """
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def spread(
    name: str, times: Sequence[Times], baseline: str, others: Sequence[float]
) -> Iterator[Measurement]:
    """Median, 99th percentile and maximum over many positions, cold and warm, in milliseconds, beside a baseline."""
    cold, warm = [one.cold for one in times], [one.warm for one in times]
    for label, share in (("median", 0.5), ("99th percentile", 0.99), ("worst", 1.0)):
        ours, again, theirs = (quantile(each, share) * 1e3 for each in (cold, warm, others))
        yield shorter(f"{name}, {label}", ours, "ms", baseline, theirs, again)
