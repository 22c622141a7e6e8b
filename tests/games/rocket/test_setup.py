"""Aim and set-up."""

from __future__ import annotations

from collections import Counter

import pytest

import kursbuch
from kursbuch.core.chance import draw
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket.actions import PlaceStation, TakeToken
from kursbuch.games.rocket.events import StartPlayerDrawn
from kursbuch.games.rocket.state import RocketState
from kursbuch.hexmap.geometry import Hex
from tests.games.rocket.scenario import LINES, Scene, consistent, payments
from tests.happened import only


def fresh(players: int = 4, options: dict[str, str] | None = None) -> RocketState:
    state = kursbuch.new("rocket", ["A", "B", "C", "D"][:players], 1, options).state
    assert isinstance(state, RocketState)
    return state


def ending() -> Scene:
    """The next action, A's LBSC to N19, ends the game and pays no one but A: 1000."""
    return Scene().line("LBSC", "O22 N21").tiles(1)


@pytest.mark.rule("rocket:goal-1")
def test_the_most_money_wins() -> None:
    scene = ending()
    for player, amount in zip("ABCD", (3000, 5000, 4000, 0), strict=True):
        scene.state.ledger.move("money", "bank", scene.holder(player), amount)
    scene.do("A extends LBSC to N19")
    assert scene.game.result is not None
    assert scene.game.result.scores == (4000, 5000, 4000, 0)
    assert scene.game.result.winners == (1,)


@pytest.mark.rule("rocket:goal-1")
def test_equal_money_shares_the_victory() -> None:
    scene = ending()
    for player, amount in zip("ABCD", (3000, 1000, 4000, 0), strict=True):
        scene.state.ledger.move("money", "bank", scene.holder(player), amount)
    scene.do("A extends LBSC to N19")
    assert scene.game.result is not None
    assert scene.game.result.winners == (0, 2)


@pytest.mark.rule("rocket:setup-1")
def test_the_map() -> None:
    board = TITLE.boards.usual
    kinds = Counter(town.kind for town in board.towns)
    assert kinds == {"start": 7, "metropolis": 12, "railway": 9}
    k16 = board.hex_index["K16"]
    around = [board.hex_names[n] for n in board.neighbours[k16]]
    assert around == ["K18", "L17", "L15", "K14", "J15", "J17"]
    assert {board.towns[board.town_at[n]].name for n in board.around[k16]} >= {"Reading", "Oxford"}
    for place, row in zip(board.places, board.neighbours, strict=True):
        for edge, other in enumerate(row):
            if other >= 0:
                assert board.places[other] == place.neighbour(edge)
                assert board.neighbours[other][(edge + 3) % 6] == board.hex_index[str(place)]
    x, y = Hex.parse("K16").centre(1)
    assert (Hex.parse("K18").centre(1)[0] > x, Hex.parse("K18").centre(1)[1]) == (True, y)
    assert Scene().refused("A builds K17") == "setup-1"
    assert Scene().refused("A builds Q16") == "setup-1"


@pytest.mark.rule("rocket:setup-1")
def test_four_more_railway_towns_are_an_option() -> None:
    towns = TITLE.boards.wide.towns
    assert len([town for town in towns if town.kind == "railway"]) == 13
    scene = Scene(options={"railway_towns": "13"})
    assert scene.refused("A builds L13") == "station-2"
    assert Scene().allowed("A builds L13")
    assert scene.board is TITLE.boards.wide


@pytest.mark.rule("rocket:setup-2")
def test_players_start_without_money_and_the_bank_never_runs_out() -> None:
    assert [fresh().ledger.held("money", str(seat)) for seat in range(4)] == [0, 0, 0, 0]
    notes = 26 * 1000 + 24 * 2000 + 26 * 5000 + 24 * 10000
    scene = Scene().line("LMR", "D7 E8").tokens("Manchester", A=1)
    scene.state.ledger.move("money", "bank", "3", notes)
    scene.do("A extends LMR to E10")
    assert scene.money() == [2000, 0, 0, notes]
    assert scene.supply("money", "bank") == -notes - 2000


