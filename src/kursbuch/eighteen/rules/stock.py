"""The steps of a stock round, and those that can come up in any round: the choice at a change of
director, the scoring. Names in brackets are those of rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.actions import (
    BuyShare,
    ChooseSwap,
    Done,
    Nationalise,
    SellShares,
)
from kursbuch.eighteen.kernel import Kernel
from kursbuch.eighteen.pieces import PACKET, PLAYERS, POOL, STACK
from kursbuch.eighteen.rules import shares
from kursbuch.eighteen.rules.steps import EighteenRules
from kursbuch.eighteen.state import (
    EighteenState,
    EndGame,
    EndStockRound,
    OperatingRound,
    Round,
    StockRound,
    StockTurn,
    Swap,
)

Game = Kernel[Any, Any]
State = EighteenState[Any]


@lru_cache(8192)
def as_choice(action: Action) -> Choice:
    """An action as a choice; the same ones come up again and again."""
    return Choice(action)


def end_turn(game: Game, play: Play[Any], seat: int, following: Step, *, bought: bool) -> None:
    """A turn of a stock round is over: on with `following`, unless all players in a row have had a
    turn without buying [stock-round-end]."""
    state = play.state
    if bought:
        state.round.idle.clear()
        state.round.buyer = seat
    elif seat not in state.round.idle:
        # Where turns go backwards for a time, somebody has two in a row.
        state.round.idle.append(seat)
    over = len(state.round.idle) >= len(game.around(state, seat))
    play.push(EndStockRound() if over else following)


class StockRoundRules(EighteenRules[State, StockRound, Game]):
    """The holder of the priority marker begins [stock-round-start]."""

    def run(self, state: State, step: StockRound, play: Play[Any]) -> None:
        play.done()
        state.round = Round(step.number, sold=[[] for _ in range(state.seats)])
        play.emit(
            happened.StockRoundBegan(
                rule="stock-round-start", number=step.number, seat=state.priority
            )
        )
        play.push(self.first_turn(state))
        self.begin(play)

    def first_turn(self, state: State) -> Step:
        """The first turn of the round."""
        return StockTurn(state.priority)

    def begin(self, play: Play[Any]) -> None:
        """What comes before the first turn; a title puts it on the agenda."""


class StockTurnRules(EighteenRules[State, StockTurn, Game]):
    """A turn: one purchase at most and any number of sales, in any order [one-purchase]. A player above
    his paper limit may only sell [sell-down-to-limit]."""

    def deciders(self, state: State, step: StockTurn) -> Sequence[int]:
        return (step.seat,) if step.asked else ()

    def run(self, state: State, step: StockTurn, play: Play[Any]) -> None:
        """Whoever can do nothing at all is passed over [pass]."""
        game, seat = self.game, step.seat
        above = self._above(state, seat)
        buys = None if above else next(shares.purchases(game, state, seat), None)
        if buys is not None or next(shares.each_sale(game, state, seat), None) is not None:
            step.asked = True
        else:
            self._end(state, step, play, able=False)

    def choices(self, state: State, step: StockTurn, seat: int) -> list[Choice]:
        game = self.game
        found: list[Choice] = []
        above = self._above(state, seat)
        if not above and not step.bought:
            found += map(as_choice, shares.purchases(game, state, seat))
        sales = shares.sales(game, state, seat)
        found += [as_choice(SellShares(seat, company, names)) for company, names in sales]
        if not (above and sales):
            found.append(as_choice(Done(seat)))
        return found

    def check(self, state: State, step: StockTurn, action: Action) -> None:
        game = self.game
        problem: IllegalAction | None
        match action:
            case BuyShare(seat, company, certificate, source):
                problem = self._no_purchase(state, step) or shares.purchase_problem(
                    game, state, seat, company, certificate, source
                )
            case Nationalise(seat, company, certificate, player):
                problem = self._no_purchase(state, step) or shares.nationalisation_problem(
                    game, state, seat, company, certificate, player
                )
            case SellShares(seat, company, certificates):
                problem = shares.sale_problem(game, state, seat, company, certificates)
            case Done(seat):
                above = self._above(state, seat) and shares.sales(game, state, seat)
                problem = self._must_sell(state, seat) if above else None
            case _:
                return super().check(state, step, action)
        if problem is not None:
            raise problem

    def _above(self, state: State, seat: int) -> bool:
        return self.game.count_papers(state, seat) > self.game.paper_limit(state, seat)

    def _no_purchase(self, state: State, step: StockTurn) -> IllegalAction | None:
        if step.bought:
            return IllegalAction("one-purchase", "You have already bought something in this turn.")
        return self._must_sell(state, step.seat) if self._above(state, step.seat) else None

    def _must_sell(self, state: State, seat: int) -> IllegalAction:
        return IllegalAction(
            "sell-down-to-limit",
            "You have {count} papers, and {limit} are allowed: you have to sell.",
            count=self.game.count_papers(state, seat),
            limit=self.game.paper_limit(state, seat),
        )

    def perform(self, state: State, step: StockTurn, action: Action, play: Play[Any]) -> None:
        game = self.game
        if isinstance(action, Done):
            self._end(state, step, play, able=True)
            return
        step.acted = True
        if isinstance(action, SellShares):
            shares.carry_out_sale(
                game, play, action.seat, action.company, action.certificates, step.prices
            )
            return
        step.bought = True
        state.round.buyer = action.seat
        if isinstance(action, BuyShare):
            shares.carry_out_purchase(game, play, action)
        elif isinstance(action, Nationalise):
            shares.carry_out_nationalisation(game, play, action)

    def _end(self, state: State, step: StockTurn, play: Play[Any], *, able: bool) -> None:
        play.done()
        seat = step.seat
        if not step.acted:
            play.emit(happened.Passed(rule="pass", seat=seat, able=able))
        following = StockTurn(self.game.left_of(state, seat))
        end_turn(self.game, play, seat, following, bought=step.bought)


class EndStockRoundRules(EighteenRules[State, EndStockRound, Game]):
    """Prices of companies that are sold out rise, the priority marker moves, operating rounds
    follow [priority, price-when-sold-out, rounds]."""

    def run(self, state: State, step: EndStockRound, play: Play[Any]) -> None:
        play.done()
        game = self.game
        for company in game.by_price(state):
            if not any(game.percent(state, place, company) for place in (STACK, PACKET, POOL)):
                above = game.chart.up[state.companies[company].cell]
                game.move_price(play, company, above, "sold-out", "price-when-sold-out")
        state.priority = game.next_priority(state)
        number = state.round.number
        play.emit(happened.StockRoundEnded(rule="priority", number=number, seat=state.priority))
        # If the bank has run dry in this stock round, there is only one more [bank-broken-in-stock-round].
        parts = 1 if state.broken else game.phase(state).operating_rounds
        state.round = Round(number, parts=parts)
        play.push(OperatingRound(1))


class SwapRules(EighteenRules[State, Swap, Game]):
    """The old director chooses what he gets for the director's certificate [director-swap]."""

    def deciders(self, state: State, step: Swap) -> Sequence[int]:
        return (step.old,)

    def _ways(self, state: State, step: Swap) -> list[tuple[str, ...]]:
        return self.game.swaps(state, step.company, PLAYERS[step.new])

    def choices(self, state: State, step: Swap, seat: int) -> list[Choice]:
        return [
            as_choice(ChooseSwap(seat, step.company, certificates))
            for certificates in self._ways(state, step)
        ]

    def check(self, state: State, step: Swap, action: Action) -> None:
        match action:
            case ChooseSwap(_, company, certificates):
                if company != step.company or certificates not in self._ways(state, step):
                    raise IllegalAction(
                        "director-swap",
                        "The new director has no such certificates of {company} to give.",
                        company=step.company,
                    )
            case _:
                super().check(state, step, action)

    def perform(self, state: State, step: Swap, action: Action, play: Play[Any]) -> None:
        assert isinstance(action, ChooseSwap)
        play.done()
        receiver = POOL if step.to_pool else PLAYERS[step.old]
        self.game.change_director(
            play, step.company, step.old, step.new, action.certificates, receiver
        )


class EndGameRules(EighteenRules[State, EndGame, Game]):
    """Cash, noted credits and shares at market price are counted; what companies own is not [final-worth]."""

    def run(self, state: State, step: EndGame, play: Play[Any]) -> None:
        seats = [seat not in state.out for seat in range(state.seats)]
        play.emit(
            happened.Ended(
                rule="final-worth",
                cash=tuple(
                    self.game.cash(state, seat) if plays else 0 for seat, plays in enumerate(seats)
                ),
                noted=tuple(self.game.noted(state, PLAYERS[seat]) for seat in range(state.seats)),
                shares=tuple(
                    self.game.worth(state, seat) if plays else 0 for seat, plays in enumerate(seats)
                ),
            )
        )
        state.agenda.clear()


def steps(game: Game) -> dict[type[Step], StepRules[Any, Any]]:
    """The rules of these steps."""
    return {
        StockRound: StockRoundRules(game),
        StockTurn: StockTurnRules(game),
        EndStockRound: EndStockRoundRules(game),
        Swap: SwapRules(game),
        EndGame: EndGameRules(game),
    }
