"""The live fragment of a table page, and what a stream pushes of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from itertools import chain

import msgspec
from litestar import Response
from litestar.status_codes import HTTP_304_NOT_MODIFIED

from kursbuch.web.cache import LruCache
from kursbuch.web.http.requests import AnyRequest, who
from kursbuch.web.live.patches import (
    Marks,
    Script,
    Section,
    ServerEvent,
    joined,
    marks,
    packed,
    page_script,
    script,
)
from kursbuch.web.live.sections import PLACE, PageSections, Reader
from kursbuch.web.notifications.outbox import MAIL
from kursbuch.web.tables.boards import CUT, Drawing
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.table_view import table_page
from kursbuch.web.tables.viewer import Viewer

#: Sent instead of a drawing that the page has.
SAME = "<!-- same -->"


class Sent:
    """What a stream has sent: the marks of sections, and of the drawing with this stamp, None if the page has it from
    elsewhere. Streams that have sent the same share it."""

    def __init__(
        self, sections: Mapping[str, Marks], stamp: str, drawing: Marks | None = None
    ) -> None:
        self.sections = sections
        self.stamp = stamp
        self.drawing = drawing
        #: Memory in bytes.
        self.weight = 500 + 8 * (sum(map(len, sections.values())) + len(drawing or ()))


class Fragment:
    """The live part of a page: its sections, with `PLACE` instead of the drawing. `version` and `number` are those of
    the table."""

    def __init__(
        self, sections: Mapping[str, Section], drawing: Drawing, version: int, number: int
    ) -> None:
        self.sections = sections
        self.drawing = drawing
        self.version = version
        self.number = number

        #: Updates by what a stream has sent before, and whether the page has the drawing.
        self.updates: dict[tuple[Sent | None, bool], ServerEvent] = {}

    @cached_property
    def sent(self) -> Sent:
        """What a stream has sent that has sent all of it."""
        return Sent(self._without.sections, self.drawing.stamp, self.drawing.marks)

    @cached_property
    def _without(self) -> Sent:
        marks = {name: section.marks for name, section in self.sections.items()}
        return Sent(marks, self.drawing.stamp)

    def after(self, before: Sent | None, same: bool) -> tuple[ServerEvent, Sent]:
        """The update of a stream that has sent something `before`, made once for all such streams, and what it has
        sent then. `same` says that the page has the drawing."""
        event = self.updates.get((before, same))
        if event is None:
            event = self.updates[before, same] = self._update(before, same)
        has_drawing = not same or (before is not None and before.drawing is not None)
        return event, self.sent if has_drawing else self._without

    def _update(self, before: Sent | None, same: bool) -> ServerEvent:
        page = page_script(before.sections if before else {}, self.sections)
        board = None if same else _redrawn(before, self.drawing)
        data = msgspec.json.encode(Update(self.version, self.number, page, board))
        return ServerEvent("page", data, f"id: {self.version}\r\n")

    @cached_property
    def _parts(self) -> tuple[str, str]:
        html = "\n".join(chain.from_iterable(one.lines for one in self.sections.values()))
        before, _, after = html.partition(PLACE)
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
    person, channels = who(request).account, request.app.state.notifications.outbox.channels
    reader = Reader(shown.words.language, person.name if person else "", MAIL in channels)
    page = table_page(shown, whole)
    made = PageSections(page, reader, request.app.state.sections).made
    return Fragment(made, page.drawing, shown.table.version, shown.number)


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
FORM = 2

#: Differences between drawings by their stamps, shared by all readers.
_REDRAWN = LruCache[tuple[str, str], msgspec.Raw](100, rest=REST)


class Update(msgspec.Struct, frozen=True):
    """An update: how to build the new page from the last one sent. `board` is None if the drawing has not changed."""

    version: int
    number: int
    page: Script
    board: msgspec.Raw | None


_NOTHING = marks(())


class SentCache:
    """The states of the open streams, within a memory limit: a forgotten stream sends everything again."""

    def __init__(self, room: float) -> None:
        self._kept = LruCache[StreamState, Sent](room, lambda sent: sent.weight, REST)

    def to(self, board: str) -> StreamState:
        """A new stream to a page that has the drawing with this stamp."""
        return StreamState(self._kept, board)


class StreamState:
    """One stream."""

    def __init__(self, kept: LruCache[StreamState, Sent], board: str) -> None:
        self._kept = kept
        #: The drawing of the page.
        self._board = board

    def update(self, fragment: Fragment) -> ServerEvent:
        """The update; the page is taken to have it from now on."""
        stamp = fragment.drawing.stamp
        event, sent = fragment.after(self._kept.get(self), same=stamp == self._board)
        self._kept.put(self, sent)
        self._board = stamp
        return event

    def end(self) -> None:
        """End the stream."""
        self._kept.drop(self)


def _redrawn(before: Sent | None, now: Drawing) -> msgspec.Raw:
    if before is None or before.drawing is None:
        return _encoded(_NOTHING, now)
    key = (before.stamp, now.stamp)
    return _REDRAWN.get(key) or _REDRAWN.put(key, _encoded(before.drawing, now))


def _encoded(before: Marks, now: Drawing) -> msgspec.Raw:
    pieces = now.pieces()
    return msgspec.Raw(msgspec.json.encode(script(before, now.marks, pieces, CUT)))
