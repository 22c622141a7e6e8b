"""Metrics for Prometheus."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

COUNTS = CollectorRegistry()
_SHORT = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_LONG = (0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0)
REQUESTS = Histogram(
    "kursbuch_request_seconds",
    "From a request to the beginning of its answer.",
    ["kind", "status"],
    buckets=_SHORT,
    registry=COUNTS,
)
REFUSALS = Counter(
    "kursbuch_refusals", "Requests refused with a sentence.", ["status"], registry=COUNTS
)
ERRORS = Counter(
    "kursbuch_errors",
    "Unexpected errors, answered by 500 or beside the requests.",
    registry=COUNTS,
)
MOVES = Counter("kursbuch_moves", "Moves that were stored.", ["title", "by"], registry=COUNTS)
STREAMS = Gauge(
    "kursbuch_streams",
    "Open streams of live updates.",
    multiprocess_mode="livesum",
    registry=COUNTS,
)
THOUGHTS = Gauge(
    "kursbuch_thoughts",
    "What the thinking processes have been asked and have not answered.",
    multiprocess_mode="livesum",
    registry=COUNTS,
)
QUEUED = Gauge(
    "kursbuch_thoughts_waiting",
    "Moves and questions that wait for their turn to be thought about.",
    ["lane"],
    multiprocess_mode="livesum",
    registry=COUNTS,
)
THINKING = Histogram(
    "kursbuch_thinking_seconds",
    "From a question to the thinking processes to their answer.",
    ["kind"],
    buckets=_LONG,
    registry=COUNTS,
)
DATABASE = Histogram(
    "kursbuch_database_seconds",
    "How long the database was used, waiting for it included.",
    ["kind"],
    buckets=_SHORT,
    registry=COUNTS,
)
LETTERS = Counter(
    "kursbuch_letters",
    "Letters tried, by what came of it: sent, put off or given up.",
    ["channel", "result"],
    registry=COUNTS,
)


@contextmanager
def timed(histogram: Histogram) -> Iterator[None]:
    """Count how long the block takes."""
    began = time.perf_counter()
    try:
        yield
    finally:
        histogram.observe(time.perf_counter() - began)
