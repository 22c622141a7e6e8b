"""What is asked in 1853: a sentence for every kind of step."""

from __future__ import annotations

from functools import singledispatchmethod
from typing import Any

from kursbuch.core.state import Decision, Step
from kursbuch.games.g18xx import state as steps
from kursbuch.games.g18xx.g1853 import contracts
from kursbuch.games.g18xx.g1853 import state as own
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import State1853
from kursbuch.games.g18xx.g1853.text.names import Names1853
from kursbuch.games.g18xx.map.revenue import Revenue
from kursbuch.games.g18xx.text.prompts import Prompts


class Prompts1853(Names1853, Prompts[Ruleset1853]):
    """What a player is asked to decide. Where something follows from the cities of a contract, only its
    owner is told."""

    @singledispatchmethod
    def _prompt(self, step: Step, state: Any, seat: int) -> str:
        return super()._prompt(step, state, seat)

    def task(self, state: Any, decision: Decision) -> str:
        match state.agenda[-1]:
            case own.WriteBonds():
                return self._("write bonds")
            case own.BidTurn():
                return self._("write a city on the contract")
            case own.ExtraRound():
                return self._("decide on one more operating round")
        return super().task(state, decision)

    # ---- the contract bids

    @_prompt.register
    def _at_write_bonds(self, step: own.WriteBonds, state: State1853, seat: int) -> str:
        row = self.components.players[state.seats]
        return self._(
            "Write your bond, at least {least} and a multiple of {step}; you have {money}. The cities "
            "of your contract ({few} to {many}) count no more than the bond together. It lies aside until "
            "they are connected, and is lost if they never are. Whoever writes the highest bond sits "
            "first and gets the elephant.",
            least=self.money(row.least_bond),
            step=self.money(state.house.bond_step),
            money=self.money(self.ruleset.cash(state, seat)),
            few=row.min_cities,
            many=row.max_cities,
        )

    @_prompt.register
    def _at_bid_turn(self, step: own.BidTurn, state: State1853, seat: int) -> str:
        asked = self._(
            "Write a city on your contract and take a share for it: choose the city on the map."
        )
        if not self.open(state, seat):
            return asked
        if contracts.full(self.ruleset, state, seat):
            asked = self._("You can only pass: then your contract is complete.")
            return " ".join([asked, *self._written(state, seat, full=True)])
        written = self._written(state, seat, full=False)
        return " ".join([asked, *written, self._passing(state, seat)])

    def _written(self, state: State1853, seat: int, *, full: bool) -> list[str]:
        """The cities so far, what is left of the bond, and how many more there may be."""
        contract, row = state.contracts[seat], self.components.players[state.seats]
        unused = contracts.unused(self.components, contract)
        more = row.max_cities - len(contract.cities)
        if not state.house.illegal_contracts:
            more = min(more, unused // contracts.LEAST_VALUE)
        params = {"left": self.money(unused), "bond": self.money(contract.bond or 0)}
        if more > 0 and full:
            left = self._(
                "{left} of your bond of {bond} is unused, but no city that is left goes with it.",
                **params,
            )
        elif more > 0:
            left = self.ngettext(
                "{left} of your bond of {bond} is unused; at most {n} more city is possible.",
                "{left} of your bond of {bond} is unused; at most {n} more cities are possible.",
                more,
                **params,
            )
        else:
            left = self._(
                "{left} of your bond of {bond} is unused, which is enough for no city.", **params
            )
        cities = self.words.join(contract.cities)
        if not cities:
            return [left]
        shares = self._(
            "The shares for them will cost {cost}; you have {money}.",
            cost=self.money(self.ruleset.to_pay(state, seat)),
            money=self.money(self.ruleset.cash(state, seat)),
        )
        return [self._("So far: {list}.", list=cities), shares, left]

    def _passing(self, state: State1853, seat: int) -> str:
        """Whether the player may pass now."""
        problem = contracts.pass_problem(self.ruleset, state, seat)
        if problem is None:
            return self._("Or pass: then your contract is complete.")
        return self._("You cannot pass yet: {why}", why=problem.text(self.words))

    # ---- stock rounds

    @_prompt.register
    def _at_stock_turn(self, step: steps.StockTurn, state: State1853, seat: int) -> str:
        unpaid, cash = state.unredeemed[seat], self.ruleset.cash(state, seat)
        if not unpaid or self.ruleset.shares.over_limit(state, seat):
            return super()._prompt(step, state, seat)
        payable = any(self.ruleset.public[company].par <= cash for company in unpaid)
        return self._(
            "{options} You can buy none before you have redeemed {list}, for {price} together; you "
            "have {money}.",
            options=self.stock_options(state, step, seat, buys=False, redeems=payable),
            list=self.words.join(
                [self.shares_of(count, company) for company, count in unpaid.items()]
            ),
            price=self.money(self.ruleset.to_pay(state, seat)),
            money=self.money(cash),
        )

    @_prompt.register
    def _at_settle_credit(self, step: own.SettleCredit, state: State1853, seat: int) -> str:
        charter = state.charters[step.company]
        treasury = self.ruleset.money(state, step.company)
        params = {
            "company": step.company,
            "train": self.train(charter.credit),
            "price": self.money(charter.owed),
        }
        if treasury >= charter.owed:
            return self._(
                "You are director of {company} now. It has the {train} on credit: does it pay the {price}, "
                "or does the train go to the pool?",
                **params,
            )
        return self._(
            "You are director of {company} now. It has the {train} on credit: do you have it paid, for "
            "{price}, of which you add {added}, or does the train go to the pool?",
            **params,
            added=self.money(charter.owed - treasury),
        )

    @_prompt.register
    def _at_sell_elephant(self, step: own.SellElephant, state: State1853, seat: int) -> str:
        return self._(
            "You have the elephant: you begin the next stock round and may order one more operating "
            "round before it. Offer the elephant to another player, or keep it."
        )

    @_prompt.register
    def _at_elephant_offer(self, step: own.ElephantOffer, state: State1853, seat: int) -> str:
        return self._(
            "{name} offers you the elephant for {price}: you would begin the next stock round and might "
            "order one more operating round before it. You have {money}. Do you buy it?",
            name=self.name(state.priority),
            price=self.money(step.price),
            money=self.money(self.ruleset.cash(state, seat)),
        )

    # ---- operating rounds

    @_prompt.register
    def _at_choose_right(self, step: own.ChooseRight, state: State1853, seat: int) -> str:
        return self._(
            "{company} is a large company. From when on may it lay two tiles: at once, every second one "
            "for {fee}, or from phase 3 on, for nothing? The choice is for the whole game.",
            company=step.company,
            fee=self.money(self.components.second_tile_cost[step.company]),
        )

    @_prompt.register
    def _at_build(self, step: steps.Build, state: State1853, seat: int) -> str:
        builder, company = self.ruleset.builder, step.company
        params = {"company": company, "money": self.money(self.ruleset.purse(state, company))}
        if step.laid:
            fee = builder.fee(state, company)
            if fee:
                return self._(
                    "{company} may lay a second tile, which costs {fee} more and has to be reached from "
                    "another station: choose a hex on the map. It has {money}.",
                    **params,
                    fee=self.money(fee),
                )
            return self._(
                "{company} may lay a second tile, which has to be reached from another station: choose a "
                "hex on the map. It has {money}.",
                **params,
            )
        upgrades = len(self.ruleset.phase(state).tiles) > 1
        if builder.two_tiles(state, company):
            fee = self.components.second_tile_cost[company]
            if state.charters[company].right == "fee":
                params["fee"] = self.money(fee)
                if upgrades:
                    return self._(
                        "{company} may lay one new tile, or two (the second for {fee}), or upgrade a hex: "
                        "choose a hex on the map. It has {money}.",
                        **params,
                    )
                return self._(
                    "{company} may lay one new tile, or two (the second for {fee}): choose a hex on the "
                    "map. It has {money}.",
                    **params,
                )
            return self._(
                "{company} may lay one new tile, or two, or upgrade a hex: choose a hex on the map. It has "
                "{money}.",
                **params,
            )
        if upgrades:
            return self._(
                "{company} may lay one new tile, or upgrade a hex: choose a hex on the map. It has {money}.",
                **params,
            )
        return super()._prompt(step, state, seat)

    @_prompt.register
    def _at_place(self, step: steps.PlaceToken, state: State1853, seat: int) -> str:
        return self._(
            "{prompt} A token costs {cost}.",
            prompt=super()._prompt(step, state, seat),
            cost=self.money(self.ruleset.builder.station_cost(state, step.company, "")),
        )

    def pay_prompt(self, state: Any, company: str, revenue: int) -> str:
        paid = self.ruleset.depot.best_runs(state, company)
        if paid.revenue and self.ruleset.control.payout_problem(state, company) is None:
            asked = super().pay_prompt(state, company, paid.revenue)
        else:
            asked = self._kept(
                state, company, self.ruleset.depot.best_runs(state, company, pays=False)
            )
        return self._("{prompt} You may also run other routes.", prompt=asked)

    def _kept(self, state: State1853, company: str, takings: Revenue) -> str:
        """What the trains have earned where it cannot be paid out."""
        params = {
            "company": company,
            "revenue": self.money(takings.revenue),
            "runs": "; ".join(self.run(*run) for run in takings.plain()),
        }
        if takings.mail:
            line = self._(
                "{company} earns {revenue}: {runs}, and {mail} for the mail.",
                **params,
                mail=self.money(takings.mail),
            )
        else:
            line = self._("{company} earns {revenue}: {runs}.", **params)
        problem = self.ruleset.control.payout_problem(state, company)
        if problem is not None:
            return f"{line} {problem.text(self.words)}"
        return self._("{line} There is nothing to pay out.", line=line)

    @_prompt.register
    def _at_buy_trains(self, step: steps.BuyTrains, state: State1853, seat: int) -> str:
        company = step.company
        charter = state.charters[company]
        if charter.credit:
            return self._(
                "{company} owes the bank {price} for its {train} and pays for nothing else.",
                company=company,
                price=self.money(charter.owed),
                train=self.train(charter.credit),
            )
        asked = super()._prompt(step, state, seat)
        cash = self.ruleset.cash(state, seat)
        params = {"prompt": asked, "cash": self.money(cash)}
        directed = self.ruleset.control.director(state, company) is not None
        credit = not directed and not self.ruleset.trains(state, company)
        if not cash:
            return self._("{prompt} You may buy a train on credit.", **params) if credit else asked
        if not credit:
            return self._("{prompt} You may add of your {cash} what is missing.", **params)
        return self._(
            "{prompt} You may add of your {cash} what is missing, or buy a train on credit.",
            **params,
        )

    def can_afford_train(self, state: Any, company: str) -> bool:
        depot = self.ruleset.depot
        return super().can_afford_train(state, company) or any(
            depot.credit_problem(state, company, train, source) is None
            for train, source, _ in depot.offers(state, company)
        )

    @_prompt.register
    def _at_extra_round(self, step: own.ExtraRound, state: State1853, seat: int) -> str:
        return self._(
            "You have the elephant. Do you order one more operating round before {round}?",
            round=self.stock_round(state.round.number + 1),
        )

    @_prompt.register
    def _at_pardon(self, step: own.Pardon, state: State1853, seat: int) -> str:
        written = [f"{city} ({company})" for city, company in self.known(state, step.seat)]
        return self._(
            "{name} has shown an illegal contract: {list}. Do you pardon that? Unless more than half of "
            "the others do, {name} has to sell so many shares in the next stock round that no "
            "directorship is left.",
            name=self.name(step.seat),
            list=self.words.join(written),
        )
