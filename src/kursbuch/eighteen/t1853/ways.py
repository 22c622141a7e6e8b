"""How far cities are from being connected, for computer opponents: in tiles, with the terrain."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

from kursbuch.eighteen.map.board import STOP, Face
from kursbuch.eighteen.map.track import Ground, Layout, TrackMap, TrackPosition
from kursbuch.eighteen.t1853.components import Components1853

#: A hex entered over a border.
Entry = tuple[int, int]

#: For every edge of a face what track from there leads to.
Look = tuple[frozenset[int], ...]

#: What it takes to run over track that lies, to replace a tile by one with other track, and where
#: that is not possible; all in new tiles.
RUN, REPLACE, NEVER = 0.02, 1.6, 12.0

#: So much money for terrain is as bad as one more tile.
PER_TILE = 110.0

#: Nothing further away than this is looked for.
FAR = 14.0


class Ways:
    """The least effort from anywhere to a city, on the map as it lies. As for contracts, stations
    stop nobody, and all stations of a city are one."""

    def __init__(self, components: Components1853) -> None:
        self.components = components
        self.board = components.board
        board = self.board
        self.ground = [self._effort(name) for name in board.names]
        self.place_of = {name: board.place(city.hex) for name, city in components.cities.items()}
        self._looks: dict[int, tuple[Face, Look]] = {}
        self._near = self._invitations()

    def _effort(self, hex: str) -> float:
        """What the first tile on a hex takes. Track of either gauge may do."""
        costs = [self.components.build_cost(hex, metre) for metre in (False, True)]
        return 1 + sum(costs) / 2 / PER_TILE

    def near(self, entry: Entry) -> Sequence[tuple[int, float]]:
        """The cities a way comes near to that enters a hex over a border, by their places, and how far
        they were when no tile lay."""
        return self._near.get(entry, ())

    def _invitations(self) -> dict[Entry, list[tuple[int, float]]]:
        empty = TrackMap(self.board).position(Layout(), 0)
        found: dict[Entry, list[tuple[int, float]]] = {}
        for place in self.place_of.values():
            for entry, far in self._field(empty, place).items():
                found.setdefault(entry, []).append((place, far))
        return found

    # ---- one hex

    def crossing(self, position: TrackPosition, place: int, a: int, b: int) -> float:
        """What it takes that track leads over a hex from one edge to another."""
        ground = position.grounds[place]
        face = ground.face
        if face.colour == "white":
            return self.ground[place]
        look = self._look(face)
        mine, other = look[a], look[b]
        if mine and other:
            if mine & other:
                return RUN
            # Another station of the same city, or other track.
            stops = {end for end in mine | other if end >= STOP}
            if face.stops and all(_is_city(face, end) for end in stops) and stops:
                return RUN
        return self._replacing(place, ground)

    def entering(self, position: TrackPosition, place: int, edge: int) -> float:
        """What it takes that track leads from an edge of a hex to its city."""
        ground = position.grounds[place]
        if ground.face.colour == "white":
            return self.ground[place]
        return 0.0 if self._look(ground.face)[edge] else self._replacing(place, ground)

    def _look(self, face: Face) -> Look:
        known = self._looks.get(id(face))
        if known is None:
            known = self._looks[id(face)] = face, tuple(_at(face, edge) for edge in range(6))
        return known[1]

    def _replacing(self, place: int, ground: Ground) -> float:
        colour = ground.face.colour
        if colour == "yellow":
            return REPLACE
        return 2 * REPLACE if colour in ("green", "brown") else NEVER

    # ---- fields

    def field(self, position: TrackPosition, city: str) -> Mapping[Entry, float]:
        """For hexes with the border by which they are entered: how far it is to a city."""
        key = f"far {city}"
        known = position.memo.get(key)
        if isinstance(known, dict):
            return known
        found = position.memo[key] = self._field(position, self.place_of[city])
        return found

    def _field(self, position: TrackPosition, goal: int) -> dict[Entry, float]:
        board = self.board
        found: dict[Entry, float] = {}
        waiting = [(self.entering(position, goal, edge), goal, edge) for edge in self._open(goal)]
        heapq.heapify(waiting)
        while waiting:
            far, place, edge = heapq.heappop(waiting)
            entry = place, board.borders[place][edge]
            if entry in found or far > FAR:
                continue
            found[entry] = far
            before = board.neighbours[place][edge]
            leaving = (edge + 3) % 6
            if before == goal:
                continue
            for other in self._open(before):
                if other != leaving and (before, board.borders[before][other]) not in found:
                    more = self.crossing(position, before, other, leaving)
                    heapq.heappush(waiting, (far + more, before, other))
        return found

    def _open(self, place: int) -> Iterable[int]:
        """The edges over which track can lead."""
        closed = self.board.closed[place]
        return [
            edge
            for edge, other in enumerate(self.board.neighbours[place])
            if other >= 0 and not closed >> edge & 1
        ]

    # ---- between cities

    def between(self, position: TrackPosition, one: str, other: str) -> float:
        """What it takes to connect two cities."""
        field, board = self.field(position, other), self.board
        place = self.place_of[one]
        return min(
            (
                self.entering(position, place, edge)
                + field.get((board.neighbours[place][edge], board.borders[place][edge]), FAR)
                for edge in self._open(place)
            ),
            default=FAR,
        )

    def by_tile(
        self, position: TrackPosition, place: int, face: Face, one: str, other: str
    ) -> float:
        """What it takes to connect two cities by way of a new tile on a hex."""
        first, second = self.field(position, one), self.field(position, other)
        board = self.board

        def outward(field: Mapping[Entry, float], edge: int) -> float:
            behind = board.neighbours[place][edge]
            return field.get((behind, board.borders[place][edge]), FAR) if behind >= 0 else FAR

        look = self._look(face)
        edges = [edge for edge in self._open(place) if look[edge]]
        if place == self.place_of[one]:
            return min((outward(second, edge) for edge in edges), default=FAR)
        if place == self.place_of[other]:
            return min((outward(first, edge) for edge in edges), default=FAR)
        best = FAR
        for a in edges:
            near = outward(first, a)
            if near >= best:
                continue
            for b in edges:
                if a != b and look[a] & look[b]:
                    best = min(best, near + RUN + outward(second, b))
        return best

    def tree(self, distances: Mapping[tuple[str, str], float], cities: Sequence[str]) -> float:
        """The least sum of distances that joins all these cities."""
        joined, left = list(cities[:1]), list(cities[1:])
        total = 0.0
        while left:
            far, city = min(
                (distances[_pair(one, other)], other) for one in joined for other in left
            )
            total += far
            left.remove(city)
            joined.append(city)
        return total


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _at(face: Face, edge: int) -> frozenset[int]:
    """What track from an edge of a face leads to: stops, and other edges. Track between two edges
    is known by both of them."""
    found: set[int] = set()
    for path in face.paths:
        if edge in path[:2]:
            a, b = path[:2]
            if max(a, b) >= STOP:
                found.add(max(a, b))
            else:
                found.add(-1 - min(a, b) * STOP - max(a, b))
    return frozenset(found)


def _is_city(face: Face, end: int) -> bool:
    return face.stops[end - STOP].kind == "city"
