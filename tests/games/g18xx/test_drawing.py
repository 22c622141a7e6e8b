"""The drawing of the map holds what lies on it."""

from __future__ import annotations

import math
import re
from typing import Any
from xml.etree import ElementTree

import pytest

import kursbuch
from kursbuch.core.words import Words
from kursbuch.games.g18xx.components import column_and_row
from kursbuch.games.g18xx.drawing import lettering
from kursbuch.games.g18xx.drawing.faces import draw_face, gauges
from kursbuch.games.g18xx.drawing.look import LARGE, USUAL
from kursbuch.games.g18xx.drawing.map import Way, draw_map, map_parts, outline, point
from kursbuch.games.g18xx.drawing.sheets import chart_places, chart_size
from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.g1853.components import standard as india
from kursbuch.games.g18xx.g1853.drawing import map_look
from kursbuch.games.g18xx.lookup import Policy
from kursbuch.games.g18xx.map.board import Face, Path
from kursbuch.games.g18xx.map.track import Laid, Layout, Station
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.hexmap.svg import width

BOARD = standard().board


def values_now(drawing: str) -> set[str]:
    """The values of off-board stops that are pointed out as those of the phase."""
    return set(re.findall(r'class="value now"[^>]*>(\d+)<', drawing))


def test_the_map_is_drawn_with_tiles_markers_and_runs() -> None:
    layout = Layout({"F14": Laid("57", 0)}, [Station("M3", "F14", 0)])
    drawing = draw_map(BOARD, layout, 0, [Way([("F12", "F14")], {("F12", 0), ("F14", 0)})], "1835")
    ElementTree.fromstring(drawing)
    picks = re.findall(r'data-pick="hex:(\w+)"', drawing)
    assert sorted(picks) == sorted(BOARD.names)
    assert "F14 #57" in drawing
    assert ">M3</text>" in drawing
    assert drawing.count('class="run-0"') == 2  # half a tile on each side of the border
    assert 'class="bar"' in drawing
    assert values_now(drawing) == {"20", "0"}
    assert values_now(draw_map(BOARD, layout, 1)) == {"20", "30", "50"}


def test_every_tile_can_be_drawn_in_every_rotation() -> None:
    for tile in BOARD.tiles.values():
        for face in tile.faces:
            drawing = "".join(draw_face(face, 0, 0))
            tracks = re.findall(r'd="([^"]*)" class="track"', drawing)
            assert sum(one.count("M") for one in tracks) == len(face.paths)
            assert drawing.count('class="city"') == sum(stop.slots for stop in face.stops)
            assert drawing.count('class="town"') == face.kinds().count("town")


def test_the_value_of_a_stop_is_not_covered_by_another_stop() -> None:
    for tile in BOARD.tiles.values():
        for face in tile.faces:
            points = lettering.stop_points(face, 0, 0, 1, USUAL)
            for number, value in enumerate(lettering.values(face, USUAL)):
                if value is None:
                    continue
                at = (points[number][0] + value[0], points[number][1] + value[1])
                for other, middle in enumerate(points):
                    reach = lettering.radius(face.stops[other], USUAL)
                    assert math.dist(at, middle) > reach, tile.id


def test_every_stop_says_where_its_track_leads() -> None:
    drawing = draw_map(BOARD, Layout({"F14": Laid("57", 0)}, []), 0)
    assert 'data-pick="stop:F14/0" data-edges="03"' in drawing


# ---- gauges

INDIA = india().board
LOOKS = dict.fromkeys(india().public, ("#000000", "#ffffff"))


def straight(gauge: int) -> str:
    return "".join(draw_face(Face("yellow", "", (), (Path(0, 3, gauge),)), 0, 0))


def test_gauges_are_told_apart_by_what_is_light_within_the_track() -> None:
    standard, metre, dual = (straight(gauge) for gauge in (1, 2, 3))
    assert "core" not in standard
    assert 'class="core metre"' in metre
    assert "dasharray" not in metre
    assert 'class="core dual"' in dual
    assert "dasharray" in dual
    for drawing in (standard, metre, dual):
        assert drawing.count('class="track"') == 1


def test_only_maps_of_several_gauges_have_more_than_one() -> None:
    assert gauges(BOARD) == ["standard"]
    assert gauges(INDIA) == ["standard", "metre", "dual"]


@pytest.mark.parametrize(("crossed", "drawn"), [([("J8", "J10")], 1), ([("J8", "J10")] * 2, 2)])
def test_track_between_two_stops_is_part_of_a_run_that_uses_it(
    crossed: list[tuple[str, str]], drawn: int
) -> None:
    sides = crossed[:1] + [("J10", "J10")] * (len(crossed) - 1)
    layout = Layout({"J10": Laid("71", 3)}, [])
    drawing = draw_map(INDIA, layout, 0, [Way(sides, {("J8", 0), ("J10", 0), ("J10", 1)})])
    assert drawing.count('class="run-0"') == drawn


# ---- lettering


def boxes_of(text: str, at: tuple[float, float]) -> lettering.Box:
    return lettering.box(at, (width(text, LARGE.value), LARGE.value * lettering.HIGH))


def apart(one: lettering.Box, two: lettering.Box) -> bool:
    return one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


