"""The web server: tables, pages, live updates and storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kursbuch.web.server import serve

__all__ = ["serve"]


def __getattr__(name: str) -> Any:
    # The server is loaded when it is first asked for: the command line starts faster without it.
    if name != "serve":
        raise AttributeError(name)
    from kursbuch.web.server import serve

    return serve
