"""New tiles: where, how many, and what they cost and bring."""

from __future__ import annotations

import pytest

from kursbuch.games.g18xx.actions import LayTile
from kursbuch.games.g18xx.events import TileLaid
from kursbuch.games.g18xx.g1853.components import standard
from kursbuch.games.g18xx.g1853.events import BonusPaid, FeePaid, RightTaken
from kursbuch.games.g18xx.g1853.state import Charter, ChooseRight, TakeBonus
from kursbuch.games.g18xx.state import Build, BuyTrains, PlaceToken, Run
from tests.games.g18xx.g1853.land import BOARD, company, every_tile, go_on, land, lay, lays, may
from tests.games.g18xx.g1853.table import Scene
from tests.happened import every, only

#: Patna in metre gauge, for 40, and the line from Calcutta to it.
PATNA, LINE = lay("metre H24 H22 I25"), lay("metre I27 J28 H26")


def hexes(scene: Scene, name: str = "A") -> set[str]:
    """The hexes on which a player may lay a tile now."""
    return {hex for hex, _ in lays(scene, name)}


def charter(scene: Scene, name: str) -> Charter:
    return scene.state.charters[name]


# ---- the order of a turn


@pytest.mark.rule("1853:4.0", "1853:4.1", "1853:4.1.1")
def test_the_steps_of_a_turn() -> None:
    """Tiles, then bonuses, a station, the trains' runs, new trains; every company once, by number."""
    scene = Scene().shares("EIR", A=3).shares("NWR", B=3).shares("MSM", C=3)
    scene.operating("MSM", "EIR", "NWR").money(EIR=500, NWR=500, MSM=500)
    assert scene.ruleset.policy.turn == (ChooseRight, Build, TakeBonus, PlaceToken, Run, BuyTrains)
    land(scene.trains("EIR", "2"), "H24 H22 I25", "H22 H24 I21").turn("EIR", part=1)
    seen = []
    while scene.state.round.part == 1 and len(scene.state.round.acted) < 3:
        name = scene.deciders()
        seen.append((scene.state.agenda[-1].company, scene.step(), name))  # type: ignore[union-attr]
        answers = {"choose-right": "lays two tiles later", "pay": "saves"}
        scene.do(f"{name} {answers.get(scene.step(), 'is done')}")
    assert seen == [
        ("EIR", "choose-right", "A"),
        ("EIR", "build", "A"),
        ("EIR", "place", "A"),
        ("EIR", "pay", "A"),
        ("EIR", "buy-trains", "A"),
        ("NWR", "choose-right", "B"),
        ("NWR", "build", "B"),
        ("NWR", "buy-trains", "B"),
        ("MSM", "build", "C"),
        ("MSM", "buy-trains", "C"),
    ]


@pytest.mark.rule("1853:4.0")
def test_companies_act_by_number_whatever_their_price() -> None:
    scene = Scene().shares("GIP", B=3).shares("ECR", A=3).shares("SIR", C=2)
    scene.operating(ECR=380, GIP=10, SIR=100)
    assert scene.ruleset.control.order(scene.state) == ["GIP", "SIR", "ECR"]
    scene.state.charters["GIP"].right = "later"
    scene.money(GIP=100).turn("GIP", Build, part=1)
    assert scene.refused("A is done") == "4.0"


@pytest.mark.rule("1853:4.0", "1853:4.1.1", "1853:4.4", "1853:4.8")
def test_a_step_at_another_time_is_refused() -> None:
    scene = land(company(), "H24 H22 I25", "H22 H24 I21").turn("EIR")
    assert scene.refused("A buys train 2") == "4.1.2"
    assert scene.refused("A places a station on H22 city 1") == "4.0"
    scene.do("A is done")
    assert scene.step() == "place"
    assert scene.refused(f"A {lay('I21 H22 J20')}") == "4.4.1"
    scene.do("A is done")
    assert scene.step() == "buy-trains"
    assert scene.refused(f"A {lay('I21 H22 J20')}") == "4.8.2"


@pytest.mark.rule("1853:4.0")
def test_an_operating_manager_decides() -> None:
    scene = Scene().shares("MSM", B=1, C=1).operating("MSM").money(MSM=100).turn("MSM")
    assert (scene.director("MSM"), scene.deciders(), scene.step()) == ("", "B", "build")
    assert scene.refused("A is done") == "4.0"


# ---- one or two tiles


