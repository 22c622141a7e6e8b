"""Two tiles in one turn: two routes from two stations without common track."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.builder import have_separate_routes
from kursbuch.games.g18xx.g1853.components import standard
from kursbuch.games.g18xx.map.tiles import Fit, fits
from kursbuch.games.g18xx.map.track import Laid, Layout, Station, TrackPosition
from kursbuch.games.g18xx.state import Build
from tests.asked import refused
from tests.games.g18xx import randomnet
from tests.games.g18xx.g1853.land import BOARD, Slow, company, land, lay, may, slow_apart, with_own
from tests.games.g18xx.g1853.table import Scene

TRACK = standard().track


def random_position(rng: random.Random, *, mixed: bool) -> TrackPosition:
    """A small piece of railway anywhere, with two or three markers of X, one of them perhaps in a city
    without a tile."""
    found = randomnet.layout(TRACK, rng, rng.randint(15, 110), rng.randint(1, 3), rng.randint(0, 5))
    if rng.random() < 0.5:
        found = found.with_station(Station("X", with_own(rng, found.tiles), 0))
    return TRACK.position(Layout(found.tiles, found.stations), 2, mixed=mixed)


@pytest.mark.rule("1853:4.1.7")
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("part", range(2))
def test_apart_agrees_with_trying_all_pairs_of_routes(part: int, mixed: bool) -> None:
    """A few hundred positions: same and different gauges, dual track, full cities, stations on the
    tiles, double towns, junctions."""
    seen: Counter[object] = Counter()
    for seed in range(60 * part, 60 * (part + 1)):
        rng = random.Random(seed)
        position = random_position(rng, mixed=mixed)
        tiles = {
            BOARD.names[ground.place]: ground
            for ground in position.grounds
            if ground is not TRACK.printed[ground.place]
        }
        around = {place for place, _ in position.reach("X").borders}
        around.update(stop // 16 for stop in position.stations("X"))
        yellow = [
            name
            for name, ground in tiles.items()
            if ground.face.colour == "yellow" and ground.place in around
        ]
        free = [
            BOARD.names[place]
            for place in sorted(around)
            if BOARD.names[place] not in tiles and not TRACK.printed[place].face.paths
        ]
        if not yellow or not free:
            continue
        for _ in range(25):
            first, second = rng.choice(yellow), rng.choice(free)
            fit = rng.choice([*fits(BOARD, {}, second, ("yellow",))])
            ground = TRACK.ground(second, fit.tile, fit.rotation)
            slow = Slow(position.changed(BOARD.number(second), ground, None), "X")
            expected = slow_apart(slow, BOARD.number(first), BOARD.number(second), 3000)
            if expected is None:
                continue
            assert have_separate_routes(position, "X", first, second, fit) == expected, (
                seed,
                first,
                second,
                fit,
            )
            gauges = (tiles[first].face.paths[0].gauge, ground.face.paths[0].gauge)
            seen[expected, gauges[0] == gauges[1]] += 1
    assert len(seen) == 4, seen
    assert min(seen.values()) > 20, seen


#: Some hexes in a lump, and tiles of much track for them.
LUMP = ("I19", "I21", "I23", "I25", "J20", "J22", "J24", "K19", "K21", "K23", "K25", "L20", "L22")
MUCH = ("106", "107", "112", "102", "716", "233", "234", "250", "14", "9", "79", "81", "86", "717")


@pytest.mark.rule("1853:4.1.7")
@pytest.mark.parametrize("mixed", [False, True])
def test_apart_agrees_where_routes_get_in_each_others_way(mixed: bool) -> None:
    """The same on few hexes full of track, where the first way that comes to mind often stands in the way
    of the other."""
    seen: Counter[object] = Counter()
    for seed in range(500):
        rng = random.Random(seed)
        hexes = rng.sample(LUMP, len(LUMP))
        tiles = {hex: Laid(rng.choice(MUCH), rng.randrange(6)) for hex in hexes[2:]}
        yellow = rng.choice(("7", "8", "9", "77", "78", "79", "1", "3", "72"))
        tiles[hexes[0]] = Laid(yellow, rng.randrange(6))
        cities = [hex for hex, laid in tiles.items() if laid.tile in ("102", "716", "717", "14")]
        owners = ["X", "X", "X", "Y", "Y"][: len(cities)]
        stations = [Station(owner, hex, 0) for owner, hex in zip(owners, cities, strict=False)]
        position = TRACK.position(Layout(tiles, stations), 2, mixed=mixed)
        for number in ("7", "8", "9", "77", "78", "79"):
            fit = Fit(number, rng.randrange(6), ())
            ground = TRACK.ground(hexes[1], fit.tile, fit.rotation)
            slow = Slow(position.changed(BOARD.number(hexes[1]), ground, None), "X")
            expected = slow_apart(slow, BOARD.number(hexes[0]), BOARD.number(hexes[1]), 4000)
            if expected is None:
                continue
            assert have_separate_routes(position, "X", hexes[0], hexes[1], fit) == expected, (
                seed,
                fit,
            )
            seen[expected, (yellow in ("77", "78", "79", "72")) == (len(number) == 2)] += 1
    assert len(seen) == 4, seen
    assert min(seen.values()) > 50, seen


#: Benares and Patna joined, each with one more exit.
PAIR = ("H22 H24 I21", "H24 H22 I25")


def eir(*tiles: str, dual: str = "off") -> Scene:
    """EIR in phase 3 with a marker in Patna, none in use in Calcutta, and one in Benares."""
    scene = land(company(phase="3", dual=dual), *tiles)
    scene.state.layout = Layout(
        scene.state.layout.tiles,
        [station for station in scene.state.layout.stations if station.hex != "J28"],
    )
    return scene.station("EIR", "H22")


@pytest.mark.rule("1853:4.1.7", "1853:4.1.2", "1853:4.2.1")
def test_one_tile_beyond_each_of_two_joined_cities() -> None:
    """Question 14: legal on the outer exits of both."""
    scene = eir(*PAIR).turn("EIR")
    scene.do(f"A {lay('I21 H22 J20')}")
    # A second tile that continues the first one needs the same track.
    assert not may(scene, "A", "J20 I21 K19")
    assert scene.refused(f"A {lay('J20 I21 K19')}") == "4.1.7"
    # That is said to who points at the hex, although other tiles would not even join.
    assert refused(TITLE, scene.state, 0, "hex:J20") == "4.1.7"
    scene.do(f"A {lay('I25 H24 J26')}")
    assert scene.state.turn.tiles == ["I21", "I25"]


@pytest.mark.rule("1853:4.1.7")
def test_two_free_exits_of_one_city() -> None:
    """Question 14: one route begins in Benares and passes through Patna, the other begins in Patna."""
    # Patna with four exits, of which three are free; Benares only leads to Patna.
    tiles = ("H22 69 H24", "H24 15 H22 I23 I25 H26")
    scene = eir(*tiles).turn("EIR")
    scene.do(f"A {lay('I25 H24 J26')}")
    scene.do(f"A {lay('H26 H24 H28')}")
    assert scene.state.turn.tiles == ["I25", "H26"]
    # With a marker in Patna only there is but one route to begin.
    scene = eir(*tiles)
    scene.state.layout = Layout(scene.state.layout.tiles, scene.state.layout.stations[:-1])
    scene.turn("EIR").do(f"A {lay('I25 H24 J26')}")
    assert scene.step() != "build"
    scene.on(Build("EIR", ["I25"], asked=True))
    assert scene.refused(f"A {lay('H26 H24 H28')}") == "4.1.7"


@pytest.mark.rule("1853:4.1.7")
def test_two_branches_that_need_the_same_track() -> None:
    """Question 14: both would come by the one line from Patna to the fork."""
    tiles = ("H22 69 H24", "H24 H22 I25", "I25 81 H24 I27 J24")
    scene = eir(*tiles).turn("EIR")
    scene.do(f"A {lay('I27 I25 J28')}")
    assert scene.step() != "build"
    scene.on(Build("EIR", ["I27"], asked=True))
    assert scene.refused(f"A {lay('J24 I25 K23')}") == "4.1.7"


@pytest.mark.rule("1853:4.1.7", "1853:4.2.12")
def test_calcutta_has_one_track() -> None:
    """Question 14: by the line to Patna a route leads beyond it; nothing more joins Calcutta itself."""
    line = ("I27 J28 H26", "H26 I27 H24")
    scene = land(company(phase="3"), *line, "H24 15 H26 I25 I23 H22").turn("EIR")
    scene.do(f"A {lay('I25 H24 J26')}")
    assert not may(scene, "A", "K27 J28 K25")
    assert not may(scene, "A", "J30 J28 K29")
    assert scene.refused(f"A {lay('K27 J28 K25')}") == "4.1.6"
    scene.do(f"A {lay('I23 H24 J22')}")
    assert scene.state.turn.tiles == ["I25", "I23"]


@pytest.mark.rule("1853:4.2.1", "1853:4.1.2")
def test_a_replacement_or_new_tiles() -> None:
    """Question 14: in phase 3 one replacement, but none beside a yellow tile."""
    scene = eir(*PAIR).turn("EIR")
    green = f"A {lay('H24 12 H22 I25 I23')}"
    assert scene.listed(scene.read(green))
    scene.do(f"A {lay('I21 H22 J20')}")
    assert scene.refused(green) == "4.2.1"
    # Nor is what has just been laid replaced.
    assert scene.refused(f"A {lay('I21 82 H22 J20 I19')}") == "4.1.2"
    scene = eir(*PAIR).turn("EIR")
    scene.do(green)
    assert scene.step() != "build"
    assert scene.state.turn.upgraded
    scene.on(Build("EIR", ["H24"], asked=True))
    assert scene.refused(f"A {lay('I21 H22 J20')}") == "4.1.2"
    assert scene.refused(f"A {lay('H22 12 H24 I21 I23')}") == "4.1.2"


@pytest.mark.rule("1853:4.1.7", "1853:4.2.5")
def test_routes_meet_in_junctions() -> None:
    """One from Patna and one from Calcutta, at a gray junction; a third one would need track of either."""
    tiles = ("H24 69 I25", "I25 112 H24 I23 J24 J26 I27", "I27 J28 I25")
    scene = land(company(phase="5"), *tiles).turn("EIR")
    scene.do(f"A {lay('J24 I25 K23')}")
    assert may(scene, "A", "J26 I25 K27")
    assert may(scene, "A", "I23 I25 I21")
    scene.do(f"A {lay('J26 I25 K27')}")
    assert scene.state.turn.tiles == ["J24", "J26"]


@pytest.mark.rule("1853:4.1.7", "1853:4.1.6", "1853:4.1.8")
def test_a_home_without_a_tile_is_a_beginning() -> None:
    """The first tile on Patna belongs to its marker, the other comes from Calcutta."""
    scene = company(phase="3").turn("EIR")
    scene.do(f"A {lay('H24 H22 I25')}")
    assert not may(scene, "A", "I25 H24 J26")
    assert may(scene, "A", "I27 J28 H26")
    assert scene.refused(f"A {lay('I25 H24 J26')}") == "4.1.7"
    scene = company(phase="3").turn("EIR")
    scene.do(f"A {lay('I27 J28 H26')}")
    assert scene.refused(f"A {lay('H26 I27 H24')}") == "4.1.7"
    scene.do(f"A {lay('H24 H22 I25')}")


@pytest.mark.rule("1853:4.1.7", "1853:option-dual-any-gauge")
@pytest.mark.parametrize("option", ["off", "on"])
def test_dual_track_between_the_two_routes(option: str) -> None:
    """Benares leads by standard track into Patna's dual city and, where the table allows it, out of it on
    metre track."""
    tiles = ("H22 69 H24", "H24 718 H22 I23 I25 H26")
    scene = eir(*tiles, dual=option).turn("EIR")
    scene.do(f"A {lay('metre I25 H24 J26')}")
    scene.do(f"A {lay('H26 H24 H28')}")
    scene = eir(*tiles, dual=option).turn("EIR")
    scene.do(f"A {lay('metre I25 H24 J26')}")
    other = f"A {lay('metre H26 H24 H28')}"
    if option == "on":
        scene.do(other)
    else:
        assert scene.refused(other) == "4.1.7"
