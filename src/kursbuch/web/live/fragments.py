"""The live fragment of a table page, and what a stream pushes of it."""

from __future__ import annotations

import hashlib
from functools import cached_property

import msgspec
from litestar import Response
from litestar.status_codes import HTTP_304_NOT_MODIFIED
from markupsafe import Markup

from kursbuch.web.cache import LruCache
from kursbuch.web.http.requests import AnyRequest, who
from kursbuch.web.http.templating import context_of_part
from kursbuch.web.live.patches import Marks, Script, joined, marks, packed, script
from kursbuch.web.tables.boards import CUT, Drawing, board
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.table_view import table_page
from kursbuch.web.tables.viewer import Viewer

#: Placeholder of the drawing; user text is escaped and cannot contain it.
PLACE = Markup("<!-- board -->")

#: Sent instead of a drawing that the page has.
SAME = "<!-- same -->"


class Fragment:
    """The live part of a page, around its drawing; `version` and `number` are those of the table."""

    def __init__(self, html: str, drawing: Drawing, version: int, number: int) -> None:
        #: With `PLACE` instead of the drawing.
        self.html = html
        self.drawing = drawing
        self.version = version
        self.number = number

    @cached_property
    def lines(self) -> list[str]:
        """The lines, most of which a move leaves as they are."""
        return self.html.split("\n")

    @cached_property
    def _parts(self) -> tuple[str, str]:
        before, _, after = self.html.partition(PLACE)
        return before, after

    @cached_property
    def tag(self) -> str:
        """A hash of the content."""
        before, after = self._parts
        parts = (before, self.drawing.stamp, after)
        return hashlib.blake2b("".join(parts).encode(), digest_size=9).hexdigest()

    @cached_property
    def _packed(self) -> tuple[bytes, bytes]:
        before, after = self._parts
        return packed(before.encode()), packed(after.encode())

    def text(self, same: bool) -> str:
        """The whole, or without the drawing."""
        before, after = self._parts
        return "".join((before, SAME if same else self.drawing.svg, after))

    def gzip(self, same: bool) -> bytes:
        """The same, compressed."""
        before, after = self._parts
        first, last = self._packed
        middle = SAME if same else self.drawing.svg
        packed_middle = packed(SAME.encode()) if same else self.drawing.packed
        return joined([(before, first), (middle, packed_middle), (after, last)])


#: Fragments that are the same for many readers, such as spectators.
FRAGMENTS = LruCache[tuple[object, ...], Fragment](50)


def fragment(request: AnyRequest, shown: Viewer, whole: bool = False) -> Fragment:
    """The fragment for the visitor, with the `whole` log or only its last lines."""
    shared = shown.shared()
    if shared is None:
        return _filled(request, shown, whole)
    key = (*shared, whole, who(request).account is not None, _name(request, shown))
    return FRAGMENTS.get(key) or FRAGMENTS.put(key, _filled(request, shown, whole))


def _name(request: AnyRequest, shown: Viewer) -> str:
    """The name filled in beside a free seat."""
    person = who(request).account
    return person.name if person is not None and any(seat.is_free for seat in shown.seats) else ""


def _filled(request: AnyRequest, shown: Viewer, whole: bool) -> Fragment:
    engine = request.app.template_engine
    assert engine is not None
    page = table_page(shown, whole)
    if page.board_svg:
        page = msgspec.structs.replace(page, board_svg=PLACE)
    context = context_of_part(request, page, shown.words)
    html = engine.get_template("live.html").render(**context)
    return Fragment(html, board(shown), shown.table.version, shown.number)


def answer(request: AnyRequest, found: Fragment) -> Response[str | bytes]:
    """Answer a page that says which drawing it has (`board`), and perhaps that nothing has changed."""
    same = request.query_params.get("board", "") == found.drawing.stamp
    tag = f'"{found.tag}{"-same" if same else ""}"'
    headers = {"etag": tag, "cache-control": "private, no-cache", "vary": "accept-encoding, cookie"}
    if tag in request.headers.get("if-none-match", ""):
        return Response("", status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    body: str | bytes
    if accepts_gzip(request):
        body, headers["content-encoding"] = found.gzip(same), "gzip"
    else:
        body = found.text(same)
    return Response(body, headers=headers, media_type="text/html")


def accepts_gzip(request: AnyRequest) -> bool:
    """Whether the response may be compressed."""
    return "gzip" in request.headers.get("accept-encoding", "")


#: Format version of updates. Pages that were loaded before an upgrade ask for another one, and are only told that
#: there is something new. The same number stands in `frontend/src/table/live.ts`.
FORM = 1

#: Differences between drawings by their stamps, shared by all readers.
_REDRAWN = LruCache[tuple[str, str], msgspec.Raw](100, rest=REST)


class Update(msgspec.Struct, frozen=True):
    """An update: how to build the new page from the last one sent. `board` is None if the drawing has not changed."""

    version: int
    number: int
    page: Script
    board: msgspec.Raw | None


class _Before(msgspec.Struct, frozen=True, gc=False):
    """The state of a stream: the lines of the page, and the drawing with its stamp, None if the page did not get it
    from this stream."""

    lines: Marks
    stamp: str
    drawing: Marks | None

    @property
    def weight(self) -> float:
        """Memory in bytes."""
        return 500 + 8 * (len(self.lines) + len(self.drawing or ()))


_NOTHING = marks(())


class SentCache:
    """The states of the open streams, within a memory limit: a forgotten stream sends everything again."""

    def __init__(self, room: float) -> None:
        self._kept = LruCache[StreamState, _Before](room, lambda before: before.weight, REST)

    def to(self, board: str) -> StreamState:
        """A new stream to a page that has the drawing with this stamp."""
        return StreamState(self._kept, board)


class StreamState:
    """One stream."""

    def __init__(self, kept: LruCache[StreamState, _Before], board: str) -> None:
        self._kept = kept
        #: The drawing of the page.
        self._board = board

    def update(self, fragment: Fragment) -> bytes:
        """The update as JSON; the page is taken to have it from now on."""
        before, now = self._kept.get(self), fragment.drawing
        lines = marks(fragment.lines)
        page = script(before.lines if before else _NOTHING, lines, fragment.lines, "\n")
        if now.stamp == self._board:
            drawing, board = before.drawing if before else None, None
        else:
            drawing, board = now.marks, _redrawn(before, now)
        data = msgspec.json.encode(Update(fragment.version, fragment.number, page, board))
        self._kept.put(self, _Before(lines, now.stamp, drawing))
        self._board = now.stamp
        return data

    def end(self) -> None:
        """End the stream."""
        self._kept.drop(self)


def _redrawn(before: _Before | None, now: Drawing) -> msgspec.Raw:
    if before is None or before.drawing is None:
        return _encoded(_NOTHING, now)
    key = (before.stamp, now.stamp)
    return _REDRAWN.get(key) or _REDRAWN.put(key, _encoded(before.drawing, now))


def _encoded(before: Marks, now: Drawing) -> msgspec.Raw:
    pieces = now.pieces()
    return msgspec.Raw(msgspec.json.encode(script(before, now.marks, pieces, CUT)))
