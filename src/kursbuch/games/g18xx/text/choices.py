"""Choices: how actions are picked, and their labels."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action, Choice
from kursbuch.core.voice import Amounts, Compose, Pick
from kursbuch.games.g18xx import state as steps
from kursbuch.games.g18xx.actions import (
    AskPrice,
    BuyPaper,
    BuyShare,
    Dividend,
    EnterRevenue,
    LayTile,
    OfferTrain,
)
from kursbuch.games.g18xx.components import POOL
from kursbuch.games.g18xx.map.tiles import shown
from kursbuch.games.g18xx.rules import emergency_buy, train_offer
from kursbuch.games.g18xx.state import StateT
from kursbuch.games.g18xx.text.names import Names, RulesetT, plain


def noted(label: str, notes: Sequence[str]) -> str:
    """A label with notes in brackets."""
    return f"{label} ({', '.join(notes)})" if notes else label


class Choices(Names[StateT, RulesetT]):
    """Choices of 18xx titles."""

    # ---- labels that depend on the state

    def sale_label(self, state: StateT, company: str, certificates: Sequence[str]) -> str:
        """Label of a sale: proceeds, and the new price."""
        shares = self.ruleset.shares
        step = state.agenda[-1] if state.agenda else None
        prices = step.prices if isinstance(step, steps.StockTurn | steps.RaiseMoney) else None
        params = {
            "company": company,
            "shares": self.certificates(certificates),
            "price": self.money(shares.proceeds(state, company, certificates, prices)),
        }
        before = state.companies[company].cell
        cell = shares.cell_after_sale(state, company, certificates, prices)
        if not cell or (cell == before and not self.ruleset.policy.sale_lowers_price):
            return self._("{company}: sell {shares} for {price}", **params)
        return self._(
            "{company}: sell {shares} for {price}, price → {after}",
            **params,
            after=self.ruleset.chart.price[cell],
        )

    def tile_label(self, state: StateT, action: LayTile) -> str:
        """Label of a tile on a hex, with its costs."""
        company = getattr(state.agenda[-1], "company", "")
        costs = self.tile_costs(state, company, action.hex, action.tile)
        params = {"tile": action.tile, "place": self.place(action.hex)}
        if action.rotation:
            label = self._(
                "Tile {tile} on {place} (rotation {rotation})", **params, rotation=action.rotation
            )
        else:
            label = self._("Tile {tile} on {place}", **params)
        if action.private:
            label = self._(
                "{tile_laid}, free thanks to {private}",
                tile_laid=label,
                private=self.paper(action.private),
            )
        elif costs:
            cost = self.tile_cost(state, action.hex, action.tile)
            label = self._("{tile_laid}, for {cost}", tile_laid=label, cost=cost)
        notes = [
            self._("{what} {amount}", what=what, amount=self.money(amount))
            for what, amount in costs
            if len(costs) > 1
        ]
        return noted(label, [*notes, *self.tile_notes(state, company, action.hex)])

    def tile_cost(self, state: StateT, hex: str, tile: str) -> str:
        """Cost of a tile on a hex; empty if it is free."""
        company = getattr(state.agenda[-1], "company", "")
        cost = sum(amount for _, amount in self.tile_costs(state, company, hex, tile))
        return self.money(cost) if cost else ""

    def train_label(self, state: StateT, train: str, source: str) -> str:
        """Label of a train from the bank or pool: who pays, and its consequences."""
        params = {"train": self.train(train), "price": self.money(self.ruleset.depot.price(train))}
        notes = self._financing(state, train)
        if source == POOL:
            return noted(self._("Buy a {train} from the pool for {price}", **params), notes)
        notes += [*self.train_notes(state, train), *self.effects(state, train)]
        return noted(self._("Buy a {train} for {price}", **params), notes)

    def offer_pick(self, state: StateT, action: OfferTrain) -> Pick:
        """Pick of an offer to another company, between refused prices."""
        owner = self.ruleset.control.decider(state, action.company)
        step = state.agenda[-1]
        params = {"train": self.train(action.train), "company": self.company(action.company)}
        keys: tuple[str, ...] = ("offer", f"offer:{action.company}:{action.train}")
        taken = step.offered.get(train_offer.offer_key(action.company, action.train), [])
        if owner == action.seat:
            label = self._("{train} of {company}, which is yours: buy", **params)
        elif taken:
            low, high = self._between(state, step.company, action.train, taken, action.price)
            keys = (*keys, f"from:{low}")
            label = self._(
                "{train} of {company} ({name}): offer {low} to {high}",
                name=self.words.name(owner),
                low=self.money(low),
                high=self.money(high),
                **params,
            )
        else:
            name = self.words.name(owner)
            label = self._("{train} of {company} ({name}): make an offer", name=name, **params)
        return Pick(self._("Trains of other companies"), keys, label)

    def price_pick(self, state: StateT, action: AskPrice) -> Pick:
        """Pick of another price than was offered."""
        step, purchase = state.agenda[-1], state.agenda[-2]
        demanded = purchase.demanded.get(train_offer.offer_key(step.owner, step.train), [])
        taken = [step.price, *demanded]
        low, high = self._between(state, step.company, step.train, taken, action.price)
        label = self._("Ask for {low} to {high}", low=self.money(low), high=self.money(high))
        return Pick(self._("Answer"), (f"ask:{low}",), label)

    def _between(
        self, state: StateT, company: str, train: str, taken: Sequence[int], price: int
    ) -> tuple[int, int]:
        """The lowest and highest price around one that have not been named yet."""
        least = self.ruleset.policy.least_price
        most = emergency_buy.most_for_used(self.ruleset, state, company, train)
        low = max((other + 1 for other in taken if other < price), default=least)
        high = min((other - 1 for other in taken if other > price), default=most)
        return max(low, least), min(high, most)

    # ---- parts

    def company_group(self, company: str) -> str:
        """Heading of actions with a company's shares."""
        return f"{company} {plain(self.ruleset.public[company].record.name)}"

    def paper_price(self, state: StateT, paper: str) -> int:
        """Current price of a paper of the start packet."""
        private = self.components.privates.get(paper)
        if private is not None:
            return int(private.price)
        return int(self.components.minors[paper].price)

    def tile_costs(self, state: StateT, company: str, hex: str, tile: str) -> list[tuple[str, int]]:
        """Costs of a tile with their reasons, except zero ones."""
        cost = self.ruleset.builder.cost(state, company, hex, tile)
        return [(self._("terrain"), cost)] if cost else []

    def tile_notes(self, state: StateT, company: str, hex: str) -> list[str]:
        """Further consequences of a tile on a hex."""
        return []

    def done_label(self, state: StateT) -> str:
        """Label of finishing this step."""
        _ = self._
        step = state.agenda[-1] if state.agenda else None
        match step:
            case steps.StockTurn(acted=acted):
                return _("End the turn") if acted else _("Pass")
            case steps.Build(laid=laid):
                return _("Lay no more tiles") if laid else _("Lay no tile")
            case steps.PlaceToken():
                return _("Place no station token")
            case steps.BuyTrains(bought=bought):
                return _("Buy no more trains") if bought else _("Buy no train")
        return _("Pass")

    def stop_name(self, state: StateT, hex: str, stop: int) -> str:
        """A stop of a hex, with its number if there are several."""
        stops = shown(self.components.board, state.layout.tiles, hex).stops
        if len(stops) < 2:
            return self.place(hex)
        return self._("{place}, city {number}", place=self.place(hex), number=stop + 1)

    def dividend_label(self, state: StateT, step: steps.OfCompany, pays: bool) -> str:
        """Label of paying out or withholding."""
        company, revenue = step.company, getattr(step, "revenue", 0)
        params = {
            "revenue": self.money(revenue),
            "share": self.money(revenue // 10),
            "percent": self.percent(10),
            "change": self.price_change(state, company, pays, revenue),
        }
        if self.ruleset.is_minor(company):
            return self._("Share {revenue}", **params)
        if pays:
            params |= self.own_dividend(state, company, revenue)
            return self._(
                "Pay out {revenue}: {share} per {percent}, {own} to {name}, {change}", **params
            )
        return self._("Withhold {revenue}, {change}", **params)

    def own_dividend(self, state: StateT, company: str, revenue: int) -> dict[str, str]:
        """What the player who decides on a dividend receives of it."""
        seat = self.ruleset.control.decider(state, company)
        own = revenue * self.ruleset.market.dividend_percent(state, company, seat) // 100
        return {"own": self.money(own), "name": self.words.name(seat)}

    def price_change(self, state: StateT, company: str, pays: bool, revenue: int) -> str:
        """New price after a dividend, or without one."""
        cell = state.companies[company].cell
        if not cell:
            return self._("no price")
        chart, market = self.ruleset.chart, self.ruleset.market
        if pays:
            after = market.cell_after_dividend(state, company, revenue)
        else:
            after = market.cell_after_withholding(state, company)
        if after == cell:
            return self._("price stays {price}", price=chart.price[cell])
        return self._(
            "price {before} → {after}", before=chart.price[cell], after=chart.price[after]
        )

    def compose(self, state: StateT, action: Action) -> Compose | None:
        """The runs chosen by hand with a dividend."""
        step = state.agenda[-1] if state.agenda else None
        if not isinstance(action, Dividend) or not isinstance(step, steps.Pay):
            return None
        if not self.ruleset.depot.by_hand(state):
            return None
        trains = tuple(self.ruleset.depot.running_trains(state, step.company))
        label = self._("Pay out these runs") if action.pays else self._("Withhold these runs")
        return Compose("runs", trains, "stop:", label)

    def _financing(self, state: StateT, train: str) -> list[str]:
        """Who pays a train's shortfall."""
        ruleset, company = self.ruleset, state.agenda[-1].company
        price = ruleset.depot.price(train)
        missing = price - ruleset.purse(state, company)
        if missing <= 0:
            return []
        seat = ruleset.depot.payer(state, company)
        if seat is None:
            return [self._("the bank lends {amount}", amount=self.money(missing))]
        rest = self.missing(state, seat, company, train)
        if not rest:
            return [self.adds(state, company, missing)]
        if emergency_buy.financed(ruleset, state, company, price):
            params = {"cash": self.money(ruleset.cash(state, seat)), "rest": self.money(rest)}
            return [self._("the director adds {cash} and sells shares for {rest}", **params)]
        return [self._("the director goes bankrupt")]

    def adds(self, state: StateT, company: str, amount: int) -> str:
        """Who adds money to a company's."""
        return self._("the director adds {amount}", amount=self.money(amount))

    def train_notes(self, state: StateT, train: str) -> list[str]:
        """Costs of a new train besides its price."""
        return []

    def reason(self, state: StateT, action: Action) -> str:
        """Income of a private, minor or share in operating rounds."""
        match action:
            case BuyPaper(paper=paper) if paper in self.components.privates:
                return self._(
                    "It pays {amount} in every operating round.",
                    amount=self.money(self.ruleset.market.income(state, paper)),
                )
            case BuyPaper(paper=paper) if self.ruleset.is_minor(paper):
                return self._("It runs in every operating round and shares its revenue with you.")
            case BuyPaper() | BuyShare():
                return self._("It shares in every dividend, and counts at its price at the end.")
        return ""

    def amounts(self, state: StateT, choice: Choice) -> Amounts:
        """Suggested prices and revenues; for a train the minimum, the printed price, and all the
        money."""
        match choice.action:
            case OfferTrain(company=owner, train=train):
                company = state.agenda[-1].company
                own = self.ruleset.control.decider(state, owner) == choice.action.seat
                send = self._("Buy for {amount}") if own else self._("Offer {amount}")
                printed = self.ruleset.depot.price(train)
                prices = {choice.action.price, printed, self.ruleset.purse(state, company)}
                return Amounts(send, self.some_money(), tuple(sorted(prices)))
            case AskPrice():
                return Amounts(self._("Ask for {amount}"), self.some_money())
            case EnterRevenue(pays=pays):
                send = self._("Pay out {amount}") if pays else self._("Withhold {amount}")
                if self.ruleset.is_minor(state.agenda[-1].company):
                    send = self._("Share {amount}")
                return Amounts(send, self.some_money())
        return Amounts()

    def amount_label(self, action: Action) -> str:
        """Unit of the amount of an action."""
        if isinstance(action, OfferTrain | AskPrice):
            return self._("The price in {currency}", currency=self.currency)
        if isinstance(action, EnterRevenue):
            return self._("The revenue in {currency}", currency=self.currency)
        return ""
