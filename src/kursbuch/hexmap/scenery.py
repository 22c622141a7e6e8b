"""Scenery of a map: relief and rivers on its hexes, and the land and the sea around them.

Relief is drawn around the middle of a hex for hexes of `SIZE`. A river runs from hex to hex. What lies around the map
is given in columns and rows, and means nothing for the rules.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import Hex

Point = tuple[float, float]

#: Size of the hexes for which relief is drawn.
SIZE = 46.0

#: Places of hills and peaks, so that neighbours differ: middle of the foot, and half its width.
HILLS = (
    ((-17, -12, 13), (14, -19, 12), (-24, 15, 11), (4, 8, 14), (23, 13, 10)),
    ((-8, -20, 12), (20, -9, 13), (-22, 2, 12), (-3, 24, 13), (21, 20, 10)),
    ((-20, -16, 11), (6, -10, 14), (-15, 12, 13), (18, 8, 11), (4, 28, 11)),
    ((-15, 2, 19), (19, 12, 17)),
)
PEAKS = (
    ((-19, -5, 12), (5, -13, 14), (25, 1, 10), (-13, 22, 11), (12, 20, 13)),
    ((-8, -14, 13), (18, -8, 12), (-24, 8, 11), (2, 14, 13), (22, 22, 10)),
    ((-22, -10, 11), (1, -8, 14), (23, -5, 11), (-9, 21, 13), (15, 18, 11)),
    ((-13, 14, 20), (18, 20, 16)),
)
SUMMITS = (
    ((-17, 2, 17), (14, -3, 20), (0, 26, 19)),
    ((-13, -4, 19), (18, 4, 16), (-4, 27, 18)),
    ((-20, 6, 15), (7, 0, 21), (6, 28, 17)),
    ((-9, 22, 25), (21, 24, 15)),
)
#: The last variant, with few and large ones, is that of small samples.
SAMPLE = len(HILLS) - 1

#: How far a river strays from the middles of hexes and of their borders, and how far the arms of a
#: wide one lie apart, in sizes of a hex.
STRAY, ARMS = 0.2, 0.2

RIDGE: svg.Look = {"stroke_linecap": "round", "stroke_linejoin": "round"}


@lru_cache(maxsize=16)
def relief(kind: str, variant: int = SAMPLE) -> str:
    """Relief of a hex, around the origin: "hill", "mountain" or "high_mountain".

    >>> relief("hill", 0).count("q")
    5
    """
    n = svg.number
    if kind == "hill":
        hills = HILLS[variant % len(HILLS)]
        data = "".join(f"M{x - w} {y}q{w} {n(-1.25 * w)} {2 * w} 0" for x, y, w in hills)
        look = {"fill": "#d3bb82", "fill_opacity": ".5", "stroke": "#a68a52", "stroke_width": 1.8}
        return svg.path(data, class_="hills", **(look | RIDGE))
    peaks = (PEAKS if kind == "mountain" else SUMMITS)[variant % len(PEAKS)]
    sun = "".join(f"M{x - w} {y}l{w} {n(-1.4 * w)}l{w} {n(1.4 * w)}z" for x, y, w in peaks)
    shade = "".join(
        f"M{x} {n(y - 1.4 * w)}l{w} {n(1.4 * w)}h{n(-1.2 * w)}l{n(0.45 * w)} {n(-0.55 * w)}z"
        for x, y, w in peaks
    )
    drawn = svg.path(sun, class_="sun", fill="#d3bb92", stroke="#8a7050", stroke_width=1, **RIDGE)
    drawn += svg.path(shade, class_="shade", fill="#8a7050")
    if kind == "high_mountain":
        snow = "".join(
            f"M{x} {n(y - 1.4 * w)}l{n(0.4 * w)} {n(0.56 * w)}l{n(-0.26 * w)} -2l{n(-0.2 * w)} 4"
            f"l{n(-0.34 * w)} -2z"
            for x, y, w in peaks
        )
        drawn += svg.path(snow, class_="snow", fill="#ffffff", stroke="#8a7050", stroke_width=0.8)
    return drawn


def definitions(kinds: Iterable[str]) -> str:
    """Relief of these kinds, defined once for a drawing."""
    found = (
        svg.group([relief(kind, variant)], id=f"{kind}-{variant}")
        for kind in kinds
        for variant in range(SAMPLE)
    )
    return svg.element("defs", "".join(found))


def defined(kind: str, name: str, x: float, y: float, scale: float = 1) -> str:
    """Relief from the definitions of the drawing; names that differ mostly look different."""
    where = f"translate({svg.number(x)} {svg.number(y)})"
    if scale != 1:
        where += f" scale({scale:.3g})"
    variant = crc32(name.encode()) % SAMPLE
    return svg.element("use", href=f"#{kind}-{variant}", transform=where)


# ---- rivers

#: The two halves of a river's way through a hex, as cubic curves; only one where it rises or ends.
Reach = tuple[tuple[Point, Point, Point, Point], ...]


def _strayed(name: str, x: float, y: float) -> Point:
    """A point near (x, y), always the same for a name."""
    turn = crc32(name.encode())
    angle, far = math.tau * (turn % 97) / 97, STRAY * (0.5 + (turn // 97 % 50) / 100)
    return x + far * math.cos(angle), y + far * math.sin(angle)


def reaches(courses: Iterable[str]) -> Mapping[str, Sequence[Reach]]:
    """How rivers run through each hex, in sizes of a hex from its middle.

    A course names hexes from the source to the mouth; its ends need not be on the map. Courses that
    share a hex meet there.

    >>> found = reaches(["A1 A3 B4"])
    >>> [len(found[name][0]) for name in ("A1", "A3", "B4")]
    [1, 2, 1]
    """
    found: dict[str, list[Reach]] = {}
    for course in courses:
        names = course.split()
        points: list[Point] = []
        for name, following in zip(names, [*names[1:], ""], strict=True):
            here = Hex.parse(name).centre(1)
            points.append(_strayed(name, *here))
            if following:
                there = Hex.parse(following).centre(1)
                middle = (here[0] + there[0]) / 2, (here[1] + there[1]) / 2
                points.append(_strayed("".join(sorted((name, following))), *middle))
        curves = list(_curves(points))
        for number, name in enumerate(names):
            x, y = Hex.parse(name).centre(1)
            part = curves[max(0, 2 * number - 1) : 2 * number + 1]
            moved = tuple(tuple((px - x, py - y) for px, py in curve) for curve in part)
            found.setdefault(name, []).append(moved)  # type: ignore[arg-type]
    return found


def _curves(points: Sequence[Point]) -> Iterator[tuple[Point, Point, Point, Point]]:
    """Smooth curves through points."""
    last = len(points) - 1
    for number in range(last):
        before, after = points[max(0, number - 1)], points[min(last, number + 2)]
        (x1, y1), (x2, y2) = points[number], points[number + 1]
        yield (
            (x1, y1),
            (x1 + (x2 - before[0]) / 6, y1 + (y2 - before[1]) / 6),
            (x2 - (after[0] - x1) / 6, y2 - (after[1] - y1) / 6),
            (x2, y2),
        )


def river(reach: Reach, x: float, y: float, size: float, arms: int = 1) -> str:
    """Path data of a river through the hex around (x, y), perhaps in several arms."""
    n = svg.number
    data = ""
    for arm in range(arms):
        aside = ARMS * (2 * arm - arms + 1)
        for (x1, y1), (x2, y2), (x3, y3), (x4, y4) in reach:
            far = math.dist((x1, y1), (x4, y4)) or 1
            across, down = aside * (y1 - y4) / far, aside * (x4 - x1) / far
            at = [(x1, y1), (x2 + across, y2 + down), (x3 + across, y3 + down), (x4, y4)]
            (ax, ay), *more = ((x + size * px, y + size * py) for px, py in at)
            data += f"M{n(ax)} {n(ay)}C" + " ".join(f"{n(px)} {n(py)}" for px, py in more)
    return data


# ---- around the map


class Range(NamedTuple):
    """Mountains beyond the border: places in columns and rows, and their kind."""

    kind: str
    places: Sequence[Point]


class Surroundings(NamedTuple):
    """What lies around a map, in columns and rows: land in the sea, or waters in the land, mountains,
    and the title with its middle. Outlines may lead beyond the map."""

    title: str
    year: str
    at: Point
    land: Sequence[Sequence[Point]] = ()
    water: Sequence[Sequence[Point]] = ()
    inland: bool = False
    ranges: Sequence[Range] = ()


def outline(points: Sequence[Point]) -> str:
    """Path data of a smooth closed line around points."""
    n = svg.number
    data = ""
    for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
        middle = f"{n((x1 + x2) / 2)} {n((y1 + y2) / 2)}"
        data += f"Q{n(x1)} {n(y1)} {middle}" if data else f"M{middle}"
    x, y = points[0]
    return f"{data}Q{n(x)} {n(y)} {data[1 : data.index('Q')]}Z"


def draw_surroundings(
    around: Surroundings,
    corner: Point,
    size: float,
    extent: tuple[float, float],
    coast: str,
) -> str:
    """Draw what lies around a map whose upper left corner is `corner`; `coast` is the outline of its
    hexes. The drawing has the definitions of its mountains."""
    width, height = extent

    def at(point: Point) -> Point:
        column, row = point
        return column * size * math.sqrt(3) / 2 - corner[0], row * size * 1.5 - corner[1]

    land = "".join(outline([at(point) for point in one]) for one in around.land)
    water = "".join(outline([at(point) for point in one]) for one in around.water)
    ground = "abroad" if around.inland else "sea"
    wide: svg.Look = {"fill": "none", "stroke_linejoin": "round"}
    shores = water if around.inland else f"{coast}{land}"
    shelves = [
        svg.path(shores, class_=kind, stroke=stroke, stroke_width=size * across, **wide)
        for kind, stroke, across in (("shelf far", "#d9ecea", 0.72), ("shelf", "#e9f5f2", 0.34))
    ]
    parts = [
        svg.rect(0, 0, width, height, class_=ground, fill=FILLS[ground]),
        *([] if around.inland else shelves),
        *([svg.path(land, class_="abroad", fill=FILLS["abroad"], **SHORE)] if land else []),
        *([svg.path(water, class_="sea", fill=FILLS["sea"], **SHORE)] if water else []),
    ]
    scale, drawn = size / SIZE, []
    for one in around.ranges:
        for number, place in enumerate(one.places):
            drawn.append(defined(one.kind, str(number), *at(place), scale))
    if drawn:
        # Paler than what has a price.
        parts.append(svg.group(drawn, class_="beyond", opacity=".55"))
    x, y = at(around.at)
    parts += _cartouche(around, x, y, size)
    # The line around the map sheet also covers where scenery is cut off.
    frame: svg.Look = {"class_": "neatline", "fill": "none", "stroke": "#6d6650"}
    parts.append(svg.rect(1.5, 1.5, width - 3, height - 3, stroke_width=1.2, **frame))
    # A drawing within the drawing is cut off at its border.
    return svg.element("svg", "".join(parts), width=width, height=height, class_="scenery")


#: Colours of what lies around a map.
FILLS = {"sea": "#cfe0e6", "abroad": "#e4dfcc"}
SHORE: svg.Look = {"stroke": "#8f8a74", "stroke_width": 1.4, "stroke_linejoin": "round"}


#: How far the letters of a title are spread.
SPREAD = 1.35


def _cartouche(around: Surroundings, x: float, y: float, size: float) -> Iterator[str]:
    """The title of the map above a line, and its year."""
    ink: svg.Look = {"class_": "cartouche", "fill": "#4b4a3c"}
    letters, small, n = size * 0.62, size * 0.45, svg.number
    wide, low = SPREAD * svg.width(around.title, letters), y + letters * 0.4
    title: svg.Look = {"font_size": letters, "font_weight": "bold", "textLength": wide}
    yield svg.text(x, y, around.title, **title, **ink)
    line = f"M{n(x - wide / 2)} {n(low)}h{n(wide)}"
    yield svg.path(line, class_="cartouche-line", stroke="#4b4a3c", stroke_width=1.2)
    year: svg.Look = {"font_size": small, "textLength": SPREAD * svg.width(around.year, small)}
    yield svg.text(x, low + small * 1.1, around.year, **year, **ink)
