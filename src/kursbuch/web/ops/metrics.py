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
    "Time from a request to the start of its response.",
    ["kind", "status"],
    buckets=_SHORT,
    registry=COUNTS,
)
REFUSALS = Counter("kursbuch_refusals", "Refused requests.", ["status"], registry=COUNTS)
ERRORS = Counter(
    "kursbuch_errors",
    "Unexpected errors, in requests (500) or in the background.",
    registry=COUNTS,
)
MOVES = Counter("kursbuch_moves", "Stored moves.", ["title", "by"], registry=COUNTS)
STREAMS = Gauge(
    "kursbuch_streams",
    "Open streams of live updates.",
    multiprocess_mode="livesum",
    registry=COUNTS,
)
THOUGHTS = Gauge(
    "kursbuch_thoughts",
    "Jobs in the bot processes.",
    multiprocess_mode="livesum",
    registry=COUNTS,
)
QUEUED = Gauge(
    "kursbuch_thoughts_waiting",
    "Bot moves and hints that wait for a bot process.",
    ["lane"],
    multiprocess_mode="livesum",
    registry=COUNTS,
)
THINKING = Histogram(
    "kursbuch_thinking_seconds",
    "Time of jobs in the bot processes.",
    ["kind"],
    buckets=_LONG,
    registry=COUNTS,
)
DATABASE = Histogram(
    "kursbuch_database_seconds",
    "Time of database use, including waiting.",
    ["kind"],
    buckets=_SHORT,
    registry=COUNTS,
)
LETTERS = Counter(
    "kursbuch_letters",
    "Attempts to send messages, by result: sent, put off or given up.",
    ["channel", "result"],
    registry=COUNTS,
)


@contextmanager
def timed(histogram: Histogram) -> Iterator[None]:
    """Observe the duration of the block."""
    began = time.perf_counter()
    try:
        yield
    finally:
        histogram.observe(time.perf_counter() - began)
