"""Actions of Stephenson's Rocket and their notation (docs/notation.md)."""

from __future__ import annotations

from typing import ClassVar

from kursbuch.core.actions import Action, PickSpec
from kursbuch.core.notation import Form, Name, Number
from kursbuch.core.sentences import Sentence
from kursbuch.core.words import N_

METROPOLIS = Name("METROPOLIS", ".+")
HEX = Name("HEX", r"\w+", str.upper)
LINE = Name("LINE", r"\w+", str.upper)

#: Groups of choices.
_VETO = N_("Veto")
_VETO_ROUND = N_("Veto round")


class TakeToken(Action, frozen=True, tag="take-token"):
    """Take a metropolis token [token-1]."""

    FORM = Form("takes {metropolis}", metropolis=METROPOLIS)
    PICK = PickSpec(
        "Take a metropolis token",
        ("town:{metropolis}",),
        Sentence("Take a token of {town}", town="metropolis"),
    )

    metropolis: str


class PlaceStation(Action, frozen=True, tag="place-station"):
    """Place a station from the supply on a hex [station-1]."""

    FORM = Form("builds {hex}", hex=HEX)
    PICK = PickSpec("Place a station", ("hex:{hex}",), Sentence("Place a station on {hex}"))

    hex: str


class MoveStation(Action, frozen=True, tag="move-station"):
    """Move a station to another hex [station-3]."""

    FORM = Form("moves {origin} to {hex}", origin=HEX, hex=HEX)
    PICK = PickSpec(
        "Move a station",
        ("station:{origin}", "hex:{hex}"),
        Sentence("Move the station from {origin} to {hex}"),
    )

    origin: str
    hex: str


class ExtendLine(Action, frozen=True, tag="extend-line"):
    """Move the locomotive of a line to an adjacent hex [move-1]."""

    FORM = Form("extends {line} to {hex}", line=LINE, hex=HEX)
    PICK = PickSpec(
        "Extend a line", ("line:{line}", "hex:{hex}"), Sentence("Extend {line} to {hex}")
    )

    line: str
    hex: str


class LetStand(Action, frozen=True, tag="let-stand"):
    """Do not call a veto round [veto-2]."""

    FORM = Form("agrees")
    PICK = PickSpec(_VETO, ("let-stand",), Sentence("No objection"))


class CallVeto(Action, frozen=True, tag="call-veto"):
    """Call a veto round [veto-2]."""

    FORM = Form("objects")
    PICK = PickSpec(_VETO, ("call-veto",), Sentence("Call a veto round"))


class Bid(Action, frozen=True, tag="bid"):
    """Bid shares for a destination in a veto round [veto-4]."""

    FORM = Form("bids {shares} for {hex}", shares=Number(digits=4), hex=HEX)
    PICK = PickSpec(_VETO_ROUND, ("hex:{hex}",), Sentence("Bid for {hex}"))

    AMOUNT: ClassVar[str] = "shares"

    hex: str
    shares: int


class PassVeto(Action, frozen=True, tag="pass-veto"):
    """Pass in a veto round [veto-7]."""

    FORM = Form("passes")
    PICK = PickSpec(_VETO_ROUND, ("pass",), Sentence("Pass"))


RocketAction = (
    TakeToken | PlaceStation | MoveStation | ExtendLine | LetStand | CallVeto | Bid | PassVeto
)
