"""The live fragment of a table page, rendered once per audience."""

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
from kursbuch.web.live.patches import joined, packed
from kursbuch.web.tables.boards import Drawing, board
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
