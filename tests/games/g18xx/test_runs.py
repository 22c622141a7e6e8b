"""Runs of 1835: the cases of the book, random positions, and the recorded games."""

from __future__ import annotations

import random

import pytest

from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.map.revenue import Run, best_runs
from kursbuch.games.g18xx.map.track import Laid, Layout, Station
from tests.games.g18xx import cpsat, peer, randomnet

BOARD = standard().board


def laid(name: str, tile: str, *towards: str) -> tuple[str, Laid]:
    """A tile on a hex with track towards these neighbours."""
    around = [BOARD.names[other] for other in BOARD.neighbours[BOARD.number(name)]]
    for rotation, face in enumerate(BOARD.tile(tile).faces):
        if all(face.edges() >> around.index(other) & 1 for other in towards):
            return name, Laid(tile, rotation)
    raise AssertionError(f"{tile} on {name} does not lead to {towards}")


def run(
    tiles: list[tuple[str, Laid]], trains: list[str], *stations: Station, phase: int = 3
) -> tuple[int, tuple[Run, ...]]:
    """The best runs of company X."""
    position = standard().track.position(Layout(dict(tiles), list(stations)), phase - 1)
    return best_runs(standard(), position, "X", trains)[:2]


def calls(run: Run) -> list[str]:
    return [call.hex for call in run.calls]


@pytest.mark.rule("1835:5.5.3.3")
def test_a_route_needs_an_own_station() -> None:
    """1835: 5.5.3.3."""
    tiles = [laid("F14", "57", "F12")]
    assert run(tiles, ["2"])[0] == 0
    assert run(tiles, ["2"], Station("X", "F14", 0))[0] == 40


@pytest.mark.rule("1835:5.5.3.5")
def test_yellow_berlin_is_not_run_to_from_berlin() -> None:
    """1835: 5.5.3.5: the two stations exclude each other."""
    ring = [laid("E17", "7", "E19", "D18"), laid("D18", "7", "E19", "E17")]
    assert run(ring, ["4"], Station("X", "E19", 0))[0] == 0
    # Nor does a route go on from one to the other.
    south = laid("D18", "24", "E19", "E17")
    assert run([ring[0], south], ["4"], Station("X", "E19", 0))[0] == 0


@pytest.mark.rule("1835:5.5.3.6")
@pytest.mark.rule("1835:5.5.3.7")
def test_a_full_city_ends_a_route() -> None:
    """1835: 5.5.3.6, 5.5.3.7."""
    tiles = [laid("F14", "57", "F12"), laid("F10", "57", "F12")]
    own, other = Station("X", "F14", 0), Station("Y", "F12", 0)
    assert run(tiles, ["3"], own)[0] == 60
    assert run(tiles, ["3"], own, other)[0] == 40
    assert run(tiles, ["3"], own, other, Station("X", "F12", 0))[0] == 60
    assert run(tiles, ["3"], Station("X", "F10", 0), other, Station("X", "F12", 0))[0] == 60


HAMBURG = ("C11", Laid("221", 0))
SOUTH_WEST = [laid("D10", "9", "C11", "E9"), laid("E9", "8", "D10", "F10"), laid("F10", "5", "E9")]
WEST = [laid("C9", "8", "C11", "D8"), laid("D8", "5", "C9", "D10")]
NORTH_EAST = [laid("B12", "58", "C11", "B14"), laid("B14", "4", "B12")]


@pytest.mark.rule("1835:5.5.3.11.3b")
@pytest.mark.parametrize(
    ("tiles", "train", "total", "ferry"),
    [
        (WEST + NORTH_EAST, "4", 20 + 60 + 10 + 10, 10),  # from Bremen to the north-east
        (WEST, "2", 20 + 60, 0),  # ends in Hamburg
        (NORTH_EAST, "4", 10 + 10 + 60 + 10, 0),  # both north
        (WEST + SOUTH_WEST, "3", 20 + 60 + 20, 0),  # both south
    ],
)
def test_the_ferry_at_hamburg(
    tiles: list[tuple[str, Laid]], train: str, total: int, ferry: int
) -> None:
    """1835: 5.5.3.11.3b."""
    station = Station("X", "D8" if ferry else "C11", 0)
    revenue, runs = run([HAMBURG, *tiles], [train], station)
    assert (revenue, runs[0].ferry) == (total - ferry, ferry)


