"""Matches: the same games however they are played, no more of them than needed, fair to every seat."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

import kursbuch
from kursbuch.bots.match import (
    LEAST_BLOCKS,
    MOST_ORDERS,
    Match,
    Outcome,
    Results,
    Task,
    play,
    play_game,
    standings,
)
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.core.errors import KursbuchError

WorkT = TypeVar("WorkT")
ResultT = TypeVar("ResultT")

ROCKET = kursbuch.title("rocket")


def timeless(outcome: Outcome) -> Outcome:
    return msgspec.structs.replace(outcome, seconds=())


def outcome(number: int, bots: str, *scores: int) -> Outcome:
    """A game of bots with names of one letter."""
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    zeros = (0,) * len(scores)
    return Outcome(number, tuple(bots), 1, scores, winners, zeros, tuple(map(float, zeros)))


class Counting:
    """Does the work itself and counts it."""

    def __init__(self) -> None:
        self.done = 0

    def each(
        self, function: Callable[[WorkT], ResultT], work: Iterable[WorkT]
    ) -> Iterator[ResultT]:
        for piece in work:
            self.done += 1
            yield function(piece)


def test_all_orders_meet_the_same_luck() -> None:
    block = Match(ROCKET, ["greedy", "random", "random", "random"]).block(2)
    assert [task.bots.index("greedy") for task in block] == [0, 1, 2, 3]
    assert {task.seed for task in block} == {"1-3"}
    assert [task.number for task in block] == [8, 9, 10, 11]


def test_where_orders_are_many_one_is_moved_round_the_table() -> None:
    bots = ["random", "careless", "greedy", "mcts:2", "mcts:3"]
    match = Match(kursbuch.title("1835"), bots)
    assert len(match.block(0)) == 5 < MOST_ORDERS
    for bot in bots:
        assert sorted(task.bots.index(bot) for task in match.block(0)) == [0, 1, 2, 3, 4]
    assert match.block(0)[0].bots != match.block(1)[0].bots


def test_the_same_games_on_one_process_and_several() -> None:
    match = Match(kursbuch.title("nimm"), ["mcts:2", "random"], seed="same")
    with Results() as one, Results() as two:
        first = play(match, 4, LocalPool(1), one)
        second = play(match, 4, LocalPool(3), two)
        games = [[timeless(game) for game in kept.load(match).values()] for kept in (one, two)]
    assert games[0] == sorted(games[1], key=lambda game: game.number)
    assert first.bots[0].wins == second.bots[0].wins
    assert first.bots[0].margin == second.bots[0].margin


def test_a_match_goes_on_where_it_was_left(tmp_path: Path) -> None:
    match = Match(ROCKET, ["greedy", "random"])
    path = str(tmp_path / "games.sqlite")
    workers = Counting()
    with Results(path) as results:
        play(match, 4, workers, results)
    with Results(path) as results:
        played = play(match, 6, workers, results)
        assert play(match, 6, workers, results) == played
    assert (workers.done, played.games) == (6, 6)
    with Results(path) as results, pytest.raises(KursbuchError, match="another match"):
        results.load(Match(ROCKET, ["greedy", "random"], seed="2"))


def test_a_match_does_not_go_on_with_other_opponents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program calls others by the same names."""
    match = Match(ROCKET, ["greedy", "random"])
    with Results(str(tmp_path / "games.sqlite")) as results:
        play(match, 2, Counting(), results)
        monkeypatch.setattr("kursbuch.bots.match.program_id", lambda title: "another one")
        with pytest.raises(KursbuchError, match=r"another match: program [0-9a-f]{12}"):
            results.load(match)


@pytest.mark.parametrize("tables", [["account"], ["game"], ["match", "game"]])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, tables: list[str]) -> None:
    path = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(path)) as file, file:
        for table in tables:
            file.execute(f"CREATE TABLE {table} (id INTEGER)")
            file.execute(f"INSERT INTO {table} VALUES (1)")
    before = path.read_bytes()
    with (
        pytest.raises(KursbuchError, match=r"something other|no such column"),
        Results(str(path)) as results,
    ):
        results.load(Match(ROCKET, ["random"]))
    assert path.read_bytes() == before


def test_a_match_stops_when_it_is_certain_enough() -> None:
    match = Match(ROCKET, ["greedy", "random"])
    with Results() as results:
        found = play(match, 1000, LocalPool(2), results, within=0.2)
    assert LEAST_BLOCKS <= found.blocks < 20
    assert max(bot.wins.reach for bot in found.bots) <= 0.2


