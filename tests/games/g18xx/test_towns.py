"""Tiles on which track leads from one town to another."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.games.g18xx.components import Components
from kursbuch.games.g18xx.drawing.faces import draw_tile
from kursbuch.games.g18xx.drawing.map import Way, draw_map
from kursbuch.games.g18xx.map.board import Board
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.revenue import Run, best_runs
from kursbuch.games.g18xx.map.tiles import crossing, kept
from kursbuch.games.g18xx.map.track import Laid, Layout, Station, TrackPosition
from tests.games.g18xx.toy import data_of, read

TOWN = {"kind": "town", "value": 10}


def tile(name: str, colour: str, *paths: list[str], towns: int = 2) -> dict[str, Any]:
    return {"id": name, "color": colour, "count": 2, "upgrades": [], "stops": towns * [TOWN]} | {
        "paths": list(paths)
    }


ROW = (["e3", "s0"], ["s0", "s1"], ["s1", "e0"])


def row_of_towns(shuttle: ModuleType) -> Components:
    """Two cities with a hex of two towns between them, and a hex beside that."""
    data = data_of(shuttle)
    city = {"kind": "city", "value": 20, "slots": 1}
    data["map"]["hexes"] = [
        {
            "id": "B1",
            "color": "brown",
            "first_phase": None,
            "stops": [city],
            "paths": [["e0", "s0"]],
        },
        {"id": "B3", "color": "white", "first_phase": 1, "stops": 2 * [TOWN | {"value": 0}]},
        {"id": "A4", "color": "white", "first_phase": 1},
        {
            "id": "B5",
            "color": "brown",
            "first_phase": None,
            "stops": [city],
            "paths": [["e3", "s0"]],
        },
    ]
    companies = data["companies"]["public"]
    companies[0]["home"]["hex"], companies[1]["home"]["hex"] = "B1", "B5"
    data["tiles"] = [
        tile("row", "yellow", *ROW),
        tile("parts", "yellow", ["e3", "s0"], ["s1", "e0"]),
        tile("fork", "green", *ROW, ["e5", "s0"]),
        tile("one", "green", ["e3", "s0"], ["e0", "s0"], ["e5", "s0"], towns=1),
        tile("thin", "green", ["e3", "s0"], ["s0", "s1", "metre"], ["s1", "e0"]),
    ]
    data["lays"] = [{"color": "white", "stops": ["town", "town"], "tiles": ["row", "parts"]}]
    data["trains"] = [
        {"id": str(n), "count": 2, "price": 10, "range": {"any": n, "towns": None}} for n in (1, 2)
    ]
    data["phases"][1]["starts_with_train"] = "2"
    return read(data)


def with_tile(components: Components, name: str, *owners: str) -> TrackPosition:
    stations = [Station(owner, hex, 0) for owner, hex in zip(owners, ("B1", "B5"), strict=False)]
    return components.track.position(Layout({"B3": Laid(name, 0)}, stations), 0)


def calls(run: Run) -> str:
    return " ".join(f"{call.hex}/{call.stop}" for call in run.calls)


def test_a_train_calls_at_both_towns(shuttle: ModuleType) -> None:
    components = row_of_towns(shuttle)
    total, (run,), _ = best_runs(components, with_tile(components, "row", "N"), "N", ["2"])
    assert (total, calls(run)) == (60, "B1/0 B3/0 B3/1 B5/0")
    assert components.board.crossed(run.track) == (("B1", "B3"), ("B3", "B5"), ("B3", "B3"))
    total, (run,), _ = best_runs(components, with_tile(components, "parts", "N"), "N", ["2"])
    assert (total, calls(run)) == (30, "B1/0 B3/0")


def test_only_one_train_runs_between_the_towns(shuttle: ModuleType) -> None:
    """From both cities a train comes to the hex. One calls at both towns, the other meets it there."""
    components = row_of_towns(shuttle)
    position = with_tile(components, "row", "N", "N")
    total, runs, _ = best_runs(components, position, "N", ["1", "1"])
    assert (total, sorted(run.value for run in runs)) == (70, [30, 40])


def test_track_leads_on_behind_the_towns(shuttle: ModuleType) -> None:
    components = row_of_towns(shuttle)
    board = components.board
    east = board.number("B5") * PER_HEX
    for name, leads in (("row", True), ("parts", False), ("fork", True), ("thin", False)):
        position = with_tile(components, name, "N")
        assert (east in position.reach("N").stops) == leads, name
        place = board.number("B3")
        assert crossing(position, "N").runs_over(place, position.grounds[place]), name
    hexes = with_tile(components, "fork", "N").reach("N").hexes()
    assert {board.names[place] for place in hexes} == {"B3", "A4", "B5"}
    fork = with_tile(components, "fork", "-", "S")
    around = board.borders[board.number("A4")]
    assert fork.comes_from("S", board.number("A4"), around[2])
    assert not fork.comes_from("S", board.number("A4"), around[2], track=1 << board.inner[1][0])


def test_a_replacement_keeps_towns_joined(shuttle: ModuleType) -> None:
    tiles = row_of_towns(shuttle).board.tiles

    def becomes(old: str, new: str) -> tuple[int, ...] | None:
        return kept(tiles[old].faces[0], tiles[new].faces[0])

    assert becomes("row", "fork") == (0, 1)
    assert becomes("row", "one") == (0, 0)
    assert becomes("row", "parts") is None
    assert becomes("row", "thin") is None
    assert becomes("parts", "row") == (0, 1)


def test_looks_tell_joined_towns_apart(shuttle: ModuleType) -> None:
    tiles = row_of_towns(shuttle).board.tiles
    looks = {name: tiles[name].faces[0].shape() for name in ("row", "parts", "thin")}
    assert len(set(looks.values())) == 3
    assert tiles["row"].rotations == tiles["parts"].rotations == (0, 1, 2)


def test_track_between_towns_is_drawn(shuttle: ModuleType) -> None:
    components = row_of_towns(shuttle)
    board, position = components.board, with_tile(components, "row", "N")
    (line,) = re.findall('d="([^"]*)" class="track"', draw_tile(board.tiles["row"].faces[0]))
    assert line.count("M") == 3
    (line,) = re.findall('d="([^"]*)" class="track"', draw_tile(board.tiles["parts"].faces[0]))
    assert line.count("M") == 2
    layout = Layout({"B3": Laid("row", 0)}, [])
    for train, pieces in (("2", 5), ("1", 3)):
        (run,) = best_runs(components, position, "N", [train])[1]
        drawing = draw_map(board, layout, 0, [Way.of(board, run)])
        assert drawing.count('class="run-0"') == pieces


@pytest.mark.parametrize("kind", ["city", "junction"])
def test_only_towns_are_joined_so(shuttle: ModuleType, kind: str) -> None:
    data = data_of(shuttle)
    stop = {"kind": kind, "value": 0, "slots": int(kind == "city")}
    data["tiles"][0] |= {"stops": [TOWN, stop], "paths": [["e0", "s0"], ["s0", "s1"]]}
    with pytest.raises(KursbuchError, match="does not join an edge to another edge or a stop"):
        read(data)


def test_borders_inside_lie_behind_all_others(shuttle: ModuleType) -> None:
    board: Board = row_of_towns(shuttle).board
    sides = {border for row in board.borders for border in row}
    assert [list(inner) for inner in board.inner] == [[max(sides) + n] for n in range(1, 5)]
    assert board.behind(1, board.inner[1][0]) == 1
    assert board.behind(1, board.borders[1][0]) == board.number("B5")
    assert not any(map(len, shuttle.TITLE.ruleset.components.board.inner)), (
        "none where there are none"
    )
