"""What is drawn of a run is the track it used."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from kursbuch.eighteen.drawing.runs import Way, track_used
from kursbuch.eighteen.map.board import STOP, Path
from kursbuch.eighteen.map.runs import best_runs
from kursbuch.eighteen.map.takings import Run
from kursbuch.eighteen.map.tiles import shown
from kursbuch.eighteen.map.track import Laid, Layout
from kursbuch.eighteen.pieces import Components
from kursbuch.eighteen.t1835.components import standard as standard_1835
from kursbuch.eighteen.t1853.components import standard as standard_1853
from tests.eighteen import randomnet


def used(components: Components, layout: Layout, run: Run) -> Mapping[str, Sequence[Path]]:
    """What is drawn of a run, which leads from stop to stop and over each border once."""
    board = components.board
    way = Way.of(board, run)
    found = track_used(board, layout, way)
    ends: Counter[tuple[str, ...]] = Counter()
    for name, paths in found.items():
        stops = shown(board, layout.tiles, name).stops
        for path in paths:
            for end in path[:2]:
                if end < STOP:
                    other = board.neighbours[board.index[name]][end]
                    ends[tuple(sorted((name, board.names[other])))] += 1
                elif stops[end - STOP].kind != "junction":
                    ends[name, str(end - STOP)] += 1
    first, *between, last = [(call.hex, str(call.stop)) for call in run.calls]
    borders = [tuple(sorted(side)) for side in way.sides if side[0] != side[1]]
    assert ends == {first: 1, last: 1, **dict.fromkeys([*between, *borders], 2)}
    return found


@pytest.mark.parametrize(
    ("components", "maps", "often"),
    [(standard_1835(), 40, 4), (standard_1853(), 15, 0)],
    ids=["1835", "1853"],
)
def test_a_run_is_drawn_on_the_track_it_used(components: Components, maps: int, often: int) -> None:
    """Also where it passes a hex twice, which is possible on tiles of 1835 only."""
    rng = random.Random(1)
    trains = list(components.trains)
    twice = 0
    for _ in range(maps):
        layout = randomnet.layout(components.track, rng, 250, 6, 3)
        position = components.track.position(layout, 2)
        for run in best_runs(components, position, "X", rng.choices(trains, k=2)).runs:
            for paths in used(components, layout, run).values():
                twice += len(paths) > 1 and all(max(path[:2]) < STOP for path in paths)
    assert twice >= often


def test_a_run_past_a_station_is_drawn_past_it() -> None:
    """C13 has track that passes its station, on the way from D14 to C11."""
    board = standard_1835().board
    layout = Layout({"D14": Laid("9", 1)}, [])
    sides = [("D14", "C13"), ("C13", "C11")]
    hamburg, here = ("C11", 1), ("C13", 0)
    past, into = (
        [path[:2] for path in track_used(board, layout, Way(sides, calls))["C13"]]
        for calls in ({hamburg}, {hamburg, here})
    )
    assert past == [(1, 3)]
    assert into == [(1, STOP), (3, STOP)]
