"""Every request is counted, and noted where logs are for machines."""

from __future__ import annotations

import logging
import time

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from kursbuch.web.metrics import REQUESTS

#: Requests, each with what it was and how long it took; switched on where logs are for machines.
log = logging.getLogger("kursbuch.requests")


def watching(app: ASGIApp) -> ASGIApp:
    """The application, with every answer counted as soon as it begins."""

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        began = time.perf_counter()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                seconds = time.perf_counter() - began
                status = message["status"]
                template = scope.get("path_template") or ""
                REQUESTS.labels(kind_of(scope["method"], template), status).observe(seconds)
                if log.isEnabledFor(logging.INFO):
                    log.info("Answered.", extra={"fields": _fields(scope, status, seconds)})
            await send(message)

        await app(scope, receive, sending)

    return watched


def kind_of(method: str, path: str) -> str:
    """The kind of an address, from its template.

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