@pytest.mark.rule("1853:4.1.2")
def test_a_small_company_lays_one_tile() -> None:
    scene = company("MSM", phase="3").turn("MSM")
    scene.do(f"A {lay('Q17 R18 P18')}")
    assert scene.step() != "build"


@pytest.mark.rule("1853:4.1.2", "1853:4.1.3", "1853:4.10.3")
@pytest.mark.parametrize("phase", ["2", "3", "4", "5"])
@pytest.mark.parametrize("right", ["later", "fee"])
def test_a_large_company_lays_two_at_once_for_a_fee_or_from_phase_3_on(
    phase: str, right: str
) -> None:
    scene = company(phase=phase)
    scene.state.charters["EIR"].right = "fee" if right == "fee" else "later"
    events = scene.turn("EIR").do(f"A {PATNA}")
    assert scene.has("EIR") == 960
    assert not every(events, FeePaid)
    if phase == "2" and right == "later":
        assert scene.step() != "build"
        return
    assert scene.step() == "build"
    events = scene.do(f"A {LINE}")
    assert scene.step() != "build"
    assert scene.state.turn.tiles == ["H24", "I27"]
    assert [event.amount for event in every(events, FeePaid)] == [50] * (right == "fee")
    assert scene.has("EIR") == 960 - 50 * (right == "fee")


@pytest.mark.rule("1853:4.1.2")
def test_another_tile_is_refused() -> None:
    scene = company().turn("EIR")
    scene.do(f"A {PATNA}")
    go_on(scene, "EIR").on(Build("EIR", ["H24"], asked=True))
    assert scene.refused(f"A {LINE}") == "4.1.2"
    assert scene.refused(f"A {PATNA}") == "4.1.2"


@pytest.mark.rule("1853:4.1.3")
@pytest.mark.parametrize(
    ("name", "fee"), [("EIR", 50), ("GIP", 20), ("NWR", 20), ("BNR", 20), ("BBCI", 20)]
)
def test_the_choice_of_the_right(name: str, fee: int) -> None:
    """Asked once, in the first turn; for good."""
    scene = company(name)
    scene.state.charters[name].right = ""
    scene.turn(name, part=1)
    assert (scene.step(), scene.deciders()) == ("choose-right", "A")
    assert scene.can("A") == ["lays two tiles later", "lays two tiles for a fee"]
    assert scene.refused("A is done") == "4.1.3"
    assert scene.refused("B lays two tiles later") == "4.0"
    assert only(scene.do("A lays two tiles for a fee"), RightTaken).fee
    assert scene.state.charters[name].right == "fee"
    assert scene.ruleset.builder.fee(scene.state, name) == 0
    scene.state.turn.tiles.append("H24")
    assert scene.ruleset.builder.fee(scene.state, name) == fee
    assert go_on(scene, name, ChooseRight, Build).step() == "build"
    assert scene.state.turn.tiles == []


@pytest.mark.rule("1853:4.1.3")
def test_the_other_choice_costs_nothing() -> None:
    scene = company()
    scene.state.charters["EIR"].right = ""
    scene.turn("EIR").do("A lays two tiles later")
    assert charter(scene, "EIR").right == "later"
    assert scene.step() == "build"
    assert not scene.ruleset.builder.two_tiles(scene.state, "EIR")
    scene.phase("3").state.turn.tiles.append("H24")
    assert scene.ruleset.builder.two_tiles(scene.state, "EIR")
    assert scene.ruleset.builder.fee(scene.state, "EIR") == 0


@pytest.mark.rule("1853:4.1.3")
@pytest.mark.parametrize(("name", "right"), [("EIR", "later"), ("BBCI", "later"), ("MSM", "")])
def test_nobody_is_asked_from_phase_3_on(name: str, right: str) -> None:
    scene = company(name, phase="3")
    scene.state.charters[name].right = ""
    assert scene.turn(name).step() == "build"
    assert scene.state.charters[name].right == right


@pytest.mark.rule("1853:4.1.2", "1853:4.1.3")
@pytest.mark.parametrize("name", ["BBCI", "MSM"])
def test_small_companies_have_no_choice(name: str) -> None:
    scene = Scene().shares(name, A=3).operating(name).money(**{name: 500}).turn(name)
    assert scene.step() == "build"
    for phase in range(4):
        scene.state.phase = phase
        assert scene.ruleset.builder.allowed(scene.state, name) == 1


@pytest.mark.rule("1853:4.1.3")
def test_an_operating_manager_chooses_the_right() -> None:
    scene = Scene().shares("EIR", B=1).operating("EIR").money(EIR=100).turn("EIR")
    assert (scene.step(), scene.deciders()) == ("choose-right", "B")


