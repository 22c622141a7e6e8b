"""Where large lettering stands: it finds room beside the track, also across the border of its hex.

Everything is in units of the size of a hex, around its middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from kursbuch.eighteen.drawing.lettering import (
    OUTSIDE_WEIGHT,
    STOP_WEIGHT,
    Box,
    Point,
    along,
    best,
    box,
    radius,
    stop_box,
    stop_points,
)
from kursbuch.eighteen.drawing.look import Note, Sizes
from kursbuch.eighteen.map.board import Board, Face

Things = tuple[tuple[Box, float], ...]

#: How wide letters are, as part of their height; all others are as wide as `OTHER`.
WIDE = dict.fromkeys("ijlI.,'/ -", 0.33) | dict.fromkeys("frt()", 0.42)
WIDE |= dict.fromkeys("mwMW", 0.9) | dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ", 0.7)
OTHER = 0.58
#: How high lettering is, as part of its size, and how much wider it is if it is bold.
HIGH, BOLD = 0.85, 1.2
#: How wide the marker of a company is beside a number asked, as part of its letters.
ASKED = 1.26
#: What covering a name or a note weighs, beside track; and each hex size away from the middle.
NAME_WEIGHT, AWAY = 8.0, 0.08
#: Of so many stops that are worth the same, the value stands once, in the middle.
SHARED = 3

#: Where a value may stand around its stop: clear of it across, or above or below.
ROUND = tuple(
    (across * x, down * y)
    for x, y in ((1.0, 0.0), (1.0, 0.4), (0.8, 1.0), (0.0, 1.0), (1.0, 0.8))
    for down in (-1, 1)
    for across in (1, -1)
)
LABELS = (
    *((x * across, y) for across in (-1, 1) for x, y in ((0.55, 0.3), (0.55, -0.3), (0.6, 0.0))),
    *((x * across, y) for across in (-1, 1) for x, y in ((0.4, 0.52), (0.4, -0.52))),
    *((0.0, y * down) for y in (0.74, 0.88) for down in (-1, 1)),
)
NAMES = tuple(
    (across, down)
    for down in (-0.58, 0.58, -0.48, 0.48, -0.72, 0.72, -0.9, 0.9, -1.1, 1.1, -0.3, 0.3, 0.0)
    for across in (0.0, -0.15, 0.15, -0.3, 0.3, -0.5, 0.5, -0.75, 0.75, -1.05, 1.05, -1.35, 1.35)
)


def width(text: str, size: float) -> float:
    """About how wide a text is.

    >>> round(width("Madras", 1), 2)
    3.64
    """
    return size * sum(WIDE.get(letter, OTHER) for letter in text)


@lru_cache(maxsize=4096)
def values(face: Face, sizes: Sizes) -> tuple[Point | None, ...]:
    """Where the value of every stop stands, from the middle of the stop; None if it does not."""
    points = stop_points(face, 0, 0, 1, sizes)
    if len(face.stops) >= SHARED and len({stop.value for stop in face.stops}) == 1:
        x, y = points[-1]
        return (*[None] * (len(points) - 1), (-x, -y))
    things = [(_track(point, sizes), 1.0) for point in along(face, 10, sizes)]
    things += [
        (stop_box(stop, point, sizes), STOP_WEIGHT)
        for stop, point in zip(face.stops, points, strict=True)
    ]
    found: list[Point | None] = []
    for stop, (x, y) in zip(face.stops, points, strict=True):
        if not stop.value or not face.paths:
            found.append(None)
            continue
        size = (width(str(stop.value), sizes.value) * BOLD, sizes.value * HIGH)
        high = radius(stop, sizes)
        wide = high * max(1, stop.slots)
        spots = [
            (
                x + across * (wide + size[0] / 2 + 0.02),
                y + down * (high + size[1] / 2 + 0.02),
            )
            for across, down in ROUND
        ]
        _, at = best(things, size, spots, OUTSIDE_WEIGHT / 20)
        things.append((box(at, size), STOP_WEIGHT))
        found.append((at[0] - x, at[1] - y))
    return tuple(found)


@lru_cache(maxsize=4096)
def label(face: Face, sizes: Sizes) -> Point:
    """The middle of the label of a face."""
    size = (width(face.label, sizes.label) * BOLD, sizes.label * HIGH)
    return best(_stops_and_track(face, sizes), size, LABELS, OUTSIDE_WEIGHT / 4)[1]


def _track(middle: Point, sizes: Sizes) -> Box:
    return box(middle, (sizes.casing, sizes.casing))


def _stops_and_track(face: Face, sizes: Sizes) -> Things:
    points = stop_points(face, 0, 0, 1, sizes)
    things = [(_track(point, sizes), 1.0) for point in along(face, 6, sizes)]
    for stop, (x, y), value in zip(face.stops, points, values(face, sizes), strict=True):
        things.append((stop_box(stop, (x, y), sizes), STOP_WEIGHT))
        if value is not None:
            size = (width(str(stop.value), sizes.value) * BOLD, sizes.value * HIGH)
            things.append((box((x + value[0], y + value[1]), size), STOP_WEIGHT))
    return tuple(things)


class Places:
    """Where the parts of a note stand on a hex without a tile."""

    def __init__(self, note: Note, face: Face, sizes: Sizes) -> None:
        kinds = face.kinds()
        self.height = sizes.name
        self.signs: Point = (0.0, -0.28)
        self.cost: Point = (0.0, 0.3)
        self.bonus: Point = (0.0, 0.58)
        # Below a hex that shows more than a station.
        self.ask: Point = (0.0, 0.94 if face.paths else 0.6)
        if "city" in kinds:
            self.signs, self.cost, self.bonus = (-0.58, 0.0), (0.0, 0.56), (0.0, -0.56)
        elif kinds:
            self.signs, self.cost, self.bonus = (0.0, -0.52), (0.0, 0.54), (0.0, -0.52)
            if note.signs and note.bonus:
                self.signs, self.bonus = (-0.42, -0.5), (0.36, -0.5)
        elif note.bonus:
            self.signs, self.cost, self.bonus = (0.0, -0.5), (0.0, 0.02), (0.0, 0.5)

    def boxes(self, note: Note, sizes: Sizes) -> Things:
        """The room they take."""
        found = []
        if note.signs:
            size = (self.height * 1.45 * len(note.signs), self.height)
            found.append(box(self.signs, size))
        if note.ask:
            found.append(box(self.ask, (ask_width(note, sizes), sizes.value)))
        elif note.cost:
            found.append(box(self.cost, (width(note.cost, sizes.name), sizes.name * HIGH)))
        if note.bonus:
            found.append(box(self.bonus, (width(note.bonus, sizes.name) + 0.2, sizes.name)))
        return tuple((one, NAME_WEIGHT) for one in found)


def ask_width(note: Note, sizes: Sizes) -> float:
    """How wide a number asked is, with the companies it is about."""
    return width(note.ask, sizes.value) * BOLD + 0.1 + len(note.companies) * sizes.value * ASKED


@lru_cache(maxsize=4096)
def things(face: Face, note: Note, laid: bool, sizes: Sizes) -> Things:
    """All that should stay free on a hex, with what covering it weighs."""
    found = _stops_and_track(face, sizes)
    if face.label:
        size = (width(face.label, sizes.label) * BOLD, sizes.label * HIGH)
        found += ((box(label(face, sizes), size), STOP_WEIGHT),)
    shown = note if not (laid or face.paths) else Note(ask=note.ask, companies=note.companies)
    return found + Places(note, face, sizes).boxes(shown, sizes)


def names(
    board: Board,
    faces: Sequence[Face],
    notes: Mapping[str, Note],
    laid: Iterable[str],
    sizes: Sizes,
) -> dict[str, Point]:
    """Where the names of places stand, from the middles of their hexes."""
    found: dict[str, Point] = {}
    around = [(0.0, 0.0)]
    around += [
        (math.sqrt(3) * math.cos(math.tau * edge / 6), math.sqrt(3) * math.sin(math.tau * edge / 6))
        for edge in range(6)
    ]
    tiles = set(laid)
    for place, record in enumerate(board.records):
        if not record.name:
            continue
        near: list[tuple[Point, Things]] = []
        for step, other in zip(around, (place, *board.neighbours[place]), strict=True):
            if other < 0:
                continue
            name = board.names[other]
            note = notes.get(name, NOTHING)
            taken = things(faces[other], note, name in tiles, sizes)
            if name in found:
                size = _name_size(board.records[other].name, sizes)
                taken = ((box(found[name], size), NAME_WEIGHT), *taken)
            near.append((step, taken))
        found[board.names[place]] = _free(record.name, tuple(near), sizes)
    return found


NOTHING = Note()


def _name_size(name: str, sizes: Sizes) -> Point:
    wide = min(width(name, sizes.name), len(name) * sizes.name * sizes.letter)
    return wide + 0.06, sizes.name * HIGH


@lru_cache(maxsize=2048)
def _free(name: str, near: tuple[tuple[Point, Things], ...], sizes: Sizes) -> Point:
    """The spot for a name that covers the least of what is near."""
    size = _name_size(name, sizes)
    boxes = [
        (x1 + dx, y1 + dy, x2 + dx, y2 + dy, weight)
        for (dx, dy), taken in near
        for (x1, y1, x2, y2), weight in taken
    ]

    def harm(spot: Point) -> float:
        left, top, right, bottom = box(spot, size)
        found = AWAY * (abs(spot[0]) + max(0.0, abs(spot[1]) - 0.5))
        for x1, y1, x2, y2, weight in boxes:
            if x1 < right and left < x2 and y1 < bottom and top < y2:
                across, down = min(right, x2) - max(left, x1), min(bottom, y2) - max(top, y1)
                found += across * down * weight
        return found

    return min(NAMES, key=harm)
