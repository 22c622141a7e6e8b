"""Events of 1853 beyond the family's."""

from __future__ import annotations

from collections.abc import Mapping

from kursbuch.core.events import Event, Payment, SeatPayment
from kursbuch.core.sentences import MONEY, NAME, By, Each, If, Part, Then, Told
from kursbuch.games.g18xx import events as family
from kursbuch.games.g18xx.components import POOL
from kursbuch.games.g18xx.events import TRAINS, Line


class BondWritten(Event, frozen=True, kw_only=True, tag="bond-written"):
    """A player has written a bond."""

    SENTENCE = Line("{name} has written a bond.")

    seat: int


class BondNoted(Event, frozen=True, kw_only=True, tag="bond-noted"):
    """The amount of a written bond, for its owner only."""

    SENTENCE = Line("The bond of {name} is {amount}.", amount=MONEY.of("bond"))

    seat: int
    bond: int


class BondsShown(Payment, frozen=True, kw_only=True, tag="bonds-shown"):
    """All bonds are shown and set aside: the amounts by seat, and the seats in their new order."""

    SENTENCE = Line(
        "The bonds are revealed and set aside: {list}. Players are seated in this order; "
        "{name} gets the elephant.",
        list=By("bond_order").of("bonds", "seating"),
        name=NAME.of("first"),
    )

    bonds: tuple[int, ...]
    seating: tuple[int, ...]

    @property
    def first(self) -> int:
        """The seat with the highest bond."""
        return self.seating[0]


class ShareTaken(Event, frozen=True, kw_only=True, tag="share-taken"):
    """A player has written a city and taken a share for it."""

    SENTENCE = Line("{name} writes a city and takes a share of {company} for it.")

    seat: int
    company: str


class CityNoted(Event, frozen=True, kw_only=True, tag="city-noted"):
    """The city written, for its owner only."""

    SENTENCE = Line("The city {name} has written for {company} is {city}.")

    seat: int
    city: str
    company: str


class ContractComplete(Event, frozen=True, kw_only=True, tag="contract-complete"):
    """A player's list is complete; `passed` by choice, or because no more is possible."""

    SENTENCE = If(
        "passed",
        Line(
            "{name} passes: the contract is complete with {n} city.",
            "{name} passes: the contract is complete with {n} cities.",
            n="cities",
        ),
        Line(
            "The contract of {name} is complete with {n} city.",
            "The contract of {name} is complete with {n} cities.",
            n="cities",
        ),
    )

    seat: int
    cities: int
    passed: bool = True


class SharesPaid(SeatPayment, frozen=True, kw_only=True, tag="shares-paid"):
    """A player has paid for contract shares as far as possible; `unredeemed` are companies with the
    number of unpaid shares."""

    SENTENCE = Then(
        Line("{name} pays {amount} for the shares of the contract.", amount=MONEY.of("paid")),
        If(
            "unredeemed",
            Line("{line} Not redeemed: {list}.", list=Each(By("shares_of")).of("unredeemed")),
        ),
    )

    unredeemed: tuple[tuple[str, int], ...]


class SharesRedeemed(Payment, frozen=True, kw_only=True, tag="redeemed"):
    """A player has redeemed shares."""

    SENTENCE = Line(
        "{name} redeems {shares} for {price}.", shares=By("shares_of").of("company", "count")
    )

    seat: int
    company: str
    count: int
    price: int


class Founded(Event, frozen=True, kw_only=True, tag="founded"):
    """Enough shares of a company have been issued in the first stock round; it starts at its
    end."""

    SENTENCE = Line(
        "Enough shares of {company} have been issued: it is founded and starts after this stock "
        "round.",
        company=By("full_company"),
    )

    company: str


class FormFixed(Event, frozen=True, kw_only=True, tag="form"):
    """The size of a company is fixed; `shown` are the cities its director has shown for that."""

    SENTENCE = If(
        "large",
        Line(
            "{company} is a large company: the contract of its director holds {list}.",
            list=Each(Part()).of("shown"),
        ),
        Line("{company} is a small company."),
    )

    company: str
    large: bool
    shown: tuple[str, ...] = ()


class TrainsAdded(Event, frozen=True, kw_only=True, tag="trains-added"):
    """A small company adds these trains to the game."""

    SENTENCE = Line(
        "A small company has been founded; these trains enter the game: {list}.", list=TRAINS
    )

    trains: tuple[str, ...]


class DirectorLost(Event, frozen=True, kw_only=True, tag="director-lost"):
    """A company has lost its last possible director; its double share goes to the pool."""

    SENTENCE = Line(
        "{name} is no longer director of {company}: no player has two of its shares.",
        name=NAME.of("old"),
    )

    company: str
    old: int


class RightTaken(Event, frozen=True, kw_only=True, tag="right"):
    """A large company may lay two tiles: for a fee, or free from a later phase on."""

    SENTENCE = If(
        "fee",
        Line(
            "{company} may lay two tiles at once; every second one costs {fee}.",
            fee=By("tile_fee").of("company"),
        ),
        Line("{company} waits for phase 3 to lay two tiles, and pays nothing for it then."),
    )

    company: str
    fee: bool


class FeePaid(Event, frozen=True, kw_only=True, tag="fee"):
    """A company has paid for laying a second tile."""

    SENTENCE = Line("{company} pays {amount} for laying a second tile.")

    company: str
    amount: int


class BonusPaid(Event, frozen=True, kw_only=True, tag="bonus"):
    """The bank has paid a company for opening up hexes."""

    SENTENCE = Line("{company} gets a development bonus of {amount}.")

    company: str
    amount: int


