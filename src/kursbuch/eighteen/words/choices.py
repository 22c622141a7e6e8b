"""What a player of an 18xx game is asked, and how the answers are called and pointed at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.actions import Action
from kursbuch.core.state import Decision
from kursbuch.core.voice import Compose, Pick
from kursbuch.eighteen import state as steps
from kursbuch.eighteen.actions import (
    Answer,
    AskPrice,
    BuyPaper,
    BuyShare,
    BuyTrain,
    ChooseHome,
    ChooseSwap,
    Discard,
    Dividend,
    Done,
    EnterRevenue,
    Exchange,
    LayTile,
    Nationalise,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.eighteen.map.tiles import shown
from kursbuch.eighteen.pieces import POOL, STACK
from kursbuch.eighteen.rules import forced, offers, shares
from kursbuch.eighteen.words.names import NONE, BookT, Names, plain


class Choices(Names[BookT]):
    """What is said about decisions."""

    # ---- decisions

    def prompt(self, state: Any, decision: Decision) -> str:
        """What the seat has to decide now."""
        _ = self._
        step = state.agenda[-1]
        match step:
            case steps.StockTurn(bought=bought, acted=acted):
                above = self._above_limit(state, decision.seat)
                if above:
                    return above
                if bought:
                    return _("You have bought. Sell shares, or end your turn.")
                if acted:
                    return _("Sell more shares, buy one, or end your turn.")
                return _("Buy a share, sell shares, or pass.")
            case steps.Build(company=company, laid=laid):
                if laid:
                    return _(
                        "{company} may lay one more tile: choose a hex on the map.",
                        company=self.company(company),
                    )
                return _(
                    "{company} may lay a tile: choose a hex on the map. It has {money}.",
                    company=self.company(company),
                    money=self.money(self.book.money(state, company)),
                )
            case steps.Place(company=company):
                left = self.book.builder.spare_markers(state, company)
                return self.words.ngettext(
                    "{company} may place a station marker: choose a city. It has {n} left and {money}.",
                    "{company} may place a station marker: choose a city. It has {n} left and {money}.",
                    left,
                    company=self.company(company),
                    money=self.money(self.book.money(state, company)),
                )
            case steps.Run(company=company):
                return _("{company} runs its trains.", company=self.company(company))
            case steps.Pay(company=company, revenue=revenue):
                return self.pay_prompt(state, company, revenue)
            case steps.BuyTrains(company=company):
                return self._buy_prompt(state, company)
            case steps.TrainOffer(company=company, owner=owner, train=train, price=price):
                if step.counter:
                    return _(
                        "{owner} asks {price} for its {train}. Does {company} pay that?",
                        company=self.company(company),
                        owner=self.company(owner),
                        price=self.money(price),
                        train=self.train(train),
                    )
                return _(
                    "{company} offers {price} for a {train} of {owner}. Do you accept, or ask another price?",
                    company=self.company(company),
                    owner=self.company(owner),
                    price=self.money(price),
                    train=self.train(train),
                )
            case steps.RaiseMoney(company=company, train=train, ruined=True):
                return _(
                    "You go bankrupt: even all the shares you can sell do not pay for the {train} of "
                    "{company}. Sell them.",
                    company=self.company(company),
                    train=self.train(train),
                )
            case steps.RaiseMoney(company=company, train=train, noted=noted):
                return _(
                    "You must sell shares so that {company} can pay for the {train}; {missing} are missing.",
                    company=self.company(company),
                    train=self.train(train),
                    missing=self.money(self.missing(state, decision.seat, company, train) - noted),
                )
            case steps.Surplus(companies=companies):
                company = companies[0]
                return _(
                    "{company} has more trains than its limit of {limit}: choose what goes to the pool.",
                    company=self.company(company),
                    limit=self.book.depot.train_limit(state, company),
                )
            case steps.Swap(company=company, new=new):
                return _(
                    "{name} becomes director of {company}. Which shares do you get for the "
                    "director's certificate?",
                    name=self.words.name(new),
                    company=company,
                )
            case steps.Home(company=company):
                return _("Choose the city in which {company} has its home.", company=company)
        return ""

    def _above_limit(self, state: Any, seat: int) -> str:
        """What a player is told who has to sell because of his paper limit, empty for others."""
        count, limit = (
            self.book.shares.count_papers(state, seat),
            self.book.shares.paper_limit(state, seat),
        )
        if count <= limit or not self.book.shares.sales(state, seat):
            return ""
        return self._(
            "You have {count} papers, and {limit} are allowed: you have to sell.",
            count=count,
            limit=limit,
        )

    def missing(self, state: Any, seat: int, company: str, train: str) -> int:
        """What a company and its director together lack for a new train."""
        price: int = self.components.train_records[train].price
        have = self.book.money(state, company) + self.book.cash(state, seat)
        return max(0, price - have)

    def pay_prompt(self, state: Any, company: str, revenue: int) -> str:
        """What the trains have earned, with the sum."""
        runs = self.book.depot.best_runs(state, company)[1]
        if self.book.is_minor(company):
            return self._(
                "{company} earns {revenue}: {runs}. Share it with the owner?",
                company=self.company(company),
                revenue=self.money(revenue),
                runs="; ".join(self.run(*run) for run in runs) or NONE,
            )
        if runs and sum(value for _train, value, _calls in runs) == revenue:
            return self._(
                "{company} earns {revenue}: {runs}. Pay it out or save it?",
                company=self.company(company),
                revenue=self.money(revenue),
                runs="; ".join(self.run(*run) for run in runs),
            )
        return self._(
            "{company} earns {revenue}. Pay it out or save it?",
            company=self.company(company),
            revenue=self.money(revenue),
        )

    def _buy_prompt(self, state: Any, company: str) -> str:
        owned = self.book.trains(state, company)
        params = {
            "company": self.company(company),
            "money": self.money(self.book.money(state, company)),
            "limit": self.book.depot.train_limit(state, company),
        }
        if owned:
            asked = self._(
                "{company} has {list} (limit {limit}) and {money}: buy a train?",
                **params,
                list=self.trains(owned),
            )
        elif self.book.depot.must_buy(state, company):
            asked = self._("{company} has no train and {money}: it must buy one.", **params)
        else:
            asked = self._("{company} has no train and {money}: buy a train?", **params)
        for offered in self.book.depot.new(state, company):
            asked = self._(
                "{question} New: {train} for {price}, {left} left.",
                question=asked,
                train=self.train(offered),
                price=self.money(self.book.depot.price(offered)),
                left=state.ledger.held(f"train:{offered}", STACK),
            )
        return asked

    # ---- choices

    def pick(self, state: Any, action: Action) -> Pick:
        """How an action is pointed at, and its text."""
        for part in (self._pick_shares, self._pick_building, self._pick_money):
            found = part(state, action)
            if found is not None:
                return found
        raise TypeError(f"not an action of this game: {action!r}")

    def company_group(self, company: str) -> str:
        """What actions with the shares of a company are listed under."""
        return f"{company} {plain(self.book.public[company].record.name)}"

    def _pick_shares(self, state: Any, action: Action) -> Pick | None:
        _ = self._
        match action:
            case BuyPaper(_seat, paper):
                label = _(
                    "Buy {paper} for {price}",
                    paper=self.full_paper(paper),
                    price=self.money(self.paper_price(state, paper)),
                )
                return Pick(_("Start packet"), (f"paper:{paper}", "buy"), label)
            case BuyShare(_seat, company, name, source):
                return self._pick_share(state, company, name, source)
            case Nationalise(_seat, company, name, other):
                label = _(
                    "{company}: take {share} from {name} for {price}",
                    company=company,
                    share=self.certificate(name),
                    name=self.words.name(other),
                    price=self.money(self.book.shares.nationalisation_price(state, company, name)),
                )
                keys = (f"company:{company}", f"take:{name}:{other}")
                return Pick(self.company_group(company), keys, label)
            case SellShares(_seat, company, names):
                proceeds, after = self.sale_price(state, company, names)
                label = _(
                    "{company}: sell {shares} for {price}, price → {after}",
                    company=company,
                    shares=self.certificates(names),
                    price=self.money(proceeds),
                    after=after,
                )
                keys = (f"company:{company}", f"sell:{'+'.join(names)}")
                return Pick(self.company_group(company), keys, label)
            case ChooseSwap(_seat, company, names):
                label = _("Get {shares}", shares=self.certificates(names))
                return Pick(_("Change of director"), (f"swap:{'+'.join(names)}",), label)
            case Exchange(_seat, papers):
                return self._pick_exchange(state, papers)
            case Done():
                return Pick(_("Go on"), ("done",), self.done_label(state))
        return None

    def paper_price(self, state: Any, paper: str) -> int:
        """What a paper of the start packet costs now."""
        private = self.components.privates.get(paper)
        if private is not None:
            return int(private.price)
        return int(self.components.minors[paper].price)

    def sale_price(self, state: Any, company: str, names: Sequence[str]) -> tuple[int, int]:
        """What certificates bring if they are sold now, and the price after that."""
        step = state.agenda[-1] if state.agenda else None
        price = self.book.market.price(state, company)
        after = self.book.chart.price[self.book.chart.down[state.companies[company].cell]]
        if isinstance(step, steps.StockTurn | steps.RaiseMoney) and state.house.one_sale_price:
            after = price if company in step.prices else after
            price = step.prices.get(company, price)
        return shares.percent_of(names) * price // 10, after

    def _pick_share(self, state: Any, company: str, name: str, source: str) -> Pick:
        params = {
            "company": company,
            "share": self.certificate(name),
            "price": self.money(self.book.shares.purchase_price(state, company, name, source)),
        }
        if source == POOL:
            label = self._("{company}: buy {share} from the pool for {price}", **params)
        else:
            label = self._("{company}: buy {share} new for {price}", **params)
        keys = (f"company:{company}", f"buy:{source}:{name}")
        return Pick(self.company_group(company), keys, label)

    def _pick_exchange(self, state: Any, papers: Sequence[str]) -> Pick:
        group = self._("Exchange")
        if not papers:
            return Pick(group, ("exchange:nothing",), self._("Exchange nothing"))
        label = self._("Exchange {list}", list=self.papers(papers))
        keys = tuple(f"paper:{paper}" for paper in papers)
        return Pick(group, keys, label, several=True)

    def done_label(self, state: Any) -> str:
        """What it means to be done in this step."""
        _ = self._
        step = state.agenda[-1] if state.agenda else None
        match step:
            case steps.StockTurn(acted=acted):
                return _("End the turn") if acted else _("Pass")
            case steps.Build(laid=laid):
                return _("Lay no more tile") if laid else _("Lay no tile")
            case steps.Place():
                return _("Place no station marker")
            case steps.BuyTrains():
                return _("Buy no more trains")
        return _("Pass")

    def _pick_building(self, state: Any, action: Action) -> Pick | None:
        _ = self._
        match action:
            case LayTile(_seat, hex, tile, rotation, private):
                keys: tuple[str, ...] = (f"hex:{hex}", f"tile:{tile}", f"turn:{rotation}")
                params = {
                    "tile": tile,
                    "place": self.place(hex),
                    "rotation": rotation,
                    "cost": self.money(self.tile_cost(state, hex)),
                }
                if private:
                    label = _(
                        "Tile {tile} on {place}, turned {rotation}, free by the right of {private}",
                        **params,
                        private=self.paper(private),
                    )
                    keys = (*keys, f"by:{private}")
                elif self.tile_cost(state, hex):
                    label = _("Tile {tile} on {place}, turned {rotation}, for {cost}", **params)
                else:
                    label = _("Tile {tile} on {place}, turned {rotation}", **params)
                return Pick(_("Lay a tile"), keys, label)
            case PlaceStation(_seat, hex, stop, private):
                key = f"stop:{hex}/{stop}"
                if private:
                    label = _(
                        "Station marker in {place}, free by the right of {private}",
                        place=self.stop_name(state, hex, stop),
                        private=self.paper(private),
                    )
                    return Pick(_("Place a marker"), (key, f"by:{private}"), label)
                label = _(
                    "Station marker in {place} for {cost}",
                    place=self.stop_name(state, hex, stop),
                    cost=self.money(
                        self.book.builder.station_cost(state, state.agenda[-1].company, hex)
                    ),
                )
                return Pick(_("Place a marker"), (key, "place"), label)
            case ChooseHome(_seat, company, stop):
                hex = state.agenda[-1].hex
                label = _(
                    "Home of {company} in {place}",
                    company=company,
                    place=self.stop_name(state, hex, stop),
                )
                return Pick(_("Home"), (f"stop:{hex}/{stop}", "home"), label)
        return None

    def stop_name(self, state: Any, hex: str, stop: int) -> str:
        """A stop of a hex, with its number if there are several."""
        stops = shown(self.components.board, state.layout.tiles, hex).stops
        if len(stops) < 2:
            return self.place(hex)
        return self._("{place}, city {number}", place=self.place(hex), number=stop + 1)

    def tile_cost(self, state: Any, hex: str) -> int:
        """What the first tile on a hex costs."""
        if hex in state.layout.tiles:
            return 0
        board = self.components.board
        return int(board.records[board.place(hex)].cost)

    def _pick_money(self, state: Any, action: Action) -> Pick | None:
        _ = self._
        match action:
            case Dividend(_seat, pays, runs):
                label = self.dividend_label(state, pays)
                keys = ("pay" if pays else "save", *("-".join(run) for run in runs))
                return Pick(_("Revenue"), keys, label)
            case EnterRevenue(_seat, pays, _revenue):
                label = _("Pay out another revenue") if pays else _("Save another revenue")
                if self.book.is_minor(state.agenda[-1].company):
                    label = _("Share another revenue")
                return Pick(_("Revenue"), ("enter", "pay" if pays else "save"), label)
            case BuyTrain(_seat, train, source):
                return self._pick_train(state, train, source)
            case OfferTrain():
                return self._pick_offer(state, action)
            case AskPrice(_seat, price):
                step = state.agenda[-1]
                taken = [step.price, *self._demanded(state, step)]
                low, high = self._between(state, step.company, step.train, taken, price)
                label = _("Ask for {low} to {high}", low=self.money(low), high=self.money(high))
                return Pick(_("Answer"), (f"ask:{low}",), label)
            case Answer(_seat, accepts):
                label = _("Accept") if accepts else _("Refuse")
                return Pick(_("Answer"), ("accept" if accepts else "refuse",), label)
            case Discard(_seat, company, trains):
                label = _(
                    "{company} gives up {list}",
                    company=self.company(company),
                    list=self.trains(trains),
                )
                return Pick(_("Trains above the limit"), (f"discard:{'+'.join(trains)}",), label)
        return None

    def _pick_offer(self, state: Any, action: OfferTrain) -> Pick:
        """An offer; where prices have been refused, those between them."""
        company, train, step = action.company, action.train, state.agenda[-1]
        owner = self.book.control.decider(state, company)
        params = {"train": self.train(train), "company": self.company(company)}
        keys: tuple[str, ...] = ("offer", f"offer:{company}:{train}")
        taken = step.offered.get(offers.ware(company, train), [])
        if owner == action.seat:
            label = self._("{train} of {company}, which is yours: buy", **params)
        elif taken:
            low, high = self._between(state, step.company, train, taken, action.price)
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

    def _demanded(self, state: Any, step: steps.TrainOffer) -> list[int]:
        """The prices its owner has named for a train in this turn."""
        found: list[int] = state.agenda[-2].demanded.get(offers.ware(step.owner, step.train), [])
        return found

    def _between(
        self, state: Any, company: str, train: str, taken: Sequence[int], price: int
    ) -> tuple[int, int]:
        """The lowest and the highest price around one that have not been named yet."""
        most = forced.most_for_used(self.book, state, company, train)
        low = max((other + 1 for other in taken if other < price), default=1)
        high = min((other - 1 for other in taken if other > price), default=most)
        return max(low, self.book.policy.least_price), min(high, most)

    def dividend_label(self, state: Any, pays: bool) -> str:
        """What paying out or saving comes to."""
        step = state.agenda[-1]
        company, revenue = step.company, getattr(step, "revenue", 0)
        params = {
            "revenue": self.money(revenue),
            "share": self.money(revenue // 10),
            "percent": self.percent(10),
            "change": self.price_change(state, company, pays),
        }
        if self.book.is_minor(company):
            return self._("Share {revenue}", **params)
        if pays:
            return self._("Pay out {revenue}: {share} per {percent}, {change}", **params)
        return self._("Save {revenue}, {change}", **params)

    def price_change(self, state: Any, company: str, up: bool) -> str:
        """Where the price marker goes."""
        cell = state.companies[company].cell
        if not cell:
            return self._("no price")
        chart = self.book.chart
        after = (chart.right if up else chart.left)[cell]
        if after == cell:
            return self._("price stays {price}", price=chart.price[cell])
        return self._(
            "price {before} → {after}", before=chart.price[cell], after=chart.price[after]
        )

    def compose(self, state: Any, action: Action) -> Compose | None:
        """The runs that come with a decision about the revenue, where they may be chosen by hand."""
        step = state.agenda[-1] if state.agenda else None
        if not isinstance(action, Dividend) or not isinstance(step, steps.Pay):
            return None
        if not state.house.routes_by_hand:
            return None
        trains = tuple(self.book.depot.running_trains(state, step.company))
        label = self._("Pay out these runs") if action.pays else self._("Save these runs")
        return Compose("runs", trains, "stop:", label)

    def _pick_train(self, state: Any, train: str, source: str) -> Pick:
        params = {
            "train": self.train(train),
            "price": self.money(self.components.train_records[train].price),
        }
        if source == POOL:
            label = self._("Buy a {train} from the pool for {price}", **params)
        else:
            label = self._("Buy a {train} for {price}", **params)
        notes = self._financing(state, train)
        if source != POOL:
            notes += self.effects(state, train)
        if notes:
            label = f"{label} ({', '.join(notes)})"
        return Pick(self._("Trains"), (f"train:{source}:{train}",), label)

    def _financing(self, state: Any, train: str) -> list[str]:
        """Who pays what the treasury lacks for a train the company must buy."""
        book, company = self.book, state.agenda[-1].company
        price = self.components.train_records[train].price
        missing = price - book.money(state, company)
        if missing <= 0:
            return []
        seat = book.control.director(state, company)
        if seat < 0:
            return [self._("the bank lends {amount}", amount=self.money(missing))]
        rest = self.missing(state, seat, company, train)
        if not rest:
            return [self._("the director adds {amount}", amount=self.money(missing))]
        if forced.financed(book, state, company, price):
            params = {"cash": self.money(book.cash(state, seat)), "rest": self.money(rest)}
            return [self._("the director adds {cash} and sells shares for {rest}", **params)]
        return [self._("the director goes bankrupt")]

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts."""
        if isinstance(action, OfferTrain | AskPrice):
            return self._("The price in {currency}", currency=self.currency)
        if isinstance(action, EnterRevenue):
            return self._("The revenue in {currency}", currency=self.currency)
        return ""
