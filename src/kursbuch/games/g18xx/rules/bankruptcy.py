"""A director who cannot finance a train his company must buy leaves the game
[bankruptcy, no-director]."""

from __future__ import annotations

from typing import Any

from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.book import Book
from kursbuch.games.g18xx.pieces import BANK, PLAYERS, POOL
from kursbuch.games.g18xx.rules.purchases import buy_from_bank
from kursbuch.games.g18xx.state import EighteenState, EndGame

AnyState = EighteenState[Any]
AnyBook = Book[Any]


def go_bankrupt(
    book: AnyBook, play: Play[AnyState], company: str, train: str, source: str, noted: int
) -> bool:
    """All the director's cash goes into the train, with what is noted for his last sales; the bank
    lends the rest. His shares go to the pool, whatever it holds then [bankruptcy]; what he led gets a
    new director or somebody who manages it [no-director]. If only one player is left, the game is
    over; returns whether it goes on."""
    state = play.state
    seat = book.control.decider(state, company)
    added = book.cash(state, seat) + noted
    lent = book.depot.price(train) - book.purse(state, company) - added
    buy_from_bank(
        book, play, company, train, source, payer=seat, added=added, set_off=noted, lent=lent
    )
    # What else is noted for him is of no use to anybody.
    state.ledger.move("note", PLAYERS[seat], BANK, book.noted(state, PLAYERS[seat]))
    state.out.append(seat)
    if state.priority == seat:
        state.priority = book.left_of(state, seat)
    led = [name for name in book.public if book.control.director(state, name) == seat]
    certificates = []
    for public in book.public.values():
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
            amounts=book.amounts(state),
        )
    )
    if len(state.out) == state.seats - 1:
        state.agenda[:] = [EndGame()]
        return False
    book.occasions.player_left(play, seat)
    for name in led:
        book.control.settle_director(play, name)
        if book.control.director(state, name) is None and state.companies[name].operating:
            play.emit(
                happened.ManagerFound(
                    rule="no-director", company=name, seat=book.control.decider(state, name)
                )
            )
    return True
