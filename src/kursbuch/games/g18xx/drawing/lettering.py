"""Placement of lettering: where stops, values, names, costs and numbers find room beside the track,
even across a hex border."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from kursbuch.games.g18xx.drawing.look import Note, Sizes
from kursbuch.games.g18xx.map.board import STOP, Board, Face, Stop
from kursbuch.hexmap.geometry import Hex, edge_middle
from kursbuch.hexmap.svg import BOLD, width

Point = tuple[float, float]

#: A box of a width and a height around a point.
Box = tuple[float, float, float, float]

#: Weights of covering a stop or its value, and of leaving the hex, relative to track.
STOP_WEIGHT, OUTSIDE_WEIGHT = 9.0, 2.0

#: Penalty per candidate, so that the first of equally good places wins.
LATER = 0.001

#: Stops closer than this lie on crossing tracks.
CROSSING = 0.3

#: Offsets of the three slots of a triangle from its centre, in radii: below and above.
LOW, TOP = 0.577, 1.155


def stop_points(face: Face, x: float, y: float, size: float, sizes: Sizes) -> list[Point]:
    """Positions of a face's stops: the centre, or towards their track if there are several. Stops
    of crossing tracks are moved apart."""
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
    """Box of a given size around a point."""
    (x, y), (width, height) = middle, size
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def radius(stop: Stop, sizes: Sizes) -> float:
    """Radius of one slot of a stop."""
    return {"city": sizes.city, "town": sizes.town}.get(stop.kind, 0.0)


def spaces(stop: Stop) -> tuple[Point, ...]:
    """Positions of a city's slots in radii: alone, in a row, as a triangle or as a square."""
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
    """Size of one value of an off-board location."""
    return sizes.value * 1.52, sizes.value * 1.3


def stop_box(stop: Stop, middle: Point, sizes: Sizes) -> Box:
    """Box of a stop."""
    if stop.kind == "offboard":
        wide, high = value_box(sizes)
        return box(middle, (wide * len(stop.values), high))
    wide, high = extent(stop, sizes)
    return box(middle, (2 * wide + 0.06, 2 * high + 0.06))


def best_spot(
    obstacles: Sequence[tuple[Box, float]],
    size: tuple[float, float],
    spots: Sequence[Point],
    outside: float = OUTSIDE_WEIGHT,
) -> tuple[float, Point]:
    """The position that covers the least, preceded by its penalty."""

    least, best = math.inf, spots[0]
    for number, spot in enumerate(spots):
        left, top, right, bottom = box(spot, size)
        harm = number * LATER
        for x in (left, right):
            for y in (top, bottom):
                beyond = abs(x) - 0.866 * min(1.0, 2 * (1 - abs(y)))
                if beyond > 0:
                    harm += outside * beyond
        for (x1, y1, x2, y2), weight in obstacles:
            if harm >= least:
                break
            if x1 < right and left < x2 and y1 < bottom and top < y2:
                width, height = min(right, x2) - max(left, x1), min(bottom, y2) - max(top, y1)
                harm += width * height * weight
                if weight >= NAME_WEIGHT and min(width, height) > TOUCHING:
                    harm += COVERED
        if harm < least:
            least, best = harm, spot
    return least, best


def track_points(face: Face, steps: int, sizes: Sizes) -> Iterator[Point]:
    """Points along the track of a face."""
    points = stop_points(face, 0, 0, 1, sizes)
    for path in face.paths:
        (ax, ay), (bx, by) = (
            edge_middle(0, 0, 1, end) if end < STOP else points[end - STOP] for end in path[:2]
        )
        # Track between borders curves through the centre; other track is nearly straight.
        curved = max(path[:2]) < STOP
        for step in range(steps + 1):
            t = step / steps
            a, b = ((1 - t) ** 2, t**2) if curved else (1 - t, t)
            yield a * ax + b * bx, a * ay + b * by


Obstacles = tuple[tuple[Box, float], ...]

#: Height of lettering as a fraction of its size.
HIGH = 0.85

