"""Target tiles: when they can be handed in, and all eighteen conditions."""

from __future__ import annotations

import msgspec
import pytest

from kursbuch.core.words import Words
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.state import DraftPrice
from tests.games.nimm.scenario import Scene
from tests.happened import every, only


def scene3(tile: int, **locos: str) -> Scene:
    """A holds one tile; it is B's turn, so that A must not be asked."""
    own = {"A": "E3 D5 S5", "B": "D6 E1 S1", "C": "E4 D4 S2"} | locos
    return Scene(3).own(**own).tiles(A=str(tile)).open("food50 coal150 cattle100")


def usable(scene: Scene, tile: int, name: str = "A") -> bool:
    """Whether the tile can be handed in, both by the list of choices and by the check."""
    line = f"{name} hands in target-{tile}"
    if f"hands in target-{tile}" in scene.can(name):
        return True
    assert scene.refused(line) == "target-use-1"
    return False


@pytest.mark.rule("nimm:target-use-1", "nimm:setup-6")
def test_a_tile_is_used_once_in_anybodys_turn_and_not_replaced() -> None:
    scene = scene3(9).load("A", 1, "coal150 coal150").turn("B", "B A C")
    assert not usable(scene, 9)
    scene.load("A", 1, "coal150")
    assert scene.deciders() == "B"  # the game does not wait for A, nor shows that he could
    event = only(scene.do("A hands in target-9"), happened.TargetUsed)
    assert event.amounts == (800, 0, 0)
    assert scene.purse("A") == 5800
    assert scene.state.tiles == [0, 0, 0]
    shown = scene.game.view(2).state.ledger.items["target:target-9"]
    assert shown == {"used": 1}  # everybody sees it from now on
    assert scene.refused("A hands in target-9") == "target-use-1"
    assert scene.deciders() == "B"


@pytest.mark.rule("nimm:target-use-1")
def test_tiles_of_others_and_in_phase_one() -> None:
    scene = scene3(9).load("B", 1, "coal150 coal150 coal150").turn("B", "B A C")
    assert scene.refused("B hands in target-9") == "target-use-1"
    scene = Scene(2).tiles(A="16 9").own(A="S1 D1", B="E1").coming("S2", "S3", "S4")
    scene.auction("turn")
    assert scene.refused("A hands in target-16") == "target-use-1"
    assert not any(line.startswith("hands in") for line in scene.can("A"))
    assert scene.refused("B hands in target-16") == "target-use-1"


@pytest.mark.rule("nimm:target-use-1", "nimm:stop-1")
def test_before_the_payment_everybody_with_tiles_is_asked() -> None:
    """Whether someone could use a tile does not show."""
    scene = scene3(10).tiles(B="12 11").load("A", 1, "oil200 oil200").load("C", 1, "food50")
    scene.load("C", 1, "food50 food50 food50").turn("C", "C A B")
    events = scene.do("C takes food50 for train 1")
    assert only(events, happened.RoundEnded).seat == 2
    assert scene.deciders() == "AB"
    assert scene.can("A") == scene.can("B") == ["is ready"]
    scene.do("B is ready")
    assert scene.refused("B is ready") == "target-use-1"
    assert every(scene.do("A is ready"), happened.ProfitPaid)
    assert scene.state.round == 2


@pytest.mark.rule("nimm:target-use-1", "nimm:target-14", "nimm:auction-pass-6")
def test_a_bonus_may_pay_for_the_locomotives_that_earn_it() -> None:
    """Passed on and turned up: everybody has three, though no one has paid yet."""
    scene = Scene(2).own(A="S3 S4 S7", B="E1 D1 S5").money(A=2000).tiles(A="14 4 9", B="16")
    scene.run(DraftPrice([0, 1]))
    assert (scene.deciders(), scene.step()) == ("A", "too-dear")
    assert scene.can("A") == [
        "hands in target-14",
        *[f"turns down {loco}" for loco in ("S3", "S4", "S7")],
    ]
    words = Words("en", "AB")
    prompt = TITLE.voice(words).prompt(scene.state, scene.game.pending[0])
    assert "$2,400" in prompt
    assert "hand in a target tile first" in prompt
    for tile in (4, 9):  # the order is not yet known, and nothing is coupled
        assert scene.refused(f"A hands in target-{tile}") == "target-use-1"
    assert scene.can("B") == ["hands in target-16"]
    assert scene.refused("B turns down E1") == "auction-pass-6"
    events = scene.do("A hands in target-14")
    assert [type(event) for event in events[:2]] == [happened.TargetUsed, happened.DraftPaid]
    assert scene.purse("A") == 2000 + 1500 - 2400
    assert scene.locos("A") == ["S3", "S4", "S7"]
    assert scene.step() == "turn"


