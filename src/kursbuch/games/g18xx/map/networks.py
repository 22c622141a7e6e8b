"""Networks: where track leads, hex by hex, and what companies can run on. The route search uses
them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from kursbuch.games.g18xx.map.board import STOP, Board, Face
from kursbuch.games.g18xx.map.board import Stop as Shown
from kursbuch.games.g18xx.map.route_search import Search
from kursbuch.games.g18xx.map.routes import Network, Segment, Stop

#: A stop of the map is its hex times this plus its number on the hex.
PER_HEX = 16


class Ground:
    """Where the track of a face leads on a certain hex.

    `links` maps each border with track to the ways over the hex: the next border and the hex behind
    it, or a stop of the map as `~stop` and -1; and the gauges. `exits` are the same for each stop,
    with the bank of its ferry; `leaves` those to another hex, as hex, border and gauges.
    """

    __slots__ = ("_ways", "banks", "ends", "exits", "face", "leaves", "links", "place", "stops")

    def __init__(self, board: Board, place: int, face: Face) -> None:
        self.place = place
        self.face = face
        #: Stops at which every route ends, as bits.
        self.ends = sum(
            1 << number for number, stop in enumerate(face.stops) if stop.kind == "offboard"
        )
        self._ways: dict[tuple[int, bool], Onwards] = {}
        #: Stops as routes see them, by number, phase, whether the company has a station, and
        #: whether others' tokens fill it.
        self.stops: dict[tuple[int, int, bool, bool], Stop] = {}
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
        self.leaves = [
            [(behind, border, gauges) for border, behind, gauges, _ in exits if behind >= 0]
            for exits in self.exits
        ]
        self.links = {border: tuple(ways) for border, ways in links.items()}
        #: Bank of each border, if there is a ferry.
        self.banks = dict(zip(borders, face.ferry.sides, strict=True)) if face.ferry else {}

    def value(self, stop: int, phase: int) -> int:
        """Value of a stop; `phase` counts from 0."""
        _, value, _, values, _ = self.face.stops[stop]
        return values[min(phase, len(values) - 1)] if values else value

    def ways(self, ends: int, mixed: bool) -> Onwards:
        """Steps over this hex for ways that cannot continue behind the stops `ends`, given as bits;
        if `mixed`, the gauge may change on dual track. Cached for many positions."""
        found = self._ways.get((ends, mixed))
        if found is None:
            found = self._ways[ends, mixed] = Onwards(self, ends, mixed)
        return found

    def onward(self, border: int, gauges: int, ends: int, mixed: bool) -> Iterator[Onward]:
        """Steps of a way that enters by one border with these gauges."""
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


#: A step over a hex: the stop passed or -1, the next border or -1, the hex behind it, gauges.
Onward = tuple[int, int, int, int]


class Onwards(dict[tuple[int, int], tuple[Onward, ...]]):
    """Steps over one hex by border and gauges, computed on demand."""

    def __init__(self, ground: Ground, ends: int, mixed: bool) -> None:
        self._ground, self._ends, self._mixed = ground, ends, mixed

    def __missing__(self, key: tuple[int, int]) -> tuple[Onward, ...]:
        found = self[key] = tuple(self._ground.onward(*key, self._ends, self._mixed))
        return found


def is_blocked(shown: Shown, companies: Sequence[str], company: str) -> bool:
    """Whether other companies' tokens fill a city [run-blocked]."""
    return shown.kind == "city" and len(companies) >= shown.slots and company not in companies


def showing(places: Collection[int]) -> Callable[[Sequence[Ground]], Hashable]:
    """A fast getter of what some hexes show, for comparisons."""
    return itemgetter(*places) if places else lambda grounds: ()


#: Sizes of the caches of networks, and of searches, which are larger.
_KEPT = 128
_SEARCHES = 32

#: Track between two stops of the map, like a segment: the stops, lower one first, the borders
#: crossed as bits, the banks at both ends, the gauges.
_Track = tuple[int, int, int, int, int, int]

#: The next stop from a stop, and the track to it.
Spur = tuple[int, _Track]


class CompanyNetwork:
    """Network a company can run on, for the route search. `stops` are the stops of the map; the
    `track` of a segment has the borders of the map as bits."""

    __slots__ = ("memo", "network", "stops")

    def __init__(self, network: Network, stops: tuple[int, ...]) -> None:
        self.network = network
        self.stops = stops
        #: Cache for other modules.
        self.memo: dict[Hashable, Any] = {}


class _Spurs(NamedTuple):
    """Track from a stop over some hexes, also as bits, valid while they show these `grounds`."""

    places: Collection[int]
    bits: int
    showing: Callable[[Sequence[Ground]], Hashable]
    grounds: Hashable
    spurs: list[Spur]


