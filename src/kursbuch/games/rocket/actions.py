"""What players do in Stephenson's Rocket."""

from __future__ import annotations

from typing import ClassVar

from kursbuch.core.actions import Action


class TakeToken(Action, frozen=True, tag="take-token"):
    """Take a metropolis token [token-1]."""

    metropolis: str


class PlaceStation(Action, frozen=True, tag="place-station"):
    """Put a station from the supply on a hex [station-1]."""

    hex: str


class MoveStation(Action, frozen=True, tag="move-station"):
    """Move a station to another hex [station-3]."""

    origin: str
    hex: str


class ExtendLine(Action, frozen=True, tag="extend-line"):
    """Move the locomotive of a line to a neighbouring hex [move-1]."""

    line: str
    hex: str


class LetStand(Action, frozen=True, tag="let-stand"):
    """Call no veto round [veto-2]."""


class CallVeto(Action, frozen=True, tag="call-veto"):
    """Call a veto round [veto-2]."""


class Bid(Action, frozen=True, tag="bid"):
    """Bid shares for a destination in a veto round [veto-4]."""

    AMOUNT: ClassVar[str] = "shares"

    hex: str
    shares: int


class PassVeto(Action, frozen=True, tag="pass-veto"):
    """Make no bid in a veto round [veto-7]."""


RocketAction = (
    TakeToken | PlaceStation | MoveStation | ExtendLine | LetStand | CallVeto | Bid | PassVeto
)
