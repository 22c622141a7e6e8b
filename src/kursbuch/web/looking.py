"""A table as the one who asks may see it: now, after some move, as it goes on, as a record."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from litestar import Response
from litestar.params import FromPath
from litestar.response import ServerSentEvent

from kursbuch.web.deeds import doors
from kursbuch.web.delayed import announced, delayed, is_delayed
from kursbuch.web.front import HEAD
from kursbuch.web.gate import address_of_visitor
from kursbuch.web.limits import Limiter
from kursbuch.web.live import Announcement
from kursbuch.web.models import now
from kursbuch.web.policies import RUNNING
from kursbuch.web.present.viewer import Viewer
from kursbuch.web.requests import (
    AnyRequest,
    base_url,
    language_of,
    tables_of,
    who,
)
from kursbuch.web.snapshot import Snapshot
from kursbuch.web.tables import Tables


async def viewer(
    request: AnyRequest, table_id: FromPath[str], curtain: bool = True, at: int | None = None
) -> Viewer:
    """The table as the one who asks may see it; with `curtain` only what the player in front of a
    shared device may, with `at` as it was after so many moves."""
    tables, visitor = tables_of(request), who(request).id
    snapshot = await allowed(tables, table_id, visitor)
    tables.look_at(snapshot, visitor)
    if is_delayed(snapshot, visitor):
        snapshot = delayed(snapshot, now())
    language = language_of(request, snapshot.table.language)
    own, ahead = snapshot.seats_of(visitor), []
    if own and snapshot.fixed_ahead and snapshot.table.status == RUNNING:
        ahead = await tables.intentions(table_id, own)
    # From here on nothing is waited for: the game goes on meanwhile, and the page would be of two positions.
    shown = Viewer(snapshot, visitor, language, base_url(request), curtain, ahead)
    if at is not None:
        shown.look_back(at)
    return shown


async def allowed(tables: Tables, table_id: str, visitor: str) -> Snapshot:
    """The table as it is now, for somebody who may look at it."""
    snapshot = await tables.load(table_id)
    if not doors.may_look(snapshot, visitor):
        raise doors.Closed(snapshot)
    return snapshot


async def stream(request: AnyRequest, table_id: str) -> ServerSentEvent:
    """Live updates of a table. Those who look on with a delay are told nothing at the moment it happens."""
    tables = tables_of(request)
    visitor, address = who(request).id, address_of_visitor(request)
    limiter: Limiter = request.app.state.limiter
    behind = is_delayed(await allowed(tables, table_id, visitor), visitor)
    limiter.check_stream(visitor, address)

    async def look() -> Announcement | None:
        if not behind:
            return await tables.look(table_id)
        current = await tables.load(table_id)
        return announced(delayed(current, now()) if is_delayed(current, visitor) else current)

    async def events() -> AsyncIterator[Any]:
        if HEAD in request.scope:
            return
        with limiter.streaming(visitor, address):
            async for message in request.app.state.live.events(
                table_id, visitor, look, told=not behind
            ):
                yield message

    return ServerSentEvent(events())


def record_of(shown: Viewer) -> Response[str]:
    """The record of a game, as a file."""
    record = shown.record()
    headers = {
        "content-disposition": f'attachment; filename="{shown.table.title}-{shown.table.id}.txt"'
    }
    return Response(record, headers=headers, media_type="text/plain; charset=utf-8")
