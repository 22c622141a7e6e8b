"""What every request meets first."""

from __future__ import annotations

from typing import Any

from litestar import Litestar

#: Marks, in the scope, a request that wants no more than the headers.
HEAD = "kursbuch.head"


class Front(Litestar):
    """The application, which answers HEAD wherever it answers GET."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request. The server that runs the application sends no body in answer to HEAD."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET", HEAD: True}
        await super().__call__(scope, receive, send)
