"""Matches against earlier commits: what runs elsewhere plays as it does there."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import kursbuch
from benchmarks.versus import VersusPool, checked
from kursbuch.bots.match import Match, Outcome, Results, play, play_game
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.core.errors import KursbuchError

SOURCE = str(Path(kursbuch.__file__).parent.parent)


def timeless(outcome: Outcome) -> Outcome:
    return msgspec.structs.replace(outcome, seconds=(), bots=())


@pytest.mark.parametrize("title", ["rocket", "nimm"])
def test_the_same_code_elsewhere_plays_the_same_game(title: str) -> None:
    here = Match(kursbuch.title(title), ["careless:75", "random"], 3, "v").block(0)[0]
    there = msgspec.structs.replace(here, bots=("careless:75", "careless:75@x", "random@x"))
    (found,) = VersusPool(LocalPool(1), {"x": SOURCE}).each(play_game, [there])
    assert found.error == ""
    assert timeless(found) == timeless(play_game(here))


def test_a_game_that_ends_elsewhere_is_an_error_and_the_next_begins_anew() -> None:
    match = Match(kursbuch.title("rocket"), ["greedy", "greedy@x"], seed="v", check=str)
    broken = msgspec.structs.replace(match.block(0)[0], bots=("nobody@x", "random"))
    found = [*VersusPool(LocalPool(1), {"x": SOURCE}).each(play_game, [broken, *match.block(0)])]
    assert "ended without an answer" in found[0].error
    assert [outcome.error for outcome in found[1:]] == ["", ""]


def test_a_match_names_the_commits() -> None:
    match = Match(kursbuch.title("rocket"), ["random@x", "random"], seed="v", check=str)
    with Results() as results:
        found = play(match, 2, VersusPool(LocalPool(1), {"x": SOURCE}), results)
    assert {standing.bot for standing in found.bots} == {"random", "random@x"}


def test_a_commit_that_is_not_there_is_told() -> None:
    with pytest.raises(KursbuchError, match="There is no commit nowhere"):
        checked("greedy@nowhere")
