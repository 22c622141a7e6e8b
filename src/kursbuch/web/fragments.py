"""The part of a table's page that is refreshed: filled in once for all who are shown the same, and sent
without what the reader has already."""

from __future__ import annotations

import hashlib
from functools import cached_property

from litestar import Response
from litestar.status_codes import HTTP_304_NOT_MODIFIED
from markupsafe import Markup

from kursbuch.web.packing import joined, packed
from kursbuch.web.present.boards import Drawing
from kursbuch.web.recent import Recent
from kursbuch.web.requests import AnyRequest

#: Stands where the drawing goes; whatever people write is escaped and cannot be this.
PLACE = Markup("<!-- board -->")

#: Instead of a drawing that the page has.
SAME = "<!-- same -->"


class Fragment:
    """A refreshed part, around its drawing."""

    def __init__(self, html: str, drawing: Drawing) -> None:
        self.before, _, self.after = html.partition(PLACE)
        self.drawing = drawing
        parts = (self.before, drawing.stamp, self.after)
        self.tag = hashlib.blake2b("".join(parts).encode(), digest_size=9).hexdigest()

    @cached_property
    def _packed(self) -> tuple[bytes, bytes]:
        return packed(self.before), packed(self.after)

    def text(self, same: bool) -> str:
        """The whole, or without the drawing."""
        return "".join((self.before, SAME if same else self.drawing.svg, self.after))

    def gzip(self, same: bool) -> bytes:
        """The same, compressed."""
        before, after = self._packed
        middle = (SAME, packed(SAME)) if same else (self.drawing.svg, self.drawing.packed)
        return joined([(self.before, before), middle, (self.after, after)])


#: Fragments that look the same to many, such as a table to those who watch.
FRAGMENTS = Recent[tuple[object, ...], Fragment](50)


def answer(request: AnyRequest, fragment: Fragment) -> Response[str | bytes]:
    """What is sent to a page that says which drawing it has (`board`), and perhaps that it has all of
    this already."""
    same = request.query_params.get("board", "") == fragment.drawing.stamp
    tag = f'"{fragment.tag}{"-same" if same else ""}"'
    headers = {"etag": tag, "cache-control": "private, no-cache", "vary": "accept-encoding, cookie"}
    if tag in request.headers.get("if-none-match", ""):
        return Response("", status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    body: str | bytes
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = fragment.gzip(same), "gzip"
    else:
        body = fragment.text(same)
    return Response(body, headers=headers, media_type="text/html")
