"""A game as a sequence of small choices: one seat at a time chooses a token from a fixed alphabet.

>>> from kursbuch.interop.environment import Table
>>> environment = Table("rocket", players=2).begin("7")
>>> environment.seat, [environment.table.spelling.tokens[token] for token in environment.legal]
(0, ['take-token', 'place-station', 'extend-line'])
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import lru_cache
from pickle import PicklingError
from typing import Any, NamedTuple, Self

from kursbuch.bots import volunteers
from kursbuch.core.actions import Action, Choice
from kursbuch.core.chance import Chance, SeededChance
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import View
from kursbuch.core.play import Play
from kursbuch.core.position import Position
from kursbuch.core.registry import title_with_data
from kursbuch.core.title import Title
from kursbuch.interop.encoding import NOTHING, WAIT, Arrays, Cell, Menu, Part, Tokens

#: Number of tokens of an unfinished choice in an observation.
BEGUN = 16

#: Maximum number of decisions before a game is cut off.
MOST_DECISIONS = 10_000


class Table:
    """The alphabet and observations shared by all games of a title with the same players and options.

    `parts` of an observation are `viewer` (seat number), `asked` (whether each seat is choosing), `begun` (the
    viewer's tokens so far) and the state as the viewer sees it.
    """

    def __init__(
        self,
        title: str | Title[Any],
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        most_decisions: int = MOST_DECISIONS,
        data: bytes | None = None,
    ) -> None:
        self.data = data
        if isinstance(title, str):
            self.title = title_with_data(title, data)
        else:
            self.title = title if data is None else title.with_data(data)
        self.players = self.title.seats[0] if players is None else players
        self.title.check_seats(self.players)
        self.options = self.title.option_values(options or {})
        self.hides = self.title.hides(self.options)
        if most_decisions < 1:
            raise KursbuchError("most_decisions must be at least 1.")
        self.most_decisions = most_decisions
        encoding = self.title.encoding(self.players)
        self.spelling = Tokens(self.title.action_type, encoding.words)
        items = list(self.title.setup(self.players, self.options).ledger.items)
        self.arrays = Arrays(self.title.state_type, encoding, self.players, items)
        asked = [Cell(1, turns=((seat, 1),)) for seat in range(self.players)]
        own = (
            ("viewer", "number of the seat", [Cell(self.players, seat=True)]),
            ("asked", "for every seat 0 or 1", asked),
            ("begun", "tokens, then -1", [Cell(self.tokens)] * BEGUN),
        )
        self.parts: list[Part] = []
        #: What the integers of an observation are.
        self.cells: list[Cell] = []
        self.size = 0
        for name, text, cells in own:
            self.parts.append(Part(name, self.size, len(cells), text))
            self.cells += cells
            self.size += len(cells)
        self.cells += self.arrays.cells
        self.parts += [part._replace(start=part.start + self.size) for part in self.arrays.parts]
        self.size += len(self.arrays.blank)

    @property
    def tokens(self) -> int:
        """Size of the alphabet."""
        return len(self.spelling.tokens)

    def part(self, name: str) -> slice:
        """Position of a part in an observation."""
        found = next(part for part in self.parts if part.name == name)
        return slice(found.start, found.start + found.size)

    def __deepcopy__(self, memo: Any) -> Self:
        return self  # immutable, and shared by copies of a game

    def __reduce__(self) -> tuple[Any, ...]:
        if title_with_data(self.title.id, self.data) is not self.title:
            raise PicklingError(
                f"{self.title.id} is pickled by its name and data, which are others"
            )
        options = tuple(sorted(self.options.items()))
        return cached_table, (self.title.id, self.players, options, self.most_decisions, self.data)

    def begin(self, seed: str) -> Environment:
        """Start a new game."""
        return Environment(self, SeededChance(seed))


@lru_cache(maxsize=32)
def cached_table(
    name: str,
    players: int,
    options: tuple[tuple[str, str], ...],
    most_decisions: int = MOST_DECISIONS,
    data: bytes | None = None,
) -> Table:
    """The cached table of a title for these terms."""
    return Table(name, players, dict(options), most_decisions, data)


class Known(NamedTuple):
    """A seat's view of a position: the state and its array."""

    state: Any
    numbers: array[int]


class Environment:
    """A game in progress. `seat` chooses one of the `legal` tokens by `choose` until it is `over`."""

    def __init__(self, table: Table, chance: Chance) -> None:
        self.table = table
        state = table.title.setup(table.players, table.options)
        self.position = Position(table.title, state, chance)
        #: Number of decisions made.
        self.decisions = 0
        self.seat = NOTHING
        self.menu: Menu | None = None
        #: Whether the seat asked may do nothing.
        self._waits = False
        #: Seats still to be asked for a voluntary action.
        self._willing: list[int] = []
        self._known: dict[int, Known] = {}
        self._begin()

    def _begin(self) -> None:
        self._carry_out(None)
        self._turn()

    def copy(self) -> Self:
        """An independent copy."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.position = self.position.clone()
        other.menu = self.menu and self.menu.copy()
        other._willing = self._willing.copy()
        other._known = self._known.copy()
        return other

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "state": self.table.title.encode(self.position.state),
            "chance": self.position.chance,
            "begun": self.menu.begun if self.menu is not None else None,
            "decisions": self.decisions,
            "seat": self.seat,
            "willing": self._willing,
            "waits": self._waits,
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.table = kept["table"]
        title = self.table.title
        self.position = Position(title, title.decode(kept["state"]), kept["chance"])
        self.decisions = kept["decisions"]
        self.seat = kept["seat"]
        self._willing = kept["willing"]
        self._waits = kept["waits"]
        self._known = {}
        self.menu = None
        if kept["begun"] is not None:
            self.menu = self._open_menu()
            self.menu.follow(kept["begun"])

    # ---- choices

    @property
    def over(self) -> bool:
        """Whether the game has ended or was cut off."""
        return self.menu is None

    @property
    def broken_off(self) -> bool:
        """Whether the game was cut off after too many decisions."""
        return self.menu is None and not self.position.over

    @property
    def legal(self) -> tuple[int, ...]:
        """The tokens that can be chosen now."""
        return self.menu.legal if self.menu is not None else ()

    def choose(self, token: int) -> Action | None:
        """Choose a token. If it completes an action, perform and return it."""
        menu = self.menu
        if menu is None:
            raise ValueError("the game is over")
        menu.choose(token)
        if not menu.done:
            return None
        if menu.action is None:
            self._ask()
            return None
        self.perform(menu.action)
        return menu.action

    def perform(self, action: Action) -> None:
        """Perform a legal action, spelled or not."""
        self._carry_out(action)
        self.decisions += 1
        self._turn()

    def _carry_out(self, action: Action | None) -> Play[Any]:
        """Perform an action, or the set-up if None."""
        if action is not None:
            return self.position.perform(action)
        position = self.position
        play = Play(position.state, position.chance, self.table.title.rules.stated)
        position.run(play)
        return play

    def _turn(self) -> None:
        """Ask the volunteers, then the deciders."""
        self._known = {}
        self._willing = volunteers(self.position)
        self._ask()

    def _ask(self) -> None:
        if self.position.over or self.decisions >= self.table.most_decisions:
            self.seat, self.menu = NOTHING, None
            return
        self._waits = bool(self._willing)
        self.seat = self._willing.pop(0) if self._waits else self.position.deciders()[0]
        self.menu = self._open_menu()

    def _open_menu(self) -> Menu:
        """The choices of the seat asked."""
        view = Position(self.table.title, self.known(self.seat).state, self.position.chance)
        return Menu(self.table.spelling, view.legal_actions(self.seat), waits=self._waits)

    @property
    def may_wait(self) -> bool:
        """Whether the seat asked may do nothing."""
        return self._waits

    def view(self, seat: int, names: tuple[str, ...]) -> View:
        """The read-only view of a bot at that seat."""
        return View(self.table.title, self.known(seat).state, seat, names)

    def token_for(self, action: Action | None) -> int:
        """The next token of a legal action; None means doing nothing."""
        menu = self.menu
        assert menu is not None
        if action is None:
            return WAIT
        amount = getattr(action, action.AMOUNT) if action.AMOUNT else 0
        return menu.toward(self.table.spelling.spelled(Choice(action)), amount)

    # ---- observations

    def known(self, seat: int) -> Known:
        """What a seat may know now."""
        found = self._known.get(seat)
        if found is None:
            table, state = self.table, self.position.state
            if table.hides:
                state = table.title.view(state, seat)
            elif self._known:
                found = next(iter(self._known.values()))
            if found is None:
                found = Known(state, table.arrays.write(state))
            self._known[seat] = found
        return found

    def observe(self, seat: int) -> array[int]:
        """A seat's observation as an array."""
        asked = [0] * self.table.players
        begun: tuple[int, ...] = ()
        if self.menu is not None:
            # A possible voluntary action may reveal hidden information; the others see the deciders instead.
            hidden = self._waits and seat != self.seat
            asked[self.position.deciders()[0] if hidden else self.seat] = 1
            if seat == self.seat:
                begun = self.menu.begun[:BEGUN]
        spare = (NOTHING,) * (BEGUN - len(begun))
        return array("i", (seat, *asked, *begun, *spare)) + self.known(seat).numbers

    # ---- the end

    def scores(self) -> tuple[int, ...]:
        """Score of each seat; at the end the result."""
        result = self.position.result
        return self.position.title.scores(self.position.state) if result is None else result.scores

    def returns(self) -> list[float]:
        """Zero-sum return of each seat: 1 for a sole winner, less for a shared win, and 0 for all until the game has
        ended.

        >>> from kursbuch.interop.environment import shares
        >>> shares(2, (1,)), shares(3, (0,)), shares(4, (0, 1))
        ([-1.0, 1.0], [1.0, -0.5, -0.5], [0.333..., 0.333..., -0.333..., -0.333...])
        """
        result = self.position.result
        players = self.table.players
        return [0.0] * players if result is None else shares(players, result.winners)


def shares(players: int, winners: tuple[int, ...]) -> list[float]:
    """Zero-sum returns; see `Environment.returns`."""
    won = (players - len(winners)) / (len(winners) * (players - 1))
    lost = -1 / (players - 1) if len(winners) < players else 0.0
    return [won if seat in winners else lost for seat in range(players)]