@pytest.mark.rule("nimm:target-use-1", "nimm:auction-pass-6")
def test_a_bonus_may_be_just_enough() -> None:
    scene = Scene(2).own(A="S3 S4 S7", B="E1 D1 S5").money(A=900).tiles(A="14")
    scene.run(DraftPrice([0, 1])).do("A hands in target-14")
    assert (scene.purse("A"), scene.locos("A"), scene.step()) == (0, ["S3", "S4", "S7"], "turn")


@pytest.mark.rule("nimm:target-use-1", "nimm:auction-pass-6")
def test_a_bonus_that_is_not_enough_and_tiles_of_others() -> None:
    scene = Scene(2).own(A="S3 S4 S7", B="E1 D1 S5").money(A=850).tiles(A="14 18 1", B="16")
    scene.run(DraftPrice([0, 1]))
    scene.do("B hands in target-16", "A hands in target-14")
    assert (scene.deciders(), scene.step(), scene.purse("A")) == ("A", "too-dear", 2350)
    assert scene.refused("A hands in target-14") == "target-use-1"
    scene.do("A turns down S7")
    assert scene.purse("A") == 2350 - 400 * 2
    assert scene.purse("B") == 5000 + 600 - 1000 * 3


@pytest.mark.rule("nimm:target-use-2")
def test_several_tiles_at_once_without_ending_the_turn() -> None:
    scene = scene3(9).tiles(A="4 2").load("A", 1, "coal150 coal150 coal150").money(A=0)
    scene.turn("A", "A B C")
    assert not any(line.startswith("replaces") for line in scene.can("A"))
    scene.do("A hands in target-9", "A hands in target-4")
    assert scene.purse("A") == 1100
    scene.do("A replaces food50")
    assert scene.purse("A") == 500
    scene.do("A passes")
    assert scene.deciders() == "B"


@pytest.mark.rule("nimm:target-use-3", "nimm:target-3")
def test_spare_locomotives_count_for_wagons_only() -> None:
    scene = scene3(13, A="D1 D2 -").turn("B", "B A C")
    assert not usable(scene, 13)
    scene = scene3(3, A="D1 D2 -").turn("B", "B A C")
    scene.load("A", 1, "coal150 coal150 coal150").load("A", 2, "food50 food50 food50 food50")
    scene.load("A", 3, "oil200 oil200")
    assert not usable(scene, 3)
    scene.load("A", 3, "oil200")
    assert usable(scene, 3)
    scene.do("A hands in target-3")
    assert scene.purse("A") == 5800
    scene = scene3(9, A="D1 D2 -").load("A", 3, "coal150 coal150 coal150").turn("B", "B A C")
    assert usable(scene, 9)


@pytest.mark.rule("nimm:target-1")
def test_two_targets_fulfilled() -> None:
    scene = scene3(1).tiles(A="4 9").load("A", 1, "coal150 coal150 coal150").turn("B", "A B C")
    assert not usable(scene, 1)
    scene.do("A hands in target-4")
    assert not usable(scene, 1)
    scene.do("A hands in target-9", "A hands in target-1")
    assert scene.purse("A") == 5000 + 300 + 800 + 1000


@pytest.mark.rule("nimm:target-1")
def test_tiles_used_in_earlier_rounds_count() -> None:
    scene = scene3(1).tiles(A="4 9").turn("B", "A B C")
    scene.do("A hands in target-4")
    scene.state.round = 3
    scene.load("A", 1, "coal150 coal150 coal150")
    assert not usable(scene, 1)  # a condition that holds is not enough
    scene.do("A hands in target-9")
    assert usable(scene, 1)


