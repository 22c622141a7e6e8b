"""What is drawn of a run is the track it used."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from kursbuch.games.g18xx.components import Components
from kursbuch.games.g18xx.drawing.map import Way, track_used
from kursbuch.games.g18xx.g1835.components import standard as standard_1835
from kursbuch.games.g18xx.g1853.components import standard as standard_1853
from kursbuch.games.g18xx.map.board import STOP, Board
from kursbuch.games.g18xx.map.revenue import Run, best_runs
from kursbuch.games.g18xx.map.tiles import shown
from kursbuch.games.g18xx.map.track import Laid, Layout
from tests.games.g18xx import randomnet


def end(board: Board, name: str, number: int) -> tuple[str, ...]:
    """A stop, or a side of two hexes."""
    if number >= STOP:
        return name, str(number - STOP)
    other = board.neighbours[board.index[name]][number]
    return tuple(sorted((name, board.names[other])))


def check(components: Components, layout: Layout, run: Run) -> None:
    """What is drawn of a run leads from its first stop to its last, over each border once."""
    board = components.board
    way = Way.of(board, run)
    pieces = [
        [end(board, name, number) for number in path[:2]]
        for name, paths in track_used(board, layout, way).items()
        for path in paths
    ]
    junctions: set[tuple[str, ...]] = {
        (name, str(number))
        for name in layout.tiles
        for number, stop in enumerate(shown(board, layout.tiles, name).stops)
        if stop.kind == "junction"
    }
    ends = Counter[tuple[str, ...]](
        one for piece in pieces for one in piece if one not in junctions
    )
    first, *between, last = [(call.hex, str(call.stop)) for call in run.calls]
    borders: list[tuple[str, ...]] = [
        tuple(sorted(side)) for side in way.sides if side[0] != side[1]
    ]
    wanted = Counter([*between, *borders] * 2 + [first, last])
    assert ends == wanted
    reached: set[tuple[str, ...]] = {first}
    for _ in pieces:
        reached.update(one for piece in pieces if not reached.isdisjoint(piece) for one in piece)
    assert reached >= set(ends)


@pytest.mark.parametrize(
    ("components", "maps"),
    # On some of these maps of 1835 other choices would fit the borders as well.
    [(standard_1835(), [*range(10), 26, 124, 198, 214]), (standard_1853(), range(10))],
    ids=["1835", "1853"],
)
def test_a_run_is_drawn_on_the_track_it_used(components: Components, maps: Sequence[int]) -> None:
    """Also where it passes a hex twice."""
    trains = list(components.trains)[-2:]
    for seed in maps:
        layout = randomnet.layout(components.track, random.Random(seed), 400, 6, 0)
        position = components.track.position(layout, 2)
        runs = best_runs(components, position, "X", trains).runs
        assert runs
        for run in runs:
            check(components, layout, run)


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
