"""The search of routes against another formulation of the same problem."""

from __future__ import annotations

import random

import pytest

from kursbuch.games.g18xx.map.route_search import Search, best_routes
from kursbuch.games.g18xx.map.routes import Best, Network, Route, Segment, Stop, Train
from tests.games.g18xx import cpsat, randomnet


def check(network: Network, trains: list[Train], best: Best) -> None:
    """The routes are what they claim to be."""
    used: set[int] = set()
    track = 0
    for train, route in zip(trains, best.routes, strict=True):
        if route is None:
            continue
        stops = [network.stops[n] for n in route.stops]
        assert len(stops) >= 2
        assert len(set(route.stops)) == len(stops)
        assert any(stop.own for stop in stops)
        assert not any(stop.end for stop in stops[1:-1])
        assert sum(not stop.town for stop in stops) <= train.stops
        assert len(stops) <= train.stops + train.towns
        groups = [stop.group for stop in stops if stop.group >= 0]
        assert len(set(groups)) == len(groups)
        value = sum(stop.value for stop in stops)
        if train.ends:
            value += stops[0].value + stops[-1].value
        for index, n in enumerate(route.segments):
            segment = network.segments[n]
            assert {segment.a, segment.b} == set(route.stops[index : index + 2])
            assert segment.gauges & train.gauges
            assert n not in used
            assert not track & segment.track
            used.add(n)
            track |= segment.track
        for n, one, two in zip(
            route.stops[1:-1], route.segments[:-1], route.segments[1:], strict=True
        ):
            banks = [
                segment.bank_a if segment.a == n else segment.bank_b
                for segment in (network.segments[one], network.segments[two])
            ]
            if banks[0] != banks[1]:
                value -= network.stops[n].toll
        assert value == route.value
    assert best.total == sum(route.value for route in best.routes if route)


#: Lines for question 17: "c" is a city, "s" a stop.
REACH = [
    pytest.param("cssc", True, id="two cities and two stops"),
    pytest.param("csss", True, id="one city and three stops"),
    pytest.param("ssss", True, id="four stops"),
    pytest.param("ccc", False, id="three cities"),
    pytest.param("csssc", False, id="two cities and three stops"),
    pytest.param("sssss", False, id="five stops"),
    pytest.param("cssss", False, id="one city and four stops"),
]


@pytest.mark.rule("1835:5.5.3.4")
@pytest.mark.parametrize(("line", "whole"), REACH)
def test_reach_of_a_2_plus_2_train(line: str, whole: bool) -> None:
    """1835, question 17: along a line of stations a 2+2 either reaches all of them or not."""
    stops = tuple(Stop(10 if kind == "s" else 30, kind == "s", own=True) for kind in line)
    segments = tuple(Segment(n, n + 1, 1 << n) for n in range(len(line) - 1))
    best = best_routes(Network(stops, segments), [Train(2, 2)])
    assert (best.total == sum(stop.value for stop in stops)) is whole


@pytest.mark.parametrize("first", range(0, 150, 50))
def test_random_networks(first: int) -> None:
    for seed in range(first, first + 50):
        rng = random.Random(seed)
        network, trains = randomnet.network(rng), randomnet.trains(rng)
        best = best_routes(network, trains)
        check(network, trains, best)
        assert best.total == cpsat.network_total(network, trains), seed


def search_with(monkeypatch: pytest.MonkeyPatch, bound: int) -> None:
    """Search train by train, with bounds after this number of steps."""
    monkeypatch.setattr("kursbuch.games.g18xx.map.route_search._SMALL", -1)
    monkeypatch.setattr("kursbuch.games.g18xx.map.route_search._WITHOUT_BOUNDS", bound)


