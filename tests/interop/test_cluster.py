"""A cluster of Ray does what the processes of one machine do."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.match import Match, Outcome, Results, Task, play, play_game
from kursbuch.bots.review import Budget, review
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.cli import main
from kursbuch.core.errors import KursbuchError

pytest.importorskip("ray", reason="Ray is not installed: kursbuch[ray]")

import ray

from kursbuch.interop.cluster import Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    # On a machine that is busy Ray's processes may come up too late for it.
    for _ in range(3):
        try:
            found = Cluster("ray", 2)
            break
        except KursbuchError:
            ray.shutdown()
    else:
        pytest.skip("Ray's processes do not start on this machine.")
    with found:
        yield found


def interrupted(task: Task) -> Outcome:
    """Play a game; the process that is given number 3 is killed before it has finished."""
    mark = Path(task.options["mark"])
    played = play_game(msgspec.structs.replace(task, options={}))
    if task.number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return played


def timeless(outcome: Outcome) -> Outcome:
    return msgspec.structs.replace(outcome, seconds=())


def test_a_match_is_the_same_as_in_one_process(cluster: Cluster, tmp_path: Path) -> None:
    path = str(tmp_path / "games.sqlite")
    match = Match(kursbuch.title("nimm"), ["random", "random"])
    alone = [timeless(play_game(task)) for n in range(4) for task in match.block(n)]
    seen: list[tuple[int, int]] = []
    with Results(path) as kept:
        standings = play(match, 8, cluster, kept, advance=lambda *counts: seen.append(counts))
    with Results(path) as kept:
        known = kept.load(match)
    assert [timeless(known[number]) for number in sorted(known)][: len(alone)] == alone
    assert standings.games == 8
    assert seen[0] == (0, 8)
    assert seen[-1] == (8, 8)


def test_the_games_of_a_killed_worker_are_played_again(cluster: Cluster, tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    match = Match(kursbuch.title("nimm"), ["random", "random"])
    tasks = [task for number in range(4) for task in match.block(number)]
    marked = [msgspec.structs.replace(task, options={"mark": str(mark)}) for task in tasks]
    found = {outcome.number: timeless(outcome) for outcome in cluster.each(interrupted, marked)}
    assert mark.exists()
    alone = LocalPool(1).each(
        play_game, [msgspec.structs.replace(task, options={}) for task in tasks]
    )
    assert found == {outcome.number: timeless(outcome) for outcome in alone}


def test_a_review_is_the_same_as_in_one_process(cluster: Cluster) -> None:
    game = kursbuch.new("nimm", ["A", "B"], 1)
    bot = make("random", 1)
    while not game.over:
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    few = Budget("few", "", playouts=60)
    assert review(game, cluster, few) == review(game, LocalPool(1), few)


def test_what_ray_warns_of_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def init(**_: object) -> None:
        warnings.warn("Ensure that the port is reachable.", stacklevel=1)
        raise ConnectionError("timeout")

    monkeypatch.setattr(ray, "init", init)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with pytest.raises(KursbuchError, match="cannot be reached: timeout"):
            Cluster("ray://localhost:1")
    assert shown == []


def test_a_place_to_play_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "nimm", "--on", "moon", "--language", "en"]) == 2
    assert capsys.readouterr().err == (
        "Games are played on local, ray or ray://HOST:PORT, not on moon.\n"
    )