class Explored:
    """A network with the walks that found it: the stops walked from, and the stops reached. `places`
    are the hexes entered by the walks and those of the stops, as bits."""

    def __init__(
        self,
        found: CompanyNetwork,
        walked: Mapping[int, _Spurs],
        stops: Iterable[int],
        places: int,
    ) -> None:
        self.found = found
        self.walked = walked
        self.stops = stops
        self.places = places

    @cached_property
    def near(self) -> dict[int, list[int]]:
        """For each hex entered, the stops walked from; -1 for hexes of stops."""
        found: dict[int, list[int]] = {}
        for start, spurs in self.walked.items():
            for place in spurs.places:
                found.setdefault(place, []).append(start)
        for stop in self.stops:
            found[stop // PER_HEX] = [-1]
        return found


class Networks:
    """Networks of a board with any tiles. `groups` tells for each hex which of its stops exclude
    each other (-1: none)."""

    def __init__(self, board: Board, groups: Sequence[int]) -> None:
        self._groups = groups
        self._junctions = board.border_count
        self._spurs: dict[int, _Spurs] = {}
        self._compact = lru_cache(_KEPT)(_compact)
        self._searches = _Searches()

    def search(self, found: CompanyNetwork) -> Search:
        """The route search on a network, with its caches."""
        return self._searches.of(found)

    def of(
        self,
        company: str,
        own: Sequence[int],
        grounds: Sequence[Ground],
        markers: Mapping[int, Sequence[str]],
        phase: int,
    ) -> Explored:
        """Stops and track connected to a company's stations, where hexes show these grounds and
        stops have these tokens. Equal networks share one object while cached."""
        known = {number: self._stop(number, company, grounds, markers, phase) for number in own}
        waiting = list(own)
        explored: dict[int, _Spurs] = {}
        tracks: list[_Track] = []
        places = 0
        spurs = self._spurs
        while waiting:
            start = waiting.pop()
            worth = known[start].value
            walked = spurs.get(start)
            if walked is None or walked.showing(grounds) != walked.grounds:
                walked = spurs[start] = self._walk(grounds, start)
            explored[start] = walked
            places |= walked.bits
            for number, track in walked.spurs:
                if number in explored:
                    continue
                stop = known.get(number)
                if stop is None:
                    stop = self._stop(number, company, grounds, markers, phase)
                    known[number] = stop
                    places |= 1 << number // PER_HEX
                    if stop.value and not stop.end:
                        waiting.append(number)
                if worth and stop.value:
                    tracks.append(track)
        numbers = tuple(sorted([number for number, stop in known.items() if stop.value]))
        tracks.sort()
        stops = tuple([known[number] for number in numbers])
        return Explored(self._compact(numbers, stops, tuple(tracks)), explored, known, places)

    def same(self, explored: Explored, place: int, grounds: Sequence[Ground]) -> bool:
        """Whether a network certainly stays the same if one hex changes: none of its stops lies
        there, and track leads to the same stops."""
        for start in explored.near.get(place, ()):
            if start < 0 or self._walk(grounds, start).spurs != explored.walked[start].spurs:
                return False
        return True

    def _stop(
        self,
        number: int,
        company: str,
        grounds: Sequence[Ground],
        markers: Mapping[int, Sequence[str]],
        phase: int,
    ) -> Stop:
        """A stop as the routes of a company see it [run-blocked, run-through, stop-values]."""
        place, index = divmod(number, PER_HEX)
        ground = grounds[place]
        companies = markers.get(number, ())
        own = company in companies
        full = not own and is_blocked(ground.face.stops[index], companies, company)
        key = (index, phase, own, full)
        found = ground.stops.get(key)
        if found is None:
            kind, ferry = ground.face.stops[index].kind, ground.face.ferry
            found = ground.stops[key] = Stop(
                ground.value(index, phase),
                kind == "town",
                own,
                kind == "offboard" or full,
                self._groups[place],
                ferry.toll if ferry else 0,
            )
        return found

    def _walk(self, grounds: Sequence[Ground], start: int) -> _Spurs:
        """Track from a stop to the next ones."""
        places = {start // PER_HEX}
        spurs = list(self._walked(grounds, start, places))
        shown, bits = showing(places), sum(1 << place for place in places)
        return _Spurs(places, bits, shown, shown(grounds), spurs)

    def _walked(self, grounds: Sequence[Ground], start: int, places: set[int]) -> Iterator[Spur]:
        """Walk from a stop to the next ones, adding the hexes entered to `places`."""
        junctions = self._junctions
        for border, behind, gauges, bank in grounds[start // PER_HEX].exits[start % PER_HEX]:
            ways = [(behind, border, 1 << border, gauges)] if behind >= 0 else []
            while ways:
                place, border, track, gauges = ways.pop()
                places.add(place)
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
                    if shown.kind != "junction":
                        other = ground.banks.get(border, 0)
                        if start < stop:
                            yield stop, (start, stop, track, bank, other, common)
                        elif stop < start:
                            yield stop, (stop, start, track, other, bank, common)
                        continue
                    track_on = track
                    if shown.exclusive:
                        if track >> (junctions + stop) & 1:
                            continue
                        track_on |= 1 << (junctions + stop)
                    for onward, beyond, allowed, _ in ground.exits[stop % PER_HEX]:
                        if beyond >= 0 and common & allowed and not track_on >> onward & 1:
                            ways.append((beyond, onward, track_on | 1 << onward, common & allowed))


def _compact(
    numbers: tuple[int, ...], stops: tuple[Stop, ...], tracks: tuple[_Track, ...]
) -> CompanyNetwork:
    """The network with its stops numbered from 0."""
    index = {number: n for n, number in enumerate(numbers)}
    segments = tuple(
        [
            Segment(index[a], index[b], track, bank_a, bank_b, gauges)
            for a, b, track, bank_a, bank_b, gauges in tracks
        ]
    )
    return CompanyNetwork(Network(stops, segments), numbers)


class _Searches(threading.local):
    """Recent searches per thread: a half-finished search must not be shared."""

    def __init__(self) -> None:
        self.of = lru_cache(_SEARCHES)(lambda found: Search(found.network))