@pytest.mark.rule("1853:4.1.3", "1853:4.1.12")
@pytest.mark.parametrize("money", [89, 90, 109, 110])
def test_the_fee_is_asked_for_with_the_terrain(money: int) -> None:
    """40 or 60 for Patna, and 50 for the second tile: the treasury pays both, the director nothing."""
    scene = company(money=money).money(A=500)
    scene.state.charters["EIR"].right = "fee"
    scene.turn("EIR").do(f"A {LINE}")
    assert scene.has("EIR") == money
    assert (scene.step() == "build") == (money >= 90)
    if money < 90:
        scene.on(Build("EIR", ["I27"], asked=True))
    for wide, cost in ((False, 90), (True, 110)):
        move = "A " + (lay("H24 H22 I25") if wide else PATNA)
        if money < cost:
            assert scene.refused(move) == "4.1.3"
        else:
            assert scene.listed(scene.read(move))
    if money >= 90:
        scene.do(f"A {PATNA}")
        assert (scene.has("EIR"), scene.has("A")) == (money - 90, 500)


@pytest.mark.rule("1853:4.1.3")
@pytest.mark.parametrize("money", [89, 90])
def test_a_second_tile_without_terrain_costs_the_fee(money: int) -> None:
    scene = company(money=money)
    scene.state.charters["EIR"].right = "fee"
    scene.turn("EIR").do(f"A {PATNA}")
    assert scene.step() == ("build" if money == 90 else "buy-trains")
    if money == 90:
        scene.do(f"A {LINE}")
        assert scene.has("EIR") == 0
    else:
        scene.on(Build("EIR", ["H24"], asked=True))
        assert scene.refused(f"A {LINE}") == "4.1.3"


@pytest.mark.rule("1853:4.1.3", "1853:3.4.6")
def test_a_company_that_owes_a_train_builds_only_what_costs_nothing() -> None:
    scene = Scene().shares("EIR", A=1).operating("EIR").money(EIR=200).credit("EIR", "2")
    scene.state.charters["EIR"].right = "fee"
    scene.turn("EIR")
    assert hexes(scene) == {"I27"}
    assert scene.refused(f"A {PATNA}") == "3.4.6"
    scene.do(f"A {LINE}")
    assert scene.step() != "build"
    assert scene.has("EIR") == 200
    scene.on(Build("EIR", ["I27"], asked=True))
    assert scene.refused(f"A {lay('metre H26 I27 H24')}") == "3.4.6"


# ---- where


@pytest.mark.rule("1853:4.1.4", "1853:4.10.2", "1853:table-6")
def test_only_yellow_tiles_in_phase_2_and_none_on_printed_track() -> None:
    scene = land(company("NWR"), "C11 D12 D10", "D12 C11 E13", "E13 D12 F14").turn("NWR")
    assert {BOARD.tiles[name].colour for _, name in lays(scene)} == {"yellow"}
    for action in every_tile(0):
        if action.hex in {"F14", "J28", "M9", "R18", "O21"}:
            assert scene.position.problem(action) is not None
    assert scene.refused("A lays CD on F14 turned 0") == "4.2.1"
    assert scene.refused("A lays 6 on F14 turned 0") == "4.2.12"
    assert scene.refused("A lays 12 on C11 turned 0") == "4.2.1"
    # Where no track of NWR comes to, that is the reason for every tile.
    assert scene.refused("A lays 6 on M9 turned 0") == "4.2.2"
    assert scene.refused("A lays 6 on O21 turned 0") == "4.2.2"
    assert scene.refused("A lays 12 on C9 turned 0") == "4.1.6"


@pytest.mark.rule("1853:4.1.5")
@pytest.mark.parametrize(("name", "hex"), [("EIR", "I27"), ("MSM", "Q17")])
def test_every_company_builds_both_gauges(name: str, hex: str) -> None:
    scene = company(name).turn(name)
    faces = [BOARD.tiles[number].faces[0] for where, number in lays(scene) if where == hex]
    assert {path.gauge for face in faces for path in face.paths} == {1, 2}


