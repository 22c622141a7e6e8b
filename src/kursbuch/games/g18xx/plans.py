"""Plans of 18xx titles: actions that serve one purpose, as bots compare them and hints name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Protocol, TypeVar, cast

from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Plan
from kursbuch.core.sentences import MONEY, NAME, By
from kursbuch.games.g18xx.actions import (
    BuyShare,
    BuyTrain,
    Dividend,
    Done,
    Nationalise,
    OfferTrain,
    SellShares,
)
from kursbuch.games.g18xx.events import Line
from kursbuch.games.g18xx.ruleset import AnyRuleset
from kursbuch.games.g18xx.state import AnyState, Pay

#: Parts of sentences about a sale.
_SOLD, _OF = By("certificates").of("sale.certificates"), By("company").of("sale.company")


class Sale(Plan, frozen=True):
    """A sale."""

    SENTENCE = Line("Sell {sold} of {company}.", sold=_SOLD, company=_OF)

    @property
    def sale(self) -> SellShares:
        """The sale."""
        return cast(SellShares, self.first)


class SaleForPurchase(Sale, frozen=True):
    """A sale, and the purchase it pays for."""

    SENTENCE = Line(
        "Sell {sold} of {company} to buy {share} of {other}.",
        sold=_SOLD,
        company=_OF,
        share=By("certificate").of("purchase.certificate"),
        other=By("company").of("purchase.company"),
    )

    @property
    def purchase(self) -> BuyShare:
        """The purchase."""
        return cast(BuyShare, self.actions[1])


class SaleForTaking(Sale, frozen=True):
    """A sale, and the share taken from another player that it pays for."""

    SENTENCE = Line(
        "Sell {sold} of {company} to take {share} of {other} from {name}.",
        sold=_SOLD,
        company=_OF,
        share=By("certificate").of("taken.certificate"),
        other=By("company").of("taken.company"),
        name=NAME.of("taken.player"),
    )

    @property
    def taken(self) -> Nationalise:
        """The nationalisation."""
        return cast(Nationalise, self.actions[1])


class SavedForTrain(Plan, frozen=True):
    """Revenue withheld for a train bought with it at once."""

    SENTENCE = Line(
        "Withhold the revenue to buy a {train} with it.", train=By("train").of("bought")
    )

    @property
    def bought(self) -> str:
        """The train."""
        return cast(BuyTrain, self.actions[1]).train


class TrainFromCompany(Plan, frozen=True):
    """A train of another company."""

    SENTENCE = Line(
        "Buy the {train} of {owner} for {price}.",
        train=By("train").of("offer.train"),
        owner=By("company").of("offer.company"),
        price=MONEY.of("offer.price"),
    )

    @property
    def offer(self) -> OfferTrain:
        """The offer."""
        return cast(OfferTrain, self.first)


class CompanyAction(Protocol):
    """An action about a company."""

    @property
    def company(self) -> str:
        """The company."""


CompanyActionT = TypeVar("CompanyActionT", bound=CompanyAction)


def by_company(
    order: Iterable[object], kind: type[CompanyActionT]
) -> dict[str, list[CompanyActionT]]:
    """The actions of a kind by company, each list in their order."""
    found: dict[str, list[CompanyActionT]] = {}
    for action in order:
        if isinstance(action, kind):
            found.setdefault(action.company, []).append(action)
    return found


def plain(actions: Iterable[Action], most: int, kind: type[Action] = Action) -> list[Plan]:
    """The first actions of a kind as plans of their own."""
    return [Plan((each,)) for each in islice((a for a in actions if isinstance(a, kind)), most)]


#: Trains of the bank, and of other companies, that are compared.
BANK_TRAINS = 2
OTHER_TRAINS = 2


def dividend_plans(
    ruleset: AnyRuleset, state: AnyState, step: Pay, order: Sequence[Action]
) -> Sequence[Plan]:
    """Plans for a revenue: paid out, withheld, or withheld for a train that it makes affordable."""
    found: list[Plan] = []
    for action in order:
        if isinstance(action, Dividend):
            if not action.pays:
                money = ruleset.purse(state, step.company)
                found += [
                    SavedForTrain((action, BuyTrain(action.seat, train, source)))
                    for train, source, price in ruleset.depot.offers(state, step.company)
                    if money < price <= money + step.revenue
                ]
            found.append(Plan((action,)))
    return found


def train_plans(order: Sequence[Action]) -> Sequence[Plan]:
    """Plans for buying trains: none, one of the bank, or one of another company."""
    offers = (action for action in order if isinstance(action, OfferTrain))
    return [
        *plain(order, 1, Done),
        *plain(order, BANK_TRAINS, BuyTrain),
        *(TrainFromCompany((offer,)) for offer in islice(offers, OTHER_TRAINS)),
    ]


#: Companies sold for a train, and answers to a question, that are compared.
FORCED_SALES = 3
ANSWERS = 3


def forced_sales(order: Sequence[Action]) -> Sequence[Plan]:
    """Plans for raising money: the best sale of each company."""
    sales = by_company(order, SellShares).values()
    return [Sale((best,)) for best, *_ in islice(sales, FORCED_SALES)]


def by_gain(gains: Mapping[Action, float]) -> list[Action]:
    """The actions, best first."""
    return sorted(gains, key=lambda action: -gains[action])
