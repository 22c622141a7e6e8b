"""Shares of 1853: two limits, two groups, unredeemed shares, and exceptions in the first stock
round."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.core.play import Play
from kursbuch.games.g18xx.actions import BuyShare
from kursbuch.games.g18xx.components import PLAYERS, POOL, STACK
from kursbuch.games.g18xx.g1853.state import DOUBLE, SINGLE, Lookup1853, State1853
from kursbuch.games.g18xx.rules.shares import Prices, Shares, no_buying_back

#: Price up to which shares are exempt from limits [3.1.2].
EXEMPT = 40
#: Loss below par of a share sold in the first stock round [2.8.3].
FIRST_LOSS = 5


def split(company: str) -> IllegalAction:
    """Refusal to split the director's certificate [1-shares]."""
    return IllegalAction(
        "1-shares",
        "The director's certificate of {company} cannot be split: the pool has no single share to "
        "give back.",
        company=company,
    )


class Shares1853(Shares[State1853]):
    """Shares on offer, limits, purchases and sales.

    Players hold numbers of shares; the double share belongs to the director, or lies in the initial
    offering or pool if there is none [1-shares].
    """

    lookup: Lookup1853

    # ---- what is on offer

    def shares_at(self, state: State1853, company: str, place: str) -> int:
        """Number of a company's shares in the initial offering or pool."""
        return state.ledger.items[self.lookup.singles[company]].get(place, 0)

    def single_shares_at(self, state: State1853, company: str, place: str) -> int:
        """Number of single-share certificates there [1-shares]."""
        double = DOUBLE if state.charters[company].double == place else 0
        return self.shares_at(state, company, place) - double

    def on_sale(self, state: State1853) -> list[str]:
        """Companies on sale: those named in contracts, then all others once these are sold out
        [3.1.3]."""
        first = state.first_group
        if any(self.shares_at(state, company, STACK) for company in first):
            return first
        return list(self.lookup.public)

    def top(self, state: State1853, company: str) -> str:
        return SINGLE if self.shares_at(state, company, STACK) else ""

    def offered(self, state: State1853) -> list[tuple[str, str]]:
        """New shares on offer [3.1.3]."""
        groups = self.on_sale(state)
        return [
            (company, SINGLE)
            for company in self.lookup.public
            if company in groups and self.single_shares_at(state, company, STACK) > 0
        ]

    # ---- limits

    def exempt(self, state: State1853, company: str) -> bool:
        """Whether a company's shares are exempt from limits [3.1.2]."""
        return 0 < self.market.price(state, company) <= EXEMPT

    def count_certificates(self, state: State1853, seat: int) -> int:
        """Certificates that count against the limit: a director's two shares are one [3.1.2]."""
        holder, items, charters = PLAYERS[seat], state.ledger.items, state.charters
        count = 0
        for company, item in self.lookup.singles.items():
            row = items[item]
            if holder in row and not self.exempt(state, company):
                count += row[holder] - (charters[company].director == seat)
        return count

    def companies_with_room(self, state: State1853, seat: int) -> Collection[str]:
        """Companies of which a player may take one more share [3.1.2]."""
        room = self.has_room(state, seat)
        most = self.lookup.components.players[state.seats].per_company
        return [
            company
            for company in self.lookup.public
            if (room and self.lookup.shares_of(state, seat, company) < most)
            or self.exempt(state, company)
        ]

    def no_room(self, state: State1853, seat: int, company: str) -> IllegalAction:
        if not self.has_room(state, seat):
            return self.too_many_certificates(state, seat)
        return IllegalAction(
            "certificate-limit",
            "You have {count} shares of {company}, and no more are allowed.",
            count=self.lookup.shares_of(state, seat, company),
            company=company,
        )

    def over_limit(self, state: State1853, seat: int) -> IllegalAction | None:
        """A player punished for a contract gives up directorships first; then the limits hold
        [4.3.2, 3.1.2]."""
        posts = self.forfeited(state, seat)
        if not posts and self._few(state, seat):
            return None
        if posts:
            return IllegalAction(
                "4.3.2",
                "Because of your illegal contract, you have to sell shares until you "
                "are no longer director of {list}.",
                list=", ".join(posts),
            )
        many = self._too_many(state, seat)
        if many:
            return IllegalAction(
                "sell-down-to-limit",
                "You have {count} shares of {company}, and {limit} are allowed: you have to sell.",
                count=self.lookup.shares_of(state, seat, many[0]),
                company=many[0],
                limit=self.lookup.components.players[state.seats].per_company,
            )
        return super().over_limit(state, seat)

    def _few(self, state: State1853, seat: int) -> bool:
        """Whether a player has so few shares that no limit matters, whatever is exempt."""
        holder, items = PLAYERS[seat], state.ledger.items
        counts = [items[item].get(holder, 0) for item in self.lookup.singles.values()]
        most = self.lookup.components.players[state.seats].per_company
        return max(counts) <= most and self._allowed(state, seat, sum(counts))

    def forfeited(self, state: State1853, seat: int) -> list[str]:
        """Companies a player has to give up now because of the contract, if their shares can be
        sold [4.3.2]."""
        if state.round.part or not self.lookup.punished(state, seat):
            return []
        return [
            company
            for company in self.directed(state, seat)
            if self._sells_any(state, seat, company)
        ]

    def to_sell(self, state: State1853, seat: int) -> list[str]:
        """Companies of which a player has to sell shares first, as far as possible: those they may
        not direct, then those with too many shares, then all that count against the certificate
        limit [4.3.2, 3.1.2]."""
        posts = self.forfeited(state, seat)
        if posts or self.over_limit(state, seat) is None:
            return posts
        many = self._too_many(state, seat)
        able = [
            company
            for company in self.lookup.public
            if not self.exempt(state, company) and self._sells_any(state, seat, company)
        ]
        above = [company for company in able if company in many]
        return above or (able if super().over_limit(state, seat) else [])

    def has_to_sell(self, state: State1853, seat: int) -> IllegalAction | None:
        return self.over_limit(state, seat) if self.to_sell(state, seat) else None

    def _too_many(self, state: State1853, seat: int) -> list[str]:
        """Companies of which a player has too many shares [3.1.2]."""
        most = self.lookup.components.players[state.seats].per_company
        holder, items = PLAYERS[seat], state.ledger.items
        return [
            company
            for company, item in self.lookup.singles.items()
            if items[item].get(holder, 0) > most and not self.exempt(state, company)
        ]

    def directed(self, state: State1853, seat: int) -> list[str]:
        """Companies that a player directs."""
        return [name for name, charter in state.charters.items() if charter.director == seat]

    # ---- unredeemed shares

    def unredeemed(self, state: State1853, seat: int) -> int:
        """Number of a player's unredeemed contract shares [2.7.3]."""
        return sum(state.unredeemed[seat].values())

    def redeemable(self, state: State1853, seat: int, company: str) -> int:
        """Number of unredeemed shares of a company that a player can pay [2.7.4]."""
        paid = self.lookup.cash(state, seat) // self.lookup.public[company].par
        return min(self.lookup.unpaid(state, seat, company), paid)

    def redeem_problem(
        self, state: State1853, seat: int, company: str, count: int
    ) -> IllegalAction | None:
        """Refusal to redeem that many shares [2.7.4]."""
        have = self.lookup.unpaid(state, seat, company)
        if not 0 < count <= have:
            return IllegalAction(
                "2.7.4",
                "You have {have} unredeemed shares of {company}, not {count}.",
                have=have,
                company=company,
                count=count,
            )
        price, cash = count * self.lookup.public[company].par, self.lookup.cash(state, seat)
        return self.unaffordable(price, cash) if price > cash else None

    # ---- buying

    def purchase_problem(
        self, state: State1853, seat: int, company: str, certificate: str, source: str
    ) -> IllegalAction | None:
        """Unredeemed shares come first; only a player who becomes director can buy the double share
        [2.7.4, 3.1.3, 1-shares]."""
        return first_refusal(self._checks_before_buying(state, seat, company, certificate, source))

    def _checks_before_buying(
        self, state: State1853, seat: int, company: str, certificate: str, source: str
    ) -> Iterator[IllegalAction | None]:
        if (
            company not in self.lookup.public
            or source not in (STACK, POOL)
            or certificate != SINGLE
        ):
            yield IllegalAction("one-certificate", "Buy one share, new or from the pool.")
        yield (
            IllegalAction("2.7.4", "You have to redeem your shares before you buy any.")
            if self.unredeemed(state, seat)
            else None
        )
        yield no_buying_back(company) if company in state.round.sold[seat] else None
        yield self.lacking(state, seat, company, source)
        price = self.purchase_price(state, company, certificate, source)
        yield self.means_problem(state, seat, company, price)

    def lacking(
        self, state: State1853, seat: int, company: str, source: str
    ) -> IllegalAction | None:
        """Refusal if the initial offering or pool has no share for a player."""
        if not self.shares_at(state, company, source):
            refusal = (
                self.not_offered(state, company, SINGLE)
                if source == STACK
                else IllegalAction(
                    "pool-share", "There is no share of {company} in the pool.", company=company
                )
            )
            return refusal.without(
                "source",
                "No share of {company} is on offer, either new or in the pool.",
                company=company,
            )
        if source == STACK and company not in self.on_sale(state):
            return IllegalAction(
                "3.1.3",
                "Shares of {company} are on offer only when all shares of {list} have been issued.",
                company=company,
                list=", ".join(
                    name for name in state.first_group if self.shares_at(state, name, STACK)
                ),
            )
        if self.single_shares_at(state, company, source) > 0 or self._would_direct(
            state, seat, company
        ):
            return None
        return IllegalAction(
            "1-shares",
            "Only the director's certificate of {company} is left there: to buy it, "
            "you must hold exactly one share and become director.",
            company=company,
        )

    def _would_direct(self, state: State1853, seat: int, company: str) -> bool:
        operating = state.companies[company].operating
        return operating and self.lookup.shares_of(state, seat, company) == DOUBLE - 1

    def share_purchases(
        self, state: State1853, seat: int, cash: float | None = None
    ) -> Iterator[BuyShare]:
        if self.unredeemed(state, seat):
            return
        cash = self.lookup.cash(state, seat) if cash is None else cash
        sold = state.round.sold[seat]
        room = [name for name in self.companies_with_room(state, seat) if name not in sold]
        new = self.on_sale(state)
        for source in (STACK, POOL):
            for company in room:
                if (
                    (source == POOL or company in new)
                    and self.shares_at(state, company, source)
                    and self.purchase_price(state, company, SINGLE, source) <= cash
                    and self.lacking(state, seat, company, source) is None
                ):
                    yield BuyShare(seat, company, SINGLE, source)

    def carry_out_purchase(self, play: Play[State1853], action: BuyShare) -> None:
        play.state.purchase = action.company
        super().carry_out_purchase(play, action)

    # ---- selling

    def first_round(self, state: State1853) -> bool:
        """Whether the first stock round is being played or to come [2.8.3]."""
        return state.round.number <= 1 and not state.round.part

    def for_sale(self, state: State1853, seat: int, company: str) -> dict[str, int]:
        """Redeemed shares; of a company founded in the first stock round only those of the contract
        [2.7.3, 2.8.3]."""
        unpaid = self.lookup.unpaid(state, seat, company)
        count = self.lookup.shares_of(state, seat, company) - unpaid
        if self.first_round(state) and company in state.founded:
            # A player with unredeemed shares has bought none.
            count = min(count, state.drawn[seat].get(company, 0))
        return {SINGLE: count} if count > 0 else {}

    def selling_problem(self, state: State1853, seat: int, company: str) -> IllegalAction | None:
        """Refusal to sell a company's shares in this turn [2.8.3, 3.1.8, 3.1.9]."""
        if company == state.purchase:
            return IllegalAction(
                "3.1.9",
                ("You have bought a share of {company} this turn, so you may not sell any."),
                company=company,
            )
        if company not in state.founded:
            return None
        if not self.first_round(state):
            return IllegalAction(
                "3.1.8",
                "{company} has been founded in this stock round: its shares can be sold from the next one "
                "on.",
                company=company,
            )
        if company in state.opening:
            return None
        return IllegalAction(
            "2.8.3",
            "If a company was founded in the first stock round, only its contract "
            "shares can be sold, and only on the first turn after that: {company} "
            "cannot be sold now.",
            company=company,
        )

    def sale_problem(
        self,
        state: State1853,
        seat: int,
        company: str,
        certificates: Sequence[str],
        *,
        keep: str = "",
        needed: int = 0,
        prices: Prices | None = None,
    ) -> IllegalAction | None:
        if company in self.lookup.public:
            count = len(certificates)
            saleable = self.for_sale(state, seat, company).get(SINGLE, 0)
            if saleable < count <= self.lookup.shares_of(state, seat, company):
                problem = self.not_saleable(state, seat, company)
                return problem or self._not_all(state, seat, company, saleable)
            if self._splits(state, seat, company, count):
                return split(company)
        return super().sale_problem(
            state, seat, company, certificates, keep=keep, needed=needed, prices=prices
        )

    def _not_all(self, state: State1853, seat: int, company: str, count: int) -> IllegalAction:
        """Refusal to sell more than that many shares of a company."""
        if self.lookup.unpaid(state, seat, company):
            return IllegalAction(
                "2.7.4",
                "Unredeemed shares cannot be sold: you can sell {count} of {company}.",
                company=company,
                count=count,
            )
        return IllegalAction(
            "2.8.3",
            (
                "{company} has been founded, so you can sell only shares from your "
                "contract now: {count}."
            ),
            company=company,
            count=count,
        )

    def _sells_any(self, state: State1853, seat: int, company: str) -> bool:
        """Whether a player can sell shares of a company in this turn."""
        count = self.for_sale(state, seat, company).get(SINGLE, 0)
        if not count or self.selling_problem(state, seat, company) is not None:
            return False
        return count > 1 or not self._splits(state, seat, company, count)

    def _splits(self, state: State1853, seat: int, company: str, count: int) -> bool:
        """Whether a sale would put half of the double share into an empty pool without anyone able
        to be director [1-shares]."""
        if state.charters[company].director != seat:
            return False
        if count != 1 or self.lookup.shares_of(state, seat, company) != DOUBLE:
            return False
        if self.shares_at(state, company, POOL):
            return False
        holders = state.companies[company].holders
        return all(
            self.lookup.shares_of(state, other, company) < DOUBLE
            for other in holders
            if other != seat
        )

    def each_sale(
        self,
        state: State1853,
        seat: int,
        *,
        keep: str = "",
        needed: int = 0,
        prices: Prices | None = None,
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        due = self.to_sell(state, seat)
        for company in self.lookup.public:
            if due and company not in due:
                continue
            count = self.for_sale(state, seat, company).get(SINGLE, 0)
            if not count or self.selling_problem(state, seat, company) is not None:
                continue
            for number in range(1, count + 1):
                if not self._splits(state, seat, company, number):
                    yield company, (SINGLE,) * number

    def sale_price(self, state: State1853, company: str, prices: Prices | None) -> int:
        """Market price, or par without one; a little less in the first stock round [3.1.7,
        2.8.3]."""
        price = self.market.price(state, company) or self.lookup.public[company].par
        return price - FIRST_LOSS if self.first_round(state) else price

    def carry_out_sale(
        self,
        play: Play[State1853],
        seat: int,
        company: str,
        certificates: Sequence[str],
        prices: Prices | None = None,
    ) -> int:
        """Before a company is founded, bought shares are sold before those of the contract
        [2.8.3]."""
        state = play.state
        drawn = state.drawn[seat]
        if drawn.get(company):
            rest = self.lookup.shares_of(state, seat, company) - len(certificates)
            if company in state.founded:
                rest = drawn[company] - len(certificates)
            drawn[company] = min(drawn[company], rest)
        return super().carry_out_sale(play, seat, company, certificates, prices)
