"""What players do in an 18xx title. Certificates are named by their percentage, the director's with a
P behind it: "10", "20", "20P"."""

from __future__ import annotations

from typing import ClassVar

from kursbuch.core.actions import Action


class BuyPaper(Action, frozen=True, tag="paper"):
    """Buy a paper of the start packet."""

    paper: str


class BuyShare(Action, frozen=True, tag="share"):
    """Buy the top certificate of the new shares (`source` "stack") or one of the "pool"."""

    company: str
    certificate: str
    source: str = "stack"


class Nationalise(Action, frozen=True, tag="nationalise"):
    """Take a certificate from another player."""

    company: str
    certificate: str
    player: int


class SellShares(Action, frozen=True, tag="sell"):
    """Sell certificates of one company to the pool, largest first."""

    company: str
    certificates: tuple[str, ...]


class Done(Action, frozen=True, tag="done"):
    """End the turn in a stock round (with nothing done it is a pass), or go on to the next step of
    a company's turn."""


class ChooseSwap(Action, frozen=True, tag="swap"):
    """Choose which certificates are given for the director's certificate."""

    company: str
    certificates: tuple[str, ...]


class ChooseHome(Action, frozen=True, tag="home"):
    """Choose the city of the home hex in which the first marker is placed."""

    company: str
    stop: int


class Exchange(Action, frozen=True, tag="exchange"):
    """Exchange these papers for shares; none is an answer, too."""

    papers: tuple[str, ...]


class Discard(Action, frozen=True, tag="discard"):
    """Give trains above the limit to the pool."""

    company: str
    trains: tuple[str, ...]


class LayTile(Action, frozen=True, tag="tile"):
    """Lay a tile, or replace one; by the right of a private railway if it is named."""

    hex: str
    tile: str
    rotation: int
    private: str = ""


class PlaceStation(Action, frozen=True, tag="station"):
    """Place a station marker; by the right of a private railway if it is named."""

    hex: str
    stop: int
    private: str = ""


class Dividend(Action, frozen=True, tag="dividend"):
    """Pay the revenue to the shareholders, or save it. `runs` are the runs chosen by hand, where the
    table allows that: for each train the hexes and stops it calls at, such as "C11/0"."""

    pays: bool
    runs: tuple[tuple[str, ...], ...] = ()


class EnterRevenue(Action, frozen=True, tag="revenue"):
    """Pay out or save a revenue that is entered, where the table allows that."""

    AMOUNT: ClassVar[str] = "revenue"

    pays: bool
    revenue: int


class BuyTrain(Action, frozen=True, tag="train"):
    """Buy a train at its printed price, a new one ("bank") or one of the "pool"."""

    train: str
    source: str = "bank"


class OfferTrain(Action, frozen=True, tag="offer"):
    """Offer another company a price for one of its trains."""

    AMOUNT: ClassVar[str] = "price"

    company: str
    train: str
    price: int


class AskPrice(Action, frozen=True, tag="ask"):
    """Name another price than was offered for a train."""

    AMOUNT: ClassVar[str] = "price"

    price: int


class Answer(Action, frozen=True, tag="answer"):
    """Accept or refuse an offer for a train, or the price that is asked."""

    accepts: bool


#: The actions that every 18xx title may have.
EighteenAction = (
    BuyPaper
    | BuyShare
    | Nationalise
    | SellShares
    | Done
    | ChooseSwap
    | ChooseHome
    | Exchange
    | Discard
    | LayTile
    | PlaceStation
    | Dividend
    | EnterRevenue
    | BuyTrain
    | OfferTrain
    | AskPrice
    | Answer
)
