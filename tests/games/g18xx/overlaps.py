"""How much of the track and of the stations of a drawn map its lettering covers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree import ElementTree

from kursbuch.hexmap.svg import BOLD, width

SVG = "{http://www.w3.org/2000/svg}"
#: Lettering that has to keep clear, by its classes.
CLEAR = {"name", "value", "label", "cost"}

Point = tuple[float, float]


class Letters(NamedTuple):
    """A text of the drawing with the box it takes."""

    text: str
    kind: str
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, at: Point, margin: float = 0.0) -> bool:
        x, y = at
        return (
            self.left - margin < x < self.right + margin
            and self.top - margin < y < self.bottom + margin
        )

    def shared(self, other: Letters) -> float:
        """The part of the smaller box that lies in both."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        if across <= 0 or down <= 0:
            return 0.0
        return across * down / min(self.area, other.area)

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)


def letters(root: ElementTree.Element) -> Iterator[Letters]:
    """The names, values, labels and costs of a map."""
    for one in root.iter(f"{SVG}text"):
        kind = str(one.get("class")).split()[0]
        if kind not in CLEAR or {"now", "later"} & set(str(one.get("class")).split()):
            continue
        size = float(str(one.get("font-size")))
        text = str(one.text)
        bold = BOLD if one.get("font-weight") else 1.0
        wide = float(one.get("textLength") or width(text, size) * bold)
        x, y = float(str(one.get("x"))), float(str(one.get("y")))
        # From the line they stand on: capital letters, without what is below.
        yield Letters(text, kind, x - wide / 2, y - size * 0.72, x + wide / 2, y)


def stations(root: ElementTree.Element) -> Iterator[tuple[Point, float]]:
    """The middles and radii of all spaces for tokens."""
    for one in root.iter(f"{SVG}circle"):
        if one.get("class") in ("city", "town"):
            cx, cy, r = (float(str(one.get(name))) for name in ("cx", "cy", "r"))
            yield (cx, cy), r


def track(root: ElementTree.Element) -> Iterator[Point]:
    """Points on the middle of all track."""
    for one in root.iter(f"{SVG}path"):
        if one.get("class") == "track":
            for piece in str(one.get("d")).split("M")[1:]:
                # Samples in a legend are not on the map.
                if "h" not in piece:
                    yield from _points([float(n) for n in re.findall(r"-?[\d.]+", piece)])


def _points(numbers: Sequence[float]) -> Iterator[Point]:
    ends = list(zip(numbers[::2], numbers[1::2], strict=True))
    (ax, ay), (bx, by) = ends[0], ends[-1]
    # A straight line is a curve by its own middle.
    via_x, via_y = ends[1] if len(ends) == 3 else ((ax + bx) / 2, (ay + by) / 2)
    for step in range(21):
        t = step / 20
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        yield a * ax + b * via_x + c * bx, a * ay + b * via_y + c * by
