"""Trains: which are on offer to a company, how many it may own, and which it must."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple

from kursbuch.core.errors import IllegalAction
from kursbuch.games.g18xx.components import BANK, POOL, STACK, train_item
from kursbuch.games.g18xx.lookup import Lookup
from kursbuch.games.g18xx.map.revenue import Aim, Obligation, Revenue, best_runs, picked_runs
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.state import StateT


class Offer(NamedTuple):
    """A train a company can buy at its printed price, from the bank or the pool."""

    train: str
    source: str
    price: int


def shelf(source: str) -> str:
    """Where a train lies that is bought of the bank or the pool."""
    return STACK if source == BANK else POOL


class Depot(Generic[StateT]):
    """Trains on offer, limits, duties and runs."""

    def __init__(self, lookup: Lookup[StateT], control: Control[StateT]) -> None:
        self.lookup = lookup
        self.control = control

    # ---- trains on offer

    def price(self, train: str) -> int:
        """The printed price of a train [buy-train]."""
        return self.lookup.components.train_records[train].price

    def new_trains(self, state: StateT, company: str = "") -> list[str]:
        """The types of new train on offer to a company (empty: to any): the first of which any are
        left [train-order]."""
        items = state.ledger.items
        for train in self.lookup.components.train_order:
            if items[train_item(train)].get(STACK):
                return [train]
        return []

    def offers(self, state: StateT, company: str) -> list[Offer]:
        """The trains a company can buy at their printed price, whatever it has: new ones and those
        in the pool [train-order, surplus-trains]."""
        new = [Offer(train, BANK, self.price(train)) for train in self.new_trains(state, company)]
        pool = dict.fromkeys(self.lookup.trains(state, POOL))
        return new + [Offer(train, POOL, self.price(train)) for train in pool]

    # ---- limits and duties

    def train_limit(self, state: StateT, company: str) -> int:
        """How many trains a company may own now [train-limit]."""
        return self.limit_in(state.phase, company)

    def limit_in(self, row: int, company: str) -> int:
        """How many trains a company may own in a row of the phase table [train-limit]."""
        limit = self.lookup.components.phases[row].train_limit
        return (limit.minor if self.lookup.is_minor(company) else limit.public) or 0

    def above_limit(self, state: StateT, companies: Iterable[str]) -> list[str]:
        """Those of the companies that own more trains than they may [train-limit]."""
        return [
            company
            for company in companies
            if len(self.lookup.trains(state, company)) > self.train_limit(state, company)
            and not state.companies[company].closed
        ]

    def must_buy(self, state: StateT, company: str) -> bool:
        """Whether a company may not end its turn without buying a train
        [train-duty, train-duty-void]."""
        return (
            self.lookup.policy.train_duty
            and not self.lookup.is_minor(company)
            and not self.lookup.trains(state, company)
            and bool(self.offers(state, company))
        )

    def payer(self, state: StateT, company: str) -> int | None:
        """The player who may add money if a company cannot pay a train, None if no one may: the
        director of one that must buy, or always its operator [director-pays]."""
        if self.lookup.is_minor(company):
            return None
        if self.lookup.policy.director_adds == "any":
            return self.control.decider(state, company)
        return self.control.director(state, company) if self.must_buy(state, company) else None

    def transfer_problem(
        self, state: StateT, company: str, owner: str, train: str
    ) -> IllegalAction | None:
        """Why a company may not buy a train of another that has an operator, whatever the price;
        nothing forbids it here."""
        return None

    # ---- runs

    def by_hand(self, state: StateT) -> bool:
        """Whether runs may be chosen [revenue]."""
        return state.house.routes_by_hand or self.lookup.policy.runs == "any"

    def duties(self, state: StateT, company: str) -> Sequence[Obligation]:
        """Where trains of a company have to run in this turn."""
        return ()

    def duty_at(self, layout: Layout, company: str, hex: str, stop: int = -1) -> Obligation:
        """The duty of a company to run over a hex or call at one of its stops; a title can ask for
        more of the run."""
        return Obligation(hex, stop)

    def running_trains(self, state: StateT, company: str) -> list[str]:
        """The trains that a company runs [run-trains]."""
        return self.lookup.trains(state, company)

    def aim(self, state: StateT, pays: bool) -> Aim:
        """What runs are the best for, if the revenue is paid out or not [revenue]."""
        return "pay" if pays else "save"

    def best_runs(self, state: StateT, company: str, *, pays: bool = True) -> Revenue:
        """The best runs of a company to pay their revenue out, or to save it [revenue]."""
        trains = self.running_trains(state, company)
        if not trains:
            return Revenue(0, ())
        return best_runs(
            self.lookup.components,
            self.lookup.position(state),
            company,
            trains,
            mail=self.lookup.policy.mail,
            aim=self.aim(state, pays),
            duties=self.duties(state, company),
        )

    def picked_runs(
        self, state: StateT, company: str, runs: Sequence[Sequence[str]], most: int
    ) -> Revenue:
        """What a company takes in with runs chosen by hand; `IllegalAction` if they break a rule, or
        earn less than the `most` the trains can [revenue]."""
        takings = picked_runs(
            self.lookup.components,
            self.lookup.position(state),
            company,
            self.running_trains(state, company),
            runs,
            mail=self.lookup.policy.mail,
            duties=self.duties(state, company),
        )
        if self.lookup.policy.runs == "most" and takings.revenue < most:
            raise IllegalAction(
                "revenue",
                "These runs earn {revenue}; the trains can earn {most}.",
                revenue=takings.revenue,
                most=most,
            )
        return takings

    def give_train(self, state: StateT, company: str, train: str) -> bool:
        """A company gives a train away, of equal ones rather one that has run in this round;
        returns whether that is so [trains-that-have-run]."""
        ran = state.round.ran.get(company, [])
        if train in ran:
            ran.remove(train)
            return True
        return False

    def give_back(self, state: StateT, company: str, train: str) -> None:
        """A company gives a train to the pool [surplus-trains]."""
        state.ledger.move(train_item(train), company, POOL)
        self.give_train(state, company, train)
