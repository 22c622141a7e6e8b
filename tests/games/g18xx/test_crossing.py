"""Routes over a hex with other track, against a plain search for all ways."""

from __future__ import annotations

import random

import pytest

from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.tiles import crossing, fits
from kursbuch.games.g18xx.map.track import Laid, Layout, Station, TrackPosition

BOARD, TRACK = standard().board, standard().track


def plain(position: TrackPosition, company: str, place: int) -> bool:
    """Whether some way from a station of the company uses track of a hex and comes to another
    station."""
    around = position.around[place]

    def ways(here: int, border: int, track: int, passed: frozenset[int]) -> bool:
        for stop, onward, beyond, _ in position.walk(company)[here][border, 1]:
            now = passed
            if stop >= 0:
                key = position.stop_key(stop)
                if key in passed:
                    continue
                now = passed | {key}
                if position.value(stop) and track & around:
                    return True
            free = onward >= 0 and beyond >= 0 and not track >> onward & 1
            if free and ways(beyond, onward, track | 1 << onward, now):
                return True
        return False

    return any(
        behind >= 0 and ways(behind, border, 1 << border, frozenset({position.stop_key(start)}))
        for start in position.stations(company)
        for border, behind, _, _ in position.grounds[start // PER_HEX].exits[start % PER_HEX]
    )


def some_layout(rng: random.Random) -> Layout:
    """Tiles laid at random around Berlin, Leipzig and Magdeburg, some of them replaced, and markers
    in some cities."""
    tiles: dict[str, Laid] = {}
    names = [name for name in BOARD.names if name[0] in "DEFGH" and 10 <= int(name[1:]) <= 20]
    for colours in (["yellow"], ["yellow", "green"], ["yellow", "green", "brown"]):
        for name in rng.sample(names, len(names) * 2 // 3):
            found = list(fits(BOARD, tiles, name, colours, unlimited=True))
            if found:
                fit = rng.choice(found)
                tiles[name] = Laid(fit.tile, fit.rotation)
    grounds = TRACK.position(Layout(tiles), 2).grounds
    cities = [
        Station("XYZ"[number % 3], BOARD.names[place], stop)
        for number, (place, stop) in enumerate(
            (place, stop)
            for place, ground in enumerate(grounds)
            for stop, shown in enumerate(ground.face.stops)
            if shown.kind == "city" and BOARD.names[place] in (*names, "E19", "F10", "D8")
        )
    ]
    return Layout(tiles, rng.sample(cities, min(len(cities), 6)))


@pytest.mark.rule("1835:5.5.1.14b")
@pytest.mark.parametrize("seed", range(12))
def test_random_replacements(seed: int) -> None:
    rng = random.Random(seed)
    layout = some_layout(rng)
    position = TRACK.position(layout, seed % 3)
    found = set()
    for place, name in enumerate(BOARD.names):
        if name[0] not in "DEFGH":
            continue
        options = list(fits(BOARD, layout.tiles, name, unlimited=True))
        for company in "XYZ":
            routes = crossing(position, company)
            assert routes.now(place) == plain(position, company, place)
            for fit in rng.sample(options, min(3, len(options))):
                ground = TRACK.ground(name, fit.tile, fit.rotation)
                after = position.changed(place, ground, fit.stops)
                expected = plain(after, company, place)
                assert routes.runs_over(place, ground, fit.stops) == expected, (name, fit, company)
                found.add(expected)
    assert found == {True, False}
