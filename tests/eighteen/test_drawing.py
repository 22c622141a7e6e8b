"""The drawing of the map holds what lies on it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from kursbuch.eighteen.drawing import draw_face, draw_map
from kursbuch.eighteen.t1835.components import standard
from kursbuch.eighteen.track import Laid, Layout, Station

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
            parts = list(draw_face(face, 0, 0))
            assert sum('class="track"' in part for part in parts) == len(face.paths)
            assert sum('class="city"' in part for part in parts) == sum(
                stop.slots for stop in face.stops
            )
            assert sum('class="town"' in part for part in parts) == face.kinds().count("town")
