"""What the lettering of a drawn map covers: other lettering, and the spaces and tokens of stations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from kursbuch.hexmap.svg import BOLD, width

SVG = "{http://www.w3.org/2000/svg}"

#: How far boxes may reach into each other, in parts of the height of letters: round letters and the
#: air above small ones.
SLACK = 0.12

_MOVED = re.compile(r"(translate|scale|rotate)\(([^)]*)\)")


class Place(NamedTuple):
    """Where an element is drawn: moved and scaled."""

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0

    def within(self, transform: str | None) -> Place:
        """The place of what has a transform here."""
        x, y, scale = self
        for kind, numbers in _MOVED.findall(transform or ""):
            values = [float(one) for one in re.split(r"[ ,]+", numbers.strip())]
            if kind == "translate":
                x, y = x + scale * values[0], y + scale * (values[1] if len(values) > 1 else 0)
            else:
                assert kind == "scale"
                scale *= values[0]
        return Place(x, y, scale)


class Box(NamedTuple):
    """A text, or a disc, with the box it takes."""

    text: str
    kind: str
    left: float
    top: float
    right: float
    bottom: float
    letters: float

    def covers(self, other: Box) -> bool:
        slack = SLACK * min(self.letters, other.letters)
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > slack and down > slack


def boxes(root: ElementTree.Element, *, near: bool = False) -> list[Box]:
    """All texts that are seen, from nearby with the numbers of hexes and tiles; and the places of
    tokens."""
    return [box for part in root for box in _boxes(part, Place(), {}, near=near)]


#: What elements have from what they are in.
INHERITED = ("visibility", "font-size", "text-anchor", "font-weight")


def _boxes(
    element: ElementTree.Element, at: Place, look: dict[str, str], *, near: bool
) -> Iterator[Box]:
    kinds = str(element.get("class", "")).split()
    look = look | {name: element.attrib[name] for name in INHERITED if name in element.attrib}
    one = ElementTree.Element(element.tag, look | element.attrib)
    one.text = element.text
    one.extend(element)
    at = at.within(one.get("transform"))
    if PIECES & set(kinds):
        # Lettering of a piece belongs to it; a piece in front covers what is below.
        yield _piece(one, at)
    elif one.tag == f"{SVG}text":
        if look.get("visibility") == "hidden" and not (near and {"corner", "cost"} & set(kinds)):
            return
        yield _text(one, kinds, at)
    elif one.tag == f"{SVG}circle" and {"city", "town", "marker"} & set(kinds):
        cx, cy, r = (float(str(one.get(name))) for name in ("cx", "cy", "r"))
        # A disc reaches into the corners of its box nowhere.
        x, y, half = at.x + at.scale * cx, at.y + at.scale * cy, 0.8 * at.scale * r
        yield Box("", "disc", x - half, y - half, x + half, y + half, half)
    else:
        for part in one:
            yield from _boxes(part, at, look, near=near)


def _piece(one: ElementTree.Element, at: Place) -> Box:
    points = [
        (float(x), float(y))
        for shape in one.iter(f"{SVG}polygon")
        for x, y in (point.split(",") for point in str(shape.get("points")).split())
    ]
    left, top = (at[axis] + at.scale * min(point[axis] for point in points) for axis in (0, 1))
    right, bottom = (at[axis] + at.scale * max(point[axis] for point in points) for axis in (0, 1))
    # Roofs and chimneys are narrow.
    top += 0.15 * (bottom - top)
    return Box("", "piece", left, top, right, bottom, 10 * at.scale)


def _text(one: ElementTree.Element, kinds: list[str], at: Place) -> Box:
    size = float(str(one.get("font-size")))
    text = "".join(one.itertext())
    bold = BOLD if one.get("font-weight") else 1.0
    wide = float(one.get("textLength") or width(text, size) * bold)
    x, y = float(str(one.get("x"))), float(str(one.get("y")))
    left = x - {"start": 0.0, "end": 1.0}.get(str(one.get("text-anchor", "start")), 0.5) * wide
    # From the line they stand on: capital letters, without what is below.
    box = (left, y - size * 0.72, left + wide, y)
    left, top, right, bottom = (
        offset + at.scale * value for offset, value in zip((at.x, at.y) * 2, box, strict=True)
    )
    return Box(text, kinds[0] if kinds else "", left, top, right, bottom, at.scale * size)


def overlaps(root: ElementTree.Element, *, near: bool = False) -> list[tuple[Box, Box]]:
    """Texts that cover each other or a place of tokens, other than those written on it."""
    found = sorted(boxes(root, near=near), key=lambda box: box.left)
    pairs = []
    for number, one in enumerate(found):
        for other in found[number + 1 :]:
            if other.left > one.right:
                break
            if one.covers(other) and not _belong(one, other):
                pairs.append((one, other))
    return pairs


#: Pieces that move, and lettering that stands on a disc.
PIECES = {"locomotive", "station"}
ON_DISC = {"marker-text", "reserved", ""}


def _belong(one: Box, other: Box) -> bool:
    kinds = {one.kind, other.kind}
    if kinds <= {"disc", "piece"}:
        return True
    for piece, text in ((one, other), (other, one)):
        # A piece that covers all of a text stands on it.
        if piece.kind == "piece" and piece.left <= text.left and text.right <= piece.right:
            return piece.top <= text.top and text.bottom <= piece.bottom
    return "disc" in kinds and bool(kinds & ON_DISC)
