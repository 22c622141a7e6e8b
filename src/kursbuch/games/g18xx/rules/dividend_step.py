"""Running trains and paying out or withholding the revenue, the third step of a company's turn
[run-trains]."""

from __future__ import annotations

from typing import Any

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import Dividend, EnterRevenue
from kursbuch.games.g18xx.components import PLAYERS, POOL
from kursbuch.games.g18xx.map.revenue import Revenue
from kursbuch.games.g18xx.ruleset import AnyRuleset, EighteenRules, Steps
from kursbuch.games.g18xx.state import AnyState, Pay, Run

#: Maximum revenue that can be entered, far above what trains can earn.
MAX_ENTERED = 2000


class RunRules(EighteenRules[AnyState, Run]):
    """Run trains for the highest revenue [run-trains, revenue]. If one carries mail, the best runs
    for paying out may differ from those for withholding."""

    def run(self, state: AnyState, step: Run, play: Play[AnyState]) -> None:
        play.done()
        ruleset, company = self.ruleset, step.company
        state.round.ran[company] = ruleset.depot.running_trains(state, company)
        earned = earnings(ruleset, play, company)
        revenue = earned.revenue
        found = state.companies[company]
        found.revenue = revenue
        unpaid = ruleset.control.payout_problem(state, company) is not None
        asked = not ruleset.is_minor(company) and (
            earned.total() > 0 if ruleset.policy.runs == "any" else revenue > 0 and not unpaid
        )
        if state.house.free_revenue and state.round.ran[company]:
            play.push(Pay(company, revenue))
            return
        if not asked and not ruleset.is_minor(company):
            earned = earnings(ruleset, play, company, pays=False)
            revenue = found.revenue = earned.revenue
        if not (asked and ruleset.depot.by_hand(state)):
            report(ruleset, play, company, earned)
        if ruleset.is_minor(company):
            share(ruleset, play, company, revenue)
        elif asked:
            play.push(Pay(company, revenue))
        else:
            # A revenue of 0 counts as withheld; a company in debt has to withhold
            # [price-after-withholding, bank-loan].
            withhold(ruleset, play, company, revenue)


class PayRules(EighteenRules[AnyState, Pay]):
    """The director pays out or withholds the revenue [pay-or-withhold]."""

    refusal = ("pay-or-withhold", N_("Decide first whether to pay out the revenue."))
    turn_rule = "operating-order"

    def deciders(self, state: AnyState, step: Pay) -> tuple[int, ...]:
        return (self.ruleset.control.decider(state, step.company),)

    def choices(self, state: AnyState, step: Pay, seat: int) -> list[Choice]:
        usual = (Choice(Dividend(seat, pays)) for pays in (True, False))
        found = [
            choice for choice in usual if self._use_problem(state, step, choice.action) is None
        ]
        if state.house.free_revenue:
            # Nothing can be withheld, but not paid out by a share company.
            lowest = ((True, 0 if self.ruleset.is_minor(step.company) else 1), (False, 0))
            found += [
                Choice(EnterRevenue(seat, pays, low), Range(low, MAX_ENTERED))
                for pays, low in lowest
                if self._use_problem(state, step, EnterRevenue(seat, pays, low)) is None
            ]
        return found

    def _use_problem(self, state: AnyState, step: Pay, action: Any) -> IllegalAction | None:
        """Refusal to pay out, or to withhold."""
        if self.ruleset.is_minor(step.company):
            if not action.pays:
                return IllegalAction("minor-revenue", "A minor always shares its revenue.")
        elif action.pays:
            revenue = step.revenue
            if isinstance(action, EnterRevenue):
                revenue = action.revenue
            elif action.runs and self.ruleset.policy.runs == "any":
                revenue = self.picked(state, step, action).revenue
            if not revenue:
                return IllegalAction(
                    "price-after-withholding", "A revenue of 0 counts as withheld."
                )
            return self.ruleset.control.payout_problem(state, step.company)
        return None

    def problem(self, state: AnyState, step: Pay, action: Action) -> IllegalAction | None:
        match action:
            case EnterRevenue() if not state.house.free_revenue:
                return IllegalAction(
                    "revenue",
                    ("The revenue is what the runs earn; no other amount can be entered here."),
                )
            case EnterRevenue(revenue=revenue) if not 0 <= revenue <= MAX_ENTERED:
                return IllegalAction(
                    "revenue",
                    "Revenue must be between 0 and {most}.",
                    most=self.ruleset.written(MAX_ENTERED),
                )
            case EnterRevenue():
                return self._use_problem(state, step, action)
            case Dividend():
                try:
                    return self._use_problem(state, step, action) or self._runs_problem(
                        state, step, action
                    )
                except IllegalAction as refused:  # impossible runs
                    return refused
        return super().problem(state, step, action)

    def _runs_problem(self, state: AnyState, step: Pay, action: Dividend) -> IllegalAction | None:
        """Refusal of runs chosen by hand; impossible runs raise theirs."""
        if not action.runs:
            return None
        if not self.ruleset.depot.by_hand(state):
            return IllegalAction(
                "revenue", ("The trains run for the highest revenue; you cannot choose the runs.")
            )
        self.picked(state, step, action)
        return None

    def perform(self, state: AnyState, step: Pay, action: Action, play: Play[AnyState]) -> None:
        play.done()
        ruleset, company = self.ruleset, step.company
        if isinstance(action, EnterRevenue):
            revenue, pays = action.revenue, action.pays
            state.companies[company].revenue = revenue
            play.emit(
                happened.RevenueEntered(
                    rule="entered-revenue", company=company, revenue=revenue, best=step.revenue
                )
            )
        else:
            assert isinstance(action, Dividend)
            revenue, pays = step.revenue, action.pays
            if ruleset.depot.by_hand(state) or state.house.free_revenue:
                earned = (
                    self.picked(state, step, action)
                    if action.runs
                    else earnings(ruleset, play, company, pays=pays)
                )
                revenue = state.companies[company].revenue = earned.revenue
                report(ruleset, play, company, earned)
        if ruleset.is_minor(company):
            share(ruleset, play, company, revenue)
        elif pays:
            pay(ruleset, play, company, revenue)
        else:
            withhold(ruleset, play, company, revenue)

    def picked(self, state: AnyState, step: Pay, action: Dividend) -> Revenue:
        return self.ruleset.depot.picked_runs(state, step.company, action.runs, step.revenue)


