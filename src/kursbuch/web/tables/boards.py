"""The board as a picture, in words, and as cards of its elements."""

from __future__ import annotations

import hashlib
import html
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
from markupsafe import Markup

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event, Payment, visible_to
from kursbuch.core.explain import preview, why_illegal
from kursbuch.core.replay_cache import program_id
from kursbuch.core.title import Title
from kursbuch.core.voice import Row
from kursbuch.core.words import N_
from kursbuch.web.cache import LruCache
from kursbuch.web.http.errors import Conflict, Refused
from kursbuch.web.labels import PanelRow, RuleLink, rule_link, rule_name
from kursbuch.web.live.patches import Marks, marks, packed
from kursbuch.web.tables.decision_view import prompt, waiting_sentence
from kursbuch.web.tables.games import REST
from kursbuch.web.tables.viewer import Viewer

SVG = "http://www.w3.org/2000/svg"
DIST = Path(__file__).parents[1] / "static" / "dist"

#: The colours that a page offers to a drawing, as in `table/board.css`; a picture is a document of its own.
GROUND = {"light": "#cfe0e6", "dark": "#10202a"}
ON_MAP = {"light": "#1d1a16", "dark": "#f3efe2"}
THEMES = ("light", "dark")


def framed(
    title: Title[Any],
    drawn: str,
    theme: str,
    cutout: tuple[float, float, float, float] | None = None,
) -> str:
    """The first sheet of a drawing, or a part of it, as an SVG of its own, in the colours of a theme."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(drawn)
    frames = msgspec.json.decode(root.get("data-sheets", "[]"))
    if frames:
        width, height = frames[0]["wide"]
        root.set("viewBox", f"0 0 {width} {height}")
        for part in root.findall(f"{{{SVG}}}g[@data-part]"):
            if part.get("data-part") != frames[0]["name"]:
                root.remove(part)
    style = title.style
    if cutout is not None:
        root.set("viewBox", " ".join(f"{number:g}" for number in cutout))
        # Coordinates stand beside their rows and columns only in a whole drawing.
        style += f"\n.coordinate {{ display: none; }}\n{typeface()}"
    left, top, width, height = root.get("viewBox", "0 0 1 1").split()
    root.set("width", width)
    root.set("height", height)
    ground = ElementTree.Element(
        f"{{{SVG}}}rect", x=left, y=top, width=width, height=height, style="fill: var(--ground)"
    )
    root.insert(0, ground)
    sheet = ElementTree.Element(f"{{{SVG}}}style")
    sheet.text = (
        f"svg {{ color-scheme: {theme}; --ground: {GROUND[theme]}; --ink-on-map: {ON_MAP[theme]}; }}\n"
        f"{style}"
    )
    root.insert(0, sheet)
    _without_notes(root)
    return ElementTree.tostring(root, encoding="unicode")


@lru_cache
def typeface() -> str:
    """A style sheet with the typeface in it, for pictures: they cannot load files."""
    fonts = []
    for weight in (400, 700):
        try:
            font = (DIST / f"barlow-latin-{weight}-normal.woff2").read_bytes()
        except OSError:
            continue
        source = f"url(data:font/woff2;base64,{b64encode(font).decode()})"
        fonts.append(f"@font-face {{ font-family: Barlow; font-weight: {weight}; src: {source}; }}")
    return "\n".join(fonts)


def _without_notes(root: ElementTree.Element) -> None:
    """No one points at a picture: without the titles and keys of its elements it is a third smaller."""
    for parent in root.iter():
        for child in list(parent):
            if child.tag == f"{{{SVG}}}title":
                parent.remove(child)
        for name in [name for name in parent.attrib if re.match(r"data-(?!title)", name)]:
            del parent.attrib[name]


#: Where drawings are cut into pieces: at their groups. The same text stands in `frontend/src/table/live.ts`.
CUT = "<g"


class Drawing:
    """A drawn board; equal stamps mean equal drawings."""

    def __init__(self, svg: str, stamp: str) -> None:
        self.svg = Markup(svg)
        self.stamp = stamp
        self._marks: Marks | None = None

    @cached_property
    def packed(self) -> bytes:
        """The drawing, compressed as part of a response."""
        return packed(self.svg.encode())

    def pieces(self) -> list[str]:
        """The drawing cut at its groups, most of which a move leaves as they are."""
        pieces = str.split(self.svg, CUT)
        # Cutting takes longer than comparing.
        if self._marks is None:
            self._marks = marks(pieces)
        return pieces

    @property
    def marks(self) -> Marks:
        """The marks of its pieces."""
        if self._marks is None:
            self._marks = marks(str.split(self.svg, CUT))
        return self._marks


NOTHING = Drawing("", "nothing")

#: Drawn boards, by content and reader.
DRAWN = LruCache[tuple[object, ...], Drawing](100)

#: The latest drawing by table, reader's knowledge and words; its size counts in characters.
LAST = LruCache[tuple[object, ...], Drawing](60e6, lambda drawing: len(drawing.svg), REST)

#: Thumbnails by position, reader, names and colours.
SMALL = LruCache[tuple[object, ...], str](100)


def board(shown: Viewer) -> Drawing:
    """The board with the last move highlighted, empty before the game."""
    if shown.game is None or shown.view is None:
        return NOTHING
    marks, words = _marks(shown), shown.words
    place = shown.place()
    key = (*place, words.language, words.names, tuple(marks))
    found = DRAWN.get(key)
    if found is None:
        # The drawing of the title escapes its texts itself.
        drawn = shown.title.draw(shown.view.state, words, marks)
        whose = (place[0], place[-1], words.language, words.names)
        found = LAST.get(whose)
        # Comparing two drawings is much faster than hashing one.
        if found is None or found.svg != drawn:
            found = LAST.put(whose, Drawing(drawn, _stamp(shown, key)))
        DRAWN.put(key, found)
    return found


def _stamp(shown: Viewer, key: tuple[object, ...]) -> str:
    """The stamp of a drawing by its key; the same program gives the same stamp."""
    name = repr((program_id(shown.title), key))
    return hashlib.blake2b(name.encode(), digest_size=9).hexdigest()


def thumbnail(shown: Viewer, theme: str) -> str:
    """The thumbnail of the board as the visitor may see it; empty before the game."""
    if shown.game is None or shown.view is None:
        return ""
    key = (*shown.place(), shown.words.language, shown.words.names, theme)
    return SMALL.get(key) or SMALL.put(key, framed(shown.title, str(board(shown).svg), theme))


def _marks(shown: Viewer) -> Sequence[str]:
    """The elements to highlight after the last move."""
    assert shown.game is not None
    number = shown.number if shown.at is None else shown.at
    if number == 0:
        return []
    events = shown.game.moves[number - 1].events
    seen = [event for event in events if shown.revealed or visible_to(event, shown.looking)]
    return shown.title.marks(seen)


#: Selectable elements of a drawing, in drawing order.
_KEYS = re.compile(r'data-pick="([^"]+)"')


class Place(msgspec.Struct, frozen=True):
    """An element of the board in words; `kind` is the first part of its key."""

    kind: str
    title: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


class PlacesPage(msgspec.Struct, frozen=True):
    """places.html, as a page or a card: the board in words."""

    table_url: str
    title_name: str
    places: list[Place]


def places_page(shown: Viewer) -> PlacesPage:
    """Describe the board for readers who do not see the drawing."""
    if shown.view is None:
        raise Conflict(N_("The game has not begun yet."))
    found = []
    for key in dict.fromkeys(html.unescape(key) for key in _KEYS.findall(board(shown).svg)):
        card = shown.voice.card(shown.view.state, key)
        if card is not None:
            found.append(Place(key.partition(":")[0], card.title, card.rows, card.notes))
    # Elements are grouped by kind; within a kind, the order of the drawing holds.
    kinds = list(dict.fromkeys(place.kind for place in found))
    found.sort(key=lambda place: kinds.index(place.kind))
    return PlacesPage(
        table_url=shown.address(),
        title_name=shown.title.name,
        places=found,
    )


#: Maximum length of a selection and of a key.
MAX_KEYS = 12
MAX_KEY = 200

#: Maximum number of lines; the rest is only counted.
MAX_LINES = 7


class ElementInfo(msgspec.Struct, frozen=True):
    """card.html: an element of the board. `sentence` says why selecting it leads nowhere, with its rule (empty if it
    does lead on); `piece_url` is its picture."""

    title: str
    rows: list[PanelRow]
    notes: list[str]
    rules: list[RuleLink]
    piece_url: str
    sentence: str
    rule: RuleLink | None


def card(shown: Viewer, keys: Sequence[str]) -> ElementInfo:
    """Describe the last element selected, and why it leads to no legal move."""
    if shown.view is None:
        raise Conflict(N_("The game has not begun yet."))
    if not 1 <= len(keys) <= MAX_KEYS or not all(0 < len(key) <= MAX_KEY for key in keys):
        raise Refused(N_("It is not clear which element is meant."))
    found = shown.voice.card(shown.view.state, keys[-1])
    problem = _why_not(shown, keys)
    sentence = _sentence(shown, problem)
    piece = found.piece if found is not None else ""
    has_picture = bool(piece) and f'data-piece="{piece}"' in shown.title.pieces
    return ElementInfo(
        title=found.title if found is not None else "",
        rows=[PanelRow(one.label, one.value, one.key, one.note) for one in found.rows]
        if found is not None
        else [],
        notes=list(found.notes) if found is not None else [],
        rules=_links(shown, found.rules) if found is not None else [],
        piece_url=f"{shown.pieces_url()}#{piece.replace(':', '-')}" if has_picture else "",
        sentence=sentence,
        rule=_link(shown, problem.rule) if problem is not None and problem.rule else None,
    )


def _links(shown: Viewer, rules: Sequence[str]) -> list[RuleLink]:
    """The cited rules, by id or name, as far as the rule index has them."""
    index = shown.title.rules
    links = [_link(shown, cited) for rule in rules if (cited := index.cite(rule)) in index]
    # Several may have the same name.
    named = {rule_name(link.id, shown.words.language): link for link in reversed(links)}
    return [*reversed(named.values())]


def _link(shown: Viewer, rule: str) -> RuleLink:
    return RuleLink(*rule_link(shown.table.title, rule))


def _why_not(shown: Viewer, keys: Sequence[str]) -> IllegalAction | None:
    if shown.view is None or shown.at is not None or not shown.running() or not shown.own:
        return None
    return why_illegal(shown.view, shown.voice, keys)


def _sentence(shown: Viewer, problem: IllegalAction | None) -> str:
    if shown.at is not None:
        return shown.words._("You are viewing an earlier position; you cannot play here.")
    if not shown.running():
        return prompt(shown)
    if not shown.own:
        return waiting_sentence(shown)
    return problem.text(shown.words) if problem is not None else ""


class PreviewInfo(msgspec.Struct, frozen=True):
    """The certain results of an action, the results `if_unopposed` if no one objects (empty if no one can), and the
    totals of these payments."""

    lines: list[str]
    unopposed: list[str]
    if_unopposed: str
    totals: str


def foreseen(shown: Viewer, action: Action) -> PreviewInfo:
    """Preview an action, as far as its results are certain and public."""
    words, voice = shown.words, shown.voice
    if shown.view is None or action.seat != shown.looking:
        return PreviewInfo([], [], "", "")
    found = preview(shown.view, action)
    told = voice.outcome(found.certain)
    if found.after is not None:
        told += voice.consequences(shown.view.state, found.after, action)
    lines = _lines(shown, told)
    unopposed = _lines(shown, voice.outcome(found.unopposed))
    return PreviewInfo(
        lines=lines,
        unopposed=unopposed,
        if_unopposed=words._("If no one objects:") if unopposed else "",
        totals=_totals(shown, [*found.certain, *found.unopposed]),
    )


def _lines(shown: Viewer, lines: Sequence[str]) -> list[str]:
    told = [line for line in lines if line]
    if len(told) <= MAX_LINES + 1:
        return told
    more = len(told) - MAX_LINES
    return [*told[:MAX_LINES], shown.words.ngettext("and {n} more", "and {n} more", more)]


def _totals(shown: Viewer, events: Sequence[Event]) -> str:
    """The totals of each player, if there are several payments."""
    payments = [event.amounts for event in events if isinstance(event, Payment)]
    if len(payments) < 2:
        return ""
    sums = [sum(column) for column in zip(*payments, strict=True)]
    return " · ".join(
        f"{shown.seats[seat].name} {shown.voice.difference(amount)}"
        for seat, amount in enumerate(sums)
        if amount
    )
