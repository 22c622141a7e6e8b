"""Many games of a title in one process, as a vector environment of Gymnasium. Needs the extra
`kursbuch[pettingzoo]`.

>>> from kursbuch.interop.vector import VectorEnv
>>> games = VectorEnv("rocket", games=3)
>>> observations, infos = games.reset(seed=7)
>>> observations["observation"].shape, observations["action_mask"].sum(axis=1), infos["seat"]
((3, 1285), array([3, 3, 3]), array([0, 0, 1]))
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from kursbuch.core.title import Title
from kursbuch.interop.encoding import NOTHING, Cell
from kursbuch.interop.environment import BEGUN, MOST_DECISIONS, Environment, Table

#: Number that a value without a known limit is compared with: it becomes 1.
LARGE = 10_000

#: Largest number whose logarithm is kept; larger ones count as much.
MOST = 1 << 16

#: The numbers of an observation for -`MOST` to `MOST`.
LOGARITHMS = (
    np.sign(np.arange(-MOST, MOST + 1))
    * np.log1p(np.abs(np.arange(-MOST, MOST + 1)))
    / np.log1p(LARGE)
).astype(np.float32)

Numbers = NDArray[np.float32]
Observations = dict[str, NDArray[Any]]


class _Layout(NamedTuple):
    """Where each number of a relative observation comes from, its factor, and which numbers are
    limited, unlimited, and seats."""

    sources: NDArray[np.intp]
    factors: Numbers
    limited: NDArray[np.bool_]
    unlimited: NDArray[np.intp]
    seats: NDArray[np.intp]


class Relative:
    """Observations as numbers around -1 to 1, with the viewer as seat 0 and the others clockwise.

    Words, tokens, seats, and yes and no are divided by the largest there is; nothing is -1 as in the
    observation of a single game. Of other numbers, positive or negative, it is the logarithm:
    log(1 + n) / log(1 + 10,000). Fields of steps are of the kind of step that is there.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._steps = [part.start for part in table.parts if part.name in ("step", "step below")]
        forms = [(), *(form.cells for form in table.arrays.steps.values())]
        self._fields: list[Sequence[Cell]] = list(forms)
        self._layouts: dict[tuple[int, ...], _Layout] = {}
        #: Positions of the tokens of a choice that has begun.
        self.begun = table.part("begun")

    def write(self, numbers: NDArray[np.int32], out: Numbers) -> None:
        """Write the observation of a seat as numbers relative to it."""
        viewer = int(numbers[0])
        key = (viewer, *[int(numbers[start]) for start in self._steps])
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._layouts[key] = self._layout(*key)
        turned = numbers[layout.sources]
        seats = turned[layout.seats]
        turned[layout.seats] = np.where(seats < 0, -1, (seats - viewer) % self.table.players)
        np.multiply(turned, layout.factors, out=out)
        out[layout.limited & (turned < 0)] = -1
        out[layout.unlimited] = LOGARITHMS.take(turned[layout.unlimited] + MOST, mode="clip")

    def _layout(self, viewer: int, *steps: int) -> _Layout:
        cells = list(self.table.cells)
        for start, kind in zip(self._steps, steps, strict=True):
            fields = self._fields[kind]
            cells[start + 1 : start + 1 + len(fields)] = fields
        players = self.table.players
        sources = [
            number + sum(((seat + viewer) % players - seat) * by for seat, by in cell.turns)
            for number, cell in enumerate(cells)
        ]
        most = np.array([cell.most for cell in cells])
        return _Layout(
            np.array(sources, np.intp),
            (1 / np.maximum(most, 1)).astype(np.float32),
            most > 0,
            np.flatnonzero(most == 0),
            np.flatnonzero([cell.seat for cell in cells]),
        )


