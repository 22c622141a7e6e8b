"""Where the name and the label of a hex stand: where the least of its track and stops is covered.

Everything is in units of the size of a hex, around its middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from kursbuch.eighteen.drawing.look import SMALL, Sizes
from kursbuch.eighteen.map.board import STOP, Face, Stop
from kursbuch.hexmap.geometry import edge_middle

Point = tuple[float, float]

#: Lettering of a width and a height around a point.
Box = tuple[float, float, float, float]

LINE = 0.2
#: Names of two lines are this much smaller.
SMALLER = 0.88

#: What covering a stop or its value weighs, beside track; and reaching out of the hex.
STOP_WEIGHT, OUTSIDE_WEIGHT = 6.0, 2.0
#: Of two places that are as good, the one named first.
LATER = 0.001
#: Stops nearer to each other than this lie on tracks that cross.
CROSSING = 0.3
#: Half of what a track and its casing are wide.
TRACK = 0.08

#: Where a name may stand, the best place first.
NAME_SPOTS = tuple(
    (x, y)
    for y, x in product(
        (0.58, 0.5, 0.66, 0.42, -0.44, -0.36, -0.52, 0.34, -0.28, 0.26, -0.2, 0.06),
        (0.0, -0.12, 0.12, -0.24, 0.24, -0.36, 0.36),
    )
)
#: The same for the value of a stop, from the end of its spaces.
VALUE_SPOTS = ((0.13, -0.27), (0.2, 0.0), (0.13, 0.27), (-0.13, -0.27), (-0.2, 0.0), (-0.13, 0.27))
VALUE = (0.36, 0.26)
LABEL_SPOTS = (
    (-0.55, 0.3),
    (0.55, 0.3),
    (-0.6, -0.28),
    (-0.66, 0.0),
    (0.66, 0.0),
    (-0.42, 0.5),
    (0.42, 0.5),
    (0.0, 0.72),
    (-0.36, -0.52),
    (0.36, -0.52),
)


def stop_points(face: Face, x: float, y: float, size: float, sizes: Sizes = SMALL) -> list[Point]:
    """Where the stops of a face are drawn: the middle, or towards their track if there are several.
    If they are large, those of tracks that cross are moved apart."""
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
    if sizes.large and len(points) == 2 and math.dist(*points) < CROSSING * size:
        for number, turn in enumerate((0, -1)):
            edges = [edge for edge, _ in face.exits(number)]
            if edges:
                (at_x, at_y), (to_x, to_y) = (
                    points[number],
                    edge_middle(x, y, size, edges[turn]),
                )
                points[number] = (at_x + 0.4 * (to_x - at_x), at_y + 0.4 * (to_y - at_y))
    return points


@lru_cache(maxsize=4096)
def values(face: Face) -> tuple[Point, ...]:
    """Where the value of every stop stands, from the middle of the stop: to the right of it and above,
    unless another stop is there."""
    points = stop_points(face, 0, 0, 1)
    boxes = [stop_box(stop, point) for stop, point in zip(face.stops, points, strict=True)]
    found: list[Point] = []
    for number, (stop, (x, y)) in enumerate(zip(face.stops, points, strict=True)):
        wide = radius(stop, SMALL) * max(1, stop.slots)
        spots = [
            (x + math.copysign(wide, across) + across, y + down) for across, down in VALUE_SPOTS
        ]
        others = [(box, STOP_WEIGHT) for other, box in enumerate(boxes) if other != number]
        _, at = best(others, VALUE, spots, outside=0.0)
        found.append((at[0] - x, at[1] - y))
        boxes.append(box(at, VALUE))
    return tuple(found)


@lru_cache(maxsize=4096)
def place(face: Face, lines: tuple[str, ...]) -> tuple[tuple[Point, ...], Point]:
    """The middles of the lines of a name, and of the label of a face."""
    label = LABEL_SPOTS[0]
    things = list(_things(face))
    if face.label:
        size = (SMALL.label * 0.75 * len(face.label), SMALL.label * 0.8)
        label = best(things, size, LABEL_SPOTS)[1]
        things.append((box(label, size), STOP_WEIGHT))
    scale = name_scale(lines)
    longest = max((len(line) for line in lines), default=0)
    more = len(lines) - 1
    size = (longest * SMALL.name * SMALL.letter * scale, (SMALL.name * 0.8 + LINE * more) * scale)
    _, (x, y) = best(things, size, NAME_SPOTS)
    middles = tuple((x, y + LINE * scale * (n - more / 2)) for n in range(len(lines)))
    return middles, label


def name_scale(lines: Sequence[str]) -> float:
    """How large the letters of a name are, beside those of a short one."""
    return SMALLER if len(lines) > 1 else 1.0


def box(middle: Point, size: tuple[float, float]) -> Box:
    """Lettering of a size around a point."""
    (x, y), (width, height) = middle, size
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def radius(stop: Stop, sizes: Sizes) -> float:
    """Of one space of a stop."""
    return {"city": sizes.city, "town": sizes.town}.get(stop.kind, 0.0)


def stop_box(stop: Stop, middle: Point, sizes: Sizes = SMALL) -> Box:
    """The room a stop takes."""
    if stop.kind == "offboard":
        return box(middle, (0.42 * len(stop.values), 0.36))
    wide = radius(stop, sizes)
    return box(middle, (2 * wide * max(1, stop.slots) + 0.06, 2 * wide + 0.06))


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


def _things(face: Face) -> Iterator[tuple[Box, float]]:
    """All that should stay free, with what covering it weighs."""
    # The name of the hex itself stands in its upper corner.
    yield (-0.4, -0.92, 0.4, -0.66), STOP_WEIGHT
    points = stop_points(face, 0, 0, 1)
    for stop, point, (x, y) in zip(face.stops, points, values(face), strict=True):
        yield stop_box(stop, point), STOP_WEIGHT
        if stop.value and face.paths:
            yield box((point[0] + x, point[1] + y), VALUE), STOP_WEIGHT
    for middle in along(face, 8):
        yield box(middle, (2 * TRACK, 2 * TRACK)), 1.0


def along(face: Face, steps: int, sizes: Sizes = SMALL) -> Iterator[Point]:
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
