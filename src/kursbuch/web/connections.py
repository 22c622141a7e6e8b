"""Connections that may not keep the server waiting: one that does not say in time what it wants is closed."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from kursbuch.web.limits import address_of

#: So many seconds the head of a request may take, and its body.
HEAD_TIME = 15.0
BODY_TIME = 60.0

#: So many connections from one address may be open at once.
MOST_OPEN = 500


class Connection(H11Protocol):
    """A connection of a server."""

    #: Open connections by address.
    _open: ClassVar[Counter[str]] = Counter()
    _address: str | None = None
    _timer: asyncio.TimerHandle | None = None
    _awaited = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
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
        """The connection has ended."""
        self._await("", 0)
        if self._address is not None:
            self._open[self._address] -= 1
            if self._open[self._address] <= 0:
                del self._open[self._address]
            self._address = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something arrives."""
        super().data_received(data)
        cycle: Any = self.cycle  # none before the first request
        if cycle is None or cycle.response_complete:
            self._await("head", HEAD_TIME)
        elif cycle.more_body:
            self._await("body", BODY_TIME)
        else:
            self._await("", 0)

    def on_response_complete(self) -> None:
        """An answer has been sent; the next request may take its time to begin."""
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
    """Whether a proxy is there that speaks for many."""
    trusted = os.environ.get("FORWARDED_ALLOW_IPS", "").replace(" ", "").split(",")
    return "*" in trusted or host in trusted
