"""What lies on the map, and where the track of companies leads."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from kursbuch.games.g18xx.map.board import Board
from kursbuch.games.g18xx.map.networks import (
    PER_HEX,
    CompanyNetwork,
    Explored,
    Ground,
    Networks,
    Onwards,
    fills,
    showing,
)


class Laid(NamedTuple):
    """A tile on the map."""

    tile: str
    rotation: int


class Station(NamedTuple):
    """A station marker: whose it is, and in which stop of which hex it stands."""

    company: str
    hex: str
    stop: int


class Layout(msgspec.Struct):
    """The tiles and station markers on the map."""

    tiles: dict[str, Laid] = {}
    stations: list[Station] = []

    def move_stations(self, hex: str, stops: Sequence[int]) -> None:
        """Move the markers of a hex; `stops` has the new stop for every one of its stops."""
        self.stations = [
            Station(owner, place, stops[stop] if place == hex else stop)
            for owner, place, stop in self.stations
        ]


AnswerT = TypeVar("AnswerT")

#: Maximum number of positions kept.
_POSITIONS = 64


class TrackMap:
    """The track of a board under any tiles. What a tile means on a hex is worked out once."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.printed = [Ground(board, place, face) for place, face in enumerate(board.printed)]
        self.laid: dict[tuple[str, str, int], Ground] = {}
        groups = {
            record.connection or record.id
            for record in board.records
            if record.connection or record.one_stop_per_route
        }
        #: The borders of every hex, as bits.
        self.around = [
            sum(1 << border for border in (*row, *inner))
            for row, inner in zip(board.borders, board.inner, strict=True)
        ]
        #: Stops of which a route enters at most one: by hex.
        self.group = [
            sorted(groups).index(record.connection or record.id)
            if record.connection or record.one_stop_per_route
            else -1
            for record in board.records
        ]
        #: For every stop a bit beside those of the borders, the same for stops of which a run enters only
        #: one.
        self.keys = [
            1 << board.border_count + (len(groups) + stop if group < 0 else group)
            for place, group in enumerate(self.group)
            for stop in range(place * PER_HEX, (place + 1) * PER_HEX)
        ]
        self.forget()

    def forget(self) -> None:
        """Find out again what track leads to; only measurements need this."""
        self.networks = Networks(self.board, self.group)
        self._positions: dict[Hashable, TrackPosition] = {}
        #: The positions asked for last, with their layouts, by phase and gauges.
        self._latest: dict[tuple[int, bool], tuple[Layout, TrackPosition]] = {}
        #: The last answers to questions about a company, with what they depend on.
        self.lately: dict[Hashable, tuple[_Surroundings, Any]] = {}

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
        """The track with the tiles and stations of a layout; `phase` counts from 0. The last ones are kept
        for the next question about them."""
        latest = self._latest.get((phase, mixed))
        if latest is not None and latest[0] == layout:
            return latest[1]
        key = (phase, mixed, tuple(layout.tiles.items()), tuple(layout.stations))
        found = self._positions.get(key)
        if found is None:
            if len(self._positions) >= _POSITIONS:
                self._positions.clear()
            markers: dict[int, list[str]] = {}
            for company, name, stop in layout.stations:
                markers.setdefault(self.board.index[name] * PER_HEX + stop, []).append(company)
            found = TrackPosition(self, self.grounds(layout.tiles), markers, phase, mixed=mixed)
            self._positions[key] = found
        self._latest[phase, mixed] = Layout(layout.tiles.copy(), layout.stations.copy()), found
        return found


