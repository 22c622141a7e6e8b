"""Whether two new tiles are joined to two stations without common track [4.1.7].

The track of one gauge is a graph: its points are the stops and, on both sides of every border, the ends
of track; its pieces are the track on hexes and the borders themselves. Where the gauge may change on dual
track, that of both gauges is one graph, in which only track of different gauges is not joined. A route
uses no piece twice and turns round nowhere, so it is a path of this graph; that needs branching track to
have a junction, which the loader checks, and no stop to have track of several gauges, as is so on all
tiles. Two routes of the same gauge are a flow of two units. Where the gauges differ, only dual track can
be in both: the ways to the first tile are told apart by the pieces of it they use.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kursbuch.games.g18xx.map.board import STOP
from kursbuch.games.g18xx.map.ground import PER_HEX, Ground
from kursbuch.games.g18xx.map.tiles import Fit
from kursbuch.games.g18xx.map.track import TrackPosition

#: A point: a stop of the map, or an end of track on a border as seen from one of its hexes.
Point = tuple[int, int, int]
#: A piece: a border, or a path of a hex by its ends.
Piece = tuple[int, int, int]

_STOP, _END = 0, 1
_BORDER = -1


class Net(NamedTuple):
    """The track of one gauge: for every point the points it is joined to, with the pieces between them;
    the gauges of ends of track; and the stations of the company."""

    joined: dict[Point, list[tuple[Point, Piece]]]
    gauges: dict[Point, int]
    stations: list[Point]


def net(position: TrackPosition, company: str, gauge: int) -> Net:
    """The track of one gauge that a company may use: nothing leads beyond stations without a place for
    it [4.1.6]. Kept with the position."""
    key = f"net {company} {gauge}"
    known = position.memo.get(key)
    if isinstance(known, Net):
        return known
    stations = [(_STOP, *divmod(stop, PER_HEX)) for stop in position.stations(company)]
    found = Net({}, {}, stations)
    for ground in position.grounds:
        _add(found, position, company, ground, gauge)
    position.memo[key] = found
    return found


def with_tile(graph: Net, position: TrackPosition, company: str, ground: Ground, gauge: int) -> Net:
    """The same with a tile on a hex without track."""
    joined = dict(graph.joined)
    for edge, other in enumerate(position.board.neighbours[ground.place]):
        end = (_END, other, (edge + 3) % 6)
        if end in joined:
            joined[end] = [*joined[end]]
    found = Net(joined, {**graph.gauges}, graph.stations)
    _add(found, position, company, ground, gauge)
    return found


def _add(graph: Net, position: TrackPosition, company: str, ground: Ground, gauge: int) -> None:
    """Add the track of a hex, and the borders to the track around it."""
    joined, place = graph.joined, ground.place
    board = position.board
    edges: set[int] = set()
    for path in ground.face.paths:
        if path.gauge & gauge:
            ends = [_point(place, end) for end in path[:2]]
            piece = (place, min(path[:2]), max(path[:2]))
            for a, b in (ends, ends[::-1]):
                if not _closed(position, company, ground, a):
                    joined.setdefault(a, []).append((b, piece))
            for end in path[:2]:
                if end < STOP:
                    edges.add(end)
                    graph.gauges[_END, place, end] = path.gauge
    for edge in edges:
        here = (_END, place, edge)
        there = (_END, board.neighbours[place][edge], (edge + 3) % 6)
        if there in joined and graph.gauges[here] & graph.gauges[there]:
            piece = (_BORDER, board.borders[place][edge], 0)
            joined[here].append((there, piece))
            joined[there].append((here, piece))


def _point(place: int, end: int) -> Point:
    return (_STOP, place, end - STOP) if end >= STOP else (_END, place, end)


def _closed(position: TrackPosition, company: str, ground: Ground, point: Point) -> bool:
    """Whether no route goes on from a point: a city full of markers of others."""
    kind, place, number = point
    if kind != _STOP:
        return False
    stop = ground.face.stops[number]
    markers = position.markers.get(place * PER_HEX + number, ())
    return stop.kind == "city" and len(markers) >= stop.slots and company not in markers


def _new_ends(ground: Ground, gauge: int) -> list[Point]:
    """The ends of the new track of a tile: a route that comes to one of them uses it."""
    return [
        (_END, ground.place, end)
        for path in ground.face.paths
        if path.gauge & gauge
        for end in path[:2]
        if end < STOP
    ]


def apart(position: TrackPosition, company: str, first: str, second: str, fit: Fit) -> bool:
    """Whether routes to the track of the tile on `first` and to a tile on `second` start from two different
    stations and share no piece."""
    laid = position.grounds[position.board.place(first)]
    ground = position.track.ground(second, fit.tile, fit.rotation)
    return any(
        _disjoint(position, company, (laid, one), (ground, other))
        for one in _gauges(position, laid)
        for other in _gauges(position, ground)
    )


def _gauges(position: TrackPosition, ground: Ground) -> list[int]:
    """The gauges in which routes may lead over the track of a tile."""
    if position.mixed:
        return [3]
    return [gauge for gauge in (1, 2) if any(path.gauge & gauge for path in ground.face.paths)]


def _disjoint(
    position: TrackPosition, company: str, first: tuple[Ground, int], second: tuple[Ground, int]
) -> bool:
    goals = [set(_new_ends(*first)), set(_new_ends(*second))]

    def track(gauge: int) -> Net:
        return with_tile(net(position, company, gauge), position, company, second[0], gauge)

    one = track(first[1])
    if first[1] == second[1]:
        return _two_units(one, goals)
    other = track(second[1])
    return any(_leaves_way(one, other, start, goals) for start in one.stations)


def _two_units(graph: Net, goals: Sequence[set[Point]]) -> bool:
    """Whether two units flow from different stations to the two goals, every piece carrying one."""
    flow: dict[Piece, tuple[Point, Point]] = {}
    started: set[Point] = set()
    met: set[int] = set()
    return all(_augment(graph, goals, flow, started, met) for _ in goals)


def _augment(
    graph: Net,
    goals: Sequence[set[Point]],
    flow: dict[Piece, tuple[Point, Point]],
    started: set[Point],
    met: set[int],
) -> bool:
    """Let one more unit flow. A unit may give its piece, its station or its goal to the new one and flow
    on by another way."""
    source, sinks = (2, 0, 0), [(3, number, 0) for number in range(len(goals))]
    target = (4, 0, 0)

    def steps(point: Point) -> Iterator[tuple[Point, Piece]]:
        """The points a unit can flow on to, or from which one can be sent back."""
        kind, number, _ = point
        if point == source:
            for station in graph.stations:
                if station not in started:
                    yield station, (-2, 0, 0)
            return
        if kind == 3:
            if number not in met:
                yield target, (-3, 0, 0)
            for piece, (_, end) in flow.items():
                if end == point:
                    yield flow[piece][0], piece
            return
        for other, piece in graph.joined.get(point, ()):
            if piece not in flow or flow[piece] == (other, point):
                yield other, piece
        for sink, goal in zip(sinks, goals, strict=True):
            piece = (-4 - sink[1], *point[1:])
            if point in goal and piece not in flow:
                yield sink, piece

    before: dict[Point, tuple[Point, Piece]] = {source: (source, (0, 0, 0))}
    queue = [source]
    for point in queue:
        for other, piece in steps(point):
            if other not in before:
                before[other] = (point, piece)
                queue.append(other)
    if target not in before:
        return False
    point = target
    while point != source:
        last, piece = before[point]
        if last == source:
            started.add(point)
        elif point == target:
            met.add(last[1])
        elif flow.get(piece) == (point, last):
            del flow[piece]
        else:
            flow[piece] = (last, point)
        point = last
    return True


def _leaves_way(one: Net, other: Net, start: Point, goals: Sequence[set[Point]]) -> bool:
    """Whether a way from a station to the first goal leaves one in the other graph from another station to the
    second. A way only matters by the pieces of the other graph in it, and more of them are never better."""
    stations = [station for station in other.stations if station != start]

    def open_(used: frozenset[Piece]) -> bool:
        return any(_reaches(other, station, goals[1], used) for station in stations)

    nothing: frozenset[Piece] = frozenset()
    if not open_(nothing):
        return False
    theirs = {piece for row in other.joined.values() for _, piece in row}
    least: dict[Point, list[frozenset[Piece]]] = {start: [nothing]}
    waiting = deque([(start, nothing)])
    while waiting:
        point, used = waiting.popleft()
        if point in goals[0]:
            return True
        for further, piece in one.joined.get(point, ()):
            more = used | {piece} if piece in theirs else used
            known = least.setdefault(further, [])
            if any(fewer <= more for fewer in known) or not (more == used or open_(more)):
                continue
            known.append(more)
            if more == used:
                waiting.appendleft((further, more))
            else:
                waiting.append((further, more))
    return False


def _reaches(graph: Net, start: Point, goals: set[Point], used: frozenset[Piece]) -> bool:
    """Whether a path leads from a station to one of the goals without these pieces."""
    seen = {start}
    waiting = [start]
    while waiting:
        point = waiting.pop()
        if point in goals:
            return True
        for other, piece in graph.joined.get(point, ()):
            if other not in seen and piece not in used:
                seen.add(other)
                waiting.append(other)
    return False
