"""Rounds of 1853: redeeming, the elephant, debts of a new director, company turns, and the extra
operating round [2.7.4, 3.1.11, 4.1.3, 4.1.14, 4.8, 4.9]; and the triggers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import Answer, BuyTrain, Done, OfferTrain
from kursbuch.games.g18xx.components import BANK, BOX, PLAYERS, STACK, train_item
from kursbuch.games.g18xx.g1853 import contracts
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.actions import (
    BuyOnCredit,
    OfferElephant,
    OrderRound,
    Redeem,
    SettleTrain,
    TakeRight,
)
from kursbuch.games.g18xx.g1853.builder import TWO_TILES
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import (
    ChooseRight,
    ElephantOffer,
    ExtraRound,
    SellElephant,
    SettleCredit,
    State1853,
    TakeBonus,
    Turn,
)
from kursbuch.games.g18xx.rules.depot import train_holder
from kursbuch.games.g18xx.rules.emergency_buy import effects
from kursbuch.games.g18xx.rules.stock_round import StockTurnRules
from kursbuch.games.g18xx.rules.train_step import BuyTrainsRules
from kursbuch.games.g18xx.ruleset import EighteenRules, QuestionRules, Steps, Triggers
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    EndGame,
    OperatingRound,
    Round,
    StockRound,
    StockTurn,
    Surplus,
)


class StockTurn1853(StockTurnRules):
    """Unredeemed shares can be paid for, which is no purchase [2.7.4]."""

    ruleset: Ruleset1853

    def run(self, state: Any, step: StockTurn, play: Play[Any]) -> None:
        """Begin a turn; it may be the first since companies were founded in the first stock round
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
        """Shares a player can redeem now; forced sales come first."""
        shares, unpaid = self.ruleset.shares, state.unredeemed[seat]
        if not unpaid or shares.has_to_sell(state, seat):
            return []
        return [
            Choice(Redeem(seat, company, count))
            for company in unpaid
            for count in range(1, shares.redeemable(state, seat, company) + 1)
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
        """End the penalty of an owner who directs nothing any more [4.3.2]."""
        if self.ruleset.punished(state, seat) and not self.ruleset.shares.directed(state, seat):
            del state.penalties[seat]


class SettleCreditRules(QuestionRules[State1853, SettleCredit]):
    """A new director pays for the train on credit at once or returns it [4.8.10]."""

    ruleset: Ruleset1853
    refusal = (
        "4.8.10",
        N_("The new director must first pay for the train on credit or return it."),
    )
    turn_rule = "4.8.10"
    answer = SettleTrain

    def missing(self, state: State1853, company: str) -> int:
        """Money the director has to add to the treasury."""
        owed = state.charters[company].owed
        return max(0, owed - self.ruleset.money(state, company))

    def deciders(self, state: State1853, step: SettleCredit) -> Sequence[int]:
        """The director, if able to pay."""
        seat = self.ruleset.control.decider(state, step.company)
        return (
            (seat,) if self.missing(state, step.company) <= self.ruleset.cash(state, seat) else ()
        )

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
    refusal = ("3.1.11", N_("Now the elephant may be offered to another player."))
    turn_rule = "3.1.11"

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
                        "3.1.11", "{player} has already refused it.", player=Players((player,))
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
    refusal = ("3.1.11", N_("The offer of the elephant has to be answered first."))
    turn_rule = "3.1.11"

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


class ChooseRightRules(QuestionRules[State1853, ChooseRight]):
    """In its first turn a large company chooses when it may lay two tiles, unless that is free by
    now [4.1.3]."""

    ruleset: Ruleset1853
    refusal = ("4.1.3", N_("The company must first choose when it may lay two tiles."))
    turn_rule = "operating-order"
    answer = TakeRight
    values = (False, True)

    def deciders(self, state: State1853, step: ChooseRight) -> Sequence[int]:
        charter = state.charters[step.company]
        if not charter.large or charter.right or self.ruleset.phase(state).number >= TWO_TILES:
            return ()
        return (self.ruleset.control.decider(state, step.company),)

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
    """Bonuses are paid after all tiles of the turn [4.1.14]."""

    def run(self, state: State1853, step: TakeBonus, play: Play[State1853]) -> None:
        play.done()
        amount = state.turn.bonus
        if amount:
            event = here.BonusPaid(rule="4.1.14", company=step.company, amount=amount)
            self.ruleset.pay_out(play, event, (step.company, amount))


class BuyTrains1853(BuyTrainsRules):
    """Trains on credit [3.4.3 to 3.4.6]; two-sided cards [4.8.16]."""

    ruleset: Ruleset1853

    def run(self, state: Any, step: BuyTrains, play: Play[Any]) -> None:
        """Pay off the credit as soon as possible [3.4.3]."""
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
        barred = self.ruleset.spending_problem(state, company)
        if barred is not None and isinstance(action, BuyTrain | OfferTrain | BuyOnCredit):
            return barred
        if isinstance(action, BuyOnCredit):
            return self.ruleset.depot.credit_problem(state, company, action.train, action.source)
        return super().problem(state, step, action)

    def not_offered(self, state: Any, company: str, action: BuyTrain) -> IllegalAction:
        """Large companies cannot get every train [4.8.15, 4.8.18]."""
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
        """Hand over a train without payment [3.4.3]."""
        train, price = action.train, self.ruleset.depot.price(action.train)
        state.ledger.move(train_item(train), train_holder(action.source), company)
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


class ExtraRoundRules(QuestionRules[State1853, ExtraRound]):
    """After the last operating round the holder of the elephant may order one more [4.9]."""

    ruleset: Ruleset1853
    refusal = ("4.9", N_("Decide first whether to play one more operating round."))
    turn_rule = "4.9"
    answer = OrderRound
    values = (False, True)

    def deciders(self, state: State1853, step: ExtraRound) -> Sequence[int]:
        return (state.priority,)

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


STEPS: Steps = {
    StockTurn: StockTurn1853,
    SettleCredit: SettleCreditRules,
    SellElephant: SellElephantRules,
    ElephantOffer: ElephantOfferRules,
    ChooseRight: ChooseRightRules,
    TakeBonus: TakeBonusRules,
    BuyTrains: BuyTrains1853,
    ExtraRound: ExtraRoundRules,
}


class Triggers1853(Triggers[State1853]):
    """Triggers of 1853: the end of the first stock round, tiles, trains, the elephant."""

    def __init__(self, ruleset: Ruleset1853) -> None:
        self.ruleset = ruleset

    # ---- stock rounds

    def stock_round_began(self, play: Play[State1853]) -> None:
        """Found companies whose shares the contracts have sold [2.7.5]."""
        state = play.state
        self._begin_series(state)
        if state.round.number == 1:
            for company in self.ruleset.public:
                self.ruleset.float.settle(play, company)

    def _begin_series(self, state: State1853) -> None:
        """Reset foundings and the question about one more operating round [3.1.8, 4.9]."""
        state.founded, state.opening, state.purchase, state.extra = [], [], "", False
        state.noticed = [[] for _ in range(state.seats)]

    def round_corrected(self, state: State1853, before: Round) -> None:
        if state.round.number != before.number:
            self._begin_series(state)
        elif not state.round.part:
            # The operating rounds of this series are still to come.
            state.extra = False

    def stock_round_over(self, play: Play[State1853]) -> None:
        """After the first stock round, start all founded companies: directors and managers, the
        form of the BBCI, more trains, capital and homes [2.9.1]."""
        state, ruleset = play.state, self.ruleset
        if state.round.number > 1:
            return
        founded = [company for company in ruleset.public if company in state.founded]
        for company in founded:
            state.companies[company].operating = True
            ruleset.float.appoint(play, company)
        self._fix_forms(play)
        small = [company for company in founded if not state.charters[company].large]
        if small:
            self._add_trains(play)
        for company in founded:
            ruleset.float.begin(play, company)
        # What follows depends on whether this has broken the bank.
        ruleset.watch_bank(play)

    def _fix_forms(self, play: Play[State1853]) -> None:
        """Fix the size of a company that may be large: it is if its director's contract holds all
        its homes [2.6.2, 2.6.3]."""
        state, components = play.state, self.ruleset.components
        for company, size in components.size.items():
            if size != "either":
                continue
            charter = state.charters[company]
            cities = tuple(home.city for home in components.homes[company])
            seat = charter.director
            charter.large = seat is not None and set(cities) <= set(state.contracts[seat].cities)
            charter.token = not charter.large
            if charter.large:
                state.claimant = seat
            if state.companies[company].operating:
                play.emit(
                    here.FormFixed(
                        rule="2.6.2" if charter.large else "2.6.3",
                        company=company,
                        large=charter.large,
                        shown=cities if charter.large else (),
                    )
                )

    def _add_trains(self, play: Play[State1853]) -> None:
        """Add trains that come with a small company [2.8.4, 4.8.16]."""
        state = play.state
        state.small_founded = True
        added = []
        for record in self.ruleset.components.file.trains:
            if record.count:
                for _ in range(record.small_count - record.count):
                    state.ledger.move(train_item(record.id), BOX, STACK)
                    added.append(record.id)
        play.emit(here.TrainsAdded(rule="2.8.4", trains=tuple(added)))

    def priority_moved(self, play: Play[State1853]) -> None:
        """Offer the sale of the elephant [3.1.11]."""
        if not play.state.broken:
            play.push(SellElephant())

    def after_stock_round(self, state: State1853) -> Step:
        """The end of the game, if the bank has broken in the stock round [5.1.2]."""
        return EndGame() if state.broken else super().after_stock_round(state)

    # ---- operating rounds

    def next_round(self, state: State1853) -> Step:
        """After the last round of a series, ask the holder of the elephant [4.9]."""
        if state.broken or state.round.part < state.round.parts or state.extra:
            return super().next_round(state)
        return ExtraRound()

    def tile_laid(self, play: Play[State1853], hex: str, private: str) -> None:
        """Charge a second tile's fee, note the hex's bonus and the obligation to run there, and
        check contracts [4.1.3, 4.1.14, 4.2.3, 4.3.2]."""
        state, ruleset = play.state, self.ruleset
        step = state.agenda[-1]
        assert isinstance(step, Build)
        company, turn = step.company, state.turn
        board = ruleset.components.board
        if board.tiles[state.layout.tiles[hex].tile].colour != "yellow":
            turn.upgraded = True
            if hex not in ruleset.components.territory[company]:
                turn.duties.append((hex, -1))
        else:
            fee = ruleset.builder.fee(state, company)
            turn.tiles.append(hex)
            turn.bonus += ruleset.components.bonus.get(hex, 0)
            if fee:
                state.ledger.move("money", company, BANK, fee)
                play.emit(here.FeePaid(rule="4.1.3", company=company, amount=fee))
        contracts.check(ruleset, play)

    def station_placed(self, play: Play[State1853], company: str, hex: str, stop: int) -> None:
        """Outside the territory a train has to run there [4.4.2]."""
        if hex not in self.ruleset.components.territory[company]:
            play.state.turn.duties.append((hex, stop))

    def train_bought(self, play: Play[State1853], company: str, train: str, source: str) -> None:
        """Use up the loco token if it bought a train of a later phase [4.8.19]."""
        state = play.state
        phase = self.ruleset.depot.metre_trains.get(train, 0)
        if source == BANK and phase > self.ruleset.phase(state).number:
            state.charters[company].token = False
            play.emit(here.LocoTokenUsed(rule="4.8.19", company=company, train=train))

    def phase_began(self, play: Play[State1853], company: str, seat: int) -> None:
        """Cancel debts for rusted trains; companies discard trains in operating order [3.4.3,
        4.8.6]."""
        state, ruleset = play.state, self.ruleset
        for name, charter in state.charters.items():
            if charter.credit and charter.credit not in ruleset.trains(state, name):
                charter.end_credit()
        above = ruleset.depot.above_limit(state, ruleset.control.order(state))
        if above:
            play.push(Surplus(above))
