"""How a train changes hands, and what the first of its type brings about [buy-train, rusting]."""

from __future__ import annotations

from typing import Any

from kursbuch.core.play import Play
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.kernel import Kernel
from kursbuch.eighteen.pieces import BANK, BOX, PLAYERS, POOL, STACK
from kursbuch.eighteen.state import EighteenState

AnyState = EighteenState[Any]
Game = Kernel[Any, Any]


def train_price(game: Game, train: str) -> int:
    """The printed price [buy-train]."""
    price: int = game.components.train_records[train].price
    return price


def on_offer(game: Game, state: AnyState) -> list[tuple[str, str]]:
    """The trains that can be bought at their printed price, with their source: new ones of the
    available type, and those in the pool [train-order, surplus-trains]."""
    new = game.available(state)
    offers = [(new, BANK)] if new else []
    return offers + [(train, POOL) for train in dict.fromkeys(game.trains(state, POOL))]


def buy_from_bank(
    game: Game,
    play: Play[AnyState],
    company: str,
    train: str,
    source: str,
    *,
    payer: int = -1,
    added: int = 0,
    set_off: int = 0,
    lent: int = 0,
) -> None:
    """Buy a train of the bank or pool. The player `payer` adds his money, of which `set_off` is what
    the bank has noted for him; the bank lends the rest: the company owes it [director-pays,
    bank-loan]. Effects follow with `effects`."""
    state = play.state
    price = train_price(game, train)
    state.ledger.move("money", company, BANK, price - added - lent)
    if added:
        state.ledger.move("money", PLAYERS[payer], BANK, added - set_off)
        state.ledger.move("note", PLAYERS[payer], BANK, set_off)
    state.companies[company].debt += lent
    state.ledger.move(f"train:{train}", STACK if source == BANK else POOL, company)
    play.emit(
        happened.TrainBought(
            rule="director-pays" if added or lent else "buy-train",
            company=company,
            train=train,
            source=source,
            price=price,
            added=added,
            lent=lent,
            amounts=game.amounts(state, (payer, -added)),
        )
    )
    game.train_bought(play, company)


def effects(game: Game, play: Play[AnyState], company: str, train: str) -> None:
    """What the purchase of a new train brings about: the first of its type may begin a phase, and
    older trains leave the game [phase-change, rusting]."""
    state = play.state
    phase = game.components.phase_of.get(train, 0)
    if phase <= state.phase:
        return
    state.phase = phase
    play.emit(
        happened.PhaseBegan(
            rule="phase-change", phase=game.components.phases[phase].id, train=train
        )
    )
    scrapped = []
    for record in game.components.train_records.values():
        if record.scrapped_by == train:
            for holder, count in list(state.ledger.items[f"train:{record.id}"].items()):
                if holder != BOX:
                    state.ledger.move(f"train:{record.id}", holder, BOX, count)
                    scrapped.append((holder, record.id, count))
    if scrapped:
        play.emit(happened.TrainsScrapped(rule="rusting", trains=tuple(scrapped)))
    game.phase_began(play, company)


def buy_from_company(
    game: Game,
    play: Play[AnyState],
    company: str,
    owner: str,
    train: str,
    price: int,
    added: int,
) -> None:
    """Buy a train of another company; the director may have added money [train-of-company, director-pays]."""
    state = play.state
    payer = game.decider(state, company)
    state.ledger.move("money", PLAYERS[payer], company, added)
    game.pay_company(play, company, owner, price)
    state.ledger.move(f"train:{train}", owner, company)
    if game.give_train(state, owner, train):
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
            amounts=game.amounts(state, (payer, -added)),
        )
    )
    game.train_bought(play, company)
