"""Where a company's track leads."""

from __future__ import annotations

import random

import pytest

from kursbuch.core.title import parse_data
from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.map.board import Board, BoardFile
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.tiles import crossing
from kursbuch.games.g18xx.map.track import Laid, Layout, Reach, Station, TrackMap, TrackPosition
from tests.games.g18xx import peer, randomnet
from tests.games.g18xx.test_runs import laid

BOARD = standard().board


def reach(tiles: list[tuple[str, Laid]], *stations: Station) -> Reach:
    return standard().track.position(Layout(dict(tiles), list(stations)), 1).reach("X")


def stops(found: Reach) -> set[str]:
    return {BOARD.names[stop // PER_HEX] for stop in found.stops}


def hexes(found: Reach) -> set[str]:
    return {BOARD.names[place] for place in found.hexes()}


@pytest.mark.rule("1835:5.5.1.3")
@pytest.mark.rule("1835:5.5.2.7")
def test_reach_goes_through_cities_that_are_not_full() -> None:
    """1835: 5.5.1.3, 5.5.2.7."""
    tiles = [laid("F14", "57", "F12"), laid("F10", "57", "F12")]
    own = Station("X", "F14", 0)
    assert stops(reach(tiles, own)) == {"F14", "F12", "F10"}
    assert hexes(reach(tiles, own)) >= {"F8", "F16", "G11"}
    blocked = reach(tiles, own, Station("Y", "F12", 0))
    assert stops(blocked) == {"F14", "F12"}
    assert "F8" not in hexes(blocked)


@pytest.mark.rule("1835:5.5.1.3")
def test_reach_does_not_turn_round_at_a_junction() -> None:
    """1835: 5.5.1.3: without turning back."""
    # From E17 one branch leads to E15, the other to D16; neither leads from one to the other.
    fork = [laid("E17", "23", "E19", "E15", "D16")]
    own = Station("X", "E19", 0)
    assert hexes(reach(fork, own)) == {"E17", "E15", "D16"}


def test_reach_leads_into_the_next_hex_without_a_tile() -> None:
    found = reach([], Station("X", "E19", 0))
    assert hexes(found) == {"E17"}


def test_reach_does_not_come_back_over_its_own_track() -> None:
    """The line from Hannover goes into a ring in E9. Only by coming back from there over the track
    between E9 and F8 would it lead to G7."""
    ring = [
        laid("F10", "57", "F8"),
        laid("F8", "27", "E9", "F10", "G7"),
        laid("E9", "23", "F8", "D10", "E11"),
        laid("D10", "7", "E9", "E11"),
        laid("E11", "7", "E9", "D10"),
    ]
    found = reach(ring, Station("X", "F10", 0))
    assert hexes(found) >= {"F12", "F8", "E9", "D10", "E11"}
    assert "G7" not in hexes(found)
    # From the other branch as well.
    found = reach(ring, Station("X", "F12", 0))
    assert "G7" not in hexes(found)


def test_recorded_tiles_and_markers_are_reached() -> None:
    """The README of the recorded games lists what does not connect; the rest does."""
    if not peer.there():
        pytest.skip("the recorded games (../shared/peer) are missing")
    for path in peer.state_files():
        if "SellDoubleShare" in path.name:
            continue  # constructed; much of its track does not connect
        before = Layout()
        actions = {
            action["i"]: action
            for action in peer.lines(path.with_name(path.name.replace("states", "actions")))
            if "i" in action
        }
        new = connected = 0
        for state in peer.lines(path):
            after = peer.layout(state)
            action = actions.get(state["i"], {})
            company = action.get("companyName", "")
            fresh = [name for name in after.tiles if name not in before.tiles]
            if action.get("class") == "LayTile" and fresh and not action.get("specialPropertyId"):
                (name,) = fresh
                place = BOARD.number(name)
                position = standard().track.position(before, 1)
                edges = BOARD.tile(after.tiles[name].tile).faces[after.tiles[name].rotation].edges()
                entered = {border for at, border in position.reach(company).borders if at == place}
                new += 1
                connected += any(
                    edges >> edge & 1 and border in entered
                    for edge, border in enumerate(BOARD.borders[place])
                ) or any(stop // PER_HEX == place for stop in position.stations(company))
            before = after
        assert connected == new, path.name
        assert new > 40


JUNCTION = b"""{
  "map": {"hexes": [
    {"id": "B2", "color": "gray", "first_phase": null, "paths": [["e0", "s0"]],
     "stops": [{"kind": "city", "value": 20, "slots": 1}]},
    {"id": "B4", "color": "white", "first_phase": 1},
    {"id": "B6", "color": "gray", "first_phase": null, "paths": [["e3", "s0"]],
     "stops": [{"kind": "city", "value": 30, "slots": 1}]},
    {"id": "A3", "color": "gray", "first_phase": null, "paths": [["e1", "s0"]],
     "stops": [{"kind": "city", "value": 40, "slots": 1}]},
    {"id": "C3", "color": "gray", "first_phase": null, "paths": [["e5", "s0"]],
     "stops": [{"kind": "city", "value": 50, "slots": 1}]}
  ]},
  "tiles": [{"id": "X", "color": "green", "count": 1, "upgrades": [],
    "paths": [["e0", "s0"], ["e2", "s0"], ["e3", "s0", "dual"], ["e4", "s0"]],
    "stops": [{"kind": "junction", "exclusive": EXCLUSIVE}]}],
  "lays": []
}"""


@pytest.mark.parametrize(("exclusive", "shared"), [(b"true", True), (b"false", False)])
def test_junctions(exclusive: bytes, shared: bool) -> None:
    """1853: 4.2.5, 4.5.10: some junctions are one piece of track, in others trains may meet."""
    track = TrackMap(Board(parse_data(JUNCTION.replace(b"EXCLUSIVE", exclusive), BoardFile)))
    position = track.position(Layout({"B4": Laid("X", 0)}, [Station("X", "B2", 0)]), 0)
    network = position.network("X").network
    assert len(network.stops) == 4
    assert len(network.segments) == 6
    by_ends = {(s.a, s.b): s for s in network.segments}
    ends = {stop.value: number for number, stop in enumerate(network.stops)}

    def segment(one: int, two: int) -> int:
        return by_ends[min(ends[one], ends[two]), max(ends[one], ends[two])].track

    assert bool(segment(20, 30) & segment(40, 50)) is shared
    assert segment(20, 30) & segment(20, 40)


def test_gauges_meet_only_where_they_fit() -> None:
    """1853: 4.2.8: dual track serves both."""
    data = JUNCTION.replace(b"EXCLUSIVE", b"true")
    data = data.replace(b'["e0", "s0"], ["e2"', b'["e0", "s0", "metre"], ["e2"', 1)
    position = TrackMap(Board(parse_data(data, BoardFile))).position(
        Layout({"B4": Laid("X", 0)}, [Station("X", "B2", 0)]), 0
    )
    assert {s.gauges for s in position.network("X").network.segments} == {1}


@pytest.mark.parametrize("seed", range(20))
def test_what_a_network_holds_is_reached(seed: int) -> None:
    rng = random.Random(seed)
    layout = randomnet.layout(standard().track, rng, 200, rng.randint(1, 3), rng.randint(0, 8))
    position = standard().track.position(layout, 1)
    found = position.reach("X")
    network = position.network("X")
    known = set(network.stops)
    for stop in found.stops:
        place, number = divmod(stop, PER_HEX)
        shown = position.grounds[place].face.stops[number]
        assert stop in known or not (shown.value or shown.values)


def all_ways(position: TrackPosition, company: str) -> tuple[set[tuple[int, int]], set[int], int]:
    """What all ways from the stations of a company come to, found by following every one, and the
    track on which one more station is reached. No more than 30,000 ways are followed."""
    borders: set[tuple[int, int]] = set()
    stops = set(position.stations(company))
    run = 0
    ways = [
        (behind, border, 1 << border, frozenset({position.stop_key(start)}), gauges)
        for start in position.stations(company)
        for border, behind, gauges, _ in position.grounds[start // PER_HEX].exits[start % PER_HEX]
        if behind >= 0
    ]
    for place, border, track, passed, gauges in ways:  # grows on the way
        assert len(ways) < 30_000
        borders.add((place, border))
        for stop, onward, beyond, common in position.walk(company)[place][border, gauges]:
            after = passed
            if stop >= 0:
                if position.stop_key(stop) in passed:
                    continue
                stops.add(stop)
                after = passed | {position.stop_key(stop)}
                if position.value(stop):
                    run |= track
            if beyond >= 0 and not track >> onward & 1:
                ways.append((beyond, onward, track | 1 << onward, after, common))
    return borders, stops, run


@pytest.mark.rule("1835:5.5.1.14b")
@pytest.mark.parametrize("seed", range(40))
def test_reach_and_routes_agree_with_following_every_way(seed: int) -> None:
    rng = random.Random(seed)
    track = standard().track
    lays = rng.randint(30, 75)
    layout = randomnet.layout(track, rng, lays, rng.randint(1, 2), rng.randint(0, 8))
    agree_with_following_every_way(track, layout)


def agree_with_following_every_way(track: TrackMap, layout: Layout) -> None:
    """What is reached, and over which tiles routes of company "X" can run."""
    position = track.position(layout, 1)
    borders, stops, run = all_ways(position, "X")
    found = position.reach("X")
    assert (set(found.borders), found.stops) == (borders, stops)
    routes = crossing(position, "X")
    for name in layout.tiles:
        place = track.board.number(name)
        over = bool(run & position.around[place])
        assert routes.now(place) == over, name
        assert routes.runs_over(place, position.grounds[place]) == over, name
        assert routes.certainly(place, position.grounds[place], None) == over, name


def test_reach_is_found_in_dense_networks() -> None:
    """Following every way would not come to an end here."""
    if not peer.there():
        pytest.skip("the recorded games (../shared/peer) are missing")
    game = peer.FOLDER / "1835_SellDoubleShare"
    called = {
        record["i"]: (record["company"], [call for run in record["runs"] for call in run["path"]])
        for record in peer.lines(game.with_suffix(".revenue.jsonl.gz"))
    }
    runs = 0
    for state in peer.lines(game.with_suffix(".states.jsonl.gz")):
        position = standard().track.position(peer.layout(state), 1)
        if state["i"] % 30 == 1:
            for company in {company for found in position.markers.values() for company in found}:
                assert position.reach(company).stops >= set(position.stations(company))
        if state["i"] + 1 in called:
            # Also whatever the best runs called at that another program found.
            company, calls = called[state["i"] + 1]
            hexes = {
                position.board.names[stop // PER_HEX] for stop in position.reach(company).stops
            }
            assert hexes >= {call.partition(".")[0] for call in calls}
            runs += len(calls) > 2
    assert runs > 50


@pytest.mark.parametrize("seed", range(15))
def test_a_way_comes_where_track_leads(seed: int) -> None:
    rng = random.Random(seed)
    company, track = "X", standard().track
    position = track.position(randomnet.layout(track, rng, 25, 2, 3), 1)
    reached = position.reach(company).borders
    for place, borders in enumerate(position.board.borders):
        for border in borders:
            comes = position.comes_from(company, place, border)
            assert comes == ((place, border) in reached), position.board.names[place]
