"""OpenSpiel adapter for every title. Needs the extra `kursbuch[openspiel]`.

Importing this module registers the games `kursbuch_1835`, `kursbuch_nimm` … Their parameters are `players`, the
options of the title, and `most_decisions`.

>>> import pyspiel
>>> import kursbuch.interop.openspiel
>>> game = pyspiel.load_game("kursbuch_rocket(players=3)")
>>> state = game.new_initial_state()
>>> state.chance_outcomes()  # who begins
[(0, 0.333...), (1, 0.333...), (2, 0.333...)]
>>> state.apply_action(1)
>>> [state.action_to_string(action) for action in state.legal_actions()]
['take-token', 'place-station', 'extend-line']
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import msgspec
import numpy as np
import pyspiel

from kursbuch.core.actions import Action
from kursbuch.core.events import Event, visible_to
from kursbuch.core.registry import titles
from kursbuch.core.title import Title
from kursbuch.interop.encoding import NOTHING
from kursbuch.interop.environment import MOST_DECISIONS, Environment, Table, cached_table

#: Bytes of a seat's memory hash.
MEMORY = 16


class DrawNeeded(Exception):
    """A draw is needed that has not been made yet."""

    def __init__(self, sides: int) -> None:
        super().__init__(sides)
        self.sides = sides


class GivenDraws:
    """Draws supplied from outside, starting at number `first`."""

    def __init__(self, first: int, values: Sequence[int]) -> None:
        self.first = first
        self.values = values

    def draw(self, counter: int, sides: int) -> int:
        place = counter - self.first
        if place >= len(self.values):
            raise DrawNeeded(sides)
        return self.values[place]


class ChanceEnvironment(Environment):
    """A game that stops at every draw until `draw` is called.

    While waiting for a draw, `sides` is its number of outcomes and no seat chooses. An action with draws is retried
    from the state before it with each draw.
    """

    def __init__(self, table: Table) -> None:
        #: Hash of everything each seat has seen and done.
        self.memories = [b""] * table.players
        self.sides = 0
        self._waiting: Action | None = None
        self._drawn: list[int] = []
        self._before = b""
        super().__init__(table, GivenDraws(0, ()))

    def copy(self) -> Self:
        other = super().copy()
        other.memories = self.memories.copy()
        other._drawn = self._drawn.copy()
        return other

    @property
    def over(self) -> bool:
        return self.menu is None and not self.sides

    @property
    def broken_off(self) -> bool:
        return self.over and not self.position.over

    def _begin(self) -> None:
        self._begin_to(None)

    def perform(self, action: Action) -> None:
        self._begin_to(action)

    def _begin_to(self, action: Action | None) -> None:
        self._waiting = action
        self._drawn = []
        self._before = self.table.title.encode(self.position.state)
        self._try()

    def draw(self, value: int) -> None:
        """Supply the awaited draw."""
        if not 0 <= value < self.sides:
            raise ValueError(f"a draw of {self.sides} outcomes cannot be {value}")
        self._drawn.append(value)
        self._try()

    def _try(self) -> None:
        position, action = self.position, self._waiting
        position.chance = GivenDraws(position.state.draws, self._drawn)
        try:
            play = self._carry_out(action)
        except DrawNeeded as awaited:
            position.state = self.table.title.decode(self._before)
            self._known = {}
            self.sides, self.seat, self.menu = awaited.sides, NOTHING, None
            return
        self.sides = 0
        self._remember(action, play.events)
        self.decisions += action is not None
        self._turn()

    def _remember(self, action: Action | None, events: Sequence[Event]) -> None:
        written = [msgspec.json.encode(event) for event in events]
        own = b"" if action is None else msgspec.json.encode(action)
        for seat, memory in enumerate(self.memories):
            seen = hashlib.blake2b(memory, digest_size=MEMORY)
            if action is not None and action.seat == seat:
                seen.update(own)
            for event, text in zip(events, written, strict=True):
                if visible_to(event, seat):
                    seen.update(text)
            self.memories[seat] = seen.digest()

    def spelled(self) -> str:
        """The tokens chosen so far in the current decision."""
        tokens = self.table.spelling.tokens
        return " ".join(tokens[token] for token in self.menu.begun) if self.menu is not None else ""

    def guess(self, seat: int, rng: random.Random) -> None:
        """Replace information hidden from a seat by a guess. While a draw is awaited nothing is replaced, since its
        action is not performed yet."""
        if self.table.hides and not self.sides:
            title = self.table.title
            view = title.clone(title.view(self.position.state, seat))
            begun = self.menu.begun if self.menu is not None else ()
            self.position.state = title.determinize(view, seat, rng)
            self._known = {}
            if self.menu is not None:
                self.menu = self._open_menu()
                if self.seat == seat:
                    self.menu.follow(begun)

    # ---- pickling

    def __getstate__(self) -> dict[str, Any]:
        return {
            **super().__getstate__(),
            "memories": self.memories,
            "sides": self.sides,
            "waiting": self._waiting,
            "drawn": self._drawn,
            "before": self._before,
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        super().__setstate__(kept)
        self.memories = kept["memories"]
        self.sides = kept["sides"]
        self._waiting = kept["waiting"]
        self._drawn = kept["drawn"]
        self._before = kept["before"]


#: Maximum number of outcomes of a draw.
MOST_OUTCOMES = 500

#: Maximum number of choices and draws in a game.
MOST_CHOICES = 200_000
PREFIX = "kursbuch_"

#: Parameter for the maximum number of decisions; a game cut off has no winner.
MOST = "most_decisions"


def table_of(name: str, given: Mapping[str, Any]) -> Table:
    """The table for these parameters."""
    own = dict(given)
    players, most = int(own.pop("players")), int(own.pop(MOST))
    options = tuple(sorted((option, str(value)) for option, value in own.items()))
    return cached_table(name, players, options, most)


def game_type(title: Title[Any]) -> Any:
    """The OpenSpiel description of a title."""
    kinds = pyspiel.GameType
    usual = title.option_values({})
    hides = any(
        title.hides({**usual, option.name: value})
        for option in title.options
        for value in option.values
    )
    return kinds(
        short_name=PREFIX + title.id,
        long_name=title.name,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=(
            kinds.Information.IMPERFECT_INFORMATION
            if hides or title.hides(usual)
            else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=title.seats[-1],
        min_num_players=title.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": title.seats[0],
            MOST: MOST_DECISIONS,
            **parameters(title),
        },
    )


def parameters(title: Title[Any]) -> dict[str, str | int]:
    """Options of a title with their defaults. OpenSpiel parses numeric texts as numbers, so purely numeric options
    are given as numbers."""
    return {
        option.name: int(option.values[0])
        if all(map(str.isdigit, option.values))
        else option.values[0]
        for option in title.options
    }


class KursbuchGame(pyspiel.Game):  # type: ignore[misc]
    """A title with a number of players and options."""

    type_: ClassVar[Any]
    name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**self.type_.parameter_specification, **(params or {})}
        self.table = table_of(self.name, given)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.tokens,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.table.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_CHOICES,
        )
        super().__init__(self.type_, info, dict(given))
        #: The initial position, shared by all games until the first choice.
        self.beginning = Shared(ChanceEnvironment(self.table))

    def new_initial_state(self, *_: Any) -> KursbuchState:
        """A game before the first draw or choice."""
        return KursbuchState(self)

    def max_chance_nodes_in_history(self) -> int:
        return MOST_CHOICES

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> KursbuchObserver:
        """An observer; with perfect recall its text also distinguishes what a seat has seen before."""
        if params:
            raise ValueError("Observers have no parameters here.")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return KursbuchObserver(self.table, recall=recall)


class Shared:
    """A game shared by several states; each continuation gets a copy."""

    def __init__(self, environment: ChanceEnvironment) -> None:
        self.environment = environment
        self.alone = False

    def own(self) -> Shared:
        """The same game for one state only."""
        if self.alone:
            return self
        copy = Shared(self.environment.copy())
        copy.alone = True
        return copy

    def __deepcopy__(self, memo: Any) -> Shared:
        self.alone = False
        return self


class KursbuchState(pyspiel.State):  # type: ignore[misc]
    """A game in progress: actions are tokens, and draws are chance nodes."""

    def __init__(self, game: KursbuchGame) -> None:
        super().__init__(game)
        self.shared = game.beginning

    @property
    def environment(self) -> ChanceEnvironment:
        """The game; read-only."""
        return self.shared.environment

    def current_player(self) -> int:
        environment = self.environment
        if environment.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if environment.sides else environment.seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.environment.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Equally likely outcomes of a draw."""
        sides = self.environment.sides
        return [(value, 1 / sides) for value in range(sides)]

    def _apply_action(self, action: int) -> None:
        self.shared = self.shared.own()
        environment = self.shared.environment
        if environment.sides:
            environment.draw(action)
        else:
            environment.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        return str(self.environment.table.spelling.tokens[action])

    def is_terminal(self) -> bool:
        return self.environment.over

    def returns(self) -> list[float]:
        return self.environment.returns()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> KursbuchState:
        """A state consistent with the player's information; the rest is guessed as for computer opponents. `sampler`
        gives numbers from 0 to 1."""
        state = self.clone()
        state.shared = state.shared.own()
        rng = random.Random(int(sampler() * 2**53))
        state.shared.environment.guess(player, rng)
        assert isinstance(state, KursbuchState)
        return state

    def __str__(self) -> str:
        environment = self.environment
        state = written(environment.table.title, environment.position.state)
        return f"{state} {environment.spelled()} {environment.sides}"