@pytest.mark.rule("nimm:target-2")
@pytest.mark.parametrize("line", ["bonus", "multiplier for train 1", "double for train 1"])
def test_a_special_card_taken(line: str) -> None:
    scene = scene3(2).load("A", 1, "food50").turn("A", "A B C")
    scene.state.display.clear()
    scene.open("bonus multiplier double")
    assert not usable(scene, 2)
    scene.coming("oil200").do(f"A takes {line}")
    assert (scene.deciders(), scene.step()) == ("A", "special-taken")
    assert scene.can("A") == ["hands in target-2", "is ready"]
    assert scene.refused("A passes") == "target-use-1"
    purse = scene.purse("A")
    scene.do("A hands in target-2")
    assert scene.purse("A") == purse + 600
    assert scene.deciders() == "B"


@pytest.mark.rule("nimm:target-2")
def test_a_special_card_taken_by_another_does_not_count() -> None:
    scene = scene3(2).tiles(B="5").open("bonus").turn("B", "B A C")
    scene.coming("oil200").do("B takes bonus")
    assert scene.step() == "special-taken"
    assert not usable(scene, 2)


@pytest.mark.rule("nimm:target-2")
def test_the_tile_says_which_special_cards_count() -> None:
    data = TITLE.cards.file
    tiles = [
        msgspec.structs.replace(tile, args={"cards": ["double"]}) if tile.id == "target-2" else tile
        for tile in data.target_tiles
    ]
    data = msgspec.structs.replace(data, target_tiles=tiles)
    scene = Scene(2, title=TITLE.with_data(msgspec.json.encode(data)))
    scene.own(A="E3 D5 S5", B="- - -").tiles(A="2").load("A", 1, "food50")
    scene.open("bonus double food50").turn("A", "A B").coming("oil200", "oil200")
    scene.do("A takes bonus")
    assert scene.can("A") == ["is ready"]
    scene.do("A is ready", "B passes", "A takes double for train 1")
    assert scene.can("A") == ["hands in target-2", "is ready"]


@pytest.mark.rule("nimm:target-2")
def test_only_to_the_end_of_the_same_turn() -> None:
    scene = scene3(2).tiles(B="5 6", A="7").turn("A", "A B C")
    scene.state.display[:] = []
    scene.open("bonus food50 multiplier").coming("oil200").do("A takes bonus")
    assert not usable(scene, 6, "B")
    scene.do("A is ready")
    assert scene.deciders() == "B"
    assert not usable(scene, 2)
    # Anyone who has no tile at all is not asked.
    scene.do("B passes")
    scene.coming("oil200").do("C takes multiplier for train 1")
    assert (scene.deciders(), scene.step()) == ("A", "turn")


@pytest.mark.rule("nimm:target-4", "nimm:target-5")
def test_first_and_last_in_the_order() -> None:
    for tile, first, last in ((4, True, False), (5, False, True)):
        assert usable(scene3(tile).turn("B", "A B C"), tile) is first
        assert usable(scene3(tile).turn("B", "C B A"), tile) is last
        assert not usable(scene3(tile).turn("B", "B A C"), tile)


@pytest.mark.rule("nimm:target-4", "nimm:target-5")
def test_the_bonus_for_the_first_and_the_last() -> None:
    for tile, order, purse in ((4, "A B C", 5300), (5, "C B A", 6000)):
        scene = scene3(tile).turn("B", order)
        scene.do(f"A hands in target-{tile}")
        assert scene.purse("A") == purse


@pytest.mark.rule("nimm:target-6")
def test_ten_wagons() -> None:
    scene = scene3(6).turn("B", "B A C").load("A", 1, "food50 food50 food50 food50")
    scene.load("A", 2, "coal150 coal150 coal150 coal150").load("A", 3, "oil200")
    assert not usable(scene, 6)
    scene.load("A", 3, "double")
    assert usable(scene, 6)
    scene.do("A hands in target-6")
    assert scene.purse("A") == 5800


WAGONS = [
    pytest.param(7, "food50", 4, 1000, marks=pytest.mark.rule("nimm:target-7")),
    pytest.param(8, "cattle100", 4, 800, marks=pytest.mark.rule("nimm:target-8")),
    pytest.param(9, "coal150", 3, 800, marks=pytest.mark.rule("nimm:target-9")),
    pytest.param(10, "oil200", 3, 600, marks=pytest.mark.rule("nimm:target-10")),
    pytest.param(11, "luxury300", 2, 400, marks=pytest.mark.rule("nimm:target-11")),
    pytest.param(12, "passenger400", 2, 300, marks=pytest.mark.rule("nimm:target-12")),
]