#: Width of the company marker beside an asked number, relative to its letters.
ASKED = 1.26

#: Weights of covering track, and names, notes or what weighs more; and penalty per hex size away from the centre.
TRACK_WEIGHT, NAME_WEIGHT, AWAY = 3.0, 8.0, 0.08

#: Penalty for covering anything but track, beyond mere touching.
COVERED, TOUCHING = 0.5, 0.03

#: Maximum width of a two-place name on one line, and the line spacing.
ONE_LINE, LINE = 1.5, 0.95

#: From this number of equal stops on, their value is shown once, in the centre.
SHARED = 3

#: Candidate positions of a value around its stop: clear of it diagonally, or above or below.
ROUND = tuple(
    (across * x, down * y)
    for x, y in ((1.0, 0.0), (1.0, 0.4), (0.8, 1.0), (0.0, 1.0), (0.0, 1.3), (1.0, 0.8))
    for down in (-1, 1)
    for across in (1, -1)
)

#: Candidate positions of a value shared by all stops.
MIDDLE = (
    (0.0, 0.0),
    *((x, y) for y in (-0.3, 0.3, 0.0, -0.62, 0.62) for x in (0.0, 0.4, -0.4, 0.6, -0.6)),
)

#: Candidate positions of a label.
LABELS = (
    *((x * across, y) for across in (-1, 1) for x, y in ((0.55, 0.3), (0.55, -0.3), (0.6, 0.0))),
    *((x * across, y) for across in (-1, 1) for x, y in ((0.4, 0.52), (0.4, -0.52))),
    *((0.0, y * down) for y in (0.74, 0.88) for down in (-1, 1)),
    *((x * across, 0.0) for across in (-1, 1) for x in (0.68, 0.4)),
    *(
        (x * across, y * down)
        for x, y in ((0.2, 0.7), (0.7, 0.15), (0.6, 0.4), (0.34, 0.67))
        for across in (-1, 1)
        for down in (-1, 1)
    ),
)

#: Candidate positions of the building cost on a hex with printed track.
COSTS = tuple(
    (x, y)
    for y in (0.66, 0.5, -0.66, -0.5, 0.84, -0.84, 0.98, -0.98, 0.3, -0.3)
    for x in (0.0, -0.2, 0.2, 0.4, -0.4, 0.6, -0.6)
)

#: Candidate positions of a name, above each other and beside each other, best first.
DOWN = (
    *(-0.58, 0.58, -0.48, 0.48, -0.72, 0.72, -0.9, 0.9, -1.1, 1.1, -0.3, 0.3, 0.0),
    *(-1.3, 1.3, -0.15, 0.15),
)
ACROSS = (
    *(0.0, -0.15, 0.15, -0.3, 0.3, -0.5, 0.5, -0.75, 0.75, -1.05, 1.05, -1.35, 1.35),
    *(-0.9, 0.9, -1.2, 1.2, -1.55, 1.55),
)

#: Steps from the best of these to a better one, and the penalty of one that covers next to nothing.
ASIDE, CLEAR = (0.0, -0.05, 0.05, -0.1, 0.1), 0.2


@lru_cache(maxsize=4096)
def values(face: Face, sizes: Sizes) -> tuple[Point | None, ...]:
    """Position of each stop's value relative to the stop; None if it is not shown."""
    points = stop_points(face, 0, 0, 1, sizes)
    obstacles = [(_track(point, sizes), TRACK_WEIGHT) for point in track_points(face, 10, sizes)]
    obstacles += [
        (stop_box(stop, point, sizes), STOP_WEIGHT)
        for stop, point in zip(face.stops, points, strict=True)
    ]
    if len(face.stops) >= SHARED and len({stop.value for stop in face.stops}) == 1:
        x, y = points[-1]
        size = (width(str(face.stops[0].value), sizes.value) * BOLD, sizes.value * HIGH)
        at = best_spot(obstacles, size, MIDDLE, OUTSIDE_WEIGHT / 4)[1]
        return (*[None] * (len(points) - 1), (at[0] - x, at[1] - y))
    found: list[Point | None] = []
    for stop, (x, y) in zip(face.stops, points, strict=True):
        if not stop.value or not face.paths:
            found.append(None)
            continue
        size = (width(str(stop.value), sizes.value) * BOLD, sizes.value * HIGH)
        wide, high = extent(stop, sizes)
        spots = [
            (
                x + across * (wide + size[0] / 2 + 0.02),
                y + down * (high + size[1] / 2 + 0.02),
            )
            for across, down in ROUND
        ]
        _, at = best_spot(obstacles, size, spots, OUTSIDE_WEIGHT / 5)
        obstacles.append((box(at, size), STOP_WEIGHT))
        found.append((at[0] - x, at[1] - y))
    return tuple(found)


