"""Random positions of 1853."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from kursbuch.core.game import Game
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.components import standard
from kursbuch.games.g18xx.map.board import Board
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.revenue import Obligation
from kursbuch.games.g18xx.map.tiles import fits, shown
from kursbuch.games.g18xx.map.track import Laid, Layout
from kursbuch.games.g18xx.state import Pay
from tests.games.g18xx import randomnet


class Case(NamedTuple):
    """A position in which the trains of a company run."""

    layout: Layout
    phase: int
    trains: list[str]
    mail: bool
    duties: list[Obligation]
    company: str = "X"


def met(board: Board, laid: dict[str, Laid], place: int, edge: int) -> int:
    """The gauges of the track with which a neighbour comes to a side of a hex."""
    other = board.neighbours[place][edge]
    if other < 0:
        return 0
    face = shown(board, laid, board.names[other])
    return sum(gauge for gauge in (1, 2) if face.edges(gauge) >> (edge + 3) % 6 & 1)


def grown(board: Board, rng: random.Random, lays: int, colours: list[str]) -> dict[str, Laid]:
    """A map on which track has been laid or replaced this number of times, mostly where it goes on from other
    track of its gauge."""
    laid: dict[str, Laid] = {}
    metre = rng.random()
    names = [record.id for record in board.records if record.first_phase is not None]
    while lays:
        name = rng.choice(names)
        place = board.index[name]
        near = [met(board, laid, place, edge) for edge in range(6)]
        if not any(near) and rng.random() < 0.97:
            continue
        lays -= 1
        found = list(fits(board, laid, name, colours))
        if not found:
            continue
        weights = []
        for fit in found:
            face = board.tiles[fit.tile].faces[fit.rotation]
            joined = sum(
                1
                for gauge in (1, 2)
                for edge in range(6)
                if near[edge] & gauge and face.edges(gauge) >> edge & 1
            )
            liked = {1: 1 - metre, 2: metre}.get(max(path.gauge for path in face.paths), 1)
            weights.append((1 + 20 * joined**3) * liked)
        fit = rng.choices(found, weights)[0]
        laid[name] = Laid(fit.tile, fit.rotation)
    return laid


def case(seed: int) -> Case:
    """A position with trains of its phase up to the limit; now and then with trains of any phase."""
    rng = random.Random(seed)
    components = standard()
    board, track = components.board, components.track
    record = rng.choice(components.phases)
    least = rng.choice([1, 8, 16, 32])
    segments = 0
    while segments < least:
        tiles = grown(board, rng, rng.choice([80, 160, 320, 640]), record.tiles)
        layout = randomnet.marked(track, rng, tiles, rng.randint(1, 5), rng.randint(0, 14))
        position = track.position(layout, record.number - 1)
        segments = len(position.network("X").network.segments)
        least -= 1
    known = [
        name
        for name in components.train_order
        if rng.random() < 0.15 or record.number in phases_of(name)
    ]
    limit = record.train_limit.public or 1
    count = rng.choice([limit, rng.randint(1, limit)])
    trains = sorted(rng.choices(known, k=count), key=components.train_order.index)
    duties = []
    if rng.random() < 0.4:
        own = [(one.hex, one.stop) for one in layout.stations if one.company == "X"]
        by = tuple(own[:2]) if rng.random() < 0.7 else ()
        found = position.network("X")
        network, numbers = found.network, found.stops
        stops: Sequence[int] = range(len(network.stops))
        if rng.random() < 0.8:  # where more can meet it
            stops = [
                segment.a + segment.b - stop
                for segment in network.segments
                for stop in (segment.a, segment.b)
                if network.stops[stop].own
            ] or stops
        for number in rng.sample(stops, min(len(stops), rng.choice([1, 1, 1, 2]))):
            place, stop = divmod(numbers[number], PER_HEX)
            duties.append(Obligation(board.names[place], rng.choice([-1, stop]), by))
    return Case(layout, record.number, trains, rng.random() < 0.85, duties)


def played(seed: int) -> list[Case]:
    """Positions of a game played at random, in which trains run."""
    rng = random.Random(seed)
    players = [f"Player {number}" for number in range(rng.randint(3, 6))]
    game = Game(TITLE, players, seed=str(seed))
    position, ruleset = game.position, TITLE.ruleset
    found = []
    while not position.over:
        deciders = position.deciders()
        choices = position.legal_actions(deciders[0])
        position.apply(rng.choice(choices).action)
        state = position.state
        step = state.agenda[-1] if state.agenda else None
        if isinstance(step, Pay):
            company = step.company
            layout = Layout(dict(state.layout.tiles), list(state.layout.stations))
            trains = ruleset.depot.running_trains(state, company)
            duties = list(ruleset.depot.duties(state, company))
            found.append(Case(layout, ruleset.phase(state).number, trains, True, duties, company))
    return found


def phases_of(train: str) -> range:
    """The phases in which a train runs."""
    records = {record.id: record for record in standard().file.trains}
    last = records[train].scrapped_by
    return range(records[train].phase, records[last].phase if last else 6)
