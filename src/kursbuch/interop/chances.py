"""A game whose draws are made from outside, one by one, as OpenSpiel wants them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Any, Self

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.events import Event, visible_to
from kursbuch.interop.arrays import NOTHING
from kursbuch.interop.course import Course, Table

#: How long what a seat remembers is.
MEMORY = 16


class Awaited(Exception):
    """A draw is needed that has not been made yet."""

    def __init__(self, sides: int) -> None:
        super().__init__(sides)
        self.sides = sides


class Given:
    """Draws that were made outside, from a number on."""

    def __init__(self, first: int, values: Sequence[int]) -> None:
        self.first = first
        self.values = values

    def draw(self, counter: int, sides: int) -> int:
        place = counter - self.first
        if place >= len(self.values):
            raise Awaited(sides)
        return self.values[place]


class OpenCourse(Course):
    """A course of a game that stops at every draw until `draw` has been called.

    While a draw is awaited, `sides` is the number of its outcomes; nobody chooses then. An action that
    needs draws is tried again with each of them, from the state before it.
    """

    def __init__(self, table: Table) -> None:
        #: What every seat has seen and done so far, as a hash.
        self.memories = [b""] * table.players
        self.sides = 0
        self._waiting: Action | None = None
        self._drawn: list[int] = []
        self._before = b""
        super().__init__(table, Given(0, ()))

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
        """Make the draw that is awaited."""
        if not 0 <= value < self.sides:
            raise ValueError(f"a draw of {self.sides} outcomes cannot be {value}")
        self._drawn.append(value)
        self._try()

    def _try(self) -> None:
        position, action = self.position, self._waiting
        position.chance = Given(position.state.draws, self._drawn)
        try:
            play = self._carry_out(action)
        except Awaited as awaited:
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
        """The tokens that have been chosen of the decision that is made."""
        tokens = self.table.spelling.tokens
        return " ".join(tokens[token] for token in self.menu.begun) if self.menu is not None else ""

    def guess(self, seat: int, rng: random.Random) -> None:
        """Replace what a seat does not know by something that might be; while a draw is awaited nothing
        is replaced, because the action behind it is not carried out yet."""
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

    # ---- keeping

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
