"""What lies on the map, and where track leads.

Track is walked from border to border: every side between two hexes is one number, and a piece of track
is a set of borders, kept as bits. Two pieces of track on one hex that share an edge share track there;
pieces without a common edge are separate, even if they cross. So "no track twice" is "no border
twice" [track-once, runs-apart].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import NamedTuple

import msgspec

from kursbuch.eighteen.map.board import STOP, Board, Face
from kursbuch.eighteen.map.board import Stop as Shown
from kursbuch.eighteen.map.routes import Network, Segment, Stop

#: A stop of the map is its hex times this plus its number on the hex.
PER_HEX = 16


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


class CompanyNetwork(NamedTuple):
    """What a company can run on, for the search of routes. `stops` are the stops of the map and
    the `track` of a segment has the borders of the map as bits."""

    network: Network
    stops: tuple[int, ...]


class Ground:
    """Where the track of one face on one hex leads.

    `links` tells for every border with track the ways over this hex: the next border and the hex
    behind it, or a stop of the map as `~stop` and -1; and the gauges. `exits` are the same for
    each stop, with the bank of its ferry.
    """

    __slots__ = ("_ways", "banks", "ends", "exits", "face", "links", "place")

    def __init__(self, board: Board, place: int, face: Face) -> None:
        self.place = place
        self.face = face
        #: The stops at which every route ends, as bits.
        self.ends = sum(
            1 << number for number, stop in enumerate(face.stops) if stop.kind == "offboard"
        )
        self._ways: dict[tuple[int, int, int, bool], tuple[Onward, ...]] = {}
        self.exits: list[list[tuple[int, int, int, int]]] = [[] for _ in face.stops]
        borders, neighbours = board.borders[place], board.neighbours[place]
        links: dict[int, list[tuple[int, int, int]]] = {}

        def far(end: int) -> tuple[int, int]:
            if end >= STOP:
                return ~(place * PER_HEX + end - STOP), -1
            return borders[end], neighbours[end]

        inner = iter(board.inner[place])
        for a, b, gauges in face.paths:
            between = next(inner) if min(a, b) >= STOP else -1
            for here, there in ((a, b), (b, a)):
                if between >= 0:
                    links.setdefault(between, []).append((*far(there), gauges))
                    self.exits[here - STOP].append((between, place, gauges, 0))
                elif here < STOP:
                    links.setdefault(borders[here], []).append((*far(there), gauges))
                elif there < STOP:
                    bank = face.ferry.sides[there] if face.ferry else 0
                    self.exits[here - STOP].append((*far(there), gauges, bank))
        self.links = {border: tuple(ways) for border, ways in links.items()}
        #: The bank of every border, where there is a ferry.
        self.banks = dict(zip(borders, face.ferry.sides, strict=True)) if face.ferry else {}

    def ways(self, border: int, gauges: int, ends: int, mixed: bool) -> tuple[Onward, ...]:
        """What follows on a way that enters this hex over a border and cannot go on behind the stops `ends`,
        given as bits; `mixed`: the gauge may change on dual track. The same is asked again and again, in
        many positions."""
        key = (border, gauges, ends, mixed)
        found = self._ways.get(key)
        if found is None:
            found = self._ways[key] = tuple(self._onward(*key))
        return found

    def _onward(self, border: int, gauges: int, ends: int, mixed: bool) -> Iterator[Onward]:
        for end, beyond, allowed in self.links.get(border, ()):
            common = gauges & allowed
            if not common:
                continue
            if mixed:
                common = allowed
            if end >= 0:
                yield -1, end, beyond, common
                continue
            index, passed = ~end % PER_HEX, -1
            if self.face.stops[index].kind != "junction":
                passed = ~end
                yield passed, -1, -1, common
                if ends >> index & 1:
                    continue
            for onward, behind, allowed, _ in self.exits[index]:
                if onward != border and common & allowed:
                    yield passed, onward, behind, allowed if mixed else common & allowed


#: A step of a way over a hex: the stop passed or -1, the next border or -1, the hex behind it, gauges.
Onward = tuple[int, int, int, int]


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

    def ground(self, name: str, tile: str, rotation: int) -> Ground:
        """A tile on a hex."""
        key = (name, tile, rotation)
        found = self.laid.get(key)
        if found is None:
            face = self.board.tile(tile).faces[rotation]
            found = self.laid[key] = Ground(self.board, self.board.place(name), face)
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
        """The track with the tiles and stations of a layout; `phase` counts from 0."""
        return TrackPosition(self, layout, phase, mixed=mixed)


class TrackPosition:
    """The track of one moment of a game, as every company may ask about it. `mixed`: where it
    builds, the gauge may change on dual track; where trains run, it never does."""

    def __init__(self, track: TrackMap, layout: Layout, phase: int, *, mixed: bool = False) -> None:
        self.mixed = mixed
        self.track = track
        self.board = track.board
        self.phase = phase
        self.grounds = track.grounds(layout.tiles)
        #: The companies with a marker in a stop.
        self.markers: dict[int, list[str]] = {}
        index = self.board.index
        for company, name, stop in layout.stations:
            self.markers.setdefault(index[name] * PER_HEX + stop, []).append(company)
        self._reach: dict[str, Reach] = {}
        self._full: dict[str, dict[int, int]] = {}
        #: The borders of every hex, as bits.
        self.around = track.around
        #: What others have found out about this position.
        self.memo: dict[str, object] = {}

    def stations(self, company: str) -> list[int]:
        """The stops in which a company has a marker."""
        return sorted(stop for stop, companies in self.markers.items() if company in companies)

    def _stop(self, number: int, company: str) -> Stop:
        """A stop as the routes of a company see it [run-blocked, run-through, stop-values]."""
        place, index = divmod(number, PER_HEX)
        ground = self.grounds[place]
        shown = ground.face.stops[index]
        companies = self.markers.get(number, ())
        ferry = ground.face.ferry
        return Stop(
            self.value(number),
            shown.kind == "town",
            company in companies,
            shown.kind == "offboard" or self._is_full(shown, companies, company),
            self.track.group[place],
            ferry.toll if ferry else 0,
        )

    def network(self, company: str) -> CompanyNetwork:
        """The stops and track that the company's stations are joined to."""
        grounds = self.grounds
        own = self.stations(company)
        known = {number: self._stop(number, company) for number in own}
        waiting = own.copy()
        explored: set[int] = set()
        found: list[tuple[int, int, int, int, int, int]] = []
        junction = self.board.border_count
        while waiting:
            start = waiting.pop()
            explored.add(start)
            for border, behind, gauges, bank in grounds[start // PER_HEX].exits[start % PER_HEX]:
                ways = [(behind, border, 1 << border, gauges)] if behind >= 0 else []
                while ways:
                    place, border, track, gauges = ways.pop()
                    ground = grounds[place]
                    for end, beyond, allowed in ground.links.get(border, ()):
                        common = gauges & allowed
                        if not common:
                            continue
                        if end >= 0:
                            if beyond >= 0 and not track >> end & 1:
                                ways.append((beyond, end, track | 1 << end, common))
                            continue
                        stop = ~end
                        shown = ground.face.stops[stop % PER_HEX]
                        if shown.kind == "junction":
                            if shown.exclusive:
                                if track >> (junction + stop) & 1:
                                    continue
                                track_on = track | 1 << (junction + stop)
                            else:
                                track_on = track
                            for onward, beyond, allowed, _ in ground.exits[stop % PER_HEX]:
                                if beyond >= 0 and common & allowed and not track_on >> onward & 1:
                                    ways.append(
                                        (beyond, onward, track_on | 1 << onward, common & allowed)
                                    )
                            continue
                        if stop == start or stop in explored:
                            continue
                        reached = known.get(stop)
                        if reached is None:
                            reached = known[stop] = self._stop(stop, company)
                            if reached.value and not reached.end:
                                waiting.append(stop)
                        if reached.value:
                            other = ground.banks.get(border, 0)
                            found.append((start, stop, track, bank, other, common))
        numbers = sorted(number for number, stop in known.items() if stop.value)
        index = {number: n for n, number in enumerate(numbers)}
        segments = sorted(
            Segment(index[a], index[b], track, bank_a, bank_b, gauges)
            if a < b
            else Segment(index[b], index[a], track, bank_b, bank_a, gauges)
            for a, b, track, bank_a, bank_b, gauges in found
            if a in index
        )
        network = Network(tuple(known[number] for number in numbers), tuple(segments))
        return CompanyNetwork(network, tuple(numbers))

    def reach(self, company: str) -> Reach:
        """Where an unbroken way from a station of the company leads: it turns round nowhere, uses no
        track and no stop twice and passes no blocked or off-board stop
        [track-connection, station-connection]."""
        found = self._reach.get(company)
        if found is not None:
            return found
        own = self.stations(company)
        reach = self._reach[company] = Reach(own)
        # One way to every place is followed on. What only a way that crosses itself comes to is not
        # settled by that: from there a way back is looked for.
        if not self._follow(own, company, reach):
            return reach
        most = Reach(own)
        self._follow(own, company, most, relaxed=True)
        for (place, border), gauges in most.borders.items():
            missing = gauges & ~reach.borders.get((place, border), 0)
            while missing:
                gauge = missing & -missing
                missing ^= gauge
                if self.comes_from(company, place, border, gauges=gauge):
                    reach.add(place, border, gauge)
        for stop in most.stops - reach.stops:
            passed = frozenset({self.stop_key(stop)})
            exits = self.grounds[stop // PER_HEX].exits[stop % PER_HEX]
            if any(
                self._back(company, (behind, border, 1 << border, passed, gauges))
                for border, behind, gauges, _ in exits
                if behind >= 0
            ):
                reach.stops.add(stop)
        return reach

    def comes_from(
        self,
        company: str,
        place: int,
        border: int,
        track: int = 0,
        passed: frozenset[int] = frozenset(),
        gauges: int = ~0,
    ) -> bool:
        """Whether a way from a station of the company enters a hex over a border without using this
        track and passing these stops (as `stop_key` has them)."""
        behind = self.board.behind(place, border)
        if behind < 0 or track >> border & 1:
            return False
        return self._back(company, (behind, border, track | 1 << border, passed, gauges))

    def ways_from(
        self, company: str, start: int, place: int, border: int, gauges: int = ~0
    ) -> Iterator[int]:
        """The track, as bits, of every way from one station of the company that enters a hex over a
        border."""
        behind = self.board.behind(place, border)
        ways: list[_Way] = [(behind, border, 1 << border, frozenset(), gauges)]
        while ways:
            here = ways.pop()
            if behind < 0 or not self._arrives(company, {start}, here, relaxed=True):
                continue
            for stop, onward, _, _ in self.onward(here[0], here[1], here[4], company):
                if onward < 0 and stop == start and self.stop_key(stop) not in here[3]:
                    yield here[2]
            ways += self._steps(company, here)

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
            if not self._arrives(company, own, here, relaxed=True):
                continue
            for onward in self._steps(company, here):
                if onward not in seen:
                    seen.add(onward)
                    ways.append(onward)
        return False

    def _steps(self, company: str, way: _Way, known: _Way | None = None) -> Iterator[_Way]:
        """The ways by which a way goes on over one hex; with `known`, a beginning of it, only that
        must not be crossed."""
        place, border, track, passed, gauges = way
        _, _, used, stops, _ = known or way
        for stop, onward, beyond, common in self.onward(place, border, gauges, company):
            if onward < 0 or beyond < 0 or used >> onward & 1:
                continue
            if stop < 0:
                yield beyond, onward, track | 1 << onward, passed, common
            elif (key := self.stop_key(stop)) not in stops:
                yield beyond, onward, track | 1 << onward, passed | {key}, common

    def _arrives(self, company: str, own: set[int], way: _Way, *, relaxed: bool = False) -> bool:
        """Whether one way to every place, or `relaxed` even such as cross themselves, come to one
        of these stops."""
        ways = [way]
        seen = {(way[0], way[1], way[4])}
        stops = way[3]
        for here in ways:  # grows on the way
            for stop, onward, _, _ in self.onward(here[0], here[1], here[4], company):
                if onward < 0 and stop in own:
                    key = self.stop_key(stop)
                    if key not in (stops if relaxed else here[3]):
                        return True
            for onward_way in self._steps(company, here, way if relaxed else None):
                place = (onward_way[0], onward_way[1], onward_way[4])
                if place not in seen:
                    seen.add(place)
                    ways.append(onward_way)
        return False

    def changed(self, place: int, ground: Ground, became: Sequence[int] | None) -> TrackPosition:
        """The same with other track on one hex; `became` says which stop each of its stops is
        then."""
        after = copy(self)
        after.grounds = self.grounds.copy()
        after.grounds[place] = ground
        after._reach, after._full, after.memo = {}, {}, {}
        if became is not None:
            after.markers = {}
            for stop, companies in self.markers.items():
                if stop // PER_HEX == place:
                    stop = place * PER_HEX + became[stop % PER_HEX]
                after.markers.setdefault(stop, []).extend(companies)
        return after

    def value(self, stop: int) -> int:
        """What a stop is worth now."""
        _, value, _, values, _ = self.grounds[stop // PER_HEX].face.stops[stop % PER_HEX]
        return values[min(self.phase, len(values) - 1)] if values else value

    def stop_key(self, stop: int) -> int:
        """The same for stops of which a run enters only one."""
        group = self.track.group[stop // PER_HEX]
        return stop if group < 0 else -1 - group

    def onward(self, place: int, border: int, gauges: int, company: str) -> tuple[Onward, ...]:
        """What follows on a way of a company that enters a hex over a border."""
        full = self._full.get(company)
        if full is None:
            full = self._full[company] = self._full_cities(company)
        ground = self.grounds[place]
        return ground.ways(border, gauges, ground.ends | full.get(place, 0), self.mixed)

    def _full_cities(self, company: str) -> dict[int, int]:
        """The cities in which the markers of others leave a company no way through, as bits, by hex
        [run-blocked]."""
        found: dict[int, int] = {}
        for number, companies in self.markers.items():
            place, index = divmod(number, PER_HEX)
            if self._is_full(self.grounds[place].face.stops[index], companies, company):
                found[place] = found.get(place, 0) | 1 << index
        return found

    @staticmethod
    def _is_full(shown: Shown, companies: Sequence[str], company: str) -> bool:
        """Whether markers of others take all places of a city."""
        return shown.kind == "city" and len(companies) >= shown.slots and company not in companies

    def _follow(self, own: list[int], company: str, reach: Reach, *, relaxed: bool = False) -> bool:
        """Add to `reach` what one way to every place comes to; ways that are `relaxed` may cross
        themselves. Whether anything was left out because its way would have crossed itself."""
        ways: list[_Way] = []
        for start in own:
            first = frozenset({self.stop_key(start)})
            exits = self.grounds[start // PER_HEX].exits[start % PER_HEX]
            ways += [
                (behind, border, 1 << border, first, gauges)
                for border, behind, gauges, _ in exits
                if behind >= 0
            ]
        seen: set[tuple[int, int, int]] = set()
        cut: set[tuple[int, int, int]] = set()
        cut_stops: set[int] = set()
        for place, border, track, stops, gauges in ways:  # grows on the way
            if (place, border, gauges) in seen:
                continue
            seen.add((place, border, gauges))
            reach.add(place, border, gauges)
            reach.ways.setdefault((place, border), []).append((track, stops, gauges))
            for stop, onward, beyond, common in self.onward(place, border, gauges, company):
                passed, free = stops, True
                if stop >= 0:
                    key = self.stop_key(stop)
                    free = relaxed or key not in stops
                    if not free:
                        cut_stops.add(stop)
                    elif onward < 0:
                        reach.stops.add(stop)
                        if not relaxed and self.value(stop):
                            reach.run |= track
                    else:
                        passed = stops | {key}
                if beyond < 0:
                    continue
                if free and (relaxed or not track >> onward & 1):
                    ways.append((beyond, onward, track | 1 << onward, passed, common))
                else:
                    cut.add((beyond, onward, common))
        return not (cut <= seen and cut_stops <= reach.stops)


#: A way: the hex it enters and the border it does so by, the track it has used, the stops it has
#: passed (as `TrackPosition.stop_key` has them), the gauges.
_Way = tuple[int, int, int, frozenset[int], int]

#: For a hex and the border by which it is entered, ways that lead there: the track used, the stops
#: passed, the gauges.
Ways = dict[tuple[int, int], list[tuple[int, frozenset[int], int]]]


class Reach:
    """What a company's track leads to: hexes with the border by which they are entered and the gauges
    of the ways that do so, and stops of the map (own stations included); with a way to most borders,
    and borders, as bits, over which routes lead to a further station (there may be more)."""

    __slots__ = ("borders", "run", "stops", "ways")

    def __init__(self, own: Iterable[int]) -> None:
        self.borders: dict[tuple[int, int], int] = {}
        self.stops = set(own)
        self.ways: Ways = {}
        self.run = 0

    def add(self, place: int, border: int, gauges: int) -> None:
        """A way of these gauges enters a hex."""
        self.borders[place, border] = self.borders.get((place, border), 0) | gauges

    def hexes(self) -> set[int]:
        """The hexes that are entered."""
        return {place for place, _ in self.borders}
