"""What searches of Stephenson's Rocket believe in: the numbers of a position, and what weights make of them."""

from __future__ import annotations

from operator import mul

import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket.prospects import NAMES, Prospects, Worths, parts, prospects, worths
from tests.bot_games import played_out
from tests.games.rocket.scenario import LINES, Scene

BOARD = TITLE.boards.usual
ZERO = (0.0,) * len(NAMES)


def numbers(scene: Scene) -> dict[str, tuple[float, ...]]:
    """What is not nothing for everybody."""
    rows = zip(NAMES, zip(*prospects(scene.board).numbers(scene.state), strict=True), strict=True)
    return {name: row for name, row in rows if any(row)}


def midway() -> Scene:
    """The GWR has come to Worcester; two players hold shares of it, and one has a station before it. No other line
    comes anywhere."""
    return alone().line("GWR", "L9 L11 K12").shares("GWR", A=2, B=1).stations("A", "J13")


def alone(players: int = 2) -> Scene:
    """Only the GWR can still move."""
    return Scene(players=players).isolate(*(line for line in LINES if line != "GWR"))


def test_what_majorities_bring() -> None:
    assert parts((3, 1)) == ((1.0, 0.9), (0.5, 0.3))
    assert parts((2, 2, 1)) == ((0.75, 0.5), (0.75, 0.5), (0.0, 0.25))
    assert parts((0, 0)) == ((0.0, 0.0), (0.0, 0.0))


def test_at_the_start_there_are_stations_and_a_turn() -> None:
    assert numbers(Scene(players=2)) == {
        "stations in supply": (7.0, 7.0),
        "two actions": (1.0, 0.0),
    }


def test_the_second_action_of_a_turn_is_told_apart() -> None:
    assert numbers(Scene(players=2).turn("B", 2))["one action"] == (0.0, 1.0)


def test_a_line_on_its_way() -> None:
    """Bristol and Worcester are connected; the first move can come to one new town, the second to one, the three
    after them to ten, and with the first move the locomotive can run into the station."""
    assert numbers(midway()) == {
        "shares, standing": (2000.0, 1000.0),
        "shares, proportional": (1500.0, 750.0),
        "shares of towns next, standing": (1000.0, 500.0),
        "shares of towns next, proportional": (750.0, 375.0),
        "shares of towns second, standing": (1000.0, 500.0),
        "shares of towns second, proportional": (750.0, 375.0),
        "shares of towns later, standing": (10000.0, 5000.0),
        "shares of towns later, proportional": (7500.0, 3750.0),
        "stations met next": (3000.0, 0.0),
        "stations met next, of towns to come": (12000.0, 0.0),
        "stations in supply": (6.0, 7.0),
        "two actions": (1.0, 0.0),
    }


def test_stations_of_a_line_score_at_new_railway_towns() -> None:
    scene = alone().line("GWR", "L9 L11 K12").stations("B", "L11")
    found = numbers(scene)
    assert found["stations, standing"] == (0.0, 2000.0)
    assert found["stations at towns next, standing"] == (0.0, 1000.0)
    assert found["scorings at railway towns next, standing"] == (0.0, 2000.0)


def test_an_isolated_line_comes_to_nothing_more() -> None:
    found = numbers(midway().isolate("GWR"))
    assert set(found) == {
        "shares, standing", "shares, proportional", "stations in supply", "two actions",
    }  # fmt: skip


def test_tokens_and_passengers() -> None:
    scene = alone(players=3).line("GWR", "L9 L11 K12").tokens("Reading", A=1).passengers(B=2, C=1)
    found = numbers(scene)
    metropolis, kind = BOARD.payments.metropolis_first, BOARD.payments.kind_first
    expected = {
        "tokens of metropolises second, standing": (metropolis, 0, 0),
        "kinds, standing": (kind, 0, 0),
        "passengers, standing": (0, kind, kind / 2),
    }
    assert {name: found[name] for name in expected} == expected
    assert "kinds of connected metropolises, standing" not in found
    connected = numbers(scene.connect("GWR", "Reading"))
    assert connected["kinds of connected metropolises, standing"] == (kind, 0.0, 0.0)


def test_weights_fit_the_numbers() -> None:
    assert set(worths()) == {2, 3, 4}
    for each in worths().values():
        assert len(each.last) == len(each.first) == len(NAMES)


@pytest.mark.parametrize("wrong", [ZERO[1:], (*ZERO, 0.0)])
def test_weights_of_other_numbers_are_refused(wrong: tuple[float, ...]) -> None:
    for each in (Worths(wrong, ZERO), Worths(ZERO, wrong)):
        with pytest.raises(ValueError, match=f"instead of {len(NAMES)}"):
            Prospects(BOARD, {2: each})


def test_what_is_expected_is_the_weighted_sum() -> None:
    """The first weights count in proportion to the tiles that are left."""
    scene = midway()
    found = prospects(BOARD)
    left = scene.state.ledger.held("tile", "supply") / BOARD.tiles
    weights = worths()[2]
    row = [last + left * first for last, first in zip(weights.last, weights.first, strict=True)]
    expected = [
        scene.state.ledger.held("money", str(seat)) + sum(map(mul, numbers, row))
        for seat, numbers in enumerate(found.numbers(scene.state))
    ]
    assert found.values(scene.state) == pytest.approx(expected)


def test_at_the_end_there_is_only_money() -> None:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=1)
    players = [make("random", 1), make("random", 2)]
    played_out(game, players)
    assert game.result is not None
    assert prospects(BOARD).values(game.state) == [float(score) for score in game.result.scores]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_numbers_are_of_what_everybody_sees(seats: int) -> None:
    """With money that is hidden too: the numbers are the same for every viewer and for the table."""
    players = [make("random", seat) for seat in range(seats)]
    names = ["Anna", "Bernd", "Clara", "Dirk"][:seats]
    game = kursbuch.new("rocket", names, 1, {"money": "hidden"})
    found = Prospects(BOARD, {})
    while len(game.moves) < 60:
        at_the_table = found.numbers(game.state)
        for viewer in (None, *range(seats)):
            state = game.view(viewer).state
            assert found.numbers(state) == at_the_table
            assert state.ledger.items["money"].keys() <= {str(viewer)}
        seat = game.pending[0].seat
        game.apply(players[seat].choose(game.view(seat)))


def test_players_are_treated_alike() -> None:
    one = midway().turn("A")
    other = alone().line("GWR", "L9 L11 K12").shares("GWR", B=2, A=1).stations("B", "J13")
    other.turn("B")
    found = prospects(BOARD)
    assert found.values(one.state) == pytest.approx(list(reversed(found.values(other.state))))


def test_looking_changes_nothing() -> None:
    scene = midway()
    before = TITLE.encode(scene.state)
    prospects(BOARD).values(scene.state)
    prospects(BOARD).numbers(scene.state)
    assert TITLE.encode(scene.state) == before
