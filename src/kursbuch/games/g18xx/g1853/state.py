"""Options, state and lookup of 1853.

Bonds have their own holders in the ledger ("bond0" …). The box holds trains that are not in the
game yet: extra 2/1M cards, and those that come with the first small company. A 2/1M card on sale
counts as a train 2; sold as a 1M it is a train 1M, and the 2 lies in the box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

import msgspec
from msgspec.structs import replace

from kursbuch.core.errors import IllegalAction
from kursbuch.core.state import Counted, Encoding, Keyed, Listed, Size, Step
from kursbuch.games.g18xx import state as family
from kursbuch.games.g18xx.components import BOX, PLAYERS, STACK, HomeRecord, share_item, train_item
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.lookup import Lookup
from kursbuch.games.g18xx.map.revenue import Obligation
from kursbuch.games.g18xx.state import EighteenState, EighteenStep, OfCompany, Variants

#: Bank sizes a table can choose, the default first [1-money, 1-money-option, 2.4].
BANKS = ("15000", "12500", "10000", "7500", "17760", "20000")


class Variants1853(Variants, frozen=True, kw_only=True, omit_defaults=True):
    """Options of 1853 beyond the family's."""

    #: The money in the game [1-money-option].
    bank: int = 15000
    #: Bonds are multiples of it [2.5.2].
    bond_step: int = 10
    #: Players are responsible for legal contracts [2.5.12].
    illegal_contracts: bool = False
    #: Dual track may be extended in any gauge, however it is reached [option-dual-any-gauge].
    dual_any_gauge: bool = False


def variants(options: Mapping[str, str]) -> Variants1853:
    """Variants for the options of a table. Missing money is always made up [5.1.2].

    >>> agreed = variants({"bank": "10000", "bond-step": "1"})
    >>> agreed.bank, agreed.bond_step, agreed.pays_beyond_bank, agreed.illegal_contracts
    (10000, 1, True, False)
    """
    return Variants1853(
        pays_beyond_bank=True,
        bank=int(options.get("bank", BANKS[0])),
        bond_step=int(options.get("bond-step", "10")),
        illegal_contracts=options.get("illegal-contracts") == "on",
        dual_any_gauge=options.get("dual-any-gauge") == "on",
    )


#: A city hidden from the reader of a view.
HIDDEN = ""


def bond_holder(seat: int) -> str:
    """Ledger holder of a player's bond."""
    return f"bond{seat}"


class Contract(msgspec.Struct):
    """A player's contract: cities in writing order, the companies whose shares came with them, and
    the `bond`, None until it is written.

    `complete`: the player has passed. `shown`: the cities are public and the bond is paid back.
    `stuck`: nothing could be added when the list ended, recorded where it decides legality [2.5.4].
    """

    bond: int | None = None
    cities: list[str] = []
    companies: list[str] = []
    complete: bool = False
    shown: bool = False
    stuck: bool = False


class Charter(msgspec.Struct, omit_defaults=True):
    """Company state beyond `Company`.

    `director` and the `former` one; `double` is where the double share lies without a director,
    "stack" or "pool", else empty. `large` companies may lay two tiles: `right` is their choice
    ("later" or "fee", empty: none yet). `token`: the loco token is unused. `credit` is the train
    owed to the bank, `owed` its price.
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
        """Cancel the debt."""
        self.credit, self.owed = "", 0


class Turn(msgspec.Struct, omit_defaults=True):
    """A company's turn so far: hexes of new `tiles`, whether it has `upgraded` one, the `bonus` due
    after all tiles, and places a train has to reach, as hex and stop (-1: the hex)."""

    tiles: list[str] = msgspec.field(default_factory=list)
    upgraded: bool = False
    bonus: int = 0
    duties: list[tuple[str, int]] = msgspec.field(default_factory=list)


class WriteBonds(Step, tag="write-bonds"):
    """Players who have not written their bonds yet."""

    waiting: list[int]


class BidTurn(Step, tag="bid"):
    """A player writes a city or passes."""

    seat: int


class PayShares(Step, tag="pay-shares"):
    """Contract shares are to be paid."""


class ChooseRight(OfCompany, tag="choose-right"):
    """A company begins its turn; a large one may have to choose when it may lay two tiles."""


class TakeBonus(OfCompany, tag="take-bonus"):
    """A company receives the bonuses of its new hexes."""


class SettleCredit(Step, tag="settle-credit"):
    """A new director pays for the train on credit or returns it."""

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
    """The others vote on the illegal contract of `seat`; `waiting` have not voted, `votes` tell by
    seat who pardons."""

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
    """State of 1853 beyond the family's.

    `seating` are the seats clockwise. `unredeemed` are unpaid shares by seat and company, `drawn`
    shares that came with contracts, tracked through the first stock round. `first_group` are the
    companies named in contracts.

    During a stock round `founded` are the companies founded in it, `noticed` by seat those since
    whose founding the player has had a turn, `opening` those for which this turn is the first since
    the founding, and `purchase` the company whose share the player has bought in this turn.

    `claimant` has shown that their contract holds the homes of a company that is large by it.
    `small_founded`: a small company was founded in the first stock round. `turn` is the active
    company's turn. `extra`: the holder of the elephant has been asked about one more operating
    round in this series. `penalties` maps players who must give up directorships to the first stock
    round in which that holds.
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


#: Only single shares can be bought and sold.
SINGLE = "10"

#: Number of shares of the director's certificate, the minimum for a director [1-shares, 3.2.2].
DOUBLE = 2

#: The two sides of a card: large companies buy it as the first, small ones as either.
CARD, SIDE = "2", "1M"