@pytest.mark.rule("1835:5.5.3.5b")
def test_two_stations_of_green_hamburg_on_one_route() -> None:
    """1835: 5.5.3.5b."""
    tiles = [laid("B12", "3", "B10", "C11"), laid("B10", "7", "B12", "C11")]
    total, runs = run(tiles, ["3"], Station("X", "C11", 1), phase=2)
    assert (total, calls(runs[0])) == (90, ["C11", "B12", "C11"])


MANNHEIM = laid("L6", "210", "M5", "M7")
ALSACE = [MANNHEIM, ("M7", Laid("56", 2))]  # to both hexes of Elsaß-Lothringen


@pytest.mark.rule("1835:5.5.3.11.3")
@pytest.mark.rule("1835:5.5.1.1c")
@pytest.mark.parametrize(("phase", "total"), [(1, 0), (2, 80), (3, 0)])
def test_elsass_lothringen_is_a_station_in_phase_2_only(phase: int, total: int) -> None:
    """1835: 5.5.3.11.3, 5.5.1.1c."""
    assert run([MANNHEIM], ["2"], Station("X", "L6", 1), phase=phase)[0] == total


@pytest.mark.rule("1835:5.5.1.1c")
def test_elsass_lothringen_is_on_a_route_once() -> None:
    """1835: 5.5.1.1c: by whichever hex; but two trains may each end there."""
    own = Station("X", "L6", 1)
    assert run(ALSACE, ["4"], own, phase=2)[0] == 30 + 10 + 50
    assert run(ALSACE, ["3", "3"], own, phase=2)[0] == (30 + 10 + 50) + (30 + 50)


@pytest.mark.rule("1835:5.5.3.11.3")
@pytest.mark.rule("1835:table-red-hexes")
@pytest.mark.parametrize(("phase", "value"), [(1, 20), (2, 20), (3, 40)])
def test_off_board_values_by_phase(phase: int, value: int) -> None:
    """1835: 5.5.3.11.3, table-red-hexes: Ostpreußen."""
    tiles = [laid("D18", "8", "E19", "C19"), laid("C19", "8", "D18", "C21")]
    total, runs = run(tiles, ["2"], Station("X", "E19", 1), phase=phase)
    assert total == 30 + value
    assert (
        str(runs[0]) == f"2: E19 (30), C21 ({value}) = {30 + value}" or calls(runs[0])[0] == "C21"
    )
    assert ("D18", "E19") in BOARD.crossed(runs[0].track)


@pytest.mark.rule("1835:5.5.3.8")
def test_track_past_a_station_may_pass_it_by() -> None:
    """Schwerin: the track from its south-eastern to its western side also passes it by, but it is
    one piece with the tracks into the station (1835: 5.5.3.8)."""
    tiles = [HAMBURG, laid("D14", "7", "C13", "D12"), laid("D12", "8", "D14", "C11")]
    total, runs = run(tiles, ["6"], Station("X", "C11", 0))
    assert (total, len(runs)) == (70, 1)
    assert run(tiles, ["6", "2"], Station("X", "C11", 0))[0] == 140


#: From Hamburg by three stops to Berlin.
COAST = [
    laid("B12", "58", "C11", "B14"),
    laid("B14", "4", "B12", "B16"),
    laid("B16", "58", "B14", "C17"),
    laid("C17", "9", "B16", "D18"),
    laid("D18", "9", "C17", "E19"),
]
HAMBURG_NE, BERLIN = Station("X", "C11", 1), Station("X", "E19", 1)


@pytest.mark.rule("1835:5.5.3.4")
def test_a_2_plus_2_reaches_two_cities_and_two_stops() -> None:
    """Question 17: Berlin and Hamburg with two stops between them."""
    short = [
        laid("B12", "58", "C11", "B14"),
        laid("B14", "58", "B12", "C15"),
        laid("C15", "9", "B14", "D16"),
        laid("D16", "9", "C15", "E17"),
        laid("E17", "8", "D16", "E19"),
    ]
    total, runs = run(short, ["2+2"], HAMBURG_NE, phase=2)
    assert (total, len(runs[0].calls)) == (40 + 10 + 10 + 30, 4)


@pytest.mark.rule("1835:5.5.3.4")
def test_a_2_plus_2_reaches_one_city_and_three_stops() -> None:
    """Question 17: Hamburg with the stops of the coast."""
    total, runs = run(COAST[:3], ["2+2"], HAMBURG_NE, phase=2)
    assert (total, set(calls(runs[0]))) == (70, {"C11", "B12", "B14", "B16"})


