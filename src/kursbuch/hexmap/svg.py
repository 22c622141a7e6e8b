"""SVG text of maps and boards, and text widths without a font.

Light colours are attributes, so that a drawing is self-contained. A page's style sheet can override them by class
(dark mode).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from kursbuch.hexmap.geometry import corners, edge_middle

#: The typeface of the pages; where it is missing, those that are nearly as narrow.
FONT = "Barlow, Arial, Roboto, 'Liberation Sans', 'DejaVu Sans Condensed', sans-serif"

#: Widths of its characters in hundredths of their height, rounded up.
WIDTHS = {
    letter: hundredths / 100
    for hundredths, letters in (
        (14, "'’"),
        (20, " |`"),
        (24, "lí"),
        (26, "Iij"),
        (28, '"(),.„“·'),
        (34, "!;{}:"),
        (36, "frt"),
        (40, "[]*-/\\°"),
        (44, "×"),
        (46, "^z–"),
        (48, "?vxy§"),
        (50, "+<=>_s"),
        (52, "ack~äáà"),
        (54, "0123456789eghnuöüéèóúñ"),
        (56, "$Zbdopqß"),
        (58, "FJLQTY"),
        (60, "PSVX"),
        (62, "ACDEGKRÄ£"),
        (64, "BOÖ"),
        (66, "#&HUÜ"),
        (68, "N"),
        (72, "M—"),
        (74, "w"),
        (84, "m…½@"),
        (88, "%W"),
    )
    for letter in letters
}
#: All others, such as arrows.
OTHER = 0.9

#: Width factor of bold text.
BOLD = 1.05


@lru_cache(maxsize=4096)
def width(text: str, size: float) -> float:
    """Approximate width of a text.

    >>> round(width("Madras", 1), 2)
    3.18
    """
    return size * sum(WIDTHS.get(letter, OTHER) for letter in text)


def shortened(text: str, size: float, most: float, *, bold: bool = False) -> str:
    """Shorten a text to a maximum width.

    >>> shortened("Ilse", 10, 40), shortened("Wilhelmine", 10, 40)
    ('Ilse', 'Wilhel…')
    """
    room = most / (BOLD if bold else 1)
    if width(text, size) <= room:
        return text
    for end in range(len(text) - 1, 1, -1):
        cut = f"{text[:end].rstrip()}…"
        if width(cut, size) <= room:
            return cut
    return f"{text[:1]}…"


#: Attributes of an element; drawings name their looks.
Look = dict[str, object]


def number(value: float) -> str:
    """A coordinate with at most one decimal.

    >>> number(12.0), number(0.449)
    ('12', '0.4')
    """
    return f"{value:.1f}".removesuffix(".0")


def attributes(values: dict[str, object]) -> str:
    """XML attributes; underscores in names become hyphens, None is left out.

    >>> attributes({"class_": "land", "stroke_width": 2, "id": None})
    ' class="land" stroke-width="2"'
    """
    return "".join([_attribute(*each) for each in values.items()])


@lru_cache(maxsize=1 << 15, typed=True)
def _attribute(name: str, value: object) -> str:
    """Cached, since drawings change little from move to move."""
    if value is None:
        return ""
    written = name.rstrip("_").replace("_", "-")
    if isinstance(value, float):
        # 0.0 and -0.0 share a cache key.
        return f' {written}="{number(value + 0.0)}"'
    text = str(value)
    return f' {written}="{text}"' if _PLAIN(text) else f" {written}={quoteattr(text)}"


#: Most values need no escaping.
_PLAIN = re.compile(r"[^&<>\"'\n\r\t]*").fullmatch


def element(name: str, content: str | None = None, /, **values: object) -> str:
    """An element; `content` is markup."""
    if content is None:
        return f"<{name}{attributes(values)}/>"
    return f"<{name}{attributes(values)}>{content}</{name}>"


def text(x: float, y: float, content: str, /, **values: object) -> str:
    """Escaped text, centred on x unless `anchor` is given."""
    return element("text", escape(content), **({"x": x, "y": y, "text_anchor": "middle"} | values))


def group(content: Iterable[str], /, title: str = "", **values: object) -> str:
    """A group of elements; the title is its tooltip and accessible name."""
    name = f"<title>{escape(title)}</title>" if title else ""
    # Joined once: the content may be long.
    return "".join((f"<g{attributes(values)}>{name}", *content, "</g>"))


def circle(x: float, y: float, radius: float, /, **values: object) -> str:
    """A circle around (x, y)."""
    return element("circle", cx=x, cy=y, r=radius, **values)


def rect(x: float, y: float, width: float, height: float, /, **values: object) -> str:
    """A rectangle from its top left corner."""
    return element("rect", x=x, y=y, width=width, height=height, **values)


def path(data: str, /, **values: object) -> str:
    return element("path", d=data, **values)


def polygon(points: Iterable[tuple[float, float]], /, **values: object) -> str:
    """A closed polygon."""
    return element(
        "polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **values
    )


@lru_cache(maxsize=8192)
def hexagon(x: float, y: float, size: float, /, **values: object) -> str:
    """A pointy-top hex around (x, y)."""
    return polygon(corners(x, y, size), **values)


def track(x: float, y: float, size: float, first: int, second: int) -> str:
    """Path data of a track across a hex, from edge to edge, bending through the middle."""
    x1, y1 = edge_middle(x, y, size, first)
    x2, y2 = edge_middle(x, y, size, second)
    return (
        f"M{number(x1)} {number(y1)}Q{number(x)} {number(y)} {number(x2)} {number(y2)}"
        if (first - second) % 6 != 3
        else f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
    )


def stub(x: float, y: float, size: float, edge: int) -> str:
    """Path data of a track from the centre of a hex to an edge."""
    x1, y1 = edge_middle(x, y, size, edge)
    return f"M{number(x)} {number(y)}L{number(x1)} {number(y1)}"


#: Depth of pieces and cards: their shape once more over them, bright above and dark below, and once
#: a little aside below them.
SHEEN: Look = {"class_": "sheen", "fill": "url(#sheen) none"}
SHADOW: Look = {"class_": "shadow", "fill": "#000000", "fill_opacity": ".28"}

#: What `SHEEN` refers to. Drawings on one page define it alike.
_DEPTH = (
    '<defs><linearGradient id="sheen" x2="0" y2="1">'
    '<stop stop-color="#ffffff" stop-opacity=".36"/>'
    '<stop offset=".45" stop-color="#ffffff" stop-opacity="0"/>'
    '<stop offset=".6" stop-color="#000000" stop-opacity="0"/>'
    '<stop offset="1" stop-color="#000000" stop-opacity=".24"/>'
    "</linearGradient></defs>"
)


def disc(x: float, y: float, radius: float, /, **values: object) -> str:
    """A round piece with its shadow, without its rim."""
    # Not a circle: pages take the first one for the piece.
    shadow = element("ellipse", cx=x, cy=y + radius * 0.14, rx=radius, ry=radius, **SHADOW)
    return f"{shadow}{circle(x, y, radius, **values)}{circle(x, y, radius, **SHEEN)}"


def card(x: float, y: float, width: float, height: float, /, **values: object) -> str:
    """A card or tile of card with its shadow."""
    left, top, wide, high = (number(one) for one in (x + 2, y + 3, width - 2, height))
    shadow = path(f"M{left} {top}h{wide}v{high}h-{wide}z", **SHADOW)
    return shadow + rect(x, y, width, height, **values)


def document(
    width: float, height: float, content: Iterable[str], /, label: str, **values: object
) -> str:
    """A complete drawing."""
    frame = attributes(
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {number(width)} {number(height)}",
            "role": "group",
            "font_family": FONT,
        }
        | values
    )
    drawn = tuple(content)
    depth = _DEPTH if any("url(#sheen)" in part for part in drawn) else ""
    return "".join((f"<svg{frame}><title>{escape(label)}</title>{depth}", *drawn, "</svg>"))


_DARK, _LIGHT = "#1d1a16", "#ffffff"

#: Fill and text colour of each seat.
SEAT_COLOURS = (
    ("#dd0078", _LIGHT),
    ("#00b8e6", _DARK),
    ("#9cdc00", _DARK),
    ("#1a1a8c", _LIGHT),
    ("#7a3a10", _LIGHT),
    ("#ffb59e", _DARK),
    ("#00596b", _LIGHT),
    ("#b79cff", _DARK),
)


def seat_fill(seat: int) -> Look:
    """Look of areas in a player's colour."""
    number = seat % len(SEAT_COLOURS)
    return {"class_": f"seat-fill seat-{number}", "fill": SEAT_COLOURS[number][0]}


def seat_ink(seat: int) -> Look:
    """Look of text on a player's colour."""
    number = seat % len(SEAT_COLOURS)
    return {"class_": f"seat-ink seat-{number}", "fill": SEAT_COLOURS[number][1]}