@pytest.mark.parametrize("tile", INDIA.tiles)
def test_large_values_do_not_cover_stops_or_each_other(tile: str) -> None:
    face = INDIA.tiles[tile].faces[0]
    points = lettering.stop_points(face, 0, 0, 1, LARGE)
    taken: list[lettering.Box] = []
    for stop, (x, y), value in zip(face.stops, points, lettering.values(face, LARGE), strict=True):
        if value is None:
            continue
        box = boxes_of(str(stop.value), (x + value[0], y + value[1]))
        for other, middle in zip(face.stops, points, strict=True):
            reach = lettering.radius(other, LARGE)
            wide = reach * max(1, other.slots)
            slack = 0.16  # the corners of a box lie outside of a round station
            size = (2 * wide - slack, 2 * reach - slack)
            assert reach == 0 or apart(box, lettering.box(middle, size)), tile
        assert all(apart(box, other) for other in taken)
        taken.append(box)
    if any(stop.value for stop in face.stops):
        assert taken


@pytest.mark.parametrize("tile", ["55", "56"])
def test_towns_on_tracks_that_cross_are_two(tile: str) -> None:
    one, two = lettering.stop_points(INDIA.tiles[tile].faces[0], 0, 0, 1, LARGE)
    assert math.dist(one, two) > 2 * LARGE.town


def test_names_of_places_are_apart_from_each_other_and_from_stations() -> None:
    look = map_look(india())
    found = lettering.names(INDIA, INDIA.printed, look.notes, (), LARGE)
    assert set(found) == {record.id for record in INDIA.records if record.name}
    boxes: list[lettering.Box] = []
    for name, (x, y) in found.items():
        left, top = INDIA.hexes[INDIA.number(name)].centre(1)
        text = INDIA.records[INDIA.number(name)].name
        box = lettering.box(
            (left + x, top + y), (width(text, LARGE.name), LARGE.name * lettering.HIGH)
        )
        station = lettering.box((left, top), (2 * LARGE.city - 0.1, 2 * LARGE.city - 0.1))
        if len(INDIA.printed[INDIA.number(name)].stops) == 1:
            assert apart(box, station), text
        assert all(apart(box, other) for other in boxes), text
        boxes.append(box)


def test_terrain_is_shown_until_a_tile_lies_there() -> None:
    look = map_look(india())

    def signs(tiles: dict[str, Laid]) -> tuple[int, int, int]:
        _, _, parts, _ = map_parts(INDIA, Layout(tiles, []), looks=LOOKS, look=look)
        drawing = "".join(parts)
        return tuple(drawing.count(one) for one in ('"terrain-mountain"', ">140/70<", ">+200<"))  # type: ignore[return-value]

    before, after = signs({}), signs({"C5": Laid("7", 0)})
    assert [a - b for a, b in zip(before, after, strict=True)] == [1, 1, 1]


def test_the_border_of_an_area_runs_around_it_once() -> None:
    places = [point(INDIA, name, LARGE) for name in INDIA.names]
    whole = outline(INDIA, places, INDIA.names, 46)
    two = outline(INDIA, places, ["C11", "C13"], 46)
    assert whole.count("M") == 1
    assert (two.count("M"), two.count("L")) == (1, 9)


# ---- a chart of one row


def test_a_chart_of_one_row_is_drawn_in_lines() -> None:
    ruleset = Ruleset[Any](india(), Policy(turn=()))
    places = chart_places(ruleset)
    assert (places["A1"], places["L1"], places["M1"], places["AI1"]) == (
        (0, 0),
        (11, 0),
        (0, 1),
        (10, 2),
    )
    assert len(set(places.values())) == 35
    wide, tall = chart_size(ruleset)
    assert wide > tall > 0


def test_other_charts_are_drawn_as_they_are() -> None:
    ruleset = Ruleset[Any](standard(), Policy(turn=()))
    assert chart_places(ruleset) == {cell: column_and_row(cell) for cell in ruleset.chart.price}


@pytest.mark.parametrize("name", ["1835", "1853"])
def test_the_sheet_of_shares_says_what_players_earn_and_are_worth(name: str) -> None:
    """Every company by its whole name, and figures of every player as the cards have them."""
    title: Any = kursbuch.title(name)
    game = kursbuch.load(title.specimen)
    state, words = game.state, Words("en", tuple(game.names))
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", title.draw(state, words))
    for seat, worth in enumerate(title.worth(state)):
        income = title.ruleset.market.round_income(state, seat)
        assert {words.number(worth), words.number(income)} <= {*texts}
    for public in title.ruleset.public.values():
        assert any(text and text in public.record.name for text in texts if len(text) > 5)
    assert not [text for text in texts if text.endswith("…")]


@pytest.mark.parametrize("name", ["1835", "1853"])
def test_own_colours_are_those_of_classes_in_the_drawing(name: str) -> None:
    title: Any = kursbuch.title(name)
    game = kursbuch.load(title.specimen)
    drawing = title.draw(game.state, Words("en", tuple(game.names)))
    used = re.findall(r'class="[^"]*\b(of-\w+)"[^>]*fill="(#\w+)"', drawing)
    shared = [(kind, colour) for kind, colour in used if kind in title.own_colours]
    assert shared
    assert all(title.own_colours[kind] == colour for kind, colour in shared)
