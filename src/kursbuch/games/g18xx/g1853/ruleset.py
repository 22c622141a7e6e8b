"""Ruleset of 1853: its policy, and the parts that differ from the family's."""

from __future__ import annotations

from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import POOL
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.builder import Builder1853
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.g1853.depot import Depot1853
from kursbuch.games.g18xx.g1853.shares import Shares1853
from kursbuch.games.g18xx.g1853.state import (
    DOUBLE,
    ChooseRight,
    Lookup1853,
    SettleCredit,
    State1853,
    TakeBonus,
)
from kursbuch.games.g18xx.lookup import Policy
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.rules.float import Float
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import Build, BuyTrains, EndGame, PlaceToken, Run

#: Maximum number of boxes a dividend raises the price [4.7.1].
MAX_BOXES = 5
POLICY = Policy(
    currency="£",
    turn=(ChooseRight, Build, TakeBonus, PlaceToken, Run, BuyTrains),  # 4.0
    order="data",  # 3.1.12
    capital="all",  # 3.3.1
    later_shares="bank",  # 3.1.4
    ties="longest",  # 3.2.1
    pool_limit=100,  # 3.1.5
    sale_lowers_price=False,  # 3.1.5
    sold_out_raises_price=False,  # 4.7.1
    runs="any",  # 4.5.1
    mail=True,  # 4.6.6
    run_duty=True,  # 4.2.3, 4.4.2
    pool_earns="bank",  # 4.6.5
    train_duty=False,  # 4.8
    director_adds="any",  # 4.8.8
    least_price=10,  # 4.8.9
)


class Ruleset1853(Lookup1853, Ruleset[State1853]):
    """Ruleset of 1853."""

    market: StockMarket1853
    shares: Shares1853
    depot: Depot1853
    builder: Builder1853
    control: Control1853
    float: Float1853

    def __init__(self, components: Components1853) -> None:
        super().__init__(
            components,
            POLICY,
            market=StockMarket1853,
            control=Control1853,
            builder=Builder1853,
            float=Float1853,
            shares=Shares1853,
            depot=Depot1853,
        )


