"""Buying and selling shares: what is on offer and allowed, what it costs, and how it is carried out.

Every `…_problem` names the rule that forbids something, or is None; the lists beside them hold
exactly what has no problem. Selling is the same in a stock round and when a director has to raise
money [sale, forced-sale].
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Generic

from kursbuch.core.errors import IllegalAction, Players, first_refusal
from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import BuyShare, Nationalise
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

#: The prices at which shares of companies have been sold in a turn.
Prices = dict[str, int]


def has_sold(company: str) -> IllegalAction:
    """The refusal for who has sold shares of a company in this round."""
    return IllegalAction(
        "no-buying-back",
        "You have sold shares of {company} in this stock round and may not buy any in it.",
        company=company,
    )


def percent_of(certificates: Sequence[str]) -> int:
    """The percentage of some certificates together; names of none count nothing."""
    return sum(PERCENT.get(name, 0) for name in certificates)


def _superfluous(certificates: Sequence[str], price: int, needed: int) -> bool:
    """Whether a sale would bring enough without its smallest certificate."""
    least = min(PERCENT[name] for name in certificates)
    return (percent_of(certificates) - least) * price // 10 >= needed


@lru_cache(2048)
def _bundles(held: tuple[tuple[str, int], ...]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Whatever can be sold of some certificates: percentage and certificates, small sales first."""
    found = []
    for counts in product(*(range(most + 1) for _, most in held)):
        certificates = tuple(
            name for (name, _), count in zip(held, counts, strict=True) for _ in range(count)
        )
        if certificates:
            found.append((percent_of(certificates), certificates))
    return tuple(found)


