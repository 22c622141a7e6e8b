"""What companies can run on, as networks for the search of routes: track is walked from stop to stop.

Much is asked again and again: others build elsewhere, a tile is tried that leads nowhere, or it is asked
what the next train would earn. So what has been walked is kept for every stop as long as the hexes on the
way show the same, and the last networks with all that is known of their routes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from kursbuch.eighteen.map.board import Board
from kursbuch.eighteen.map.ground import PER_HEX, Ground, fills
from kursbuch.eighteen.map.routes import Network, Search, Segment, Stop

#: So many networks are kept, and so many searches, which are larger.
_KEPT = 128
_SEARCHES = 8

#: Track between two stops of the map, as a segment of a network has it: the stops, the lower one first, the
#: borders crossed as bits, the banks at both ends, the gauges.
_Track = tuple[int, int, int, int, int, int]

#: Track from a stop to the next: that stop, and the track.
Spur = tuple[int, _Track]

#: The stops of the map with value, as the company sees them, and the track between them.
_Content = tuple[tuple[int, ...], tuple[Stop, ...], tuple[_Track, ...]]


class CompanyNetwork:
    """What a company can run on, for the search of routes. `stops` are the stops of the map and
    the `track` of a segment has the borders of the map as bits."""

    __slots__ = ("network", "stops")

    def __init__(self, network: Network, stops: tuple[int, ...]) -> None:
        self.network = network
        self.stops = stops


class _Spurs(NamedTuple):
    """The track that leads from a stop, as long as `seen` finds these grounds."""

    seen: Callable[[Sequence[Ground]], object]
    grounds: object
    spurs: list[Spur]


class Networks:
    """The networks of a board under any tiles. `groups` says for every hex of which stops a route enters at
    most one (-1: any)."""

    def __init__(self, board: Board, groups: Sequence[int]) -> None:
        self._groups = groups
        self._junctions = board.border_count
        self._spurs: dict[int, _Spurs] = {}
        self._found: dict[_Content, CompanyNetwork] = {}
        #: The search of routes on a network, with all it has found out.
        self.search: Callable[[CompanyNetwork], Search] = lru_cache(_SEARCHES)(_search)

    def of(
        self,
        company: str,
        own: Sequence[int],
        grounds: Sequence[Ground],
        markers: Mapping[int, Sequence[str]],
        phase: int,
    ) -> CompanyNetwork:
        """The stops and track that the stations of a company are joined to, where hexes show these grounds
        and stops have these markers. Of equal networks one is the other, as long as it is kept."""
        known = {number: self._stop(number, company, grounds, markers, phase) for number in own}
        waiting = list(own)
        explored: set[int] = set()
        tracks: list[_Track] = []
        spurs = self._spurs
        while waiting:
            start = waiting.pop()
            explored.add(start)
            worth = known[start].value
            walked = spurs.get(start)
            if walked is None or walked.seen(grounds) != walked.grounds:
                walked = self._walk(grounds, start)
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
        content = (numbers, tuple([known[number] for number in numbers]), tuple(tracks))
        found = self._found.pop(content, None)
        if found is None:
            found = _compact(*content)
            if len(self._found) >= _KEPT:
                del self._found[next(iter(self._found))]
        self._found[content] = found  # as the latest
        return found

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
        """The track that leads from a stop to the next ones. As long as nothing changes on the hexes it
        crosses, it is not walked again."""
        places = [start // PER_HEX]
        spurs = list(self._walked(grounds, start, places))
        seen = itemgetter(*dict.fromkeys(places))
        walked = self._spurs[start] = _Spurs(seen, seen(grounds), spurs)
        return walked

    def _walked(self, grounds: Sequence[Ground], start: int, places: list[int]) -> Iterator[Spur]:
        """The same by walking, with the hexes that are come to noted in `places`."""
        junctions = self._junctions
        for border, behind, gauges, bank in grounds[start // PER_HEX].exits[start % PER_HEX]:
            ways = [(behind, border, 1 << border, gauges)] if behind >= 0 else []
            while ways:
                place, border, track, gauges = ways.pop()
                places.append(place)
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
    segments = tuple([Segment(index[a], index[b], *rest) for a, b, *rest in tracks])
    return CompanyNetwork(Network(stops, segments), numbers)


def _search(found: CompanyNetwork) -> Search:
    return Search(found.network)
