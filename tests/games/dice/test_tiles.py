"""Connecting new tiles."""

from __future__ import annotations

import pytest

from kursbuch.games.dice import TITLE
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import OpenTile
from tests.games.dice.scenario import Scene, pieces
from tests.happened import every, only

GEO = TITLE.geography


def tiles(scene: Scene) -> set[str]:
    """The tiles that can be chosen."""
    return {
        f"{choice.action.tile}{choice.action.rotation}"
        for choice in scene.choices(scene.on_turn(), OpenTile)
        if isinstance(choice.action, OpenTile)
    }


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