@pytest.mark.rule("1853:4.1.6", "1853:4.4.3", "1853:4.5.6", "1853:4.1.15")
def test_new_track_goes_on_from_an_own_station() -> None:
    """By a line of any length, and not beyond a station full of others."""
    line = ("H24 H22 I25", "H22 H24 I21", "I21 H22 J20", "J20 I21 K19", "K19 J20 L18")
    scene = land(company(), *line).turn("EIR")
    assert hexes(scene) == {"I25", "I27", "L18"}
    assert scene.refused(f"A {lay('L18 L16 L20')}") == "4.1.6"
    assert scene.refused(f"A {lay('I25 J24 I23')}") == "4.1.6"
    assert scene.refused(f"A {lay('I23 H24 J22')}") == "4.1.6"
    assert scene.refused(f"A {lay('E9 E7 E11')}") == "4.1.6"
    assert "L18" not in scene.ruleset.components.territory["EIR"]
    scene = land(company(), *line).station("ECR", "H22").turn("EIR")
    assert hexes(scene) == {"I25", "I27"}
    assert scene.refused(f"A {lay('L18 K19 M17')}") == "4.1.6"
    scene = land(company(), *line).station("EIR", "H22").turn("EIR")
    assert hexes(scene) == {"I25", "I27", "L18"}


@pytest.mark.rule("1853:4.1.6", "1853:4.5.7", "1853:4.2.9")
def test_a_station_with_a_free_place_does_not_block() -> None:
    line = ("H24 H22 I25", "H22 14 H24 I23 H20 G21")
    scene = land(company(), *line).station("ECR", "H22").turn("EIR")
    assert hexes(scene) == {"I25", "I27", "I23", "H20", "G21"}
    scene = land(company(), *line).station("ECR", "H22").station("BNR", "H22").turn("EIR")
    assert hexes(scene) == {"I25", "I27"}


@pytest.mark.rule("1853:4.1.8", "1853:4.1.6")
def test_the_first_tile_on_a_home() -> None:
    """Of either gauge and in any direction; nothing starts there before, and no one has to lay it."""
    scene = company().turn("EIR")
    assert {number for hex, number in lays(scene) if hex == "H24"} == {
        *("5", "6", "69", "75", "76", "113")
    }
    assert hexes(scene) == {"H24", "I27"}
    # North east of Patna lies off the map.
    listed = [text for text in scene.can("A") if text.startswith("lays 5 on H24")]
    assert len(BOARD.tiles["5"].rotations) == 6
    assert len(listed) == 4
    scene.do("A is done")
    assert "H24" not in scene.state.layout.tiles


@pytest.mark.rule("1853:4.1.8", "1853:4.1.15")
def test_others_may_build_on_a_home() -> None:
    """Before its company is founded, and outside of the territory."""
    scene = land(company("GIP"), "H20 H22 I19").turn("GIP")
    assert may(scene, "A", "H22 H20 I23")
    assert "H22" not in scene.ruleset.components.territory["GIP"]
    scene = land(company("GIP"), "H20 H22 I19", "H22 H20 I23", "I23 H22 H24").turn("GIP")
    assert may(scene, "A", "H24 I23 H26")
    scene.do(f"A {lay('H24 I23 H26')}")
    scene.shares("EIR", B=3).operating("EIR")
    assert scene.ruleset.station(scene.state, "EIR", "H24") == 0


@pytest.mark.rule("1853:4.1.9")
@pytest.mark.parametrize(
    ("hex", "near", "numbers"),
    [
        ("I25", "H24", "7 8 9 77 78 79"),
        ("I23", "H24", "3 4 58 72 73 74"),
        ("H16", "G17", "1 2 55 56 71"),
        ("H22", "H24", "5 6 69 75 76 113"),
    ],
)
def test_a_tile_fits_its_hex(hex: str, near: str, numbers: str) -> None:
    """Every first tile that matches the hex, and no other one, beside a city of both gauges."""
    scene = land(company(), f"{near} 102")
    if near != "H24":
        scene.station("EIR", near)
    scene.turn("EIR")
    assert {number for where, number in lays(scene) if where == hex} == set(numbers.split())
    for number, record in BOARD.tiles.items():
        if record.colour == "yellow" and number not in numbers.split():
            assert scene.refused(f"A lays {number} on {hex} turned 0") == "4.1.9"


@pytest.mark.rule("1853:4.1.9")
def test_one_track_of_two_towns_is_enough() -> None:
    """The other one leads anywhere."""
    scene = land(company(), "H24 H22 I25", "H22 H24 G21").turn("EIR")
    place = BOARD.number("G21")
    side = BOARD.neighbours[place].index(BOARD.number("H22"))
    for number in ("1", "2", "55", "56", "71"):
        for rotation in BOARD.tiles[number].rotations:
            face = BOARD.tiles[number].faces[rotation]
            inside = not face.edges() & BOARD.closed[place]
            # 71 is of metre gauge.
            joined = bool(face.edges() >> side & 1) and number != "71"
            action = scene.read(f"A lays {number} on G21 turned {rotation}")
            assert scene.listed(action) == (inside and joined)


