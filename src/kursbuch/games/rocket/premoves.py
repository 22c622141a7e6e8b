"""Premoves in Stephenson's Rocket: the next action, and whether to object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from kursbuch.core.actions import Action
from kursbuch.core.state import Decision
from kursbuch.core.title import Premoves
from kursbuch.games.rocket.actions import (
    CallVeto,
    ExtendLine,
    MoveStation,
    PassVeto,
    PlaceStation,
    TakeToken,
)
from kursbuch.games.rocket.board import Boards
from kursbuch.games.rocket.state import Objection, RocketState, Turn, Veto, token


class RocketPremoves(Premoves[RocketState]):
    """Turns, objections and veto rounds."""

    objects: ClassVar[bool] = True

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def situations(self, state: RocketState, seat: int) -> Iterator[RocketState]:
        yield replace(state, agenda=[Turn(seat, 1, [])])

    def passing(self, state: RocketState, decision: Decision) -> Action | None:
        return PassVeto(decision.seat) if isinstance(state.agenda[-1], Veto) else None

    def objecting(self, state: RocketState, decision: Decision) -> Action | None:
        return CallVeto(decision.seat) if isinstance(state.agenda[-1], Objection) else None

    def terms(self, state: RocketState, action: Action) -> str:
        """Where the locomotive of a line stands, what its hex and those of stations belong to, and how many
        tokens are left."""
        board = self.boards.of(state)
        match action:
            case ExtendLine(_, name):
                line = next(n for n, record in enumerate(board.lines) if record.id == name)
                return f"{state.locomotive[line]} {state.merged_into[line]}"
            case PlaceStation(_, hex) | MoveStation(_, _, hex):
                place = board.hex_index[hex]
                return f"{state.owner[place]} {state.stations.get(place)}"
            case TakeToken(_, metropolis):
                return str(state.ledger.held(token(metropolis), "map"))
        return ""