class Lookup1853(Lookup[State1853]):
    """Lookup of a game of 1853."""

    components: Components1853

    @cached_property
    def singles(self) -> dict[str, str]:
        """Ledger item of each company's single shares."""
        return {company: share_item(company, SINGLE) for company in self.public}

    def left_of(self, state: State1853, seat: int) -> int:
        """Next player in bond order [2.5.3]."""
        seating = state.clockwise()
        return seating[(seating.index(seat) + 1) % state.seats]

    def around(self, state: State1853, seat: int) -> list[int]:
        seating = [*state.clockwise()]
        place = seating.index(seat)
        return seating[place:] + seating[:place]

    def purse(self, state: State1853, company: str) -> int:
        """A company that owes the bank a train pays for nothing else [3.4.6]."""
        return 0 if state.charters[company].credit else super().purse(state, company)

    def mixes_gauges(self, state: State1853) -> bool:
        """Whether any gauge may continue dual track [option-dual-any-gauge]."""
        return state.house.dual_any_gauge

    def spending_problem(self, state: State1853, company: str) -> IllegalAction | None:
        if not state.charters[company].credit:
            return None
        return IllegalAction(
            "3.4.6",
            "{company} has not paid for its train yet, so it pays for nothing else.",
            company=company,
        )

    def items(self, seats: int) -> dict[str, dict[str, int]]:
        """The box holds the trains that come with a small company, and the maximum number of 2/1M
        cards the first operating round could need [2.8.4, 4.8.17]."""
        items = super().items(seats)
        most = len(self.public) * max(
            phase.train_limit.public or 0 for phase in self.components.phases
        )
        for record in self.components.file.trains:
            row = items[train_item(record.id)] = {STACK: record.count}
            row[BOX] = record.small_count - record.count
            if record.id in (CARD, SIDE):
                row[BOX] += most
        return {item: {who: n for who, n in row.items() if n} for item, row in items.items()}

    def charters(self) -> dict[str, Charter]:
        """Charters before the first round."""
        size = self.components.size
        return {
            name: Charter(large=size[name] == "large", token=size[name] == "small")
            for name in self.public
        }

    def bearing_on_shares(self, state: State1853) -> State1853:
        return replace(super().bearing_on_shares(state), contracts=[], turn=Turn())

    def bearing_on_trains(self, state: State1853) -> State1853:
        return replace(super().bearing_on_trains(state), contracts=[], turn=Turn())

    def shares_of(self, state: State1853, seat: int, company: str) -> int:
        """Number of a player's shares of a company, unredeemed ones included [2.7.3]."""
        return state.ledger.items[self.singles[company]].get(PLAYERS[seat], 0)

    def holdings(self, state: State1853, seat: int) -> dict[str, int]:
        """Numbers of a player's shares by company, unredeemed ones included, where there are any."""
        holder, items = PLAYERS[seat], state.ledger.items
        return {
            company: items[item][holder]
            for company, item in self.singles.items()
            if holder in items[item]
        }

    def unpaid(self, state: State1853, seat: int, company: str) -> int:
        """Number of a player's unredeemed shares of a company [2.7.3]."""
        return state.unredeemed[seat].get(company, 0)

    def never_paid(self, state: State1853) -> list[dict[str, int]]:
        """Unpaid shares of every player: unredeemed ones, and until the end of the bids all
        contract shares [2.7.2, 2.7.3]."""
        return state.unredeemed if state.round.number else state.drawn

    def to_pay(self, state: State1853, seat: int) -> int:
        """Cost of a player's unpaid shares."""
        counts = self.never_paid(state)[seat]
        return sum(count * self.public[company].par for company, count in counts.items())

    def punished(self, state: State1853, seat: int) -> bool:
        """Whether a player must give up directorships because of the contract [4.3.2]."""
        return seat in state.penalties and state.round.number >= state.penalties[seat]

    def homes(self, state: State1853, company: str) -> tuple[HomeRecord, ...]:
        """Homes of a company: some only if it is large [table-1, 2.6.2]."""
        large = state.charters[company].large
        record = self.components.records[company]
        return tuple(home for home in record.home if large or not home.only_if)

    def duty(
        self, state: State1853, hex: str, stop: int, homes: tuple[tuple[str, int], ...]
    ) -> Obligation:
        """Obligation of a run with one of these home stations to reach a tile or a city. Several
        stations on a hex are one city, and all track there leads into one of them [4.2.3, 4.4.2,
        4.5.5]."""
        if state.corrected("any-station-of-a-city"):
            stop = -1
        return Obligation(hex, stop, homes)

    def home_hexes(self, state: State1853, company: str) -> set[str]:
        """Hexes of a company's homes."""
        return {home.hex for home in self.homes(state, company)}


def encoding(components: Components1853, seats: int) -> Encoding:
    """Encoding of a game with this number of seats."""
    companies = tuple(components.public)
    most = components.players[seats].max_cities
    by_company = Keyed(companies)
    sizes: dict[str, Size] = {
        "contracts.cities": Listed(most),
        "contracts.companies": Listed(most),
        "charters": by_company,
        "unredeemed": Listed(seats, by_company),
        "drawn": Listed(seats, by_company),
        "first_group": Counted(companies),
        "founded": Counted(companies),
        "noticed": Listed(seats, Counted(companies)),
        "opening": Counted(companies),
        "turn.tiles": Listed(family.LAID),
        "turn.duties": Listed(family.LAID),
    }
    words = (*components.cities, "later", "fee")
    purses = [bond_holder(seat) for seat in range(seats)]
    return family.encoding(components, seats, words, sizes, purses)
