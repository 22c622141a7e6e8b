"""Random networks and random positions of 1835."""

from __future__ import annotations

import random

from kursbuch.games.g18xx.map.board import Board
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.routes import Network, Segment, Stop, Train
from kursbuch.games.g18xx.map.tiles import fits
from kursbuch.games.g18xx.map.track import Laid, Layout, Station, TrackMap, TrackPosition


def network(rng: random.Random) -> Network:
    """A small network with everything the search knows: towns, groups, tolls, ends, gauges, shared
    track, several segments between two stops and some that lead back to their stop."""
    count = rng.randint(2, 11)
    stops = [
        Stop(
            rng.choice([10, 10, 20, 30, 40, 50, 60]),
            rng.random() < 0.35,
            rng.random() < 0.3,
            rng.random() < 0.15,
            rng.choice([-1, -1, -1, -1, 0, 1]),
            rng.choice([0, 0, 0, 10]),
        )
        for _ in range(count)
    ]
    stops = [stop._replace(end=stop.end and not stop.own) for stop in stops]
    bits = rng.randint(3, 20)
    segments = []
    for _ in range(rng.randint(1, 2 * count)):
        a = rng.randrange(count)
        b = min(max(a + rng.randint(-3, 3), 0), count - 1)
        track = 0
        for _ in range(rng.randint(0, 3)):
            track |= 1 << rng.randrange(bits)
        banks = rng.randint(0, 1), rng.randint(0, 1)
        segments.append(Segment(a, b, track, *banks, rng.choice([1, 1, 1, 2, 3])))
    return Network(tuple(stops), tuple(segments))


def trains(rng: random.Random) -> list[Train]:
    """One to four trains."""
    found = []
    for _ in range(rng.randint(1, 4)):
        range_ = rng.randint(1, 6)
        train = Train(range_, rng.choice([0, 0, range_, 99]), rng.choice([1, 1, 2]))
        found.append(train._replace(ends=int(rng.random() < 0.2)))
        if rng.random() < 0.4:
            found.append(found[-1])
    return found[:4]


def tiles(board: Board, rng: random.Random, lays: int, colours: int = 3) -> dict[str, Laid]:
    """A map on which this number of tiles were laid or replaced at random, mostly along each other."""
    laid: dict[str, Laid] = {}
    names = [record.id for record in board.records if record.first_phase is not None]
    for _ in range(lays):
        name = rng.choice(names)
        place = board.index[name]
        found = list(fits(board, laid, name, ("yellow", "green", "brown")[:colours]))
        if not found:
            continue
        joined = []
        for fit in found:
            edges = board.tiles[fit.tile].faces[fit.rotation].edges()
            touching = 0
            for edge in range(6):
                other = board.neighbours[place][edge]
                if edges >> edge & 1 and other >= 0:
                    near = laid.get(board.names[other])
                    face = (
                        board.printed[other]
                        if near is None
                        else board.tiles[near.tile].faces[near.rotation]
                    )
                    touching += face.edges() >> (edge + 3) % 6 & 1
            joined.append(1 + 10 * touching)
        fit = rng.choices(found, joined)[0]
        laid[name] = Laid(fit.tile, fit.rotation)
    return laid


def layout(track: TrackMap, rng: random.Random, lays: int, own: int, others: int) -> Layout:
    """A random map with this many markers of company "X" and of others, one per place."""
    return marked(track, rng, tiles(track.board, rng, lays), own, others)


def marked(
    track: TrackMap, rng: random.Random, laid: dict[str, Laid], own: int, others: int
) -> Layout:
    """Such markers on a map."""
    board = track.board
    position = track.position(Layout(laid, []), 2)
    places = [
        (board.names[ground.place], number)
        for ground in position.grounds
        for number, stop in enumerate(ground.face.stops)
        if stop.kind == "city" and ground.exits[number]
        for _ in range(stop.slots)
    ]
    rng.shuffle(places)
    stations: list[Station] = []
    hexes: set[str] = set()
    for name, number in places:
        if len(stations) < own and name not in hexes:
            stations.append(Station("X", name, number))
            hexes.add(name)
        elif len(stations) < own + others:
            stations.append(Station(f"Y{len(stations)}", name, number))
    return Layout(laid, stations)


def size(position: TrackPosition) -> int:
    """How many stops company "X" reaches."""
    return len({number // PER_HEX for number in position.network("X").stops})