class VectorEnv(GymnasiumVectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Games of a title side by side, each a sequence of small choices (docs/laboratory.md). One agent
    plays all seats: in each game it has the observation of the seat that chooses, relative to it.

    `infos["seat"]` tells who chooses. A reward is that of the seat which chose; at the end
    `infos["returns"]` has those of all seats, zero-sum with 1 for winning, and `infos["score"]` their
    scores. The step after the end of a game begins the next one, whatever its action.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - so declared by Gymnasium

    def __init__(
        self,
        title: str | Title[Any],
        games: int,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        data: bytes | None = None,
        most_decisions: int = MOST_DECISIONS,
    ) -> None:
        if games < 1:
            raise ValueError("games must be at least 1.")
        #: Alphabet and observation layout.
        self.table = Table(title, players, options, most_decisions, data)
        self.num_envs = games
        tokens = self.table.tokens
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (self.table.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (tokens,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(tokens)
        self.observation_space = batch_space(self.single_observation_space, games)
        self.action_space = batch_space(self.single_action_space, games)
        self._relative = Relative(self.table)
        self._numbers = np.zeros((games, self.table.size), np.float32)
        self._masks = np.zeros((games, tokens), np.int8)
        self._viewers = np.zeros(games, np.int64)
        self._seeds = [""] * games
        self._begun = [0] * games
        #: Numbers of decisions shown, so that only the tokens of one that goes on are written.
        self._shown: list[tuple[Environment, int, int] | None] = [None] * games
        #: The current games, set by `reset`.
        self.games: list[Environment] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin all games; the same seed gives the same games, one after the other."""
        first = secrets.token_hex(16) if seed is None else str(seed)
        self._seeds = [f"{first} {number}" for number in range(self.num_envs)]
        self._begun = [0] * self.num_envs
        self.games = [self._begin(number) for number in range(self.num_envs)]
        for number in range(self.num_envs):
            self._show(number)
        return self._observations(), {"seat": self._viewers.copy()}

    def _begin(self, number: int) -> Environment:
        self._begun[number] += 1
        return self.table.begin(f"{self._seeds[number]} {self._begun[number]}")

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        Observations,
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Choose a token in every game."""
        count, players = self.num_envs, self.table.players
        rewards = np.zeros(count)
        terminated, truncated = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        returns, scores = np.zeros((count, players)), np.zeros((count, players), np.int64)
        for number, action in enumerate(actions.tolist()):
            game = self.games[number]
            ended = game.over
            if ended:
                self.games[number] = self._begin(number)
                self._show(number)
                continue
            if action not in game.legal:
                raise ValueError(
                    f"{action} cannot be chosen in game {number}; possible are {list(game.legal)}."
                )
            seat = game.seat
            game.choose(action)
            if game.over:
                terminated[number], truncated[number] = not game.broken_off, game.broken_off
                returns[number], scores[number] = game.returns(), game.scores()
                rewards[number] = returns[number, seat]
            self._show(number)
        infos = {"seat": self._viewers.copy(), "returns": returns, "score": scores}
        return self._observations(), rewards, terminated, truncated, infos

    def _show(self, number: int) -> None:
        """Write what the seat knows that chooses in a game, at its end the one that chose last."""
        game = self.games[number]
        if not game.over:
            self._viewers[number] = game.seat
        shown = (game, game.decisions, game.seat)
        if shown == self._shown[number] and game.menu is not None:
            begun = (*game.menu.begun, *[NOTHING] * BEGUN)[:BEGUN]
            out = self._numbers[number, self._relative.begun]
            out[:] = [token if token < 0 else token / self.table.tokens for token in begun]
        else:
            seen = np.frombuffer(game.observe(int(self._viewers[number])), np.int32)
            self._relative.write(seen, self._numbers[number])
            self._shown[number] = shown
        mask = self._masks[number]
        mask[:] = 0
        mask[list(game.legal)] = 1

    def _observations(self) -> Observations:
        return {
            "observation": self._numbers.copy(),
            "action_mask": self._masks.copy(),
        }

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing to close."""