@pytest.mark.rule("1853:4.1.10")
def test_no_track_leads_off_the_map() -> None:
    scene = land(company(), "H24 H22 G23").turn("EIR")
    assert scene.refused("A lays 4 on G23 turned 1") == "4.1.10"
    moves = [scene.read(f"A {text}") for text in scene.can("A") if " on G23 " in text]
    assert moves
    for move in moves:
        assert isinstance(move, LayTile)
        face = BOARD.tiles[move.tile].faces[move.rotation]
        assert not face.edges() & BOARD.closed[BOARD.number("G23")]


@pytest.mark.rule("1853:4.1.11")
def test_track_may_end_against_another_tile() -> None:
    """Against a side without track, and against track of another gauge."""
    scene = land(company(), "H24 H22 I25", "J24 J22 J26", "metre J26 I25 K27").turn("EIR")
    assert may(scene, "A", "I25 H24 J24")
    assert may(scene, "A", "I25 H24 J26")


# ---- terrain

WIDE, NARROW = (
    ["3", "4", "58", "5", "6", "69", "7", "8", "9"],
    ["72", "73", "74", "75", "76", "113", "77", "78", "79"],
)


def beside(hex: str, company: str = "MSM") -> Scene:
    """A company with a marker in a city of both gauges beside a hex."""
    near = next(
        other
        for other in BOARD.neighbours[BOARD.number(hex)]
        if other >= 0 and not BOARD.printed[other].paths
    )
    scene = Scene().shares(company, A=3).operating(company)
    scene.state.charters[company].right = "later" if scene.state.charters[company].large else ""
    return land(scene, f"{BOARD.names[near]} 102").station(company, BOARD.names[near])


@pytest.mark.rule("1853:table-4", "1853:4.1.12", "1853:1-terrain")
@pytest.mark.parametrize(
    ("hex", "wide", "narrow"),
    [
        ("H26", 40, 30),  # river
        ("H22", 60, 40),  # several rivers
        ("K25", 80, 50),  # hills
        ("J24", 140, 70),  # mountains
        ("B12", 240, 100),  # high mountains
        ("L10", 120, 80),  # river and hills
        ("N22", 180, 100),  # mountains and river
        ("I25", 0, 0),
    ],
)
def test_terrain_costs_by_gauge(hex: str, wide: int, narrow: int) -> None:
    """What the first tile costs is paid by the treasury before it lies."""
    for numbers, cost in ((WIDE, wide), (NARROW, narrow)):
        scene = beside(hex).money(MSM=cost, A=500).turn("MSM")
        moves = [
            text for text in scene.can("A") if f" on {hex} " in text and text.split()[1] in numbers
        ]
        assert moves
        poor = beside(hex).money(MSM=max(0, cost - 1), A=500).turn("MSM")
        if cost:
            assert {poor.refused(f"A {move}") for move in moves} == {"4.1.12"}
        laid = only(scene.do(f"A {moves[0]}"), TileLaid)
        assert (laid.cost, scene.has("MSM"), scene.has("A")) == (cost, 0, 500)
        assert scene.ruleset.builder.cost(scene.state, "MSM", hex, "102") == 0


@pytest.mark.rule("1853:4.1.13", "1853:2.6.2")
@pytest.mark.parametrize(
    ("name", "large", "wide", "narrow"),
    [("BBCI", True, 70, 70), ("BBCI", False, 140, 70), ("NWR", True, 140, 70)],
)
def test_ajmer(name: str, large: bool, wide: int, narrow: int) -> None:
    for gauge, cost in (("", wide), ("metre ", narrow)):
        for money in (cost - 1, cost):
            scene = Scene().shares(name, A=3)
            if large and name == "BBCI":
                scene.large()
            scene.operating(name).money(**{name: money})
            scene.state.charters[name].right = "later" if large else ""
            if name != "BBCI":
                scene.station(name, "H10")
            move = f"A {lay(gauge + 'H10 H12 I9')}"
            scene.turn(name)
            if money < cost:
                assert scene.step() != "build" or scene.refused(move) == "4.1.12"
            else:
                scene.do(move)
                assert scene.has(name) == 0


# ---- the bonus