class StockMarket1853(StockMarket[State1853]):
    """Prices on a single row of boxes."""

    lookup: Lookup1853

    def final_price(self, state: State1853, company: str) -> int:
        """Market price, or par without one [5.2.1]."""
        return self.price(state, company) or self.lookup.public[company].par

    def final_percents(self, state: State1853, company: str) -> list[int]:
        """Shares never paid for count nothing [2.7.2, 5.2.1]."""
        return [
            percent - 10 * unpaid.get(company, 0) if percent else 0
            for percent, unpaid in zip(
                self.lookup.percents(state, company), self.lookup.never_paid(state), strict=True
            )
        ]

    def unsettled(self, state: State1853) -> list[int]:
        """Nothing: shares without a market price count par at the end, too."""
        return [0] * state.seats

    def dividend_percent(self, state: State1853, company: str, seat: int) -> int:
        """Unredeemed shares pay nothing [2.7.3, 4.6.5]."""
        unpaid = 10 * self.lookup.unpaid(state, seat, company)
        return super().dividend_percent(state, company, seat) - unpaid

    def boxes(self, state: State1853, company: str, revenue: int) -> int:
        """Number of boxes a dividend raises the price [4.7.1]: one, plus one for every whole price
        from twice the price on."""
        return max(1, min(MAX_BOXES, revenue // self.price(state, company)))

    def raised(self, cell: str, boxes: int) -> str:
        """The box that many further up, or the last one [5.1.3]."""
        for _ in range(boxes):
            cell = self.chart.right[cell]
        return cell

    def cell_after_dividend(self, state: State1853, company: str, revenue: int) -> str:
        """Up by one to five boxes [4.7.1]."""
        return self.raised(state.companies[company].cell, self.boxes(state, company, revenue))

    def cell_after_withholding(self, state: State1853, company: str) -> str:
        """Down one box if the pool has shares of the company [4.7.1]."""
        if self.lookup.percent(state, POOL, company):
            return super().cell_after_withholding(state, company)
        return state.companies[company].cell

    def after_dividend(self, play: Play[State1853], company: str, revenue: int) -> None:
        """End the game at once in the last box [4.7.3, 5.1.3]."""
        super().after_dividend(play, company, revenue)
        cell = play.state.companies[company].cell
        if cell == self.chart.right[cell]:
            play.emit(here.PriceLimit(rule="5.1.3", company=company))
            play.state.agenda[:] = [EndGame()]


class Control1853(Control[State1853]):
    """Directors are those with the most shares, two at least."""

    lookup: Lookup1853

    def director(self, state: State1853, company: str) -> int | None:
        return state.charters[company].director

    def manager(self, state: State1853, company: str) -> int:
        """The former director with a share left, else the longest holder of shares, else the holder
        of the elephant [3.4.1]."""
        former, holders = state.charters[company].former, state.companies[company].holders
        if former is not None and former in holders:
            return former
        return holders[0] if holders else state.priority

    def payout_problem(self, state: State1853, company: str) -> IllegalAction | None:
        if self.director(state, company) is not None:
            return None
        return IllegalAction(
            "3.4.2",
            "{company} has no director: its operating manager has to withhold the revenue.",
            company=company,
        )

    def settle_director(self, play: Play[State1853], company: str) -> None:
        """Settle the director once a company operates [2.9.1, 3.2.1, 3.2.3]."""
        self.note_holders(play.state, company)
        if play.state.companies[company].operating:
            self.appoint(play, company)

    def rightful_director(self, state: State1853, company: str) -> int | None:
        """The rightful director: the present one unless another player has more shares; else the
        player with the most, among equals the longest holder [3.2.1, 3.2.3]."""
        shares = {
            seat: self.lookup.shares_of(state, seat, company)
            for seat in state.companies[company].holders
        }
        most = max(shares.values(), default=0)
        if most < DOUBLE:
            return None
        old = self.director(state, company)
        if old is not None and shares.get(old, 0) == most:
            return old
        return next(seat for seat, count in shares.items() if count == most)

    def appoint(self, play: Play[State1853], company: str) -> None:
        """Change the director if necessary [3.2.3, 3.4.1]. A new one pays for the train on credit
        or returns it [4.8.10]."""
        state = play.state
        charter = state.charters[company]
        old, new = charter.director, self.rightful_director(state, company)
        if new == old:
            return
        charter.director = new
        charter.former = old if old is not None else charter.former
        if new is not None:
            charter.double = ""
            play.emit(
                happened.DirectorChanged(
                    rule="3.2.1" if old is None else "3.2.3",
                    company=company,
                    old=old,
                    new=new,
                    certificates=(),
                    receiver=None,
                )
            )
            if charter.credit:
                play.push(SettleCredit(company))
        elif old is not None:
            charter.double = "pool"
            play.emit(here.DirectorLost(rule="3.4.1", company=company, old=old))
            self.name_manager(play, company, "3.4.1")

    def name_manager(self, play: Play[State1853], company: str, rule: str) -> None:
        """Report the manager of a company without a director [3.2.2, 3.4.1]."""
        seat = self.manager(play.state, company)
        play.emit(happened.ManagerFound(rule=rule, company=company, seat=seat))


class Float1853(Float[State1853]):
    """Companies founded in the first stock round start at its end."""

    lookup: Lookup1853
    control: Control1853

    def float_percent(self, state: State1853) -> int:
        return self.lookup.components.players[state.seats].float_percent

    def settle(self, play: Play[State1853], company: str) -> None:
        """In the first stock round a founded company waits for its end [2.8.3, 2.9.1]."""
        state = play.state
        if state.round.number > 1:
            super().settle(play, company)
            return
        self.control.note_holders(state, company)
        if company not in state.founded and self.floats(state, company):
            state.founded.append(company)
            play.emit(here.Founded(rule="2.7.5", company=company))

    def float_company(self, play: Play[State1853], company: str) -> None:
        """Appoint a director or manager first [3.2.1, 3.2.2, 3.3.1]."""
        state = play.state
        state.founded.append(company)
        self.appoint(play, company)
        self.begin(play, company)

    def begin(self, play: Play[State1853], company: str) -> None:
        """Give a company ten times par, its homes and its price [3.3.1, 3.3.2]."""
        super().float_company(play, company)

    def appoint(self, play: Play[State1853], company: str) -> None:
        """Appoint the director or manager of a founded company [2.9.2, 3.2.1, 3.2.2]."""
        self.control.note_holders(play.state, company)
        self.control.appoint(play, company)
        if self.control.director(play.state, company) is None:
            self.control.name_manager(play, company, "3.2.2")
