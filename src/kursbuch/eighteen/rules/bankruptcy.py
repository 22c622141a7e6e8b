"""A director who cannot finance a train his company must buy leaves the game
[bankruptcy, no-director]."""

from __future__ import annotations

from typing import Any

from kursbuch.core.play import Play
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.kernel import Kernel
from kursbuch.eighteen.pieces import BANK, PLAYERS, POOL
from kursbuch.eighteen.rules.purchases import buy_from_bank, train_price
from kursbuch.eighteen.state import EighteenState, EndGame

AnyState = EighteenState[Any]
Game = Kernel[Any, Any]


def go_bankrupt(
    game: Game, play: Play[AnyState], company: str, train: str, source: str, noted: int
) -> bool:
    """All the director's cash goes into the train, with what is noted for his last sales; the bank
    lends the rest. His shares go to the
    pool, whatever it holds then [bankruptcy]; what he led gets a new director or somebody who manages
    it [no-director]. If only one player is left, the game is over; returns whether it goes on."""
    state = play.state
    seat = game.director(state, company)
    added = game.cash(state, seat) + noted
    lent = train_price(game, train) - game.money(state, company) - added
    buy_from_bank(
        game, play, company, train, source, payer=seat, added=added, set_off=noted, lent=lent
    )
    # What else is noted for him is of no use to anybody.
    state.ledger.move("note", PLAYERS[seat], BANK, game.noted(state, PLAYERS[seat]))
    state.out.append(seat)
    if state.priority == seat:
        state.priority = game.left_of(state, seat)
    led = [name for name in game.public if game.director(state, name) == seat]
    certificates = []
    for public in game.public.values():
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
            amounts=game.amounts(state),
        )
    )
    if len(state.out) == state.seats - 1:
        state.agenda[:] = [EndGame()]
        return False
    game.surrender(play, seat)
    for name in led:
        game.settle_director(play, name)
        if game.director(state, name) < 0 and state.companies[name].operating:
            play.emit(
                happened.ManagerFound(
                    rule="no-director", company=name, seat=game.decider(state, name)
                )
            )
    return True
