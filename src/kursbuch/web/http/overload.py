"""Load shedding: connections and requests the server turns away."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from typing import Any, ClassVar

import msgspec
from litestar import Litestar, Request
from litestar.datastructures import MutableScopeHeaders
from uvicorn.protocols.http.h11_impl import H11Protocol

from kursbuch.core.words import Words
from kursbuch.web.http.admission import Admission, within_turn
from kursbuch.web.http.errors import BUSY, Unavailable
from kursbuch.web.http.rate_limits import address_of
from kursbuch.web.http.requests import language_of_stranger, wants_page
from kursbuch.web.http.security import protect
from kursbuch.web.ops.metrics import REFUSALS, measured

#: Time limits of the head of a request and of its body, in seconds.
HEAD_TIME = 15.0
BODY_TIME = 60.0

#: Maximum number of open connections from one address.
MOST_OPEN = 500


class Connection(H11Protocol):
    """A client connection with time limits and a limit per address."""

    #: Open connections by address.
    _open: ClassVar[Counter[str]] = Counter()
    _address: str | None = None
    _timer: asyncio.TimerHandle | None = None
    _awaited = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept or abort a new connection."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self._address = None if _is_proxy(host) else address_of(host)
        if self._address is not None:
            self._open[self._address] += 1
            if self._open[self._address] > MOST_OPEN:
                transport.abort()
                return
        self._await("head", HEAD_TIME)

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up after the end of the connection."""
        self._await("", 0)
        if self._address is not None:
            self._open[self._address] -= 1
            if self._open[self._address] <= 0:
                del self._open[self._address]
            self._address = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle data and restart the timer."""
        super().data_received(data)
        cycle: Any = self.cycle  # none before the first request
        if cycle is None or cycle.response_complete:
            self._await("head", HEAD_TIME)
        elif cycle.more_body:
            self._await("body", BODY_TIME)
        else:
            self._await("", 0)

    def on_response_complete(self) -> None:
        """Stop the timer after a response; the next request may start at any time."""
        self._await("", 0)
        super().on_response_complete()

    def _await(self, what: str, seconds: float) -> None:
        if what == self._awaited:
            return
        self._awaited = what
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if what and not self.transport.is_closing():
            self._timer = self.loop.call_later(seconds, self.transport.abort)


def _is_proxy(host: str) -> bool:
    """Tell whether a host is a trusted proxy, which speaks for many clients."""
    trusted = os.environ.get("FORWARDED_ALLOW_IPS", "").replace(" ", "").split(",")
    return "*" in trusted or host in trusted


#: Key in the scope that marks a HEAD request.
HEAD = "kursbuch.head"

#: Paths that are answered for any visitor and host name, and without rate limits.
UNASKED = ("/static/", "/favicon.ico", "/health", "/ready")

#: Maximum length of a path and of one part of it, in bytes; file systems allow no more.
LONGEST_PATH = 1000
LONGEST_PART = 255

#: Path that stands for every impossible one.
NOWHERE = "/nowhere"

#: Value of Retry-After when the server is overloaded, in seconds.
RETRY_AFTER = 3


class OverloadApp(Litestar):
    """The application. It answers HEAD wherever it answers GET, and impossible paths with 404.
    Requests are answered in turns (`Admission`), or refused before any work: expensive refusals would
    take time from those who are served."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request. The ASGI server sends no body in answer to HEAD."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET", HEAD: True}
        if not is_usable(scope["path"], scope["query_string"]):
            # Counted and answered like any other missing page.
            api = "/api" if scope["path"].startswith("/api/") else ""
            scope = {**scope, "path": api + NOWHERE, "query_string": b""}
        send = measured(scope, send)
        scope |= {"litestar_app": self, "state": scope.get("state") or {}}
        admission: Admission = self.state.admission
        turn = None
        try:
            async with admission.turn(scope) as turn:
                await within_turn(turn, super().__call__, scope, receive, send)
        except Unavailable:
            if turn is not None:
                raise
            await put_off(scope, send, BUSY)


def is_usable(path: str, query: bytes = b"") -> bool:
    """Tell whether a path and query are valid for databases and file systems.

    >>> [is_usable(one) for one in ("/static/icon.svg", "/t/ä", "/static/\\0", "/static/" + 300 * "a", 600 * "/a")]
    [True, True, False, False, False]
    >>> is_usable("/", b"x=%20"), is_usable("/", b"x=%00")
    (True, False)
    """
    try:
        written = path.encode()
    except UnicodeEncodeError:
        return False
    return (
        b"\0" not in written
        and b"\0" not in query
        and b"%00" not in query
        and len(written) <= LONGEST_PATH
        and all(len(part) <= LONGEST_PART for part in written.split(b"/"))
    )


async def put_off(scope: Any, send: Any, why: str) -> None:
    """Answer with 503 and the reason; a page reloads by itself."""
    request = Request[Any, Any, Any](scope)
    sentence = Words(language_of_stranger(request))._(why)
    if wants_page(request):
        kind, content = "text/html; charset=utf-8", _PAGE.format(sentence, RETRY_AFTER).encode()
    else:
        kind = "application/json"
        content = msgspec.json.encode({"error": sentence, "rule": "", "rule_name": ""})
    REFUSALS.labels(503).inc()
    headers = {
        "content-type": kind,
        "content-length": str(len(content)),
        "retry-after": str(RETRY_AFTER),
        "cache-control": "no-store",
    }
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    start: Any = {"type": "http.response.start", "status": 503, "headers": pairs}
    protect(MutableScopeHeaders.from_message(start), scope)
    await send(start)
    await send({"type": "http.response.body", "body": content})


_PAGE = """<!doctype html>
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="{1}">
<title>Kursbuch</title>
<p>{0}</p>
"""
