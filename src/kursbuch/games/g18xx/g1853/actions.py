"""Actions of 1853 beyond the family's."""

from __future__ import annotations

from typing import ClassVar

from kursbuch.core.actions import Action, PickSpec
from kursbuch.core.notation import PLAYER, Form, Name, Number, OneOf
from kursbuch.core.sentences import MONEY, NAME, By, If
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import (
    AMOUNT,
    COMPANY,
    COMPANY_GROUP,
    FORMS,
    SOURCE,
    TRAIN,
    Answer,
    AskPrice,
    BuyPaper,
    BuyShare,
    BuyTrain,
    ChooseHome,
    ChooseSwap,
    Discard,
    Dividend,
    Done,
    EnterRevenue,
    Exchange,
    LayTile,
    Nationalise,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.events import Line

#: Heading of choices.
_CONTRACT = N_("Contract")


class WriteBond(Action, frozen=True, tag="bond"):
    """Write the amount of the bond in secret [2.5.2]."""

    FORM = Form("writes a bond of {bond}", bond=Number("AMOUNT", digits=9))
    PICK = PickSpec("Bond", ("bond",), Line("Write a bond"))

    AMOUNT: ClassVar[str] = "bond"

    bond: int


class WriteCity(Action, frozen=True, tag="city"):
    """Write a city in secret and take a share of a company for it [2.5.4]."""

    FORM = Form("writes {city} for {company}", city=Name("CITY", "[a-z]+"), company=COMPANY)
    PICK = PickSpec(
        _CONTRACT,
        (By("city_key").of("city"), "take:{company}"),
        Line(
            "{city} (counts {value}): a share of {company} for {price}",
            value=By("city_value").of("city"),
            price=By("par").of("company"),
        ),
    )

    city: str
    company: str


class Redeem(Action, frozen=True, tag="redeem"):
    """Pay for some unredeemed shares of a company [2.7.4]."""

    FORM = Form("redeems {count} of {company}", count=Number(digits=1), company=COMPANY)
    PICK = PickSpec(
        COMPANY_GROUP,
        ("company:{company}", "redeem:{count}"),
        Line(
            "{company}: redeem {shares} for {price}",
            shares=By("shares").of("count"),
            price=By("par").of("company", "count"),
        ),
    )

    company: str
    count: int


class TakeRight(Action, frozen=True, tag="right"):
    """Choose when a large company may lay two tiles: at once for a fee, or free from phase 3 on
    [4.1.3]."""

    FORM = Form("lays two tiles {fee}", fee=OneOf({"for a fee": True, "later": False}))
    PICK = PickSpec(
        "Two tiles",
        ("right:{fee:fee|later}",),
        If(
            "fee",
            Line(
                "At once, paying {fee} each time for the second tile",
                fee=By("tile_fee").of("step.company"),
            ),
            Line("From phase 3 on, free of charge"),
        ),
    )

    fee: bool


class BuyOnCredit(Action, frozen=True, tag="credit"):
    """Buy a train from the bank or pool on credit [3.4.3]."""

    FORM = Form("buys train {train}{source} on credit", train=TRAIN, source=SOURCE)
    PICK = PickSpec(
        "Trains", ("credit:{source}:{train}",), By("credit_label").of("state", "train", "source")
    )

    train: str
    source: str = "bank"


class SettleTrain(Action, frozen=True, tag="settle"):
    """Pay for the train on credit as the new director, or return it [4.8.10]."""

    FORM = Form("{pays} the train", pays=OneOf({"pays for": True, "returns": False}))
    PICK = PickSpec(
        "Train on credit",
        ("settle:{pays:pay|return}",),
        By("settlement_label").of("state", "step.company", "pays"),
    )

    pays: bool


class OfferElephant(Action, frozen=True, tag="elephant"):
    """Offer the elephant to a player for a price [3.1.11]."""

    FORM = Form("offers the elephant to player {player} for {price}", player=PLAYER, price=AMOUNT)
    PICK = PickSpec(
        "Elephant",
        ("elephant:{player}",),
        Line(
            "Offer it to {name}, who has {money}",
            name=NAME.of("player"),
            money=MONEY.of(By("ruleset.cash").of("state", "player")),
        ),
    )

    AMOUNT: ClassVar[str] = "price"

    player: int
    price: int


class OrderRound(Action, frozen=True, tag="extra-round"):
    """Order one more operating round, or none [4.9]."""

    FORM = Form("{orders} operating round", orders=OneOf({"orders an": True, "orders no": False}))
    PICK = PickSpec(
        "Operating round",
        ("order:{orders:yes|no}",),
        If(
            "orders",
            Line("Order one more operating round"),
            Line("No, begin {round}", round=By("next_stock_round").of("state")),
        ),
    )

    orders: bool


class ShowContract(Action, frozen=True, tag="show"):
    """Show a connected but illegal contract [4.3.2]."""

    FORM = Form("shows the contract")
    PICK = PickSpec(
        _CONTRACT, ("show",), Line("Show your connected contract; the others vote on it")
    )


class Vote(Action, frozen=True, tag="vote"):
    """Pardon the owner of an illegal contract, or not [4.3.2]."""

    FORM = Form("{pardons}", pardons=OneOf({"pardons": True, "does not pardon": False}))
    PICK = PickSpec(
        "Vote", ("vote:{pardons:yes|no}",), If("pardons", Line("Pardon"), Line("Do not pardon"))
    )

    pardons: bool


Action1853 = (
    BuyShare
    | SellShares
    | Done
    | Discard
    | LayTile
    | PlaceStation
    | Dividend
    | BuyTrain
    | OfferTrain
    | AskPrice
    | Answer
    | WriteBond
    | WriteCity
    | Redeem
    | TakeRight
    | BuyOnCredit
    | SettleTrain
    | OfferElephant
    | OrderRound
    | ShowContract
    | Vote
)

#: Actions of the family that never occur.
_NEVER = (BuyPaper, ChooseHome, ChooseSwap, EnterRevenue, Exchange, Nationalise)

#: All actions in the order in which their text forms are tried and listed.
FORMS_1853: tuple[type[Action], ...] = (
    WriteBond, WriteCity, Redeem, TakeRight, BuyOnCredit, SettleTrain, OfferElephant, OrderRound, ShowContract, Vote,
    *(action for action in FORMS if action not in _NEVER),
)  # fmt: skip
