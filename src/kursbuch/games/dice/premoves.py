"""Premoves in Railroad Dice: what the next turn does with the dice at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Decision
from kursbuch.core.title import ROUND, Premoves
from kursbuch.games.dice.actions import BuildStation, EndTurn, LayTrack
from kursbuch.games.dice.events import TileOpened, YearBegun
from kursbuch.games.dice.state import END_NAMES, DiceState, Turn

#: What may be waited for beside the end of the year: that a tile is opened.
TILE = "tile"


class DicePremoves(Premoves[DiceState]):
    """Turns."""

    def situations(self, state: DiceState, seat: int) -> Iterator[DiceState]:
        yield replace(state, agenda=[Turn(seat)])

    def passing(self, state: DiceState, decision: Decision) -> Action | None:
        return EndTurn(decision.seat) if isinstance(state.agenda[-1], Turn) else None

    def terms(self, state: DiceState, action: Action) -> str:
        """Where the end of the line lies that something is built at."""
        if isinstance(action, LayTrack | BuildStation):
            end = state.ends[END_NAMES.index(action.end)]
            return f"{end.small} {end.square} {end.front}"
        return ""

    def triggers(self, state: DiceState, seat: int) -> Sequence[str]:
        return [ROUND, TILE]

    def happened(self, event: Event) -> Iterable[str]:
        match event:
            case YearBegun():
                return (ROUND,)
            case TileOpened():
                return (TILE,)
        return ()
