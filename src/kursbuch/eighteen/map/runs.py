"""The best runs of a company [run-trains].

What is peculiar to a map stands in its component data: off-board values by phase, places a route may call
at once only, ferries.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from kursbuch.eighteen.map.duties import Duty, dutiful
from kursbuch.eighteen.map.picked import mail_of, picked_ways, toll
from kursbuch.eighteen.map.routes import Route, best_routes
from kursbuch.eighteen.map.takings import Takings
from kursbuch.eighteen.map.track import PER_HEX, CompanyNetwork, TrackPosition
from kursbuch.eighteen.pieces import Components


class Call(NamedTuple):
    """A stop on a run: hex, number of the stop on it, and what it counts for."""

    hex: str
    stop: int
    value: int


class Run(NamedTuple):
    """What one train does; `track` are the sides between hexes it crosses, as pairs of hexes, twice the
    same hex for track between two stops of it."""

    train: str
    value: int
    calls: tuple[Call, ...]
    track: tuple[tuple[str, str], ...]
    ferry: int = 0

    def __str__(self) -> str:
        """
        >>> print(Run("2", 70, (Call("C11", 0, 60), Call("B12", 0, 10)), ()))
        2: C11 (60), B12 (10) = 70
        """
        calls = ", ".join(f"{call.hex} ({call.value})" for call in self.calls)
        toll = f" - {self.ferry}" if self.ferry else ""
        return f"{self.train}: {calls}{toll} = {self.value}"


def best_runs(
    components: Components, position: TrackPosition, company: str, trains: Sequence[str]
) -> tuple[int, list[Run]]:
    """The highest revenue of the company [revenue] and runs that make it, in the order of the
    trains; trains that cannot run are left out."""
    found = position.network(company)
    best = best_routes(found.network, [components.train(train) for train in trains])
    segments = found.network.segments
    runs = [
        _run(
            components,
            found,
            train,
            route.value,
            route.stops,
            [segments[number].track for number in route.segments],
        )
        for train, route in zip(trains, best.routes, strict=True)
        if route is not None
    ]
    return best.total, runs


def given_runs(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    stops: Sequence[Sequence[str]],
) -> list[Run]:
    """Runs of which the stops are known, as "C11/0" for every train; `IllegalAction` if there are no
    such runs."""
    found = position.network(company)
    return [
        _run(
            components,
            found,
            train,
            sum(found.network.stops[call].value for call in calls)
            - toll(found.network, calls, segments),
            calls,
            [segment.track for segment in segments],
        )
        for train, calls, segments in picked_ways(components, found, trains, stops)
    ]


def best_calls(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    *,
    mail: bool = False,
    duties: Sequence[Duty] = (),
) -> Takings:
    """The same as plain data, and without the track: the most that runs which meet all duties earn
    together with the mail, if there is any; nothing if there are no such runs. What has been found in
    a position is kept with it."""
    key = f"{company}: {' '.join(trains)} {mail} {tuple(duties)}"
    known: Any = position.memo.get(key)
    if known is None:
        known = position.memo[key] = _takings(components, position, company, trains, mail, duties)
    result: Takings = known
    return result


def _takings(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    mail: bool,
    duties: Sequence[Duty],
) -> Takings:
    found = position.network(company)
    segments = found.network.segments

    def meets(duty: Duty, route: Route) -> bool:
        track = 0
        for number in route.segments:
            track |= segments[number].track
        return duty.met(position, found, route.stops, track)

    kinds = [components.train(train) for train in trains]
    # One train of each kind in turn carries the mail.
    carriers = sorted({kind: n for n, kind in enumerate(kinds)}.values()) if mail else [-1]
    takings = []
    for carrier in carriers:
        ranges = [kind._replace(ends=n == carrier) for n, kind in enumerate(kinds)]
        best = dutiful(found.network, ranges, [partial(meets, duty) for duty in duties])
        if best is None:
            continue
        carried = best.routes[carrier] if mail else None
        ends = mail_of(found.network, carried.stops) if carried is not None else 0
        runs = tuple(
            (
                train,
                route.value - (ends if n == carrier else 0),
                _calls(components, found, route.stops),
            )
            for n, (train, route) in enumerate(zip(trains, best.routes, strict=True))
            if route is not None
        )
        takings.append(Takings(best.total - ends, runs, ends))
    return max(takings, key=Takings.total, default=Takings(0, ()))


def _calls(components: Components, found: CompanyNetwork, stops: Sequence[int]) -> tuple[Call, ...]:
    names, known = components.board.names, found.network.stops
    return tuple(
        Call(names[found.stops[n] // PER_HEX], found.stops[n] % PER_HEX, known[n].value)
        for n in stops
    )


def _run(
    components: Components,
    found: CompanyNetwork,
    train: str,
    value: int,
    stops: Sequence[int],
    track: Sequence[int],
) -> Run:
    board = components.board
    calls = _calls(components, found, stops)
    sides = [
        (board.names[place], board.names[board.neighbours[place][edge]])
        for place, row in enumerate(board.borders)
        for edge, border in enumerate(row)
        if edge < 3 and any(bits >> border & 1 for bits in track)
    ]
    sides += [
        (board.names[place], board.names[place])
        for place, inner in enumerate(board.inner)
        if any(bits >> border & 1 for border in inner for bits in track)
    ]
    ferry = sum(call.value for call in calls) - value
    return Run(train, value, calls, tuple(sides), ferry)