@pytest.mark.rule("1835:5.5.3.4")
def test_a_2_plus_2_does_not_reach_two_cities_and_three_stops() -> None:
    """Question 17: from Hamburg to Berlin over three stops a 3+3 is needed."""
    assert run(COAST, ["2+2"], HAMBURG_NE, phase=2)[0] == 40 + 10 + 10 + 10
    assert run(COAST, ["2+2"], BERLIN, phase=2)[0] == 30 + 10 + 10 + 10
    # It even goes on to Schwerin, its third city.
    assert run(COAST, ["3+3"], BERLIN, phase=2)[0] == 30 + 10 + 10 + 10 + 40 + 10


@pytest.mark.rule("1835:5.5.3.4")
def test_a_2_plus_2_does_not_reach_three_cities() -> None:
    """Question 17: Magdeburg, Braunschweig, Hannover."""
    tiles, own = [laid("F14", "57", "F12"), laid("F10", "57", "F12")], Station("X", "F14", 0)
    assert run(tiles, ["2+2"], own)[0] == 20 + 20
    assert run(tiles, ["3"], own)[0] == 20 + 20 + 20


@pytest.mark.rule("1835:5.5.3.4")
@pytest.mark.rule("1835:5.5.3.5")
def test_a_2_train_reaches_two_stations_and_skips_no_stop() -> None:
    """Question 17: from Hamburg to the first stop, and no further."""
    total, runs = run(COAST, ["2"], HAMBURG_NE, phase=2)
    assert (total, set(calls(runs[0]))) == (40 + 10, {"C11", "B12"})


@pytest.mark.rule("1835:5.5.3.4")
def test_schwerin_is_a_city() -> None:
    """Question 17: Hamburg, Schwerin, a stop, Berlin. With Schwerin as a stop a 2+2 would go through
    to Berlin."""
    tiles = [
        laid("B14", "3", "C13", "C15"),
        laid("C15", "9", "B14", "D16"),
        laid("D16", "9", "C15", "E17"),
        laid("E17", "8", "D16", "E19"),
    ]
    total, runs = run(tiles, ["2+2"], HAMBURG_NE, phase=2)
    assert (total, set(calls(runs[0]))) == (40 + 10 + 10, {"C11", "C13", "B14"})
    assert run(tiles, ["3+3"], HAMBURG_NE, phase=2)[0] == 40 + 10 + 10 + 30


@pytest.mark.parametrize("seed", range(12))
def test_random_positions(seed: int) -> None:
    """The whole way from the map to the total, against a model of the map itself."""
    rng = random.Random(seed)
    components = standard()
    layout = randomnet.layout(
        components.track, rng, rng.choice([60, 150, 300]), rng.randint(1, 4), rng.randint(0, 10)
    )
    phase = rng.randrange(3)
    names = rng.choice([["2", "2"], ["2+2", "3"], ["3+3"], ["4", "4"], ["5"], ["3", "2+2", "2"]])
    position = components.track.position(layout, phase)
    total, runs, _ = best_runs(components, position, "X", names)
    assert total == sum(run.value for run in runs)
    trains = [components.train(name) for name in names]
    assert total == cpsat.map_total(components.board, layout, phase, "X", trains)


@pytest.mark.skipif(not peer.there(), reason="the recorded games (../shared/peer) are missing")
def test_recorded_revenues() -> None:
    """Every revenue of the recorded games is what we find: no more, no less."""
    components = standard()
    cases = peer.cases()
    assert sum(case.recorded for case in cases) == 321
    for case in cases:
        position = components.track.position(case.layout, case.phase)
        total, runs, _ = best_runs(components, position, case.company, case.trains)
        assert total == case.revenue, (case.name, [str(run) for run in runs])


@pytest.mark.skipif(not peer.there(), reason="the recorded games (../shared/peer) are missing")
def test_recorded_positions_against_cpsat() -> None:
    """Some positions with middling trains; benchmarks/routes.py tries them all."""
    components = standard()
    few = [case for case in peer.cases() if not {"6", "5+5", "6+6"} & set(case.trains)]
    for case in random.Random(1835).sample(few, 30):
        network = components.track.position(case.layout, case.phase).network(case.company).network
        trains = [components.train(name) for name in case.trains]
        assert cpsat.network_total(network, trains) == case.revenue, case.name
