"""Who has what: looking it up, and moving money and locomotives."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.errors import Money
from kursbuch.core.play import Play
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.components import CURRENCY, Cards
from kursbuch.games.nimm.state import NimmState, Train, loco_item, owner

NimmPlay = Play[NimmState]


# ---- looking up


def money(state: NimmState, seat: int) -> int:
    """What a player has."""
    return state.ledger.held("money", owner(seat))


def knows_money(state: NimmState, seat: int) -> bool:
    """Whether the state says what a player has: a view tells it of the viewer only."""
    purses = state.ledger.items["money"]
    return owner(seat) in purses or "bank" in purses or not state.agenda


def clockwise(state: NimmState, seat: int) -> list[int]:
    """All seats clockwise, beginning with that one."""
    return [(seat + n) % state.seats for n in range(state.seats)]


def left_of(state: NimmState, seat: int) -> int:
    """The left neighbour."""
    return (seat + 1) % state.seats


def needy(state: NimmState, cards: Cards) -> list[int]:
    """The seats that still need locomotives; nobody else takes part [bid-1, auction-turn-8]."""
    full = cards.setup.locomotives_per_player
    return [seat for seat in range(state.seats) if len(state.trains[seat]) < full]


def locos_at(state: NimmState, cards: Cards, holder: str) -> list[str]:
    """The locomotive cards in a place, in the order of the component file."""
    items = state.ledger.items
    return [loco.id for loco in cards.locomotives if holder in items[loco_item(loco.id)]]


def payable(state: NimmState, cards: Cards, seat: int, locos: Sequence[str]) -> list[str]:
    """Those of the locomotives whose power a player can pay [bid-5]."""
    purse = money(state, seat)
    return [loco for loco in locos if cards.locomotive[loco].power <= purse]


def only(state: NimmState, seat: int, amount: int) -> tuple[int, ...]:
    """An amount for one player, as the amounts of a payment."""
    return tuple(amount if other == seat else 0 for other in range(state.seats))


def dollars(amount: int) -> Money:
    """An amount of money in a refusal."""
    return Money(amount, CURRENCY)


# ---- moving


def pay_bank(play: NimmPlay, seat: int, amount: int) -> None:
    """A player pays the bank."""
    play.state.ledger.move("money", owner(seat), "bank", amount)


def receive(play: NimmPlay, seat: int, amount: int) -> None:
    """The bank pays a player."""
    play.state.ledger.move("money", "bank", owner(seat), amount)


def take_loco(play: NimmPlay, seat: int, loco: str, source: str) -> None:
    """A player lays a locomotive before him."""
    play.state.ledger.move(loco_item(loco), source, owner(seat))
    play.state.trains[seat].append(Train(loco, []))


def take_spares(play: NimmPlay, seat: int, locos: Sequence[str], source: str) -> None:
    """Unsold locomotives become spare ones, face down; which card is which no longer matters
    [bid-4]."""
    for loco in locos:
        play.state.ledger.move(loco_item(loco), source, "spare")
        play.state.trains[seat].append(Train("", []))
    play.emit(happened.SparesReceived(rule="bid-4", seat=seat, count=len(locos)))