@pytest.mark.parametrize("bound", [0, 1, 10, 1500])
def test_bounds_change_nothing(bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All routes of a small network are listed, most others searched without bounds; else the result is the same to
    the route."""
    chosen = []
    for seed in range(1000, 1150):
        rng = random.Random(seed)
        chosen.append((randomnet.network(rng), randomnet.trains(rng)))
    plain = [best_routes(network, trains) for network, trains in chosen]
    search_with(monkeypatch, bound)
    for (network, trains), best in zip(chosen, plain, strict=True):
        assert best_routes(network, trains) == best


@pytest.mark.parametrize("bound", [0, 1500])
def test_what_has_been_asked_before_changes_nothing(
    bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The totals are the same after any other questions, and of one train and of a search begun again the
    routes are."""
    search_with(monkeypatch, bound)
    for seed in range(2000, 2080):
        rng = random.Random(seed)
        network = randomnet.network(rng)
        search = Search(network)
        for _ in range(6):
            trains = randomnet.trains(rng)[: rng.randint(1, 4)]
            best = best_routes(network, trains)
            if rng.random() < 0.5:
                assert search.total(trains) == best.total
            if len(trains) == 1:
                assert search.best(trains) == best
            assert search.fresh_copy().best(trains) == best
            again = search.best(trains)
            assert again is not None
            assert again.total == search.total(trains) == best.total


@pytest.mark.parametrize("bound", [0, 1500])
def test_weights_against_cpsat(bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trains for which the ends count little, almost as much as the other stops, and more."""
    search_with(monkeypatch, bound)
    for seed in range(3000, 3040):
        rng = random.Random(seed)
        network = randomnet.network(rng)
        weight = rng.choice([2, 7, 41])
        trains = [
            train._replace(weight=weight, ends=rng.choice([0, 0, 1, weight - 1, 2 * weight]))
            for train in randomnet.trains(rng)[:3]
        ]
        best = best_routes(network, trains)
        assert best.total == cpsat.network_total(network, trains), seed
        assert best.total == sum(route.value for route in best.routes if route is not None)


def line(*values: int) -> Network:
    """Stops in a row, the first with an own station."""
    stops = tuple(Stop(value, own=n == 0) for n, value in enumerate(values))
    return Network(stops, tuple(Segment(n, n + 1, 1 << n) for n in range(len(values) - 1)))


def test_nothing_to_run() -> None:
    network = line(20, 30)
    assert best_routes(network, []) == Best(0, ())
    assert best_routes(Network((), ()), [Train(2)]) == Best(0, (None,))
    assert best_routes(network, [Train(1)]) == Best(0, (None,))
    assert best_routes(Network((Stop(20), Stop(30)), network.segments), [Train(2)]).total == 0


def test_no_stop_is_left_out() -> None:
    assert best_routes(line(20, 10, 60), [Train(2)]).total == 30


def test_trains_keep_their_order() -> None:
    best = best_routes(line(20, 30), [Train(2), Train(3)])
    assert best.routes == (None, Route(50, (0, 1), (0,)))


def test_towns_use_the_larger_number_when_the_smaller_is_used_up() -> None:
    """1835: 5.5.3.4."""
    stops = tuple(Stop(10, town=True, own=n == 0) for n in range(5))
    network = Network(stops, line(*[10] * 5).segments)
    assert best_routes(network, [Train(2, 2)]).total == 40
    assert best_routes(network, [Train(2, 3)]).total == 50


def test_a_station_may_serve_several_trains_by_different_track() -> None:
    """1835: 5.5.3.10."""
    stops = (Stop(40, own=True), Stop(20), Stop(30), Stop(10))
    network = Network(stops, (Segment(0, 1, 1), Segment(0, 2, 2), Segment(0, 3, 4)))
    assert best_routes(network, [Train(2)] * 3).total == 40 * 3 + 60
    joined = Network(stops, tuple(segment._replace(track=1) for segment in network.segments))
    assert best_routes(joined, [Train(2)] * 3).total == 70


def test_of_equal_routes_the_one_with_less_track_is_taken() -> None:
    stops = (Stop(20, own=True), Stop(10), Stop(10), Stop(20))
    network = Network(stops, (Segment(0, 1, 1), Segment(1, 2, 2), Segment(0, 3, 4)))
    assert best_routes(network, [Train(3)]).routes[0] == Route(50, (1, 0, 3), (0, 2))
    equal = Network((Stop(20, own=True), Stop(20), Stop(20)), (Segment(0, 1, 1), Segment(0, 2, 2)))
    assert best_routes(equal, [Train(2)]).routes[0] == Route(40, (0, 1), (0,))


def test_the_ends_of_a_mail_train_count_twice() -> None:
    """1853: 4.6.6."""
    assert best_routes(line(20, 10, 30), [Train(3, ends=1)]).total == 110
    assert best_routes(line(20, 10, 30), [Train(3, weight=5, ends=2)]).total == 5 * 60 + 2 * 50
