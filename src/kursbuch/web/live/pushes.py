"""Pushes: what a stream sends to a page that already has an earlier version."""

from __future__ import annotations

import msgspec

from kursbuch.web.cache import LruCache
from kursbuch.web.live.fragments import Fragment
from kursbuch.web.live.patches import Marks, Script, marks, script
from kursbuch.web.tables.boards import CUT, Drawing
from kursbuch.web.tables.games import REST

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
