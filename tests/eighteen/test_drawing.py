"""The drawing of the map holds what lies on it."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

from kursbuch.eighteen.drawing import lettering
from kursbuch.eighteen.drawing.look import SMALL
from kursbuch.eighteen.drawing.map import draw_face, draw_map
from kursbuch.eighteen.map.track import Laid, Layout, Station
from kursbuch.eighteen.t1835.components import standard
from kursbuch.hexmap.geometry import edge_middle

BOARD = standard().board


def values_now(drawing: str) -> set[str]:
    """The values of off-board stops that are pointed out as those of the phase."""
    return set(re.findall(r'class="value now"[^>]*>(\d+)<', drawing))


def test_the_map_is_drawn_with_tiles_markers_and_runs() -> None:
    layout = Layout({"F14": Laid("57", 0)}, [Station("M3", "F14", 0)])
    drawing = draw_map(BOARD, layout, 0, [[("F12", "F14")]], "1835")
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
            assert drawing.count('class="track"') == len(face.paths)
            assert drawing.count('class="city"') == sum(stop.slots for stop in face.stops)
            assert drawing.count('class="town"') == face.kinds().count("town")


def test_the_value_of_a_stop_is_not_covered_by_another_stop() -> None:
    for tile in BOARD.tiles.values():
        for face in tile.faces:
            points = lettering.stop_points(face, 0, 0, 1)
            for number, (x, y) in enumerate(lettering.values(face)):
                at = (points[number][0] + x, points[number][1] + y)
                for other, point in enumerate(points):
                    reach = lettering.radius(face.stops[other], SMALL)
                    assert other == number or math.dist(at, point) > reach, tile.id


def test_a_name_stands_where_no_track_runs() -> None:
    for rotation in range(6):
        # One city with straight track through it, which leaves room on either side.
        face = BOARD.tiles["57"].faces[rotation]
        ((x, y),), _ = lettering.place(face, ("Kiel",))
        for path in face.paths:
            edge_x, edge_y = edge_middle(0, 0, 1, min(path[:2]))
            assert abs(x * edge_y - y * edge_x) / math.hypot(edge_x, edge_y) > 0.15


def test_every_stop_says_where_its_track_leads() -> None:
    drawing = draw_map(BOARD, Layout({"F14": Laid("57", 0)}, []), 0)
    assert 'data-pick="stop:F14/0" data-edges="03"' in drawing
