"""Measuring: CPU times of work that starts cold, always next to a baseline in the same run.

Cold means that nothing of an answer is kept from a question before. Warm is the same question asked again.
A figure is a median; of times that differ much from position to position the 99th percentile and the worst
are shown as well.
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

#: Every work is timed so often; the median counts.
RUNS = 3

#: What is kept of files and components is there before the first question, and stays.
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
    """One figure. `ratio` is how many times better than the baseline it is: the figure to compare
    between machines. `warm` is the figure when the same is asked again, if that is measured."""

    name: str
    value: float
    unit: str
    baseline: str
    baseline_value: float
    ratio: float
    warm: float | None = None


class Caches:
    """What the program keeps of its answers, as far as it has been loaded when this is made."""

    def __init__(self) -> None:
        # What is frozen is not listed.
        frozen = gc.get_freeze_count()
        gc.unfreeze()
        objects = gc.get_objects()
        if frozen:
            gc.freeze()
        self.clears: list[Callable[[], None]] = []
        for each in objects:
            if isinstance(each, functools._lru_cache_wrapper):
                made = each.__wrapped__
                name = f"{made.__module__}.{made.__qualname__}"
                if name.startswith("kursbuch.") and not name.startswith(LOADED):
                    self.clears.append(each.cache_clear)
            elif isinstance(each, TrackMap | Prospects):
                self.clears.append(each.forget)

    def clear(self) -> None:
        """Begin cold."""
        for clear in self.clears:
            clear()


class Times(NamedTuple):
    """Seconds of some work that starts cold, and of the same again."""

    cold: float
    warm: float


def once(work: Callable[[], object]) -> float:
    """The CPU time of some work."""
    started = time.process_time()
    work()
    return time.process_time() - started


def asked(work: Callable[[], object], caches: Caches, runs: int = RUNS) -> Times:
    """The median times of a question: every run asks it cold, and again."""
    cold, warm = [], []
    for _ in range(runs):
        caches.clear()
        cold.append(once(work))
        warm.append(once(work))
    return Times(median(cold), median(warm))


def seconds(work: Callable[[], object], runs: int = 5, caches: Caches | None = None) -> float:
    """The median CPU time of some work; every run starts cold if there are caches."""
    times = []
    for _ in range(runs):
        if caches is not None:
            caches.clear()
        gc.collect()
        times.append(once(work))
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
    name: str,
    value: float,
    unit: str,
    baseline: str,
    baseline_value: float,
    warm: float | None = None,
) -> Measurement:
    """A figure of which less is better."""
    return Measurement(name, value, unit, baseline, baseline_value, baseline_value / value, warm)


def part(values: Sequence[float], share: float) -> float:
    """The value that this share of the values does not exceed.

    >>> part([3.0, 1.0, 2.0], 0.5), part([3.0, 1.0, 2.0], 1.0)
    (2.0, 3.0)
    """
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def spread(
    name: str, times: Sequence[Times], baseline: str, others: Sequence[float]
) -> Iterator[Measurement]:
    """Median, 99th percentile and worst of times over many positions, cold and warm, in milliseconds,
    beside the same of other times."""
    cold, warm = [one.cold for one in times], [one.warm for one in times]
    for label, share in (("median", 0.5), ("99th percentile", 0.99), ("worst", 1.0)):
        ours, again, theirs = (part(each, share) * 1e3 for each in (cold, warm, others))
        yield shorter(f"{name}, {label}", ours, "ms", baseline, theirs, again)