@lru_cache(maxsize=4096)
def label(face: Face, sizes: Sizes) -> Point:
    """Centre of a face's label."""
    size = (width(face.label, sizes.label) * BOLD, sizes.label * HIGH)
    return best_spot(_stops_and_track(face, sizes), size, LABELS, OUTSIDE_WEIGHT / 4)[1]


#: Candidate positions of the numbers of a hex and its tile.
CORNERS = tuple(
    dict.fromkeys(
        (across * x, down * y)
        for y in (0.62, 0.45, 0.25, 0.0)
        for x in (0.0, 0.25, 0.45, 0.6)
        for down in (-1, 1)
        for across in (-1, 1)
    )
)


def _track(middle: Point, sizes: Sizes) -> Box:
    return box(middle, (sizes.casing, sizes.casing))


def _stops_and_track(face: Face, sizes: Sizes) -> Obstacles:
    points = stop_points(face, 0, 0, 1, sizes)
    obstacles = [(_track(point, sizes), TRACK_WEIGHT) for point in track_points(face, 6, sizes)]
    for stop, (x, y), value in zip(face.stops, points, values(face, sizes), strict=True):
        obstacles.append((stop_box(stop, (x, y), sizes), STOP_WEIGHT))
        if value is not None:
            size = (width(str(stop.value), sizes.value) * BOLD, sizes.value * HIGH)
            obstacles.append((box((x + value[0], y + value[1]), size), STOP_WEIGHT))
    return tuple(obstacles)


def _print(face: Face, sizes: Sizes) -> Obstacles:
    """Print of a hex or tile, including its label."""
    if not face.label:
        return _stops_and_track(face, sizes)
    size = (width(face.label, sizes.label) * BOLD, sizes.label * HIGH)
    return (*_stops_and_track(face, sizes), (box(label(face, sizes), size), STOP_WEIGHT))


class NoteLayout:
    """Positions of the parts of a note on a hex without a tile."""

    def __init__(self, note: Note, face: Face, sizes: Sizes) -> None:
        kinds = face.kinds()
        self.cost: Point = (0.0, 0.3)
        self.bonus: Point = (0.0, 0.5)
        # Below the label of a hex that shows more than a station.
        self.ask: Point = (0.0, 0.94 if face.paths else 0.6)
        if kinds:
            self.cost, self.bonus = (0.0, 0.46), (0.0, -0.54)
        elif note.bonus:
            self.cost = (0.0, 0.02)
        if face.paths and note.cost:
            self.cost = _beside_track(note, face, sizes)

    def boxes(self, note: Note, sizes: Sizes) -> Obstacles:
        """Boxes of the parts."""
        found = []
        if note.ask:
            found.append(box(self.ask, (ask_width(note, sizes), sizes.value)))
        elif note.cost:
            wide = width(note.cost, sizes.cost) * BOLD
            found.append(box(self.cost, (wide, sizes.cost * HIGH)))
        if note.bonus:
            found.append(box(self.bonus, (width(note.bonus, sizes.name) + 0.2, sizes.name)))
        return tuple((one, NAME_WEIGHT) for one in found)


