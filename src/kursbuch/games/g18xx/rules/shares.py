"""Buying and selling shares: what is on offer and legal, at what price, and how it is carried out.

Each `…_problem` returns the refusal or None; the lists beside them contain exactly what has no
problem. Sales in stock rounds and forced sales share their code [sale, forced-sale].
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import Generic

from kursbuch.core.errors import IllegalAction, Players, first_refusal
from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import BuyShare, Nationalise, SellShares
from kursbuch.games.g18xx.components import (
    BANK,
    PERCENT,
    PLAYERS,
    POOL,
    STACK,
    paper_item,
    share_item,
)
from kursbuch.games.g18xx.lookup import Lookup
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.rules.float import Float
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.state import StateT

#: Prices at which companies have been sold in a turn.
Prices = dict[str, int]


def no_buying_back(company: str) -> IllegalAction:
    """Refusal to buy back a company sold in this round."""
    return IllegalAction(
        "no-buying-back",
        (
            "You have sold shares of {company} in this stock round, so you may not buy "
            "any before the next one."
        ),
        company=company,
    )


def percent_of(certificates: Sequence[str]) -> int:
    """Total percentage of certificates; unknown names count 0."""
    return sum(PERCENT.get(name, 0) for name in certificates)


def _superfluous(certificates: Sequence[str], price: int, needed: int) -> bool:
    """Whether a sale would suffice without its smallest certificate."""
    least = min(PERCENT[name] for name in certificates)
    return (percent_of(certificates) - least) * price // 10 >= needed


@lru_cache(2048)
def _bundles(held: tuple[tuple[str, int], ...]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """All nonempty selections of some certificates with their percentage, small ones first."""
    found = []
    for counts in product(*(range(most + 1) for _, most in held)):
        certificates = tuple(
            name for (name, _), count in zip(held, counts, strict=True) for _ in range(count)
        )
        if certificates:
            found.append((percent_of(certificates), certificates))
    return tuple(found)


def pointed_sales(
    lookup: Lookup[StateT], state: StateT, seat: int, keys: Sequence[str]
) -> Iterator[SellShares]:
    """The sale of a company's smallest certificate that a key of the board may mean."""
    kind, _, company = keys[-1].partition(":")
    if kind in ("company", "price") and company in lookup.public:
        held = list(lookup.certificates(state, PLAYERS[seat], company))
        yield from (SellShares(seat, company, (name,)) for name in held[-1:])


