"""Buying trains, the last step of a company's turn, and surplus trains [buy-train].

`emergency_buy` handles purchases with the director's money.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.core.play import Play
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import BuyTrain, Discard, Done, OfferTrain
from kursbuch.games.g18xx.components import BANK, POOL
from kursbuch.games.g18xx.rules import emergency_buy, train_offer
from kursbuch.games.g18xx.rules.emergency_buy import buy_from_company
from kursbuch.games.g18xx.ruleset import EighteenRules, Steps
from kursbuch.games.g18xx.state import (
    AnyState,
    BuyTrains,
    Limits,
    Surplus,
    TrainOffer,
)


class BuyTrainsRules(EighteenRules[Any, BuyTrains]):
    """A company may buy trains; a share company must own one at the end [buy-train, train-duty]."""

    refusal = ("buy-train", N_("Now the company may buy trains."))
    turn_rule = "operating-order"

    def deciders(self, state: AnyState, step: BuyTrains) -> tuple[int, ...]:
        return (self.ruleset.control.decider(state, step.company),) if step.asked else ()

    def run(self, state: AnyState, step: BuyTrains, play: Play[AnyState]) -> None:
        ruleset, company = self.ruleset, step.company
        if state.companies[company].closed:
            # A minor closed by the phase its own train began [phase-change].
            play.done()
            return
        possible = self.options(state, step, ruleset.control.decider(state, company))
        if next(possible, None) is None:
            play.done()
        else:
            step.asked = True

    def choices(self, state: AnyState, step: BuyTrains, seat: int) -> list[Choice]:
        found = list(self.options(state, step, seat))
        if not self.ruleset.depot.must_buy(state, step.company):
            found.append(Choice(Done(seat)))
        return found

    def options(self, state: AnyState, step: BuyTrains, seat: int) -> Iterator[Choice]:
        """All actions except passing."""
        ruleset, company = self.ruleset, step.company
        if len(ruleset.trains(state, company)) >= ruleset.depot.train_limit(state, company):
            return
        for train, source, _ in ruleset.depot.offers(state, company):
            if emergency_buy.price_problem(ruleset, state, company, train) is None:
                yield Choice(BuyTrain(seat, train, source))
        yield from train_offer.offers(ruleset, state, step, seat)

    def offered(self, state: AnyState, company: str, action: BuyTrain) -> bool:
        """Whether a train is on offer there [train-order]."""
        offers = self.ruleset.depot.offers(state, company)
        return any((one.train, one.source) == (action.train, action.source) for one in offers)

    def attempts(
        self, state: AnyState, step: BuyTrains, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        kind, _, name = keys[-1].partition(":")
        source, _, train = name.rpartition(":")
        if kind == "train" and train in self.ruleset.components.train_records:
            for place in [source] if source in (BANK, POOL) else [BANK, POOL]:
                yield BuyTrain(seat, train, place)

    def problem(self, state: AnyState, step: BuyTrains, action: Action) -> IllegalAction | None:
        ruleset, company = self.ruleset, step.company
        if isinstance(action, Done):
            if not ruleset.depot.must_buy(state, company):
                return None
            return IllegalAction(
                "train-duty",
                "{company} has no train and must buy one.",
                company=ruleset.label(company),
            )
        if not isinstance(action, BuyTrain | OfferTrain):
            return super().problem(state, step, action)
        return first_refusal(self._purchase_checks(state, step, action))

    def _purchase_checks(
        self, state: AnyState, step: BuyTrains, action: BuyTrain | OfferTrain
    ) -> Iterator[IllegalAction | None]:
        """Check the company, the offer and the money."""
        ruleset, company = self.ruleset, step.company
        yield self._no_room(state, company)
        if isinstance(action, OfferTrain):
            yield train_offer.offer_problem(ruleset, state, step, action)
            return
        offered = self.offered(state, company, action)
        yield None if offered else self.not_offered(state, company, action)
        yield emergency_buy.price_problem(self.ruleset, state, company, action.train)

    def _no_room(self, state: AnyState, company: str) -> IllegalAction | None:
        """Refusal at the train limit."""
        limit = self.ruleset.depot.train_limit(state, company)
        if len(self.ruleset.trains(state, company)) < limit:
            return None
        return IllegalAction(
            "train-limit",
            "{company} has reached its train limit of {limit}.",
            company=self.ruleset.label(company),
            limit=limit,
        )

    def not_offered(self, state: AnyState, company: str, action: BuyTrain) -> IllegalAction:
        """Refusal of a train that the bank or the pool does not offer."""
        new = [one.train for one in self.ruleset.depot.offers(state, company) if one.source == BANK]
        if action.source == POOL:
            refusal = IllegalAction(
                "surplus-trains", "There is no train {train} in the pool.", train=action.train
            )
        elif not new:
            refusal = IllegalAction("train-order", "All new trains have been sold.")
        else:
            refusal = IllegalAction(
                "train-order",
                "No new train {train} is on offer; on offer now: {list}.",
                train=action.train,
                list=", ".join(new),
            )
        if not new:
            return refusal.without(
                "source",
                "All new trains have been sold, and there is no train {train} in the pool.",
                train=action.train,
            )
        return refusal.without(
            "source",
            "No train {train} is on offer, neither new nor in the pool; new on offer: {list}.",
            train=action.train,
            list=", ".join(new),
        )

    def perform(
        self, state: AnyState, step: BuyTrains, action: Action, play: Play[AnyState]
    ) -> None:
        ruleset, company = self.ruleset, step.company
        if isinstance(action, Done):
            play.done()
            return
        step.asked = False
        if isinstance(action, BuyTrain):
            step.bought = True
            emergency_buy.buy(ruleset, play, company, action.train, action.source)
            return
        assert isinstance(action, OfferTrain)
        seat = ruleset.control.decider(state, action.company)
        if seat == action.seat:
            step.bought = True
            added = max(0, action.price - ruleset.purse(state, company))
            buy_from_company(
                ruleset, play, company, action.company, action.train, action.price, added
            )
            return
        made = step.offered.setdefault(train_offer.offer_key(action.company, action.train), [])
        made.append(action.price)
        play.emit(
            happened.OfferMade(
                rule="train-of-company",
                company=company,
                owner=action.company,
                train=action.train,
                price=action.price,
                seat=seat,
            )
        )
        play.push(TrainOffer(company, action.company, action.train, action.price))


class LimitsRules(EighteenRules[AnyState, Limits]):
    """Order in which companies discard surplus trains: by operator, from the buyer clockwise, then
    in operating order [surplus-trains]."""

    def run(self, state: AnyState, step: Limits, play: Play[AnyState]) -> None:
        play.done()
        ruleset = self.ruleset
        companies = (*ruleset.components.minors, *ruleset.market.in_order(state))
        above = ruleset.depot.above_limit(state, companies)
        seats = ruleset.around(state, step.seat)
        # Companies without an operator come last.
        order: dict[int | None, int] = {seat: place for place, seat in enumerate(seats)}
        above.sort(
            key=lambda company: order.get(ruleset.control.operator(state, company), len(seats))
        )
        if above:
            play.push(Surplus(above))


class SurplusRules(EighteenRules[AnyState, Surplus]):
    """Companies discard trains above the limit to the pool; their operators choose
    [surplus-trains]."""

    refusal = ("surplus-trains", N_("Now trains above the limit are given back."))
    turn_rule = "surplus-trains"

    def discards(self, state: AnyState, company: str) -> list[tuple[str, ...]]:
        """Different sets of trains a company can discard."""
        trains = self.ruleset.trains(state, company)
        above = len(trains) - self.ruleset.depot.train_limit(state, company)
        return list(dict.fromkeys(combinations(trains, above))) if above > 0 else []

    def deciders(self, state: AnyState, step: Surplus) -> tuple[int, ...]:
        company = step.companies[0]
        seat = self.ruleset.control.operator(state, company)
        return (seat,) if seat is not None and len(self.discards(state, company)) > 1 else ()

    def choices(self, state: AnyState, step: Surplus, seat: int) -> list[Choice]:
        company = step.companies[0]
        return [Choice(Discard(seat, company, trains)) for trains in self.discards(state, company)]

    def problem(self, state: AnyState, step: Surplus, action: Action) -> IllegalAction | None:
        company = step.companies[0]
        if not isinstance(action, Discard):
            return super().problem(state, step, action)
        label, ways = self.ruleset.label(company), self.discards(state, company)
        if action.company != company:
            return IllegalAction(
                "surplus-trains", "Now {company} gives trains back.", company=label
            )
        if action.trains in ways:
            return None
        if any(sorted(action.trains) == sorted(way) for way in ways):
            return IllegalAction("", "Trains are named in the order of their types.")
        above = len(self.ruleset.trains(state, company)) - self.ruleset.depot.train_limit(
            state, company
        )
        return IllegalAction(
            "surplus-trains",
            "{company} owns {list} and has to give back {count} of them.",
            company=label,
            list=", ".join(self.ruleset.trains(state, company)),
            count=above,
        )

    def perform(self, state: AnyState, step: Surplus, action: Action, play: Play[AnyState]) -> None:
        assert isinstance(action, Discard)
        self.discard(play, step, action.trains)

    def run(self, state: AnyState, step: Surplus, play: Play[AnyState]) -> None:
        ways = self.discards(state, step.companies[0])
        self.discard(play, step, ways[0] if ways else ())

    def discard(self, play: Play[AnyState], step: Surplus, trains: tuple[str, ...]) -> None:
        """Move trains to the pool and go on to the next company."""
        company = step.companies.pop(0)
        for train in trains:
            self.ruleset.depot.give_back(play.state, company, train)
        if trains:
            play.emit(
                happened.TrainsDiscarded(rule="surplus-trains", company=company, trains=trains)
            )
        if not step.companies:
            play.done()


STEPS: Steps = {
    BuyTrains: BuyTrainsRules,
    Limits: LimitsRules,
    Surplus: SurplusRules,
    **emergency_buy.STEPS,
    **train_offer.STEPS,
}
