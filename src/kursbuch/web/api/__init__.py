"""The JSON interface, so that programs can play. Described under /schema."""

from __future__ import annotations

from litestar import Router

from kursbuch.web.api import (
    ahead,
    coming_and_going,
    corrections,
    general,
    hints,
    lobby,
    moves,
    people,
    seats,
    tables,
)

ROUTER = Router(
    "/api",
    route_handlers=[
        *general.HANDLERS,
        *lobby.HANDLERS,
        *tables.HANDLERS,
        *seats.HANDLERS,
        *moves.HANDLERS,
        *coming_and_going.HANDLERS,
        *hints.HANDLERS,
        *ahead.HANDLERS,
        *corrections.HANDLERS,
        *people.HANDLERS,
    ],
    tags=["tables"],
)
