"""Drawings of positions, shared by all who look at the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

from markupsafe import Markup

from kursbuch.core.events import visible_to
from kursbuch.core.replay_cache import program_id
from kursbuch.web.cache import LruCache
from kursbuch.web.home.pictures import framed
from kursbuch.web.live.patches import Marks, marks, packed
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.viewer import Viewer

#: Where drawings are cut: to look for a single sign takes the least time.
CUT = "<"


class Drawing:
    """A drawn board. `stamp` is the same for the same drawing only."""

    def __init__(self, svg: str, stamp: str) -> None:
        self.svg = Markup(svg)
        self.stamp = stamp

    @cached_property
    def packed(self) -> bytes:
        """The drawing as a part of what is sent compressed."""
        return packed(self.svg.encode())

    def pieces(self) -> list[str]:
        """The drawing cut at its tags, most of which stay as they are with a move."""
        return str.split(self.svg, CUT)

    @cached_property
    def marks(self) -> Marks:
        """The marks of its pieces."""
        return marks(self.pieces())


NOTHING = Drawing("", "nothing")

#: Drawn boards, by what they show and to whom.
DRAWN = LruCache[tuple[object, ...], Drawing](100)

#: The last of them by table, what the reader knows, and words; in characters.
LAST = LruCache[tuple[object, ...], Drawing](60e6, lambda drawing: len(drawing.svg), REST)

#: Small pictures of boards, by position, reader, names and colours.
SMALL = LruCache[tuple[object, ...], str](100)


def board(shown: Viewer) -> Drawing:
    """The board with the last move pointed out, empty before the game."""
    if shown.game is None or shown.view is None:
        return NOTHING
    marks, words = _marks(shown), shown.words
    place = shown.place()
    key = (*place, words.language, words.names, tuple(marks))
    found = DRAWN.get(key)
    if found is None:
        # The title's own drawing escapes every text it contains.
        drawn = shown.title.draw(shown.view.state, words, marks)
        whose = (place[0], place[-1], words.language, words.names)
        found = LAST.get(whose)
        # To compare two drawings takes much less time than to hash one.
        if found is None or found.svg != drawn:
            found = LAST.put(whose, Drawing(drawn, _stamp(shown, key)))
        DRAWN.put(key, found)
    return found


def _stamp(shown: Viewer, key: tuple[object, ...]) -> str:
    """A name of the drawing that is found by a key; the same program calls it the same."""
    name = repr((program_id(shown.title), key))
    return hashlib.blake2b(name.encode(), digest_size=9).hexdigest()


def thumbnail(shown: Viewer, theme: str) -> str:
    """The board as a small picture of its own, as the visitor may see it; empty before the game."""
    if shown.game is None or shown.view is None:
        return ""
    key = (*shown.place(), shown.words.language, shown.words.names, theme)
    return SMALL.get(key) or SMALL.put(key, framed(shown.title, str(board(shown).svg), theme))


def _marks(shown: Viewer) -> Sequence[str]:
    """The elements of the board to point out after the last move."""
    assert shown.game is not None
    number = shown.number if shown.at is None else shown.at
    if number == 0:
        return []
    events = shown.game.moves[number - 1].events
    seen = [event for event in events if shown.revealed or visible_to(event, shown.looking)]
    return shown.title.marks(seen)
