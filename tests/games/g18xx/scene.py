"""Positions of 18xx titles for tests, made readably and consistently; a title says how its scenes begin.

Players are called A, B, C …, clockwise.
"""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar

import pytest

from kursbuch.core.actions import Action
from kursbuch.core.chance import SeededChance
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.play import Play
from kursbuch.core.position import Position
from kursbuch.core.state import Step
from kursbuch.games.g18xx.components import BANK, BOX, MAP, PLAYERS, STACK
from kursbuch.games.g18xx.map.track import Laid, Layout, Station
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import EighteenState
from kursbuch.games.g18xx.title import EighteenTitle

NAMES = "ABCDEFG"

StateT = TypeVar("StateT", bound="EighteenState[Any]")
RulesetT = TypeVar("RulesetT", bound="Ruleset[Any]")


class EighteenScene(Generic[StateT, RulesetT]):
    """A game in a position made for a test. The methods that set something return the scene."""

    def __init__(
        self, title: EighteenTitle[StateT, RulesetT], players: int, options: dict[str, str]
    ) -> None:
        """Options by name with underscores: `same_price="on"`."""
        self.title = title
        self.ruleset = title.ruleset
        given = {name.replace("_", "-"): value for name, value in options.items()}
        state = title.setup(players, title.option_values(given))
        state.agenda.clear()
        self.position: Position[StateT] = Position(title, state, SeededChance("scene"))

    @property
    def state(self) -> StateT:
        return self.position.state

    def holder(self, name: str) -> str:
        """A player by letter, or any other holder by its own name."""
        return PLAYERS[NAMES.index(name)] if name in NAMES and len(name) == 1 else name

    # ---- setting the scene

    def money(self, **sums: int) -> Self:
        """What players or companies have."""
        ledger = self.state.ledger
        for name, amount in sums.items():
            holder = self.holder(name)
            ledger.move("money", holder, BANK, ledger.held("money", holder))
            ledger.move("money", BANK, holder, amount)
        return self

    def bank(self, amount: int) -> Self:
        """What the bank has; the rest is out of the game."""
        ledger = self.state.ledger
        ledger.move("money", BANK, BOX, ledger.held("money", BANK) - amount)
        return self

    def tiles(self, *laid: str) -> Self:
        """Tiles on the map: "F14:57:0" is tile 57 on F14 in rotation 0."""
        for text in laid:
            hex, tile, rotation = text.split(":")
            self.state.layout = self.state.layout.with_tile(
                hex, Laid(tile, int(rotation)), range(9)
            )
        return self

    def bare(self, hex: str) -> Self:
        """A hex without its tile."""
        tiles, stations = self.state.layout.tiles, self.state.layout.stations
        self.state.layout = Layout({on: laid for on, laid in tiles.items() if on != hex}, stations)
        return self

    def station(self, company: str, hex: str, stop: int = 0) -> Self:
        """A station marker on the map."""
        self.state.ledger.move(f"marker:{company}", company, MAP)
        self.state.layout = self.state.layout.with_station(Station(company, hex, stop))
        return self

    def trains(self, holder: str, *trains: str) -> Self:
        """Trains of a company or of the pool, taken from the stack or the box."""
        ledger = self.state.ledger
        for train in trains:
            source = STACK if ledger.held(f"train:{train}", STACK) else BOX
            ledger.move(f"train:{train}", source, holder)
        return self

    def on(self, *steps: Step) -> Self:
        """Put steps on the agenda, the last on top, and run what runs by itself."""
        self.state.agenda.extend(steps)
        self.position.run(Play(self.state, self.position.chance))
        return self

    # ---- playing

    def read(self, line: str) -> Action:
        """The action of a line: "A buys BY 10"."""
        name, text = line.split(" ", 1)
        return self.title.parse(text, NAMES.index(name), self.state)

    def do(self, *lines: str) -> list[Event]:
        """Carry out some moves; returns what happened."""
        events: list[Event] = []
        for line in lines:
            action = self.read(line)
            assert self.listed(action), f"{line} is not among the legal actions"
            events += self.position.apply(action)
        return events

    def refused(self, line: str) -> str:
        """The rule a move is refused by; nothing may have changed, nor be offered."""
        action = self.read(line)
        before = self.title.encode(self.state)
        with pytest.raises(IllegalAction) as caught:
            self.position.apply(action)
        assert self.title.encode(self.state) == before
        assert not self.listed(action), f"{line} is offered, but refused"
        assert str(caught.value)
        return caught.value.rule

    def listed(self, action: Action) -> bool:
        """Whether an action is among those offered."""
        return any(choice.covers(action) for choice in self.position.legal_actions(action.seat))

    def can(self, name: str) -> list[str]:
        """The text forms of all a player may do (of a range, the lowest amount)."""
        return [
            self.title.format(choice.action)
            for choice in self.position.legal_actions(NAMES.index(name))
        ]

    # ---- looking

    def deciders(self) -> str:
        """Who has to decide."""
        return "".join(NAMES[seat] for seat in self.position.deciders())

    def step(self) -> str:
        """The kind of the step on top."""
        return str(type(self.state.agenda[-1]).__struct_config__.tag) if self.state.agenda else ""

    def has(self, name: str) -> int:
        """What a player, a company or the bank has in money."""
        return self.state.ledger.held("money", self.holder(name))

    def owns(self, holder: str) -> str:
        """The trains of a company or the pool: "2 2+2"."""
        return " ".join(self.ruleset.trains(self.state, holder))
