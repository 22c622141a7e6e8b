"""Environment steps with masks and observations, compared with OpenSpiel's Python games and an empty PettingZoo
loop; random playouts of all titles."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyspiel
from gymnasium import spaces
from open_spiel.python.games import tic_tac_toe as tic_tac_toe  # registers it
from pettingzoo import AECEnv

import kursbuch
from benchmarks.common import Caches, Measurement, faster, reference
from benchmarks.engine import REFERENCE, names
from kursbuch.interop.openspiel import KursbuchState as KursbuchState  # registers the titles
from kursbuch.interop.pettingzoo import raw_env
from kursbuch.interop.vector import VectorEnv

#: Seconds per measurement.
SECONDS = 2.0

#: Games side by side, and steps of such a run.
GAMES = 32
STEPS = 6400

PLAYERS = {"1835": 4, "1853": 4, "dice": 2, "nimm": 2, "rocket": 2}

PETTINGZOO = "a PettingZoo environment that does nothing"
OPENSPIEL = "OpenSpiel's Python tic-tac-toe"


class Nothing(AECEnv[str, Any, int]):  # type: ignore[misc]
    """Two agents in turn with an observation and mask of usual size: the cost of the loop itself."""

    metadata = {"name": "nothing", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012
    LENGTH = 200

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = ["a", "b"]
        self.numbers = np.zeros(1000, np.int32)
        self.mask = np.ones(200, np.int8)
        self.space = spaces.Discrete(200)
        self.render_mode = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Box(-1, 1, (1000,), np.int32)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self.agent_selection = "a"
        self.left = self.LENGTH

    def observe(self, agent: str) -> Any:
        return {"observation": self.numbers.copy(), "action_mask": self.mask.copy()}

    def step(self, action: int) -> None:
        self.left -= 1
        self.agent_selection = "b" if self.agent_selection == "a" else "a"
        if not self.left:
            self.terminations = dict.fromkeys(self.agents, True)


def per_second(game: Callable[[int], int]) -> float:
    """Steps per CPU second over games with the seeds 1, 2 …; `game` returns its number of steps. They start cold and
    keep their caches."""
    game(0)
    Caches().clear()
    started, steps, seed = time.process_time(), 0, 0
    while time.process_time() - started < SECONDS:
        seed += 1
        steps += game(seed)
    return steps / (time.process_time() - started)


def stepped(game: Any, seed: int) -> int:
    """A random game in a PettingZoo environment, with all observations and masks."""
    rng = random.Random(seed)
    game.reset(seed=seed)
    steps = 0
    while True:
        observation, _, terminated, truncated, _ = game.last()
        if terminated or truncated:
            return steps
        game.step(rng.choice(np.flatnonzero(observation["action_mask"])))
        steps += 1


def side_by_side(title: str, players: int, seed: int) -> int:
    """Some steps of random games in a vector environment; returns their number."""
    rng = random.Random(seed)
    games = VectorEnv(title, GAMES, players)
    observations, _ = games.reset(seed=seed)
    steps = 0
    while steps < STEPS:
        # A game that is over has no legal token, and goes on with any.
        masks = observations["action_mask"]
        actions = [rng.choice([*np.flatnonzero(mask)] or [0]) for mask in masks]
        observations, *_ = games.step(np.array(actions))
        steps += GAMES
    return steps


def one_by_one(title: str, players: int, seed: int) -> int:
    """The same in as many PettingZoo environments, a step in each by turns."""
    rng = random.Random(seed)
    games = [raw_env(title, players) for _ in range(GAMES)]
    for number, game in enumerate(games):
        game.reset(seed=seed * GAMES + number)
    steps = 0
    while steps < STEPS:
        for number, game in enumerate(games):
            observation, _, terminated, truncated, _ = game.last()
            if terminated or truncated:
                game.reset(seed=seed * GAMES + number + steps)
            else:
                game.step(rng.choice(np.flatnonzero(observation["action_mask"])))
        steps += GAMES
    return steps


def walked(game: Any, seed: int) -> int:
    """A random game in OpenSpiel, with all observations and masks."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    steps = 0
    while not state.is_terminal():
        if not state.is_chance_node():
            state.observation_tensor()
            state.legal_actions_mask()
        state.apply_action(rng.choice(state.legal_actions()))
        steps += 1
    return steps


def playout(title: str, seed: int) -> int:
    """A random game on the bare position; returns its number of actions."""
    rng = random.Random(seed)
    position = kursbuch.new(title, names(title, seed), seed).position
    count = 0
    while not position.over:
        choice = position.at_random(position.deciders()[0], rng)
        amount = choice.amount
        position.apply(choice.action if amount is None else choice.with_amount(amount.low))
        count += 1
    return count


def whole(title: str, seed: int) -> int:
    """The same, counted as one game."""
    playout(title, seed)
    return 1


def referenced(seed: int) -> int:
    """The reference workload, once."""
    reference()
    return 1


def run() -> list[Measurement]:
    """All figures."""
    empty = Nothing()
    loop = per_second(partial(stepped, empty))
    board = pyspiel.load_game("python_tic_tac_toe")
    usual = per_second(partial(walked, board))
    plain = per_second(referenced)
    found = []
    for title in kursbuch.titles():
        players = PLAYERS.get(title, kursbuch.title(title).seats[0])
        name = f"{title}, {players} players"
        game = pyspiel.load_game(f"kursbuch_{title}(players={players})")
        for label, work, unit, baseline, base in (
            (
                f"{name}: PettingZoo",
                partial(stepped, raw_env(title, players)),
                "steps/s",
                PETTINGZOO,
                loop,
            ),
            (f"{name}: OpenSpiel", partial(walked, game), "steps/s", OPENSPIEL, usual),
            (f"{title}: random playouts", partial(whole, title), "games/s", REFERENCE, plain),
            (f"{title}: random playouts", partial(playout, title), "actions/s", REFERENCE, plain),
        ):
            found.append(faster(label, per_second(work), unit, baseline, base))
        single = per_second(partial(one_by_one, title, players))
        vector = per_second(partial(side_by_side, title, players))
        label = f"{name}: vector of {GAMES} games"
        found.append(faster(label, vector, "steps/s", "as many PettingZoo environments", single))
    return found
