"""Prompts: a sentence for every kind of step, and for the events premoves wait for."""

from __future__ import annotations

from functools import singledispatchmethod
from math import inf

from kursbuch.core.state import Decision, Step
from kursbuch.games.g18xx import state as steps
from kursbuch.games.g18xx.premoves import DIRECTOR, FLOAT, PHASE, SHARE
from kursbuch.games.g18xx.rules import emergency_buy
from kursbuch.games.g18xx.state import StateT
from kursbuch.games.g18xx.text.names import NONE, Names, RulesetT


def _company(step: Step) -> str:
    """Company of a step, or empty."""
    return str(getattr(step, "company", ""))


class Prompts(Names[StateT, RulesetT]):
    """Prompts of 18xx titles."""

    def prompt(self, state: StateT, decision: Decision) -> str:
        """Prompt of a decision."""
        return self._prompt(state.agenda[-1], state, decision.seat)

    @singledispatchmethod
    def _prompt(self, step: Step, state: StateT, seat: int) -> str:
        return ""

    @_prompt.register
    def _at_stock_turn(self, step: steps.StockTurn, state: StateT, seat: int) -> str:
        above = self._above_limit(state, seat)
        if above:
            return above
        if step.bought:
            bought = self._("You have bought.")
            return f"{bought} {self.stock_options(state, step, seat, buys=False)}"
        hindrance = self._buys_nothing(state, seat)
        asked = self.stock_options(state, step, seat, buys=not hindrance)
        return f"{asked} {hindrance}" if hindrance else asked

    def stock_options(
        self,
        state: StateT,
        step: steps.StockTurn,
        seat: int,
        *,
        buys: bool,
        redeems: bool = False,
    ) -> str:
        """Options of a stock turn."""
        sells = next(self.ruleset.shares.each_sale(state, seat), None) is not None
        ways = [
            *([self._("buy a share")] if buys else []),
            *([self._("redeem shares")] if redeems else []),
            *([self._("sell shares")] if sells else []),
            self._("end your turn") if step.acted else self._("pass"),
        ]
        if len(ways) == 1:
            return self._("You can only {what}.", what=ways[0])
        return self._("You can {list}.", list=self.words.either(ways))

    def _buys_nothing(self, state: StateT, seat: int) -> str:
        """Why a player can buy no share, or empty."""
        shares, cash = self.ruleset.shares, self.ruleset.cash(state, seat)
        costs = [shares.cost(state, action) for action in shares.purchases(state, seat, inf)]
        blocked = shares.over_limit(state, seat)
        if costs and not blocked:
            if min(costs) <= cash:
                return ""
            return self._(
                "The cheapest share costs {price}, and you have {cash}.",
                price=self.money(min(costs)),
                cash=self.money(cash),
            )
        if not shares.has_room(state, seat):
            return shares.too_many_certificates(state, seat).text(self.words)
        return self._("There is no share that you may buy now.")

    @_prompt.register
    def _at_build(self, step: steps.Build, state: StateT, seat: int) -> str:
        builder = self.ruleset.builder
        if len(step.laid) >= builder.allowed(state, step.company):
            rights = [right.private for right in builder.tile_rights(state, step.company)]
            rights += [right.private for right in builder.station_rights(state, step.company)]
            return self._(
                "{company} may still use the right of {list}.",
                company=self.long_name(step.company),
                list=self.words.join([*dict.fromkeys(rights)]),
            )
        if step.laid:
            return self._(
                "{company} may lay one more tile: choose a hex and its tile.",
                company=self.long_name(step.company),
            )
        return self._(
            "{company} may lay a tile: choose a hex and its tile. It has {money}.",
            company=self.long_name(step.company),
            money=self.money(self.ruleset.money(state, step.company)),
        )

    @_prompt.register
    def _at_place(self, step: steps.PlaceToken, state: StateT, seat: int) -> str:
        left = self.ruleset.builder.spare_tokens(state, step.company)
        return self.words.ngettext(
            "{company} may place a station token: choose a city. It has {n} left and {money}.",
            "{company} may place a station token: choose a city. It has {n} left and {money}.",
            left,
            company=self.long_name(step.company),
            money=self.money(self.ruleset.money(state, step.company)),
        )

    @_prompt.register
    def _at_run(self, step: steps.Run, state: StateT, seat: int) -> str:
        return self._("{company} runs its trains.", company=self.long_name(step.company))

    @_prompt.register
    def _at_pay(self, step: steps.Pay, state: StateT, seat: int) -> str:
        return self.pay_prompt(state, step.company, step.revenue)

    @_prompt.register
    def _at_buy_trains(self, step: steps.BuyTrains, state: StateT, seat: int) -> str:
        return self._buy_prompt(state, step.company)

    @_prompt.register
    def _at_train_offer(self, step: steps.TrainOffer, state: StateT, seat: int) -> str:
        if step.counter:
            return self._(
                "{owner} asks {price} for its {train}. Does {company} pay that?",
                company=self.long_name(step.company),
                owner=self.company(step.owner),
                price=self.money(step.price),
                train=self.train(step.train),
            )
        return self._(
            (
                "{company} offers {price} for a {train} of {owner}. Do you accept, or "
                "ask for another price?"
            ),
            company=self.long_name(step.company),
            owner=self.company(step.owner),
            price=self.money(step.price),
            train=self.train(step.train),
        )

    @_prompt.register
    def _at_raise_money(self, step: steps.RaiseMoney, state: StateT, seat: int) -> str:
        if step.ruined:
            return self._(
                "You go bankrupt: even selling all the shares you can does not pay "
                "for the {train} of {company}. Sell them.",
                company=self.company(step.company),
                train=self.train(step.train),
            )
        return self._(
            (
                "You must sell shares so that {company} can pay for the {train}; "
                "{missing} more is needed."
            ),
            company=self.company(step.company),
            train=self.train(step.train),
            missing=self.money(self.missing(state, seat, step.company, step.train) - step.noted),
        )

    @_prompt.register
    def _at_surplus(self, step: steps.Surplus, state: StateT, seat: int) -> str:
        company = step.companies[0]
        return self._(
            "{company} has more trains than its limit of {limit}: choose what goes to the pool.",
            company=self.long_name(company),
            limit=self.ruleset.depot.train_limit(state, company),
        )

    @_prompt.register
    def _at_swap(self, step: steps.Swap, state: StateT, seat: int) -> str:
        return self._(
            "{name} becomes director of {company}. Which shares do you take in "
            "exchange for the director's certificate?",
            name=self.words.name(step.new),
            company=step.company,
        )

    @_prompt.register
    def _at_home(self, step: steps.Home, state: StateT, seat: int) -> str:
        return self._("Choose the city in which {company} has its home.", company=step.company)

    # ---- for those who wait

    def task(self, state: StateT, decision: Decision) -> str:
        step = state.agenda[-1]
        params = {"company": self.company(company) if (company := _company(step)) else ""}
        match step:
            case steps.StockTurn():
                return self._("buy or sell shares")
            case steps.Build():
                return self._("lay track for {company}", **params)
            case steps.PlaceToken():
                return self._("place a token for {company}", **params)
            case steps.Pay():
                return self._("pay out or withhold the revenue of {company}", **params)
            case steps.BuyTrains():
                return self._("buy trains for {company}", **params)
            case steps.TrainOffer(train=train):
                return self._("answer an offer for a {train}", train=self.train(train))
            case steps.RaiseMoney():
                return self._("raise money to buy a train for {company}", **params)
            case steps.Surplus(companies=[first, *_]):
                return self._("discard trains of {company}", company=self.company(first))
            case steps.Swap():
                return self._("choose the shares to exchange")
            case steps.Home():
                return self._("choose the home of {company}", **params)
        return ""

    # ---- parts

    def _above_limit(self, state: StateT, seat: int) -> str:
        """Instruction to sell because of the certificate limit, or empty."""
        above = self.ruleset.shares.over_limit(state, seat)
        return above.text(self.words) if above and self.ruleset.shares.sales(state, seat) else ""

    def pay_prompt(self, state: StateT, company: str, revenue: int) -> str:
        """Earnings of the trains in total and by mail; and those of other runs, if these are better
        for withholding."""
        takings = self.ruleset.depot.best_runs(state, company)
        params = {
            "company": self.long_name(company),
            "revenue": self.money(revenue),
            "runs": "; ".join(self.run(*run) for run in takings.plain()) or NONE,
        }
        if self.ruleset.is_minor(company):
            return self._("{company} earns {revenue}: {runs}. Share it with the owner?", **params)
        if not takings.runs or takings.revenue != revenue:
            return self._("{company} earns {revenue}. Pay it out or withhold it?", **params)
        saved = self.ruleset.depot.best_runs(state, company, pays=False)
        if saved.total() != takings.total():
            return self._(
                "{company} can pay out {revenue}: {runs}, and {mail} for the mail; or withhold {saved}: "
                "{others}, and {more} for the mail. Pay out or withhold?",
                mail=self.money(takings.mail),
                others="; ".join(self.run(*run) for run in saved.plain()),
                saved=self.money(saved.revenue),
                more=self.money(saved.mail),
                **params,
            )
        if takings.mail:
            return self._(
                "{company} earns {revenue}: {runs}, and {mail} for the mail. "
                "Pay the {revenue} out or withhold it?",
                mail=self.money(takings.mail),
                **params,
            )
        return self._("{company} earns {revenue}: {runs}. Pay it out or withhold it?", **params)

    def _buy_prompt(self, state: StateT, company: str) -> str:
        owned = self.ruleset.trains(state, company)
        params = {
            "company": self.long_name(company),
            "money": self.money(self.ruleset.money(state, company)),
            "limit": self.ruleset.depot.train_limit(state, company),
        }
        if owned:
            has = self._(
                "{company} has {money} and these trains (at most {limit}): {list}.",
                **params,
                list=self.trains(owned),
            )
        elif self.ruleset.depot.must_buy(state, company):
            has = self._("{company} has {money} and no train: it must buy one.", **params)
        else:
            has = self._("{company} has {money} and no train.", **params)
        if not self.can_afford_train(state, company):
            asked = self._("{facts} Only a train of another company can be bought.", facts=has)
        elif owned or not self.ruleset.depot.must_buy(state, company):
            asked = self._("{facts} Buy a train?", facts=has)
        else:
            asked = has
        new = [
            self.new_train(state, train) for train in self.ruleset.depot.new_trains(state, company)
        ]
        return (
            self._("{question} New: {list}.", question=asked, list="; ".join(new)) if new else asked
        )

    def can_afford_train(self, state: StateT, company: str) -> bool:
        """Whether a company can pay for a train from the bank or pool."""
        return any(
            emergency_buy.price_problem(self.ruleset, state, company, train) is None
            for train, _, _ in self.ruleset.depot.offers(state, company)
        )


class Waiting(Names[StateT, RulesetT]):
    """Events that premoves can wait for, and turns that run by themselves."""

    def routine(self, subject: str) -> str:
        return self._(
            "{company}: no tile, no token, best run, pay out, no train",
            company=self.company(subject),
        )

    def trigger(self, name: str) -> str:
        kind, _, company = name.partition(":")
        params = {"company": self.company(company)} if company else {}
        if kind == SHARE:
            return (
                self._("a player buys or sells a share of {company}", **params)
                if company
                else self._("a player buys or sells a share")
            )
        if kind == FLOAT:
            return self._("{company} starts", **params)
        if kind == DIRECTOR:
            return self._("{company} has another director", **params)
        if kind == PHASE:
            return self._("a new phase begins")
        return self._("the round is over")