@lru_cache(maxsize=256)
def _beside_track(note: Note, face: Face, sizes: Sizes) -> Point:
    """The place of a cost where it covers the least printed track."""
    size = (width(note.cost, sizes.cost) * BOLD, sizes.cost)
    return best_spot(_print(face, sizes), size, COSTS, OUTSIDE_WEIGHT / 4)[1]


def ask_width(note: Note, sizes: Sizes) -> float:
    """Width of an asked number with the companies it concerns."""
    return width(note.ask, sizes.value) * BOLD + 0.1 + len(note.companies) * sizes.value * ASKED


@lru_cache(maxsize=4096)
def obstacles(face: Face, note: Note, laid: bool, sizes: Sizes) -> Obstacles:
    """Everything on a hex that should stay visible, with the weight of covering it."""
    found = _print(face, sizes)
    shown = Note(ask=note.ask, companies=note.companies) if laid else note
    return found + NoteLayout(note, face, sizes).boxes(shown, sizes)


class Neighbour(NamedTuple):
    """What a hex shows beside a name: the place of the hex in `AROUND`.
    Its own name counts once it has a position (`at`)."""

    step: int
    face: Face
    note: Note
    laid: bool
    name: str
    at: Point | None


def names(
    board: Board,
    faces: Sequence[Face],
    notes: Mapping[str, Note],
    laid: Iterable[str],
    sizes: Sizes,
) -> dict[str, Point]:
    """Positions of place names relative to their hex centres."""
    found: dict[str, Point] = {}
    tiles = set(laid)
    for place, record in enumerate(board.records):
        if not record.name:
            continue
        near = []
        for step, other in _surrounding(board)[place]:
            name = board.names[other]
            note = notes.get(name, NOTHING)
            shown = board.records[other].name, found.get(name)
            near.append(Neighbour(step, faces[other], note, name in tiles, *shown))
        taken = _rim(board)[place] + _far_names(board, place, found, sizes)
        found[board.names[place]] = _free(record.name, tuple(near), taken, sizes)
    return found


NOTHING = Note()


@lru_cache(maxsize=512)
def lines(name: str, sizes: Sizes) -> tuple[str, ...]:
    """Split a long name of two places into two lines.

    >>> lines("Nürnberg/Fürth", Sizes()), lines("Kiel", Sizes())
    (('Nürnberg/', 'Fürth'), ('Kiel',))
    """
    first, slash, second = name.partition("/")
    if slash and width(name, sizes.name) > ONE_LINE:
        return first + slash, second
    return (name,)


@lru_cache(maxsize=512)
def _name_size(name: str, sizes: Sizes) -> Point:
    found = lines(name, sizes)
    wide = max(width(line, sizes.name) for line in found)
    return wide + 0.06, sizes.name * (HIGH + LINE * (len(found) - 1))


#: Centres of a hex, its neighbours, and those behind them into which a wide name reaches.
AROUND = (
    (0.0, 0.0),
    *(
        (math.sqrt(3) * math.cos(math.tau * edge / 6), math.sqrt(3) * math.sin(math.tau * edge / 6))
        for edge in range(6)
    ),
    *((across * 1.5 * math.sqrt(3), down * 1.5) for down in (-1, 1) for across in (-1, 1)),
)


@lru_cache(maxsize=8)
def _surrounding(board: Board) -> Sequence[Sequence[tuple[int, int]]]:
    """The hexes around each hex as places in `AROUND`, with their places on the board."""
    found = []
    for place, (row, column) in enumerate(board.hexes):
        behind = (
            board.index.get(str(Hex(row + down, column + across)), -1)
            for down in (-1, 1)
            for across in (-3, 3)
        )
        around = enumerate((place, *board.neighbours[place], *behind))
        found.append([(step, other) for step, other in around if other >= 0])
    return found


#: How far letters of rows stand from the middles of the first and the last hex, a box of one, and how
#: far the edge of the map is from the middles of the outermost hexes.
RIM, RIM_LETTER, EDGE = 1.2, (0.4, 0.4), 1.38


