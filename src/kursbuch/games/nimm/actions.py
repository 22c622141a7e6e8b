"""What players do in Nimm den Zug."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from kursbuch.core.actions import Action


class Offer(Action, frozen=True, tag="offer"):
    """Choose the locomotive that is auctioned [auction-turn-1]."""

    loco: str


class Bid(Action, frozen=True, tag="bid"):
    """Bid an amount: aloud or, in a sealed auction, in the closed hand."""

    AMOUNT: ClassVar[str] = "amount"

    amount: int


class Pass(Action, frozen=True, tag="pass"):
    """Bid no more for this locomotive [auction-turn-3], or take no card [pass-1]."""


class Hold(Action, frozen=True, tag="hold"):
    """Let the highest bid of an open auction stand for now [auction-open-4]."""


class Favour(Action, frozen=True, tag="favour"):
    """Decide between equal bids: this player comes first [auction-general-2]."""

    player: Annotated[int, msgspec.Meta(ge=0)]


class Buy(Action, frozen=True, tag="buy"):
    """Buy one of the locomotives of a first choice auction [auction-choice-5]."""

    loco: str


class Keep(Action, frozen=True, tag="keep"):
    """Keep a locomotive and pass the others on [auction-pass-2, auction-pass-3]."""

    loco: str


class TurnDown(Action, frozen=True, tag="turn-down"):
    """Turn a locomotive that is too dear into a spare locomotive [auction-pass-6]."""

    loco: str


class Take(Action, frozen=True, tag="take"):
    """Take an open card for a train (1 to 3; 0 for a card that goes to none) [couple-1]."""

    card: str
    train: int = 0


class Replace(Action, frozen=True, tag="replace"):
    """Have open cards replaced, which stand in the order of the component file [replace-1]. Text and
    JSON may name them in any order."""

    cards: tuple[str, ...]


class UseTarget(Action, frozen=True, tag="use-target"):
    """Hand in a target tile whose condition holds [target-use-1]."""

    tile: str


class Ready(Action, frozen=True, tag="ready"):
    """Hand in no (further) target tile at this moment."""


NimmAction = (
    Offer | Bid | Pass | Hold | Favour | Buy | Keep | TurnDown | Take | Replace | UseTarget | Ready
)