class Shares(Generic[StateT]):
    """What is on offer, limits, purchases and sales."""

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
        self._counted = [paper_item(paper) for paper in (*components.privates, *components.minors)]
        self._counted += [item for public in lookup.public.values() for item, _, _ in public.items]
        self._limits = {row.players: row.certificate_limit for row in components.file.setup.players}

    # ---- what is on offer

    def top(self, state: StateT, company: str) -> str:
        """The certificate that is sold next of a company's new shares, empty if none is left."""
        items = state.ledger.items
        for name in self.lookup.public[company].kinds:
            if items[share_item(company, name)].get(STACK):
                return name
        return ""

    def offered(self, state: StateT) -> list[tuple[str, str]]:
        """The new shares on offer, as companies and certificates."""
        return [
            (company, top)
            for company in self.lookup.public
            if (top := self.top(state, company)) != ""
        ]

    def not_offered(self, state: StateT, company: str, certificate: str) -> IllegalAction:
        """Why a certificate is not among the new shares on offer [new-share]."""
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
        """How many papers count against a player's limit [certificate-limit]."""
        holder = PLAYERS[seat]
        items = state.ledger.items
        count = 0
        for item in self._counted:
            row = items[item]
            if holder in row:
                count += row[holder]
        return count

    def certificate_limit(self, state: StateT, seat: int) -> int:
        """How many papers a player may have: one more for every company of which he holds a
        large part [certificate-limit, certificate-limit-raised]."""
        limit = self._limits[state.seats]
        room_from = self.lookup.policy.room_from
        if room_from:
            for company in self.lookup.public:
                if self.lookup.percent(state, PLAYERS[seat], company) >= room_from:
                    limit += 1
        return limit

    def over_limit(self, state: StateT, seat: int) -> IllegalAction | None:
        """Why a player has to sell before anything else, None if he need not [sell-down-to-limit]."""
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
        """Whether a player may have this number of certificates. The raised limit is asked for only where it
        matters."""
        return count <= self._limits[state.seats] or count <= self.certificate_limit(state, seat)

    def has_to_sell(self, state: StateT, seat: int) -> IllegalAction | None:
        """Why a player has to sell something now; None if he need not, or has nothing that he could
        sell for that [sell-down-to-limit]."""
        above = self.over_limit(state, seat)
        return above if above and self.sales(state, seat) else None

    def for_sale(self, state: StateT, seat: int, company: str) -> dict[str, int]:
        """The certificates of a company that a player could sell, the largest first [sale]."""
        return self.lookup.certificates(state, PLAYERS[seat], company)

    def not_saleable(self, state: StateT, seat: int, company: str) -> IllegalAction | None:
        """Why shares of a company may not be sold now, however many: it has not worked yet
        [saleable]."""
        if state.companies[company].worked:
            return None
        return IllegalAction(
            "saleable",
            "Shares of {company} cannot be sold before the company has worked once.",
            company=company,
        )

    def next_priority(self, state: StateT) -> int:
        """Who gets the priority marker if the stock round ends now: the player to the left of the
        last buyer [priority]."""
        buyer = state.round.buyer
        return self.lookup.left_of(state, buyer) if buyer is not None else state.priority

    # ---- buying

    def has_room(self, state: StateT, seat: int, papers: int = 1) -> bool:
        """Whether a player may take more certificates, judged by his limit before it
        [certificate-limit, certificate-limit-raised]."""
        return self._allowed(state, seat, self.count_certificates(state, seat) + papers)

    def companies_with_room(self, state: StateT, seat: int) -> Collection[str]:
        """The companies of which a player may take one more certificate [certificate-limit]."""
        return self.lookup.public if self.has_room(state, seat) else ()

    def no_room(self, state: StateT, seat: int, company: str) -> IllegalAction:
        """The refusal when a company is not among them."""
        return self.too_many_certificates(state, seat)

    def too_many_certificates(self, state: StateT, seat: int) -> IllegalAction:
        """The refusal when there is no room for any paper."""
        return IllegalAction(
            "certificate-limit",
            "You have {count} certificates, and {limit} are allowed.",
            count=self.count_certificates(state, seat),
            limit=self.certificate_limit(state, seat),
        )

    def too_dear(self, price: int, cash: int) -> IllegalAction:
        """The refusal when there is not enough money."""
        return IllegalAction(
            "pay-in-full",
            "It costs {price}, and you have {cash}.",
            price=self.lookup.written(price),
            cash=self.lookup.written(cash),
        )

    def purchase_price(self, state: StateT, company: str, certificate: str, source: str) -> int:
        """What a certificate costs: a new one its part of the issue price, an old one its part of the
        market price [new-share, pool-share]. Before a company is in operation that is the price at which it
        will begin."""
        price = self.market.price(state, company) if source == POOL else 0
        return PERCENT[certificate] * (price or self.market.par(state, company)) // 10

    def nationalisation_price(self, state: StateT, company: str, certificate: str) -> int:
        """One and a half times the market value, rounded up [nationalisation]."""
        threefold = 3 * self.market.value(state, company, certificate)
        return threefold // 2 if state.house.nationalised_down else -(-threefold // 2)

    def purchase_problem(
        self, state: StateT, seat: int, company: str, certificate: str, source: str
    ) -> IllegalAction | None:
        """Why a player may not buy a certificate of the new shares or the pool."""
        return first_refusal(self._purchase_checks(state, seat, company, certificate, source))

    def _purchase_checks(
        self, state: StateT, seat: int, company: str, certificate: str, source: str
    ) -> Iterator[IllegalAction | None]:
        """The company, what is on offer of it, room and money."""
        if company not in self.lookup.public or source not in (STACK, POOL):
            yield IllegalAction(
                "one-certificate", "Only shares, new ones or from the pool, can be bought."
            )
        yield has_sold(company) if company in state.round.sold[seat] else None
        yield self._not_there(state, company, certificate, source)
        price = self.purchase_price(state, company, certificate, source)
        yield self.no_means(state, seat, company, price)

    def _not_there(
        self, state: StateT, company: str, certificate: str, source: str
    ) -> IllegalAction | None:
        """Why a certificate is not on offer."""
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
            "No share of {company} is on offer, neither new nor in the pool.",
            company=company,
        )

    def nationalisation_problem(
        self, state: StateT, seat: int, company: str, certificate: str, other: int
    ) -> IllegalAction | None:
        """Why a player may not take a certificate from another [nationalisation]."""
        if company not in self.lookup.public:
            return IllegalAction("nationalisation", "Only shares can be nationalised.")
        least = self.lookup.policy.nationalise_from
        held = self.lookup.percent(state, PLAYERS[seat], company)
        if not least:
            return IllegalAction("nationalisation", "Shares are not taken from other players.")
        if held < least:
            return IllegalAction(
                "nationalisation",
                "Only who holds at least {percent} percent of a company may nationalise shares of it; "
                "you hold {held} percent of {company}.",
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
            return has_sold(company)
        price = self.nationalisation_price(state, company, certificate)
        return self.no_means(state, seat, company, price)

    def no_means(self, state: StateT, seat: int, company: str, price: int) -> IllegalAction | None:
        """Why a player has no room or money for one more certificate of a company."""
        if company not in self.companies_with_room(state, seat):
            return self.no_room(state, seat, company)
        cash = self.lookup.cash(state, seat)
        return self.too_dear(price, cash) if price > cash else None

    def cost(self, state: StateT, action: BuyShare | Nationalise) -> int:
        """What a purchase costs."""
        if isinstance(action, Nationalise):
            return self.nationalisation_price(state, action.company, action.certificate)
        return self.purchase_price(state, action.company, action.certificate, action.source)

    def purchases(
        self, state: StateT, seat: int, cash: float | None = None
    ) -> Iterator[BuyShare | Nationalise]:
        """Everything a player who may buy can buy: new shares, the pool, other players' shares. With
        `cash`, as if he had that."""
        yield from self.share_purchases(state, seat, cash)
        yield from self.nationalisations(state, seat, cash)

    def share_purchases(
        self, state: StateT, seat: int, cash: float | None = None
    ) -> Iterator[BuyShare]:
        """The same of new shares and those in the pool."""
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
        """The same of other players' shares."""
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
        """A certificate for its price. A company in operation gets the price of its new shares, the bank
        that of all others [new-share, pool-share]."""
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
        """A certificate changes hands; the market price stays [nationalisation]."""
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
        """The highest percentage of another player who is able to be director, 0 if no one is."""
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
        """Why a player may not sell these certificates of one company in one action.

        For forced sales: he must stay director of `keep`, and no certificate may be in the sale that is
        not needed to reach `needed` Marks (0: no matter) [forced-sale]; `prices` as in `carry_out_sale`.
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
                    "Certificates are sold whole, and you do not have these of {company}.",
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
            return IllegalAction("forced-sale", "Not all of these certificates are needed.")
        return None

    def sale_price(self, state: StateT, company: str, prices: Prices | None) -> int:
        """What 10 percent are sold for: the market price, or that of an earlier sale in the same turn
        where the table sells at one price."""
        price = self.market.price(state, company)
        return prices.get(company, price) if prices and state.house.one_sale_price else price

    def proceeds(
        self, state: StateT, company: str, certificates: Sequence[str], prices: Prices | None = None
    ) -> int:
        """What certificates of a company bring if they are sold now [sale]."""
        return percent_of(certificates) * self.sale_price(state, company, prices) // 10

    def cell_after_sale(
        self, state: StateT, company: str, certificates: Sequence[str], prices: Prices | None = None
    ) -> str:
        """The field of the price marker after a sale [price-after-sale]: it stays at a further sale of a turn
        where the table sells at one price."""
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
        """All sales without a problem, as companies and certificates, small ones first."""
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
        """The same one by one."""
        for company, public in self.lookup.public.items():
            held = self.for_sale(state, seat, company)
            if not held or self.not_saleable(state, seat, company) is not None:
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
        """Sell certificates of one company to the pool; returns what they bring.

        The bank pays the price before the sale, and then the price may move [sale, price-after-sale].
        `prices` are those of earlier sales in the same turn, where the table sells at one price. Instead
        of the director's certificate the pool gets what the new director gives for it [sale-of-director].
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
