"""Runs that have to come somewhere, compared with trying all sets of routes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from kursbuch.eighteen.map.duties import Meets, dutiful
from kursbuch.eighteen.map.routes import (
    Network,
    Route,
    Segment,
    Stop,
    Train,
    best_routes,
    routes_of,
)
from tests.eighteen import randomnet


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


def all_sets(network: Network, trains: Sequence[Train], duties: Sequence[Meets]) -> int | None:
    """The most that any set of routes earns which meets the duties."""
    choices = [[None, *routes_of(network, train)] for train in trains]
    best = None
    for chosen in product(*choices):
        routes = [route for route in chosen if route is not None]
        if all(any(map(meets, routes)) for meets in duties) and together(network, routes):
            total = sum(route.value for route in routes)
            best = total if best is None else max(best, total)
    return best


@pytest.mark.parametrize("seed", range(60))
def test_duties_on_random_networks(seed: int) -> None:
    rng = random.Random(seed)
    network = randomnet.network(rng)
    trains = randomnet.trains(rng)[:2]
    if any(len(list(routes_of(network, train))) > 150 for train in trains):
        trains = trains[:1]
    asked = rng.sample(range(len(network.stops)), min(2, len(network.stops)))
    duties: list[Meets] = [lambda route, stop=stop: stop in route.stops for stop in asked]  # type: ignore[misc]
    for count in (1, 2):
        found = dutiful(network, trains, duties[:count])
        most = all_sets(network, trains, duties[:count])
        assert (found.total if found else None) == most
        if found:
            ran = [route for route in found.routes if route is not None]
            assert together(network, ran)
            assert sum(route.value for route in ran) == found.total
            assert all(any(map(meets, ran)) for meets in duties[:count])


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
    duties = [lambda route: 1 in route.stops, lambda route: 2 in route.stops]
    assert best_routes(network, [Train(3)]).total == 90
    both = dutiful(network, [Train(3)], duties)
    assert both is not None
    assert both.total == 60
    apart = dutiful(network, [Train(2), Train(2)], duties)
    assert apart is not None
    assert apart.total == 80
    assert dutiful(network, [Train(2)], duties) is None
