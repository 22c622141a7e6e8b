"""What every request meets first."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Litestar, Request
from litestar.datastructures import MutableScopeHeaders

from kursbuch.core.words import Words
from kursbuch.web.headers import protect
from kursbuch.web.metrics import REFUSALS
from kursbuch.web.queues import BUSY
from kursbuch.web.requests import language_of_stranger, wants_page
from kursbuch.web.watching import watched

#: Marks, in the scope, a request that wants no more than the headers.
HEAD = "kursbuch.head"

#: Answered without asking who asks, by whatever name and however often, if there is such a thing.
UNASKED = ("/static/", "/favicon.ico", "/health", "/ready")

#: The longest address, and the longest part of one, in bytes; file systems take no longer ones.
LONGEST_PATH = 1000
LONGEST_PART = 255

#: What a request for an address that cannot be one is for instead.
NOWHERE = "/nowhere"

#: So many seconds later a server that has too much to do may be asked again.
RETRY_AFTER = 3

#: Requests that change nothing.
_LOOKING = ("GET", "HEAD", "OPTIONS")


class Front(Litestar):
    """The application, which answers HEAD wherever it answers GET, finds nothing at an address that cannot be one,
    and says that it has too much to do before it has done anything: refusals that cost much would leave no time for
    those who are served."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request. The server that runs the application sends no body in answer to HEAD."""
        if scope["type"] == "http":
            if scope["method"] == "HEAD":
                scope = {**scope, "method": "GET", HEAD: True}
            if not is_usable(scope["path"], scope["query_string"]):
                # Counted, and told, like anything that is not there.
                api = "/api" if scope["path"].startswith("/api/") else ""
                scope = {**scope, "path": api + NOWHERE, "query_string": b""}
            send = watched(scope, send)
            if self._is_crowded(scope):
                await put_off(scope, send, BUSY)
                return
        await super().__call__(scope, receive, send)

    def _is_crowded(self, scope: Any) -> bool:
        if scope["path"].startswith(UNASKED):
            return False
        writing = scope["method"] not in _LOOKING
        return bool(self.state.tables.database.is_crowded(writing=writing))


def is_usable(path: str, query: bytes = b"") -> bool:
    """Whether an address can be one of ours: databases and file systems know no other.

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
    """Say why nothing can be answered just now; a page is loaded again by itself."""
    request = Request[Any, Any, Any](scope)
    sentence = Words(language_of_stranger(request))._(why)
    if wants_page(request):
        kind, content = "text/html; charset=utf-8", _PAGE.format(sentence, RETRY_AFTER).encode()
    else:
        kind = "application/json"
        content = msgspec.json.encode({"error": sentence, "rule": ""})
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
