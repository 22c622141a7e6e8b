"""Metrics for Prometheus, and the access log."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from litestar.types import HTTPScope, Message, Send
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
REQUESTS_WAITING = Gauge(
    "kursbuch_requests_waiting",
    "Requests that wait for their turn.",
    multiprocess_mode="livesum",
    registry=COUNTS,
)
REQUESTS_SHED = Counter(
    "kursbuch_requests_shed",
    "Requests refused because their turn did not come.",
    registry=COUNTS,
)
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


#: Requests with their duration, if logs are JSON.
access_log = logging.getLogger("kursbuch.requests")


def measured(scope: HTTPScope, send: Send) -> Send:
    """Return a `send` that counts and logs a request when its response starts."""
    began = time.perf_counter()

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            seconds = time.perf_counter() - began
            status = message["status"]
            # An unknown path is counted by its kind only.
            template = scope.get("path_template") or scope["path"]
            REQUESTS.labels(request_kind(scope["method"], template), status).observe(seconds)
            if access_log.isEnabledFor(logging.INFO):
                access_log.info("Answered.", extra={"fields": _fields(scope, status, seconds)})
        await send(message)

    return sending


def request_kind(method: str, path: str) -> str:
    """Return the kind of a request for metrics, from its path template, or its path if unknown.

    >>> [request_kind("GET", path) for path in ("/", "/static/{path:path}", "/t/{table_id}/live", "/api/tables")]
    ['page', 'static', 'live', 'api']
    >>> request_kind("POST", "/t/{table_id}/move"), request_kind("POST", "/t/{table_id}/chat")
    ('move', 'change')
    """
    if path.startswith("/static"):
        return "static"
    if path in ("/health", "/ready"):
        return "health"
    last = path.rpartition("/")[2]
    if method not in ("GET", "HEAD", "OPTIONS"):
        return "move" if last == "move" else "change"
    if last in ("events", "live"):
        return last
    return "api" if path.startswith("/api/") else "page"


def _fields(scope: HTTPScope, status: int, seconds: float) -> dict[str, object]:
    """Return the log fields of a request. Paths may contain secrets, so only the template is logged."""
    fields: dict[str, object] = {
        "method": scope["method"],
        "path": scope.get("path_template") or "",
        "status": status,
        "ms": round(seconds * 1000, 1),
    }
    table = scope.get("path_params", {}).get("table_id")
    return {**fields, "table": str(table)[:16]} if table else fields
