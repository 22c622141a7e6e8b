"""The best runs of a company that has to run somewhere, such as over a tile it has just replaced.

A duty is met by one run; one run may meet several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kursbuch.games.g18xx.map.networks import PER_HEX, CompanyNetwork
from kursbuch.games.g18xx.map.route_search import Search
from kursbuch.games.g18xx.map.routes import Best, Train
from kursbuch.games.g18xx.map.track import TrackPosition

#: What one of the routes has to do: use a segment of each of these sets (as `Train.via` has them).
Demand = tuple[int, ...]


class Obligation(NamedTuple):
    """One of the runs has to come over a hex, or call at one of its stops (`stop`, -1: anywhere on
    it), and call at one of the stops `by`, given as hex and number; empty: at any."""

    hex: str
    stop: int = -1
    by: tuple[tuple[str, int], ...] = ()

    def met(
        self, position: TrackPosition, found: CompanyNetwork, calls: Sequence[int], track: int
    ) -> bool:
        """Whether a run meets it that calls at these stops of the network and crosses these
        borders, as bits."""
        board = position.board
        place = board.number(self.hex)
        stops = {found.stops[call] for call in calls}
        if self.by and not any(board.number(hex) * PER_HEX + n in stops for hex, n in self.by):
            return False
        if self.stop >= 0:
            return place * PER_HEX + self.stop in stops
        return bool(track & position.around[place])

    def demand(self, position: TrackPosition, found: CompanyNetwork) -> Demand:
        """The same for routes of the network."""
        board = position.board
        place = board.number(self.hex)
        segments = found.network.segments

        def ending(stops: set[int]) -> int:
            return sum(
                1 << number
                for number, segment in enumerate(segments)
                if found.stops[segment.a] in stops or found.stops[segment.b] in stops
            )

        if self.stop >= 0:
            there = ending({place * PER_HEX + self.stop})
        else:
            there = sum(
                1 << number
                for number, segment in enumerate(segments)
                if segment.track & position.around[place]
            )
        if not self.by:
            return (there,)
        return there, ending({board.number(hex) * PER_HEX + n for hex, n in self.by})


def dutiful(
    search: Search, trains: Sequence[Train], demands: Sequence[Demand], least: int = 0
) -> Best | None:
    """The routes of the best total that meet all demands, None if there are no such routes worth at
    least as much as `least`.

    >>> from kursbuch.games.g18xx.map.routes import Network, Segment, Stop
    >>> network = Network(
    ...     stops=(Stop(20, own=True), Stop(10, town=True), Stop(40)),
    ...     segments=(Segment(0, 1, 0b01), Segment(0, 2, 0b10)),
    ... )
    >>> dutiful(Search(network), [Train(2)], [(0b01,)])
    Best(total=30, routes=(Route(value=30, stops=(0, 1), segments=(0,)),))
    """
    if search.most(trains) < least:
        return None
    free = search.best(trains)
    if free is None or free.total < least:
        return None
    unmet = next((demand for demand in demands if not _met(demand, free)), None)
    if unmet is None:
        return free
    best: Best | None = None
    for number in {train: n for n, train in enumerate(trains)}.values():
        asked = list(trains)
        asked[number] = trains[number]._replace(via=(*trains[number].via, *unmet))
        found = dutiful(search, asked, demands, least)
        if found is not None:
            best, least = found, found.total + 1
    return best


def possible(search: Search, trains: Sequence[Train], demands: Sequence[Demand]) -> bool:
    """Whether there are any routes that meet all demands."""
    if len(demands) != 1:
        return dutiful(search, trains, demands) is not None
    return any(search.alone(train._replace(via=demands[0]))[0] > 0 for train in set(trains))


def _met(demand: Demand, best: Best) -> bool:
    ran = [sum(1 << number for number in route.segments) for route in best.routes if route]
    return any(all(segments & used for segments in demand) for used in ran)