class _Surroundings:
    """What an answer about the track of a company depends on: its own stops, what some hexes show, and the
    markers there. As long as these are the same, the answer is."""

    __slots__ = ("_grounds", "_markers", "_own", "_places", "_showing")

    def __init__(self, position: TrackPosition, company: str, places: Iterable[int]) -> None:
        self._own = position.stations(company)
        self._places = {stop // PER_HEX for stop in self._own}.union(places)
        self._showing = showing(self._places)
        self._grounds = self._showing(position.grounds)
        self._markers = self._there(position)

    def same(self, position: TrackPosition, company: str) -> bool:
        """Whether they are those of another position."""
        return (
            self._own == position.stations(company)
            and self._grounds == self._showing(position.grounds)
            and self._markers == self._there(position)
        )

    def _there(self, position: TrackPosition) -> list[tuple[int, Sequence[str]]]:
        places = self._places
        return [there for there in position.markers.items() if there[0] // PER_HEX in places]


class TrackPosition:
    """The track of one moment of a game, as every company may ask about it. `mixed`: where it
    builds, the gauge may change on dual track; where trains run, it never does. `markers` are the
    companies with a marker in a stop."""

    __slots__ = (
        "_explored",
        "_networks",
        "_reach",
        "_stations",
        "_walks",
        "around",
        "before",
        "board",
        "grounds",
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
        before: tuple[TrackPosition, int] | None = None,
    ) -> None:
        self.mixed = mixed
        self.track = track
        self.board = track.board
        self.phase = phase
        self.grounds = grounds
        self.markers = markers
        self._stations: dict[str, tuple[int, ...]] = {}
        self._reach: dict[str, Reach] = {}
        self._walks: dict[str, Walk] = {}
        self._networks: dict[str, CompanyNetwork] = {}
        self._explored: dict[str, Explored] = {}
        #: The position from which it differs on one hex only, and that hex.
        self.before = before
        #: The borders of every hex, as bits.
        self.around = track.around
        #: What others have found out about this position.
        self.memo: dict[Hashable, Any] = {}

    def stations(self, company: str) -> tuple[int, ...]:
        """The stops in which a company has a marker."""
        own = self._stations.get(company)
        if own is None:
            found = (stop for stop, companies in self.markers.items() if company in companies)
            own = self._stations[company] = tuple(sorted(found))
        return own

    def vacant(self, number: int) -> bool:
        """Whether a stop is a city with a free place [station-space]."""
        kind, _, slots, _, _ = self.grounds[number // PER_HEX].face.stops[number % PER_HEX]
        return kind == "city" and len(self.markers.get(number, ())) < slots

    def network(self, company: str) -> CompanyNetwork:
        """The stops and track that the company's stations are joined to."""
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
        explored = self._explored[company] = self._as_lately("network", company, self._explore)
        return explored.found

    def _explore(self, company: str) -> tuple[Explored, Iterable[int]]:
        explored = self.track.networks.of(
            company, self.stations(company), self.grounds, self.markers, self.phase
        )
        return explored, explored.places

    def _as_lately(
        self, what: str, company: str, find: Callable[[str], tuple[AnswerT, Iterable[int]]]
    ) -> AnswerT:
        """The answer to a question about a company: what it was the last time if nothing has changed that it
        depends on, else what is found out now, with the hexes it depends on. Others mostly build elsewhere."""
        key = (what, company, self.phase, self.mixed)
        last = self.track.lately.get(key)
        if last is not None and last[0].same(self, company):
            known: AnswerT = last[1]
            return known
        found, places = find(company)
        if self.before is None:
            self.track.lately[key] = _Surroundings(self, company, places), found
        return found

    def reach(self, company: str) -> Reach:
        """Where an unbroken way from a station of the company leads: it turns round nowhere, uses no
        track and no stop twice and passes no blocked or off-board stop
        [track-connection, station-connection]."""
        found = self._reach.get(company)
        if found is None:
            found = self._reach[company] = self._as_lately("reach", company, self._find_reach)
        return found

    def _find_reach(self, company: str) -> tuple[Reach, Iterable[int]]:
        return self._found_reach(company), self.walk(company)

    def _found_reach(self, company: str) -> Reach:
        own = self.stations(company)
        reach = Reach(own)
        # One way to every place is followed on. What only a way that crosses itself comes to is not
        # settled by that: from there a way back is looked for.
        borders, stops = self._follow(own, company, reach)
        if reach.unique:
            return reach
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
        return reach

    def comes_from(
        self, company: str, place: int, border: int, track: int = 0, gauges: int = ~0
    ) -> bool:
        """Whether a way from a station of the company enters a hex over a border without using this
        track, stops included (as `stop_key` has them)."""
        behind = self.board.behind(place, border)
        if behind < 0 or track >> border & 1:
            return False
        return self._back(company, (behind, border, track | 1 << border, gauges))

    def _back(self, company: str, way: _Way) -> bool:
        """Whether a way can be continued to a station of the company. Most are settled by looking
        for one way to every place; branches from which not even a way that crosses itself leads to a
        station are left out."""
        own = set(self.stations(company))
        ways, seen = [way], {way}
        while ways:
            here = ways.pop()
            if self._arrives(company, own, here):
                return True
            if not self._might_arrive(company, own, here):
                continue
            for onward in self._steps(company, here):
                if onward not in seen:
                    seen.add(onward)
                    ways.append(onward)
        return False

    def _steps(self, company: str, way: _Way) -> Iterator[_Way]:
        """The ways by which a way goes on over one hex."""
        place, border, used, gauges = way
        for stop, onward, beyond, common in self.walk(company)[place][border, gauges]:
            if beyond < 0:
                continue
            add = 1 << onward if stop < 0 else 1 << onward | self.stop_key(stop)
            if not used & add:
                yield beyond, onward, used | add, common

    def _arrives(self, company: str, own: Container[int], way: _Way) -> bool:
        """Whether one way to every place comes to one of these stops."""
        walk, keys = self.walk(company), self.track.keys
        ways = [way]
        seen = {(way[0], way[1], way[3])}
        for place, border, used, gauges in ways:  # grows on the way
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
        """Whether a way that crosses itself, but not the one it begins with, comes to one of these stops."""
        walk, keys = self.walk(company), self.track.keys
        place, border, used, gauges = way
        places = [(place, border, gauges)]
        seen = {(place, border, gauges)}
        for place, border, gauges in places:  # grows on the way
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
        """The same with other track on one hex; `became` says which stop each of its stops is
        then."""
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
            self.track, grounds, markers, self.phase, mixed=self.mixed, before=(self, place)
        )

    def marked(self, company: str, stop: int) -> TrackPosition:
        """The same with one more marker."""
        markers = {**self.markers, stop: [*self.markers.get(stop, ()), company]}
        return TrackPosition(self.track, self.grounds, markers, self.phase, mixed=self.mixed)

    def value(self, stop: int) -> int:
        """What a stop is worth now."""
        return self.grounds[stop // PER_HEX].value(stop % PER_HEX, self.phase)

    def stop_key(self, stop: int) -> int:
        """A bit for a stop, the same for stops of which a run enters only one."""
        return self.track.keys[stop]

    def walk(self, company: str) -> Walk:
        """What follows on ways of a company."""
        found = self._walks.get(company)
        if found is None:
            full = self._full_cities(company)
            found = self._walks[company] = Walk(self.grounds, full, self.mixed)
        return found

    def _full_cities(self, company: str) -> dict[int, int]:
        """The cities in which the markers of others leave a company no way through, as bits, by hex
        [run-blocked]."""
        found: dict[int, int] = {}
        for number, companies in self.markers.items():
            place, index = divmod(number, PER_HEX)
            if fills(self.grounds[place].face.stops[index], companies, company):
                found[place] = found.get(place, 0) | 1 << index
        return found

    def _follow(
        self, own: Sequence[int], company: str, reach: Reach
    ) -> tuple[dict[tuple[int, int], int], set[int]]:
        """Add to `reach` what one way to every place comes to. What can be found only by ways that cross
        themselves is given back: borders by which hexes are entered, with gauges, and stops."""
        walk, keys = self.walk(company), self.track.keys
        ways: list[_Way] = []
        for start in own:
            exits = self.grounds[start // PER_HEX].exits[start % PER_HEX]
            ways += [
                (behind, border, keys[start] | 1 << border, gauges)
                for border, behind, gauges, _ in exits
                if behind >= 0
            ]
        seen: set[_Entered] = set()
        cut: set[_Entered] = set()
        cut_stops: set[int] = set()
        for way in ways:  # grows on the way
            place, border, used, gauges = way
            entered = (place, border, gauges)
            if entered in seen:
                reach.unique = False
                continue
            seen.add(entered)
            here = (place, border)
            reach.borders[here] = reach.borders.get(here, 0) | gauges
            reach.ways.setdefault(here, []).append(way)
            for stop, onward, beyond, common in walk[place][border, gauges]:
                now = used
                if stop >= 0:
                    key = keys[stop]
                    if used & key:
                        cut_stops.add(stop)
                        if beyond >= 0:
                            cut.add((beyond, onward, common))
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
                    cut.add((beyond, onward, common))
                else:
                    ways.append((beyond, onward, now | 1 << onward, common))
        # On from there, however the ways cross.
        borders: dict[tuple[int, int], int] = {}
        places = list(cut - seen)
        seen.update(places)
        for place, border, gauges in places:  # grows on the way
            borders[place, border] = borders.get((place, border), 0) | gauges
            for stop, onward, beyond, common in walk[place][border, gauges]:
                if onward < 0:
                    cut_stops.add(stop)
                elif beyond >= 0 and (entered := (beyond, onward, common)) not in seen:
                    seen.add(entered)
                    places.append(entered)
        return borders, cut_stops


#: A hex that is entered, the border it is entered by, and the gauges of the way.
_Entered = tuple[int, int, int]

#: A way: the hex it enters and the border it does so by, the track it has used with the stops it has
#: passed (as `TrackPosition.stop_key` has them), the gauges.
_Way = tuple[int, int, int, int]

#: For a hex and the border by which it is entered, ways that lead there.
Ways = dict[tuple[int, int], list[_Way]]


class Walk(dict[int, Onwards]):
    """What follows on ways of one company in one position, by hex."""

    def __init__(self, grounds: Sequence[Ground], full: Mapping[int, int], mixed: bool) -> None:
        self._grounds, self._full, self._mixed = grounds, full, mixed

    def __missing__(self, place: int) -> Onwards:
        ground = self._grounds[place]
        ways = ground.ways(ground.ends | self._full.get(place, 0), self._mixed)
        self[place] = ways
        return ways


class Reach:
    """What a company's track leads to: hexes with the border by which they are entered and the gauges
    of the ways that do so, and stops of the map (own stations included); with a way to most borders,
    and borders, as bits, over which routes lead to a further station (there may be more). If no two ways
    enter a hex by the same border, they are `unique`: there are no others."""

    __slots__ = ("borders", "run", "stops", "unique", "ways")

    def __init__(self, own: Iterable[int]) -> None:
        self.borders: dict[tuple[int, int], int] = {}
        self.stops = set(own)
        self.ways: Ways = {}
        self.run = 0
        self.unique = True

    def add(self, place: int, border: int, gauges: int) -> None:
        """A way of these gauges enters a hex."""
        self.borders[place, border] = self.borders.get((place, border), 0) | gauges

    def hexes(self) -> set[int]:
        """The hexes that are entered."""
        return {place for place, _ in self.borders}
