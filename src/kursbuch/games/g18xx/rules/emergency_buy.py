"""Train purchases, and emergency ones: director's money, forced sales [forced-sale], bankruptcy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

from msgspec.structs import replace

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.state import Ledger
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import SellShares
from kursbuch.games.g18xx.components import BANK, BOX, PLAYERS, POOL, train_item
from kursbuch.games.g18xx.rules import shares
from kursbuch.games.g18xx.rules.depot import train_holder
from kursbuch.games.g18xx.ruleset import AnyRuleset, EighteenRules, Steps
from kursbuch.games.g18xx.state import AnyState, EndGame, RaiseMoney, Swap


def buy_from_bank(
    ruleset: AnyRuleset,
    play: Play[AnyState],
    company: str,
    train: str,
    source: str,
    *,
    payer: int | None = None,
    added: int = 0,
    set_off: int = 0,
    lent: int = 0,
) -> None:
    """Buy a train from the bank or pool. The player `payer` adds money, of which `set_off` is
    credit noted by the bank; the company owes the bank what is `lent` [director-pays, bank-loan].
    Call `effects` afterwards."""
    state = play.state
    price = ruleset.depot.price(train)
    state.ledger.move("money", company, BANK, price - added - lent)
    if payer is not None:
        state.ledger.move("money", PLAYERS[payer], BANK, added - set_off)
        state.ledger.move("note", PLAYERS[payer], BANK, set_off)
    state.companies[company].debt += lent
    state.ledger.move(train_item(train), train_holder(source), company)
    play.emit(
        happened.TrainBought(
            rule="director-pays" if added or lent else "buy-train",
            company=company,
            train=train,
            source=source,
            price=price,
            added=added,
            lent=lent,
            amounts=ruleset.amounts(state, (payer, -added)),
        )
    )
    ruleset.triggers.train_bought(play, company, train, source)


def effects(ruleset: AnyRuleset, play: Play[AnyState], company: str, train: str) -> None:
    """Apply the effects of buying a new train: the first of its type may begin a phase, and older
    trains rust [phase-change, rusting]."""
    state = play.state
    phase = ruleset.components.phase_row.get(train, 0)
    if phase <= state.phase:
        return
    state.phase = phase
    play.emit(
        happened.PhaseBegan(
            rule="phase-change", phase=ruleset.components.phases[phase].id, train=train
        )
    )
    scrapped = []
    for record in ruleset.components.train_records.values():
        if record.scrapped_by == train:
            for holder, count in list(state.ledger.items[train_item(record.id)].items()):
                if holder != BOX:
                    state.ledger.move(train_item(record.id), holder, BOX, count)
                    scrapped.append((holder, record.id, count))
    if scrapped:
        play.emit(happened.TrainsRusted(rule="rusting", trains=tuple(scrapped)))
    ruleset.triggers.phase_began(play, company, ruleset.control.decider(state, company))


def buy_from_company(
    ruleset: AnyRuleset,
    play: Play[AnyState],
    company: str,
    owner: str,
    train: str,
    price: int,
    added: int,
) -> None:
    """Buy a train from another company, with money `added` by the director [train-of-company,
    director-pays]."""
    state = play.state
    payer = ruleset.control.decider(state, company)
    state.ledger.move("money", PLAYERS[payer], company, added)
    ruleset.pay_company(play, company, owner, price)
    state.ledger.move(train_item(train), owner, company)
    if ruleset.depot.give_train(state, owner, train):
        # It remains a train that has run in this round [trains-that-have-run].
        state.round.ran.setdefault(company, []).append(train)
    play.emit(
        happened.TrainBought(
            rule="train-of-company",
            company=company,
            train=train,
            source=owner,
            price=price,
            added=added,
            amounts=ruleset.amounts(state, (payer, -added)),
        )
    )
    ruleset.triggers.train_bought(play, company, train, owner)


def go_bankrupt(
    ruleset: AnyRuleset, play: Play[AnyState], company: str, train: str, source: str, noted: int
) -> bool:
    """Put all the director's cash into the train, including credit noted for the last sales; the
    bank lends the rest. Their shares go to the pool regardless of its limit [bankruptcy]; their
    companies get a new director or a manager [no-director]. Return whether the game goes on with
    more than one player."""
    state = play.state
    seat = ruleset.control.decider(state, company)
    added = ruleset.cash(state, seat) + noted
    lent = ruleset.depot.price(train) - ruleset.purse(state, company) - added
    buy_from_bank(
        ruleset, play, company, train, source, payer=seat, added=added, set_off=noted, lent=lent
    )
    # The rest of the credit is lost.
    state.ledger.move("note", PLAYERS[seat], BANK, ruleset.noted(state, PLAYERS[seat]))
    state.out.append(seat)
    if state.priority == seat:
        state.priority = ruleset.left_of(state, seat)
    led = [name for name in ruleset.public if ruleset.control.director(state, name) == seat]
    certificates = []
    for public in ruleset.public.values():
        for item, name, _ in public.items:
            count = state.ledger.held(item, PLAYERS[seat])
            state.ledger.move(item, PLAYERS[seat], POOL, count)
            certificates += [(public.id, name)] * count
    play.emit(
        happened.Bankrupt(
            rule="bankruptcy",
            seat=seat,
            company=company,
            certificates=tuple(certificates),
            amounts=ruleset.amounts(state),
        )
    )
    if len(state.out) == state.seats - 1:
        state.agenda[:] = [EndGame()]
        return False
    ruleset.triggers.player_left(play, seat)
    for name in led:
        ruleset.control.settle_director(play, name)
        if ruleset.control.director(state, name) is None and state.companies[name].operating:
            play.emit(
                happened.ManagerFound(
                    rule="no-director", company=name, seat=ruleset.control.decider(state, name)
                )
            )
    return True


def price_problem(
    ruleset: AnyRuleset, state: AnyState, company: str, train: str
) -> IllegalAction | None:
    """Refusal of a train that a company cannot pay at the printed price."""
    price, purse = ruleset.depot.price(train), ruleset.purse(state, company)
    if purse >= price:
        return None
    params = {
        "price": ruleset.written(price),
        "company": ruleset.label(company),
        "money": ruleset.written(purse),
    }
    if ruleset.is_minor(company):
        return IllegalAction(
            "company-pays", "The train costs {price}; {company} has {money}.", **params
        )
    payer = ruleset.depot.payer(state, company)
    if ruleset.policy.director_adds == "any" and payer is not None:
        cash = ruleset.cash(state, payer)
        if purse + cash >= price:
            return None
        return IllegalAction(
            "director-pays",
            "The train costs {price}; {company} has {money}, and who acts for it can add {cash}.",
            **params,
            cash=ruleset.written(cash),
        )
    if not ruleset.depot.must_buy(state, company):
        return IllegalAction(
            "company-pays",
            "The train costs {price}; {company} has {money}, and its director may add money only "
            "for a train it must have.",
            **params,
        )
    if not may_choose(ruleset, state, company, train):
        return IllegalAction("bankruptcy", "A train that can be paid for has to be bought instead.")
    return None


def may_choose(ruleset: AnyRuleset, state: AnyState, company: str, train: str) -> bool:
    """Whether a company that must buy may choose a train its treasury cannot pay: one its director
    can finance, or else the cheapest [director-pays, bankruptcy]. Without a director the bank lends
    only for the cheapest [no-director]."""
    price = ruleset.depot.price(train)
    cheapest = min(offer.price for offer in ruleset.depot.offers(state, company))
    if ruleset.control.director(state, company) is not None and financed(
        ruleset, state, company, price
    ):
        return True
    return price == cheapest and not financed(ruleset, state, company, price)


def financed(ruleset: AnyRuleset, state: AnyState, company: str, price: int) -> bool:
    """Whether treasury, the director's cash and possible sales cover a price."""
    missing = price - ruleset.purse(state, company)
    seat = ruleset.control.director(state, company)
    if seat is None or missing <= 0:
        return missing <= 0
    missing -= ruleset.cash(state, seat)
    return missing <= 0 or can_raise(ruleset, state, seat, company, missing, {})


