"""Laying track: bans, new tiles, mountains and bridges."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest

from kursbuch.core.game import Game
from kursbuch.dice import TITLE
from kursbuch.dice import events as happened
from kursbuch.dice.actions import LayTrack, OpenTile
from kursbuch.dice.components import Board, parse_board, standard_data
from kursbuch.dice.geography import Geography
from kursbuch.dice.state import End, Piece
from kursbuch.dice.ways import bits
from tests.dice.scenario import NAMES, Scene, every, only

GEO = TITLE.geography


def pieces(scene: Scene, end: str) -> set[str]:
    """The pieces that can be laid at an end: "e4E" is a piece on e4 leading east."""
    return {
        choice.action.square + choice.action.side
        for choice in scene.choices(scene.on_turn(), LayTrack)
        if isinstance(choice.action, LayTrack) and choice.action.end == end
    }


def tiles(scene: Scene) -> set[str]:
    """The tiles that can be chosen."""
    return {
        f"{choice.action.tile}{choice.action.rotation}"
        for choice in scene.choices(scene.on_turn(), OpenTile)
        if isinstance(choice.action, OpenTile)
    }


def rich(scene: Scene) -> Scene:
    """Enough dice in front of A for any piece."""
    return scene.front("A", straight=4, curve=4, question=2)


def on_lake(**dice: int) -> Scene:
    """The end A points from the west to c2 of a lake tile; d2 is water, e2 meadow."""
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 b2 > E")
    return scene.front("A", **dice)


# ---- the line


@pytest.mark.rule("dice:track-1", "dice:track-4")
def test_one_line_with_two_ends() -> None:
    scene = rich(Scene(2))
    assert pieces(scene, "A") == {"e4N", "e4E", "e4S"}
    assert pieces(scene, "B") == {"c4N", "c4W", "c4S"}
    scene.do("A lays A e4 to N")
    assert pieces(scene, "A") == {"e3W", "e3N", "e3E"}
    assert scene.refused("A lays A f4 to E") == "track-4"
    assert scene.refused("A lays A d3 to N") == "track-4"
    assert scene.refused("A lays B e3 to N") == "track-4"
    assert scene.refused("A lays A e3 to S") == "track-4"


@pytest.mark.rule("dice:track-1", "dice:track-4", "dice:ban-3")
def test_no_branches_at_stations() -> None:
    scene = rich(Scene(2)).line("A", "e4 > E").station("A", "weiden", "f4", "meadow", 3)
    assert pieces(scene, "A") == {"f3W", "f3N", "f3E", "g4N", "g4S", "f5W", "f5S", "f5E"}
    scene.do("A lays A f3 to W", "A lays A e3 to W")
    assert pieces(scene, "A") == {"d3W", "d3N"}
    assert scene.refused("A lays A f5 to S") == "track-4"
    assert len(scene.state.ends) == 2


@pytest.mark.rule("dice:track-2")
def test_only_track_dice_in_front() -> None:
    scene = Scene(2).front("A", share=3, straight=1).behind("A", 5)
    assert pieces(scene, "A") == {"e4E"}
    assert scene.refused("A lays A e4 to N") == "track-2"
    scene.do("A lays A e4 to E")
    assert pieces(scene, "A") == set()


@pytest.mark.rule("dice:track-3")
def test_the_die_lies_on_the_tile() -> None:
    scene = Scene(2).front("A", curve=1, question=1)
    before = scene.supply()
    event = only(scene.do("A lays A e4 to S"), happened.TrackLaid)
    assert (event.curve, event.question, event.square) == (True, False, "e4")
    assert scene.faces("A") == {"question": 1}
    assert scene.supply() == before
    assert scene.state.ledger.held("die", "tile:0") == 2
    taken = rich(Scene(2)).line("A", "e4 > N").line("B", "c4 c3 d3 e3 > E")
    assert taken.refused("A lays A e3 to W") == "track-3"


# ---- bans


@pytest.mark.rule("dice:tile-2", "dice:tile-2-example", "dice:ban-1", "dice:tile-1")
def test_leaving_the_start_tile() -> None:
    """Scenario 1."""
    scene = Scene(2).line("A", "e4 f4 > E").front("A", straight=4)
    assert scene.refused("A lays A g4 to E") == "tile-2"
    scene.do("A lays B c4 to W", "A lays A g4 to E")
    assert scene.step() == "crossing"
    assert scene.refused("A ends turn") == "tile-1"
    assert scene.refused("A lays A g4 to E") == "tile-1"
    scene.do("A opens meadow")
    assert scene.step() == "joining"
    assert scene.refused("A ends turn") == "tile-7"
    scene.do("A lays A a4 to E")
    assert scene.step() == "turn"


@pytest.mark.rule("dice:ban-1", "dice:tile-7")
def test_a_piece_against_the_edge_needs_all_that_follows() -> None:
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 > W").front("A", straight=1)
    assert scene.refused("A lays A g4 to E") == "ban-1"
    scene.front("A", curve=1)
    assert scene.allowed("A lays A g4 to E")


@pytest.mark.rule("dice:ban-1", "dice:mountain-1", "dice:tile-7")
def test_extra_costs_belong_to_the_step() -> None:
    """Beyond a mountain side there are only mountain squares to go on."""
    scene = Scene(2).line("A", "e4 e3 e2 e1 > N").cross("A", "mountain2", "e7 e6 > N", 2)
    scene.line("A", "e5 > N").line("A", "e4 > W").line("A", "d4 c4 b4 > W")
    scene.front("A", straight=2)
    assert scene.title.board.layout(2, 2).terrain[3 * 7] == "M"
    assert scene.refused("A lays A a4 to W") == "mountain-1"
    scene.behind("A", 1)
    assert scene.allowed("A lays A a4 to W paying 1 behind")  # the same mountain goes on beyond
    events = scene.do("A lays A a4 to W paying 1 behind", "A opens mountain2", "A lays A g4 to W")
    assert len(every(events, happened.SurchargePaid)) == 1


@pytest.mark.rule("dice:tile-2")
def test_stations_and_the_other_half_count() -> None:
    scene = Scene(2).line("A", "e4 > E").station("A", "weiden", "f4", "meadow", 3)
    scene.front("A", curve=2)
    assert scene.refused("A lays A g4 to E") == "tile-2"
    scene.front("A", straight=2)
    assert scene.refused("A lays A g4 to E") == "tile-2"
    scene.line("B", "c4 > W")
    assert scene.allowed("A lays A g4 to E")


@pytest.mark.rule("dice:ban-2", "dice:lake-3", "dice:lake-1", "dice:lake-2")
def test_half_a_bridge() -> None:
    """Scenario 9."""
    scene = on_lake(curve=1, straight=1).behind("A", 4)
    assert scene.refused("A lays A c2 to E") == "ban-2"
    assert scene.refused("A lays A c2 to S") == "ban-2"
    assert pieces(scene, "A") == {"c2N"}
    scene.front("A", straight=1)
    events = scene.do("A lays A c2 to E")
    assert scene.step() == "bridge"
    assert scene.refused("A ends turn") == "lake-3"
    assert scene.refused("A rolls 1") == "lake-3"
    events = scene.do("A lays A d2 to E paying 2 behind", "A lays A e2 to N")
    assert [(e.lake, e.dice) for e in every(events, happened.SurchargePaid)] == [(True, 2)]
    assert scene.step() == "turn"
    assert scene.hidden("A") == 2


@pytest.mark.rule("dice:ban-2")
def test_a_curve_away_from_the_water_is_free() -> None:
    scene = on_lake(curve=1)
    scene.do("A lays A c2 to N")
    assert scene.step() == "turn"


@pytest.mark.rule("dice:lake-1")
def test_how_a_bridge_is_paid() -> None:
    scene = on_lake(curve=1, straight=2)
    assert scene.refused("A lays A c2 to E") == "ban-2"
    scene.front("A", question=1).behind("A", 1)
    scene.do("A lays A c2 to E")
    assert scene.refused("A lays A d2 to E") == "lake-1"
    before = scene.supply()
    scene.do("A lays A d2 to E paying 1 behind", "A lays A e2 to N")
    assert (scene.hidden("A"), scene.faces("A")) == (0, {})
    assert scene.supply() == before + 2


@pytest.mark.rule("dice:lake-1")
def test_a_bridge_may_be_paid_with_question_marks_only_if_track_remains() -> None:
    scene = on_lake(straight=2, question=3).behind("A", 1)
    scene.do("A lays A c2 to E")
    (choice,) = [
        choice
        for choice in scene.choices("A", LayTrack)
        if choice.action == scene.action("A lays A d2 to E")
    ]
    assert choice.amount is not None
    assert (choice.amount.low, choice.amount.high) == (0, 1)
    scene.do("A lays A d2 to E", "A lays A e2 to N with ?")
    assert scene.hidden("A") == 1


@pytest.mark.rule("dice:lake-2")
def test_a_long_bridge_costs_the_same_and_a_second_one_again() -> None:
    scene = on_lake(straight=4, curve=6).behind("A", 8)
    scene.do("A lays A c2 to S")
    events = scene.do(
        "A lays A c3 to S paying 2 behind",
        "A lays A c4 to S",
        "A lays A c5 to S",
        "A lays A c6 to W",
    )
    assert sum(event.dice for event in every(events, happened.SurchargePaid)) == 2
    assert scene.step() == "turn"
    scene.do("A lays A b6 to N", "A lays A b5 to N")
    assert scene.step() == "bridge"
    events = scene.do("A lays A b4 to W paying 2 behind")
    assert only(events, happened.SurchargePaid).dice == 2
    assert scene.hidden("A") == 4


@pytest.mark.rule("dice:lake-3", "dice:ban-1")
def test_a_bridge_may_end_with_a_new_tile() -> None:
    scene = on_lake(straight=9, curve=4).behind("A", 2)
    scene.do("A lays A c2 to E", "A lays A d2 to N paying 2 behind")
    assert scene.step() == "bridge"
    events = scene.do("A lays A d1 to N")
    assert scene.step() == "crossing"
    events += scene.do("A opens meadow", "A lays A d7 to N")
    assert scene.step() == "turn"
    assert every(events, happened.TileConnected)


@pytest.mark.rule("dice:ban-1", "dice:lake-3", "dice:tile-10")
def test_the_premium_counts_for_the_rest_of_the_step() -> None:
    """Beyond the northern edge the line meets the lake at once."""
    scene = Scene(2).line("A", "e4 e3 d3 d2 > N").line("B", "c4 > W").front("A", straight=2)
    scene.do("A lays A d1 to N")
    assert scene.refused("A opens lake") == "tile-7"
    scene.behind("A", 2)
    scene.do("A opens lake", "A lays A d7 to N")
    assert (scene.step(), scene.faces("A")) == ("bridge", {"question": 2})
    scene.do("A lays A d6 to E with ? paying 2 behind", "A lays A e6 to E with ?")
    assert (scene.step(), scene.faces("A"), scene.hidden("A")) == ("turn", {}, 0)


@pytest.mark.rule("dice:ban-2")
def test_a_bridge_may_start_from_a_station() -> None:
    scene = on_lake(straight=1, curve=1).behind("A", 2)
    scene.station("A", "insel", "c2", "lake", 3)
    assert scene.step() == "turn"
    scene.do("A lays A d2 to E paying 2 behind")
    assert scene.step() == "bridge"
    scene.do("A lays A e2 to N")


@pytest.mark.rule("dice:ban-3")
def test_a_station_has_two_exits() -> None:
    scene = rich(Scene(2)).line("A", "e4 > E").station("A", "weiden", "f4", "meadow", 3)
    scene.line("A", "f3 e3 d3 d2 > E").line("B", "c4 c5 d5 e5 > E")
    assert scene.refused("A lays B f5 to N") == "ban-3"
    assert scene.allowed("A lays B f5 to S")


@pytest.mark.rule("dice:ban-4")
def test_track_may_not_touch_track() -> None:
    scene = rich(Scene(2)).line("A", "e4 e3 > N").line("B", "c4 c3 > E")
    assert scene.refused("A lays B d3 to E") == "ban-4"
    assert scene.refused("A lays B d3 to S") == "ban-4"
    assert scene.allowed("A lays B d3 to N")
    parallel = rich(Scene(2)).line("A", "e4 e3 > W")
    assert parallel.allowed("A lays A d3 to W"), "side by side is not touching"


@pytest.mark.rule("dice:ban-4")
def test_no_piece_before_the_open_side_of_the_other_end() -> None:
    scene = rich(Scene(2)).line("A", "e4 e3 d3 > N").line("B", "c4 c3 c2 > E")
    assert pieces(scene, "A") == pieces(scene, "B") == set()
    assert scene.refused("A lays A d2 to N") == "ban-4"


# ---- dead ends


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
    return Board(parse_board(small_data(size)))


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
        answer = GEO.ways.reaches(start, free, border, least)
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
        answer = GEO.ways.apart(first, second, free, outlets)
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
    ways = Geography(board).ways
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


# ---- new tiles


@pytest.mark.rule("dice:tile-10", "dice:tile-11", "dice:tile-8", "dice:setup-3")
def test_first_connection() -> None:
    """Scenario 2."""
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 b4 a4 > W").front("A", straight=9)
    scene.state.ends[1].square, scene.state.ends[1].front = 22, 3
    scene.state.large[0].pieces.pop()
    scene.state.ledger.move("die", "tile:0", "supply")
    before = scene.supply()
    events = scene.do("A lays A g4 to E", "A opens meadow", "A lays A a4 to E")
    assert every(events, happened.TileCleared) == []
    assert only(events, happened.PremiumTaken).dice == 2
    assert scene.faces("A") == {"straight": 7, "question": 2}
    assert scene.supply() == before - 2
    assert scene.state.ledger.held("die", "tile:0") == 6
    assert [large.small for large in scene.state.large] == [0, 1]
    # The eastern end goes on to a third tile: its second one is cleared as usual.
    scene.line("A", "b4 c4 d4 e4 f4 > E")
    events = scene.do("A lays A g4 to E", "A opens meadow", "A lays A a4 to E")
    assert only(events, happened.TileCleared).dice == 7
    assert [large.small for large in scene.state.large] == [0, 2]
    # When the western end leaves the start tile it is cleared completely.
    events = scene.do("A lays B a4 to W", "A opens meadow", "A lays B g4 to W")
    assert only(events, happened.TileCleared).dice == 7
    assert [large.small for large in scene.state.large] == [2, 3]
    assert scene.state.ledger.held("small:meadow", "landscape") == 4


@pytest.mark.rule("dice:tile-10", "dice:end-4")
def test_premium_from_an_empty_bank() -> None:
    """Scenario 3: the dice of the old tile come back first."""
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 b4 a4 > W")
    scene.cross("A", "meadow", "a4 b4 c4 d4 e4 f4 > E").cross("B", "meadow", "g4 f4 > W")
    scene.station("B", "weiden", "e4", "meadow", 3)
    scene.front("A", straight=2).bank(0)
    events = scene.do("A lays A g4 to E", "A opens meadow", "A lays A a4 to E")
    assert only(events, happened.TileCleared).dice == 7
    assert scene.supply() == 5
    assert scene.state.ending == ""
    order = [type(event) for event in events]
    assert order.index(happened.TileCleared) < order.index(happened.PremiumTaken)


@pytest.mark.rule("dice:tile-11", "dice:end-4", "dice:tile-10")
def test_the_very_first_premium_can_break_the_bank() -> None:
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 > W").front("A", straight=2).bank(1)
    events = scene.do("A lays A g4 to E", "A opens meadow", "A lays A a4 to E")
    broken = only(events, happened.BankBroken)
    assert (broken.due, broken.left) == (2, 1)
    assert scene.game.over
    assert len(scene.state.landscape) == 2, "the connection counts"
    assert every(events, happened.PremiumTaken) == []


@pytest.mark.rule("dice:tile-10")
def test_stations_move_to_the_small_tile() -> None:
    scene = (
        Scene(2)
        .line("A", "e4 > E")
        .line("B", "c4 b4 a4 > W")
        .station("A", "weiden", "f4", "meadow", 3)
    )
    scene.cross("B", "meadow", "g4 > W").front("A", straight=2)
    events = scene.do("A lays A g4 to E", "A opens meadow", "A lays A a4 to E")
    assert only(events, happened.TileCleared).companies == ("weiden",)
    assert scene.state.landscape[0].stations == 1 << scene.company("weiden")
    assert [large.small for large in scene.state.large] == [1, 2]


@pytest.mark.rule("dice:tile-3")
def test_only_tiles_that_are_left() -> None:
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 > W").front("A", straight=2)
    scene.tiles(lake=0).do("A lays A g4 to E")
    assert tiles(scene) == {"meadow0", "mountain20", "mountain21", "mountain30"}
    assert scene.refused("A opens lake") == "tile-3"
    assert scene.refused("A opens desert") == "tile-3"
    scene.tiles(meadow=0, mountain2=0)
    assert tiles(scene) == {"mountain30"}
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 > W").front("A", straight=2)
    scene.tiles(lake=0, meadow=0, mountain2=0, mountain3=0)
    assert scene.refused("A lays A g4 to E") == "tile-9"


@pytest.mark.rule("dice:tile-4", "dice:tile-4-example")
def test_a_mountain_side_meets_a_mountain_side() -> None:
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 > W")
    # With the mountain in the east and south the line comes in over the meadow side in the west.
    scene.cross("A", "mountain2", "a4 b4 c4 d4 e4 f4 > E", 1).front("A", straight=3).behind("A", 1)
    scene.do("A lays A g4 to E paying 1 behind")
    assert tiles(scene) == {
        "mountain22", "mountain23", "mountain31", "mountain32", "mountain33"
    }  # fmt: skip
    assert scene.refused("A opens meadow") == "tile-4"
    assert scene.refused("A opens lake") == "tile-4"
    assert scene.refused("A opens mountain2") == "tile-4"


@pytest.mark.rule("dice:tile-5", "dice:tile-5-example")
def test_a_gap_in_the_landscape() -> None:
    """Mountain sides in the north and east, a meadow side in the west; the line comes from the east."""
    scene = Scene(2).line("A", "e4 e3 e2 e1 > N").line("B", "c4 > W")
    scene.cross("A", "mountain3", "e7 e6 e5 e4 e3 d3 c3 b3 > W")
    # North of the gap a tile with the mountain in the south, west of it a meadow.
    scene.place(-2, -1, "mountain3", 1).place(-1, -2, "meadow")
    scene.front("A", straight=3).behind("A", 3)
    assert scene.title.board.layout(3, 0).sides == ("mountain", "mountain", "mountain", "meadow")
    scene.state.landscape[1].rotation = 2  # now the mountain is in the west, too
    scene.do("A lays A a3 to W paying 1 behind")
    assert tiles(scene) == {"mountain20", "mountain30"}
    assert scene.refused("A opens lake") == "tile-4"
    assert scene.refused("A opens mountain2 turned 1") == "tile-5"
    assert scene.refused("A opens meadow turned 1") == "tile-5"


@pytest.mark.rule("dice:tile-6")
def test_no_way_back_to_a_place_already_built_on() -> None:
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 > W").front("A", straight=2)
    scene.place(0, 1, "meadow")
    assert scene.refused("A lays A g4 to E") == "tile-6"


@pytest.mark.rule("dice:tile-7")
def test_only_the_connecting_piece_connects() -> None:
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 > W").front("A", straight=1, curve=1)
    scene.do("A lays A g4 to E", "A opens mountain2 turned 1")
    assert len(scene.state.landscape) == 1
    assert pieces(scene, "A") == {"a4N", "a4S"}
    assert scene.refused("A lays A a4 to E") == "track-2"
    assert scene.refused("A lays A a5 to E") == "track-4"
    events = scene.do("A lays A a4 to N")
    assert [type(event).__name__ for event in events] == [
        "TrackLaid",
        "TileConnected",
        "PremiumTaken",
    ]
    tile = scene.state.landscape[1]
    assert (tile.row, tile.column, tile.rotation) == (0, 1, 1)
    assert TITLE.board.tiles[tile.tile].id == "mountain2"


@pytest.mark.rule("dice:tile-7", "dice:ban-5", "dice:tile-2")
def test_the_connecting_piece_obeys_the_bans() -> None:
    scene = Scene(2).line("A", "e4 e3 e2 e1 f1 > E").line("B", "c4 > W")
    scene.front("A", straight=1, curve=1, question=1)
    scene.do("A lays A g1 to E", "A opens meadow")
    assert pieces(scene, "A") == {"a1E", "a1S"}
    assert scene.refused("A lays A a1 to N") == "tile-2"


@pytest.mark.rule("dice:tile-8")
def test_the_same_type_again_and_again() -> None:
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 b4 > W").front("A", straight=2)
    scene.cross("A", "meadow", "a4 > E")
    scene.do("A lays B a4 to W", "A opens meadow", "A lays B g4 to W")
    types = {TITLE.board.tiles[tile.tile].id for tile in scene.state.landscape}
    assert types == {"meadow"}


@pytest.mark.rule("dice:tile-9", "dice:ban-5")
def test_a_single_exit_may_be_closed() -> None:
    """Scenario 17: north is a pocket, east is open."""
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 b4 > W")
    scene.cross("A", "meadow", "a4 b4 c4 d4 > N").front("A", straight=5, curve=3)
    scene.place(-2, 1, "meadow").place(-1, 2, "meadow").place(-1, 0, "meadow")
    scene.line("A", "d3 d2 > N")
    scene.do("A lays A d1 to N", "A opens meadow", "A lays A d7 to N")
    assert not GEO.alive(GEO.site(scene.state, 0))
    assert scene.state.ending == "", "the game goes on at the other end only"
    scene.line("A", "d6 d5 d4 d3 d2 > N")
    assert scene.refused("A lays A d1 to N") == "tile-9"
    assert scene.allowed("A lays A d1 to E")


# ---- mountains


def on_mountain(**dice: int) -> Scene:
    """The end A points from the west to the foot of a mountain in the east and south."""
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 > W")
    scene.cross("A", "mountain2", "a4 b4 > E", 1)
    return scene.front("A", **dice)


@pytest.mark.rule("dice:mountain-1")
def test_the_mountain_costs_a_die() -> None:
    scene = on_mountain(straight=3)
    board = scene.title.board
    first = next(
        square
        for square in range(3 * 7 + 2, 3 * 7 + 7)
        if board.layout(2, 1).mountain >> square & 1
    )
    scene.line("A", " ".join(board.names[n] for n in range(23, first)) + " > E")
    name = board.names[first]
    assert scene.refused(f"A lays A {name} to E") == "mountain-1"
    scene.behind("A", 1)
    assert scene.refused(f"A lays A {name} to E") == "mountain-1"
    before = scene.supply()
    assert scene.allowed(f"A lays A {name} to E paying 1 behind")
    scene.front("A", question=1)
    assert scene.allowed(f"A lays A {name} to E")
    event = only(scene.do(f"A lays A {name} to E"), happened.SurchargePaid)
    assert (event.dice, event.lake, event.behind) == (1, False, 0)
    assert (scene.supply(), scene.faces("A")) == (before, {"straight": 2})


@pytest.mark.rule("dice:mountain-2")
def test_one_mountain_is_paid_once_a_turn() -> None:
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 > W")
    scene.cross("A", "mountain2", "a4 b4 c4 d4 e4 > E", 1).front("A", straight=5, curve=3)
    scene.behind("A", 3)
    events = scene.do("A lays A f4 to E paying 1 behind", "A lays A g4 to E")
    events += scene.do("A opens mountain2 turned 3", "A lays A a4 to E", "A lays A b4 to E")
    assert len(every(events, happened.SurchargePaid)) == 1
    # Off the mountain and back on it in the same turn.
    grid = TITLE.board.layout(2, 3).terrain
    assert grid[3 * 7 : 4 * 7] == "MMM...."
    assert grid[2 * 7 : 3 * 7] == "MMMM..."
    scene.do("A lays A c4 to E", "A lays A d4 to N", "A lays A d3 to N with ?")
    assert scene.hidden("A") == 2
    scene.do("A ends turn")
    while scene.step() != "turn" or scene.on_turn() != "A":
        if scene.step() == "reduction":
            action = scene.game.legal_actions(scene.game.pending[0].seat)[0].action
            scene.game.apply(action)
        else:
            scene.end_turns(1)
    assert scene.state.agenda[-1].paid == []  # type: ignore[union-attr]


@pytest.mark.rule("dice:mountain-2")
def test_another_mountain_costs_again() -> None:
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 b4 a4 > W")
    scene.cross("A", "mountain2", "a4 b4 c4 d4 e4 > E", 1)
    scene.cross("B", "mountain2", "g4 f4 e4 d4 > W", 2).behind("A", 3).front("A", straight=2)
    assert TITLE.board.layout(2, 2).terrain[3 * 7 + 2] == "M"
    assert not TITLE.board.layout(2, 2).mountain & sum(1 << n for n in (27, 26, 25, 24))
    scene.do("A lays A f4 to E paying 1 behind", "A lays B c4 to W paying 1 behind")
    assert scene.hidden("A") == 1


@pytest.mark.rule("dice:ban-1", "dice:ban-2", "dice:lake-3")
def test_nobody_is_ever_stuck_in_a_step() -> None:
    """Whatever is begun can be finished, in many random positions."""
    rng = random.Random(13)
    seen = set()
    for round_ in range(20):
        game = Game(TITLE, NAMES[:2], seed=f"stuck {round_}")
        for _ in range(120):
            if game.over:
                break
            (decision,) = game.pending
            choices = game.legal_actions(decision.seat)
            assert choices, decision.step
            seen.add(decision.step)
            kinds = [choice for choice in choices if isinstance(choice.action, LayTrack)]
            choice = rng.choice(kinds if kinds and rng.random() < 0.7 else choices)
            game.apply(rng.choice([*choice.actions()]))
    assert seen >= {"turn", "crossing", "joining", "bridge"}


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
                        assert geo.ways.reaches(1 << onward, free, outlets, size - 2)
