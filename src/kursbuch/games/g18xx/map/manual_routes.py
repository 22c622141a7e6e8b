"""Runs chosen by hand: the stops are given, the track between them is found here.

Every rule of routes is checked, but not whether they earn the most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kursbuch.core.errors import IllegalAction
from kursbuch.games.g18xx.components import Components
from kursbuch.games.g18xx.map.networks import PER_HEX, CompanyNetwork
from kursbuch.games.g18xx.map.obligations import Obligation
from kursbuch.games.g18xx.map.revenue import Revenue, Run, calls_of, mail_of, track_of
from kursbuch.games.g18xx.map.routes import Network, Segment, Train
from kursbuch.games.g18xx.map.track import TrackPosition

#: Whether a run, as its stops and the track between them, does what has to be done.
Meets = Callable[[tuple[Sequence[int], Sequence[Segment]]], bool]


def picked_runs(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    runs: Sequence[Sequence[str]],
    *,
    mail: bool = False,
    duties: Sequence[Obligation] = (),
) -> Revenue:
    """The revenue of runs chosen by hand, one for each train in their order (an empty one for a train
    that stays), with the most mail one of them can carry; `IllegalAction` says which rule a run breaks.
    A stop is written as "C11/0"."""
    found = position.network(company)

    def meets(duty: Obligation, run: tuple[Sequence[int], Sequence[Segment]]) -> bool:
        return duty.met(position, found, run[0], track_of(run[1]))

    ran = []
    ways = _picked_ways(components, found, trains, runs, [partial(meets, duty) for duty in duties])
    for train, stops, segments in ways:
        calls = calls_of(components, found, stops)
        value = sum(call.value for call in calls) - _toll(found.network, stops, segments)
        ran.append(Run(train, value, calls, track_of(segments)))
    most = 0
    if mail and ran:
        ends = [mail_of(found.network, stops) for _, stops, _ in ways]
        most = max(ends)
        carrier = ends.index(most)
        ran[carrier] = ran[carrier]._replace(mail=most)
    return Revenue(sum(run.value for run in ran), tuple(ran), most)


def _picked_ways(
    components: Components,
    found: CompanyNetwork,
    trains: Sequence[str],
    runs: Sequence[Sequence[str]],
    duties: Sequence[Meets] = (),
) -> list[tuple[str, list[int], list[Segment]]]:
    """For every train that runs the stops of the network it calls at and the track between them, which
    is chosen so that all duties are met."""
    if len(runs) > len(trains):
        raise IllegalAction(
            "run-trains",
            "The company does not have so many trains: only {count}.",
            count=len(trains),
        )
    wanted: list[tuple[str, list[int]]] = []
    for train, run in zip(trains, runs, strict=False):
        if run:
            calls = [_stop(components, found, text) for text in run]
            _check(components.train(train), found.network, calls)
            wanted.append((train, calls))
    legs = [(calls, components.train(train).gauges) for train, calls in wanted]
    ways = _Best(found.network, legs, duties).ways
    if ways is None:
        if duties and _Best(found.network, legs).ways is not None:
            raise IllegalAction(
                "run-duty", "With these runs no train comes where one of them has to run."
            )
        raise IllegalAction(
            "runs-apart",
            "The trains would need the same track, or there is none between two stops.",
        )
    return [(*run, segments) for run, segments in zip(wanted, ways, strict=True)]


def _stop(components: Components, found: CompanyNetwork, text: str) -> int:
    """The stop of the network that is meant."""
    hex, _, stop = text.partition("/")
    place = components.board.index.get(hex, -1)
    known = place >= 0 and len(stop) < 3 and stop.isdecimal() and int(stop) < PER_HEX
    number = place * PER_HEX + int(stop) if known else -1
    if number not in found.stops:
        raise IllegalAction(
            "run-own-station", "No track leads from a station of the company to {stop}.", stop=text
        )
    return found.stops.index(number)


def _check(train: Train, network: Network, calls: list[int]) -> None:
    """Raise `IllegalAction` for what has nothing to do with the track between the stops."""
    stops = [network.stops[call] for call in calls]
    if len(set(calls)) < 2:
        raise IllegalAction("run-two-stops", "A run needs two different stations.")
    groups = [stop.group for stop in stops if stop.group >= 0]
    if len(set(calls)) < len(calls) or len(set(groups)) < len(groups):
        raise IllegalAction("run-stop-once", "A run cannot call twice at the same station.")
    if not any(stop.own for stop in stops):
        raise IllegalAction("run-own-station", "A run needs a station token of the company.")
    if any(stop.end for stop in stops[1:-1]):
        raise IllegalAction(
            "run-blocked", "A run cannot go on beyond a station without a free place."
        )
    towns = sum(stop.town for stop in stops)
    if len(stops) - min(towns, train.towns) > train.stops:
        raise IllegalAction("run-range", "The run calls at more stations than the train can reach.")


def _toll(network: Network, calls: list[int], segments: Sequence[Segment]) -> int:
    """What crossing from bank to bank takes from the value of a run."""
    lost = 0
    for call, before, after in zip(calls[1:], segments, segments[1:], strict=False):
        if _bank(before, call) != _bank(after, call):
            lost += network.stops[call].toll
    return lost


def _bank(segment: Segment, stop: int) -> int:
    return segment.bank_a if segment.a == stop else segment.bank_b


class _Best:
    """The search for track of the right gauge between all stops, none of it used twice, with the least
    toll."""

    def __init__(
        self, network: Network, wanted: list[tuple[list[int], int]], duties: Sequence[Meets] = ()
    ) -> None:
        self.network = network
        self.wanted = wanted
        self.duties = duties
        self.ways: list[list[Segment]] | None = None
        self.toll = 0
        self.lay(0, 0, 0, [])

    def lay(self, run: int, leg: int, used: int, chosen: list[list[Segment]]) -> None:
        """Choose track from leg number `leg` of a run on; `used` are the borders in use."""
        if run == len(self.wanted):
            ran = [(calls, way) for (calls, _), way in zip(self.wanted, chosen, strict=True)]
            if not all(any(map(meets, ran)) for meets in self.duties):
                return
            lost = sum(_toll(self.network, calls, way) for calls, way in ran)
            if self.ways is None or lost < self.toll:
                self.ways, self.toll = [list(segments) for segments in chosen], lost
            return
        if leg == 0:
            chosen = [*chosen, []]
        calls, gauges = self.wanted[run]
        ends = {calls[leg], calls[leg + 1]}
        last = leg + 2 == len(calls)
        for segment in self.network.segments:
            if (
                {segment.a, segment.b} == ends
                and segment.gauges & gauges
                and not segment.track & used
            ):
                chosen[-1].append(segment)
                self.lay(run + last, 0 if last else leg + 1, used | segment.track, chosen)
                chosen[-1].pop()
                if self.ways is not None and not self.toll:
                    return
