"""What companies can run on, as networks for the search of routes: track is walked from stop to stop.

Much is asked again and again: others build elsewhere, a tile is tried that leads nowhere, or it is asked
what the next train would earn. So what has been walked is kept for every stop as long as the hexes on the
way show the same, and the last networks with all that is known of their routes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from kursbuch.games.g18xx.map.board import Board
from kursbuch.games.g18xx.map.ground import PER_HEX, Ground, fills, showing
from kursbuch.games.g18xx.map.routes import Network, Search, Segment, Stop

#: So many networks are kept, and so many searches, which are larger.
_KEPT = 128
_SEARCHES = 8

#: Track between two stops of the map, as a segment of a network has it: the stops, the lower one first, the
#: borders crossed as bits, the banks at both ends, the gauges.
_Track = tuple[int, int, int, int, int, int]

#: Track from a stop to the next: that stop, and the track.
Spur = tuple[int, _Track]


class CompanyNetwork:
    """What a company can run on, for the search of routes. `stops` are the stops of the map and
    the `track` of a segment has the borders of the map as bits."""

    __slots__ = ("memo", "network", "stops")

    def __init__(self, network: Network, stops: tuple[int, ...]) -> None:
        self.network = network
        self.stops = stops
        #: What others have found out about this network.
        self.memo: dict[Hashable, Any] = {}


class _Spurs(NamedTuple):
    """The track that leads from a stop over some hexes, as long as these show these `grounds`."""

    places: Collection[int]
    showing: Callable[[Sequence[Ground]], Hashable]
    grounds: Hashable
    spurs: list[Spur]


class Explored:
    """How a network was found: from which stops track was walked, and which stops it came to."""

    def __init__(
        self, found: CompanyNetwork, walked: Mapping[int, _Spurs], stops: Iterable[int]
    ) -> None:
        self.found = found
        self.walked = walked
        self.stops = stops

    @property
    def places(self) -> set[int]:
        """The hexes that were come to."""
        return set().union(*[spurs.places for spurs in self.walked.values()])

    @cached_property
    def near(self) -> dict[int, list[int]]:
        """For the hexes that were come to the stops from which track leads there; -1 for those of the stops."""
        found: dict[int, list[int]] = {}
        for start, spurs in self.walked.items():
            for place in spurs.places:
                found.setdefault(place, []).append(start)
        for stop in self.stops:
            found[stop // PER_HEX] = [-1]
        return found


class Networks:
    """The networks of a board under any tiles. `groups` says for every hex of which stops a route enters at
    most one (-1: any)."""

    def __init__(self, board: Board, groups: Sequence[int]) -> None:
        self._groups = groups
        self._junctions = board.border_count
        self._spurs: dict[int, _Spurs] = {}
        self._compact = lru_cache(_KEPT)(_compact)
        self._searches = _Searches()

    def search(self, found: CompanyNetwork) -> Search:
        """The search of routes on a network, with all it has found out."""
        return self._searches.of(found)

    def of(
        self,
        company: str,
        own: Sequence[int],
        grounds: Sequence[Ground],
        markers: Mapping[int, Sequence[str]],
        phase: int,
    ) -> Explored:
        """The stops and track that the stations of a company are joined to, where hexes show these grounds
        and stops have these markers. Of equal networks one is the other, as long as it is kept."""
        known = {number: self._stop(number, company, grounds, markers, phase) for number in own}
        waiting = list(own)
        explored: dict[int, _Spurs] = {}
        tracks: list[_Track] = []
        spurs = self._spurs
        while waiting:
            start = waiting.pop()
            worth = known[start].value
            walked = spurs.get(start)
            if walked is None or walked.showing(grounds) != walked.grounds:
                walked = spurs[start] = self._walk(grounds, start)
            explored[start] = walked
            for number, track in walked.spurs:
                if number in explored:
                    continue
                stop = known.get(number)
                if stop is None:
                    stop = self._stop(number, company, grounds, markers, phase)
                    known[number] = stop
                    if stop.value and not stop.end:
                        waiting.append(number)
                if worth and stop.value:
                    tracks.append(track)
        numbers = tuple(sorted([number for number, stop in known.items() if stop.value]))
        tracks.sort()
        stops = tuple([known[number] for number in numbers])
        return Explored(self._compact(numbers, stops, tuple(tracks)), explored, known)

    def same(self, explored: Explored, place: int, grounds: Sequence[Ground]) -> bool:
        """Whether it is certain that a network is the same where a hex shows something else than when it was
        found, and all others the same: no stop of the network lies there, and track leads to the same stops."""
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
        full = not own and fills(ground.face.stops[index], companies, company)
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
        """The track that leads from a stop to the next ones."""
        places = {start // PER_HEX}
        spurs = list(self._walked(grounds, start, places))
        shown = showing(places)
        return _Spurs(places, shown, shown(grounds), spurs)

    def _walked(self, grounds: Sequence[Ground], start: int, places: set[int]) -> Iterator[Spur]:
        """The same by walking, with the hexes that are come to noted in `places`."""
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
    """The last searches of a thread: what a search has half found out is for no other."""

    def __init__(self) -> None:
        self.of: Callable[[CompanyNetwork], Search] = lru_cache(_SEARCHES)(_search)


def _search(found: CompanyNetwork) -> Search:
    return Search(found.network)
