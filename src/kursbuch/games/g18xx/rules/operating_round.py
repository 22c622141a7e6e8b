"""Operating rounds: who acts when.

A company's turn has four steps: track (`track_step`), tokens (`token_step`), runs and dividend
(`dividend_step`) and trains (`train_step`). Names in brackets are those of rules.
"""

from __future__ import annotations

from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BOX, PACKET
from kursbuch.games.g18xx.lookup import SEATS
from kursbuch.games.g18xx.rules import dividend_step, token_step, track_step, train_step
from kursbuch.games.g18xx.ruleset import EighteenRules, Steps
from kursbuch.games.g18xx.state import (
    AnyState,
    EndTurn,
    Income,
    NextCompany,
    OperatingRound,
    Round,
)


class OperatingRoundRules(EighteenRules[AnyState, OperatingRound]):
    """Begin an operating round [operating-round-start]."""

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
        self.ruleset.triggers.operating_round_began(play)


class IncomeRules(EighteenRules[AnyState, Income]):
    """Privates pay their income, one by one [private-income]."""

    def run(self, state: AnyState, step: Income, play: Play[AnyState]) -> None:
        play.done()
        ruleset = self.ruleset
        incomes = [
            (private, holder, ruleset.market.income(state, private))
            for private in ruleset.components.privates
            if (holder := ruleset.holder(state, private)) not in (PACKET, BOX)
        ]
        state.round.paid += [private for private, _, _ in incomes]
        if incomes:
            paid = [(private, SEATS.get(holder, holder), sum_) for private, holder, sum_ in incomes]
            ruleset.pay_out(
                play,
                happened.PrivatesPaid(
                    rule="private-income",
                    amounts=ruleset.amounts(
                        state, *((SEATS.get(holder), amount) for _, holder, amount in incomes)
                    ),
                    incomes=tuple(paid),
                ),
                *((holder, amount) for _, holder, amount in incomes),
            )


class NextCompanyRules(EighteenRules[AnyState, NextCompany]):
    """Start the turn of the next company [minors-first, operating-order, turn-order], or end the round
    [operating-round-end]."""

    def run(self, state: AnyState, step: NextCompany, play: Play[AnyState]) -> None:
        play.done()
        order, acted = self.ruleset.control.order(state), state.round.acted
        company = next((company for company in order if company not in acted), None)
        if company is None:
            play.push(self.ruleset.triggers.next_round(state))
            return
        play.emit(
            happened.TurnBegan(
                rule="company-turn",
                company=company,
                seat=self.ruleset.control.operator(state, company),
            )
        )
        play.push(NextCompany())
        play.push(EndTurn(company))
        policy = self.ruleset.policy
        turn = policy.minor_turn if self.ruleset.is_minor(company) else policy.turn
        for kind in reversed(turn):
            play.push(kind(company))


class EndTurnRules(EighteenRules[AnyState, EndTurn]):
    """End a company's turn: from now on its shares can be sold [saleable]."""

    def run(self, state: AnyState, step: EndTurn, play: Play[AnyState]) -> None:
        play.done()
        state.companies[step.company].worked = True
        state.round.acted.append(step.company)


#: Rules of all steps of an operating round.
STEPS: Steps = {
    OperatingRound: OperatingRoundRules,
    Income: IncomeRules,
    NextCompany: NextCompanyRules,
    EndTurn: EndTurnRules,
    **track_step.STEPS,
    **token_step.STEPS,
    **dividend_step.STEPS,
    **train_step.STEPS,
}