def can_raise(
    ruleset: AnyRuleset, state: AnyState, seat: int, keep: str, missing: int, prices: shares.Prices
) -> bool:
    """Whether a player can raise the missing money by sales, without losing the company `keep`
    [forced-sale]."""
    best: dict[str, int] = {}
    for company, names in ruleset.shares.sales(state, seat, keep=keep):
        value = shares.percent_of(names) * ruleset.shares.sale_price(state, company, prices) // 10
        best[company] = max(best.get(company, 0), value)
    if sum(best.values()) >= missing:
        return True
    # Several sales of one company can bring more than one: a change of director between them splits
    # its large certificate.
    most = sum(_most(ruleset, state, seat, keep, company, prices, {}) for company in best)
    return most >= missing


def _most(
    ruleset: AnyRuleset,
    state: AnyState,
    seat: int,
    keep: str,
    company: str,
    prices: shares.Prices,
    known: dict[object, int],
) -> int:
    """Maximum proceeds of successive sales of one company."""
    key = (
        tuple(ruleset.certificates(state, PLAYERS[seat], company).items()),
        ruleset.percent(state, POOL, company),
        ruleset.shares.sale_price(state, company, prices),
    )
    if key not in known:
        known[key] = 0
        for name, certificates in ruleset.shares.sales(state, seat, keep=keep):
            if name == company:
                later = dict(prices)
                for after, proceeds in _sold(ruleset, state, seat, company, certificates, later):
                    total = proceeds + _most(ruleset, after, seat, keep, company, later, known)
                    known[key] = max(known[key], total)
    return known[key]


