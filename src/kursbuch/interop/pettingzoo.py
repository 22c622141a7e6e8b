"""PettingZoo environment (AEC) for every title. Needs the extra `kursbuch[pettingzoo]`.

>>> from kursbuch.interop.pettingzoo import env
>>> rocket = env("rocket", players=2)
>>> rocket.reset(seed=7)
>>> observation, reward, terminated, truncated, info = rocket.last()
>>> rocket.agent_selection, observation["observation"].shape, int(observation["action_mask"].sum())
('player_0', (1285,), 3)
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from kursbuch.core.title import Title
from kursbuch.core.words import Words
from kursbuch.interop.environment import MOST_DECISIONS, Environment, Table

#: Final rewards: for winning, or the score.
Rewards = Literal["win", "score"]

Observation = dict[str, NDArray[Any]]

_NUMBERS = np.iinfo(np.int32)


def env(
    title: str,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    *,
    data: bytes | None = None,
    render_mode: str | None = None,
    rewards: Rewards = "win",
    most_decisions: int = MOST_DECISIONS,
) -> OrderEnforcingWrapper[str, Observation, int]:
    """The environment of a title, by default with the minimum number of players. It checks the order of calls;
    `raw_env` is faster without."""
    return OrderEnforcingWrapper(
        raw_env(
            title,
            players,
            options,
            data=data,
            render_mode=render_mode,
            rewards=rewards,
            most_decisions=most_decisions,
        )
    )


class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game as small choices (docs/laboratory.md): agents are seats, actions are tokens.

    An observation is a dictionary of `observation`, integers laid out as in `table.parts`, and `action_mask`.
    Rewards come at the end: zero-sum with 1 for winning, or the scores with `rewards="score"`. A game with too many
    decisions is truncated.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - so declared by PettingZoo
        "name": "kursbuch_v1",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        title: str | Title[Any],
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        data: bytes | None = None,
        render_mode: str | None = None,
        rewards: Rewards = "win",
        most_decisions: int = MOST_DECISIONS,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(
                f"render_mode cannot be {render_mode!r}; possible are 'ansi', 'human'."
            )
        if rewards not in get_args(Rewards):
            raise ValueError(f"rewards cannot be {rewards!r}; possible are 'win', 'score'.")
        #: Alphabet and observation layout.
        self.table = Table(title, players, options, most_decisions, data)
        self.render_mode = render_mode
        self.rewarded: Rewards = rewards
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        tokens = self.table.tokens
        observed = spaces.Box(
            int(_NUMBERS.min), int(_NUMBERS.max), (self.table.size,), dtype=np.int32
        )
        mask = spaces.Box(0, 1, (tokens,), dtype=np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observed, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(tokens) for agent in self.possible_agents}
        #: The current game, set by `reset`.
        self.environment: Environment | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; the same seed gives the same game."""
        text = secrets.token_hex(16) if seed is None else str(seed)
        self.environment = self.table.begin(text)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, int]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        """What a seat may know, and its legal tokens; none if it is not its turn."""
        environment = self._environment()
        seat = self._seats[agent]
        mask = np.zeros(self.table.tokens, np.int8)
        if seat == environment.seat:
            mask[list(environment.legal)] = 1
        numbers = np.frombuffer(environment.observe(seat), np.int32)
        return {"observation": numbers, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Choose a token for the current seat."""
        environment = self._environment()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or action not in environment.legal:
            raise ValueError(
                f"{agent} cannot choose {action} now; possible are {list(environment.legal)}."
            )
        environment.choose(int(action))
        self._cumulative_rewards[agent] = 0.0
        if environment.over:
            self._end(environment)
        self._select()

    def _end(self, environment: Environment) -> None:
        scores = environment.scores()
        got = (
            environment.returns() if self.rewarded == "win" else [float(score) for score in scores]
        )
        for agent, seat in self._seats.items():
            self.rewards[agent] = got[seat]
            self._cumulative_rewards[agent] += got[seat]
            self.terminations[agent] = not environment.broken_off
            self.truncations[agent] = environment.broken_off
            self.infos[agent] = {"score": scores[seat]}

    def _select(self) -> None:
        environment = self._environment()
        seat = 0 if environment.over else environment.seat
        self.agent_selection = self.possible_agents[seat]

    def _environment(self) -> Environment:
        if self.environment is None:
            raise RuntimeError("reset() must be called before anything else.")
        return self.environment

    def render(self) -> str | None:
        """The public table as text: returned ("ansi") or printed ("human")."""
        if self.render_mode is None:
            return None
        text = self._text(self._environment())
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _text(self, environment: Environment) -> str:
        title = self.table.title
        voice = title.voice(Words("en", tuple(self.possible_agents)))
        state = title.view(environment.position.state, None)
        lines = voice.status(state).splitlines()
        for panel in [*voice.panels(state), *voice.board_text(state)]:
            lines += ["", panel.title, *(f"  {row.label}: {row.value}" for row in panel.rows)]
        return "\n".join(lines)

    def close(self) -> None:
        """Nothing to close."""
