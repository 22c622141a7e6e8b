"""Stock rounds of 1853: redeeming, the elephant, and what a new director owes [2.7.4, 3.1.11, 4.8.10]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import Answer, Done
from kursbuch.games.g18xx.components import BANK, PLAYERS
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.actions import OfferElephant, Redeem, SettleTrain
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import ElephantOffer, SellElephant, SettleCredit, State1853
from kursbuch.games.g18xx.rules.stock_round import StockTurnRules
from kursbuch.games.g18xx.ruleset import EighteenRules
from kursbuch.games.g18xx.state import StockTurn


class StockTurn1853(StockTurnRules):
    """Shares that are not redeemed yet are paid for, which is no purchase [2.7.4]."""

    ruleset: Ruleset1853

    def run(self, state: Any, step: StockTurn, play: Play[Any]) -> None:
        """A turn begins: of companies founded in the first stock round it may be the first since then
        [2.8.3]."""
        seat = step.seat
        state.purchase = ""
        state.opening = [name for name in state.founded if name not in state.noticed[seat]]
        state.noticed[seat] += state.opening
        self._absolve(state, seat)
        if self._redeemable(state, seat):
            step.asked = True
        else:
            super().run(state, step, play)

    def by_kind(self, state: Any, step: StockTurn, seat: int) -> Iterator[Iterable[Choice]]:
        yield self._redeemable(state, seat)
        yield from super().by_kind(state, step, seat)

    def _redeemable(self, state: State1853, seat: int) -> list[Choice]:
        """The shares a player can pay for now; not before he has sold what he has to."""
        return [
            Choice(Redeem(seat, company, count))
            for company, have in state.unredeemed[seat].items()
            for count in range(1, have + 1)
            if self._redeem_problem(state, Redeem(seat, company, count)) is None
        ]

    def _redeem_problem(self, state: State1853, action: Redeem) -> IllegalAction | None:
        shares, seat = self.ruleset.shares, action.seat
        return shares.has_to_sell(state, seat) or shares.redeem_problem(
            state, seat, action.company, action.count
        )

    def problem(self, state: Any, step: StockTurn, action: Action) -> IllegalAction | None:
        if isinstance(action, Redeem):
            return self._redeem_problem(state, action)
        return super().problem(state, step, action)

    def perform(self, state: Any, step: StockTurn, action: Action, play: Play[Any]) -> None:
        if not isinstance(action, Redeem):
            super().perform(state, step, action, play)
            self._absolve(state, action.seat)
            return
        step.acted = True
        seat, company = action.seat, action.company
        price = action.count * self.ruleset.public[company].par
        state.ledger.move("money", PLAYERS[seat], BANK, price)
        unpaid = state.unredeemed[seat]
        unpaid[company] -= action.count
        if not unpaid[company]:
            del unpaid[company]
        play.emit(
            here.SharesRedeemed(
                rule="2.7.4",
                amounts=self.ruleset.amounts(state, (seat, -price)),
                seat=seat,
                company=company,
                count=action.count,
                price=price,
            )
        )

    def _absolve(self, state: State1853, seat: int) -> None:
        """The penalty for a contract ends when its owner directs nothing any more [4.3.2]."""
        if self.ruleset.punished(state, seat) and not self.ruleset.shares.directed(state, seat):
            del state.penalties[seat]


class SettleCreditRules(EighteenRules[State1853, SettleCredit]):
    """A new director pays for the train on credit at once or returns it [4.8.10]."""

    ruleset: Ruleset1853
    asks = ("4.8.10", N_("Now the new director pays for the train on credit or returns it."))
    whose = "4.8.10"

    def missing(self, state: State1853, company: str) -> int:
        """What the director has to add to the treasury."""
        owed = state.charters[company].owed
        return max(0, owed - self.ruleset.money(state, company))

    def deciders(self, state: State1853, step: SettleCredit) -> Sequence[int]:
        """Who cannot pay is not asked."""
        seat = self.ruleset.control.decider(state, step.company)
        return (
            (seat,) if self.missing(state, step.company) <= self.ruleset.cash(state, seat) else ()
        )

    def candidates(self, state: State1853, step: SettleCredit, seat: int) -> Iterable[Choice]:
        return [Choice(SettleTrain(seat, pays)) for pays in (True, False)]

    def problem(self, state: State1853, step: SettleCredit, action: Action) -> IllegalAction | None:
        if isinstance(action, SettleTrain):
            return None
        return super().problem(state, step, action)

    def perform(
        self, state: State1853, step: SettleCredit, action: Action, play: Play[State1853]
    ) -> None:
        assert isinstance(action, SettleTrain)
        if not action.pays:
            self._return(state, step.company, play, forced=False)
            return
        play.done()
        company = step.company
        added = self.missing(state, company)
        self.ruleset.depot.settle_credit(play, company, "4.8.10", payer=action.seat, added=added)

    def run(self, state: State1853, step: SettleCredit, play: Play[State1853]) -> None:
        self._return(state, step.company, play, forced=True)

    def _return(
        self, state: State1853, company: str, play: Play[State1853], *, forced: bool
    ) -> None:
        play.done()
        charter = state.charters[company]
        train = charter.credit
        self.ruleset.depot.give_back(state, company, train)
        charter.end_credit()
        seat = self.ruleset.control.decider(state, company)
        play.emit(
            here.CreditReturned(
                rule="4.8.10", company=company, train=train, seat=seat, forced=forced
            )
        )


class SellElephantRules(EighteenRules[State1853, SellElephant]):
    """At the end of a stock round the elephant may be sold once [3.1.11]."""

    ruleset: Ruleset1853
    asks = ("3.1.11", N_("Now the elephant may be offered to another player."))
    whose = "3.1.11"

    def deciders(self, state: State1853, step: SellElephant) -> Sequence[int]:
        return (state.priority,) if len(step.asked) < state.seats - 1 else ()

    def candidates(self, state: State1853, step: SellElephant, seat: int) -> Iterable[Choice]:
        for other in self.ruleset.around(state, seat)[1:]:
            yield Choice(OfferElephant(seat, other, 0), Range(0, self.ruleset.cash(state, other)))
        yield Choice(Done(seat))

    def problem(self, state: State1853, step: SellElephant, action: Action) -> IllegalAction | None:
        match action:
            case Done():
                return None
            case OfferElephant(seat, player, price):
                if player == seat or player not in range(state.seats):
                    return IllegalAction("3.1.11", "The elephant is sold to another player.")
                if player in step.asked:
                    return IllegalAction(
                        "3.1.11", "{player} has refused it.", player=Players((player,))
                    )
                cash = self.ruleset.cash(state, player)
                if 0 <= price <= cash:
                    return None
                return IllegalAction(
                    "3.1.11",
                    "The price is from {low} to {cash}, which is all {player} has.",
                    low=self.ruleset.written(0),
                    cash=self.ruleset.written(cash),
                    player=Players((player,)),
                )
        return super().problem(state, step, action)

    def perform(
        self, state: State1853, step: SellElephant, action: Action, play: Play[State1853]
    ) -> None:
        if isinstance(action, Done):
            self.run(state, step, play)
            return
        assert isinstance(action, OfferElephant)
        step.asked.append(action.player)
        play.emit(
            here.ElephantOffered(
                rule="3.1.11", seat=action.seat, buyer=action.player, price=action.price
            )
        )
        play.push(ElephantOffer(action.player, action.price))

    def run(self, state: State1853, step: SellElephant, play: Play[State1853]) -> None:
        play.done()
        play.emit(here.ElephantKept(rule="3.1.11", seat=state.priority))


class ElephantOfferRules(EighteenRules[State1853, ElephantOffer]):
    """The offer is accepted or refused [3.1.11]."""

    ruleset: Ruleset1853
    asks = ("3.1.11", N_("The offer of the elephant has to be answered first."))
    whose = "3.1.11"

    def deciders(self, state: State1853, step: ElephantOffer) -> Sequence[int]:
        return (step.buyer,)

    def candidates(self, state: State1853, step: ElephantOffer, seat: int) -> Iterable[Choice]:
        return [Choice(Answer(seat, accepts)) for accepts in (True, False)]

    def problem(
        self, state: State1853, step: ElephantOffer, action: Action
    ) -> IllegalAction | None:
        return None if isinstance(action, Answer) else super().problem(state, step, action)

    def perform(
        self, state: State1853, step: ElephantOffer, action: Action, play: Play[State1853]
    ) -> None:
        assert isinstance(action, Answer)
        play.done()
        seat, buyer, price = state.priority, step.buyer, step.price
        if not action.accepts:
            play.emit(here.ElephantRefused(rule="3.1.11", seat=buyer))
            return
        play.done()
        state.ledger.move("money", PLAYERS[buyer], PLAYERS[seat], price)
        state.priority = buyer
        play.emit(
            here.ElephantSold(
                rule="3.1.11",
                amounts=self.ruleset.amounts(state, (seat, price), (buyer, -price)),
                seat=seat,
                buyer=buyer,
                price=price,
            )
        )


def steps(ruleset: Ruleset1853) -> dict[type[Step], StepRules[Any, Any]]:
    """The rules of these steps."""
    return {
        StockTurn: StockTurn1853(ruleset),
        SettleCredit: SettleCreditRules(ruleset),
        SellElephant: SellElephantRules(ruleset),
        ElephantOffer: ElephantOfferRules(ruleset),
    }