class ContractShown(Payment, frozen=True, kw_only=True, tag="contract-shown"):
    """A contract is connected and shown; the bond is paid back."""

    SENTENCE = If(
        "legal",
        Line(
            "The contract of {name} is connected: {list}. The bond of {bond} is paid back.",
            list=Each(Part()).of("cities"),
        ),
        Line(
            "{name} shows an illegal contract, which is connected: {list}. The "
            "bond of {bond} is paid back.",
            list=Each(Part()).of("cities"),
        ),
    )

    seat: int
    cities: tuple[str, ...]
    bond: int
    legal: bool = True


class PardonDecided(Event, frozen=True, kw_only=True, tag="pardon"):
    """The others have voted on an illegal contract: seats, and whether they pardoned."""

    SENTENCE = Then(
        If(
            "pardoned",
            Line("{name} is pardoned."),
            Line(
                "{name} is not pardoned and has to give up every directorship in the next stock round."
            ),
        ),
        If("ayes", Line("{line} For it: {list}.", list=Each(NAME).of("ayes"))),
        If("noes", Line("{line} Against it: {list}.", list=Each(NAME).of("noes"))),
    )

    seat: int
    votes: tuple[tuple[int, bool], ...]
    pardoned: bool

    @property
    def ayes(self) -> list[int]:
        """Seats that voted for the pardon."""
        return [seat for seat, pardons in self.votes if pardons]

    @property
    def noes(self) -> list[int]:
        """Seats that voted against the pardon."""
        return [seat for seat, pardons in self.votes if not pardons]


class TrainOnCredit(Event, frozen=True, kw_only=True, tag="train-on-credit"):
    """A company owes the bank the price of a train it has bought."""

    SENTENCE = If(
        "source",
        Line("{company} buys a {train} from the pool on credit and owes the bank {price}."),
        Line("{company} buys a {train} on credit and owes the bank {price}."),
        equals=(POOL,),
    )

    company: str
    train: str
    source: str
    price: int


class CreditSettled(Payment, frozen=True, kw_only=True, tag="credit-settled"):
    """A train on credit has been paid; `added` came from the new director."""

    SENTENCE = Then(
        Line("{company} pays {price} for the {train} it had on credit."),
        If("added", Line("{line} {name} adds {amount}.", amount=MONEY.of("added"))),
    )

    company: str
    train: str
    price: int
    seat: int | None = None
    added: int = 0


class CreditReturned(Event, frozen=True, kw_only=True, tag="credit-returned"):
    """A new director has returned the train on credit; `forced` if it cannot be paid."""

    SENTENCE = If(
        "forced",
        Line(
            "{name} cannot pay for the {train} that {company} has on credit: it goes to the pool."
        ),
        Line("{name} returns the {train} that {company} had on credit: it goes to the pool."),
    )

    company: str
    train: str
    seat: int
    forced: bool = False


class LocoTokenUsed(Event, frozen=True, kw_only=True, tag="loco-token"):
    """A small company has given up its loco token for a train of the next phase."""

    SENTENCE = Line("{company} gives up its loco token for the {train}.")

    company: str
    train: str


class ElephantOffered(Event, frozen=True, kw_only=True, tag="elephant-offered"):
    """The holder of the elephant offers it to a player."""

    SENTENCE = Line("{name} offers {other} the elephant for {price}.", other=NAME.of("buyer"))

    seat: int
    buyer: int
    price: int


class ElephantRefused(Event, frozen=True, kw_only=True, tag="elephant-refused"):
    """The player has refused the elephant at that price."""

    SENTENCE = Line("{name} does not want the elephant.")

    seat: int


class ElephantKept(Event, frozen=True, kw_only=True, tag="elephant-kept"):
    """The holder of the elephant keeps it."""

    SENTENCE = Line("{name} keeps the elephant.")

    seat: int


class ElephantSold(Payment, frozen=True, kw_only=True, tag="elephant-sold"):
    """The elephant has a new holder."""

    SENTENCE = Line(
        "{name} buys the elephant from {other} for {price}.",
        name=NAME.of("buyer"),
        other=NAME.of("seat"),
    )

    seat: int
    buyer: int
    price: int


class RoundOrdered(Event, frozen=True, kw_only=True, tag="round-ordered"):
    """The holder of the elephant has ordered one more operating round, or none."""

    SENTENCE = If(
        "orders",
        Line("{name} orders one more operating round."),
        Line("{name} orders no further operating round."),
    )

    seat: int
    orders: bool


class PriceLimit(Event, frozen=True, kw_only=True, tag="price-limit"):
    """A share price has reached the last box: the game is over at once."""

    SENTENCE = Line(
        "The price of {company} has reached {price}: the game is over at once.",
        price=By("highest_price").of(),
    )

    company: str


#: Log lines that replace those of the family.
SENTENCES: Mapping[type[Event], Told] = {
    family.StockRoundBegan: Line("Stock round {number} begins; {name} has the elephant."),
    family.StockRoundEnded: Line("Stock round {number} is over; the elephant is with {name}."),
    family.ManagerFound: Line("{company} has no director: {name} is its operating manager."),
    family.Withheld: If(
        "revenue", Line("{company} withholds {revenue} for its treasury."), family.Withheld.SENTENCE
    ),
    family.TrainBought: Then(
        family.TrainBought.BOUGHT,
        family.TrainBought.LENT,
        If(
            "payer",
            None,
            Line("{line} {name} adds {amount}.", name=NAME.of("payer"), amount=MONEY.of("added")),
            equals=(None,),
        ),
    ),
    family.BankBroken: If(
        "in_stock_round",
        Line("The bank has no money left; the game ends after this stock round."),
        family.BankBroken.SENTENCE,
    ),
}
