"""Maps of 1853 for tests: track written as the hexes it leads to, and slow searches to compare with."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product

from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.games.g18xx.actions import LayTile
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.components import standard
from kursbuch.games.g18xx.map.board import STOP
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.track import Laid, TrackPosition
from kursbuch.games.g18xx.state import EndTurn, NextCompany
from tests.games.g18xx.g1853.table import Scene

BOARD = standard().board


def tile(text: str) -> str:
    """A tile with track to certain hexes and nowhere else, as `Scene.tiles` has it. "H24 H22 I25" is the
    yellow tile of standard gauge that fits H24 and leads to H22 and I25; "metre H24 H22 I25" is of metre
    gauge; "H24 12 H22 I25 I23" names the tile, "H24 102" one that leads everywhere, "H24 109 2" gives
    its rotation."""
    words = text.split()
    gauge = 2 if words[0] == "metre" else 1
    hex, *rest = words[gauge == 2 :]
    if rest[-1].isdigit() and len(rest) == 2:
        return f"{hex}:{rest[0]}:{rest[1]}"
    place = BOARD.number(hex)
    names = [rest.pop(0)] if not rest or rest[0] in BOARD.tiles else [*BOARD.tiles]
    around = [BOARD.names[other] if other >= 0 else "" for other in BOARD.neighbours[place]]
    wanted = sum(1 << around.index(other) for other in rest) or 63
    for name in names:
        record = BOARD.tiles[name]
        face = record.faces[0]
        if len(names) > 1 and (
            record.colour != "yellow"
            or face.paths[0].gauge != gauge
            or face.kinds() != BOARD.printed[place].kinds()
        ):
            continue
        for rotation in record.rotations:
            if record.faces[rotation].edges() == wanted:
                return f"{hex}:{name}:{rotation}"
    raise AssertionError(f"no tile for {text}")


def land(scene: Scene, *tiles: str) -> Scene:
    """Tiles on the map."""
    return scene.tiles(*map(tile, tiles))


def lay(text: str) -> str:
    """The move that lays such a tile."""
    hex, name, rotation = tile(text).split(":")
    return f"lays {name} on {hex} turned {rotation}"


def may(scene: Scene, name: str, text: str) -> bool:
    """Whether a player may lay a tile now."""
    return scene.listed(scene.read(f"{name} {lay(text)}"))


def lays(scene: Scene, name: str = "A") -> set[tuple[str, str]]:
    """The hexes with the tiles a player may lay on them now."""
    texts = [text.split() for text in scene.can(name)]
    return {(words[3], words[1]) for words in texts if words[0] == "lays" and words[2] == "on"}


def company(name: str = "EIR", *, money: int = 1000, phase: str = "", dual: str = "off") -> Scene:
    """A company in operation, with A as its director."""
    scene = Scene(dual_any_gauge=dual)
    if phase:
        scene.phase(phase)
    if name == "BBCI":
        scene.large()
    scene.shares(name, A=3).operating(name).money(**{name: money})
    scene.state.charters[name].right = "later" if scene.state.charters[name].large else ""
    return scene


def go_on(scene: Scene, name: str, *steps: type) -> Scene:
    """The turn of a company, beginning with one of these steps."""
    scene.state.agenda.clear()
    return scene.on(NextCompany(), EndTurn(name), *(kind(name) for kind in reversed(steps)))


def can_run(scene: Scene, company: str, *runs: str) -> str:
    """What a company's trains earn by runs chosen by hand, in the form "H24/0-H22/0": "revenue+mail", or
    the rule that forbids them."""
    try:
        found = scene.ruleset.depot.picked_runs(
            scene.state, company, [[*filter(None, run.split("-"))] for run in runs], 0
        )
    except IllegalAction as refused:
        return TITLE.rules.cite(refused.rule)
    return f"{found.revenue}+{found.mail}"


def runs(scene: Scene, line: str) -> list[Event]:
    """Runs chosen by hand, which are not listed."""
    return scene.position.apply(scene.read(line))


def every_tile(seat: int) -> Iterator[LayTile]:
    """Every tile on every hex in every rotation."""
    for hex, (name, record) in product(BOARD.names, BOARD.tiles.items()):
        for rotation in record.rotations:
            yield LayTile(seat, hex, name, rotation)


# ---- slow searches


class Slow:
    """Every way over the track of a position, followed piece by piece.

    A piece is what lies between two ends on one hex, or a border. A way uses no piece twice and comes to
    no stop twice, nor to two stations of one city. Its gauges are those of all its pieces, or where
    the gauge changes on dual track those of its last piece.
    """

    def __init__(self, position: TrackPosition, company: str = "", *, free: bool = False) -> None:
        self.position = position
        self.company = company
        self.free = free
        self.bits: dict[object, int] = {}

    def piece(self, *what: object) -> int:
        """A piece as a bit."""
        return self.bits.setdefault(what, 1 << len(self.bits))

    def closed(self, stop: int) -> bool:
        """Whether nothing leads beyond a stop."""
        shown = self.position.grounds[stop // PER_HEX].face.stops[stop % PER_HEX]
        owners = self.position.markers.get(stop, [])
        return (
            not self.free
            and shown.kind == "city"
            and len(owners) >= shown.slots
            and self.company not in owners
        )

    def key(self, stop: int) -> int:
        group = self.position.track.group[stop // PER_HEX]
        return stop if group < 0 else -1 - group

    def ways(self, start: int) -> Iterator[tuple[int, list[tuple[int, int]], int, int]]:
        """Every way from a stop on: where it is (hex and end, a stop as STOP and more), all ends it has
        come to, its pieces, its gauges. A way that has come to an end of track on a border is given
        before it crosses."""
        yield from self._on(start // PER_HEX, STOP + start % PER_HEX, [], 0, 3, {self.key(start)})

    def _on(
        self,
        hex: int,
        end: int,
        ends: list[tuple[int, int]],
        used: int,
        gauges: int,
        stops: set[int],
    ) -> Iterator[tuple[int, list[tuple[int, int]], int, int]]:
        for path in self.position.grounds[hex].face.paths:
            if end not in path[:2] or not path.gauge & gauges:
                continue
            there = path.b if path.a == end else path.a
            piece = self.piece(hex, min(path[:2]), max(path[:2]))
            if used & piece:
                continue
            common = path.gauge if self.position.mixed else path.gauge & gauges
            yield from self._at(hex, there, [*ends, (hex, there)], used | piece, common, stops)

    def _at(
        self,
        hex: int,
        end: int,
        ends: list[tuple[int, int]],
        used: int,
        gauges: int,
        stops: set[int],
    ) -> Iterator[tuple[int, list[tuple[int, int]], int, int]]:
        if end >= STOP:
            stop = hex * PER_HEX + end - STOP
            junction = self.position.grounds[hex].face.stops[end - STOP].kind == "junction"
            if not junction:
                if self.key(stop) in stops:
                    return
                yield hex, ends, used, gauges
                if self.closed(stop):
                    return
                stops = stops | {self.key(stop)}
            yield from self._on(hex, end, ends, used, gauges, stops)
            return
        yield hex, ends, used, gauges
        other = self.position.board.neighbours[hex][end]
        border = self.piece("border", self.position.board.borders[hex][end])
        if other < 0 or used & border:
            return
        across = (end + 3) % 6
        for path in self.position.grounds[other].face.paths:
            if across in path[:2] and path.gauge & gauges:
                yield from self._on(other, across, ends, used | border, gauges, stops)
                return

    def next_stops(self, start: int) -> set[int]:
        """The stops that are next on ways from a stop."""
        found = set()
        ways = [(start // PER_HEX, STOP + start % PER_HEX, 0, 3)]
        while ways:
            hex, end, used, gauges = ways.pop()
            for path in self.position.grounds[hex].face.paths:
                piece = self.piece(hex, min(path[:2]), max(path[:2]))
                common = path.gauge & gauges
                if end not in path[:2] or not common or used & piece:
                    continue
                there = path.b if path.a == end else path.a
                now = used | piece
                if there >= STOP:
                    stop = hex * PER_HEX + there - STOP
                    if self.position.grounds[hex].face.stops[there - STOP].kind == "junction":
                        ways.append((hex, there, now, common))
                    else:
                        found.add(stop)
                    continue
                border = self.piece("border", self.position.board.borders[hex][there])
                other = self.position.board.neighbours[hex][there]
                if other >= 0 and not now & border:
                    ways.append((other, (there + 3) % 6, now | border, common))
        return found


def slow_apart(slow: Slow, first: int, second: int, most: int) -> bool | None:
    """Whether two ways from different stations come to track of two hexes without a common piece, by
    trying all pairs; None if there are too many."""
    found: list[dict[int, set[int]]] = []
    for goal in (first, second):
        by_start: dict[int, set[int]] = {}
        for start in slow.position.stations(slow.company):
            begins = by_start.setdefault(start, set())
            for count, (hex, _, used, _) in enumerate(slow.ways(start)):
                if count > most:
                    return None
                if hex == goal:
                    begins.add(used)
        found.append(by_start)
    return any(
        not one & other
        for a, ones in found[0].items()
        for b, others in found[1].items()
        if a != b
        for one, other in product(least(ones), least(others))
    )


def least(sets: set[int]) -> list[int]:
    """The sets that hold no other one."""
    ordered = sorted(sets, key=int.bit_count)
    kept: list[int] = []
    for one in ordered:
        if not any(one & other == other for other in kept):
            kept.append(one)
    return kept


def with_own(rng: random.Random, tiles: Mapping[str, Laid]) -> str:
    """A hex with a city and no tile, for a marker of its own."""
    return rng.choice(
        [
            name
            for name, face in zip(BOARD.names, BOARD.printed, strict=True)
            if [*face.kinds()] == ["city"] and name not in tiles and not face.paths
        ]
    )