@lru_cache(maxsize=8)
def _rim(board: Board) -> Sequence[tuple[Box, ...]]:
    """Letters of rows near each hex, and what lies beyond the edges, relative to its middle."""
    rows: dict[int, list[float]] = {}
    for place in board.hexes:
        rows.setdefault(place.row, []).append(place.centre(1)[0])
    letters = [
        (x, 1.5 * row) for row, found in rows.items() for x in (min(found) - RIM, max(found) + RIM)
    ]
    left = min(x for x, _ in letters) + RIM - EDGE
    right = max(x for x, _ in letters) - RIM + EDGE
    found = []
    for x, y in (place.centre(1) for place in board.hexes):
        near = [at for at in letters if math.dist(at, (x, y)) < 4]
        boxes = [box((across - x, down - y), RIM_LETTER) for across, down in near]
        found.append((*boxes, (-9.0, -9.0, left - x, 9.0), (right - x, -9.0, 9.0, 9.0)))
    return found


@lru_cache(maxsize=8)
def _far(board: Board) -> Sequence[Sequence[tuple[str, float, float]]]:
    """Hexes with a name two rows away from each hex, with their middles relative to it."""
    found = []
    for row, column in board.hexes:
        far = (
            (str(Hex(row + down, column + across)), across * math.sqrt(3) / 2, down * 1.5)
            for down in (-2, 2)
            for across in (-2, 0, 2)
        )
        found.append(
            [
                one
                for one in far
                if one[0] in board.index and board.records[board.index[one[0]]].name
            ]
        )
    return found


def _far_names(
    board: Board, place: int, found: Mapping[str, Point], sizes: Sizes
) -> tuple[Box, ...]:
    """Names of hexes two rows away, relative to a hex."""
    return tuple(
        box(
            (found[name][0] + across, found[name][1] + down),
            _name_size(board.records[board.index[name]].name, sizes),
        )
        for name, across, down in _far(board)[place]
        if name in found
    )


@lru_cache(maxsize=4096)
def _free(name: str, near: tuple[Neighbour, ...], taken: tuple[Box, ...], sizes: Sizes) -> Point:
    """The position of a name that covers the least of its surroundings, and of what else is `taken`."""
    size = _name_size(name, sizes)
    reach = max(DOWN) + max(ASIDE) + size[1] / 2
    boxes = [(*one, NAME_WEIGHT) for one in taken]
    for other in near:
        shown = obstacles(other.face, other.note, other.laid, sizes)
        if other.at is not None:
            shown = ((box(other.at, _name_size(other.name, sizes)), NAME_WEIGHT), *shown)
        dx, dy = AROUND[other.step]
        boxes += [
            (x1 + dx, y1 + dy, x2 + dx, y2 + dy, weight)
            for (x1, y1, x2, y2), weight in shown
            if y1 + dy < reach and y2 + dy > -reach
        ]

    harm, chosen = _least(boxes, size, ACROSS, DOWN)
    if harm < CLEAR:
        return chosen
    # A little aside there may be less to cover.
    across, down = ([value + step for step in ASIDE] for value in chosen)
    return _least(boxes, size, across, down)[1]


def _least(
    boxes: Sequence[tuple[float, float, float, float, float]],
    size: tuple[float, float],
    lefts: Iterable[float],
    tops: Iterable[float],
) -> tuple[float, Point]:
    """The middle of a name that covers the least, preceded by its penalty."""
    wide, high = size[0] / 2, size[1] / 2
    least, chosen = math.inf, (0.0, 0.0)
    for down in tops:
        top, bottom = down - high, down + high
        away = max(0.0, abs(down) - 0.5)
        beside = [
            (x1, x2, min(bottom, y2) - max(top, y1), weight)
            for x1, y1, x2, y2, weight in boxes
            if y1 < bottom and top < y2
        ]
        for across in lefts:
            harm = AWAY * (abs(across) + away)
            if harm >= least:
                continue
            left, right = across - wide, across + wide
            for x1, x2, tall, weight in beside:
                if x1 < right and left < x2:
                    harm += (min(right, x2) - max(left, x1)) * tall * weight
                    if weight >= NAME_WEIGHT:
                        harm += COVERED
                    if harm >= least:
                        break
            else:
                least, chosen = harm, (across, down)
    return least, chosen


