"""Standard, metre and dual track: what may follow on what."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from kursbuch.games.g18xx.g1853.components import standard
from kursbuch.games.g18xx.map.board import STOP
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.track import Layout, Station
from kursbuch.games.g18xx.state import PlaceToken, Run
from tests.games.g18xx import randomnet
from tests.games.g18xx.g1853.land import BOARD, Slow, company, land, lay, may, runs, with_own

TRACK = standard().track

#: From Patna to a town.
LINE = ("H24 H22 I25", "I25 H24 J26", "J26 I25 K27")
#: Patna by standard track to Benares, which is of both gauges.
MIXED = ("H24 H22 I25", "H22 717 H24 I23 H20")


@pytest.mark.rule("1853:4.1.6")
def test_track_goes_on_in_its_gauge() -> None:
    """Question 15: neither beyond a town nor at the open end of track of the other gauge."""
    scene = land(company(), *LINE).turn("EIR")
    assert may(scene, "A", "K27 J26 L26")
    assert scene.refused(f"A {lay('metre K27 J26 L26')}") == "4.1.6"
    scene = land(company(), *LINE[:2]).turn("EIR")
    assert may(scene, "A", "J26 I25 K27")
    assert scene.refused(f"A {lay('metre J26 I25 K27')}") == "4.1.6"
    scene = land(company(), *(f"metre {text}" for text in LINE)).turn("EIR")
    assert may(scene, "A", "metre K27 J26 L26")
    assert scene.refused(f"A {lay('K27 J26 L26')}") == "4.1.6"


@pytest.mark.rule("1853:4.1.6", "1853:4.2.6", "1853:4.2.8")
@pytest.mark.parametrize("city", ["H22 717 H24 I23 H20", "H22 102"])
def test_a_way_of_one_gauge_keeps_it_over_dual_track(city: str) -> None:
    """Question 15: standard track into a city of both gauges; metre track beyond it needs a marker."""
    scene = land(company(), "H24 H22 I25", city).turn("EIR")
    assert may(scene, "A", "I23 H22 J24")
    assert scene.refused(f"A {lay('metre I23 H22 J24')}") == "4.1.6"
    scene = land(company(), "H24 H22 I25", city).station("EIR", "H22").turn("EIR")
    assert may(scene, "A", "I23 H22 J24")
    assert may(scene, "A", "metre I23 H22 J24")


@pytest.mark.rule("1853:4.1.6", "1853:4.2.8")
@pytest.mark.parametrize("city", ["O21", "O21 W"])
def test_waltair_is_dual_track(city: str) -> None:
    """Question 15: also printed, or in brown."""
    start = "N22" if city == "O21" else "N20"
    scene = land(company("MSM"), "M21 102", f"metre {start} M21 O21").station("MSM", "M21")
    if city != "O21":
        land(scene, "O21 W O19 N20 N22")
    scene.turn("MSM")
    assert may(scene, "A", "metre O19 O21 O17")
    assert scene.refused(f"A {lay('O19 O21 O17')}") == "4.1.6"


@pytest.mark.rule("1853:4.1.6", "1853:4.2.8")
def test_a_line_of_dual_track_takes_either_gauge() -> None:
    """Question 15: from a marker on dual track, as long as the whole line is dual."""
    scene = land(company(), "H24 719 H22 G23 I25", "H22 717 H24 I23 H20").turn("EIR")
    for text in ("I23 H22 J24", "metre I23 H22 J24", "H20 H22 G19", "metre H20 H22 I19"):
        assert may(scene, "A", text)
    scene = land(company(), "H24 719 H22 G23 I25", "I25 250 H24 I27").turn("EIR")
    assert may(scene, "A", "metre I27 I25 H28")
    assert may(scene, "A", "I27 I25 H28")


@pytest.mark.rule("1853:option-dual-any-gauge")
@pytest.mark.parametrize("dual", ["off", "on"])
def test_dual_track_takes_either_gauge_at_some_tables(dual: str) -> None:
    on = dual == "on"
    scene = land(company(dual=dual), *MIXED).turn("EIR")
    assert may(scene, "A", "I23 H22 J24")
    assert may(scene, "A", "metre I23 H22 J24") == on
    # And on from there.
    scene = land(company(dual=dual), *MIXED, "metre I23 H22 J24").turn("EIR")
    assert may(scene, "A", "metre J24 I23 K25") == on
    assert not may(scene, "A", "J24 I23 K25")
    # Without dual track the gauge never changes.
    scene = land(company(dual=dual), *LINE).turn("EIR")
    assert scene.refused(f"A {lay('metre K27 J26 L26')}") == "4.1.6"
    # Replacements: a tile of metre track joins nothing standard, one of dual track does.
    scene = land(company(dual=dual, phase="3"), *MIXED, "metre H20 H22 I21").turn("EIR")
    assert may(scene, "A", "H20 100 H22 I19 I21") == on
    assert may(scene, "A", "H20 717 H22 I21 H18") is True
    # Markers.
    line = ("H24 H22 I25", "H22 719 H24 I23 G21", "metre G21 H22 G19", "metre G19 G21 H18")
    scene = land(company(dual=dual), *line).turn("EIR", PlaceToken)
    move = "A places a station on G19 city 1"
    assert scene.listed(scene.read(move)) == on
    if not on:
        assert scene.refused(move) == "4.4.6"


@pytest.mark.rule("1853:option-dual-any-gauge", "1853:4.5.3", "1853:4.5.9")
@pytest.mark.parametrize("dual", ["off", "on"])
def test_trains_never_change_their_gauge(dual: str) -> None:
    for train, revenue in (("3", 50), ("2M", 0)):
        scene = land(company(dual=dual), *MIXED, "metre H20 H22 I19").trains("EIR", train)
        assert scene.ruleset.depot.best_runs(scene.state, "EIR").revenue == revenue
        scene.station("EIR", "H20")
        revenue = 50
        assert scene.ruleset.depot.best_runs(scene.state, "EIR").revenue == revenue


@pytest.mark.rule("1853:4.2.6", "1853:4.2.4")
def test_a_replacement_keeps_the_gauge_or_is_dual() -> None:
    """Of standard track standard or dual track, of metre track metre or dual track."""
    for gauge, allowed in ((1, {1, 3}), (2, {2, 3})):
        prefix = "metre " * (gauge == 2)
        for text, hex in (("H24 H22 I25", "H24"), ("I25 H24 J24", "I25"), ("I23 H24 I21", "I23")):
            scene = company(phase="3")
            if hex != "H24":
                land(scene, "H24 102")
            land(scene, prefix + text).turn("EIR")
            found = {
                BOARD.tiles[words.split()[1]].faces[0].paths[0].gauge
                for words in scene.can("A")
                if f" on {hex} " in words
            }
            assert found == allowed


@pytest.mark.rule("1853:4.2.6")
def test_new_track_of_another_gauge_needs_a_station_to_go_on() -> None:
    """Benares becomes dual: by standard track from Patna no metre track goes on there, unless there is
    a marker."""
    scene = land(company(phase="3"), "H24 H22 I25", "H22 H24 I21").turn("EIR")
    scene.do(f"A {lay('H22 718 H24 I23 I21 H20')}")
    for markers, allowed in ((0, False), (1, True)):
        after = land(company(phase="3"), "H24 H22 I25", "H22 718 H24 I23 I21 H20")
        if markers:
            after.station("EIR", "H22")
        after.turn("EIR")
        assert may(after, "A", "metre H20 H22 I19") == allowed
        assert may(after, "A", "H20 H22 I19")


@pytest.mark.rule("1853:4.2.8", "1853:4.5.3")
def test_dual_track_serves_both_kinds_of_train() -> None:
    """Standard trains keep to standard and dual track, metre trains to metre and dual track."""
    for city in ("H22 717 H24 I23 H20", "H22 102"):
        for gauge in ("", "metre "):
            for train in ("2", "2M"):
                scene = land(company(), f"{gauge}H24 H22 I25", city).trains("EIR", train)
                earned = scene.ruleset.depot.best_runs(scene.state, "EIR").revenue
                assert earned == 50 * ((train == "2M") == (gauge == "metre "))
    scene = land(company(), "metre H24 H22 I25", "metre H22 H24 I21").trains("EIR", "2", "2M")
    scene.turn("EIR", Run)
    assert scene.refused("A pays out running H24/0-H22/0") == "4.5.10"
    runs(scene, "A pays out running -, H24/0-H22/0")
    assert scene.state.companies["EIR"].revenue == 40


@pytest.mark.rule("1853:4.1.6", "1853:4.2.2", "1853:4.4.6", "1853:option-dual-any-gauge")
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("part", range(3))
def test_reach_agrees_with_following_every_way(part: int, mixed: bool) -> None:
    """The hexes that ways from a marker enter, by which side and in which gauges, and the stops."""
    seen: Counter[int] = Counter()
    for seed in range(100 * part, 100 * part + 60):
        rng = random.Random(seed)
        found = randomnet.layout(
            TRACK, rng, rng.randint(15, 110), rng.randint(1, 3), rng.randint(0, 5)
        )
        if rng.random() < 0.3:
            found = found.with_station(Station("X", with_own(rng, found.tiles), 0))
        position = TRACK.position(Layout(found.tiles, found.stations), 2, mixed=mixed)
        slow = Slow(position, "X")
        borders: dict[tuple[int, int], int] = {}
        stops = {*position.stations("X")}
        for start in position.stations("X"):
            for hex, ends, _, gauges in slow.ways(start):
                end = ends[-1][1]
                if end >= STOP:
                    stops.add(hex * PER_HEX + end - STOP)
                elif BOARD.neighbours[hex][end] >= 0:
                    key = (BOARD.neighbours[hex][end], BOARD.borders[hex][end])
                    borders[key] = borders.get(key, 0) | gauges
        reach = position.reach("X")
        outer = {
            key: found for key, found in reach.borders.items() if key[1] not in BOARD.inner[key[0]]
        }
        assert outer == borders, seed
        assert reach.stops == stops, seed
        seen.update(borders.values())
    assert set(seen) == {1, 2, 3}
