"""What a company of 1853 does in its turn beside the shared steps, and the extra operating round
[4.1.3, 4.1.14, 4.8, 4.9]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import BuyTrain, Done, OfferTrain
from kursbuch.games.g18xx.components import BANK, train_item
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.actions import BuyOnCredit, OrderRound, TakeRight
from kursbuch.games.g18xx.g1853.builder import TWO_TILES
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import ChooseRight, ExtraRound, State1853, TakeBonus, Turn
from kursbuch.games.g18xx.rules.depot import shelf
from kursbuch.games.g18xx.rules.emergency_buy import effects
from kursbuch.games.g18xx.rules.train_step import BuyTrainsRules
from kursbuch.games.g18xx.ruleset import EighteenRules
from kursbuch.games.g18xx.state import BuyTrains, OperatingRound, StockRound


class ChooseRightRules(EighteenRules[State1853, ChooseRight]):
    """In its first turn a large company chooses when it may lay two tiles; once that is free it is not
    asked [4.1.3]."""

    ruleset: Ruleset1853
    asks = ("4.1.3", N_("Now the company chooses when it may lay two tiles."))
    whose = "operating-order"

    def deciders(self, state: State1853, step: ChooseRight) -> Sequence[int]:
        charter = state.charters[step.company]
        if not charter.large or charter.right or self.ruleset.phase(state).number >= TWO_TILES:
            return ()
        return (self.ruleset.control.decider(state, step.company),)

    def candidates(self, state: State1853, step: ChooseRight, seat: int) -> Iterable[Choice]:
        return [Choice(TakeRight(seat, fee)) for fee in (False, True)]

    def problem(self, state: State1853, step: ChooseRight, action: Action) -> IllegalAction | None:
        return None if isinstance(action, TakeRight) else super().problem(state, step, action)

    def perform(
        self, state: State1853, step: ChooseRight, action: Action, play: Play[State1853]
    ) -> None:
        assert isinstance(action, TakeRight)
        state.charters[step.company].right = "fee" if action.fee else "later"
        play.emit(here.RightTaken(rule="4.1.3", company=step.company, fee=action.fee))
        self.run(state, step, play)

    def run(self, state: State1853, step: ChooseRight, play: Play[State1853]) -> None:
        play.done()
        state.turn = Turn()
        charter = state.charters[step.company]
        if charter.large and not charter.right:
            charter.right = "later"


class TakeBonusRules(EighteenRules[State1853, TakeBonus]):
    """Bonuses are paid when all tiles of the turn lie [4.1.14]."""

    def run(self, state: State1853, step: TakeBonus, play: Play[State1853]) -> None:
        play.done()
        amount = state.turn.bonus
        if amount:
            event = here.BonusPaid(rule="4.1.14", company=step.company, amount=amount)
            self.ruleset.pay_out(play, event, (step.company, amount))


class BuyTrains1853(BuyTrainsRules):
    """Trains on credit [3.4.3 to 3.4.6]; cards with two sides [4.8.16]."""

    ruleset: Ruleset1853

    def run(self, state: Any, step: BuyTrains, play: Play[Any]) -> None:
        """What the company owes is paid as soon as it can [3.4.3]."""
        company = step.company
        charter = state.charters[company]
        if charter.credit and self.ruleset.money(state, company) >= charter.owed:
            self.ruleset.depot.settle_credit(play, company, "3.4.3")
        super().run(state, step, play)

    def options(self, state: Any, step: BuyTrains, seat: int) -> Iterator[Choice]:
        if state.charters[step.company].credit:
            return
        yield from super().options(state, step, seat)
        for train, source, _ in self.ruleset.depot.offers(state, step.company):
            if self.ruleset.depot.credit_problem(state, step.company, train, source) is None:
                yield Choice(BuyOnCredit(seat, train, source))

    def problem(self, state: Any, step: BuyTrains, action: Action) -> IllegalAction | None:
        company = step.company
        barred = self.ruleset.barred(state, company)
        if barred is not None and isinstance(action, BuyTrain | OfferTrain | BuyOnCredit):
            return barred
        if isinstance(action, BuyOnCredit):
            return self.ruleset.depot.credit_problem(state, company, action.train, action.source)
        return super().problem(state, step, action)

    def not_offered(self, state: Any, company: str, action: BuyTrain) -> IllegalAction:
        """Large companies do not get every train there is [4.8.15, 4.8.18]."""
        if action.train in self.ruleset.depot.metre_trains:
            problem = self.ruleset.depot.gauge_problem(state, company, action.train)
            if problem is not None:
                return problem
        return super().not_offered(state, company, action)

    def perform(self, state: Any, step: BuyTrains, action: Action, play: Play[Any]) -> None:
        if isinstance(action, Done):
            super().perform(state, step, action, play)
            return
        if isinstance(action, BuyTrain | BuyOnCredit):
            self.ruleset.depot.turn_card(state, action.train, action.source)
        if not isinstance(action, BuyOnCredit):
            super().perform(state, step, action, play)
            return
        step.asked = False
        self._lend(state, step.company, action, play)

    def _lend(self, state: State1853, company: str, action: BuyOnCredit, play: Play[Any]) -> None:
        """The train comes without payment [3.4.3]."""
        train, price = action.train, self.ruleset.depot.price(action.train)
        state.ledger.move(train_item(train), shelf(action.source), company)
        charter = state.charters[company]
        charter.credit, charter.owed = train, price
        play.emit(
            here.TrainOnCredit(
                rule="3.4.3", company=company, train=train, source=action.source, price=price
            )
        )
        self.ruleset.triggers.train_bought(play, company, train, action.source)
        if action.source == BANK:
            effects(self.ruleset, play, company, train)


class ExtraRoundRules(EighteenRules[State1853, ExtraRound]):
    """After the last operating round the holder of the elephant may order one more [4.9]."""

    ruleset: Ruleset1853
    asks = ("4.9", N_("Now it is decided whether one more operating round is played."))
    whose = "4.9"

    def deciders(self, state: State1853, step: ExtraRound) -> Sequence[int]:
        return (state.priority,)

    def candidates(self, state: State1853, step: ExtraRound, seat: int) -> Iterable[Choice]:
        return [Choice(OrderRound(seat, orders)) for orders in (False, True)]

    def problem(self, state: State1853, step: ExtraRound, action: Action) -> IllegalAction | None:
        return None if isinstance(action, OrderRound) else super().problem(state, step, action)

    def perform(
        self, state: State1853, step: ExtraRound, action: Action, play: Play[State1853]
    ) -> None:
        assert isinstance(action, OrderRound)
        play.done()
        state.extra = True
        play.emit(here.RoundOrdered(rule="4.9", seat=action.seat, orders=action.orders))
        if action.orders:
            state.round.parts += 1
            play.push(OperatingRound(state.round.part + 1))
        else:
            play.push(StockRound(state.round.number + 1))


def steps(ruleset: Ruleset1853) -> dict[type[Step], StepRules[Any, Any]]:
    """The rules of these steps."""
    return {
        ChooseRight: ChooseRightRules(ruleset),
        TakeBonus: TakeBonusRules(ruleset),
        BuyTrains: BuyTrains1853(ruleset),
        ExtraRound: ExtraRoundRules(ruleset),
    }