@pytest.mark.rule("1853:4.1.14")
def test_the_bonus_of_d2() -> None:
    scene = beside("D2").money(MSM=30).turn("MSM")
    moves = [text for text in scene.can("A") if " on D2 " in text]
    assert only(scene.do(f"A {moves[0]}"), BonusPaid).amount == 200
    assert scene.has("MSM") == 230


@pytest.mark.rule("1853:4.1.14")
@pytest.mark.parametrize(
    ("hex", "bonus"),
    [("B8", 100), ("B10", 40), ("C5", 200), ("D2", 200), ("D14", 40), ("H2", 40), ("I3", 100)],
)
def test_every_bonus_is_paid(hex: str, bonus: int) -> None:
    scene = beside(hex).money(MSM=500).turn("MSM")
    moves = [text for text in scene.can("A") if f" on {hex} " in text]
    events = scene.do(f"A {moves[0]}")
    assert only(events, BonusPaid).amount == bonus
    assert scene.has("MSM") == 500 - only(events, TileLaid).cost + bonus


@pytest.mark.rule("1853:4.1.14", "1853:4.2.11")
def test_a_replacement_brings_no_bonus_and_costs_nothing() -> None:
    scene = beside("D14", "NWR").phase("3").money(NWR=0)
    land(scene, "D14 C13 E15").turn("NWR")
    greens = [text for text in scene.can("A") if " on D14 " in text]
    assert greens
    events = scene.do(f"A {greens[0]}")
    assert not every(events, BonusPaid)
    assert (only(events, TileLaid).cost, scene.has("NWR")) == (0, 0)


@pytest.mark.rule("1853:4.1.14", "1853:4.1.3", "1853:4.1.12", "1853:4.1.13")
def test_costs_bonus_and_ajmer_in_one_turn() -> None:
    """Question 19: a large BBCI with a fee of 20 builds on L10 and on D2."""
    river, bonus = f"A {lay('metre L10 M9 L12')}", f"A {lay('metre D2 D4 E3')}"

    def scene(money: int) -> Scene:
        made = land(company("BBCI", money=money).station("BBCI", "D4"), "D4 102")
        made.state.charters["BBCI"].right = "fee"
        return made.turn("BBCI")

    one = scene(90)
    one.do(river)
    assert one.has("BBCI") == 10
    assert one.step() != "build"
    one.on(Build("BBCI", ["L10"], asked=True))
    assert one.refused(bonus) == "4.1.3"
    other = scene(90)
    other.do(bonus)
    assert other.has("BBCI") == 90
    assert other.step() == "build"
    assert other.refused(river) == "4.1.3"
    both = scene(100)
    both.do(river)
    assert both.has("BBCI") == 20
    events = both.do(bonus)
    assert only(events, FeePaid).amount == 20
    assert only(events, BonusPaid).amount == 200
    assert both.has("BBCI") == 200
    assert both.ruleset.builder.cost(both.state, "BBCI", "D2", "3") == 0
    for name, number, cost in (
        ("BBCI", "6", 70),
        ("BBCI", "76", 70),
        ("NWR", "6", 140),
        ("NWR", "76", 70),
    ):
        assert both.ruleset.builder.cost(both.state, name, "H10", number) == cost


@pytest.mark.rule("1853:4.1.14")
def test_two_bonuses_are_added() -> None:
    scene = land(company("NWR", phase="3"), "D4 102", "C11 102").station("NWR", "D4")
    scene.turn("NWR").do(f"A {lay('metre D2 D4 E3')}")
    assert scene.has("NWR") == 1000
    events = scene.do(f"A {lay('metre B10 C11 B8')}")
    assert only(events, BonusPaid).amount == 240
    assert scene.has("NWR") == 1000 - 70 + 240
    # The next turn begins without any.
    assert not every(go_on(scene, "NWR", ChooseRight, Build).do("A is done"), BonusPaid)
    assert scene.state.turn.bonus == 0


# ---- the supply


@pytest.mark.rule("1853:4.2.10")
def test_what_is_replaced_can_be_laid_again() -> None:
    scene = land(company(phase="3"), "H24 69 H22", "C11 69 D12").turn("EIR")
    assert standard().board.tiles["69"].count == 2
    assert scene.refused(f"A {lay('H22 69 H24')}") == "4.2.10"
    green = next(text for text in scene.can("A") if text.startswith("lays 716 on H24"))
    scene.do(f"A {green}")
    go_on(scene, "EIR", ChooseRight, Build)
    assert may(scene, "A", "H22 69 H24")