# ---- numbers of hexes and tiles

#: What covers none of a neighbour.
WITHIN: Mapping[int, Obstacles] = {}


@lru_cache(maxsize=4096)
def _overhang(face: Face, note: Note, laid: bool, sizes: Sizes) -> Mapping[int, Obstacles]:
    """What of a hex reaches into its neighbours, by edge and relative to their middles."""
    found: dict[int, Obstacles] = {}
    for one, weight in obstacles(face, note, laid, sizes):
        if weight < NAME_WEIGHT or _inside(one):
            continue
        for edge, (dx, dy) in enumerate(AROUND[1:7]):
            moved = (one[0] - dx, one[1] - dy, one[2] - dx, one[3] - dy)
            if not _apart(moved, (-0.87, -1.0, 0.87, 1.0)):
                found[edge] = (*found.get(edge, ()), (moved, weight))
    return found or WITHIN


def _inside(one: Box) -> bool:
    """Whether a box lies within its hex."""
    left, top, right, bottom = one
    return all(
        abs(x) <= 0.866 * min(1.0, 2 * (1 - abs(y)))
        for x, y in product((left, right), (top, bottom))
    )


def _apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def numbers(
    board: Board,
    faces: Sequence[Face],
    notes: Mapping[str, Note],
    laid: Mapping[str, str],
    names: Mapping[str, Point],
    sizes: Sizes,
) -> dict[str, Point]:
    """Positions of the numbers of hexes and of the tiles `laid` on them, for reading from nearby,
    where they cover nothing; hexes without room have none."""
    named: dict[int, list[tuple[Point, Point]]] = {}
    for name, at in names.items():
        place = board.number(name)
        size = _name_size(board.records[place].name, sizes)
        for step, other in enumerate((place, *board.neighbours[place])):
            if other >= 0:
                dx, dy = AROUND[step]
                named.setdefault(other, []).append(((at[0] - dx, at[1] - dy), size))
    near: dict[int, Obstacles] = {}
    shown = [notes.get(name, NOTHING) for name in board.names]
    for place, (name, face, note) in enumerate(zip(board.names, faces, shown, strict=True)):
        # Only track stays within its hex.
        if face.stops or note is not NOTHING:
            for edge, boxes in _overhang(face, note, name in laid, sizes).items():
                other = board.neighbours[place][edge]
                near[other] = near.get(other, ()) + boxes
    found = {}
    for place, (name, face, note) in enumerate(zip(board.names, faces, shown, strict=True)):
        tile = laid.get(name, "")
        here = near.get(place, ()), tuple(named.get(place, ()))
        spot = _number_spot(numbered(name, tile), face, note, tile != "", *here, sizes)
        if spot is not None:
            found[name] = spot
    return found


def numbered(name: str, tile: str) -> str:
    """The number of a hex with that of its tile."""
    return f"{name} #{tile}" if tile else name


@lru_cache(maxsize=8192)
def _number_spot(
    text: str,
    face: Face,
    note: Note,
    laid: bool,
    near: Obstacles,
    names: tuple[tuple[Point, Point], ...],
    sizes: Sizes,
) -> Point | None:
    taken = [*obstacles(face, note, laid, sizes), *near]
    taken += [(box(at, size), NAME_WEIGHT) for at, size in names]
    size = (width(text, sizes.near) + 0.04, sizes.near * HIGH)
    hard = [one for one, weight in taken if weight >= NAME_WEIGHT]
    free = []
    for spot in CORNERS:
        here = box(spot, size)
        if _inside(here) and all(_apart(here, one) for one in hard):
            if all(_apart(here, one) for one, weight in taken if weight < NAME_WEIGHT):
                return spot
            free.append(spot)
    return best_spot(taken, size, free)[1] if free else None
