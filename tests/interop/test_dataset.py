"""Data sets hold whole games, as they were chosen."""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.bots.match import Match, play_game
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.cli import main
from kursbuch.core.errors import KursbuchError

pytest.importorskip("pyarrow", reason="PyArrow is not installed: kursbuch[dataset]")

import pyarrow.parquet as pq

from kursbuch.interop import dataset
from kursbuch.interop.environment import Table

TITLES = sorted(kursbuch.titles())


def written(path: Path, title: str, bots: str, games: int, jobs: int = 1) -> Any:
    """A data set, read again."""
    match = Match(kursbuch.title(title), bots.split(","))
    dataset.write(str(path), match, games, LocalPool(jobs))
    return pq.read_table(path)


@pytest.mark.parametrize("title", TITLES)
def test_the_tokens_of_a_game_play_it_again(title: str) -> None:
    found = kursbuch.title(title)
    task = Match(found, ["random"] * found.seats[0]).block(0)[0]
    table = dataset.table_of(task)
    environment = table.begin(task.seed)
    for row in islice(dataset.choices(task, table.begin(task.seed)), 300):
        assert row.seat == environment.seat
        assert row.legal == environment.legal
        assert row.observation == environment.observe(environment.seat)
        done = environment.choose(row.token)
        assert row.action == (None if done is None else found.format(done))


def test_a_file_holds_what_was_chosen(tmp_path: Path) -> None:
    file = written(tmp_path / "games.parquet", "dice", "random", 1)
    environment = Table("dice").begin("1-1")
    for number, row in enumerate(file.to_pylist()):
        assert (row["game"], row["choice"], row["seat"]) == (0, number, environment.seat)
        assert row["legal"] == list(environment.legal)
        assert row["observation"] == environment.observe(environment.seat).tolist()
        environment.choose(row["token"])
    assert environment.over
    assert row["score"] == environment.scores()[row["seat"]]


def test_games_are_those_of_a_match(tmp_path: Path) -> None:
    """Anyone who volunteers for something does so here, too."""
    match = Match(kursbuch.title("nimm"), ["greedy", "random", "random"])
    rows = written(tmp_path / "games.parquet", "nimm", "greedy,random,random", 2).to_pylist()
    for task in match.block(0)[:2]:
        bots = {row["seat"]: row["bot"] for row in rows if row["game"] == task.number}
        assert tuple(bots[seat] for seat in range(3)) == task.bots
        scores = {row["seat"]: row["score"] for row in rows if row["game"] == task.number}
        assert tuple(scores[seat] for seat in range(3)) == play_game(task).scores
        rewards = {row["seat"]: row["reward"] for row in rows if row["game"] == task.number}
        assert sum(rewards.values()) == pytest.approx(0)


def test_the_same_seed_gives_the_same_file_with_any_number_of_processes(tmp_path: Path) -> None:
    one = written(tmp_path / "one.parquet", "rocket", "random,random", 5)
    two = written(tmp_path / "two.parquet", "rocket", "random,random", 5, jobs=2)
    assert one.equals(two)
    assert set(one["game"].to_pylist()) == set(range(5))
    about = json.loads(one.schema.metadata[dataset.METADATA])
    assert about["seed"] == "1"
    assert about["tokens"] == list(Table("rocket").spelling.tokens)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.parquet", "two.parquet"]


def test_without_an_error_the_first_one_is_null(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "games.parquet")
    assert main(["dataset", "nimm", "--games", "1", "--jobs", "1", "-o", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first_error"] is None


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KursbuchError, match="is a directory"):
        written(tmp_path, "rocket", "random", 1)
    with pytest.raises(KursbuchError, match="cannot be written: No such file or directory"):
        written(tmp_path / "nowhere" / "games.parquet", "rocket", "random", 1)


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(KursbuchError, match="needs a file of its own"):
        written(pipe, "rocket", "random", 1)
    assert pipe.is_fifo()
