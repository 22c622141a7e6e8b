"""Visits to a table: permission, view, live stream and record."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from litestar import Response
from litestar.params import FromPath
from litestar.response import Stream

from kursbuch.web.accounts import sessions
from kursbuch.web.db.models import now
from kursbuch.web.http.errors import Unauthorized
from kursbuch.web.http.guard import address_of_visitor
from kursbuch.web.http.overload import HEAD
from kursbuch.web.http.rate_limits import Limiter
from kursbuch.web.http.requests import AnyRequest, base_url, language_of, tables_of, who
from kursbuch.web.live import patches
from kursbuch.web.live.fragments import accepts_gzip, fragment
from kursbuch.web.live.streams import Announcement, Pushed, Pusher
from kursbuch.web.tables import access
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.snapshot import Snapshot
from kursbuch.web.tables.spectator_delay import announced, delayed, is_delayed
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.viewer import Viewer


async def viewer(
    request: AnyRequest, table_id: FromPath[str], curtain: bool = True, at: int | None = None
) -> Viewer:
    """The table as the one who asks may see it; with `curtain` only what the player in front of a
    shared device may, with `at` as it was after so many moves."""
    snapshot = await allowed(tables_of(request), table_id, who(request).id)
    shown = await _seen(request, snapshot, curtain)
    if at is not None:
        shown.look_back(at)
    return shown


async def _seen(request: AnyRequest, snapshot: Snapshot, curtain: bool = True) -> Viewer:
    """A table as it was read, as the one who asks may see it."""
    tables, visitor = tables_of(request), who(request).id
    own, ahead = snapshot.seats_of(visitor), []
    if own and snapshot.fixed_ahead and snapshot.table.status == RUNNING:
        ahead = await tables.intentions(snapshot.table.id, own)
        if not snapshot.is_whole:
            snapshot = await allowed(tables, snapshot.table.id, visitor)
    # From here on nothing is waited for: the game goes on meanwhile, and the page would be of two positions.
    tables.look_at(snapshot, visitor)
    if is_delayed(snapshot, visitor):
        snapshot = delayed(snapshot, now())
    language = language_of(request, snapshot.table.language)
    return Viewer(snapshot, visitor, language, base_url(request), curtain, ahead)


async def allowed(tables: TableStore, table_id: str, visitor: str) -> Snapshot:
    """The table as it is now, for somebody who may look at it."""
    snapshot = await tables.load(table_id)
    if not access.may_watch(snapshot, visitor):
        raise access.TableClosed(snapshot)
    return snapshot


async def stream(
    request: AnyRequest, table_id: str, push: bool = False, sees: bool = False
) -> Stream:
    """Live updates of a table; with `push` what is new on the page goes with them. Those who look on with a delay are
    told nothing at the moment it happens. Whoever `sees` the table has it before his eyes as long as he listens."""
    tables = tables_of(request)
    visitor, address = who(request), address_of_visitor(request)
    limiter: Limiter = request.app.state.limiter
    behind = is_delayed(await allowed(tables, table_id, visitor.id), visitor.id)
    limiter.check_stream(visitor.id, address)
    packs = push and accepts_gzip(request)

    async def look() -> Announcement | None:
        if not behind:
            return await tables.look(table_id)
        current = await tables.load(table_id)
        return announced(delayed(current, now()) if is_delayed(current, visitor.id) else current)

    async def events() -> AsyncIterator[bytes]:
        if HEAD in request.scope:
            return
        if packs:
            yield patches.HEAD
        with (
            limiter.streaming(visitor.id, address),
            _pushing(request, table_id, push and not behind and not visitor.is_new) as pusher,
        ):
            async for event in request.app.state.live.events(
                table_id, visitor.id, look, not behind, pusher, sees
            ):
                yield patches.packed(event) if packs else event

    headers = {"cache-control": "no-cache", "x-accel-buffering": "no", "vary": "accept-encoding"}
    if packs:
        headers["content-encoding"] = "gzip"
    return Stream(events(), media_type="text/event-stream", headers=headers)


@contextmanager
def _pushing(request: AnyRequest, table_id: str, wanted: bool) -> Iterator[Pusher | None]:
    """Makes what is new on the page of whoever opened a stream: from what would be answered if he asked now."""
    if not wanted:
        yield None
        return
    tables, visitor = tables_of(request), who(request).id
    told = request.app.state.sent.to(request.query_params.get("board", ""))

    async def push(version: int) -> Pushed | None:
        # Somebody may have logged out since, a seat may be another's, and others may look on no more.
        try:
            await sessions.identify_again(request, tables)
        except Unauthorized:  # the token of a program is gone
            return None
        if who(request).id != visitor:
            return None
        snapshot = await tables.load_since(table_id, version)
        if not access.may_watch(snapshot, visitor) or is_delayed(snapshot, visitor):
            return None
        try:
            shown = await _seen(request, snapshot)
        except access.TableClosed:
            return None
        found = fragment(request, shown)
        return Pushed(found.version, told.update(found))

    try:
        yield push
    finally:
        told.end()


def record_of(shown: Viewer) -> Response[str]:
    """The record of a game, as a file."""
    record = shown.record()
    headers = {
        "content-disposition": f'attachment; filename="{shown.table.title}-{shown.table.id}.txt"'
    }
    return Response(record, headers=headers, media_type="text/plain")
