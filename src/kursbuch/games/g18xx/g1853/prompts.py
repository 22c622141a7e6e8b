"""Names, prompts and choices of 1853."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatchmethod

from kursbuch.core.actions import Action, Choice
from kursbuch.core.state import Decision, Step
from kursbuch.core.voice import Amounts
from kursbuch.games.g18xx import state as steps
from kursbuch.games.g18xx.components import PERCENT, POOL
from kursbuch.games.g18xx.g1853 import actions as own
from kursbuch.games.g18xx.g1853 import contracts
from kursbuch.games.g18xx.g1853.builder import OPEN_LAND, TWO_TILES
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.g1853.depot import METRE_FOR_ALL
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import (
    CARD,
    HIDDEN,
    SIDE,
    BidTurn,
    ChooseRight,
    ElephantOffer,
    ExtraRound,
    Pardon,
    SellElephant,
    SettleCredit,
    State1853,
    WriteBonds,
)
from kursbuch.games.g18xx.map.revenue import Revenue
from kursbuch.games.g18xx.text.choices import Choices, noted
from kursbuch.games.g18xx.text.names import Names
from kursbuch.games.g18xx.text.prompts import Prompts

#: Words of the rulebook that differ from those of the family.
TERMS = {
    "de": {
        "Operationsrunde": "Betriebsrunde",
        "einsparen": "einbehalten",
        "eingespart": "einbehalten",
        "Direktoraktie": "Direktorenaktie",
        "Kleinstadt": "Kleine Stadt",
    }
}


class Names1853(Names[State1853, Ruleset1853]):
    """Names of 1853 for one reader."""

    components: Components1853

    # ---- shares

    def certificate(self, name: str) -> str:
        return self.certificates((name,))

    def certificates(self, names: Iterable[str]) -> str:
        """Players hold shares of 10 percent, which are counted."""
        return self.shares(sum(PERCENT[name] for name in names) // 10)

    def shares(self, count: int) -> str:
        """A number of shares."""
        if count == 1:
            return self._("a share")
        return self.words.ngettext("{n} share", "{n} shares", count)

    def par(self, company: str, count: int = 1) -> str:
        """Price of shares at par."""
        return self.money(count * self.ruleset.public[company].par)

    def shares_of(self, company: str, count: int) -> str:
        """A number of shares of a company."""
        return self.words.ngettext(
            "{n} share of {company}", "{n} shares of {company}", count, company=company
        )

    def priority(self) -> str:
        return self._("Elephant")

    # ---- prices, rounds and tiles

    def highest_price(self) -> str:
        """Price of the last box."""
        return self.money(max(self.ruleset.chart.price.values()))

    def next_stock_round(self, state: State1853) -> str:
        """The next stock round."""
        return self.stock_round(state.round.number + 1)

    def tile_fee(self, company: str) -> str:
        """Fee of a large company for its second tile."""
        return self.money(self.components.second_tile_cost[company])

    # ---- trains

    def train(self, name: str) -> str:
        if name in self.ruleset.depot.metre_trains:
            return self._("{metre}-train", metre=name)
        return super().train(name)

    def left(self, state: State1853, train: str) -> str:
        """A 1M is the back of a card that is counted as a 2."""
        if train in (CARD, SIDE) and self.ruleset.depot.unlimited_cards(state):
            return self._("any number")
        return super().left(state, CARD if train == SIDE else train)

    # ---- contracts

    def known(self, state: State1853, seat: int) -> list[tuple[str, str]]:
        """Contract cities known to the reader of a view, each with the company whose share was
        taken for it."""
        contract = state.contracts[seat]
        pairs = zip(contract.cities, contract.companies, strict=True)
        return [(city, company) for city, company in pairs if city != HIDDEN]

    def open(self, state: State1853, seat: int) -> bool:
        """Whether the reader of a view may know all cities of a contract."""
        return HIDDEN not in state.contracts[seat].cities

    # ---- phases

    def phase_notes(self, number: int) -> list[str]:
        phases = self.components.phases
        notes = super().phase_notes(number)
        now, before = phases[number].number, phases[number - 1].number if number else 0
        if before < TWO_TILES <= now:
            notes.append(self._("all large companies may lay two tiles"))
        if before < METRE_FOR_ALL <= now:
            notes.append(self._("metre-gauge trains for large companies, too"))
        if before < OPEN_LAND <= now:
            notes.append(
                self._("a 5-train or 6-train opens the land outside a company's own territory")
            )
        return notes


class Prompts1853(Names1853, Prompts[State1853, Ruleset1853]):
    """Prompts of 1853. Consequences of contract cities are told only to their owner."""

    @singledispatchmethod
    def _prompt(self, step: Step, state: State1853, seat: int) -> str:
        return super()._prompt(step, state, seat)

    def task(self, state: State1853, decision: Decision) -> str:
        match state.agenda[-1]:
            case WriteBonds():
                return self._("write bonds")
            case BidTurn():
                return self._("write a city on the contract")
            case ExtraRound():
                return self._("decide on one more operating round")
        return super().task(state, decision)

    # ---- the contract bids

    @_prompt.register
    def _at_write_bonds(self, step: WriteBonds, state: State1853, seat: int) -> str:
        row = self.components.players[state.seats]
        return self._(
            "Write your bond, at least {least} and a multiple of {step}; you have {money}. The "
            "values of your contract cities ({few} to {many}) may not exceed your bond. The bond "
            "is set aside; you get it back once they are connected, or lose it. The player with "
            "the highest bond sits first and gets the elephant.",
            least=self.money(row.least_bond),
            step=self.money(state.house.bond_step),
            money=self.money(self.ruleset.cash(state, seat)),
            few=row.min_cities,
            many=row.max_cities,
        )

    @_prompt.register
    def _at_bid_turn(self, step: BidTurn, state: State1853, seat: int) -> str:
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
        """Cities so far, unused part of the bond, and number of further cities allowed."""
        contract, row = state.contracts[seat], self.components.players[state.seats]
        unused = contracts.unused(self.components, contract)
        more = row.max_cities - len(contract.cities)
        if not state.house.illegal_contracts:
            more = min(more, unused // contracts.LEAST_VALUE)
        params = {"left": self.money(unused), "bond": self.money(contract.bond or 0)}
        if more > 0 and full:
            left = self._(
                (
                    "{left} of your bond of {bond} is unused, but none of the remaining "
                    "cities fits it."
                ),
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
                ("{left} of your bond of {bond} is unused, which is not enough for another city."),
                **params,
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
            "{options} You cannot buy any before you have redeemed {list}, for "
            "{price} in all; you have {money}.",
            options=self.stock_options(state, step, seat, buys=False, redeems=payable),
            list=self.words.join(
                [self.shares_of(company, count) for company, count in unpaid.items()]
            ),
            price=self.money(self.ruleset.to_pay(state, seat)),
            money=self.money(cash),
        )

    @_prompt.register
    def _at_settle_credit(self, step: SettleCredit, state: State1853, seat: int) -> str:
        charter = state.charters[step.company]
        treasury = self.ruleset.money(state, step.company)
        params = {
            "company": step.company,
            "train": self.train(charter.credit),
            "price": self.money(charter.owed),
        }
        if treasury >= charter.owed:
            return self._(
                "You are now director of {company}. It has the {train} on credit: "
                "does it pay the {price}, or does the train go to the pool?",
                **params,
            )
        return self._(
            "You are now director of {company}. It has the {train} on credit: do you "
            "pay for it ({price}, of which you add {added}), or does the train go to "
            "the pool?",
            **params,
            added=self.money(charter.owed - treasury),
        )

    @_prompt.register
    def _at_sell_elephant(self, step: SellElephant, state: State1853, seat: int) -> str:
        return self._(
            "You have the elephant: you begin the next stock round and may order one more operating "
            "round before it. Offer the elephant to another player, or keep it."
        )

    @_prompt.register
    def _at_elephant_offer(self, step: ElephantOffer, state: State1853, seat: int) -> str:
        return self._(
            "{name} offers you the elephant for {price}: you would begin the next "
            "stock round and could order one more operating round before it. You "
            "have {money}. Do you buy it?",
            name=self.name(state.priority),
            price=self.money(step.price),
            money=self.money(self.ruleset.cash(state, seat)),
        )

    # ---- operating rounds

    @_prompt.register
    def _at_choose_right(self, step: ChooseRight, state: State1853, seat: int) -> str:
        return self._(
            "{company} is a large company. When may it start laying two tiles: now, "
            "paying {fee} for the second one each time, or from phase 3 on, for "
            "free? The choice is for the whole game.",
            company=step.company,
            fee=self.tile_fee(step.company),
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
                    "another station: choose a hex and its tile. It has {money}.",
                    **params,
                    fee=self.money(fee),
                )
            return self._(
                "{company} may lay a second tile, which has to be reached from another station: choose a "
                "hex and its tile. It has {money}.",
                **params,
            )
        upgrades = len(self.ruleset.phase(state).tiles) > 1
        if builder.two_tiles(state, company):
            if state.charters[company].right == "fee":
                params["fee"] = self.tile_fee(company)
                if upgrades:
                    return self._(
                        "{company} may lay one new tile, or two (the second for {fee}), or upgrade a hex: "
                        "choose a hex and its tile. It has {money}.",
                        **params,
                    )
                return self._(
                    "{company} may lay one new tile, or two (the second for {fee}): choose a hex and "
                    "its tile. It has {money}.",
                    **params,
                )
            return self._(
                "{company} may lay one new tile, or two, or upgrade a hex: choose a hex and its tile. It has "
                "{money}.",
                **params,
            )
        if upgrades:
            return self._(
                "{company} may lay one new tile, or upgrade a hex: choose a hex and its tile. It has {money}.",
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

    def pay_prompt(self, state: State1853, company: str, revenue: int) -> str:
        paid = self.ruleset.depot.best_runs(state, company)
        if paid.revenue and self.ruleset.control.payout_problem(state, company) is None:
            asked = super().pay_prompt(state, company, paid.revenue)
        else:
            asked = self._kept(
                state, company, self.ruleset.depot.best_runs(state, company, pays=False)
            )
        return self._("{prompt} You may also run other routes.", prompt=asked)

    def _kept(self, state: State1853, company: str, takings: Revenue) -> str:
        """Revenue that cannot be paid out."""
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
            return self._("{prompt} You may make up the difference from your {cash}.", **params)
        return self._(
            ("{prompt} You may make up the difference from your {cash}, or buy a train on credit."),
            **params,
        )

    def can_afford_train(self, state: State1853, company: str) -> bool:
        depot = self.ruleset.depot
        return super().can_afford_train(state, company) or any(
            depot.credit_problem(state, company, train, source) is None
            for train, source, _ in depot.offers(state, company)
        )

    @_prompt.register
    def _at_extra_round(self, step: ExtraRound, state: State1853, seat: int) -> str:
        return self._(
            "You have the elephant. Do you order one more operating round before {round}?",
            round=self.next_stock_round(state),
        )

    @_prompt.register
    def _at_pardon(self, step: Pardon, state: State1853, seat: int) -> str:
        written = [f"{city} ({company})" for city, company in self.known(state, step.seat)]
        return self._(
            "{name} has shown an illegal contract: {list}. Do you pardon it? Unless more than "
            "half of the others do, {name} has to sell shares in the next stock round until no "
            "directorship is left.",
            name=self.name(step.seat),
            list=self.words.join(written),
        )


class Choices1853(Names1853, Choices[State1853, Ruleset1853]):
    """Choices of 1853."""

    # ---- parts of labels

    def city_key(self, city: str) -> str:
        """Hex of a city."""
        return f"hex:{self.components.cities[city].hex}"

    def city_value(self, city: str) -> str:
        """Value of a city in a contract."""
        return self.money(self.components.cities[city].value)

    def settlement_label(self, state: State1853, company: str, pays: bool) -> str:
        """Label of paying for or returning a train on credit."""
        charter = state.charters[company]
        if not pays:
            return self._("Return the {train}", train=self.train(charter.credit))
        missing = max(0, charter.owed - self.ruleset.money(state, company))
        if not missing:
            return self._("Pay {price} from the treasury", price=self.money(charter.owed))
        return self._(
            "Pay {price}: {company} {treasury}, you {added}",
            price=self.money(charter.owed),
            company=company,
            treasury=self.money(charter.owed - missing),
            added=self.money(missing),
        )

    def credit_label(self, state: State1853, train: str, source: str) -> str:
        """Label of a train on credit, with its consequences."""
        params = {"train": self.train(train), "price": self.money(self.ruleset.depot.price(train))}
        if source == POOL:
            return self._("Buy a {train} from the pool on credit, {price} owed", **params)
        notes = [*self.train_notes(state, train), *self.effects(state, train)]
        return noted(self._("Buy a {train} on credit, {price} owed", **params), notes)

    def tile_costs(
        self, state: State1853, company: str, hex: str, tile: str
    ) -> list[tuple[str, int]]:
        found = super().tile_costs(state, company, hex, tile)
        fee = self.ruleset.builder.fee(state, company)
        return [*found, (self._("second tile"), fee)] if fee else found

    def tile_notes(self, state: State1853, company: str, hex: str) -> list[str]:
        if hex in state.layout.tiles:
            return []
        bonus = self.components.bonus.get(hex, 0)
        return [self._("bonus {amount}", amount=self.money(bonus))] if bonus else []

    def train_notes(self, state: State1853, train: str) -> list[str]:
        """A train of a phase to come costs the loco token."""
        depot = self.ruleset.depot
        if depot.metre_trains.get(train, 0) > self.ruleset.phase(state).number:
            return [self._("costs the loco token")]
        return []

    def adds(self, state: State1853, company: str, amount: int) -> str:
        if self.ruleset.control.director(state, company) is not None:
            return super().adds(state, company, amount)
        return self._("the operating manager adds {amount}", amount=self.money(amount))

    def dividend_label(self, state: State1853, step: steps.OfCompany, pays: bool) -> str:
        """Totals of the best runs for it; the mail goes to the treasury either way."""
        company = step.company
        takings = self.ruleset.depot.best_runs(state, company, pays=pays)
        revenue, mail = takings.revenue, takings.mail
        params = {
            "revenue": self.money(revenue),
            "mail": self.money(mail),
            "share": self.money(revenue // 10),
            "change": self.price_change(state, company, pays, revenue),
        }
        if pays:
            params |= self.own_dividend(state, company, revenue)
        if pays and mail:
            return self._(
                (
                    "Pay out {revenue}: {share} a share, {own} to {name}, {mail} to the "
                    "treasury from the mail contract, {change}"
                ),
                **params,
            )
        if pays:
            return self._("Pay out {revenue}: {share} a share, {own} to {name}, {change}", **params)
        if mail:
            return self._(
                "Withhold {revenue}, with the mail {sum} for the treasury, {change}",
                **params,
                sum=self.money(revenue + mail),
            )
        return self._("Withhold {revenue} for the treasury, {change}", **params)

    def price_change(self, state: State1853, company: str, pays: bool, revenue: int) -> str:
        """In the last box the game ends."""
        chart, cell = self.ruleset.chart, state.companies[company].cell
        after = self.ruleset.market.cell_after_dividend(state, company, revenue) if pays else cell
        if after == cell or chart.right[after] != after:
            return super().price_change(state, company, pays, revenue)
        return self._(
            "price {before} → {after}: the game is over",
            before=chart.price[cell],
            after=chart.price[after],
        )

    def done_label(self, state: State1853) -> str:
        match state.agenda[-1]:
            case BidTurn():
                return self._("Pass: the contract is complete")
            case SellElephant():
                return self._("Keep the elephant")
        return super().done_label(state)

    def amounts(self, state: State1853, choice: Choice) -> Amounts:
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
