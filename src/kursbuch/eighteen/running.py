"""The third step of a company's turn: running trains, and what is done with the revenue [5.5.3]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.actions import Dividend
from kursbuch.eighteen.companies import BANK, PLAYERS, POOL
from kursbuch.eighteen.kernel import Kernel, Runs
from kursbuch.eighteen.picked import picked_runs
from kursbuch.eighteen.rounds import EighteenRules
from kursbuch.eighteen.state import EighteenState, Pay, Run

AnyState = EighteenState[Any]
Game = Kernel[Any, Any]


class RunRules(EighteenRules[AnyState, Run, Game]):
    """The trains run for the highest revenue [5.4.3, 5.5.3.11.2]."""

    def go(self, state: AnyState, step: Run, play: Play[AnyState]) -> None:
        play.done()
        game, company = self.game, step.company
        state.round.ran[company] = game.running_trains(state, company)
        revenue, runs = game.best_runs(state, company)
        found = state.companies[company]
        found.revenue = revenue
        asked = revenue > 0 and not found.debt and not game.is_minor(company)
        if not (asked and game.runs_by_hand(state)):
            report(play, company, runs)
        if game.is_minor(company):
            share(game, play, company, revenue)
        elif asked:
            play.push(Pay(company, revenue))
        else:
            # Nothing earned counts as saving; who owes the bank has to save [5.5.3.12.2, 5.5.4.13e].
            save(game, play, company, revenue)


class PayRules(EighteenRules[AnyState, Pay, Game]):
    """The director decides whether the revenue is paid out [5.3.11.5]."""

    def deciders(self, state: AnyState, step: Pay) -> tuple[int, ...]:
        return (self.game.decider(state, step.company),)

    def choices(self, state: AnyState, step: Pay, seat: int) -> list[Choice]:
        return [Choice(Dividend(seat, True)), Choice(Dividend(seat, False))]

    def check(self, state: AnyState, step: Pay, action: Action) -> None:
        if not isinstance(action, Dividend):
            super().check(state, step, action)
            return
        if action.runs:
            if not self.game.runs_by_hand(state):
                raise IllegalAction(
                    "5.5.3.11.2", "The trains run for the highest revenue; none can be chosen."
                )
            revenue, _ = self.picked(state, step.company, action.runs)
            if revenue < step.revenue:
                raise IllegalAction(
                    "5.5.3.11.2",
                    "These runs earn {revenue}; the trains can earn {most}.",
                    revenue=revenue,
                    most=step.revenue,
                )

    def act(self, state: AnyState, step: Pay, action: Action, play: Play[AnyState]) -> None:
        assert isinstance(action, Dividend)
        play.done()
        game, company, revenue = self.game, step.company, step.revenue
        if game.runs_by_hand(state):
            picked = action.runs and self.picked(state, company, action.runs)
            report(play, company, (picked or game.best_runs(state, company))[1])
        if action.pays:
            pay(game, play, company, revenue)
        else:
            save(game, play, company, revenue)

    def picked(
        self, state: AnyState, company: str, runs: Sequence[Sequence[str]]
    ) -> tuple[int, Runs]:
        game = self.game
        return picked_runs(
            game.components,
            game.position(state),
            company,
            game.running_trains(state, company),
            runs,
        )


def report(play: Play[AnyState], company: str, runs: Runs) -> None:
    """Tell what the trains have done."""
    revenue = sum(value for _, value, _ in runs)
    play.emit(
        happened.RunEvent(rule="5.5.3.11.2", company=company, revenue=revenue, runs=tuple(runs))
    )


def share(game: Game, play: Play[AnyState], minor: str, revenue: int) -> None:
    """Half of a minor's revenue goes to its owner, half into its treasury
    [3.2.2c, 5.5.3.11.4]."""
    state = play.state
    owner, half = game.owner(state, minor), revenue // 2
    if not revenue:
        return
    state.ledger.move("money", BANK, PLAYERS[owner], half)
    game.pay_company(play, BANK, minor, revenue - half)
    play.emit(
        happened.DividendPaid(
            rule="5.5.3.11.4",
            company=minor,
            revenue=revenue,
            amounts=game.amounts(state, (owner, half)),
            treasury=revenue - half,
        )
    )


def pay(game: Game, play: Play[AnyState], company: str, revenue: int) -> None:
    """Every player gets his percentage, rounded up; what belongs to the pool goes into the treasury,
    rounded down [5.5.3.11.6, 5.5.3.11.7]. The price rises [5.5.3.12.1]."""
    state = play.state
    amounts = []
    for seat in range(state.seats):
        amount = -(-revenue * game.dividend_percent(state, company, seat) // 100)
        state.ledger.move("money", BANK, PLAYERS[seat], amount)
        amounts.append(amount)
    treasury = revenue * game.percent(state, POOL, company) // 100
    game.pay_company(play, BANK, company, treasury)
    play.emit(
        happened.DividendPaid(
            rule="5.5.3.11.6",
            company=company,
            revenue=revenue,
            amounts=tuple(amounts),
            treasury=treasury,
        )
    )
    cell = game.chart.right[state.companies[company].cell]
    game.move_price(play, company, cell, "dividend", "5.5.3.12.1")


def save(game: Game, play: Play[AnyState], company: str, revenue: int) -> None:
    """The whole revenue goes into the treasury and the price falls [5.5.3.11.7, 5.5.3.12.2]."""
    state = play.state
    repaid = game.pay_company(play, BANK, company, revenue)
    play.emit(
        happened.Saved(
            rule="5.5.4.13e" if repaid else "5.5.3.11.7",
            company=company,
            revenue=revenue,
            bank=repaid,
        )
    )
    cell = game.chart.left[state.companies[company].cell]
    game.move_price(play, company, cell, "saved", "5.5.3.12.2")


def steps(game: Game) -> dict[type[Step], StepRules[Any, Any]]:
    """The rules of the steps of this module."""
    return {Run: RunRules(game), Pay: PayRules(game)}
