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

#: Stands where the drawing goes; whatever people write is escaped and cannot be this.
PLACE = Markup("<!-- board -->")

#: Instead of a drawing that the page has.
SAME = "<!-- same -->"


class Fragment:
    """A refreshed part, around its drawing; `version` and `number` are those of the table it shows."""

    def __init__(self, html: str, drawing: Drawing, version: int, number: int) -> None:
        #: With `PLACE` instead of the drawing.
        self.html = html
        self.drawing = drawing
        self.version = version
        self.number = number

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, most of which stay as they are with a move."""
        return self.html.split("\n")

    @cached_property
    def _parts(self) -> tuple[str, str]:
        before, _, after = self.html.partition(PLACE)
        return before, after

    @cached_property
    def tag(self) -> str:
        """Changes with what it says."""
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


#: Fragments that look the same to many, such as a table to those who watch.
FRAGMENTS = LruCache[tuple[object, ...], Fragment](50)


def fragment(request: AnyRequest, shown: Viewer, whole: bool = False) -> Fragment:
    """The refreshed part for the one who asks, with the `whole` log or only its last lines."""
    shared = shown.shared()
    if shared is None:
        return _filled(request, shown, whole)
    key = (*shared, whole, who(request).account is not None, _name(request, shown))
    return FRAGMENTS.get(key) or FRAGMENTS.put(key, _filled(request, shown, whole))


def _name(request: AnyRequest, shown: Viewer) -> str:
    """The name that is filled in beside a free seat."""
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
    """What is sent to a page that says which drawing it has (`board`), and perhaps that it has all of
    this already."""
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
    """Whether what is sent may be compressed."""
    return "gzip" in request.headers.get("accept-encoding", "")


#: What pages that were loaded from this version understand: the form of an update, and where texts are cut. A page that
#: is still open from before an upgrade asks for another form, and is only told that there is something new. The same
#: number stands in `frontend/src/table/live.ts`.
FORM = 1

#: How drawings differ, by their stamps: that is the same for all who had the one and get the other.
_REDRAWN = LruCache[tuple[str, str], msgspec.Raw](100, rest=REST)


class Update(msgspec.Struct, frozen=True):
    """What a page is told: how to make what it is to show of what it was told before. `board` is None if its drawing is
    the one that it has."""

    version: int
    number: int
    page: Script
    board: msgspec.Raw | None


class _Before(msgspec.Struct, frozen=True, gc=False):
    """What a stream has sent: the lines of the page, and the drawing with its stamp, None if the page has that from
    elsewhere."""

    lines: Marks
    stamp: str
    drawing: Marks | None

    @property
    def weight(self) -> float:
        """What it takes in memory, in bytes."""
        return 500 + 8 * (len(self.lines) + len(self.drawing or ()))


_NOTHING = marks(())


class SentCache:
    """What the open streams have sent, as long as there is room: a stream of which it is not known any more sends
    everything again."""

    def __init__(self, room: float) -> None:
        self._kept = LruCache[StreamState, _Before](room, lambda before: before.weight, REST)

    def to(self, board: str) -> StreamState:
        """A stream to a page with that drawing, by its stamp."""
        return StreamState(self._kept, board)


class StreamState:
    """What one stream has sent."""

    def __init__(self, kept: LruCache[StreamState, _Before], board: str) -> None:
        self._kept = kept
        #: The drawing that the page has.
        self._board = board

    def update(self, fragment: Fragment) -> bytes:
        """What is new, as JSON. From here on the page has it."""
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
        """The stream has ended."""
        self._kept.drop(self)


def _redrawn(before: _Before | None, now: Drawing) -> msgspec.Raw:
    if before is None or before.drawing is None:
        return _encoded(_NOTHING, now)
    key = (before.stamp, now.stamp)
    return _REDRAWN.get(key) or _REDRAWN.put(key, _encoded(before.drawing, now))


def _encoded(before: Marks, now: Drawing) -> msgspec.Raw:
    pieces = now.pieces()
    return msgspec.Raw(msgspec.json.encode(script(before, now.marks, pieces, CUT)))
