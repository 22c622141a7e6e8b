"""Access log and request metrics."""

from __future__ import annotations

import logging
import time

from litestar.types import HTTPScope, Message, Send

from kursbuch.web.ops.metrics import REQUESTS

#: Requests, each with what it was and how long it took; switched on where logs are for machines.
log = logging.getLogger("kursbuch.requests")


def watched(scope: HTTPScope, send: Send) -> Send:
    """Where to send the answer to a request, so that it is counted as soon as it begins."""
    began = time.perf_counter()

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            seconds = time.perf_counter() - began
            status = message["status"]
            # Of an address that was not found only the kind is told.
            template = scope.get("path_template") or scope["path"]
            REQUESTS.labels(kind_of(scope["method"], template), status).observe(seconds)
            if log.isEnabledFor(logging.INFO):
                log.info("Answered.", extra={"fields": _fields(scope, status, seconds)})
        await send(message)

    return sending


def kind_of(method: str, path: str) -> str:
    """The kind of an address, from its template, or from itself where none was found.

    >>> [kind_of("GET", path) for path in ("/", "/static/{path:path}", "/t/{table_id}/live", "/api/tables")]
    ['page', 'static', 'live', 'api']
    >>> kind_of("POST", "/t/{table_id}/move"), kind_of("POST", "/t/{table_id}/chat")
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
    """A request for the log. Parts of addresses can be secrets, so only their template is told."""
    fields: dict[str, object] = {
        "method": scope["method"],
        "path": scope.get("path_template") or "",
        "status": status,
        "ms": round(seconds * 1000, 1),
    }
    table = scope.get("path_params", {}).get("table_id")
    return {**fields, "table": str(table)[:16]} if table else fields
