"""What players do in 1853 beside what they do in every 18xx title."""

from __future__ import annotations

from typing import ClassVar

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    BuyShare,
    BuyTrain,
    Discard,
    Dividend,
    Done,
    LayTile,
    OfferTrain,
    PlaceStation,
    SellShares,
)


class WriteBond(Action, frozen=True, tag="bond"):
    """Write the amount of the bond, in secret [2.5.2]."""

    AMOUNT: ClassVar[str] = "bond"

    bond: int


class WriteCity(Action, frozen=True, tag="city"):
    """Write a city in secret and take a share of a company for it [2.5.4]."""

    city: str
    company: str


class Redeem(Action, frozen=True, tag="redeem"):
    """Pay for so many unredeemed shares of a company [2.7.4]."""

    company: str
    count: int


class TakeRight(Action, frozen=True, tag="right"):
    """Choose when a large company may lay two tiles: at once for a fee, or free from phase 3 on
    [4.1.3]."""

    fee: bool


class BuyOnCredit(Action, frozen=True, tag="credit"):
    """Buy a train of the bank or pool on credit [3.4.3]."""

    train: str
    source: str = "bank"


class SettleTrain(Action, frozen=True, tag="settle"):
    """As a new director pay for the train on credit, or return it [4.8.10]."""

    pays: bool


class OfferElephant(Action, frozen=True, tag="elephant"):
    """Offer the elephant to a player for a price [3.1.11]."""

    AMOUNT: ClassVar[str] = "price"

    player: int
    price: int


class OrderRound(Action, frozen=True, tag="extra-round"):
    """Order one more operating round, or none [4.9]."""

    orders: bool


class ShowContract(Action, frozen=True, tag="show"):
    """Show a contract that is connected, though it is not legal [4.3.2]."""


class Vote(Action, frozen=True, tag="vote"):
    """Pardon the owner of an illegal contract, or not [4.3.2]."""

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
