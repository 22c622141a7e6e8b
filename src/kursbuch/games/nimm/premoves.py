"""Premoves in Nimm den Zug: bids up to a limit, passing, the next card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Decision
from kursbuch.core.title import ROUND, Premoves
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Hold, Pass, Ready
from kursbuch.games.nimm.state import (
    Closing,
    NimmState,
    OpenAuction,
    SealedRaises,
    SpecialTaken,
    Turn,
    TurnAuction,
)

#: What may be waited for beside the end of the round: that another locomotive is auctioned.
AUCTION = "auction"


class NimmPremoves(Premoves[NimmState]):
    """Auctions, and turns of phase two."""

    by_anybody: ClassVar[frozenset[str]] = frozenset((ROUND, AUCTION))

    def situations(self, state: NimmState, seat: int) -> Iterator[NimmState]:
        if state.order and isinstance(state.agenda[-1], Turn | SpecialTaken):
            yield replace(state, agenda=[Turn(seat, False)])

    def passing(self, state: NimmState, decision: Decision) -> Action | None:
        match state.agenda[-1]:
            case TurnAuction() | Turn():
                return Pass(decision.seat)
            case OpenAuction() | SealedRaises():
                return Hold(decision.seat)
            case SpecialTaken() | Closing():
                return Ready(decision.seat)
        return None

    def lot(self, state: NimmState, seat: int) -> str:
        match state.agenda[-1]:
            case TurnAuction(loco=loco, active=seats):
                bids = seat in seats
            case OpenAuction(loco=loco, others=others, bidder=bidder):
                bids = seat in others or seat == bidder
            case SealedRaises(loco=loco, seats=others, bidder=bidder):
                bids = seat in others or seat == bidder
            case _:
                return ""
        # The same locomotive may come up again in another round.
        return f"{loco}/{state.round}" if bids else ""

    def triggers(self, state: NimmState, seat: int) -> Sequence[str]:
        return [ROUND] if state.order else [AUCTION, ROUND]

    def happened(self, event: Event) -> Iterable[str]:
        match event:
            case happened.RoundEnded() | happened.RoundBegan():
                return (ROUND, AUCTION)
            case happened.LocoOffered() | happened.LocoSold():
                return (AUCTION,)
        return ()