def test_what_a_killed_process_was_at_is_done_again(tmp_path: Path) -> None:
    work = [str(tmp_path / str(number)) for number in range(6)]
    assert sorted(LocalPool(2).each(killed_once, work)) == sorted(work)


def test_processes_that_do_not_listen_are_ended() -> None:
    """They are left in the middle of their work."""
    results = LocalPool(2).each(deaf, [0, 1, 2])
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]


def deaf(number: int) -> int:
    """Does not end when it is told to, and all but the first not by itself."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while number:
        time.sleep(0.1)
    return number


def test_processes_are_ended_in_whatever_way_the_main_one_ends(tmp_path: Path) -> None:
    work = [str(tmp_path / str(number)) for number in range(6)]
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        assert sorted(LocalPool(2).each(killed_once, work)) == sorted(work)
    finally:
        signal.signal(signal.SIGTERM, before)


def killed_once(path: str) -> str:
    """Kills the process the first time that it is at the third piece."""
    if path.endswith("2") and not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGTERM)
    return path


def test_standings_of_known_games() -> None:
    blocks = [
        [outcome(0, "ab", 10, 4), outcome(1, "ba", 8, 6)],
        [outcome(2, "ab", 9, 3), outcome(3, "ba", 5, 5)],
    ]
    found = standings("ab", blocks)
    first, second = found.bots
    assert (first.wins.value, second.wins.value) == (0.625, 0.375)
    assert first.margin is not None
    assert first.margin.value == 2.5
    assert first.margin.low is not None
    assert first.margin.low < 2.5
    assert (first.place.value, second.place.value) == (1.375, 1.625)
    assert [seat.wins.value for seat in found.seats] == [0.875, 0.125]
    assert first.elo is not None
    assert second.elo is not None
    # Three and a half of five with the draw that is added.
    assert first.elo.value == pytest.approx(-second.elo.value)
    assert 10 ** ((first.elo.value - second.elo.value) / 400) == pytest.approx(3 / 2)


def test_elo_is_found_where_one_always_wins() -> None:
    """As often as a beats b, b beats c: so b is in the middle, and the shares with the added draws fit."""
    pairs = list(enumerate(("ab", "bc", "ac")))
    blocks = [[outcome(number, pair, 2, 1) for number, pair in pairs] for _ in range(300)]
    found = [each.elo.value for each in standings("abc", blocks).bots if each.elo is not None]
    assert found[1] == pytest.approx(0, abs=0.5)
    # Together a wins 600 and a draw with each other; that is what its ratings expect.
    expected = sum(301 / (1 + 10 ** ((other - found[0]) / 400)) for other in found[1:])
    assert expected == pytest.approx(601, abs=0.01)


def test_a_group_is_named_once_wherever_its_opponents_stand() -> None:
    match = Match(ROCKET, ["greedy", "random", "greedy"], players=2)
    assert match.groups == [("greedy", "greedy"), ("greedy", "random")]
    assert len(match.block(0)) == 3


@pytest.mark.parametrize(
    ("bots", "players"),
    [
        ("random", 4),
        ("greedy,random,greedy,random", 4),
        ("random,greedy,random,greedy,careless,random", 3),
        ("random,greedy,careless,mcts:2,mcts:3,random,greedy", 5),
        ("random,greedy,careless,mcts:2,mcts:3,mcts:4,mcts:5,mcts:6,mcts:7", 7),
    ],
)
def test_the_games_of_a_block_are_counted_without_making_them(bots: str, players: int) -> None:
    match = Match(kursbuch.title("1835"), bots.split(","), players)
    assert match.size == len(match.block(0))
    assert match.groups == [*dict.fromkeys(combinations(match.bots, players))]


def test_more_games_with_one_seed_than_anybody_waits_for_are_refused() -> None:
    title = kursbuch.title("1835")
    with pytest.raises(KursbuchError, match=r"make 2388046122 games per seed"):
        Match(title, [f"mcts:{playouts}" for playouts in range(1, 60)], 7)
    assert len(Match(title, ["random"] * 59, 7).block(0)) == 1


def test_the_margin_is_taken_against_other_specifications() -> None:
    (block,) = [[outcome(0, "abbb", 100, 10, 20, 30), outcome(1, "babb", 10, 50, 20, 30)]]
    first, second = standings("abbb", [block]).bots
    assert first.margin is not None
    assert second.margin is not None
    assert (first.margin.value, second.margin.value) == (55, -55)
    assert (first.equal, second.equal) == (0.25, 0.75)


def test_bots_with_playouts_repeat_their_games() -> None:
    task = Task(0, "rocket", "1-1", {}, None, ("mcts:2", "random"))
    assert timeless(play_game(task)) == timeless(play_game(task))
