"""What a stream tells a page of its table: what is different now from what the stream has sent before."""

from __future__ import annotations

import msgspec

from kursbuch.web.differences import Script, script
from kursbuch.web.fragments import Fragment
from kursbuch.web.games import REST
from kursbuch.web.present.boards import CUT, Drawing
from kursbuch.web.recent import Recent

#: How drawings differ, by their stamps: that is the same for all who had the one and get the other.
_REDRAWN = Recent[tuple[str, str], msgspec.Raw](100)


class Update(msgspec.Struct, frozen=True):
    """What a page is told: how to make what it is to show of what it was told before. `board` is None if its drawing is
    the one that it has."""

    version: int
    number: int
    page: Script
    board: msgspec.Raw | None


class Sent:
    """What the open streams have sent, as long as there is room: a stream of which it is not known any more sends
    everything again."""

    def __init__(self, room: float) -> None:
        self._kept = Recent[Told, Fragment](room, lambda fragment: fragment.weight, REST)

    def to(self, board: str) -> Told:
        """A stream to a page with that drawing, by its stamp."""
        return Told(self._kept, board)


class Told:
    """What one stream has sent."""

    def __init__(self, kept: Recent[Told, Fragment], board: str) -> None:
        self._kept = kept
        #: The drawing that the page has, and whether it is from here: then it knows it as a text.
        self._board = board
        self._drawn = False

    def update(self, fragment: Fragment) -> bytes:
        """What is new, as JSON. From here on the page has it."""
        before = self._kept.get(self)
        self._kept.put(self, fragment)
        page = script(before.lines if before else (), fragment.lines, "\n")
        board = None
        if fragment.drawing.stamp != self._board:
            board = _redrawn(before.drawing if before and self._drawn else None, fragment.drawing)
            self._board, self._drawn = fragment.drawing.stamp, True
        return msgspec.json.encode(Update(fragment.version, fragment.number, page, board))

    def end(self) -> None:
        """The stream has ended."""
        self._kept.drop(self)


def _redrawn(before: Drawing | None, now: Drawing) -> msgspec.Raw:
    if before is None:
        return _encoded(script((), now.pieces, CUT))
    key = (before.stamp, now.stamp)
    return _REDRAWN.get(key) or _REDRAWN.put(key, _encoded(script(before.pieces, now.pieces, CUT)))


def _encoded(steps: Script) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(steps))
