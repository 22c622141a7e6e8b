"""What can be fixed ahead of time in 1853 beside what all 18xx titles know: cities of one's contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from kursbuch.core.premoves import ROUND
from kursbuch.games.g18xx.ahead import EighteenAhead
from kursbuch.games.g18xx.g1853.state import BidTurn


class Ahead1853(EighteenAhead):
    """Before the first stock round contracts are written."""

    def situations(self, state: Any, seat: int) -> Iterator[Any]:
        if state.round.number:
            yield from super().situations(state, seat)
        elif isinstance(state.agenda[-1], BidTurn) and not state.contracts[seat].complete:
            yield replace(state, agenda=[BidTurn(seat)])

    def triggers(self, state: Any, seat: int) -> Sequence[str]:
        return super().triggers(state, seat) if state.round.number else [ROUND]
