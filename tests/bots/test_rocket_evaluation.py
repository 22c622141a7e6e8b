"""The evaluation of Stephenson's Rocket: sensible in what is certain, and in its tendencies."""

from __future__ import annotations

import msgspec
import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.core.game import Game
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket.evaluation import FIRMNESS_LEVELS, bits, expected_parts, tables
from kursbuch.games.rocket.state import share, token

BOARD = TITLE.boards.usual


def new(players: int = 2) -> Game:
    return kursbuch.new("rocket", ["Anna", "Bernd", "Clara", "Dirk"][:players], seed=1)


def gain(game: Game, seat: int, item: str, source: str, count: int = 1) -> float:
    """What a player's value grows by with some pieces."""
    state = TITLE.clone(game.state)
    before = TITLE.evaluator.evaluate(state)[seat]
    state.ledger.move(item, source, str(seat), count)
    return TITLE.evaluator.evaluate(state)[seat] - before


def test_nobody_is_ahead_at_the_start() -> None:
    assert TITLE.evaluator.evaluate(new(4).state) == [0.0] * 4


def test_at_the_end_only_money_counts() -> None:
    game = new()
    seats = [make("random", 1), make("random", 2)]
    while not game.over:
        seat = game.pending[0].seat
        game.apply(seats[seat].choose(game.view(seat)))
    assert game.result is not None
    assert list(TITLE.evaluator.evaluate(game.state)) == [
        float(score) for score in game.result.scores
    ]


def test_money_counts_as_it_is() -> None:
    assert gain(new(), 0, "money", "bank", 3000) == 3000


@pytest.mark.parametrize("item", [share("GWR"), token("London"), "passenger"])
def test_every_holding_is_worth_something(item: str) -> None:
    game = new()
    source = next(holder for holder in game.state.ledger.items[item])
    assert gain(game, 1, item, source) > 500


def test_a_station_ahead_of_a_locomotive_is_worth_more_than_one_far_away() -> None:
    game = new()

    def value(place: str) -> float:
        state = TITLE.clone(game.state)
        state.stations[BOARD.hex_index[place]] = 0
        return TITLE.evaluator.evaluate(state)[0]

    assert value("H9") > value("P1") >= 0


def test_shares_of_a_long_line_are_worth_more() -> None:
    game = new()
    short = gain(game, 0, share("GWR"), "stock")
    line = BOARD.line_index["GWR"]
    for town in BOARD.metropolises[:4]:
        game.state.connected[line] |= 1 << town
    assert gain(game, 0, share("GWR"), "stock") > short


def test_players_are_treated_alike() -> None:
    """Exchanging two players exchanges their values."""
    game = new()
    state = TITLE.clone(game.state)
    state.ledger.move(share("GWR"), "stock", "0", 2)
    state.ledger.move(token("London"), "map", "0", 1)
    state.stations[BOARD.hex_index["H9"]] = 0
    other = TITLE.clone(game.state)
    other.ledger.move(share("GWR"), "stock", "1", 2)
    other.ledger.move(token("London"), "map", "1", 1)
    other.stations[BOARD.hex_index["H9"]] = 1
    assert TITLE.evaluator.evaluate(state) == pytest.approx(
        list(reversed(TITLE.evaluator.evaluate(other)))
    )


def test_evaluating_changes_nothing() -> None:
    game = new(3)
    bot = make("random", 4)
    for _ in range(50):
        before = TITLE.encode(game.state)
        TITLE.evaluator.evaluate(game.state)
        assert TITLE.encode(game.state) == before
        game.apply(bot.choose(game.view(game.pending[0].seat)))


def test_expected_parts_follow_the_payments() -> None:
    firm = FIRMNESS_LEVELS
    assert expected_parts((2, 2, 1), firm) == (0.75, 0.75, 0.0)
    assert expected_parts((3, 1, 1), firm) == (1.0, 0.25, 0.25)
    assert expected_parts((0, 0), firm) == (0.0, 0.0)
    early = expected_parts((1, 0), 0)
    assert 0 < early[0] < 1
    assert early[1] == 0


def test_a_locomotive_reaches_what_lies_ahead() -> None:
    """From Bristol eastwards the nearest hexes come first, and none comes twice."""
    place = BOARD.hex_index["L11"]
    reach = tables(BOARD).reach(place, 0)
    assert reach[0][1] == 1 << place
    seen = 0
    for _, hexes in reach:
        assert not hexes & seen
        seen |= hexes
    names = {BOARD.hex_names[bit.bit_length() - 1] for bit in bits(reach[1][1])}
    assert names == {"K12", "L13", "M12"}


def test_other_boards_have_other_tables() -> None:
    assert tables(TITLE.boards.wide) is not tables(TITLE.boards.usual)
    wide = kursbuch.new("rocket", ["Anna", "Bernd"], 1, {"railway_towns": "13"})
    assert TITLE.evaluator.evaluate(wide.state) == [0.0, 0.0]
    assert msgspec.msgpack.encode(wide.state) != msgspec.msgpack.encode(new().state)
