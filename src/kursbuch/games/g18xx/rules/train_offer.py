"""Trains of other companies: prices are free and negotiable [train-of-company].

The buyer's operator offers a price; the owner's operator accepts or refuses it, or asks another
price, which the buyer accepts or refuses. In a turn neither names the same price for the same type
of train twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import Answer, AskPrice, OfferTrain
from kursbuch.games.g18xx.rules import emergency_buy
from kursbuch.games.g18xx.rules.emergency_buy import buy_from_company
from kursbuch.games.g18xx.ruleset import AnyRuleset, EighteenRules, Steps
from kursbuch.games.g18xx.state import AnyState, BuyTrains, TrainOffer


def offer_key(owner: str, train: str) -> str:
    """Key of a train under negotiation."""
    return f"{owner} {train}"


def ranges(low: int, high: int, taken: Iterable[int]) -> Iterator[Range]:
    """The amounts from `low` to `high` without those taken.

    >>> [(each.low, each.high) for each in ranges(1, 9, [9, 4, 12])]
    [(1, 3), (5, 8)]
    """
    for amount in sorted(set(taken)):
        if low <= amount <= high:
            if low < amount:
                yield Range(low, amount - 1)
            low = amount + 1
    if low <= high:
        yield Range(low, high)


def sellers(ruleset: AnyRuleset, state: AnyState, company: str) -> list[str]:
    """Other companies with an operator [train-of-company]."""
    return [
        other
        for other, found in state.companies.items()
        if other != company
        and found.operating
        and not found.closed
        and ruleset.control.operator(state, other) is not None
    ]


def offers(ruleset: AnyRuleset, state: AnyState, step: BuyTrains, seat: int) -> Iterator[Choice]:
    """All offers a company can make now."""
    company, least = step.company, ruleset.policy.least_price
    if not ruleset.phase(state).trains_from_other_companies:
        return
    for owner in sellers(ruleset, state, company):
        for train in dict.fromkeys(ruleset.trains(state, owner)):
            if ruleset.depot.transfer_problem(state, company, owner, train) is not None:
                continue
            most = emergency_buy.most_for_used(ruleset, state, company, train)
            for prices in ranges(least, most, step.offered.get(offer_key(owner, train), ())):
                yield Choice(OfferTrain(seat, owner, train, prices.low), prices)


def offer_problem(
    ruleset: AnyRuleset, state: AnyState, step: BuyTrains, action: OfferTrain
) -> IllegalAction | None:
    """Refusal of an offer."""
    if not ruleset.phase(state).trains_from_other_companies:
        phases = ruleset.components.phases
        rows = [row for row, phase in enumerate(phases) if phase.trains_from_other_companies]
        if not rows:
            return IllegalAction("train-of-company", "Companies buy no trains from each other.")
        return IllegalAction(
            "train-of-company",
            "Trains of other companies can be bought from phase {phase} on.",
            phase=ruleset.phase_name(rows[0]),
        )
    if action.company not in sellers(
        ruleset, state, step.company
    ) or action.train not in ruleset.trains(state, action.company):
        return IllegalAction(
            "train-of-company",
            "{company} has no train {train} to sell.",
            company=ruleset.label(action.company),
            train=action.train,
        )
    problem = ruleset.depot.transfer_problem(state, step.company, action.company, action.train)
    if problem is not None:
        return problem
    if action.price in step.offered.get(offer_key(action.company, action.train), ()):
        return IllegalAction(
            "train-of-company",
            "{price} has already been offered for this train in this turn; name another price.",
            price=ruleset.written(action.price),
        )
    return price_problem(ruleset, state, step.company, action.train, action.price)


def price_problem(
    ruleset: AnyRuleset, state: AnyState, company: str, train: str, price: int
) -> IllegalAction | None:
    """Refusal of a price for another company's train: too low, or unaffordable [train-of-company,
    company-pays, director-pays]."""
    least = ruleset.policy.least_price
    if price < least:
        return IllegalAction(
            "train-of-company", "The price must be at least {least}.", least=ruleset.written(least)
        )
    most = emergency_buy.most_for_used(ruleset, state, company, train)
    if price <= most:
        return None
    money = ruleset.purse(state, company)
    params = {
        "company": ruleset.label(company),
        "price": ruleset.written(price),
        "money": ruleset.written(money),
        "most": ruleset.written(most),
    }
    if ruleset.depot.payer(state, company) is None:
        return IllegalAction(
            "company-pays", "{company} cannot pay {price}: it has {money}.", **params
        )
    if ruleset.policy.director_adds == "any":
        return IllegalAction(
            "director-pays",
            "{company} can pay at most {most} for this train: its {money}, and all the cash of who acts "
            "for it.",
            **params,
        )
    return IllegalAction(
        "director-pays",
        "{company} can pay at most {most} for this train: its {money}, and what its director may add "
        "from cash up to the printed price.",
        **params,
    )


class TrainOfferRules(EighteenRules[AnyState, TrainOffer]):
    """The other side answers an offer [train-of-company]."""

    turn_rule = "train-of-company"
    refusal = ("train-of-company", N_("An offer for a train has to be answered first."))

    def deciders(self, state: AnyState, step: TrainOffer) -> tuple[int, ...]:
        asked = step.company if step.counter else step.owner
        return (self.ruleset.control.decider(state, asked),)

    def choices(self, state: AnyState, step: TrainOffer, seat: int) -> list[Choice]:
        found = [Choice(Answer(seat, True)), Choice(Answer(seat, False))]
        if not step.counter:
            most = emergency_buy.most_for_used(self.ruleset, state, step.company, step.train)
            taken = [step.price, *self._demanded(state, step)]
            for prices in ranges(self.ruleset.policy.least_price, most, taken):
                found.append(Choice(AskPrice(seat, prices.low), prices))
        return found

    def problem(self, state: AnyState, step: TrainOffer, action: Action) -> IllegalAction | None:
        match action:
            case Answer():
                return None
            case AskPrice() if step.counter:
                return IllegalAction(
                    "train-of-company", "The price that is asked can only be accepted or refused."
                )
            case AskPrice(price=price):
                if price == step.price:
                    return IllegalAction(
                        "train-of-company",
                        "{price} is what is offered; accept it, or name another price.",
                        price=self.ruleset.written(price),
                    )
                if price in self._demanded(state, step):
                    return IllegalAction(
                        "train-of-company",
                        "{price} has already been asked for this train in this turn; name another "
                        "price.",
                        price=self.ruleset.written(price),
                    )
                return price_problem(self.ruleset, state, step.company, step.train, price)
        return super().problem(state, step, action)

    def _demanded(self, state: AnyState, step: TrainOffer) -> list[int]:
        return self._purchase(state).demanded.get(offer_key(step.owner, step.train), [])

    def _purchase(self, state: AnyState) -> BuyTrains:
        """The buyer's step below the offer."""
        below = state.agenda[-2]
        assert isinstance(below, BuyTrains)
        return below

    def perform(
        self, state: AnyState, step: TrainOffer, action: Action, play: Play[AnyState]
    ) -> None:
        ruleset = self.ruleset
        if isinstance(action, AskPrice):
            demanded = self._purchase(state).demanded.setdefault(
                offer_key(step.owner, step.train), []
            )
            demanded.append(action.price)
            step.price, step.counter = action.price, True
            play.emit(
                happened.PriceAsked(
                    rule="train-of-company",
                    company=step.company,
                    owner=step.owner,
                    train=step.train,
                    price=step.price,
                    seat=ruleset.control.decider(state, step.company),
                )
            )
            return
        assert isinstance(action, Answer)
        play.done()
        if action.accepts:
            purchase = state.agenda[-1]
            assert isinstance(purchase, BuyTrains)
            purchase.bought = True
            added = max(0, step.price - ruleset.purse(state, step.company))
            buy_from_company(ruleset, play, step.company, step.owner, step.train, step.price, added)
            return
        play.emit(
            happened.OfferRefused(
                rule="train-of-company",
                seat=action.seat,
                company=step.company,
                owner=step.owner,
                train=step.train,
                price=step.price,
                counter=step.counter,
            )
        )


STEPS: Steps = {TrainOffer: TrainOfferRules}
