"""Track of two gauges: what new track joins, and what trains run on."""

from __future__ import annotations

from contextlib import nullcontext
from types import ModuleType
from typing import Any

import pytest

from kursbuch.core.errors import IllegalAction
from kursbuch.games.g18xx.components import EighteenFile
from kursbuch.games.g18xx.map.board import HexRecord, MapRecord
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.revenue import best_runs, picked_runs
from kursbuch.games.g18xx.map.tiles import crossing
from kursbuch.games.g18xx.map.track import Laid, Layout, Station
from kursbuch.games.g18xx.ruleset import Ruleset
from tests.games.g18xx.toy import data_of, new, read

STRAIGHT = {
    gauge: {
        "id": f"9{gauge[0]}",
        "color": "yellow",
        "count": 9,
        "stops": [],
        "paths": [["e0", "e3", gauge]],
        "upgrades": [],
    }
    for gauge in ("standard", "metre", "dual")
}


class HexWithBonus(HexRecord, frozen=True):
    bonus: int = 0


class MapWithBonus(MapRecord, frozen=True):
    hexes: tuple[HexWithBonus, ...]


class WithBonus(EighteenFile, frozen=True, kw_only=True):
    """A file of which the hexes say more."""

    map: MapWithBonus


def three_hexes(shuttle: ModuleType) -> Ruleset[Any]:
    """Two cities and three hexes between them; their track is of both gauges."""
    data = data_of(shuttle)
    city = {"kind": "city", "value": 20, "slots": 2}
    data["map"]["hexes"] = [
        {
            "id": "A1",
            "color": "brown",
            "first_phase": None,
            "stops": [city],
            "paths": [["e0", "s0", "dual"]],
        },
        *({"id": f"A{3 + 2 * n}", "color": "white", "first_phase": 1} for n in range(3)),
        {
            "id": "A9",
            "color": "brown",
            "first_phase": None,
            "stops": [city],
            "paths": [["e3", "s0", "dual"]],
        },
    ]
    data["companies"]["public"][1]["home"]["hex"] = "A9"
    data["tiles"] = list(STRAIGHT.values())
    data["lays"] = [
        {"color": "white", "stops": [], "tiles": [tile["id"] for tile in data["tiles"]]}
    ]
    data["trains"] = [
        {"id": "2", "count": 9, "price": 60, "range": {"any": 2}},
        {"id": "2M", "count": 9, "price": 50, "range": {"any": 2}, "gauge": "metre"},
    ]
    data["phases"] = data["phases"][:1]
    return Ruleset[Any](read(data), shuttle.POLICY)


@pytest.mark.parametrize(
    ("laid", "joins"),
    [
        ((), {"9s", "9m", "9d"}),
        (("9s",), {"9s", "9d"}),
        (("9m",), {"9m", "9d"}),
        (("9d",), {"9s", "9m", "9d"}),
        (("9m", "9d"), {"9m", "9d"}),
    ],
)
def test_new_track_has_the_gauge_of_the_way_that_leads_to_it(
    shuttle: ModuleType, laid: tuple[str, ...], joins: set[str]
) -> None:
    builder = three_hexes(shuttle).builder
    state = new(shuttle.TITLE).state
    state.layout = Layout(
        {f"A{3 + 2 * n}": Laid(tile, 0) for n, tile in enumerate(laid)}, state.layout.stations
    )
    state.layout = Layout(state.layout.tiles, [Station("N", "A1", 0)])
    hex = f"A{3 + 2 * len(laid)}"
    found = [*builder.connected(state, "N", hex, builder.fits(state, hex))]
    assert {fit.tile for fit in found} == joins
    fits = {fit for fit in builder.fits(state, hex) if builder.is_connected(state, "N", hex, fit)}
    assert fits == {*found}


@pytest.mark.parametrize(("laid", "runs"), [("9s", "2"), ("9m", "2M"), ("9d", "2, 2M")])
def test_trains_run_on_their_gauge(shuttle: ModuleType, laid: str, runs: str) -> None:
    components = three_hexes(shuttle).components
    tiles = {f"A{3 + 2 * n}": Laid(laid, 0) for n in range(3)}
    position = components.track.position(Layout(tiles, [Station("N", "A1", 0)]), 0)
    for train in ("2", "2M"):
        revenue = best_runs(components, position, "N", [train]).revenue
        assert revenue == (40 if train in runs.split(", ") else 0)
        with nullcontext() if revenue else pytest.raises(IllegalAction, match="track"):
            assert picked_runs(components, position, "N", [train], [("A1/0", "A9/0")]).revenue == 40


