"""What players do in Railroad Dice.

Ends of the line are called A and B. `behind` is how many dice of a payment come from behind the
screen; the rest are question marks from in front of it.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from kursbuch.core.actions import Action

EndName = Literal["A", "B"]
SideName = Literal["N", "E", "S", "W"]
Seller = Literal["bank", "director"]
Square = Annotated[str, msgspec.Meta(pattern=r"^[a-i][1-9]\Z")]
#: A number of dice.
Dice = Annotated[int, msgspec.Meta(ge=0)]
#: A number of quarter turns.
Turns = Annotated[int, msgspec.Meta(ge=0, le=3)]


class TakeIncome(Action, frozen=True, tag="take-income"):
    """Take dice from the bank [income-2]."""


class Roll(Action, frozen=True, tag="roll"):
    """Roll dice from behind the screen and question marks, with a bonus die for each of these
    [roll-2]."""

    AMOUNT: ClassVar[str] = "behind"

    behind: Dice
    questions: Dice


class BuyShare(Action, frozen=True, tag="buy-share"):
    """Buy a share of a company from the bank or its director [share-2, share-3], with a die that
    shows a share or a question mark."""

    company: str
    seller: Seller
    question: bool = False


class LayTrack(Action, frozen=True, tag="lay-track"):
    """Lay a piece on a square an end points to, leading on to a side [track-3]; with a question mark
    or a die of its own face."""

    AMOUNT: ClassVar[str] = "behind"

    end: EndName
    square: Square
    side: SideName
    question: bool = False
    behind: Dice = 0


class OpenTile(Action, frozen=True, tag="open-tile"):
    """Choose the new tile beyond the edge, turned clockwise by quarters [tile-1]."""

    tile: str
    rotation: Turns


class BuildStation(Action, frozen=True, tag="build-station"):
    """Build one of a company's stations at an end [station-1]."""

    AMOUNT: ClassVar[str] = "behind"

    company: str
    terrain: str
    cost: int
    end: EndName
    behind: Dice = 0


class EndTurn(Action, frozen=True, tag="end-turn"):
    """Do no more in this turn [turn-3]."""


class ReturnDice(Action, frozen=True, tag="return-dice"):
    """Return surplus dice from in front of the screen [reduce-1]."""

    straights: Dice = 0
    curves: Dice = 0
    shares: Dice = 0
    questions: Dice = 0


DiceAction = (
    TakeIncome | Roll | BuyShare | LayTrack | OpenTile | BuildStation | EndTurn | ReturnDice
)