@pytest.mark.rule("rocket:setup-2")
def test_no_action_costs_money() -> None:
    for text in ("A takes London", "A builds L15", "A moves H15 to L15", "A extends GER to J25"):
        scene = Scene().stations("A", "H15")
        scene.state.ledger.move("money", "bank", "0", 1000)
        scene.do(text)
        assert scene.money() == [1000, 0, 0, 0]


@pytest.mark.rule("rocket:setup-3")
def test_locomotives_stand_in_their_start_towns_without_a_facing() -> None:
    scene = Scene()
    assert {line: scene.at(line) for line in LINES} == {
        "LMR": "D7",
        "YNM": "B17",
        "LBR": "H11",
        "GER": "J27",
        "GWR": "L9",
        "LSWR": "O16",
        "LBSC": "O22",
    }
    assert scene.state.facing == [-1] * 7
    starts = {"Liverpool", "York", "Birmingham", "Ipswich", "Bristol", "Southampton", "Brighton"}
    assert {line.start for line in scene.board.lines} == starts


@pytest.mark.rule("rocket:setup-4", "rocket:setup-5")
def test_stocks_of_shares() -> None:
    scene = Scene()
    assert [scene.left(line) for line in LINES] == [16] * 7
    assert scene.supply("supplementary", "stock") == 16
    scene.do("A extends GER to J25")
    assert (scene.left("GER"), scene.real("GER")) == (15, [1, 0, 0, 0])


@pytest.mark.rule("rocket:setup-5")
def test_supplementary_shares_are_never_given_for_moving() -> None:
    scene = Scene().stock("GER", 0)
    scene.do("A extends GER to J25")
    assert scene.supply("supplementary", "stock") == 16
    assert scene.real("GER") == scene.extra("GER") == [0, 0, 0, 0]


@pytest.mark.rule("rocket:setup-6")
def test_tokens_lie_on_the_metropolises() -> None:
    scene = Scene()
    industries: Counter[str] = Counter()
    for number in scene.board.metropolises:
        town = scene.board.towns[number]
        assert scene.supply(f"token:{town.name}", "map") == 3
        industries[town.industry] += 3
    assert industries == {"steel": 9, "textile": 9, "beer": 9, "leather": 9}
    assert len(scene.choices("A", TakeToken)) == 12


@pytest.mark.rule("rocket:setup-7", "rocket:setup-8")
def test_passengers_and_tiles() -> None:
    scene = Scene()
    assert scene.supply("passenger") == 9
    assert scene.supply("tile") == 60
    assert scene.track() == {}


@pytest.mark.rule("rocket:setup-9")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seven_stations_for_everybody(players: int) -> None:
    state = fresh(players)
    assert [state.ledger.held(f"station:{seat}", "supply") for seat in range(players)] == [
        7
    ] * players
    assert f"station:{players}" not in state.ledger.items
    scene = Scene(players)
    scene.stations("A", "L13 N19 E18 A12 I20 J23")
    assert scene.choices("A", PlaceStation)
    scene.stations("A", "G20")
    assert not scene.choices("A", PlaceStation)


@pytest.mark.rule("rocket:setup-10")
def test_the_start_player_is_drawn() -> None:
    drawn: Counter[int] = Counter()
    for seed in range(60):
        game = kursbuch.new("rocket", ["A", "B", "C"], seed)
        start = only(game.opening, StartPlayerDrawn)
        assert start.rule == "setup-10"
        assert [decision.seat for decision in game.pending] == [start.seat]
        assert game.draws() == [(start.seat, 3)] == [(draw(str(seed), 0, 3), 3)]
        drawn[start.seat] += 1
    assert set(drawn) == {0, 1, 2}
    assert min(drawn.values()) > 8


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("towns", ["9", "13"])
def test_the_position_at_the_start_is_consistent(players: int, towns: str) -> None:
    state = fresh(players, {"railway_towns": towns})
    consistent(state, TITLE.boards.of(state))
    assert state.stations == {}
    assert state.ledger.totals()["share:GWR"] == 16


@pytest.mark.parametrize("players", [[], ["A"], ["A", "B", "C", "D", "E"]])
def test_two_to_four_players(players: list[str]) -> None:
    with pytest.raises(kursbuch.KursbuchError, match=r"^Stephenson's Rocket is for 2 to 4 players"):
        kursbuch.new("rocket", players)


def test_nothing_is_paid_before_something_happens() -> None:
    assert payments(Scene().game.opening) == []
