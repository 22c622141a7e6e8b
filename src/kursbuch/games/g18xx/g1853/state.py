"""The state of a game of 1853: that of every 18xx game, the contracts, and what companies have on their
charters.

Bonds lie with holders of their own in the ledger ("bond0" …). The box holds trains that are not in the
game yet: the further 2/1M cards, and those that come with the first small company. A 2/1M card is
counted as a train 2 where it is for sale; sold as a 1M it is a train 1M, and the 2 lies in the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from kursbuch.core.state import Step
from kursbuch.games.g18xx.g1853.variants import Variants1853
from kursbuch.games.g18xx.state import EighteenState, EighteenStep, OfCompany

#: A city that is hidden from the reader of a view.
HIDDEN = ""


def bond_holder(seat: int) -> str:
    """The holder of a player's bond in the ledger."""
    return f"bond{seat}"


class Contract(msgspec.Struct):
    """What a player has promised: cities in the order in which they were written, the companies whose
    shares he took for them, and the `bond`, None as long as it is not written.

    `complete`: he has passed. `shown`: the cities are public and the bond is paid back. `stuck`: when the
    list ended nothing was left that could be added to it, as far as that has to be known for judging it
    [2.5.4].
    """

    bond: int | None = None
    cities: list[str] = []
    companies: list[str] = []
    complete: bool = False
    shown: bool = False
    stuck: bool = False


class Charter(msgspec.Struct, omit_defaults=True):
    """What changes about a company beside `Company`.

    `director` and the one before, `former`; `double` is where the paper of two shares lies as long as
    nobody directs the company, "stack" or "pool", empty when its director has it. `large` companies
    may lay two tiles: `right` says what was chosen ("later" or "fee", empty: nothing yet). `token`: its
    loco token is unused. `credit` is the train it owes the bank, `owed` the price.
    """

    director: int | None = None
    former: int | None = None
    double: Literal["stack", "pool", ""] = "stack"
    large: bool = False
    right: Literal["later", "fee", ""] = ""
    token: bool = False
    credit: str = ""
    owed: int = 0

    def end_credit(self) -> None:
        """Nothing is owed any more."""
        self.credit, self.owed = "", 0


class Turn(msgspec.Struct, omit_defaults=True):
    """What a company has done in its turn: the hexes of its new `tiles`, whether it has `upgraded` one,
    the `bonus` due after all tiles, and the places a train has to come to, as hex and stop (-1: the
    hex)."""

    tiles: list[str] = msgspec.field(default_factory=list)
    upgraded: bool = False
    bonus: int = 0
    duties: list[tuple[str, int]] = msgspec.field(default_factory=list)


class WriteBonds(Step, tag="write-bonds"):
    """These players have not written their bonds yet."""

    waiting: list[int]


class BidTurn(Step, tag="bid"):
    """A player writes a city or passes."""

    seat: int


class PayShares(Step, tag="pay-shares"):
    """The shares of the contracts are to be paid."""


class ChooseRight(OfCompany, tag="choose-right"):
    """A company begins its turn; a large one may have to choose when it may lay two tiles."""


class TakeBonus(OfCompany, tag="take-bonus"):
    """A company gets the bonuses of the hexes it has built on."""


class SettleCredit(Step, tag="settle-credit"):
    """A new director pays the train on credit or returns it."""

    company: str


class SellElephant(Step, tag="sell-elephant"):
    """The holder of the elephant may offer it to others; `asked` have refused."""

    asked: list[int] = msgspec.field(default_factory=list)


class ElephantOffer(Step, tag="elephant-offer"):
    """The elephant has been offered to a player."""

    buyer: int
    price: int


class ExtraRound(Step, tag="extra-round"):
    """The holder of the elephant may order one more operating round."""


class Pardon(Step, tag="pardon"):
    """The others vote on the illegal contract of `seat`; `waiting` have not voted, `votes` are for a
    pardon or not, by seat."""

    seat: int
    waiting: list[int]
    votes: dict[int, bool] = msgspec.field(default_factory=dict)


State1853Step = (
    EighteenStep
    | WriteBonds
    | BidTurn
    | PayShares
    | ChooseRight
    | TakeBonus
    | SettleCredit
    | SellElephant
    | ElephantOffer
    | ExtraRound
    | Pardon
)


class State1853(EighteenState[State1853Step], kw_only=True):
    """What changes during a game.

    `seating` are the seats clockwise. `unredeemed` says for every seat how many shares of a company
    he has not paid, `drawn` how many of his shares come from his contract as long as that matters:
    in the first stock round. `first_group` are the companies named in contracts.

    In a stock round `founded` are the companies founded in it, `noticed` says for every seat of which of
    them he has had a turn since, `opening` are those whose first turn after the founding this is, and
    `purchase` is the company of which the player has bought a share in this turn.

    `claimant` has shown that his contract holds the homes of a company that is large by it.
    `small_founded`: a small company was founded in the first stock round. `turn` is what the acting
    company has done. `extra`: the holder of the elephant has been asked about one more operating round
    after this stock round. `penalties` are the players who have to give up being director, with the
    number of the stock round from which on that holds.
    """

    house: Variants1853
    seating: list[int] = msgspec.field(default_factory=list)
    contracts: list[Contract] = msgspec.field(default_factory=list)
    charters: dict[str, Charter] = msgspec.field(default_factory=dict)
    unredeemed: list[dict[str, int]] = msgspec.field(default_factory=list)
    drawn: list[dict[str, int]] = msgspec.field(default_factory=list)
    first_group: list[str] = msgspec.field(default_factory=list)
    founded: list[str] = msgspec.field(default_factory=list)
    noticed: list[list[str]] = msgspec.field(default_factory=list)
    opening: list[str] = msgspec.field(default_factory=list)
    purchase: str = ""
    claimant: int | None = None
    small_founded: bool = False
    turn: Turn = msgspec.field(default_factory=Turn)
    extra: bool = False
    penalties: dict[int, int] = msgspec.field(default_factory=dict)

    def clockwise(self) -> Sequence[int]:
        return self.seating or super().clockwise()
