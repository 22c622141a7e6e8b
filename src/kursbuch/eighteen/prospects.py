"""What a company's track is worth, for computer opponents: revenue with given trains, and what could
still be reached. Answers are kept as long as nothing changes that the company's track comes to."""

from __future__ import annotations

from collections.abc import Container, Sequence

import msgspec

from kursbuch.eighteen.map.ground import PER_HEX
from kursbuch.eighteen.map.networks import CompanyNetwork
from kursbuch.eighteen.map.picked import mail_of
from kursbuch.eighteen.map.tiles import kept, shown
from kursbuch.eighteen.map.track import Laid, Layout, Station, TrackPosition
from kursbuch.eighteen.pieces import Components

#: What an unbuilt city may be worth one day, if the title does not say more, and a town.
CITY_VALUE = 25
TOWN_VALUE = 10

#: Cities further away than this do not attract track.
HORIZON = 3

#: The colours of hexes on which a tile can be laid, by the first phase in which it can, from 0.
COLOURS = {"white": 0, "yellow": 1, "green": 2, "brown": 3}

#: So many sights of a company are kept.
KEPT = 6


#: A phase, a company's stations, tiles that are different, and all stations near by.
Variant = tuple[int, tuple[Station, ...], tuple[tuple[str, Laid | None], ...], tuple[Station, ...]]


class Sight(msgspec.Struct):
    """What a company can run on. `touched` are the hexes on which a tile would change that, with
    what lies there; `frontier` the hexes its track comes to without going on, if a tile can be laid
    there, `entries` the same with the borders and gauges by which it comes to them; `variants` what has been
    found out about layouts that differ a little."""

    stations: tuple[Station, ...]
    phase: int
    touched: dict[str, Laid | None]
    blocking: tuple[Station, ...]
    found: CompanyNetwork
    frontier: tuple[int, ...]
    entries: tuple[tuple[int, int, int], ...]
    revenues: dict[tuple[str, ...], tuple[int, int]]
    variants: dict[Variant, Sight] = msgspec.field(default_factory=dict)

    def fits(self, layout: Layout, phase: int, stations: tuple[Station, ...]) -> bool:
        """Whether this is what the company sees with that layout."""
        tiles = layout.tiles
        return (
            self.phase == phase
            and self.stations == stations
            and all(tiles.get(name) == laid for name, laid in self.touched.items())
            and self.blocking == _among(layout, self.touched)
        )

    def change(self, layout: Layout, phase: int, stations: tuple[Station, ...]) -> Variant:
        """What is different in another layout."""
        tiles = layout.tiles
        return (
            phase,
            stations,
            tuple(
                (name, tiles.get(name))
                for name, laid in self.touched.items()
                if tiles.get(name) != laid
            ),
            _among(layout, self.touched),
        )


