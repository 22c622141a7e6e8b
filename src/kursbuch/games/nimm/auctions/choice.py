"""The auction of the first choice: bids for an order, then everybody buys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Buy, Favour
from kursbuch.games.nimm.auctions.bids import SecretBidsRules, highest, loco_problem, turn_up_locos
from kursbuch.games.nimm.auctions.single import (
    emit_favour,
    favour_problem,
    favours,
    not_the_starter,
)
from kursbuch.games.nimm.holdings import (
    NimmPlay,
    dollars,
    left_of,
    money,
    only,
    pay_bank,
    take_loco,
    take_spares,
)
from kursbuch.games.nimm.state import Buying, ChoiceBids, NextAuction, NimmState, Ranking
from kursbuch.games.nimm.steps import NimmRules


class ChoiceBidsRules(SecretBidsRules[ChoiceBids]):
    """Everybody bids for the right to choose first, before the cards are known
    [auction-choice-2, auction-choice-3]."""

    bidding = "auction-choice-2"
    least = showing = "auction-choice-3"

    def limits(self, state: NimmState, step: ChoiceBids, seat: int) -> tuple[int, int]:
        return 0, highest(self.cards, money(state, seat))

    def decide(
        self, state: NimmState, step: ChoiceBids, bids: dict[int, int], play: NimmPlay
    ) -> None:
        play.push(Ranking(step.starter, bids, []))


class RankingRules(NimmRules[Ranking]):
    """The players buy in the order of their bids; the starter puts equal ones in order before the
    cards are turned up [auction-choice-4, auction-general-2]."""

    def tied(self, step: Ranking) -> list[int]:
        """The seats with the highest bid among those without a place."""
        left = [seat for seat in step.bids if seat not in step.ranked]
        best = max((step.bids[seat] for seat in left), default=0)
        return [seat for seat in left if step.bids[seat] == best]

    def deciders(self, state: NimmState, step: Ranking) -> Sequence[int]:
        return (step.starter,) if len(self.tied(step)) > 1 else ()

    def candidates(self, state: NimmState, step: Ranking, seat: int) -> Iterable[Choice]:
        return favours(seat, self.tied(step))

    def step_problem(self, state: NimmState, step: Ranking, action: Action) -> IllegalAction | None:
        return favour_problem(self.tied(step), action)

    def left_out(self, state: NimmState, step: Ranking, seat: int) -> IllegalAction | None:
        return not_the_starter(step.starter)

    def perform(self, state: NimmState, step: Ranking, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Favour)
        emit_favour(play, action, self.tied(step))
        step.ranked.append(action.player)

    def run(self, state: NimmState, step: Ranking, play: NimmPlay) -> None:
        if len(step.ranked) < len(step.bids):
            step.ranked += self.tied(step)
            return
        play.done()
        play.push(Buying(step.starter, step.bids, step.ranked, [], False))


class BuyingRules(NimmRules[Buying]):
    """Everybody pays his bid and buys a card for its power; whoever can pay for none waits for a
    spare locomotive [auction-choice-5]."""

    secretive = True

    def deciders(self, state: NimmState, step: Buying) -> Sequence[int]:
        return step.order[:1] if step.shown else ()

    def affordable(self, state: NimmState, step: Buying, seat: int) -> list[str]:
        """The cards whose power the seat can pay besides its bid."""
        purse = money(state, seat) - step.bids[seat]
        return [loco for loco in state.offer if self.cards.locomotive[loco].power <= purse]

    def candidates(self, state: NimmState, step: Buying, seat: int) -> Iterable[Choice]:
        return [Choice(Buy(seat, loco)) for loco in state.offer]

    def step_problem(self, state: NimmState, step: Buying, action: Action) -> IllegalAction | None:
        rule = "auction-choice-5"
        if not isinstance(action, Buy):
            return IllegalAction(rule, "You choose the locomotive you buy.")
        problem = loco_problem(self.cards, action.loco, state.offer, rule)
        if problem is None and action.loco not in self.affordable(state, step, action.seat):
            return IllegalAction(
                "bid-2",
                "You cannot pay your bid of {bid} and the power of {loco}, {power}.",
                bid=dollars(step.bids[action.seat]),
                loco=action.loco,
                power=dollars(self.cards.locomotive[action.loco].power),
            )
        return problem

    def left_out(self, state: NimmState, step: Buying, seat: int) -> IllegalAction | None:
        if seat in step.order:
            return IllegalAction(
                "auction-choice-4",
                "Others choose before you: it is the turn of {players}.",
                players=Players((step.order[0],)),
            )
        return IllegalAction("auction-choice-5", "You have had your turn to buy in this auction.")

    def perform(self, state: NimmState, step: Buying, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Buy)
        self._buy(state, step, action.loco, play)
        self._go_on(state, step, play)

    def run(self, state: NimmState, step: Buying, play: NimmPlay) -> None:
        if not step.shown:
            step.shown = True
            state.offer = turn_up_locos(play, self.cards, len(step.order))
            play.emit(
                happened.LocosShown(
                    rule="auction-choice-4", locos=tuple(state.offer), order=tuple(step.order)
                )
            )
            self._go_on(state, step, play)
            return
        play.done()
        for seat in sorted(step.without):
            loco = state.offer.pop()
            take_spares(play, seat, [loco], "offer")
        play.push(NextAuction(left_of(state, step.starter)))

    def _buy(self, state: NimmState, step: Buying, loco: str, play: NimmPlay) -> None:
        seat = step.order.pop(0)
        power, bid = self.cards.locomotive[loco].power, step.bids[seat]
        pay_bank(play, seat, bid + power)
        take_loco(play, seat, loco, "offer")
        state.offer.remove(loco)
        play.emit(
            happened.ChoiceBought(
                rule="auction-choice-5",
                amounts=only(state, seat, -bid - power),
                seat=seat,
                loco=loco,
                bid=bid,
                power=power,
            )
        )

    def _go_on(self, state: NimmState, step: Buying, play: NimmPlay) -> None:
        """Whoever has no choice is not asked."""
        while step.order:
            seat = step.order[0]
            if not self.affordable(state, step, seat):
                step.order.pop(0)
                step.without.append(seat)
                pay_bank(play, seat, step.bids[seat])
                play.emit(
                    happened.ChoiceMissed(
                        rule="auction-choice-5",
                        amounts=only(state, seat, -step.bids[seat]),
                        seat=seat,
                        bid=step.bids[seat],
                    )
                )
            elif len(state.offer) == 1:
                self._buy(state, step, state.offer[0], play)
            else:
                return