def written(title: Title[Any], state: Any) -> str:
    """A state as text, equal for equal states, by a decoding round trip that removes default values."""
    plain = msgspec.to_builtins(title.decode(title.encode(state)), str_keys=True)
    return msgspec.json.encode(plain, order="deterministic").decode()


class KursbuchObserver:
    """Observations of a player: numbers and a text."""

    def __init__(self, table: Table, *, recall: bool) -> None:
        self.recall = recall
        self.tensor = np.zeros(table.size, np.float32)
        self.dict = {
            part.name: self.tensor[part.start : part.start + part.size] for part in table.parts
        }

    def set_from(self, state: KursbuchState, player: int) -> None:
        """Write a player's observation into `tensor` and its parts in `dict`."""
        self.tensor[:] = state.environment.observe(player)

    def string_from(self, state: KursbuchState, player: int) -> str:
        """A player's information as text; with perfect recall it starts with a hash of everything seen."""
        environment = state.environment
        view = written(environment.table.title, environment.known(player).state)
        begun = environment.spelled() if player == environment.seat else ""
        past = f"{environment.memories[player].hex()} " if self.recall else ""
        return f"{past}{player} {begun} {view}"


def register() -> None:
    """Register every installed title with OpenSpiel as a class."""
    for name, title in titles().items():
        game = type(f"Game_{name}", (KursbuchGame,), {"type_": game_type(title), "name": name})
        pyspiel.register_game(game.type_, game)  # type: ignore[attr-defined]


register()