class Prospects:
    """Answers about the track of companies. `mail`: one of the trains carries it."""

    def __init__(self, components: Components, *, mail: bool = False) -> None:
        self.components = components
        self.mail = mail
        self.board = components.board
        self.known: dict[str, list[Sight]] = {}
        #: What the stops of every hex may be worth one day.
        self.values = self._values()
        self.near = self._near()

    # ---- revenue

    def revenue(self, sight: Sight, trains: Sequence[str]) -> int:
        """The best revenue with these trains."""
        return self.takings(sight, trains)[0]

    def takings(self, sight: Sight, trains: Sequence[str]) -> tuple[int, int]:
        """Revenue and mail of the runs that earn most together with these trains."""
        if not trains:
            return 0, 0
        key = tuple(sorted(trains))
        found = sight.revenues.get(key)
        if found is None:
            found = sight.revenues[key] = self._takings(sight.found, key)
        return found

    def _takings(self, found: CompanyNetwork, trains: tuple[str, ...]) -> tuple[int, int]:
        kinds = [self.components.train(train) for train in trains]
        search = self.components.track.networks.search(found)
        if not self.mail:
            return search.total(kinds), 0
        most, mail = 0, 0
        for carrier in {kind: n for n, kind in enumerate(kinds)}.values():
            ranges = [kind._replace(ends=n == carrier) for n, kind in enumerate(kinds)]
            best = search.best(ranges)
            assert best is not None
            if best.total > most:
                most, route = best.total, best.routes[carrier]
                mail = mail_of(found.network, route.stops) if route is not None else 0
        return most - mail, mail

    def outlook(self, sight: Sight) -> float:
        """What the company's track may still come to: the sum of its stops, and the best ways on."""
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

    def sight(self, layout: Layout, phase: int, company: str, base: Sight | None = None) -> Sight:
        """What a company can run on; looked up if it is known. `phase` counts from 0. `base` is the
        sight of a layout that differs little: if what can be run on is the same, so are the
        revenues."""
        stations = tuple(station for station in layout.stations if station.company == company)
        known = self.known.setdefault(company, [])
        for sight in reversed(known):
            if sight.fits(layout, phase, stations):
                return sight
        near = known[-1] if base is None and known else base
        change = None
        if near is not None:
            change = near.change(layout, phase, stations)
            variant = near.variants.get(change)
            if variant is not None and variant.fits(layout, phase, stations):
                if base is None:
                    self._keep(known, variant)
                return variant
        position = self.components.track.position(layout, phase)
        places, entries = _spread(position, company)
        names = self.board.names
        touched = {names[place]: layout.tiles.get(names[place]) for place in places}
        found = position.network(company)
        same = base if base is not None and base.found is found else None
        sight = Sight(
            stations,
            phase,
            touched,
            _among(layout, touched),
            same.found if same else found,
            tuple(place for place, _, _ in entries),
            tuple(entries),
            same.revenues if same else {},
        )
        if base is None:
            self._keep(known, sight)
        elif change is not None:
            base.variants[change] = sight
        return sight

    def _keep(self, known: list[Sight], sight: Sight) -> None:
        del known[: max(0, len(known) - KEPT + 1)]
        known.append(sight)

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

    def _values(self) -> list[float]:
        values = []
        for record, face in zip(self.board.records, self.board.printed, strict=True):
            value = 0.0
            for stop in face.stops:
                if stop.kind == "offboard":
                    value += max(stop.values)
                elif stop.kind == "town":
                    value += TOWN_VALUE
                elif stop.kind == "city":
                    value = max(value, self.components.city_values.get(record.label, CITY_VALUE))
            values.append(value)
        return values

    def _near(self) -> list[list[tuple[int, float]]]:
        """For every hex the places with stops near it, and how much each invites track."""
        board, values = self.board, self.values
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


def _among(layout: Layout, touched: Container[str]) -> tuple[Station, ...]:
    """The markers on some hexes."""
    return tuple(station for station in layout.stations if station.hex in touched)


def _spread(position: TrackPosition, company: str) -> tuple[set[int], list[tuple[int, int, int]]]:
    """The hexes to which a company's track may lead, and those of them without track there on which
    a tile can be laid now, with the border and gauges it comes by. Ways that turn round or use track twice are
    not left out: it is enough that no hex is missing."""
    own = position.stations(company)
    grounds = position.grounds
    places = {stop // PER_HEX for stop in own}
    entries: list[tuple[int, int, int]] = []
    stops = set(own)
    ways: list[tuple[int, int, int]] = []
    seen: set[tuple[int, int, int]] = set()

    def leave(stop: int) -> None:
        ways.extend(
            (beyond, border, gauges)
            for border, beyond, gauges, _ in grounds[stop // PER_HEX].exits[stop % PER_HEX]
            if beyond >= 0
        )

    for stop in own:
        leave(stop)
    while ways:
        way = ways.pop()
        if way in seen:
            continue
        seen.add(way)
        place, border, gauges = way
        places.add(place)
        ground = grounds[place]
        if border not in ground.links:
            if COLOURS.get(ground.face.colour, len(COLOURS)) <= position.phase:
                entries.append(way)
            continue
        for end, beyond, allowed in ground.links[border]:
            if not gauges & allowed:
                continue
            if end >= 0:
                if beyond >= 0:
                    ways.append((beyond, end, gauges & allowed))
            elif ~end not in stops:
                stops.add(~end)
                kind, _, slots, _, _ = ground.face.stops[~end % PER_HEX]
                full = kind == "city" and len(position.markers.get(~end, ())) >= slots
                if kind != "offboard" and not full:
                    leave(~end)
    return places, entries
