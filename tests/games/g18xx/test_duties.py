"""Runs that have to come somewhere, compared with trying all sets of routes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from kursbuch.games.g18xx.map.revenue import Demand, best_meeting, can_meet
from kursbuch.games.g18xx.map.route_search import Search, best_routes
from kursbuch.games.g18xx.map.routes import Best, Network, Route, Segment, Stop, Train
from tests.games.g18xx import randomnet


def routes_of(network: Network, train: Train) -> list[Route]:
    """Every route of a train, best first."""
    search = Search(network)
    return [search.route(found) for found in search.search(train, 10**6, 1)]


def calling(network: Network, stop: int) -> Demand:
    """That a route calls at a stop."""
    return (
        sum(1 << n for n, segment in enumerate(network.segments) if stop in (segment.a, segment.b)),
    )


def meets(demand: Demand, route: Route) -> bool:
    return all(any(used >> n & 1 for n in route.segments) for used in demand)


def together(network: Network, routes: Sequence[Route]) -> bool:
    """Whether no track is used twice."""
    used, segments = 0, set[int]()
    for route in routes:
        for number in route.segments:
            track = network.segments[number].track
            if track & used or number in segments:
                return False
            used |= track
            segments.add(number)
    return True


def all_sets(network: Network, trains: Sequence[Train], duties: Sequence[Demand]) -> int | None:
    """The most that any set of routes earns which meets the duties."""
    choices = [[None, *routes_of(network, train)] for train in trains]
    best = None
    for chosen in product(*choices):
        routes = [route for route in chosen if route is not None]
        if all(any(meets(duty, route) for route in routes) for duty in duties) and together(
            network, routes
        ):
            total = sum(route.value for route in routes)
            best = total if best is None else max(best, total)
    return best


@pytest.mark.parametrize("seed", range(60))
def test_duties_on_random_networks(seed: int) -> None:
    rng = random.Random(seed)
    network = randomnet.network(rng)
    trains = randomnet.trains(rng)[:2]
    if any(len(routes_of(network, train)) > 150 for train in trains):
        trains = trains[:1]
    asked = [rng.randrange(len(network.stops)) for _ in range(4)]
    one, two, *both = [calling(network, stop) for stop in asked]
    search = Search(network)
    for duties in ([one], [one, two], [both[0] + both[1]], [one, both[0] + both[1]]):
        found = best_meeting(search, trains, duties)
        most = all_sets(network, trains, duties)
        assert (found.total if found else None) == most
        assert can_meet(Search(network), trains, duties) == (most is not None)
        if found:
            ran = [route for route in found.routes if route is not None]
            assert together(network, ran)
            assert sum(route.value for route in ran) == found.total
            assert all(any(meets(duty, route) for route in ran) for duty in duties)
            assert best_meeting(search, trains, duties, found.total) == found
            assert best_meeting(search, trains, duties, found.total + 1) is None


@pytest.mark.parametrize("seed", range(20))
def test_routes_come_best_first_and_each_once(seed: int) -> None:
    rng = random.Random(seed)
    network, train = randomnet.network(rng), randomnet.trains(rng)[0]
    routes = list(routes_of(network, train))
    assert [route.value for route in routes] == sorted((r.value for r in routes), reverse=True)
    assert len(set(routes)) == len(routes)
    assert (routes[0].value if routes else 0) == best_routes(network, [train]).total


def test_one_run_may_meet_two_duties_or_two_runs_one_each() -> None:
    stops = (Stop(20, own=True), Stop(10), Stop(30), Stop(40))
    network = Network(
        stops, (Segment(0, 1, 0b001), Segment(0, 2, 0b010), Segment(1, 2, 0b100), Segment(0, 3, 8))
    )
    duties = [calling(network, 1), calling(network, 2)]
    search = Search(network)
    assert best_routes(network, [Train(3)]).total == 90
    both = best_meeting(search, [Train(3)], duties)
    assert both is not None
    assert both.total == 60
    apart = best_meeting(search, [Train(2), Train(2)], duties)
    assert apart is not None
    assert apart.total == 80
    assert best_meeting(search, [Train(2)], duties) is None
    assert search.best([Train(3), Train(2, via=(0,))]) is None


@pytest.mark.parametrize("bound", [0, 10, 1500])
def test_bounds_change_no_duty(bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = []
    for seed in range(200):
        rng = random.Random(seed)
        network, trains = randomnet.network(rng), randomnet.trains(rng)
        stops = range(len(network.stops))
        duties = [calling(network, rng.choice(stops)) + calling(network, rng.choice(stops))]
        cases.append((network, trains, duties))

    def all_found() -> list[Best | None]:
        return [best_meeting(Search(network), trains, duties) for network, trains, duties in cases]

    plain = all_found()
    monkeypatch.setattr("kursbuch.games.g18xx.map.route_search._SMALL", -1)
    monkeypatch.setattr("kursbuch.games.g18xx.map.route_search._WITHOUT_BOUNDS", bound)
    assert all_found() == plain