class Shares(Generic[StateT]):
    """Shares on offer, limits, purchases and sales."""

    def __init__(
        self,
        lookup: Lookup[StateT],
        market: StockMarket[StateT],
        control: Control[StateT],
        float: Float[StateT],
    ) -> None:
        self.lookup = lookup
        self.market = market
        self.control = control
        self.float = float
        components = lookup.components
        papers = [paper_item(paper) for paper in (*components.privates, *components.minors)]
        shares = [item for public in lookup.public.values() for item, _, _ in public.items]
        #: Rows of the ledger with what counts against the limit.
        self._counted = itemgetter(*papers, *shares)
        self._limits = {row.players: row.certificate_limit for row in components.file.setup.players}

    # ---- what is on offer

    def top(self, state: StateT, company: str) -> str:
        """Top certificate of a company's initial offering, empty if none is left."""
        items = state.ledger.items
        for name in self.lookup.public[company].kinds:
            if items[share_item(company, name)].get(STACK):
                return name
        return ""

    def offered(self, state: StateT) -> list[tuple[str, str]]:
        """New shares on offer, as companies and certificates."""
        return [
            (company, top)
            for company in self.lookup.public
            if (top := self.top(state, company)) != ""
        ]

    def not_offered(self, state: StateT, company: str, certificate: str) -> IllegalAction:
        """Refusal of a certificate that is not on offer [new-share]."""
        top = self.top(state, company)
        if not top:
            return IllegalAction(
                "new-share", "There are no new shares of {company} left.", company=company
            )
        return IllegalAction(
            "new-share",
            "The next new share of {company} is the certificate {certificate}.",
            company=company,
            certificate=top,
        )

    # ---- limits

    def count_certificates(self, state: StateT, seat: int) -> int:
        """Number of certificates that count against a player's limit [certificate-limit]."""
        holder = PLAYERS[seat]
        return sum([row[holder] for row in self._counted(state.ledger.items) if holder in row])

    def certificate_limit(self, state: StateT, seat: int) -> int:
        """Certificate limit of a player: one more for every company with a large holding
        [certificate-limit, certificate-limit-raised]."""
        limit = self._limits[state.seats]
        room_from = self.lookup.policy.room_from
        if room_from:
            for company in self.lookup.public:
                if self.lookup.percent(state, PLAYERS[seat], company) >= room_from:
                    limit += 1
        return limit

    def over_limit(self, state: StateT, seat: int) -> IllegalAction | None:
        """Refusal of anything but sales while a player is above the limit [sell-down-to-limit]."""
        count = self.count_certificates(state, seat)
        if self._allowed(state, seat, count):
            return None
        return IllegalAction(
            "sell-down-to-limit",
            "You have {count} certificates, and {limit} are allowed: you have to sell.",
            count=count,
            limit=self.certificate_limit(state, seat),
        )

    def _allowed(self, state: StateT, seat: int, count: int) -> bool:
        """Whether a player may have this number of certificates; the raised limit is computed only
        if it matters."""
        return count <= self._limits[state.seats] or count <= self.certificate_limit(state, seat)

    def has_to_sell(self, state: StateT, seat: int) -> IllegalAction | None:
        """Refusal if a player has to sell now and can [sell-down-to-limit]."""
        above = self.over_limit(state, seat)
        return above if above and self.sales(state, seat) else None

    def for_sale(self, state: StateT, seat: int, company: str) -> dict[str, int]:
        """Certificates of a company that a player could sell, largest first [sale]."""
        return self.lookup.certificates(state, PLAYERS[seat], company)

    def to_sell(self, state: StateT, seat: int) -> Sequence[str]:
        """Companies of which a player has to sell shares before all others; here none."""
        return ()

    def not_saleable(self, state: StateT, seat: int, company: str) -> IllegalAction | None:
        """Refusal of any sale of a company's shares."""
        due = self.to_sell(state, seat)
        if due and company not in due:
            return self.over_limit(state, seat)
        return self.selling_problem(state, seat, company)

    def selling_problem(self, state: StateT, seat: int, company: str) -> IllegalAction | None:
        """Refusal of the shares of a company that has not operated yet [saleable]."""
        if state.companies[company].worked:
            return None
        return IllegalAction(
            "saleable",
            "Shares of {company} cannot be sold before the company has operated once.",
            company=company,
        )

    def next_priority(self, state: StateT) -> int:
        """Priority deal if the stock round ended now: the player to the left of the last buyer
        [priority]."""
        buyer = state.round.buyer
        return self.lookup.left_of(state, buyer) if buyer is not None else state.priority

    # ---- buying

    def has_room(self, state: StateT, seat: int, papers: int = 1) -> bool:
        """Whether a player may take more certificates under the current limit [certificate-limit,
        certificate-limit-raised]."""
        return self._allowed(state, seat, self.count_certificates(state, seat) + papers)

    def companies_with_room(self, state: StateT, seat: int) -> Collection[str]:
        """Companies of which a player may take one more certificate [certificate-limit]."""
        return self.lookup.public if self.has_room(state, seat) else ()

    def no_room(self, state: StateT, seat: int, company: str) -> IllegalAction:
        """Refusal of a company that is not among them."""
        return self.too_many_certificates(state, seat)

    def too_many_certificates(self, state: StateT, seat: int) -> IllegalAction:
        """Refusal without room for any certificate."""
        return IllegalAction(
            "certificate-limit",
            "You have {count} certificates, and {limit} are allowed.",
            count=self.count_certificates(state, seat),
            limit=self.certificate_limit(state, seat),
        )

    def unaffordable(self, price: int, cash: int) -> IllegalAction:
        """Refusal for lack of money."""
        return IllegalAction(
            "pay-in-full",
            "It costs {price}, and you have {cash}.",
            price=self.lookup.written(price),
            cash=self.lookup.written(cash),
        )

    def purchase_price(self, state: StateT, company: str, certificate: str, source: str) -> int:
        """Price of a certificate: its part of par if new, of the market price if from the pool
        [new-share, pool-share]. Before a company operates, its starting price counts."""
        price = self.market.price(state, company) if source == POOL else 0
        return PERCENT[certificate] * (price or self.market.par(state, company)) // 10

    def nationalisation_price(self, state: StateT, company: str, certificate: str) -> int:
        """One and a half times the market value, rounded up [nationalisation]."""
        threefold = 3 * self.market.value(state, company, certificate)
        return threefold // 2 if state.house.nationalised_down else -(-threefold // 2)

    def purchase_problem(
        self, state: StateT, seat: int, company: str, certificate: str, source: str
    ) -> IllegalAction | None:
        """Refusal to buy a certificate from the initial offering or pool."""
        return first_refusal(self._purchase_checks(state, seat, company, certificate, source))

    def _purchase_checks(
        self, state: StateT, seat: int, company: str, certificate: str, source: str
    ) -> Iterator[IllegalAction | None]:
        """Check the company, the offer, room and money."""
        if company not in self.lookup.public or source not in (STACK, POOL):
            yield IllegalAction(
                "one-certificate", "Only shares, new ones or from the pool, can be bought."
            )
        yield no_buying_back(company) if company in state.round.sold[seat] else None
        yield self._not_there(state, company, certificate, source)
        price = self.purchase_price(state, company, certificate, source)
        yield self.means_problem(state, seat, company, price)

    def _not_there(
        self, state: StateT, company: str, certificate: str, source: str
    ) -> IllegalAction | None:
        """Refusal of a certificate that is not there."""
        if source == STACK:
            if (company, certificate) in self.offered(state):
                return None
            refusal = self.not_offered(state, company, certificate)
        elif self.lookup.certificates(state, POOL, company).get(certificate):
            return None
        else:
            refusal = IllegalAction(
                "pool-share",
                "There is no certificate {certificate} of {company} in the pool.",
                certificate=certificate,
                company=company,
            )
        return refusal.without(
            "source",
            "No share of {company} is on offer, either new or in the pool.",
            company=company,
        )

    def nationalisation_problem(
        self, state: StateT, seat: int, company: str, certificate: str, other: int
    ) -> IllegalAction | None:
        """Refusal to take a certificate from another player [nationalisation]."""
        if company not in self.lookup.public:
            return IllegalAction("nationalisation", "Only shares can be nationalised.")
        least = self.lookup.policy.nationalise_from
        held = self.lookup.percent(state, PLAYERS[seat], company)
        if not least:
            return IllegalAction("nationalisation", "Shares are not taken from other players.")
        if held < least:
            return IllegalAction(
                "nationalisation",
                "To nationalise shares of a company you must hold at least {percent} "
                "percent of it; you hold {held} percent of {company}.",
                percent=least,
                held=held,
                company=company,
            )
        if not state.companies[company].operating:
            return IllegalAction(
                "nationalisation", "{company} is not in operation.", company=company
            )
        if other not in range(state.seats):
            return IllegalAction(
                "nationalised-certificate",
                "There is no player number {number}.",
                number=other + 1,
            )
        if other == seat:
            return IllegalAction(
                "nationalised-certificate", "You can take shares only from another player."
            )
        if not self.lookup.certificates(state, PLAYERS[other], company).get(certificate):
            return IllegalAction(
                "nationalised-certificate",
                "{player} has no certificate {certificate} of {company}.",
                player=Players((other,)),
                certificate=certificate,
                company=company,
            )
        if company in state.round.sold[seat]:
            return no_buying_back(company)
        price = self.nationalisation_price(state, company, certificate)
        return self.means_problem(state, seat, company, price)

    def means_problem(
        self, state: StateT, seat: int, company: str, price: int
    ) -> IllegalAction | None:
        """Refusal for lack of room or money for one more certificate."""
        if company not in self.companies_with_room(state, seat):
            return self.no_room(state, seat, company)
        cash = self.lookup.cash(state, seat)
        return self.unaffordable(price, cash) if price > cash else None

    def cost(self, state: StateT, action: BuyShare | Nationalise) -> int:
        """Cost of a purchase."""
        if isinstance(action, Nationalise):
            return self.nationalisation_price(state, action.company, action.certificate)
        return self.purchase_price(state, action.company, action.certificate, action.source)

    def purchases(
        self, state: StateT, seat: int, cash: float | None = None
    ) -> Iterator[BuyShare | Nationalise]:
        """All purchases of a player: new shares, pool, other players' shares; with `cash`, as if
        holding that much."""
        yield from self.share_purchases(state, seat, cash)
        yield from self.nationalisations(state, seat, cash)

    def share_purchases(
        self, state: StateT, seat: int, cash: float | None = None
    ) -> Iterator[BuyShare]:
        """Purchases of new shares and from the pool."""
        room, sold = self.companies_with_room(state, seat), state.round.sold[seat]
        if not room:
            return
        cash = self.lookup.cash(state, seat) if cash is None else cash
        for company, certificate in self.offered(state):
            price = self.purchase_price(state, company, certificate, STACK)
            if price <= cash and company in room and company not in sold:
                yield BuyShare(seat, company, certificate, STACK)
        for company in self.lookup.public:
            if company in room and company not in sold:
                for certificate in self.lookup.certificates(state, POOL, company):
                    if self.purchase_price(state, company, certificate, POOL) <= cash:
                        yield BuyShare(seat, company, certificate, POOL)

    def nationalisations(
        self, state: StateT, seat: int, cash: float | None = None
    ) -> Iterator[Nationalise]:
        """Purchases of other players' shares."""
        least, holder, sold = (
            self.lookup.policy.nationalise_from,
            PLAYERS[seat],
            state.round.sold[seat],
        )
        if not least:
            return
        strong = [
            company
            for company in self.lookup.public
            if state.companies[company].operating
            and company not in sold
            and self.lookup.percent(state, holder, company) >= least
        ]
        if not strong:
            return
        room = self.companies_with_room(state, seat)
        cash = self.lookup.cash(state, seat) if cash is None else cash
        for company in strong:
            if company not in room:
                continue
            for other in range(state.seats):
                if other == seat:
                    continue
                for certificate in self.lookup.certificates(state, PLAYERS[other], company):
                    if self.nationalisation_price(state, company, certificate) <= cash:
                        yield Nationalise(seat, company, certificate, other)

    def carry_out_purchase(self, play: Play[StateT], action: BuyShare) -> None:
        """Carry out a purchase. An operating company receives the price of its new shares, the bank
        all others [new-share, pool-share]."""
        state = play.state
        seat, company, certificate, source = (
            action.seat,
            action.company,
            action.certificate,
            action.source,
        )
        holder = PLAYERS[seat]
        price = self.purchase_price(state, company, certificate, source)
        later = source == STACK and state.companies[company].operating
        receiver = company if later and self.lookup.policy.later_shares == "company" else BANK
        if receiver == BANK:
            state.ledger.move("money", holder, BANK, price)
        else:
            self.lookup.pay_company(play, holder, company, price)
        state.ledger.move(share_item(company, certificate), source, holder)
        new = "new-share" if receiver == BANK else "new-share-paid-to-company"
        rule = "pool-share" if source == POOL else new
        play.emit(
            happened.ShareBought(
                rule=rule,
                amounts=self.lookup.amounts(state, (seat, -price)),
                seat=seat,
                company=company,
                certificate=certificate,
                source=source,
                price=price,
                receiver=receiver,
            )
        )
        self.float.settle(play, company)

    def carry_out_nationalisation(self, play: Play[StateT], action: Nationalise) -> None:
        """Take a certificate from another player; the market price stays [nationalisation]."""
        state = play.state
        company, certificate = action.company, action.certificate
        buyer, owner = PLAYERS[action.seat], PLAYERS[action.player]
        price = self.nationalisation_price(state, company, certificate)
        state.ledger.move("money", buyer, owner, price)
        state.ledger.move(share_item(company, certificate), owner, buyer)
        play.emit(
            happened.Nationalised(
                rule="nationalisation",
                amounts=self.lookup.amounts(state, (action.seat, -price), (action.player, price)),
                seat=action.seat,
                company=company,
                certificate=certificate,
                player=action.player,
                price=price,
            )
        )
        self.control.settle_director(play, company)

    # ---- selling

    def strongest_other(self, state: StateT, seat: int, company: str) -> int:
        """Highest percentage of another player able to be director, 0 if there is none."""
        return max(
            (
                self.lookup.percent(state, PLAYERS[other], company)
                for other in range(state.seats)
                if other != seat and self.control.swaps(state, company, PLAYERS[other])
            ),
            default=0,
        )

    def sale_problem(
        self,
        state: StateT,
        seat: int,
        company: str,
        certificates: Sequence[str],
        *,
        keep: str = "",
        needed: int = 0,
        prices: Prices | None = None,
    ) -> IllegalAction | None:
        """Refusal to sell these certificates of one company in one action.

        Forced sales: the player must stay director of `keep`, and may not include certificates that
        are not needed to reach `needed` (0: no limit) [forced-sale]; `prices` as in
        `carry_out_sale`.
        """
        if company not in self.lookup.public:
            return IllegalAction("sale", "Only shares can be sold.")
        held = self.for_sale(state, seat, company)
        total, percent = (
            self.lookup.percent(state, PLAYERS[seat], company),
            percent_of(certificates),
        )
        if not certificates or any(
            certificates.count(name) > held.get(name, 0) for name in certificates
        ):
            if 0 < percent <= total:
                return IllegalAction(
                    "whole-certificates",
                    (
                        "Certificates are sold whole, and you have no such certificates "
                        "of {company}."
                    ),
                    company=company,
                )
            return IllegalAction(
                "sale", "You do not have these shares of {company}.", company=company
            )
        order = list(held)
        if sorted(certificates, key=order.index) != list(certificates):
            return IllegalAction(
                "",
                "Name the director's certificate first, then the others from large to small.",
            )
        problem = self.not_saleable(state, seat, company)
        if problem is not None:
            return problem
        if self.lookup.percent(state, POOL, company) + percent > self.lookup.policy.pool_limit:
            return IllegalAction(
                "pool-limit",
                "The pool would hold more than {limit} percent of {company}.",
                limit=self.lookup.policy.pool_limit,
                company=company,
            )
        leads = self.lookup.public[company].director in certificates
        if leads and self.strongest_other(state, seat, company) <= total - percent:
            return IllegalAction(
                "sale-of-director",
                "The director's certificate of {company} can be sold only if another player then holds "
                "more than you and enough to be director.",
                company=company,
            )
        if company == keep and (
            leads or self.strongest_other(state, seat, company) > total - percent
        ):
            return IllegalAction(
                "forced-sale", "You have to stay director of {company}.", company=company
            )
        price = self.sale_price(state, company, prices)
        if needed and _superfluous(certificates, price, needed):
            return IllegalAction("forced-sale", ("Not all of these certificates need to be sold."))
        return None

    def sale_price(self, state: StateT, company: str, prices: Prices | None) -> int:
        """Sale price of 10 percent: the market price, or that of an earlier sale in the turn if the
        table sells at one price."""
        price = self.market.price(state, company)
        return prices.get(company, price) if prices and state.house.one_sale_price else price

    def proceeds(
        self, state: StateT, company: str, certificates: Sequence[str], prices: Prices | None = None
    ) -> int:
        """Proceeds of certificates sold now [sale]."""
        return percent_of(certificates) * self.sale_price(state, company, prices) // 10

    def cell_after_sale(
        self, state: StateT, company: str, certificates: Sequence[str], prices: Prices | None = None
    ) -> str:
        """Market cell after a sale [price-after-sale]; unchanged by further sales in a turn if the
        table sells at one price."""
        if prices and state.house.one_sale_price and company in prices:
            return state.companies[company].cell
        return self.market.cell_after_sale(state, company, percent_of(certificates))

    def sales(
        self,
        state: StateT,
        seat: int,
        *,
        keep: str = "",
        needed: int = 0,
        prices: Prices | None = None,
    ) -> list[tuple[str, tuple[str, ...]]]:
        """All legal sales as companies and certificates, small ones first."""
        return list(self.each_sale(state, seat, keep=keep, needed=needed, prices=prices))

    def each_sale(
        self,
        state: StateT,
        seat: int,
        *,
        keep: str = "",
        needed: int = 0,
        prices: Prices | None = None,
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Iterate over the legal sales."""
        due = self.to_sell(state, seat)
        for company, public in self.lookup.public.items():
            if due and company not in due:
                continue
            held = self.for_sale(state, seat, company)
            if not held or self.selling_problem(state, seat, company) is not None:
                continue
            room = self.lookup.policy.pool_limit - self.lookup.percent(state, POOL, company)
            total = self.lookup.percent(state, PLAYERS[seat], company)
            leads = public.director in held
            other = self.strongest_other(state, seat, company) if leads else 0
            price = self.sale_price(state, company, prices)
            for percent, certificates in _bundles(tuple(held.items())):
                if percent > room:
                    continue
                with_director = leads and certificates[0] == public.director
                if with_director and other <= total - percent:
                    continue
                if company == keep and (with_director or other > total - percent):
                    continue
                if not (needed and _superfluous(certificates, price, needed)):
                    yield company, certificates

    def carry_out_sale(
        self,
        play: Play[StateT],
        seat: int,
        company: str,
        certificates: Sequence[str],
        prices: Prices | None = None,
    ) -> int:
        """Sell certificates of one company to the pool; return the proceeds.

        The bank pays the price before the sale, then the price may move [sale, price-after-sale].
        `prices` are those of earlier sales in the turn, if the table sells at one price. In place
        of the director's certificate the pool gets what the new director gives for it
        [sale-of-director].
        """
        state = play.state
        holder = PLAYERS[seat]
        price = self.sale_price(state, company, prices)
        proceeds = self.proceeds(state, company, certificates, prices)
        moves = True
        if prices is not None and state.house.one_sale_price:
            moves = company not in prices
            prices[company] = price
        director = self.lookup.public[company].director
        for name in certificates:
            if name != director:
                state.ledger.move(share_item(company, name), holder, POOL)
        if not state.round.part and company not in state.round.sold[seat]:
            state.round.sold[seat].append(company)
        self.lookup.pay_out(
            play,
            happened.SharesSold(
                rule="sale",
                amounts=self.lookup.amounts(state, (seat, proceeds)),
                seat=seat,
                company=company,
                certificates=tuple(certificates),
                proceeds=proceeds,
            ),
            (holder, proceeds),
        )
        if moves:
            self.market.after_sale(play, company, percent_of(certificates))
        if director in certificates:
            new = self.control.challenger(state, company, seat, given=PERCENT[director])
            assert new is not None
            self.control.replace_director(play, company, seat, new, to_pool=True)
        else:
            self.control.settle_director(play, company)
        return proceeds
