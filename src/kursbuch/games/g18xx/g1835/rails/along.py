"""Playing a game of ours along the actions of Rails-18xx, from the first to the last.

Whatever our game asks is answered from that program's next actions (`rounds`, `turns`, `forming`). That
program leaves out steps without a choice and ours carries out others by itself (`passing`), so turns are
ended where the next action shows that they are over, and actions that ours has already done are passed
over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.importers import Progress, Remark
from kursbuch.core.state import Step
from kursbuch.games.g18xx.actions import Done
from kursbuch.games.g18xx.g1835.rails import deviations, forming, passing, rounds, turns
from kursbuch.games.g18xx.g1835.rails.corrections import TAKEN_OVER, corrected
from kursbuch.games.g18xx.g1835.rails.course import Course
from kursbuch.games.g18xx.g1835.state import Folding, PacketTurn, PrussiaOffer
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    Home,
    Pay,
    Place,
    RaiseMoney,
    StockTurn,
    Surplus,
    Swap,
    TrainOffer,
)

#: What answers the steps of our game.
ANSWERS: Mapping[type[Step], Callable[[Course, Any], None]] = {
    PacketTurn: rounds.packet,
    StockTurn: rounds.stock,
    Swap: rounds.swap,
    Build: turns.build,
    Place: turns.place,
    Home: turns.home,
    Pay: turns.pay,
    BuyTrains: turns.trains,
    TrainOffer: turns.offer,
    RaiseMoney: turns.raise_money,
    Surplus: forming.surplus,
    PrussiaOffer: forming.prussia,
    Folding: forming.folding,
}

#: Steps in which something is settled that belongs to the action before.
_BELONGING = (Swap, Home, TrainOffer)


class Along(Course):
    """One attempt to play a game along the actions to their end."""

    def run(self, progress: Progress | None) -> KursbuchError | None:
        """Take over one action after the other; returns why it could not go on."""
        try:
            while self.head < len(self.actions):
                if progress is not None:
                    progress(self.head, len(self.actions))
                deviations.settle(self)
                if not self.game.over and (deviations.empty(self) or corrected(self)):
                    continue
                if self.game.over:
                    passing.after_end(self)
                else:
                    self._answer()
            while not self.game.over and isinstance(self.state.agenda[-1], _BELONGING):
                self._ask(self.state.agenda[-1])
            deviations.settle(self)
        except KursbuchError as stop:
            return stop
        self._finish()
        self.reach()
        return None

    def remarks(self) -> list[Remark]:
        found = super().remarks()
        if self.memory.corrected:
            found.append(Remark(tuple(self.memory.corrected), TAKEN_OVER, {}))
        return found

    def stop(self) -> None:
        """Let the game end with the last action taken over."""
        self.game.rewind(len(self.game.moves) - self.memory.idle)
        self.reach()

    def _answer(self) -> None:
        """Answer what our game asks now."""
        step = self.state.agenda[-1]
        if isinstance(step, _BELONGING) or not passing.happened(self, step):
            if isinstance(step, Surplus | RaiseMoney) and self.next().kind == "NullAction":
                # Nothing of this can be left out, so nothing is decided by it.
                self.take([self.head])
            else:
                self._ask(step)

    def _ask(self, step: Step) -> None:
        answer = ANSWERS.get(type(step))
        if answer is None:
            raise self.unfit(self.next())
        answer(self, step)

    def _finish(self) -> None:
        """At the end of a finished game, steps without a choice are still to be gone through."""
        moves = len(self.game.moves)
        for _ in range(4):
            step = self.state.agenda[-1] if self.state.agenda else None
            if not isinstance(step, Build | Place | BuyTrains):
                break
            try:
                self.game.apply(Done(self.decider()))
            except IllegalAction:
                break
        if not self.game.over:
            self.game.rewind(moves)
