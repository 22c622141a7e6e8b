"""The best runs of a company that has to run somewhere, such as over a tile it has just replaced.

A duty is met by one run; one run may meet several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kursbuch.eighteen.map.routes import Best, Network, Route, Train, best_routes, routes_of
from kursbuch.eighteen.map.track import PER_HEX, CompanyNetwork, TrackPosition


class Duty(NamedTuple):
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
        place = board.place(self.hex)
        stops = {found.stops[call] for call in calls}
        if self.by and not any(board.place(hex) * PER_HEX + n in stops for hex, n in self.by):
            return False
        if self.stop >= 0:
            return place * PER_HEX + self.stop in stops
        return bool(track & position.around[place])


#: Whether a route does what has to be done.
Meets = Callable[[Route], bool]


def dutiful(network: Network, trains: Sequence[Train], duties: Sequence[Meets]) -> Best | None:
    """The routes of the best total that meet all duties, None if no routes do.

    >>> from kursbuch.eighteen.map.routes import Segment, Stop
    >>> network = Network(
    ...     stops=(Stop(20, own=True), Stop(10, town=True), Stop(40)),
    ...     segments=(Segment(0, 1, 0b01), Segment(0, 2, 0b10)),
    ... )
    >>> dutiful(network, [Train(2)], [lambda route: 1 in route.stops])
    Best(total=30, routes=(Route(value=30, stops=(0, 1), segments=(0,)),))
    """
    free = best_routes(network, trains)
    ran = [route for route in free.routes if route is not None]
    unmet = next((meets for meets in duties if not any(map(meets, ran))), None)
    if unmet is None:
        return free
    best: Best | None = None
    for number in {train: n for n, train in enumerate(trains)}.values():
        others = [*trains[:number], *trains[number + 1 :]]
        most = best_routes(network, others).total
        for route in routes_of(network, trains[number]):
            if best is not None and route.value + most <= best.total:
                break
            if not unmet(route):
                continue
            left = [meets for meets in duties if not meets(route)]
            rest = dutiful(_without(network, route), others, left)
            if rest is not None and (best is None or route.value + rest.total > best.total):
                routes = (*rest.routes[:number], route, *rest.routes[number:])
                best = Best(route.value + rest.total, routes)
    return best


def _without(network: Network, route: Route) -> Network:
    """What is left for other trains: segments keep their numbers, but no train can use those of
    which the route uses track."""
    segments = list(network.segments)
    track = 0
    for number in route.segments:
        track |= segments[number].track
    for number, segment in enumerate(segments):
        if segment.track & track or number in route.segments:
            segments[number] = segment._replace(gauges=0)
    return Network(network.stops, tuple(segments))
