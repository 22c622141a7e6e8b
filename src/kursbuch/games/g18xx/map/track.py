"""Tiles and tokens on the map, and where the track of companies leads."""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from kursbuch.games.g18xx.map.board import Board
from kursbuch.games.g18xx.map.networks import (
    PER_HEX,
    CompanyNetwork,
    Explored,
    Ground,
    Networks,
    Onward,
    Onwards,
    is_blocked,
)


class Laid(NamedTuple):
    """A tile on the map."""

    tile: str
    rotation: int


class Station(NamedTuple):
    """A station token: its company, hex and stop."""

    company: str
    hex: str
    stop: int


class Layout(msgspec.Struct, frozen=True):
    """Tiles and station tokens on the map. A layout never changes, so copies of a state share it."""

    tiles: Mapping[str, Laid] = {}
    stations: Sequence[Station] = []

    def with_tile(self, hex: str, laid: Laid, stops: Sequence[int]) -> Layout:
        """The layout with a tile on a hex; `stops` has the new stop for every one of its stops."""
        return Layout({**self.tiles, hex: laid}, self.moved(hex, stops))

    def with_station(self, station: Station) -> Layout:
        """The layout with one more token."""
        return Layout(self.tiles, [*self.stations, station])

    def moved(self, hex: str, stops: Sequence[int]) -> Sequence[Station]:
        """The tokens, where those of a hex have moved to these stops."""
        if not any(station.hex == hex for station in self.stations):
            return self.stations
        return [
            Station(owner, place, stops[stop] if place == hex else stop)
            for owner, place, stop in self.stations
        ]


#: Maximum number of cached positions.
_POSITIONS = 64