def earnings(
    ruleset: AnyRuleset, play: Play[AnyState], company: str, *, pays: bool = True
) -> Revenue:
    """The best runs, or only what they earn if they will not be reported."""
    depot = ruleset.depot
    return (depot.best_runs if play.recorded else depot.earnings)(play.state, company, pays=pays)


def report(ruleset: AnyRuleset, play: Play[AnyState], company: str, earned: Revenue) -> None:
    """Report the runs. Mail goes into the treasury at once."""
    ruleset.pay_out(
        play,
        happened.RunEvent(
            rule="revenue",
            company=company,
            revenue=earned.revenue,
            runs=earned.plain(),
            mail=earned.mail,
        ),
        (company, earned.mail - ruleset.pay_off(play, company, earned.mail)),
    )


def share(ruleset: AnyRuleset, play: Play[AnyState], minor: str, revenue: int) -> None:
    """Pay half of a minor's revenue to its owner, then half into its treasury [minor-revenue]."""
    state = play.state
    owner, half = ruleset.control.decider(state, minor), revenue // 2
    if not revenue:
        return
    ruleset.pay_out(
        play,
        happened.DividendPaid(
            rule="minor-revenue",
            company=minor,
            revenue=revenue,
            amounts=ruleset.amounts(state, (owner, half)),
            treasury=revenue - half,
        ),
        (PLAYERS[owner], half),
        (minor, revenue - half - ruleset.pay_off(play, minor, revenue - half)),
    )


def pay(ruleset: AnyRuleset, play: Play[AnyState], company: str, revenue: int) -> None:
    """Pay every player their percentage, rounded up; the pool's part goes into the treasury,
    rounded down, or stays in the bank [dividend, withholding]. If the bank runs short, the operator
    is paid first, then the others clockwise, the treasury last [bank-broken]. The price moves
    [price-after-dividend]."""
    state = play.state
    amounts = [
        -(-revenue * ruleset.market.dividend_percent(state, company, seat) // 100)
        for seat in range(state.seats)
    ]
    earned = ruleset.policy.pool_earns == "company"
    treasury = revenue * ruleset.percent(state, POOL, company) // 100 if earned else 0
    order = ruleset.around(state, ruleset.control.decider(state, company))
    ruleset.pay_out(
        play,
        happened.DividendPaid(
            rule="dividend",
            company=company,
            revenue=revenue,
            amounts=tuple(amounts),
            treasury=treasury,
        ),
        *((PLAYERS[seat], amounts[seat]) for seat in order),
        (company, treasury - ruleset.pay_off(play, company, treasury)),
    )
    ruleset.market.after_dividend(play, company, revenue)


def withhold(ruleset: AnyRuleset, play: Play[AnyState], company: str, revenue: int) -> None:
    """Put the whole revenue into the treasury and move the price [withholding,
    price-after-withholding]."""
    repaid = ruleset.pay_off(play, company, revenue)
    ruleset.pay_out(
        play,
        happened.Withheld(
            rule="bank-loan" if repaid else "withholding",
            company=company,
            revenue=revenue,
            bank=repaid,
        ),
        (company, revenue - repaid),
    )
    ruleset.market.after_withholding(play, company)


STEPS: Steps = {Run: RunRules, Pay: PayRules}
