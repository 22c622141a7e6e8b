"""The ways of trains on a drawn map: lines of their own colours, each dashed in its own way."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

from kursbuch.games.g18xx.drawing.faces import SIZE, TRACK, Point, path_data
from kursbuch.games.g18xx.drawing.look import Sizes
from kursbuch.games.g18xx.map.board import STOP, Board, Face, Path
from kursbuch.games.g18xx.map.revenue import Run
from kursbuch.games.g18xx.map.tiles import shown
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.hexmap import svg

#: The colours of the runs, which colour-blind readers can tell apart as well.
RUNS = ("#0072b2", "#d55e00", "#009e73", "#cc3d92", "#5b2c83", "#6b5500")
#: How wide a run is drawn, and the white under it.
RUN_WIDTH = 5.5
RUN_HALO = 9.0
#: So many ways of telling what a run used are looked at, if it passes many hexes in which that is not clear.
MOST_CHOICES = 500


class Way(NamedTuple):
    """Where a train runs: the sides between hexes that it crosses, and the stops (hex and number) that it calls at."""

    sides: Sequence[tuple[str, str]]
    calls: Collection[tuple[str, int]]

    @staticmethod
    def of(board: Board, run: Run) -> Way:
        """That of a run."""
        return Way(board.crossed(run.track), {(call.hex, call.stop) for call in run.calls})


def draw_run_sample(number: int) -> str:
    """A short line as a run is drawn on the map."""
    height = 2 * RUN_HALO
    line = f"M{RUN_HALO} {RUN_HALO}H{SIZE + RUN_HALO}"
    return svg.document(
        SIZE + height,
        height,
        [_run_line(line, number, halo) for halo in (True, False)],
        label="",
        aria_hidden="true",
    )


def draw_run(
    board: Board,
    layout: Layout,
    centres: Sequence[Point],
    way: Way,
    sizes: Sizes,
    number: int,
) -> list[str]:
    """The way of the train with that number."""
    lines = []
    for name, paths in track_used(board, layout, way).items():
        face = shown(board, layout.tiles, name)
        centre = centres[board.index[name]]
        lines += [path_data(face, a, b, *centre, SIZE, sizes) for a, b, _ in paths]
    return [_run_line(line, number, halo) for halo in (True, False) for line in lines]


def run_dashes(number: int) -> str | None:
    """How the line of the N-th run is broken, so that colour is not all that tells runs apart."""
    return (None, "9 7", "0.1 8", "13 7 0.1 7", "5 6", "18 6 5 6")[number % len(RUNS)]


def _run_line(line: str, number: int, halo: bool) -> str:
    """A piece of a run, or the white under it."""
    return svg.element(
        "path",
        d=line,
        class_="halo-run" if halo else f"run-{number}",
        stroke="#ffffff" if halo else RUNS[number % len(RUNS)],
        stroke_width=RUN_HALO if halo else RUN_WIDTH,
        stroke_dasharray=None if halo else run_dashes(number),
        **TRACK,
    )


def track_used(board: Board, layout: Layout, way: Way) -> Mapping[str, Sequence[Path]]:
    """The track in every hex that a train used: such that it is one line, and calls where the train does. Where several
    are, all bring the same."""
    crossed: dict[str, set[int]] = {}
    for one, two in way.sides:
        for here, there in ((one, two), (two, one)):
            around = (*board.neighbours[board.index[here]], board.index[here])
            crossed.setdefault(here, set()).add(around.index(board.index[there]))
    faces = {name: shown(board, layout.tiles, name) for name in crossed}
    found = [_choices(faces[name].paths, edges) for name, edges in crossed.items()]
    for chosen in islice(product(*found), MOST_CHOICES):
        used = dict(zip(crossed, chosen, strict=True))
        if _served(faces, used) == set(way.calls) and _is_one_line(board, used):
            return used
    return {name: choices[0] for name, choices in zip(crossed, found, strict=True)}


def _choices(paths: Sequence[Path], edges: set[int]) -> list[list[Path]]:
    """What a train can have used of a hex of which it crossed these edges, each on one piece of track."""
    # Track between two stops crosses no border: see `Board.crossed`.
    inner = [path for path in paths if min(path[:2]) >= STOP in edges]
    outer = [path for path in paths if min(path[:2]) < STOP]
    return [[*inner, *chosen] for chosen in _covers(outer, frozenset(edges - {STOP}))] or [inner]


def _served(faces: Mapping[str, Face], used: Mapping[str, Sequence[Path]]) -> set[tuple[str, int]]:
    """The stops that track leads to; a train passes junctions without calling at them."""
    return {
        (name, end - STOP)
        for name, paths in used.items()
        for path in paths
        for end in path[:2]
        if end >= STOP and faces[name].stops[end - STOP].kind != "junction"
    }


def _covers(paths: Sequence[Path], edges: frozenset[int]) -> Iterator[list[Path]]:
    """The choices of track that lead over each of these edges once, and over no other."""
    if not edges:
        yield []
        return
    edge = min(edges)
    for path in paths:
        ends = {end for end in path[:2] if end < STOP}
        if edge in ends and ends <= edges:
            for more in _covers(paths, edges - ends):
                yield [path, *more]


def _is_one_line(board: Board, used: Mapping[str, Sequence[Path]]) -> bool:
    """Whether track hangs together."""
    groups: list[set[tuple[str, ...]]] = []
    for name, paths in used.items():
        for path in paths:
            ends = {_end(board, name, end) for end in path[:2]}
            apart = [group for group in groups if group.isdisjoint(ends)]
            ends.update(*(group for group in groups if not group.isdisjoint(ends)))
            groups = [*apart, ends]
    return len(groups) == 1


def _end(board: Board, name: str, end: int) -> tuple[str, ...]:
    """A stop, or a side between two hexes, whichever of them it is seen from."""
    if end >= STOP:
        return name, str(end)
    other = board.neighbours[board.index[name]][end]
    return tuple(sorted((name, board.names[other])))
