"""Whether a line is isolated [iso-1], against a plain search through all ways of its locomotive.

Mazes are made on the real map: walls are hexes of the line itself, which it may not enter and which
have no other effect.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given

from kursbuch.games.rocket import state
from kursbuch.games.rocket.state import is_isolated
from kursbuch.hexmap.geometry import STEPS, Hex
from tests.games.rocket.randomplay import lengths, modest, options, played, players, seeds
from tests.games.rocket.scenario import LINES, Scene

#: This many hexes are tried at most; a search that needs more is not judged.
BUDGET = 8_000

GWR = LINES.index("GWR")


class TooLong(Exception):
    """The plain search takes too long."""


def reaches_something(scene: Scene, line: int, *, crossing: bool = False) -> bool:
    """Depth first over all ways that enter no hex twice (or, with `crossing`, no hex twice with
    the same facing), by the names of the hexes on the map."""
    state, board = scene.state, scene.board
    owner = {board.places[n]: o for n, o in enumerate(state.owner) if o >= 0}
    towns = {board.places[town.hex]: number for number, town in enumerate(board.towns)}
    land = set(board.places)
    start = {town.hex: True for town in board.towns if town.kind == "start"}
    budget = BUDGET

    def around(place: Hex) -> list[Hex]:
        return [Hex(place.row + rows, place.column + columns) for rows, columns in STEPS]

    def search(place: Hex, facing: int, path: set[object]) -> bool:
        nonlocal budget
        for edge, there in enumerate(around(place)):
            if facing >= 0 and (edge - facing) % 6 not in (0, 1, 5):
                continue
            mark: object = (there, edge) if crossing else there
            if there not in land or there in owner or there in towns or mark in path:
                continue
            budget -= 1
            if budget < 0:
                raise TooLong
            others = {owner[n] for n in around(there) if n in owner} - {line}
            if len(others) > 1:
                continue
            new = [
                towns[n]
                for n in around(there)
                if n in towns
                and board.towns[towns[n]].hex not in start
                and not state.connected[line] >> towns[n] & 1
            ]
            if others or new:
                return True
            if crossing:
                path.add(mark)
                if search(there, edge, path):
                    return True
            elif search(there, edge, path | {mark}):
                return True
        return False

    place = state.locomotive[line]
    return search(board.places[place], state.facing[line], set())


def judged(check: Callable[[], None]) -> None:
    """Carry out a comparison unless the plain search takes too long."""
    try:
        check()
    except TooLong:
        return


def alone() -> Scene:
    """All lines were merged into GWR, which is connected to every town."""
    scene = Scene()
    for line in LINES:
        if line != "GWR":
            scene.dissolve(line, into="GWR")
    scene.state.connected[GWR] = (1 << len(scene.board.towns)) - 1
    return scene


def put(scene: Scene, engine: int, facing: int, walls: Iterable[int]) -> Scene:
    """The locomotive of GWR and its walls."""
    for place in (engine, *walls):
        scene.state.owner[place] = GWR
    scene.state.locomotive[GWR] = engine
    scene.state.facing[GWR] = facing
    return scene


def maze(seed: int) -> Scene:
    """GWR somewhere, walled in at random; a few towns are not connected; sometimes there are single
    hexes of other lines."""
    rng = random.Random(seed)
    scene = alone()
    state, board = scene.state, scene.board
    free = [n for n, owner in enumerate(state.owner) if owner < 0 and board.town_at[n] < 0]
    walls_share = rng.choice([0.2, 0.35, 0.5, 0.6])
    walls = [place for place in free if rng.random() < walls_share]
    put(scene, rng.choice(free), rng.randrange(6), walls)
    goals = [n for n, town in enumerate(board.towns) if town.kind != "start"]
    for number in rng.sample(goals, rng.choice([0, 1, 1, 2])):
        state.connected[GWR] &= ~(1 << number)
    for other in rng.sample([0, 1, 2], rng.choice([0, 0, 1, 3])):
        state.merged_into[other] = -1
        for place in rng.sample(free, 2):
            if state.owner[place] < 0:
                state.owner[place] = other
    return scene


def open_country(seed: int) -> Scene:
    """Few walls, and the only town left, with a single access, lies close behind the locomotive."""
    rng = random.Random(seed)
    scene = alone()
    state, board = scene.state, scene.board
    free = [n for n, owner in enumerate(state.owner) if owner < 0 and board.town_at[n] < 0]
    goal = rng.choice([n for n, town in enumerate(board.towns) if town.kind != "start"])
    state.connected[GWR] &= ~(1 << goal)
    walls_share = rng.choice([0.05, 0.1, 0.15, 0.25])
    walls = [place for place in free if rng.random() < walls_share]
    access, *closed = rng.sample(
        [n for n in board.around[board.towns[goal].hex] if n in free],
        len([n for n in board.around[board.towns[goal].hex] if n in free]),
    )
    near = [
        place
        for place in free
        if place != access and board.places[place].distance(board.places[access]) <= 2
    ]
    open_walls = [place for place in walls if place != access]
    return put(scene, rng.choice(near), rng.randrange(6), [*open_walls, *closed])


TEARDROP = "I16 J17 K16 L15 M16 M18 M20 N21 O20 O18 N17 H15"


def teardrop(more: str = "") -> Scene:
    """GWR on H17 faces south-east; Burton upon Trent behind it can only be reached by H15, and for
    that the locomotive must turn round in the loop from M16 to N17."""
    scene = alone()
    board = scene.board
    burton = [town.name for town in board.towns].index("Burton upon Trent")
    scene.state.connected[GWR] &= ~(1 << burton)
    way = {board.hex_index[name] for name in (TEARDROP + " " + more).split()}
    walls = [n for n in range(len(board.places)) if n not in way and board.town_at[n] < 0]
    return put(scene, board.hex_index["H17"], 1, walls)


@pytest.mark.rule("rocket:iso-1")
def test_a_way_that_crosses_itself_is_none() -> None:
    scene = teardrop()
    assert reaches_something(scene, GWR, crossing=True)
    assert not reaches_something(scene, GWR)
    assert is_isolated(scene.state, scene.board, GWR)


@pytest.mark.rule("rocket:iso-1")
def test_a_longer_way_that_does_not_cross_itself() -> None:
    scene = teardrop("N15 M14 L13 K14 J13 I14")
    assert reaches_something(scene, GWR)
    assert not is_isolated(scene.state, scene.board, GWR)
    for gap in ("N15", "L13", "I14"):
        broken = teardrop("N15 M14 L13 K14 J13 I14".replace(gap, ""))
        assert is_isolated(broken.state, broken.board, GWR) != reaches_something(broken, GWR)


@pytest.mark.rule("rocket:iso-1", "rocket:move-6")
def test_a_hex_next_to_two_lines_is_no_way() -> None:
    """From L11 there is only L13, with LMR on K14 and YNM on M14."""
    for lines, isolated in (
        ({}, True),
        ({"K14": 0}, False),
        ({"M14": 1}, False),
        ({"K14": 0, "M14": 0}, False),
        ({"K14": 0, "M14": 1}, True),
    ):
        scene = alone()
        state, board = scene.state, scene.board
        walls = [
            n for n, name in enumerate(board.hex_names) if board.town_at[n] < 0 and name != "L13"
        ]
        put(scene, board.hex_index["L11"], 0, walls)
        for name, line in lines.items():
            state.merged_into[line] = -1
            state.owner[board.hex_index[name]] = line
        assert is_isolated(state, board, GWR) == isolated
        assert reaches_something(scene, GWR) != isolated


@pytest.mark.rule("rocket:iso-1")
@modest(12)
@given(players, options, seeds, lengths)
def test_in_random_games(seats: int, values: dict[str, str], seed: int, moves: int) -> None:
    scene = Scene(seats, options=values)
    scene.game = played(seats, values, seed, 3 * moves)
    for line, into in enumerate(scene.state.merged_into):
        if into >= 0:
            continue

        def check(line: int = line) -> None:
            reaches = reaches_something(scene, line)
            assert is_isolated(scene.state, scene.board, line) != reaches
            if not scene.game.over and scene.step() == "turn":
                assert scene.state.isolated[line] or reaches

        judged(check)


@pytest.mark.rule("rocket:iso-1")
def test_in_mazes() -> None:
    counts = Counter[Any]()
    for seed in range(150):
        scene = (maze, open_country)[seed % 2](seed)
        try:
            reaches = reaches_something(scene, GWR)
        except TooLong:
            counts["long"] += 1
            continue
        assert is_isolated(scene.state, scene.board, GWR) != reaches, seed
        counts[reaches] += 1
    assert min(counts[True], counts[False]) > 30
    assert counts["long"] < 50


def test_the_search_is_short_in_open_country(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: Counter[int] = Counter()
    plain = state._shortest_way

    def counted(*args: Any) -> Any:
        searches[seed] += 1
        return plain(*args)

    monkeypatch.setattr(state, "_shortest_way", counted)
    found = 0
    for seed in range(400):
        scene = open_country(seed)
        found += is_isolated(scene.state, scene.board, GWR)
    assert 0 < found < 400
    assert max(searches.values()) < 20
