"""Ways off a tile: what is a dead end, and that ways are found exactly."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest

from kursbuch.core.game import Game
from kursbuch.core.title import parse_data
from kursbuch.games.dice import TITLE
from kursbuch.games.dice.components import Board, BoardFile, standard_data
from kursbuch.games.dice.geography import Geography, bits
from kursbuch.games.dice.state import End, Piece
from tests.games.dice.scenario import NAMES, Scene, pieces, rich

GEO = TITLE.geography


@pytest.mark.rule("dice:ban-5")
def test_no_way_into_a_pocket() -> None:
    scene = Scene(2).line("A", "e4 e3 e2 e1 > N").cross("A", "meadow", "e7 e6 d6 c6 b6 b5 > N")
    rich(scene).line("A", "b4 c4 d4 > E")
    assert pieces(scene, "A") == {"e4N", "e4E", "e4S"}
    scene.line("A", "e4 > S")
    assert pieces(scene, "A") == {"e5E"}
    assert scene.refused("A lays A e5 to W") == "ban-5"
    assert scene.refused("A lays A e5 to S") == "ban-4"


@pytest.mark.rule("dice:ban-5")
def test_a_straight_into_a_closed_corner() -> None:
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 b4 > W")
    scene.cross("A", "meadow", "a4 b4 c4 c3 c2 b2 > W")
    rich(scene)
    # West of b2 there are only a1 to a3, b1, c1 …: north is the way out over b1 and a1.
    assert scene.refused("A lays A a2 to S") == "ban-5"
    assert scene.allowed("A lays A a2 to N")


@pytest.mark.rule("dice:ban-5", "dice:tile-9")
def test_where_nothing_leads_on_everything_is_allowed() -> None:
    """Scenario 12: an end that cannot leave its tile may be built into a dead end."""
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 b4 > W")
    scene.cross("A", "meadow", "a4 b4 c4 c3 c2 b2 > W")
    rich(scene)
    for row, column in ((-1, 1), (0, 2), (1, 1)):
        scene.place(row, column, "meadow")
    assert scene.allowed("A lays A a2 to S")
    assert scene.allowed("A lays A a2 to N")
    assert scene.refused("A lays A a2 to W") == "tile-9"
    scene.do("A lays A a2 to S", "A lays A a3 to E")
    assert scene.refused("A lays A b3 to E") == "ban-4"
    assert scene.state.ending == "", "the other end can go on"


@pytest.mark.rule("dice:ban-5")
def test_both_ends_must_get_off_the_start_tile() -> None:
    """The eastern end may not wall in the western one, which can only go north over c3."""
    scene = rich(Scene(2)).line("A", "e4 e5 d5 c5 b5 a5 a4 a3 > E")
    assert scene.refused("A lays A b3 to E") == "ban-5"
    assert scene.allowed("A lays A b3 to N")


@pytest.mark.rule("dice:ban-5")
def test_the_other_end_is_not_walled_in() -> None:
    scene = rich(Scene(2)).line("A", "e4 e5 d5 c5 b5 > N").line("B", "c4 c3 > W")
    # End B points to b3, end A to b4. On a4 or over b3 the ends would meet or cross.
    assert scene.refused("A lays A b4 to N") == "ban-5"
    assert scene.allowed("A lays A b4 to W")


@pytest.mark.rule("dice:ban-5")
def test_the_ends_need_ways_over_two_different_sides() -> None:
    """The eastern end can only go north: the western one may not take that side."""
    scene = rich(Scene(2)).line("A", "e4 e3 e2 f2 f1 > W").line("B", "c4 c3 c2 > N")
    assert scene.refused("A lays B c1 to N") == "ban-5"
    assert scene.allowed("A lays B c1 to W")
    # Nor may a piece leave it no other side.
    scene = rich(Scene(2)).line("A", "e4 e3 e2 f2 f1 > W").line("B", "c4 b4 b3 > W")
    scene.line("B", "a3 a2 b2 > N")
    assert scene.refused("A lays B b1 to E") == "ban-5"
    assert scene.refused("A lays B b1 to N") == "ban-5"
    assert scene.allowed("A lays B b1 to W")
    # A corner belongs to two sides.
    scene.do("A lays B b1 to W")
    assert scene.refused("A lays B a1 to N") == "ban-5"
    assert scene.allowed("A lays B a1 to W")


@pytest.mark.rule("dice:ban-5", "dice:tile-2")
def test_a_way_must_be_long_enough() -> None:
    """Five pieces are needed on the tile: from the corner only the long way round counts."""
    scene = Scene(2).line("A", "e4 e3 e2 e1 f1 g1 > E").cross("A", "meadow", "a1 > E")
    rich(scene)
    assert scene.refused("A lays A b1 to N") == "tile-2"
    assert scene.allowed("A lays A b1 to E")
    # The corner a1 could only be left with four pieces on the tile.
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "meadow", "a2 b2 > N")
    rich(scene)
    assert scene.refused("A lays A b1 to W") == "ban-5"
    assert scene.allowed("A lays A b1 to E")


def small_data(size: int) -> bytes:
    """Component data with tiles of another size, all of them meadow."""
    file = msgspec.json.decode(standard_data())
    file["geometry"]["size"] = size
    file["economy"]["minimum_pieces_before_leaving"] = size - 1
    for tile in file["tiles"]:
        tile["grid"], tile["sides"] = ["." * size] * size, ["meadow"] * 4
    return msgspec.json.encode(file)


def small_board(size: int) -> Board:
    """The board of such data."""
    return Board(parse_data(small_data(size), BoardFile))


def brute_reaches(start: int, free: int, outlets: int, least: int) -> bool:
    """Every simple path, one after the other."""

    def walk(square: int, left: int, length: int) -> bool:
        if outlets >> square & 1 and length >= least:
            return True
        return any(
            walk(other, left & ~(1 << other), length + 1)
            for other in bits(TITLE.board.around[square] & left)
        )

    return any(walk(square, free & ~(1 << square), 1) for square in bits(start & free))


def brute_apart(first: int, second: int, free: int, outlets: int) -> bool:
    def paths(start: int) -> set[int]:
        found: set[int] = set()

        def walk(square: int, used: int) -> None:
            if outlets >> square & 1:
                found.add(used)
                return
            for other in bits(TITLE.board.around[square] & free & ~used):
                walk(other, used | 1 << other)

        for square in bits(start & free):
            walk(square, 1 << square)
        return found

    return any(not one & other for one, other in itertools.product(paths(first), paths(second)))


@pytest.mark.rule("dice:ban-5")
def test_ways_are_found_exactly() -> None:
    """The searches agree with trying every path, on random tiles with few free squares."""
    rng = random.Random(5)
    found = [0, 0]
    for _ in range(500):
        free = sum(1 << square for square in rng.sample(range(49), rng.randint(4, 22)))
        border = sum(1 << square for square in rng.sample(range(49), 4)) & free
        start = 1 << rng.choice([*bits(free)])
        least = rng.randint(0, 4)
        answer = GEO.paths.reaches(start, free, border, least)
        assert answer == brute_reaches(start, free, border, least)
        found[answer] += 1
    assert min(found) > 40


@pytest.mark.rule("dice:ban-5")
def test_two_ways_are_found_exactly() -> None:
    rng = random.Random(6)
    found = [0, 0]
    for _ in range(500):
        # A dense corner of the tile, where lines have to get out of each other's way.
        area = [row * 7 + column for row in range(4) for column in range(4)]
        free = sum(1 << square for square in rng.sample(area, rng.randint(8, 15)))
        squares = [*bits(free)]
        outlets = sum(1 << square for square in rng.sample(squares, 3))
        first = sum(1 << square for square in rng.sample(squares, rng.choice([1, 1, 3])))
        second = 1 << rng.choice(squares)
        answer = GEO.paths.apart(first, second, free, outlets)
        assert answer == brute_apart(first, second, free, outlets)
        found[answer] += 1
    assert min(found) > 40


def can_both_leave(board: Board, starts: tuple[int, int], free: int, sides: int) -> bool:
    """Both ends built on, in whatever order, until each has left the tile over a side of its own.
    `starts` are the squares they point to as masks, 0 for an end that has left."""
    seen = set()

    def play(starts: tuple[int, int], free: int, sides: int) -> bool:
        if starts == (0, 0):
            return True
        if (starts, free, sides) in seen:
            return False
        seen.add((starts, free, sides))
        pieces = [(end, square) for end in (0, 1) for square in bits(starts[end] & free)]
        for end, square in pieces:
            left = free & ~(1 << square)
            for side, other in enumerate(board.neighbours[square]):
                if other < 0 and not sides >> side & 1:
                    continue
                then = list(starts)
                then[end] = 1 << other if other >= 0 else 0
                gone = 1 << side if other < 0 else 0
                if play((then[0], then[1]), left, sides & ~gone):
                    return True
        return False

    return play(starts, free, sides)


@pytest.mark.rule("dice:ban-5")
def test_two_ways_to_two_sides_are_found_exactly() -> None:
    """The flow agrees with building on in every way, on small tiles."""
    rng = random.Random(7)
    board = small_board(5)
    ways = Geography(board).paths
    found = [0, 0]
    for _ in range(600):
        free = sum(1 << square for square in rng.sample(range(25), rng.randint(5, 13)))
        squares = [*bits(free)]
        first = sum(1 << square for square in rng.sample(squares, rng.choice([1, 1, 3])))
        second = 1 << rng.choice(squares)
        sides = rng.choice([15, 15, 15, 13, 5, 3])
        answer = ways.apart(first, second, free, ways.over_sides(sides))
        assert answer == can_both_leave(board, (first, second), free, sides)
        found[answer] += 1
    assert min(found) > 40


@pytest.mark.rule("dice:ban-5")
def test_as_long_as_both_ends_are_on_the_start_tile_both_can_leave_it() -> None:
    """On small tiles: no piece that is allowed shuts an end in, and ban-5 forbids no other."""
    title = TITLE.with_data(small_data(5))
    geo, board = title.geography, title.board
    forbidden = 0
    for seed in range(150):
        game, rng = Game(title, NAMES[:2], seed=str(seed)), random.Random(seed)
        state = game.state
        while len(state.landscape) == 1:
            pieces = []
            sites = [geo.site(state, end) for end in (0, 1)]
            for end, site in enumerate(sites):
                other = sum(1 << square for square, _ in sites[1 - end].ways)
                for (square, back), side in itertools.product(site.ways, range(4)):
                    ban = geo.problem(site, square, back, side)
                    beyond = board.neighbours[square][side]
                    if ban is None and beyond >= 0:
                        pieces.append((end, Piece(square, back, side)))
                    free = board.every & ~(site.occupied | 1 << square)
                    if free.bit_count() > 13 or (ban is not None and ban.rule != "ban-5"):
                        continue
                    onward = 1 << beyond if beyond >= 0 else 0
                    sides = 15 if beyond >= 0 else 15 & ~(1 << side)
                    good = can_both_leave(board, (onward, other), free, sides)
                    assert good == (ban is None)
                    forbidden += not good
            if not pieces:
                break
            end, piece = rng.choice(pieces)
            state.large[0].pieces.append(piece)
            state.ends[end] = End(0, piece.square, piece.front)
    assert forbidden > 100


@pytest.mark.rule("dice:ban-5")
def test_on_a_new_tile_every_way_leads_to_every_outlet() -> None:
    """Why a connecting piece cannot lead into a dead end, whatever the component data say."""
    for size in (5, 7, 9):
        board = small_board(size)
        geo = Geography(board)
        for entry, side in itertools.product(range(board.squares), range(4)):
            if not board.borders[side] >> entry & 1:
                continue
            free = board.every & ~(1 << entry)
            for onward in board.neighbours[entry]:
                if onward >= 0:
                    for outlets in board.borders:
                        assert geo.paths.reaches(1 << onward, free, outlets, size - 2)