@pytest.mark.parametrize(("tile", "card", "count", "bonus"), WAGONS)
def test_wagons_of_one_kind(tile: int, card: str, count: int, bonus: int) -> None:
    scene = scene3(tile).turn("B", "B A C")
    scene.load("A", 2, " ".join([card] * (count - 1)))
    assert not usable(scene, tile)
    scene.load("A", 2, "double")  # a copy counts
    assert usable(scene, tile)
    scene.do(f"A hands in target-{tile}")
    assert scene.purse("A") == 5000 + bonus
    other = scene3(tile).turn("B", "B A C").load("A", 1, "cattle150" if tile != 8 else "coal200")
    other.load("A", 1, "double")
    assert not usable(other, tile)


DRIVES = [
    pytest.param(13, "D1 D2 D3", "D1 D2 S3", 800, marks=pytest.mark.rule("nimm:target-13")),
    pytest.param(14, "S3 S4 S6", "S3 S4 D1", 1500, marks=pytest.mark.rule("nimm:target-14")),
    pytest.param(15, "E2 E3 E5", "E2 E3 D1", 300, marks=pytest.mark.rule("nimm:target-15")),
    pytest.param(16, "S3 D1 E2", "S3 S4 E2", 600, marks=pytest.mark.rule("nimm:target-16")),
]


@pytest.mark.rule("nimm:loco-2")
@pytest.mark.parametrize(("tile", "yes", "no", "bonus"), DRIVES)
def test_drives(tile: int, yes: str, no: str, bonus: int) -> None:
    scene = scene3(tile, A=yes).turn("B", "B A C")
    scene.do(f"A hands in target-{tile}")
    assert scene.purse("A") == 5000 + bonus
    assert not usable(scene3(tile, A=no).turn("B", "B A C"), tile)
    spare = " ".join([*yes.split()[:2], "-"])
    assert not usable(scene3(tile, A=spare).turn("B", "B A C"), tile)


@pytest.mark.rule("nimm:target-17", "nimm:loco-4")
def test_the_fastest() -> None:
    scene = scene3(17, A="E5 S3 S4").turn("B", "B A C")
    scene.do("A hands in target-17")
    assert scene.purse("A") == 5600
    assert not usable(scene3(17).turn("B", "B A C"), 17)  # C has 200 km/h
    others = {"B": "D6 D5 S1", "C": "E1 D4 S2"}
    assert not usable(scene3(17, A="E3 S3 S4", **others).turn("B", "B A C"), 17)
    assert usable(scene3(17, A="E4 S3 S4", **others).turn("B", "B A C"), 17)
    # A faster locomotive no one owns does not matter.
    assert usable(scene3(17, A="E4 S3 S4", C="D1 D2 D3").turn("B", "B A C"), 17)


@pytest.mark.rule("nimm:target-18")
def test_the_slowest() -> None:
    scene = scene3(18, A="S2 E2 E3", B="E1 E4 E5", C="D1 D2 D3").turn("B", "B A C")
    scene.do("A hands in target-18")
    assert scene.purse("A") == 6000
    assert not usable(scene3(18).turn("B", "B A C"), 18)
    others = {"B": "E1 E4 E5", "C": "S1 D2 D3"}
    assert not usable(scene3(18, A="S2 E2 E3", **others).turn("B", "B A C"), 18)


@pytest.mark.rule("nimm:target-17", "nimm:target-18", "nimm:target-use-3")
def test_fastest_and_slowest_with_spare_locomotives() -> None:
    scene = scene3(18, A="D3 - -", B="E2 E4 E5", C="E1 E3 D5").tiles(A="17").turn("B", "B A C")
    assert usable(scene, 18)
    assert not usable(scene, 17)
    scene = scene3(18, A="D3 - -", B="- - -", C="- - -").tiles(A="17", B="13").turn("B", "B A C")
    assert usable(scene, 18)
    assert usable(scene, 17)
    scene = scene3(18, A="- - -", B="- - -", C="D1 - -").turn("B", "B A C")
    assert not usable(scene, 18)