def _sold(
    ruleset: AnyRuleset,
    state: AnyState,
    seat: int,
    company: str,
    certificates: tuple[str, ...],
    prices: shares.Prices,
) -> list[tuple[AnyState, int]]:
    """States after a sale, one for each choice at a change of director, with the proceeds; its
    price is added to `prices`."""
    after = _trial(state)
    play: Play[Any] = Play(after, None)  # type: ignore[arg-type]  # nothing is drawn
    proceeds = ruleset.shares.carry_out_sale(play, seat, company, certificates, prices)
    swap = after.agenda[-1] if after.agenda else None
    if not isinstance(swap, Swap):
        return [(after, proceeds)]
    found = []
    for names in ruleset.control.swaps(after, company, PLAYERS[swap.new]):
        choice = _trial(after)
        receiver = POOL if swap.to_pool else PLAYERS[swap.old]
        ruleset.control.change_director(
            Play(choice, None),  # type: ignore[arg-type]
            company,
            swap.old,
            swap.new,
            names,
            receiver,
        )
        found.append((choice, proceeds))
    return found


def _trial(state: AnyState) -> AnyState:
    """Copy what sales change."""
    trial = copy(state)
    trial.agenda = []
    trial.ledger = Ledger({item: dict(row) for item, row in state.ledger.items.items()})
    trial.companies = {
        name: replace(found, holders=list(found.holders)) for name, found in state.companies.items()
    }
    trial.chart = {cell: list(stack) for cell, stack in state.chart.items()}
    return trial


def most_for_used(ruleset: AnyRuleset, state: AnyState, company: str, train: str) -> int:
    """Maximum price a company may pay for another one's train: its treasury; its director may add
    cash up to the printed price if it must have one, or any amount where always allowed
    [director-pays]."""
    treasury = ruleset.purse(state, company)
    payer = ruleset.depot.payer(state, company)
    if payer is None:
        return treasury
    most = treasury + ruleset.cash(state, payer)
    if ruleset.policy.director_adds == "any":
        return most
    return max(treasury, min(ruleset.depot.price(train), most))


def buy(
    ruleset: AnyRuleset, play: Play[AnyState], company: str, train: str, source: str, noted: int = 0
) -> None:
    """Buy a train from the bank or pool with all money needed; the director's cash is used before
    noted credit [director-pays]."""
    state = play.state
    missing = ruleset.depot.price(train) - ruleset.purse(state, company)
    payer = ruleset.depot.payer(state, company)
    if missing <= 0:
        buy_from_bank(ruleset, play, company, train, source)
    elif payer is None:
        buy_from_bank(ruleset, play, company, train, source, lent=missing)
    elif missing <= ruleset.cash(state, payer) + noted:
        set_off = max(0, missing - ruleset.cash(state, payer))
        buy_from_bank(
            ruleset, play, company, train, source, payer=payer, added=missing, set_off=set_off
        )
    else:
        ruined = not financed(ruleset, state, company, ruleset.depot.price(train))
        play.push(RaiseMoney(company, train, source, ruined))
        return
    if source != POOL:
        effects(ruleset, play, company, train)


