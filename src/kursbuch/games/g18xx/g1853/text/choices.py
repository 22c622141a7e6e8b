"""How the actions of 1853 are pointed at, and their texts."""

from __future__ import annotations

from functools import singledispatchmethod
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.voice import Amounts, Pick
from kursbuch.games.g18xx.components import POOL
from kursbuch.games.g18xx.g1853 import actions as own
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import BidTurn, SellElephant, State1853
from kursbuch.games.g18xx.g1853.text.names import Names1853
from kursbuch.games.g18xx.text.choices import Choices


class Choices1853(Names1853, Choices[Ruleset1853]):
    """How every action is chosen."""

    @singledispatchmethod
    def _pick(self, action: Action, state: Any) -> Pick:
        return super()._pick(action, state)

    # ---- the contract bids

    @_pick.register
    def _pick_bond(self, action: own.WriteBond, state: State1853) -> Pick:
        return Pick(self._("Bond"), ("bond",), self._("Write a bond"))

    @_pick.register
    def _pick_city(self, action: own.WriteCity, state: State1853) -> Pick:
        city = self.components.cities[action.city]
        label = self._(
            "{city} (counts {value}): a share of {company} for {price}",
            city=city.name,
            value=self.money(city.value),
            company=action.company,
            price=self.money(self.ruleset.public[action.company].par),
        )
        return Pick(self._("Contract"), (f"hex:{city.hex}", f"take:{action.company}"), label)

    # ---- stock rounds

    @_pick.register
    def _pick_redeem(self, action: own.Redeem, state: State1853) -> Pick:
        label = self._(
            "{company}: redeem {shares} for {price}",
            company=action.company,
            shares=self.shares(action.count),
            price=self.money(action.count * self.ruleset.public[action.company].par),
        )
        keys = (f"company:{action.company}", f"redeem:{action.count}")
        return Pick(self.company_group(action.company), keys, label)

    @_pick.register
    def _pick_settle(self, action: own.SettleTrain, state: Any) -> Pick:
        step = state.agenda[-1]
        charter = state.charters[step.company]
        missing = max(0, charter.owed - self.ruleset.money(state, step.company))
        if not action.pays:
            label = self._("Return the {train}", train=self.train(charter.credit))
        elif missing:
            label = self._(
                "Pay {price}: {company} {treasury}, you {added}",
                price=self.money(charter.owed),
                company=step.company,
                treasury=self.money(charter.owed - missing),
                added=self.money(missing),
            )
        else:
            label = self._("Pay {price} from the treasury", price=self.money(charter.owed))
        key = "settle:pay" if action.pays else "settle:return"
        return Pick(self._("Train on credit"), (key,), label)

    @_pick.register
    def _pick_elephant(self, action: own.OfferElephant, state: State1853) -> Pick:
        label = self._(
            "Offer it to {name}, who has {money}",
            name=self.name(action.player),
            money=self.money(self.ruleset.cash(state, action.player)),
        )
        return Pick(self._("Elephant"), (f"elephant:{action.player}",), label)

    # ---- operating rounds

    @_pick.register
    def _pick_right(self, action: own.TakeRight, state: Any) -> Pick:
        if action.fee:
            fee = self.components.second_tile_cost[state.agenda[-1].company]
            label = self._("At once, every second tile for {fee}", fee=self.money(fee))
        else:
            label = self._("From phase 3 on, for nothing")
        return Pick(self._("Two tiles"), ("right:fee" if action.fee else "right:later",), label)

    def tile_costs(self, state: Any, company: str, hex: str, tile: str) -> list[tuple[str, int]]:
        found = super().tile_costs(state, company, hex, tile)
        fee = self.ruleset.builder.fee(state, company)
        return [*found, (self._("second tile"), fee)] if fee else found

    def tile_notes(self, state: Any, company: str, hex: str) -> list[str]:
        if hex in state.layout.tiles:
            return []
        bonus = self.components.bonus.get(hex, 0)
        return [self._("bonus {amount}", amount=self.money(bonus))] if bonus else []

    @_pick.register
    def _pick_credit(self, action: own.BuyOnCredit, state: State1853) -> Pick:
        params = {
            "train": self.train(action.train),
            "price": self.money(self.ruleset.depot.price(action.train)),
        }
        if action.source == POOL:
            label = self._("Buy a {train} from the pool on credit, {price} owed", **params)
            notes = []
        else:
            label = self._("Buy a {train} on credit, {price} owed", **params)
            notes = [*self.train_notes(state, action.train), *self.effects(state, action.train)]
        if notes:
            label = f"{label} ({', '.join(notes)})"
        return Pick(self._("Trains"), (f"credit:{action.source}:{action.train}",), label)

    def train_notes(self, state: Any, train: str) -> list[str]:
        """A train of a phase to come costs the loco token."""
        depot = self.ruleset.depot
        if depot.metre_trains.get(train, 0) > self.ruleset.phase(state).number:
            return [self._("costs the loco token")]
        return []

    def adds(self, state: Any, company: str, amount: int) -> str:
        if self.ruleset.control.director(state, company) is not None:
            return super().adds(state, company, amount)
        return self._("the operating manager adds {amount}", amount=self.money(amount))

    def dividend_label(self, state: Any, pays: bool) -> str:
        """The sums of the best runs for it; the mail goes to the treasury in either case."""
        company = state.agenda[-1].company
        takings = self.ruleset.depot.best_runs(state, company, pays=pays)
        revenue, mail = takings.revenue, takings.mail
        params = {
            "revenue": self.money(revenue),
            "mail": self.money(mail),
            "share": self.money(revenue // 10),
            "change": self.price_change(state, company, pays, revenue),
        }
        if pays and mail:
            return self._(
                "Pay out {revenue}: {share} a share, {mail} for the treasury by the mail, {change}",
                **params,
            )
        if pays:
            return self._("Pay out {revenue}: {share} a share, {change}", **params)
        if mail:
            return self._(
                "Withhold {revenue}, with the mail {sum} for the treasury, {change}",
                **params,
                sum=self.money(revenue + mail),
            )
        return self._("Withhold {revenue} for the treasury, {change}", **params)

    def price_change(self, state: Any, company: str, pays: bool, revenue: int) -> str:
        """In the last box the game is over."""
        chart, cell = self.ruleset.chart, state.companies[company].cell
        after = self.ruleset.market.cell_after_dividend(state, company, revenue) if pays else cell
        if after == cell or chart.right[after] != after:
            return super().price_change(state, company, pays, revenue)
        return self._(
            "price {before} → {after}: the game is over",
            before=chart.price[cell],
            after=chart.price[after],
        )

    @_pick.register
    def _pick_order(self, action: own.OrderRound, state: State1853) -> Pick:
        if action.orders:
            label = self._("Order one more operating round")
        else:
            label = self._("No, begin {round}", round=self.stock_round(state.round.number + 1))
        return Pick(
            self._("Operating round"), ("order:yes" if action.orders else "order:no",), label
        )

    # ---- contracts

    @_pick.register
    def _pick_show(self, action: own.ShowContract, state: State1853) -> Pick:
        label = self._("Show your connected contract; the others vote on it")
        return Pick(self._("Contract"), ("show",), label)

    @_pick.register
    def _pick_vote(self, action: own.Vote, state: State1853) -> Pick:
        label = self._("Pardon") if action.pardons else self._("Do not pardon")
        return Pick(self._("Vote"), ("vote:yes" if action.pardons else "vote:no",), label)

    # ---- parts

    def done_label(self, state: Any) -> str:
        match state.agenda[-1]:
            case BidTurn():
                return self._("Pass: the contract is complete")
            case SellElephant():
                return self._("Keep the elephant")
        return super().done_label(state)

    def amounts(self, state: Any, choice: Choice) -> Amounts:
        match choice.action:
            case own.WriteBond():
                return Amounts(self._("Write down {amount}"), self.some_money())
            case own.OfferElephant():
                return Amounts(self._("Ask for {amount}"), self.some_money())
        return super().amounts(state, choice)

    def amount_label(self, action: Action) -> str:
        if isinstance(action, own.WriteBond):
            return self._("The bond in {currency}", currency=self.currency)
        if isinstance(action, own.OfferElephant):
            return self._("The price in {currency}", currency=self.currency)
        return super().amount_label(action)
