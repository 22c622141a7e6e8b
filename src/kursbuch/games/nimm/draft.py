"""Pass-on auction: players keep locomotives, pass on the others, and pay for what they keep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.core.state import clockwise
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Keep, TurnDown
from kursbuch.games.nimm.bids import loco_problem
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.holdings import (
    NimmPlay,
    left_of,
    locomotives,
    locos_at,
    money,
    only,
    pay_bank,
    take_loco,
)
from kursbuch.games.nimm.state import (
    Draft,
    DraftPrice,
    NimmState,
    PhaseTwo,
    TooDear,
    hand,
    kept,
    loco_item,
    owner,
)
from kursbuch.games.nimm.steps import NimmRules, TargetRules


class DraftRules(NimmRules[Draft]):
    """Three cards each: keep one and pass on the others, twice; then reveal all [auction-pass-1 to auction-pass-5]."""

    secretive = True

    def deciders(self, state: NimmState, step: Draft) -> Sequence[int]:
        if step.stage not in (1, 2):
            return ()
        return [seat for seat in range(state.seats) if seat not in step.picks]

    def candidates(self, state: NimmState, step: Draft, seat: int) -> Iterable[Choice]:
        return [Choice(Keep(seat, loco)) for loco in locos_at(state, self.cards, hand(seat))]

    def _rule(self, step: Draft) -> str:
        return "auction-pass-2" if step.stage == 1 else "auction-pass-3"

    def step_problem(self, state: NimmState, step: Draft, action: Action) -> IllegalAction | None:
        rule = self._rule(step)
        if not isinstance(action, Keep):
            return IllegalAction(rule, "Choose the locomotive you keep.")
        held = locos_at(state, self.cards, hand(action.seat))
        return loco_problem(self.cards, action.loco, held, rule)

    def left_out(self, state: NimmState, step: Draft, seat: int) -> IllegalAction | None:
        return IllegalAction(self._rule(step), "You have already chosen the locomotive you keep.")

    def perform(self, state: NimmState, step: Draft, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Keep)
        step.picks[action.seat] = action.loco
        play.emit(happened.LocoKept(rule=self._rule(step), seat=action.seat))

    def run(self, state: NimmState, step: Draft, play: NimmPlay) -> None:
        if step.stage == 0:
            self._deal(state, play)
        else:
            self._pass_on(state, step, play)
        step.stage += 1
        if step.stage == 3:
            play.done()
            self._turn_up(state, play)

    def _deal(self, state: NimmState, play: NimmPlay) -> None:
        """Deal three cards to each player [auction-pass-1]."""
        for seat in range(state.seats):
            for _ in range(self.cards.setup.locomotives_per_player):
                deck = locos_at(state, self.cards, "unseen")
                loco = deck[play.draw(len(deck))]
                state.ledger.move(loco_item(loco), "unseen", hand(seat))
                state.unseen -= 1
            self._tell(state, seat, "auction-pass-1", play)

    def _pass_on(self, state: NimmState, step: Draft, play: NimmPlay) -> None:
        """Pass the rest to the left neighbour [auction-pass-2, auction-pass-3]."""
        for seat, loco in step.picks.items():
            state.ledger.move(loco_item(loco), hand(seat), kept(seat))
        hands = [locos_at(state, self.cards, hand(seat)) for seat in range(state.seats)]
        for seat, held in enumerate(hands):
            for loco in held:
                state.ledger.move(loco_item(loco), hand(seat), hand(left_of(state, seat)))
        step.picks.clear()
        for seat in range(state.seats):
            self._tell(state, seat, self._rule(step), play)

    def _tell(self, state: NimmState, seat: int, rule: str, play: NimmPlay) -> None:
        locos = tuple(locos_at(state, self.cards, hand(seat)))
        play.emit(happened.LocosDealt(rule=rule, seat=seat, locos=locos, secret_to=(seat,)))

    def _turn_up(self, state: NimmState, play: NimmPlay) -> None:
        """Keep the last card too, and reveal all [auction-pass-4, auction-pass-5]."""
        for seat in range(state.seats):
            for loco in locos_at(state, self.cards, hand(seat)):
                state.ledger.move(loco_item(loco), hand(seat), kept(seat))
            locos = locos_at(state, self.cards, kept(seat))
            for loco in locos:
                take_loco(play, seat, loco, kept(seat))
            play.emit(happened.DraftShown(rule="auction-pass-5", seat=seat, locos=tuple(locos)))
        play.push(DraftPrice(clockwise(state, state.start)))


def price_factors(state: NimmState, cards: Cards, seat: int) -> tuple[int, int]:
    """Total power and highest multiplier of a player's locomotives [auction-pass-5], without spares
    [auction-pass-6]."""
    locos = locomotives(cards, state.trains[seat])
    return sum(loco.power for loco in locos), max((loco.multiplier for loco in locos), default=0)


def draft_price(state: NimmState, cards: Cards, seat: int) -> int:
    """Price of the locomotives a player kept [auction-pass-5]."""
    power, multiplier = price_factors(state, cards, seat)
    return power * multiplier


class DraftPriceRules(NimmRules[DraftPrice]):
    """Each player pays or must turn down locomotives [auction-pass-5, auction-pass-6]."""

    secretive = True

    def run(self, state: NimmState, step: DraftPrice, play: NimmPlay) -> None:
        if not step.order:
            play.done()
            play.push(PhaseTwo())
            return
        seat = step.order[0]
        price = draft_price(state, self.cards, seat)
        if price > money(state, seat):
            play.push(TooDear(seat))
            return
        step.order.pop(0)
        pay_bank(play, seat, price)
        power, multiplier = price_factors(state, self.cards, seat)
        play.emit(
            happened.DraftPaid(
                rule="auction-pass-5",
                amounts=only(state, seat, -price),
                seat=seat,
                power=power,
                multiplier=multiplier,
            )
        )


class TooDearRules(TargetRules[TooDear]):
    """The player chooses a locomotive to turn face down [auction-pass-6]. All have three locomotives, so a target
    bonus may be enough instead [target-use-1]."""

    def deciders(self, state: NimmState, step: TooDear) -> Sequence[int]:
        return (step.seat,)

    def _own(self, state: NimmState, seat: int) -> list[str]:
        return [train.loco for train in state.trains[seat] if train.loco]

    def candidates(self, state: NimmState, step: TooDear, seat: int) -> Iterable[Choice]:
        return [Choice(TurnDown(seat, loco)) for loco in self._own(state, seat)]

    def step_problem(self, state: NimmState, step: TooDear, action: Action) -> IllegalAction | None:
        rule = "auction-pass-6"
        if action.seat != step.seat:
            return self.left_out(state, step, action.seat)
        if not isinstance(action, TurnDown):
            return IllegalAction(
                rule, "You cannot pay: turn a locomotive down, or hand in target tiles."
            )
        return loco_problem(self.cards, action.loco, self._own(state, action.seat), rule)

    def left_out(self, state: NimmState, step: TooDear, seat: int) -> IllegalAction:
        return IllegalAction(
            "auction-pass-6",
            "{players} cannot pay and has to turn a locomotive down.",
            players=Players((step.seat,)),
        )

    def after_target(self, state: NimmState, step: TooDear, play: NimmPlay) -> None:
        if money(state, step.seat) >= draft_price(state, self.cards, step.seat):
            play.done()

    def move(self, state: NimmState, step: TooDear, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, TurnDown)
        play.done()
        seat = action.seat
        for train in state.trains[seat]:
            if train.loco == action.loco:
                train.loco = ""
        state.ledger.move(loco_item(action.loco), owner(seat), "spare")
        play.emit(happened.TurnedDown(rule="auction-pass-6", seat=seat, loco=action.loco))