class TrackMap:
    """Track of a board with any tiles. Each tile on each hex is worked out once."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.printed = [Ground(board, place, face) for place, face in enumerate(board.printed)]
        self.laid: dict[tuple[str, str, int], Ground] = {}
        groups = {
            record.connection or record.id
            for record in board.records
            if record.connection or record.one_stop_per_route
        }
        #: Borders of each hex, as bits.
        self.around = [
            sum(1 << border for border in (*row, *inner))
            for row, inner in zip(board.borders, board.inner, strict=True)
        ]
        #: Group, by hex, of stops of which a route enters at most one.
        self.group = [
            sorted(groups).index(record.connection or record.id)
            if record.connection or record.one_stop_per_route
            else -1
            for record in board.records
        ]
        #: For each stop a bit beside those of the borders, shared by stops of which a run enters
        #: only one.
        self.keys = [
            1 << board.border_count + (len(groups) + stop if group < 0 else group)
            for place, group in enumerate(self.group)
            for stop in range(place * PER_HEX, (place + 1) * PER_HEX)
        ]
        self.forget()

    def forget(self) -> None:
        """Clear the caches; only benchmarks need this."""
        self.networks = Networks(self.board, self.group)
        #: Positions with their layouts, by identity of the layout, phase and gauges; the last ones by
        #: phase and gauges.
        self._positions: dict[tuple[int, int, bool], tuple[Layout, TrackPosition]] = {}
        self._latest: dict[tuple[int, bool], tuple[Layout, TrackPosition]] = {}
        #: Cache for other modules.
        self.memo: dict[Hashable, Any] = {}

    def ground(self, name: str, tile: str, rotation: int) -> Ground:
        """A tile on a hex."""
        key = (name, tile, rotation)
        found = self.laid.get(key)
        if found is None:
            face = self.board.tile(tile).faces[rotation]
            found = self.laid[key] = Ground(self.board, self.board.number(name), face)
        return found

    def grounds(self, tiles: Mapping[str, Laid]) -> list[Ground]:
        """What every hex shows."""
        grounds = self.printed.copy()
        laid = self.laid
        for name, (tile, rotation) in tiles.items():
            ground = laid.get((name, tile, rotation)) or self.ground(name, tile, rotation)
            grounds[ground.place] = ground
        return grounds

    def position(self, layout: Layout, phase: int, *, mixed: bool = False) -> TrackPosition:
        """Track with the tiles and tokens of a layout, cached; `phase` counts from 0."""
        latest = self._latest.get((phase, mixed))
        if latest is not None and latest[0] is layout:
            return latest[1]
        key = (id(layout), phase, mixed)
        found = self._positions.get(key)
        if found is None:
            if len(self._positions) >= _POSITIONS:
                self._positions.clear()
            if latest is not None and latest[0] == layout:
                found = layout, latest[1]
            else:
                found = layout, self._made(layout, phase, mixed, latest)
            self._positions[key] = found
        self._latest[phase, mixed] = found
        return found[1]

    def _made(
        self,
        layout: Layout,
        phase: int,
        mixed: bool,
        latest: tuple[Layout, TrackPosition] | None,
    ) -> TrackPosition:
        """A new position, which keeps what it has in common with the latest one."""
        index = self.board.index
        if latest is None:
            left = self.board.counts.copy()
            for tile, _ in layout.tiles.values():
                left[tile] -= 1
            grounds, markers = self.grounds(layout.tiles), self._markers(layout)
            return TrackPosition(self, grounds, markers, phase, mixed=mixed, left=left)
        known, last = latest
        tiles, before = layout.tiles, known.tiles
        renewed = [
            name
            for name, laid in tiles.items()
            if (had := before.get(name)) is not laid and had != laid
        ]
        if len(before) + len(renewed) > len(tiles):
            renewed += [name for name in before if name not in tiles]
        grounds, left = last.grounds.copy(), dict(last.left)
        for name in renewed:
            place = index[name]
            if name in before:
                left[before[name].tile] += 1
            if name in tiles:
                left[tiles[name].tile] -= 1
            grounds[place] = (
                self.ground(name, *tiles[name]) if name in tiles else self.printed[place]
            )
        moved: set[Station] = set()
        markers = last.markers
        if layout.stations is not known.stations:
            moved.update(set(layout.stations).symmetric_difference(known.stations))
            markers = self._markers(layout)
        made = TrackPosition(self, grounds, markers, phase, mixed=mixed, left=left)
        places = {index[name] for name in renewed}
        places.update([index[station.hex] for station in moved])
        made.take_over(last, places, {station.company for station in moved})
        return made

    def _markers(self, layout: Layout) -> Mapping[int, Sequence[str]]:
        """Companies with a token in each stop."""
        found: dict[int, list[str]] = {}
        for company, name, stop in layout.stations:
            found.setdefault(self.board.index[name] * PER_HEX + stop, []).append(company)
        return found


class TrackPosition:
    """Track at one moment of a game, for all companies. If `mixed`, track may change gauge on dual
    track when building; trains never do. `markers` are the companies with a token in each stop."""

    __slots__ = (
        "_explored",
        "_full",
        "_networks",
        "_outdated",
        "_reach",
        "_stations",
        "_walks",
        "around",
        "before",
        "board",
        "grounds",
        "left",
        "markers",
        "memo",
        "mixed",
        "phase",
        "track",
    )

    def __init__(
        self,
        track: TrackMap,
        grounds: list[Ground],
        markers: Mapping[int, Sequence[str]],
        phase: int,
        *,
        mixed: bool,
        left: Mapping[str, int],
        before: tuple[TrackPosition, int] | None = None,
    ) -> None:
        self.mixed = mixed
        #: Number of tiles left by type [tile-supply], below 0 if more lie on the map; positions made
        #: by `changed` have the same as before.
        self.left = left
        self.track = track
        self.board = track.board
        self.phase = phase
        self.grounds = grounds
        self.markers = markers
        self._stations: dict[str, tuple[int, ...]] = {}
        self._reach: dict[str, Reach] = {}
        #: Reach of companies in an earlier position, with the hexes changed since.
        self._outdated: dict[str, tuple[Reach, set[int]]] = {}
        self._walks: dict[str, Walk] = {}
        self._networks: dict[str, CompanyNetwork] = {}
        self._explored: dict[str, Explored] = {}
        #: Cities full of tokens, with their companies.
        self._full: list[tuple[int, Sequence[str]]] | None = None
        #: The position that differs on one hex only, and that hex.
        self.before = before
        #: Borders of each hex, as bits.
        self.around = track.around
        #: Cache for other modules.
        self.memo: dict[Hashable, Any] = {}

    def take_over(self, last: TrackPosition, places: set[int], companies: Collection[str]) -> None:
        """Keep what an earlier position knows of companies whose track does not touch the hexes
        changed since; except these companies, whose tokens changed."""
        for company, reach in last._reach.items():
            if company not in companies and reach.walked.keys().isdisjoint(places):
                self._reach[company] = reach
            else:
                self._outdated[company] = reach, places
        for company, (reach, changed) in last._outdated.items():
            if company not in last._reach:
                self._outdated[company] = reach, changed | places
        changed_hexes = sum(1 << place for place in places)
        for company, explored in last._explored.items():
            if company not in companies and not explored.places & changed_hexes:
                self._explored[company] = explored
                self._networks[company] = explored.found

    def stations(self, company: str) -> tuple[int, ...]:
        """Stops in which a company has a token."""
        own = self._stations.get(company)
        if own is None:
            found = (stop for stop, companies in self.markers.items() if company in companies)
            own = self._stations[company] = tuple(sorted(found))
        return own

    def vacant(self, number: int) -> bool:
        """Whether a stop is a city with a free slot [station-space]."""
        kind, _, slots, _, _ = self.grounds[number // PER_HEX].face.stops[number % PER_HEX]
        return kind == "city" and len(self.markers.get(number, ())) < slots

    def network(self, company: str) -> CompanyNetwork:
        """Stops and track connected to the company's stations."""
        found = self._networks.get(company)
        if found is None:
            found = self._networks[company] = self._network(company)
        return found

    def _network(self, company: str) -> CompanyNetwork:
        if self.before is not None:
            other, place = self.before
            unchanged, explored = other.network(company), other._explored.get(company)
            if explored is not None and self.track.networks.same(explored, place, self.grounds):
                return unchanged
        found = self._explored[company] = self.track.networks.of(
            company, self.stations(company), self.grounds, self.markers, self.phase
        )
        return found.found

    def reach(self, company: str) -> Reach:
        """Where unbroken ways from the company's stations lead: without turning round, using track
        or a stop twice, or passing a blocked or off-board stop [track-connection,
        station-connection]."""
        found = self._reach.get(company)
        if found is None:
            found = self._reach[company] = self._find_reach(company)
        return found

    def _find_reach(self, company: str) -> Reach:
        """The last reach of the company with what track added since leads to, or a new one if track
        is gone or blocked."""
        own, walk = self.stations(company), self.walk(company)
        starts = [
            (behind, border, self.stop_key(stop) | 1 << border, gauges)
            for stop in own
            for border, behind, gauges, _ in self.grounds[stop // PER_HEX].exits[stop % PER_HEX]
            if behind >= 0
        ]
        for stop in own:
            walk[stop // PER_HEX]
        reach, begun, branches = Reach(own), starts, list[_Branch]()
        earlier = self._earlier(company)
        if earlier is not None:
            last, places = earlier
            if last.own == own and last.walked.keys().isdisjoint(places):
                return last
            added = last.added(own, starts, walk, places)
            if added is not None:
                reach, (begun, branches) = last.copy(own), added
        self._follow(company, reach, begun, branches)
        if not reach.unique:
            self._cross(company, reach)
        reach.starts, reach.walked = starts, dict(walk)
        return reach

    def _earlier(self, company: str) -> tuple[Reach, set[int]] | None:
        """The reach of a company in an earlier position, with the hexes changed since."""
        if self.before is None:
            return self._outdated.get(company)
        other, place = self.before
        return (other._reach[company], {place}) if company in other._reach else None

    def _cross(self, company: str, reach: Reach) -> None:
        """Add what is reached only by ways that seem to cross themselves: search a way back."""
        borders, stops = self._undecided(company, reach)
        for (place, border), gauges in borders.items():
            missing = gauges & ~reach.borders.get((place, border), 0)
            while missing:
                gauge = missing & -missing
                missing ^= gauge
                if self.comes_from(company, place, border, gauges=gauge):
                    reach.add(place, border, gauge)
        for stop in stops - reach.stops:
            exits = self.grounds[stop // PER_HEX].exits[stop % PER_HEX]
            if any(
                self._back(company, (behind, border, self.stop_key(stop) | 1 << border, gauges))
                for border, behind, gauges, _ in exits
                if behind >= 0
            ):
                reach.stops.add(stop)

    def comes_from(
        self, company: str, place: int, border: int, track: int = 0, gauges: int = ~0
    ) -> bool:
        """Whether a way from a station of the company enters a hex over a border without this track
        and these stops (as `stop_key` bits)."""
        behind = self.board.behind(place, border)
        if behind < 0 or track >> border & 1:
            return False
        return self._back(company, (behind, border, track | 1 << border, gauges))

    def _back(self, company: str, way: _Way) -> bool:
        """Whether a way continues to a station of the company. Branches that cannot reach one even by
        crossing themselves are cut, which settles most cases; one way to each place most others."""
        own = set(self.stations(company))
        ways, seen = [way], {way}
        while ways:
            here = ways.pop()
            if not self._might_arrive(company, own, here):
                continue
            if self._arrives(company, own, here):
                return True
            for onward in self._steps(company, here):
                if onward not in seen:
                    seen.add(onward)
                    ways.append(onward)
        return False

    def _steps(self, company: str, way: _Way) -> Iterator[_Way]:
        """Continuations of a way over one hex."""
        place, border, used, gauges = way
        for stop, onward, beyond, common in self.walk(company)[place][border, gauges]:
            if beyond < 0:
                continue
            add = 1 << onward if stop < 0 else 1 << onward | self.stop_key(stop)
            if not used & add:
                yield beyond, onward, used | add, common

    def _arrives(self, company: str, own: Container[int], way: _Way) -> bool:
        """Whether following one way to each place reaches one of these stops."""
        walk, keys = self.walk(company), self.track.keys
        ways = [way]
        seen = {(way[0], way[1], way[3])}
        for place, border, used, gauges in ways:  # grows during iteration
            for stop, onward, beyond, common in walk[place][border, gauges]:
                if onward < 0:
                    if stop in own and not used & keys[stop]:
                        return True
                    continue
                entered = (beyond, onward, common)
                if beyond < 0 or entered in seen:
                    continue
                add = 1 << onward if stop < 0 else 1 << onward | keys[stop]
                if not used & add:
                    seen.add(entered)
                    ways.append((beyond, onward, used | add, common))
        return False

    def _might_arrive(self, company: str, own: Container[int], way: _Way) -> bool:
        """Whether a way reaches one of these stops if it may cross itself, but not its
        beginning."""
        walk, keys = self.walk(company), self.track.keys
        place, border, used, gauges = way
        places = [(place, border, gauges)]
        seen = {(place, border, gauges)}
        for place, border, gauges in places:  # grows during iteration
            for stop, onward, beyond, common in walk[place][border, gauges]:
                if stop >= 0 and used & keys[stop]:
                    continue
                if onward < 0:
                    if stop in own:
                        return True
                    continue
                entered = (beyond, onward, common)
                if beyond >= 0 and not used >> onward & 1 and entered not in seen:
                    seen.add(entered)
                    places.append(entered)
        return False

    def changed(self, place: int, ground: Ground, became: Sequence[int] | None) -> TrackPosition:
        """The position with other track on one hex; `became` maps its stops to their successors."""
        grounds = self.grounds.copy()
        grounds[place] = ground
        markers = self.markers
        if became is not None and any(stop // PER_HEX == place for stop in markers):
            moved: dict[int, list[str]] = {}
            for stop, companies in markers.items():
                if stop // PER_HEX == place:
                    stop = place * PER_HEX + became[stop % PER_HEX]
                moved.setdefault(stop, []).extend(companies)
            markers = moved
        return TrackPosition(
            self.track,
            grounds,
            markers,
            self.phase,
            mixed=self.mixed,
            left=self.left,
            before=(self, place),
        )

    def marked(self, company: str, stop: int) -> TrackPosition:
        """The position with one more token."""
        markers = {**self.markers, stop: [*self.markers.get(stop, ()), company]}
        return TrackPosition(
            self.track, self.grounds, markers, self.phase, mixed=self.mixed, left=self.left
        )

    def value(self, stop: int) -> int:
        """Current value of a stop."""
        return self.grounds[stop // PER_HEX].value(stop % PER_HEX, self.phase)

    def stop_key(self, stop: int) -> int:
        """The bit of a stop, shared by stops of which a run enters only one."""
        return self.track.keys[stop]

    def walk(self, company: str) -> Walk:
        """Steps on ways of a company."""
        found = self._walks.get(company)
        if found is None:
            full = self._full_cities(company)
            found = self._walks[company] = Walk(self.grounds, full, self.mixed)
            reach, places = self._reach.get(company), set[int]()
            if reach is None and (earlier := self._earlier(company)) is not None:
                reach, places = earlier
            if reach is not None:
                found.update(reach.walked)
                for place in places:
                    found.pop(place, None)
        return found

    def _full_cities(self, company: str) -> dict[int, int]:
        """Cities that other companies' tokens block, as bits, by hex [run-blocked]."""
        full = self._full
        if full is None:
            full = self._full = [
                (number, companies)
                for number, companies in self.markers.items()
                if is_blocked(
                    self.grounds[number // PER_HEX].face.stops[number % PER_HEX], companies, ""
                )
            ]
        found: dict[int, int] = {}
        for number, companies in full:
            if company not in companies:
                place, index = divmod(number, PER_HEX)
                found[place] = found.get(place, 0) | 1 << index
        return found

    def _follow(
        self, company: str, reach: Reach, begun: Iterable[_Way], branches: Iterable[_Branch]
    ) -> None:
        """Add what one way to each place reaches: from these ways on, and where known ways can now
        branch off."""
        walk, seen, borders = self.walk(company), reach.seen, reach.borders
        ways = [*begun]
        for way, steps in branches:
            ways += self._steps_on(way, steps, reach)
        for way in ways:  # grows during iteration
            place, border, _, gauges = way
            entered = (place, border, gauges)
            if entered in seen:
                reach.unique = False
                continue
            seen.add(entered)
            here = (place, border)
            borders[here] = borders.get(here, 0) | gauges
            reach.ways[here] = (*reach.ways.get(here, ()), way)
            ways += self._steps_on(way, walk[place][border, gauges], reach)

    def _steps_on(self, way: _Way, steps: Iterable[Onward], reach: Reach) -> list[_Way]:
        """Ways further by these steps; note stops reached, and where the way crosses itself."""
        keys, used, found = self.track.keys, way[2], []
        for stop, onward, beyond, common in steps:
            now = used
            if stop >= 0:
                key = keys[stop]
                if used & key:
                    reach.cut_stops.add(stop)
                    if beyond >= 0:
                        reach.cut.add((beyond, onward, common))
                    continue
                if onward < 0:
                    reach.stops.add(stop)
                    if self.value(stop):
                        reach.run |= used
                    continue
                now |= key
            if beyond < 0:
                continue
            if used >> onward & 1:
                reach.cut.add((beyond, onward, common))
            else:
                found.append((beyond, onward, now | 1 << onward, common))
        return found

    def _undecided(self, company: str, reach: Reach) -> tuple[dict[tuple[int, int], int], set[int]]:
        """What only ways crossing themselves may reach: borders entered, with gauges, and stops."""
        walk, seen, stops = self.walk(company), set(reach.seen), set(reach.cut_stops)
        borders: dict[tuple[int, int], int] = {}
        places = list(reach.cut - seen)
        seen.update(places)
        for place, border, gauges in places:  # grows during iteration
            borders[place, border] = borders.get((place, border), 0) | gauges
            for stop, onward, beyond, common in walk[place][border, gauges]:
                if onward < 0:
                    stops.add(stop)
                elif beyond >= 0 and (entered := (beyond, onward, common)) not in seen:
                    seen.add(entered)
                    places.append(entered)
        return borders, stops


#: A hex entered: place, border and gauges.
_Entered = tuple[int, int, int]

#: A way: hex entered, border, track used with stops passed (as `TrackPosition.stop_key` bits),
#: gauges.
_Way = tuple[int, int, int, int]

#: A way, with steps that continue it.
_Branch = tuple[_Way, Sequence[Onward]]


class Walk(dict[int, Onwards]):
    """Steps on ways of one company in one position, by hex."""

    def __init__(self, grounds: Sequence[Ground], full: Mapping[int, int], mixed: bool) -> None:
        self._grounds, self._full, self._mixed = grounds, full, mixed

    def __missing__(self, place: int) -> Onwards:
        ground = self._grounds[place]
        ways = ground.ways(ground.ends | self._full.get(place, 0), self._mixed)
        self[place] = ways
        return ways


class Reach:
    """What a company's track reaches: `borders` by which hexes are entered, with gauges, and
    `stops` of the map, own stations included. `ways` has a way to most borders; `run` the borders,
    as bits, on routes to a further station, perhaps not all. If no two ways enter a hex by the same
    border, they are `unique`: there are no others."""

    __slots__ = (
        "borders",
        "cut",
        "cut_stops",
        "memo",
        "own",
        "run",
        "seen",
        "starts",
        "stops",
        "unique",
        "walked",
        "ways",
    )

    def __init__(self, own: tuple[int, ...]) -> None:
        self.own = own
        self.borders: dict[tuple[int, int], int] = {}
        self.stops = set(own)
        #: Ways by the hex they lead to and the border they enter by.
        self.ways: dict[tuple[int, int], tuple[_Way, ...]] = {}
        self.run = 0
        self.unique = True
        #: Hexes entered by the ways, and what they did not enter because they would cross
        #: themselves.
        self.seen: set[_Entered] = set()
        self.cut: set[_Entered] = set()
        self.cut_stops: set[int] = set()
        #: Ways out of the stations, and the steps on every hex, which this depends on.
        self.starts: Sequence[_Way] = ()
        self.walked: Mapping[int, Onwards] = {}
        #: Cache for other modules: of what depends on these ways, and on what the hexes they enter
        #: and those of the stations show.
        self.memo: dict[Hashable, Any] = {}

    def copy(self, own: tuple[int, ...]) -> Reach:
        """A copy for these stations, to be added to."""
        other = Reach(own)
        other.borders = self.borders.copy()
        other.stops |= self.stops
        other.ways = self.ways.copy()
        other.run, other.unique = self.run, self.unique
        other.seen = self.seen.copy()
        other.cut, other.cut_stops = self.cut.copy(), self.cut_stops.copy()
        return other

    def added(
        self, own: tuple[int, ...], starts: Sequence[_Way], walk: Walk, places: Iterable[int]
    ) -> tuple[list[_Way], list[_Branch]] | None:
        """Ways out of further exits of stations, and steps on these hexes that continue known ways;
        None if an exit or a step is gone."""
        if self.starts == starts:
            begun = []
        else:
            begun = [way for way in starts if way not in self.starts]
            if len(begun) + len(self.starts) > len(starts):
                return None
        if not (self.own == own or set(self.own) <= set(own)):
            return None
        branches: list[_Branch] = []
        for place in places:
            before = self.walked.get(place)
            if before is None or (now := walk[place]) is before:
                continue
            for border, gauges in list(before):
                steps, known = now[border, gauges], before[border, gauges]
                if steps == known:
                    continue
                more = [step for step in steps if step not in known]
                if len(more) + len(known) > len(steps):
                    return None
                for way in self.ways.get((place, border), ()):
                    if way[3] == gauges:
                        branches.append((way, more))
        return begun, branches

    def add(self, place: int, border: int, gauge: int) -> None:
        """Add an entered border with its gauges."""
        self.borders[place, border] = self.borders.get((place, border), 0) | gauge

    def hexes(self) -> dict[int, dict[int, int]]:
        """Hexes that are entered: by which borders, with gauges."""
        found: dict[int, dict[int, int]] = {}
        for (place, border), gauges in self.borders.items():
            found.setdefault(place, {})[border] = gauges
        return found
