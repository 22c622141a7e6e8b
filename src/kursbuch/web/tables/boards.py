"""Drawings of boards, also as pictures of their own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any
from xml.etree import ElementTree

import msgspec
from markupsafe import Markup

from kursbuch.core.events import visible_to
from kursbuch.core.replay_cache import program_id
from kursbuch.core.title import Title
from kursbuch.web.cache import LruCache
from kursbuch.web.live.patches import Marks, marks, packed
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.viewer import Viewer

SVG = "http://www.w3.org/2000/svg"

#: The colours that a page offers to a drawing, as in `table/board.css`; a picture is a document of its own.
GROUND = {"light": "#cfe0e6", "dark": "#10202a"}
ON_MAP = {"light": "#1d1a16", "dark": "#f3efe2"}
THEMES = ("light", "dark")


def framed(title: Title[Any], drawn: str, theme: str) -> str:
    """The first sheet of a drawing as an SVG of its own, in the colours of a theme."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(drawn)
    frames = msgspec.json.decode(root.get("data-sheets", "[]"))
    if frames:
        width, height = frames[0]["wide"]
        root.set("viewBox", f"0 0 {width} {height}")
        for part in root.findall(f"{{{SVG}}}g[@data-part]"):
            if part.get("data-part") != frames[0]["name"]:
                root.remove(part)
    left, top, width, height = root.get("viewBox", "0 0 1 1").split()
    root.set("width", width)
    root.set("height", height)
    ground = ElementTree.Element(
        f"{{{SVG}}}rect", x=left, y=top, width=width, height=height, style="fill: var(--ground)"
    )
    root.insert(0, ground)
    style = ElementTree.Element(f"{{{SVG}}}style")
    style.text = (
        f"svg {{ color-scheme: {theme}; --ground: {GROUND[theme]}; --ink-on-map: {ON_MAP[theme]}; }}\n"
        f"{title.style}"
    )
    root.insert(0, style)
    _without_notes(root)
    return ElementTree.tostring(root, encoding="unicode")


def _without_notes(root: ElementTree.Element) -> None:
    """Nobody points at a picture: without the titles and keys of its elements it is a third smaller."""
    for parent in root.iter():
        for child in list(parent):
            if child.tag == f"{{{SVG}}}title":
                parent.remove(child)
        for name in [name for name in parent.attrib if re.match(r"data-(?!title)", name)]:
            del parent.attrib[name]


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
