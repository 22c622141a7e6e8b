"""Building stations."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import kursbuch
from kursbuch.core.game import Game
from kursbuch.core.words import Words
from kursbuch.games.dice import TITLE
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import BuildStation
from kursbuch.games.dice.geography import large_tile
from kursbuch.games.dice.state import Bridge, Piece
from tests.games.dice.scenario import Scene
from tests.happened import every, only
from tests.records import unchained

BOARD = TITLE.board


def stations(scene: Scene, player: str = "A") -> set[str]:
    """The stations a player can build."""
    return {
        f"{action.company} {action.terrain} {action.cost} {action.end}"
        for choice in scene.choices(player, BuildStation)
        if isinstance(action := choice.action, BuildStation)
    }


def ready(**dice: int) -> Scene:
    """A directs two companies; the ends point to f4 and c4."""
    scene = Scene(2).line("A", "e4 > E").director("A", "weiden", "insel")
    return scene.front("A", **dice)


@pytest.mark.rule("dice:station-1", "dice:station-8", "dice:station-6", "dice:table-stations")
def test_what_is_needed_to_build() -> None:
    scene = ready(question=3).director("B", "bergtal")
    assert stations(scene) == {
        "weiden meadow 3 A", "weiden meadow 3 B", "insel meadow 3 A", "insel meadow 3 B"
    }  # fmt: skip
    assert scene.refused("A builds bergtal meadow 3 at A") == "station-1"
    assert scene.refused("A builds ueberall meadow 3 at A") == "station-1"
    assert scene.refused("A builds weiden meadow 5 at A") == "station-1"
    assert scene.refused("A builds weiden lake 3 at A") == "table-stations"
    assert scene.refused("A builds weiden meadow 4 at A") == "table-stations"
    scene.behind("A", 2)
    assert "weiden meadow 5 A" in stations(scene)
    scene.built("insel", "meadow", 3, 3)
    assert scene.refused("A builds insel meadow 3 at A") == "station-1"
    assert scene.allowed("A builds insel meadow 5 at A paying 2 behind")


@pytest.mark.rule("dice:station-1")
def test_how_a_station_is_paid() -> None:
    scene = ready(question=2, straight=5).behind("A", 2)
    (choice,) = [
        choice
        for choice in scene.choices("A", BuildStation)
        if choice.covers(scene.action("A builds weiden meadow 3 at A paying 1 behind"))
    ]
    assert choice.amount is not None
    assert (choice.amount.low, choice.amount.high) == (1, 2)
    assert scene.refused("A builds weiden meadow 3 at A") == "station-1"
    assert scene.refused("A builds weiden meadow 3 at A paying 3 behind") == "station-1"
    before = scene.supply()
    event = only(scene.do("A builds weiden meadow 3 at A paying 1 behind"), happened.StationBuilt)
    assert (event.cost, event.behind) == (3, 1)
    # Two question marks are paid, two come as the premium.
    assert (scene.faces("A"), scene.hidden("A")) == ({"straight": 5, "question": 2}, 1)
    assert scene.supply() == before + 3 - 2


@pytest.mark.rule("dice:station-10", "dice:station-8")
def test_the_premium_and_the_order_of_costs() -> None:
    scene = ready(question=5)
    events = scene.do("A builds weiden meadow 5 at A")
    assert only(events, happened.PremiumTaken).dice == 2
    assert scene.faces("A") == {"question": 2}
    scene.do("A lays A f3 to W with ?")


@pytest.mark.rule("dice:station-2")
def test_a_station_joins_an_end() -> None:
    scene = ready(question=9)
    events = scene.do("A builds weiden meadow 3 at A")
    assert only(events, happened.StationBuilt).square == "f4"
    assert scene.state.ends[0].front == -1
    events = scene.do("A builds insel meadow 3 at B")
    assert only(events, happened.StationBuilt).square == "c4"


# ---- at the end of a bridge


def at_the_lake(**dice: int) -> Scene:
    """The end A points from the west to c2 of a lake tile, d2 is water; A directs Eisberg."""
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 b2 > E")
    return scene.director("A", "eisberg").front("A", **dice)


@pytest.mark.rule("dice:lake-3", "dice:ban-2", "dice:station-10")
def test_a_bridge_may_end_with_a_station() -> None:
    scene = at_the_lake(straight=2).behind("A", 8)
    scene.do("A lays A c2 to E", "A lays A d2 to E paying 2 behind")
    assert scene.step() == "bridge"
    assert stations(scene) == {"eisberg lake 3 A", "eisberg lake 5 A"}
    assert scene.refused("A builds eisberg lake 3 at B paying 3 behind") == "lake-3"
    assert scene.refused("A builds eisberg mountain 3 at A paying 3 behind") == "station-5"
    events = scene.do("A builds eisberg lake 3 at A paying 3 behind")
    assert only(events, happened.StationBuilt).square == "e2"
    assert only(events, happened.PremiumTaken).dice == 2
    assert (scene.step(), scene.hidden("A"), scene.faces("A")) == ("turn", 3, {"question": 2})


@pytest.mark.rule("dice:lake-3", "dice:ban-2", "dice:station-1", "dice:station-9")
def test_a_bridge_is_begun_for_a_station_only_if_it_can_be_built() -> None:
    scene = at_the_lake(straight=2).behind("A", 4)
    assert scene.refused("A lays A c2 to E") == "ban-2", "one die is missing"
    assert scene.behind("A", 1).allowed("A lays A c2 to E")
    scene = at_the_lake(straight=2).behind("A", 8).built("eisberg", "lake", 3, 2)
    assert scene.allowed("A lays A c2 to E"), "the stations for 5 dice are left"
    scene.built("eisberg", "lake", 5, 2)
    assert scene.refused("A lays A c2 to E") == "ban-2"
    scene = at_the_lake(straight=2).behind("A", 8)
    scene.state.directors[scene.company("eisberg")] = 1
    assert scene.refused("A lays A c2 to E") == "ban-2", "another player's company"
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 > E")
    scene.station("A", "eisberg", "b2", "mountain", 3).line("A", "c2 > E")
    scene.state.agenda.append(Bridge(0, 0))
    scene.director("A", "eisberg").front("A", straight=1).behind("A", 9)
    assert scene.refused("A lays A d2 to E paying 2 behind") == "lake-3", "it has one on this tile"


@pytest.mark.rule("dice:ban-2")
def test_a_station_leads_against_nothing() -> None:
    """Not even if water is the only way on from it."""
    scene = at_the_lake().station("A", "eisberg", "c2", "lake", 3)
    for square in ("c1", "c3"):
        here = scene.title.board.square_index[square]
        large_tile(scene.state, 1).pieces.append(Piece(here, 3, 1))
    geo = scene.title.geography
    site = geo.site(scene.state, 0)
    assert [scene.title.board.names[square] for square, _ in site.ways] == ["d2"]
    assert geo.unfinished(site) == ""


@pytest.mark.rule("dice:lake-1", "dice:lake-3")
def test_dice_for_the_station_beyond_are_not_spent_on_the_bridge() -> None:
    scene = at_the_lake(straight=1, question=4).behind("A", 2)
    scene.do("A lays A c2 to E")
    assert scene.allowed("A lays A d2 to E with ? paying 2 behind")
    scene = at_the_lake(straight=2, question=3).behind("A", 2)
    scene.do("A lays A c2 to E", "A lays A d2 to E paying 2 behind")
    assert scene.allowed("A builds eisberg lake 3 at A")
    assert scene.allowed("A lays A e2 to N with ?"), "or a piece of track"


@pytest.mark.rule("dice:lake-3", "dice:station-3", "dice:station-14")
def test_no_station_over_water_or_at_the_edge_ends_a_bridge() -> None:
    scene = at_the_lake(straight=3, curve=2).behind("A", 8)
    scene.do("A lays A c2 to E")
    assert scene.refused("A builds eisberg lake 3 at A paying 3 behind") == "station-14"
    over = at_the_lake(straight=3, curve=2).behind("A", 8)
    over.do("A lays A c2 to E", "A lays A d2 to S paying 2 behind")
    assert over.refused("A builds eisberg lake 3 at A paying 3 behind") == "station-14"
    scene.do("A lays A d2 to N paying 2 behind")
    assert scene.refused("A builds eisberg lake 3 at A paying 3 behind") == "station-3"
    assert stations(scene) == set()


@pytest.mark.rule("dice:station-3")
def test_not_at_the_edge() -> None:
    scene = ready(question=9).line("A", "f4 > E")
    assert scene.refused("A builds weiden meadow 3 at A") == "station-3"
    assert scene.allowed("A builds weiden meadow 3 at B")


@pytest.mark.rule("dice:station-4")
def test_not_beside_another_station() -> None:
    scene = ready(question=9)
    scene.do("A builds weiden meadow 3 at A")
    assert scene.refused("A builds insel meadow 3 at A") == "station-4"
    # e5 is diagonal to f4, f5 is beside it.
    scene = ready(question=9).station("A", "weiden", "f4", "meadow", 3)
    scene.line("A", "f3 e3 e2 > W").line("B", "c4 c5 d5 > E")
    assert scene.allowed("A builds insel meadow 3 at B"), "diagonally is allowed"
    scene = ready(question=9).station("A", "weiden", "f4", "meadow", 3)
    scene.line("A", "f3 e3 e2 > W").line("B", "c4 c5 d5 e5 > E")
    assert scene.refused("A builds insel meadow 3 at B") == "station-4"


@pytest.mark.rule("dice:station-5", "dice:station-12", "dice:station-13", "dice:station-3")
def test_where_a_station_may_stand() -> None:
    """Scenario 10."""
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 b2 > E")
    scene.director("A", "insel", "eisberg", "weiden").front("A", question=9)
    near = {kind for kind in stations(scene) if kind.endswith("3 A")}
    assert near == {"insel lake 3 A", "insel meadow 3 A", "eisberg lake 3 A", "weiden meadow 3 A"}
    assert scene.refused("A builds eisberg mountain 3 at A") == "station-5"
    curved = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 b2 c2 > N")
    curved.director("A", "insel").front("A", question=9)
    assert curved.refused("A builds insel lake 3 at A") == "station-3"
    scene.do("A builds insel lake 3 at A")
    scene.line("A", "c1 b1 > W")
    assert scene.title.board.layout(1, 0).stations[1] >> (1 * 7 + 2) & 1


@pytest.mark.rule("dice:station-11", "dice:station-12", "dice:station-13")
@pytest.mark.parametrize(
    ("kind", "tile", "square", "fits"),
    [
        ("mountain", "mountain2", "d2", True),
        ("mountain", "mountain2", "b2", False),  # meadow
        ("mountain", "meadow", "d2", False),
        ("lake", "lake", "c2", True),
        ("lake", "lake", "b3", True),
        ("lake", "lake", "b2", False),  # one water square near
        ("lake", "lake", "d4", False),  # water
        ("meadow", "lake", "c2", True),
        ("meadow", "lake", "d4", False),
        ("meadow", "meadow", "b2", True),
        ("meadow", "mountain2", "b6", True),
        ("meadow", "mountain2", "d2", False),
    ],
)
def test_surroundings(kind: str, tile: str, square: str, fits: bool) -> None:
    layout = BOARD.layout(BOARD.tile_index[tile], 0)
    number = BOARD.square_index[square]
    assert bool(layout.stations[BOARD.kind_index[kind]] >> number & 1) == fits
    row, column = divmod(number, 7)
    near = [
        layout.terrain[(row + dr) * 7 + column + dc]
        for dr in (-1, 0, 1)
        for dc in (-1, 0, 1)
        if dr or dc
    ]
    own, around = {"mountain": ("M", "M"), "lake": (".", "W"), "meadow": (".", ".")}[kind]
    assert fits == (layout.terrain[number] == own and near.count(around) >= 3)


@pytest.mark.rule("dice:station-12")
def test_a_lake_tile_has_eight_places_for_lake_stations() -> None:
    assert BOARD.layout(1, 0).stations[BOARD.kind_index["lake"]].bit_count() == 8


@pytest.mark.rule("dice:station-6", "dice:table-stations")
def test_the_table_of_stations() -> None:
    table = {
        company.id: {card.terrain: (card.cost_3, card.cost_5) for card in company.stations}
        for company in BOARD.companies
    }
    assert table == {
        "eisberg": {"mountain": (2, 2), "lake": (2, 2)},
        "ueberall": {"mountain": (1, 1), "lake": (1, 1), "meadow": (3, 1)},
        "weiden": {"meadow": (5, 3)},
        "insel": {"lake": (3, 2), "meadow": (3, 2)},
        "bergtal": {"mountain": (3, 2), "meadow": (3, 2)},
    }
    assert BOARD.totals == (8, 8, 8, 10, 10)
    assert sum(stock.copies for stock in BOARD.stocks if stock.cost == 3) == 26
    assert sum(stock.copies for stock in BOARD.stocks if stock.cost == 5) == 18


def mountain() -> Scene:
    """The end A points to e4, the first mountain square from the west, of a mountain in the east and
    south."""
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 > W")
    scene.cross("A", "mountain2", "a4 b4 c4 > E", 1).line("A", "d4 > E")
    assert BOARD.layout(2, 1).mountain >> (3 * 7 + 4) & 1
    return scene.director("A", "bergtal", "eisberg")


def offered(scene: Scene) -> list[str]:
    """The stations A can build at end A, as they are offered."""
    voice = TITLE.voice(Words("en"))
    labels = [voice.pick(scene.state, c.action).label for c in scene.choices("A", BuildStation)]
    return [label for label in labels if "at end A" in label]


@pytest.mark.rule("dice:station-7", "dice:station-11")
def test_a_mountain_station_costs_one_more() -> None:
    scene = mountain().behind("A", 3)
    assert scene.refused("A builds bergtal mountain 3 at A paying 3 behind") == "station-1"
    scene.behind("A", 1)
    assert [label[-18:] for label in offered(scene)] == ["(mountain, 4 dice)"] * 2
    event = only(
        scene.do("A builds bergtal mountain 3 at A paying 4 behind"), happened.StationBuilt
    )
    assert event.cost == 4
    # The station covers later track on the same mountain in the same turn.
    scene.front("A", straight=1)
    assert every(scene.do("A lays A f4 to E"), happened.SurchargePaid) == []


@pytest.mark.rule("dice:station-7", "dice:mountain-2")
def test_a_paid_mountain_covers_the_station() -> None:
    scene = mountain().behind("A", 4).front("A", straight=1)
    scene.do("A lays A e4 to E paying 1 behind")
    assert [label[-18:] for label in offered(scene)] == ["(mountain, 3 dice)"] * 2
    event = only(
        scene.do("A builds bergtal mountain 3 at A paying 3 behind"), happened.StationBuilt
    )
    assert event.cost == 3
    assert scene.hidden("A") == 0


@pytest.mark.rule("dice:mountain-2", "dice:station-7")
def test_one_mountain_one_payment() -> None:
    """Scenario 8."""
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 > W")
    scene.cross("A", "mountain2", "a4 b4 c4 d4 e4 f4 > E", 1)
    scene.director("A", "bergtal").behind("A", 5).front("A", straight=4)
    events = scene.do(
        "A lays A g4 to E paying 1 behind", "A opens mountain3 turned 2", "A lays A a4 to E"
    )
    events += scene.do("A lays A b4 to E", "A builds bergtal mountain 3 at A paying 3 behind")
    paid = sum(event.dice for event in every(events, happened.SurchargePaid))
    assert paid + only(events, happened.StationBuilt).cost == 1 + 3


@pytest.mark.rule("dice:station-9")
def test_one_station_of_a_company_on_a_tile() -> None:
    """Scenario 11."""
    scene = ready(question=12, straight=3).line("B", "c4 > W")
    scene.do("A builds weiden meadow 3 at A")
    assert scene.refused("A builds weiden meadow 3 at B") == "station-9"
    scene.do("A builds insel meadow 3 at B")
    scene.line("A", "g4 > E").cross("A", "meadow", "a4 > E")
    scene.do("A builds weiden meadow 3 at A")


@pytest.mark.rule("dice:station-14")
def test_station_areas_are_dry_and_a_pocket_is_no_obstacle() -> None:
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 b2 > E")
    scene.station("A", "insel", "c2", "lake", 3).director("A", "weiden").front("A", question=9)
    assert scene.refused("A builds weiden meadow 3 at A") == "station-4"
    assert all(
        not layout.stations[kind] & layout.water
        for layouts in BOARD.layouts
        for layout in layouts
        for kind in range(3)
    )
    pocket = Scene(2).line("A", "e4 e3 e2 e1 > N").cross("A", "meadow", "e7 e6 d6 c6 b6 b5 > N")
    pocket.line("A", "b4 c4 d4 e4 > S").director("A", "weiden").front("A", question=9)
    assert pocket.allowed("A builds weiden meadow 3 at A")
    pocket.line("A", "e5 > W")
    pocket.place(-1, 1, "meadow").place(-1, -1, "meadow").place(-2, 0, "meadow")
    assert pocket.allowed("A builds weiden meadow 3 at A"), "nothing is lost any more"


@pytest.mark.rule("dice:station-14", "dice:ban-5", "dice:ban-4")
def test_a_station_may_not_shut_the_other_end_in() -> None:
    scene = Scene(2).line("A", "e4 e5 d5 c5 b5 a5 a4 a3 > E").director("A", "weiden")
    scene.front("A", question=9)
    # Both ends must get off the start tile; the western one goes over b3 or c3.
    assert scene.allowed("A builds weiden meadow 3 at A")
    scene.line("B", "c4 b4 > N")
    assert scene.refused("A builds weiden meadow 3 at A") == "station-14"


@pytest.mark.rule("dice:ban-5", "dice:station-14")
def test_a_station_never_closes_an_end_in() -> None:
    """Why ban-5 need not be tested for stations."""
    seen = 0
    for seed in range(6):
        game, rng = Game(TITLE, "ABC", seed=str(seed)), random.Random(seed)
        while not game.over:
            state, geo = game.state, TITLE.geography
            for end in (0, 1):
                site = geo.site(state, end)
                if geo.station_problem(site):
                    continue
                seen += 1
                square = site.ways[0][0]
                free = geo.board.every & ~(site.occupied | 1 << square)
                assert not geo.dead_end(site, geo.board.around[square] & free, free)
            choices = game.legal_actions(game.pending[0].seat)
            weights = [TITLE.evaluator.playout_weight(choice.action) for choice in choices]
            game.apply(rng.choice([*rng.choices(choices, weights)[0].actions()]))
    assert seen > 100


@pytest.mark.rule("dice:lake-3")
def test_a_recorded_game_with_a_station_at_the_end_of_a_bridge() -> None:
    record = (Path(__file__).parent / "games" / "bridge-station.txt").read_text(encoding="utf-8")
    game = kursbuch.load(record)
    (number,) = [
        number
        for number, move in enumerate(game.moves)
        if isinstance(move.action, BuildStation)
        and isinstance(game.at(number).state.agenda[-1], Bridge)
    ]
    assert game.format(game.moves[number].action) == (
        "Anna builds insel meadow 3 at A paying 3 behind"
    )
    assert unchained(game.record()) == record
