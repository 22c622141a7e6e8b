"""Trains: those on offer to a company, train limits and duties, and runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple

from kursbuch.core.errors import IllegalAction
from kursbuch.games.g18xx.components import BANK, POOL, STACK, train_item
from kursbuch.games.g18xx.lookup import Lookup
from kursbuch.games.g18xx.map.revenue import (
    Aim,
    Obligation,
    Revenue,
    best_runs,
    earnings,
    picked_runs,
)
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.state import StateT


class Offer(NamedTuple):
    """A train on sale at its printed price, from the bank or the pool."""

    train: str
    source: str
    price: int


def train_holder(source: str) -> str:
    """Ledger holder of trains sold by the bank or the pool."""
    return STACK if source == BANK else POOL


class Depot(Generic[StateT]):
    """Trains on offer, train limits, duties and runs."""

    def __init__(self, lookup: Lookup[StateT], control: Control[StateT]) -> None:
        self.lookup = lookup
        self.control = control

    # ---- trains on offer

    def price(self, train: str) -> int:
        """Printed price of a train [buy-train]."""
        return self.lookup.components.train_records[train].price

    def new_trains(self, state: StateT, company: str = "") -> list[str]:
        """New trains on offer to a company (empty: to any): the first type left [train-order]."""
        items = state.ledger.items
        for train in self.lookup.components.train_order:
            if items[train_item(train)].get(STACK):
                return [train]
        return []

    def offers(self, state: StateT, company: str) -> list[Offer]:
        """Trains on sale at their printed price, whatever the company's money: new and in the pool
        [train-order, surplus-trains]."""
        new = [Offer(train, BANK, self.price(train)) for train in self.new_trains(state, company)]
        pool = dict.fromkeys(self.lookup.trains(state, POOL))
        return new + [Offer(train, POOL, self.price(train)) for train in pool]

    # ---- limits and duties

    def train_limit(self, state: StateT, company: str) -> int:
        """Current train limit of a company [train-limit]."""
        return self.limit_in(state.phase, company)

    def limit_in(self, row: int, company: str) -> int:
        """Train limit of a company in a row of the phase table [train-limit]."""
        limit = self.lookup.components.phases[row].train_limit
        return (limit.minor if self.lookup.is_minor(company) else limit.public) or 0

    def above_limit(self, state: StateT, companies: Iterable[str]) -> list[str]:
        """Companies above their train limit [train-limit]."""
        return [
            company
            for company in companies
            if len(self.lookup.trains(state, company)) > self.train_limit(state, company)
            and not state.companies[company].closed
        ]

    def must_buy(self, state: StateT, company: str) -> bool:
        """Whether a company must buy a train before ending its turn [train-duty,
        train-duty-void]."""
        return (
            self.lookup.policy.train_duty
            and not self.lookup.is_minor(company)
            and not self.lookup.trains(state, company)
            and bool(self.offers(state, company))
        )

    def payer(self, state: StateT, company: str) -> int | None:
        """Player who may add money for a company's train, None if no one may: the director if it
        must buy, or always its operator [director-pays]."""
        if self.lookup.is_minor(company):
            return None
        if self.lookup.policy.director_adds == "any":
            return self.control.decider(state, company)
        return self.control.director(state, company) if self.must_buy(state, company) else None

    def transfer_problem(
        self, state: StateT, company: str, owner: str, train: str
    ) -> IllegalAction | None:
        """Refusal to buy a train of another company at any price; here none."""
        return None

    # ---- runs

    def by_hand(self, state: StateT) -> bool:
        """Whether runs may be chosen by hand [revenue]."""
        return state.house.routes_by_hand or self.lookup.policy.runs == "any"

    def duties(self, state: StateT, company: str) -> Sequence[Obligation]:
        """Obligations of a company's runs in this turn."""
        return ()

    def duty_at(self, layout: Layout, company: str, hex: str, stop: int = -1) -> Obligation:
        """Obligation of a company to run over a hex or call at its stop; titles may add to it."""
        return Obligation(hex, stop)

    def running_trains(self, state: StateT, company: str) -> list[str]:
        """Trains that a company runs [run-trains]."""
        return self.lookup.trains(state, company)

    def aim(self, state: StateT, pays: bool) -> Aim:
        """Aim of the runs, depending on whether the revenue is paid out [revenue]."""
        return "pay" if pays else "save"

    def best_runs(self, state: StateT, company: str, *, pays: bool = True) -> Revenue:
        """Best runs of a company for paying out, or for withholding [revenue]."""
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

    def earnings(self, state: StateT, company: str, *, pays: bool = True) -> Revenue:
        """The same without the runs, which is faster."""
        aim = self.aim(state, pays) if self.lookup.policy.mail else None
        if aim == "sum":
            return self.best_runs(state, company, pays=pays)
        trains, position = self.running_trains(state, company), self.lookup.position(state)
        network = position.network(company)
        duties = self.duties(state, company)
        demands = tuple([duty.demand(position, network) for duty in duties])
        found = earnings(self.lookup.components, network, trains, aim, demands)
        return Revenue(found.revenue, (), found.mail)

    def picked_runs(
        self, state: StateT, company: str, runs: Sequence[Sequence[str]], most: int
    ) -> Revenue:
        """Revenue of runs chosen by hand; raise `IllegalAction` if they break a rule, or earn less
        than `most` where the maximum is required [revenue]."""
        earned = picked_runs(
            self.lookup.components,
            self.lookup.position(state),
            company,
            self.running_trains(state, company),
            runs,
            mail=self.lookup.policy.mail,
            duties=self.duties(state, company),
        )
        if self.lookup.policy.runs == "most" and earned.revenue < most:
            raise IllegalAction(
                "revenue",
                "These runs earn {revenue}; the trains can earn {most}.",
                revenue=earned.revenue,
                most=most,
            )
        return earned

    def give_train(self, state: StateT, company: str, train: str) -> bool:
        """Remove a sold train from those that have run in this round; return whether it had
        [trains-that-have-run]."""
        ran = state.round.ran.get(company, [])
        if train in ran:
            ran.remove(train)
            return True
        return False

    def give_back(self, state: StateT, company: str, train: str) -> None:
        """A company gives a train to the pool [surplus-trains]."""
        state.ledger.move(train_item(train), company, POOL)
        self.give_train(state, company, train)