class RaiseMoneyRules(EighteenRules[AnyState, RaiseMoney]):
    """The director sells shares one by one until the train can be paid [forced-sale]."""

    refusal = ("forced-sale", N_("Now shares have to be sold for the train of the company."))
    turn_rule = "forced-sale"

    def missing(self, state: AnyState, step: RaiseMoney) -> int:
        """Money still missing."""
        ruleset = self.ruleset
        seat = ruleset.control.decider(state, step.company)
        price = ruleset.depot.price(step.train)
        have = ruleset.purse(state, step.company) + ruleset.cash(state, seat) + step.noted
        return price - have

    def needed(self, state: AnyState, step: RaiseMoney) -> int:
        """Money needed, beyond which a sale may contain no whole certificate; 0: no limit."""
        return 0 if state.house.sell_beyond_need else self.missing(state, step)

    def sales(self, state: AnyState, step: RaiseMoney) -> list[tuple[str, tuple[str, ...]]]:
        """Sales that are allowed now."""
        missing = self.missing(state, step)
        if missing <= 0:
            return []
        seat = self.ruleset.control.decider(state, step.company)
        return [
            (company, names)
            for company, names in self.ruleset.shares.sales(
                state,
                seat,
                keep=step.company,
                needed=self.needed(state, step),
                prices=step.prices,
            )
            if self.leaves_enough(state, step, company, names)
        ]

    def leaves_enough(
        self, state: AnyState, step: RaiseMoney, company: str, names: tuple[str, ...]
    ) -> bool:
        """Whether the train can still be paid after a sale: a director who can finance it may not
        avoid it by bad sales [bankruptcy]."""
        if step.ruined:
            return True
        ruleset = self.ruleset
        seat = ruleset.control.decider(state, step.company)
        missing = self.missing(state, step)
        price = ruleset.shares.sale_price(state, company, step.prices)
        if shares.percent_of(names) * price // 10 >= missing:
            return True
        later = dict(step.prices)
        return any(
            can_raise(ruleset, after, seat, step.company, missing - proceeds, later)
            for after, proceeds in _sold(ruleset, state, seat, company, names, later)
        )

    def deciders(self, state: AnyState, step: RaiseMoney) -> tuple[int, ...]:
        if not self.sales(state, step):
            return ()
        return (self.ruleset.control.decider(state, step.company),)

    def choices(self, state: AnyState, step: RaiseMoney, seat: int) -> list[Choice]:
        return [
            Choice(SellShares(seat, company, names)) for company, names in self.sales(state, step)
        ]

    def attempts(
        self, state: AnyState, step: RaiseMoney, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        return shares.pointed_sales(self.ruleset, state, seat, keys)

    def problem(self, state: AnyState, step: RaiseMoney, action: Action) -> IllegalAction | None:
        if not isinstance(action, SellShares):
            return super().problem(state, step, action)
        problem = self.ruleset.shares.sale_problem(
            state,
            action.seat,
            action.company,
            action.certificates,
            keep=step.company,
            needed=self.needed(state, step),
            prices=step.prices,
        )
        if problem is not None:
            return problem
        if self.leaves_enough(state, step, action.company, action.certificates):
            return None
        return IllegalAction(
            "bankruptcy", "After this sale the train could not be paid for any more."
        )

    def perform(
        self, state: AnyState, step: RaiseMoney, action: Action, play: Play[AnyState]
    ) -> None:
        assert isinstance(action, SellShares)
        before = self.ruleset.noted(state, PLAYERS[action.seat])
        self.ruleset.shares.carry_out_sale(
            play, action.seat, action.company, action.certificates, step.prices
        )
        step.noted += self.ruleset.noted(state, PLAYERS[action.seat]) - before

    def run(self, state: AnyState, step: RaiseMoney, play: Play[AnyState]) -> None:
        play.done()
        ruleset, company = self.ruleset, step.company
        if self.missing(state, step) <= 0:
            buy(ruleset, play, company, step.train, step.source, step.noted)
            return
        goes_on = go_bankrupt(ruleset, play, company, step.train, step.source, step.noted)
        if goes_on and step.source != POOL:
            effects(ruleset, play, company, step.train)


STEPS: Steps = {RaiseMoney: RaiseMoneyRules}
