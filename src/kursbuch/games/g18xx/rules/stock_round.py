"""Steps of a stock round, and two of any round: the choice at a change of director, and the final
scoring. Names in brackets are those of rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import BuyShare, ChooseSwap, Done, Nationalise, SellShares
from kursbuch.games.g18xx.components import PLAYERS, POOL
from kursbuch.games.g18xx.rules.shares import pointed_sales
from kursbuch.games.g18xx.ruleset import AnyRuleset, EighteenRules, Steps
from kursbuch.games.g18xx.state import (
    AnyState,
    EndGame,
    EndStockRound,
    Round,
    StockRound,
    StockTurn,
    Swap,
)


@lru_cache(8192)
def as_choice(action: Action) -> Choice:
    """An action as a choice, cached."""
    return Choice(action)


def end_turn(
    ruleset: AnyRuleset, play: Play[Any], seat: int, following: Step, *, bought: bool
) -> None:
    """End a stock turn: continue with `following`, unless all players in a row have not bought
    [stock-round-end]."""
    state = play.state
    if bought:
        state.round.passed.clear()
        state.round.buyer = seat
    elif seat not in state.round.passed:
        # Where turns go backwards, a player has two in a row.
        state.round.passed.append(seat)
    over = len(state.round.passed) >= len(ruleset.around(state, seat))
    play.push(EndStockRound() if over else following)


class StockRoundRules(EighteenRules[AnyState, StockRound]):
    """The holder of the priority deal begins [stock-round-start]."""

    def run(self, state: AnyState, step: StockRound, play: Play[Any]) -> None:
        play.done()
        state.round = Round(step.number, sold=[[] for _ in range(state.seats)])
        play.emit(
            happened.StockRoundBegan(
                rule="stock-round-start", number=step.number, seat=state.priority
            )
        )
        play.push(self.ruleset.triggers.first_turn(state))
        self.ruleset.triggers.stock_round_began(play)


class StockTurnRules(EighteenRules[Any, StockTurn]):
    """A turn: one purchase at most and any number of sales, in any order [one-purchase]. Above the
    certificate limit only sales are possible [sell-down-to-limit]."""

    refusal = ("one-purchase", N_("In a stock round shares are bought and sold."))

    def deciders(self, state: AnyState, step: StockTurn) -> Sequence[int]:
        return (step.seat,) if step.asked else ()

    def run(self, state: AnyState, step: StockTurn, play: Play[Any]) -> None:
        """Pass over a player without any possible action [pass]."""
        ruleset, seat = self.ruleset, step.seat
        above = ruleset.shares.over_limit(state, seat)
        buys = None if above else next(ruleset.shares.purchases(state, seat), None)
        if buys is not None or next(ruleset.shares.each_sale(state, seat), None) is not None:
            step.asked = True
        else:
            self._end(state, step, play, able=False)

    def choices(self, state: AnyState, step: StockTurn, seat: int) -> list[Choice]:
        return [choice for kind in self.by_kind(state, step, seat) for choice in kind]

    def by_kind(self, state: AnyState, step: StockTurn, seat: int) -> Iterator[Iterable[Choice]]:
        shares = self.ruleset.shares
        above = shares.over_limit(state, seat)
        if not above and not step.bought:
            yield map(as_choice, shares.share_purchases(state, seat))
            yield map(as_choice, shares.nationalisations(state, seat))
        sales = shares.each_sale(state, seat)
        yield (as_choice(SellShares(seat, company, names)) for company, names in sales)
        if not above or shares.has_to_sell(state, seat) is None:
            yield [as_choice(Done(seat))]

    def attempts(
        self, state: AnyState, step: StockTurn, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        shares, (kind, _, company) = self.ruleset.shares, keys[-1].partition(":")
        if kind not in ("company", "price") or company not in self.ruleset.public:
            return
        top = shares.top(state, company)
        pool = self.ruleset.certificates(state, POOL, company)
        if top or not pool:
            yield BuyShare(seat, company, top or "10")
        for name in pool or ([] if top else ["10"]):
            yield BuyShare(seat, company, name, POOL)
        yield from pointed_sales(self.ruleset, state, seat, keys)

    def problem(self, state: AnyState, step: StockTurn, action: Action) -> IllegalAction | None:
        shares = self.ruleset.shares
        match action:
            case BuyShare(seat, company, certificate, source):
                return self._no_purchase(state, step) or shares.purchase_problem(
                    state, seat, company, certificate, source
                )
            case Nationalise(seat, company, certificate, player):
                return self._no_purchase(state, step) or shares.nationalisation_problem(
                    state, seat, company, certificate, player
                )
            case SellShares(seat, company, certificates):
                return shares.sale_problem(state, seat, company, certificates)
            case Done(seat):
                return shares.has_to_sell(state, seat)
        return super().problem(state, step, action)

    def _no_purchase(self, state: AnyState, step: StockTurn) -> IllegalAction | None:
        if step.bought:
            return IllegalAction("one-purchase", "You have already bought something in this turn.")
        return self.ruleset.shares.over_limit(state, step.seat)

    def perform(self, state: AnyState, step: StockTurn, action: Action, play: Play[Any]) -> None:
        ruleset = self.ruleset
        if isinstance(action, Done):
            self._end(state, step, play, able=True)
            return
        step.acted = True
        if isinstance(action, SellShares):
            ruleset.shares.carry_out_sale(
                play, action.seat, action.company, action.certificates, step.prices
            )
            return
        step.bought = True
        state.round.buyer = action.seat
        if isinstance(action, BuyShare):
            ruleset.shares.carry_out_purchase(play, action)
        elif isinstance(action, Nationalise):
            ruleset.shares.carry_out_nationalisation(play, action)

    def _end(self, state: AnyState, step: StockTurn, play: Play[Any], *, able: bool) -> None:
        play.done()
        seat = step.seat
        if not step.acted:
            play.emit(happened.Passed(rule="pass", seat=seat, able=able))
        following = StockTurn(self.ruleset.left_of(state, seat))
        end_turn(self.ruleset, play, seat, following, bought=step.bought)


class EndStockRoundRules(EighteenRules[AnyState, EndStockRound]):
    """Prices of sold-out companies rise, the priority deal moves, operating rounds follow
    [priority, price-when-sold-out, rounds]."""

    def run(self, state: AnyState, step: EndStockRound, play: Play[Any]) -> None:
        play.done()
        ruleset = self.ruleset
        ruleset.triggers.stock_round_over(play)
        ruleset.market.after_stock_round(play)
        state.priority = ruleset.shares.next_priority(state)
        number = state.round.number
        play.emit(happened.StockRoundEnded(rule="priority", number=number, seat=state.priority))
        state.round = Round(number, parts=ruleset.operating_rounds(state))
        play.push(ruleset.triggers.after_stock_round(state))
        ruleset.triggers.priority_moved(play)


class SwapRules(EighteenRules[AnyState, Swap]):
    """The old director chooses the certificates for the director's certificate [director-swap]."""

    refusal = (
        "director-swap",
        N_("Now it is only asked what the old director gets for the director's certificate."),
    )
    turn_rule = "director-swap"

    def deciders(self, state: AnyState, step: Swap) -> Sequence[int]:
        return (step.old,)

    def _ways(self, state: AnyState, step: Swap) -> list[tuple[str, ...]]:
        return self.ruleset.control.swaps(state, step.company, PLAYERS[step.new])

    def choices(self, state: AnyState, step: Swap, seat: int) -> list[Choice]:
        return [
            as_choice(ChooseSwap(seat, step.company, certificates))
            for certificates in self._ways(state, step)
        ]

    def problem(self, state: AnyState, step: Swap, action: Action) -> IllegalAction | None:
        if not isinstance(action, ChooseSwap):
            return super().problem(state, step, action)
        if action.company == step.company and action.certificates in self._ways(state, step):
            return None
        return IllegalAction(
            "director-swap",
            "The new director has no such certificates of {company} to give.",
            company=step.company,
        )

    def perform(self, state: AnyState, step: Swap, action: Action, play: Play[Any]) -> None:
        assert isinstance(action, ChooseSwap)
        play.done()
        receiver = POOL if step.to_pool else PLAYERS[step.old]
        self.ruleset.control.change_director(
            play, step.company, step.old, step.new, action.certificates, receiver
        )


class EndGameRules(EighteenRules[AnyState, EndGame]):
    """Score cash, noted credits and shares at market price, but no company property
    [final-worth]."""

    def run(self, state: AnyState, step: EndGame, play: Play[Any]) -> None:
        seats = [seat not in state.out for seat in range(state.seats)]
        play.emit(
            happened.Ended(
                rule="final-worth",
                cash=tuple(
                    self.ruleset.cash(state, seat) if plays else 0
                    for seat, plays in enumerate(seats)
                ),
                noted=tuple(
                    self.ruleset.noted(state, PLAYERS[seat]) for seat in range(state.seats)
                ),
                shares=tuple(
                    worth if plays else 0
                    for worth, plays in zip(self.ruleset.market.worth(state), seats, strict=True)
                ),
            )
        )
        state.agenda.clear()


STEPS: Steps = {
    StockRound: StockRoundRules,
    StockTurn: StockTurnRules,
    EndStockRound: EndStockRoundRules,
    Swap: SwapRules,
    EndGame: EndGameRules,
}
