"""How a train changes hands, and what the first of its type brings about [buy-train, rusting]."""

from __future__ import annotations

from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK, BOX, PLAYERS, train_item
from kursbuch.games.g18xx.rules.depot import shelf
from kursbuch.games.g18xx.ruleset import AnyRuleset
from kursbuch.games.g18xx.state import AnyState


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
    """Buy a train of the bank or pool. The player `payer` adds his money, of which `set_off` is what
    the bank has noted for him; the bank lends the rest: the company owes it [director-pays,
    bank-loan]. Effects follow with `effects`."""
    state = play.state
    price = ruleset.depot.price(train)
    state.ledger.move("money", company, BANK, price - added - lent)
    if payer is not None:
        state.ledger.move("money", PLAYERS[payer], BANK, added - set_off)
        state.ledger.move("note", PLAYERS[payer], BANK, set_off)
    state.companies[company].debt += lent
    state.ledger.move(train_item(train), shelf(source), company)
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
    """What the purchase of a new train brings about: the first of its type may begin a phase, and
    older trains leave the game [phase-change, rusting]."""
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
    """Buy a train of another company; the director may have added money [train-of-company, director-pays]."""
    state = play.state
    payer = ruleset.control.decider(state, company)
    state.ledger.move("money", PLAYERS[payer], company, added)
    ruleset.pay_company(play, company, owner, price)
    state.ledger.move(train_item(train), owner, company)
    if ruleset.depot.give_train(state, owner, train):
        # It stays a train that has run in this round [trains-that-have-run].
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
