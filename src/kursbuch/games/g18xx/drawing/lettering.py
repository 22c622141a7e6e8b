"""Where the stops of a hex are drawn, how much room they take, and the place at which lettering covers
the least.

Everything is in units of the size of a hex, around its middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from kursbuch.games.g18xx.drawing.look import Sizes
from kursbuch.games.g18xx.map.board import STOP, Face, Stop
from kursbuch.hexmap.geometry import edge_middle

Point = tuple[float, float]

#: Lettering of a width and a height around a point.
Box = tuple[float, float, float, float]

#: What covering a stop or its value weighs, beside track; and reaching out of the hex.
STOP_WEIGHT, OUTSIDE_WEIGHT = 6.0, 2.0
#: Of two places that are as good, the one named first.
LATER = 0.001
#: Stops nearer to each other than this lie on tracks that cross.
CROSSING = 0.3
#: How far three spaces of a triangle lie from its middle, as parts of their radius: below and above.
LOW, TOP = 0.577, 1.155


def stop_points(face: Face, x: float, y: float, size: float, sizes: Sizes) -> list[Point]:
    """Where the stops of a face are drawn: the middle, or towards their track if there are several.
    Those of tracks that cross are moved apart."""
    points = []
    for number in range(len(face.stops)):
        ends = [edge for edge, _ in face.exits(number)]
        if len(face.stops) == 1:
            points.append((x, y))
        elif not ends:
            angle = math.tau * number / len(face.stops)
            points.append((x + size * 0.38 * math.cos(angle), y + size * 0.38 * math.sin(angle)))
        else:
            middles = [edge_middle(x, y, size, edge) for edge in ends]
            # A town lies on its track, a city nearer to the border.
            part = 0.5 if len(ends) > 1 else 0.6 if len(face.stops) < 4 else 0.68
            points.append(
                (
                    x + part * (sum(p[0] for p in middles) / len(ends) - x),
                    y + part * (sum(p[1] for p in middles) / len(ends) - y),
                )
            )
    if len(points) == 2 and math.dist(*points) < CROSSING * size:
        for number, turn in enumerate((0, -1)):
            edges = [edge for edge, _ in face.exits(number)]
            if edges:
                (at_x, at_y), (to_x, to_y) = (
                    points[number],
                    edge_middle(x, y, size, edges[turn]),
                )
                points[number] = (at_x + 0.4 * (to_x - at_x), at_y + 0.4 * (to_y - at_y))
    return points


def box(middle: Point, size: tuple[float, float]) -> Box:
    """Lettering of a size around a point."""
    (x, y), (width, height) = middle, size
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def radius(stop: Stop, sizes: Sizes) -> float:
    """Of one space of a stop."""
    return {"city": sizes.city, "town": sizes.town}.get(stop.kind, 0.0)


def spaces(stop: Stop) -> tuple[Point, ...]:
    """Where the spaces of a city lie, in units of their radius: alone, side by side, as a triangle or a
    square."""
    if stop.slots == 3:
        middle = (TOP - LOW) / 2
        return (0.0, middle - TOP), (1.0, middle + LOW), (-1.0, middle + LOW)
    if stop.slots == 4:
        return (-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)
    return tuple((2.0 * slot - stop.slots + 1, 0.0) for slot in range(stop.slots))


def extent(stop: Stop, sizes: Sizes) -> tuple[float, float]:
    """Half the width and half the height of a stop."""
    space = radius(stop, sizes)
    places = spaces(stop) or ((0.0, 0.0),)
    return (
        space * (1 + max(x for x, _ in places)),
        space * (1 + max(y for _, y in places)),
    )


def value_box(sizes: Sizes) -> tuple[float, float]:
    """The box of one of the values of an off-board stop."""
    return sizes.value * 1.52, sizes.value * 1.3


def stop_box(stop: Stop, middle: Point, sizes: Sizes) -> Box:
    """The room a stop takes."""
    if stop.kind == "offboard":
        wide, high = value_box(sizes)
        return box(middle, (wide * len(stop.values), high))
    wide, high = extent(stop, sizes)
    return box(middle, (2 * wide + 0.06, 2 * high + 0.06))


def best(
    things: Sequence[tuple[Box, float]],
    size: tuple[float, float],
    spots: Sequence[Point],
    outside: float = OUTSIDE_WEIGHT,
) -> tuple[float, Point]:
    """The spot at which the least is covered, after how much that is."""

    def harm(number: int) -> float:
        left, top, right, bottom = box(spots[number], size)
        found = number * LATER
        for (x1, y1, x2, y2), weight in things:
            width, height = min(right, x2) - max(left, x1), min(bottom, y2) - max(top, y1)
            if width > 0 and height > 0:
                found += width * height * weight
        for x, y in product((left, right), (top, bottom)):
            found += outside * max(0.0, abs(x) - 0.866 * min(1.0, 2 * (1 - abs(y))))
        return found

    least, number = min((harm(number), number) for number in range(len(spots)))
    return least, spots[number]


def along(face: Face, steps: int, sizes: Sizes) -> Iterator[Point]:
    """Points of the track of a face."""
    points = stop_points(face, 0, 0, 1, sizes)
    for path in face.paths:
        (ax, ay), (bx, by) = (
            edge_middle(0, 0, 1, end) if end < STOP else points[end - STOP] for end in path[:2]
        )
        # From border to border a curve through the middle, else nearly straight.
        curved = max(path[:2]) < STOP
        for step in range(steps + 1):
            t = step / steps
            a, b = ((1 - t) ** 2, t**2) if curved else (1 - t, t)
            yield a * ax + b * bx, a * ay + b * by
