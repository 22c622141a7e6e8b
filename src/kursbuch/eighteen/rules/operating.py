"""Operating rounds: who acts when.

A company's turn is four steps: tiles (`building`), stations (`stations`), runs (`running`) and trains
(`trains`). Names in brackets are those of rules.
"""

from __future__ import annotations

from typing import Any

from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.kernel import Kernel
from kursbuch.eighteen.pieces import PLAYERS
from kursbuch.eighteen.rules import building, running, stations, trains
from kursbuch.eighteen.rules.steps import EighteenRules
from kursbuch.eighteen.state import (
    Build,
    BuyTrains,
    EighteenState,
    EndGame,
    EndTurn,
    Income,
    NextCompany,
    OperatingRound,
    Place,
    Round,
    Run,
    StockRound,
)

AnyState = EighteenState[Any]
Game = Kernel[Any, Any]


class OperatingRoundRules(EighteenRules[AnyState, OperatingRound, Game]):
    """The beginning of an operating round [operating-round-start]."""

    def run(self, state: AnyState, step: OperatingRound, play: Play[AnyState]) -> None:
        play.done()
        number, parts = state.round.number, state.round.parts
        state.round = Round(number, step.part, parts)
        play.emit(
            happened.OperatingRoundBegan(
                rule="operating-round-start", number=number, part=step.part, parts=parts
            )
        )
        play.push(NextCompany())
        play.push(Income())
        self.game.begin_operating_round(play)


class IncomeRules(EighteenRules[AnyState, Income, Game]):
    """The private railways pay, one after the other [private-income]."""

    def run(self, state: AnyState, step: Income, play: Play[AnyState]) -> None:
        play.done()
        game = self.game
        incomes = [
            (private, owner, game.income(state, private))
            for private in game.components.privates
            if (owner := game.owner(state, private)) >= 0
        ]
        state.round.paid += [private for private, _, _ in incomes]
        if incomes:
            game.pay_out(
                play,
                happened.PrivatesPaid(
                    rule="private-income",
                    amounts=game.amounts(state, *((owner, sum_) for _, owner, sum_ in incomes)),
                    incomes=tuple(incomes),
                ),
                *((PLAYERS[owner], amount) for _, owner, amount in incomes),
            )


class NextCompanyRules(EighteenRules[AnyState, NextCompany, Game]):
    """The next to act: minors in their order, then share companies by price as it is now
    [minors-first, operating-order]."""

    def run(self, state: AnyState, step: NextCompany, play: Play[AnyState]) -> None:
        play.done()
        company = self.next_company(state)
        if not company:
            self.end_round(state, play)
            return
        play.emit(
            happened.TurnBegan(
                rule="company-turn", company=company, seat=self.game.decider(state, company)
            )
        )
        play.push(NextCompany())
        play.push(EndTurn(company))
        play.push(BuyTrains(company))
        play.push(Run(company))
        if not self.game.is_minor(company):
            play.push(Place(company))
        play.push(Build(company))

    def next_company(self, state: AnyState) -> str:
        """Who acts next, empty if everybody has [operating-round-end]."""
        game, acted = self.game, state.round.acted
        minors = [minor for minor in game.components.minors if game.minor_acts(state, minor)]
        order: list[str] = [*minors, *game.by_price(state)]
        return next((company for company in order if company not in acted), "")

    def end_round(self, state: AnyState, play: Play[AnyState]) -> None:
        """What follows an operating round [rounds, operating-round-end, bank-broken]."""
        part = state.round.part
        if state.broken:
            play.push(EndGame())
        elif part < state.round.parts:
            play.push(OperatingRound(part + 1))
        else:
            play.push(StockRound(state.round.number + 1))


class EndTurnRules(EighteenRules[AnyState, EndTurn, Game]):
    """The end of a company's turn: from now on its shares can be sold [saleable]."""

    def run(self, state: AnyState, step: EndTurn, play: Play[AnyState]) -> None:
        play.done()
        state.companies[step.company].worked = True
        state.round.acted.append(step.company)


def steps(game: Game) -> dict[type[Step], StepRules[Any, Any]]:
    """The rules of all steps of an operating round."""
    return {
        OperatingRound: OperatingRoundRules(game),
        Income: IncomeRules(game),
        NextCompany: NextCompanyRules(game),
        EndTurn: EndTurnRules(game),
        **building.steps(game),
        **stations.steps(game),
        **running.steps(game),
        **trains.steps(game),
    }