@pytest.mark.parametrize(("ends", "goes_on"), [("standard", "metre"), ("metre", "standard")])
def test_ways_of_two_gauges_may_meet_again(shuttle: ModuleType, ends: str, goes_on: str) -> None:
    """A way forks behind A1 by gauge and comes together in front of B8, where only one gauge ends;
    through its city no train changes the gauge."""
    data = data_of(shuttle)
    city = {"kind": "city", "value": 20, "slots": 2}
    tracks = {
        "A1": [["e0", "s0", "dual"]],
        "A3": [["e3", "e0", "standard"], ["e3", "e1", "metre"]],
        "A5": [["e3", "e1", "standard"]],
        "B4": [["e4", "e0", "metre"]],
        "B6": [["e4", "e0", "standard"], ["e3", "e0", "metre"]],
        "B8": [["e3", "s0", ends], ["e0", "s0", goes_on]],
        "B10": [["e3", "s0", goes_on]],
    }
    data["map"]["hexes"] = [
        {"id": hex, "color": "brown", "first_phase": None, "paths": paths}
        | ({"stops": [city]} if hex in ("A1", "B8", "B10") else {})
        for hex, paths in tracks.items()
    ]
    data["companies"]["public"][1]["home"]["hex"] = "B8"
    components = read(data)
    board = components.board
    stations = [Station("N", "A1", 0), Station("S", "B8", 0)]
    position = components.track.position(Layout({}, stations), 0)
    reach = position.reach("N")
    north, south = board.number("A1"), board.number("B8")
    (entered,) = (gauges for (place, _), gauges in reach.borders.items() if place == south)
    assert entered == 3
    assert reach.stops == {north * PER_HEX, south * PER_HEX}
    assert board.number("B10") not in reach.hexes()
    assert position.comes_from("S", north, board.borders[north][0], gauges=3)


@pytest.mark.parametrize(("west", "east", "runs"), [("9s", "9s", True), ("9s", "9m", False)])
def test_a_route_over_dual_track_keeps_its_gauge(
    shuttle: ModuleType, west: str, east: str, runs: bool
) -> None:
    """Dual track between two gauges joins them for no train [upgrade-needs-route]."""
    components = three_hexes(shuttle).components
    tiles = {"A3": Laid(west, 0), "A5": Laid("9d", 0), "A7": Laid(east, 0)}
    position = components.track.position(Layout(tiles, [Station("N", "A1", 0)]), 0)
    place = components.board.number("A5")
    routes = crossing(position, "N")
    assert routes.now(place) == runs
    assert routes.runs_over(place, position.grounds[place]) == runs
    assert routes.certainly(place, position.grounds[place], None) == runs


def test_a_train_may_call_at_any_number_of_towns(shuttle: ModuleType) -> None:
    """A3 and A5 are towns here: a train of one city calls at them, and at no second city."""
    data = data_of(shuttle)
    for hex in data["map"]["hexes"]:
        if hex["id"] in ("A3", "A5"):
            hex["stops"] = [{"kind": "town", "value": 0}]
    town = {"kind": "town", "value": 10}
    data["tiles"] += [
        {"id": "58", "color": "yellow", "count": 2, "stops": [town], "upgrades": []}
        | {"paths": [["e0", "s0"], ["e2", "s0"]]},
        {"id": "4x", "color": "yellow", "count": 2, "stops": [town], "upgrades": []}
        | {"paths": [["e0", "s0"], ["e3", "s0"]]},
    ]
    data["trains"][0]["range"] = {"any": 1, "towns": None}
    components = read(data)
    tiles = {"A3": Laid("4x", 0), "A5": Laid("58", 1)}
    for owner, home, revenue in (("N", "A1", 50), ("S", "B6", 60)):
        position = components.track.position(Layout(tiles, [Station(owner, home, 0)]), 0)
        assert best_runs(components, position, owner, ["2"]).revenue == revenue


def test_a_row_of_prices_may_be_long_and_records_may_hold_more(shuttle: ModuleType) -> None:
    data = data_of(shuttle)
    data["market"] = {"grid": [[10 * n for n in range(1, 41)]], "start": {"N": [0, 5], "S": [0, 6]}}
    for hex in data["map"]["hexes"]:
        hex["bonus"] = 40
    file = read(data, WithBonus).file
    assert isinstance(file, WithBonus)
    assert [place.bonus for place in file.map.hexes] == [40] * 6
    chart = read(data).chart
    assert (chart.price["AN1"], chart.right["Z1"], chart.left["AA1"]) == (400, "AA1", "Z1")
    assert chart.right["AN1"] == "AN1"


def test_a_company_may_have_no_directors_certificate(shuttle: ModuleType) -> None:
    data = data_of(shuttle)
    data["companies"]["public"][0]["certificates"] = 10 * [{"percent": 10, "where": "stack"}]
    public = read(data).public["N"]
    assert (public.director, public.kinds) == ("", ("10",))
