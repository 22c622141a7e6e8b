"""Every title passes PettingZoo's own tests."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

import kursbuch

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: kursbuch[pettingzoo]")

from pettingzoo.test import api_test, render_test, seed_test

from kursbuch.interop.pettingzoo import env, raw_env

TITLES = sorted(kursbuch.titles())


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.filterwarnings("ignore:Observation space for each agent")
def test_conforms(title: str) -> None:
    api_test(env(title), num_cycles=60)
    seed_test(lambda: env(title), num_cycles=20)


@pytest.mark.parametrize("title", TITLES)
def test_renders(title: str, capsys: pytest.CaptureFixture[str]) -> None:
    def make(render_mode: str) -> Any:
        return env(title, render_mode=render_mode)

    render_test(make)
    assert "player_0" in capsys.readouterr().out


def finished(rewards: Any = "win", most_decisions: int = 10_000) -> raw_env:
    """A game of Nimm den Zug played to its end with the lowest tokens."""
    game = raw_env("nimm", 3, rewards=rewards, most_decisions=most_decisions)
    game.reset(seed=5)
    while not any(game.terminations.values()) and not any(game.truncations.values()):
        observation = game.observe(game.agent_selection)
        game.step(int(observation["action_mask"].argmax()))
    return game


def test_rewards_come_at_the_end() -> None:
    game = finished()
    assert all(game.terminations.values())
    assert sorted(game.rewards.values())[-1] > 0
    assert sum(game.rewards.values()) == pytest.approx(0)
    scores = finished(rewards="score").rewards
    assert scores == {agent: info["score"] for agent, info in game.infos.items()}


def test_a_long_game_is_truncated() -> None:
    game = finished(most_decisions=10)
    assert all(game.truncations.values())
    assert not any(game.terminations.values())


def test_an_illegal_token_is_refused() -> None:
    game = raw_env("rocket")
    game.reset(seed=1)
    with pytest.raises(ValueError, match=r"player_. cannot choose 0 now; possible are \["):
        game.step(0)


def pickled(game: Any) -> Any:
    return pickle.loads(pickle.dumps(game))


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_a_copy_goes_on_by_itself(title: str, copied: Callable[[Any], Any]) -> None:
    game = env(title)
    game.reset(seed=3)
    rng = random.Random(3)
    other = copied(game)
    for _ in range(30):
        before = game.unwrapped.environment.observe(0)
        token = rng.choice(list(other.unwrapped.environment.legal))
        other.step(token)
        assert game.unwrapped.environment.observe(0) == before
        game.step(token)
        assert game.unwrapped.environment.observe(0) == other.unwrapped.environment.observe(0)


def test_a_copy_is_made_in_the_middle_of_a_choice_and_of_other_data() -> None:
    data = (files("kursbuch.games.rocket") / "board.json").read_bytes().replace(b"{", b"{ ", 1)
    game = env("rocket", data=data)
    pickled(game)
    game.reset(seed=1)
    environment = game.unwrapped.environment
    while not environment.menu.begun or len(environment.legal) < 2:
        game.step(environment.legal[-1])
    other = pickled(game).unwrapped.environment
    assert other.menu.begun == environment.menu.begun
    assert other.legal == environment.legal
    assert other.table.title.data_hash == environment.table.title.data_hash
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(raw_env(kursbuch.title("rocket"), data=data))


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="render_mode"):
        raw_env("rocket", render_mode="foo")
    with pytest.raises(ValueError, match="rewards"):
        raw_env("rocket", rewards="foo")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="most_decisions"):
        raw_env("rocket", most_decisions=0)
    game = raw_env("rocket")
    with pytest.raises(RuntimeError, match=r"reset\(\)"):
        game.step(0)
    game.reset(seed=1)
    with pytest.raises(ValueError, match="cannot choose"):
        game.step(game.environment.legal[0] + 0.5)  # type: ignore[arg-type,union-attr]
