"""What a company's track is worth, for computer opponents: revenue with given trains, and what could
still be reached. Answers are kept as long as nothing changes that the company's track comes to."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kursbuch.eighteen.companies import Components
from kursbuch.eighteen.routes import best_routes
from kursbuch.eighteen.tiles import kept, shown
from kursbuch.eighteen.track import PER_HEX, CompanyNetwork, Laid, Layout, Station

#: What an unbuilt city may be worth one day, by the label of its hex.
CITY_VALUES = {"": 25, "Y": 40, "XX": 45, "B": 50, "HH": 60}
TOWN_VALUE = 10

#: Cities further away than this do not attract track.
HORIZON = 3


class Sight(msgspec.Struct):
    """What a company can run on. `touched` are the hexes on which a tile would change that, with
    what lies there; `frontier` the hexes without track that its track comes to."""

    stations: tuple[Station, ...]
    phase: int
    touched: dict[str, Laid | None]
    blocking: tuple[Station, ...]
    found: CompanyNetwork
    frontier: tuple[int, ...]
    revenues: dict[tuple[str, ...], int]


class Prospects:
    """Answers about the track of companies."""

    def __init__(self, components: Components) -> None:
        self.components = components
        self.board = components.board
        self.known: dict[str, list[Sight]] = {}
        self.near = self._near()

    # ---- revenue

    def revenue(self, layout: Layout, phase: int, company: str, trains: Sequence[str]) -> int:
        """The best revenue of a company with these trains; `phase` counts from 0."""
        if not trains:
            return 0
        sight = self.sight(layout, phase, company)
        key = tuple(sorted(trains))
        value = sight.revenues.get(key)
        if value is None:
            ranges = [self.components.train(train) for train in key]
            value = sight.revenues[key] = best_routes(sight.found.network, ranges).total
        return value

    def outlook(self, layout: Layout, phase: int, company: str) -> float:
        """What the company's track may still come to: the sum of its stops, and the best ways on."""
        sight = self.sight(layout, phase, company)
        stops = sum(stop.value for stop in sight.found.network.stops)
        reached = {number // PER_HEX for number in sight.found.stops}
        pulls = sorted(
            (
                sum(weight for near, weight in self.near[place] if near not in reached)
                for place in sight.frontier
            ),
            reverse=True,
        )
        return 0.1 * stops + sum(pulls[:3])

    def sight(self, layout: Layout, phase: int, company: str) -> Sight:
        """What a company can run on; looked up if it is known."""
        tiles = layout.tiles
        stations = tuple(station for station in layout.stations if station.company == company)
        known = self.known.setdefault(company, [])
        for number in range(len(known) - 1, -1, -1):
            sight = known[number]
            if (
                sight.phase == phase
                and sight.stations == stations
                and all(tiles.get(name) == laid for name, laid in sight.touched.items())
                and sight.blocking == self._blocking(layout, sight.touched)
            ):
                return sight
        sight = self._look(layout, phase, company, stations)
        if len(known) >= 40:
            del known[:20]
        known.append(sight)
        return sight

    def _look(
        self, layout: Layout, phase: int, company: str, stations: tuple[Station, ...]
    ) -> Sight:
        board = self.board
        position = self.components.track.position(layout, phase)
        reach = position.reach(company)
        places = {stop // PER_HEX for stop in reach.stops}
        frontier = []
        for place, border in reach.borders:
            places.add(place)
            if border not in position.grounds[place].links:
                frontier.append(place)
        touched = {board.names[place]: layout.tiles.get(board.names[place]) for place in places}
        return Sight(
            stations,
            phase,
            touched,
            self._blocking(layout, touched),
            position.network(company),
            tuple(frontier),
            {},
        )

    def _blocking(self, layout: Layout, touched: dict[str, Laid | None]) -> tuple[Station, ...]:
        return tuple(station for station in layout.stations if station.hex in touched)

    # ---- what could be

    def with_tile(self, layout: Layout, name: str, laid: Laid) -> Layout:
        """The layout with one more tile; markers on the hex keep their cities."""
        old = shown(self.board, layout.tiles, name)
        new = self.board.tile(laid.tile).faces[laid.rotation]
        stops = kept(old, new) or tuple(range(len(old.stops)))
        stations = [
            Station(station.company, name, stops[station.stop]) if station.hex == name else station
            for station in layout.stations
        ]
        return Layout({**layout.tiles, name: laid}, stations)

    def with_station(self, layout: Layout, station: Station) -> Layout:
        """The layout with one more station marker."""
        return Layout(layout.tiles, [*layout.stations, station])

    def _near(self) -> list[list[tuple[int, float]]]:
        """For every hex the places with stops near it, and how much each invites track."""
        board = self.board
        values = []
        for record, face in zip(board.records, board.printed, strict=True):
            value = 0.0
            for stop in face.stops:
                if stop.kind == "offboard":
                    value += max(stop.values)
                elif stop.kind == "town":
                    value += TOWN_VALUE
                elif stop.kind == "city":
                    value = max(value, CITY_VALUES.get(record.label, 25))
            values.append(value)
        found = []
        for start in range(len(board.records)):
            near, seen, ring = [], {start}, [start]
            for distance in range(HORIZON + 1):
                near += [
                    (place, values[place] / 10 / (1 + distance) ** 2)
                    for place in ring
                    if values[place]
                ]
                ring = sorted(
                    {
                        other
                        for place in ring
                        for other in board.neighbours[place]
                        if other >= 0 and other not in seen
                    }
                )
                seen.update(ring)
            found.append(near)
        return found
