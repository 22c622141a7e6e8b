"""Which tile fits where."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.map.board import Face, Path, Stop
from kursbuch.games.g18xx.map.tiles import Fit, find, fits, kept, shown, successors, supply
from kursbuch.games.g18xx.map.track import Laid
from kursbuch.games.g18xx.rails18xx import stations
from tests.games.g18xx import peer

BOARD = standard().board


def tiles_on(name: str, laid: dict[str, Laid] | None = None, *colours: str) -> set[str]:
    found = fits(BOARD, laid or {}, name, colours or ("yellow", "green", "brown"))
    return {fit.tile for fit in found}


@pytest.mark.rule("1835:5.5.1.5")
@pytest.mark.rule("1835:5.5.1.11")
@pytest.mark.rule("1835:5.5.1.20")
@pytest.mark.rule("1835:table-printed-upgrades")
@pytest.mark.parametrize(
    ("name", "tiles"),
    [
        ("G9", {"7", "8", "9"}),  # open land, 5.5.1.5
        ("B12", {"3", "4", "58"}),  # small town, 5.5.1.6
        ("I17", {"1", "2", "55", "56", "69"}),  # two small towns, 5.5.1.7
        ("H16", {"5", "6", "57"}),  # Leipzig, 5.5.1.8
        ("O15", {"201", "202"}),  # München, 5.5.1.9
        ("G3", {"210", "211", "212", "213", "214", "215"}),  # Duisburg/Essen, 5.5.1.10
        ("E19", {"209"}),  # Berlin, 5.5.1.11
        ("C11", {"221"}),  # Hamburg
        ("J8", {"216"}),  # Frankfurt
        ("L14", {"218"}),  # Nürnberg/Fürth
        ("D6", set()),  # Oldenburg is printed brown, 5.5.1.1b
        ("H22", set()),  # red, 5.5.1.1c
    ],
)
def test_first_tiles(name: str, tiles: set[str]) -> None:
    """1835: 5.5.1.5 to 5.5.1.11, 5.5.1.20, table-printed-upgrades."""
    assert tiles_on(name) == tiles


@pytest.mark.rule("1835:5.5.3.11.3b")
def test_hamburg_has_one_rotation() -> None:
    """1835: 5.5.3.11.3b."""
    assert list(fits(BOARD, {}, "C11")) == [Fit("221", 0, (0, 0, 0))]


@pytest.mark.rule("1835:5.5.1.15")
@pytest.mark.rule("1835:table-printed-upgrades")
def test_printed_upgrades_keep_the_track_in_their_rotations() -> None:
    """1835: 5.5.1.15, table-printed-upgrades."""
    assert {fit.rotation for fit in fits(BOARD, {}, "L14")} == {1}
    assert {fit.stops for fit in fits(BOARD, {}, "L14")} == {(0, 0)}
    assert {fit.stops for fit in fits(BOARD, {}, "E19")} == {(0, 0)}


@pytest.mark.rule("1835:5.5.1.21")
def test_no_track_off_the_board_over_the_bar_or_into_closed_sides() -> None:
    """1835: 5.5.1.21."""
    for name in ("C9", "B10", "A11", "H20", "I3", "N12"):
        place = BOARD.number(name)
        for fit in fits(BOARD, {}, name):
            assert not BOARD.tiles[fit.tile].faces[fit.rotation].edges() & BOARD.closed[place]
    assert not any(
        BOARD.tiles[fit.tile].faces[fit.rotation].edges() >> 5 & 1 for fit in fits(BOARD, {}, "C9")
    )


@pytest.mark.rule("1835:5.5.1.17")
@pytest.mark.rule("1835:table-yellow-tiles")
def test_replacements_are_those_of_the_table() -> None:
    """1835: 5.5.1.17, table-yellow-tiles."""
    laid = {"H16": Laid("6", 0)}
    # 13 and 12 keep the way of 6, and so does 206, which the printed table leaves out.
    assert {tile.id for tile in successors(BOARD, laid, "H16")} == {
        *("12", "13", "14", "15", "205", "206")
    }
    assert "206" not in {tile.id for tile in successors(BOARD, laid, "H16", unlisted=False)}
    assert tiles_on("H16", laid, "yellow") == set()
    assert tiles_on("H16", {"H16": Laid("14", 0)}) == set()


@pytest.mark.rule("1835:5.5.1.15")
def test_connections_are_kept() -> None:
    """1835: 5.5.1.15."""
    laid = {"G9": Laid("9", 0)}
    for fit in fits(BOARD, laid, "G9"):
        ways = {frozenset(path[:2]) for path in BOARD.tiles[fit.tile].faces[fit.rotation].paths}
        assert {0, 3} in ways
    assert find(BOARD, laid, "G9", Laid("18", 0)) is not None
    assert find(BOARD, laid, "G9", Laid("18", 1)) is None


def test_rotations_that_look_the_same_are_found() -> None:
    assert find(BOARD, {}, "G9", Laid("9", 4)) == Fit("9", 4, ())


def test_two_towns_become_one() -> None:
    laid = {"L8": Laid("1", 0)}
    assert {fit.stops for fit in fits(BOARD, laid, "L8")} == {(0, 0)}


def test_markers_go_where_their_track_leads() -> None:
    one = BOARD.tile("215").faces[0]
    assert kept(one, one) == (0, 1)
    assert kept(one, BOARD.tile("215").faces[3]) == (1, 0)


@pytest.mark.rule("1835:5.5.1.19")
def test_supply_counts_what_lies() -> None:
    """1835: 5.5.1.19."""
    laid = {"G9": Laid("7", 0), "G7": Laid("7", 0)}
    assert supply(BOARD, laid)["7"] == BOARD.tiles["7"].count - 2
    used_up = {name: Laid("1", 0) for name in ("I17",)}
    assert "1" not in tiles_on("L8", used_up)
    assert "1" in {fit.tile for fit in fits(BOARD, used_up, "L8", unlimited=True)}


def test_gauges_stay_or_become_dual() -> None:
    """1853: 4.2.6."""
    old = Face("yellow", "", (), (Path(0, 3, 2),))
    assert kept(old, Face("green", "", (), (Path(0, 3, 3),))) == ()
    assert kept(old, Face("green", "", (), (Path(0, 3, 1),))) is None


def test_a_junction_keeps_ways() -> None:
    """1853: 4.2.5."""
    junction = Stop("junction", 0, 0)
    old = Face("yellow", "", (), (Path(0, 3),))
    new = Face("green", "", (junction,), (Path(0, 6), Path(3, 6), Path(5, 6)))
    assert kept(old, new) == ()
    assert kept(Face("yellow", "", (), (Path(0, 4),)), new) is None


@pytest.mark.skipif(not peer.there(), reason="the recorded games (../shared/peer) are missing")
def test_every_recorded_tile_fits() -> None:
    """The tiles of four recorded games; one of them was played with unlimited tiles."""
    count = 0
    for path in peer.state_files():
        before: Mapping[str, Laid] = {}
        for state in peer.lines(path):
            after = peer.layout(state).tiles
            for name, laid in after.items():
                if before.get(name) != laid:
                    count += 1
                    assert find(BOARD, before, name, laid) is not None, (path.name, state["i"])
            assert all(name in after for name in before)
            before = after
    assert count > 300
    assert shown(BOARD, before, "A9") is BOARD.printed[BOARD.number("A9")]


def test_the_other_program_numbers_the_stations_of_a_tile_turned() -> None:
    tile = standard().board.tile("212")
    assert (stations(tile, 0), stations(tile, 3)) == ([0, 1], [1, 0])
