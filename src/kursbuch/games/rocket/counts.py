"""Who has how much of what, and payments."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.play import Play
from kursbuch.games.rocket.components import INDUSTRIES, Board
from kursbuch.games.rocket.state import SEATS, RocketState, share, supplementary, token

RocketPlay = Play[RocketState]


def real_shares(state: RocketState, board: Board, line: int, seat: int) -> int:
    """How many real shares of a line a player holds."""
    return state.ledger.held(share(board.lines[line].id), SEATS[seat])


def all_shares(state: RocketState, board: Board, line: int) -> list[int]:
    """Every player's shares of a line, supplementary ones included [def-share]."""
    name = board.lines[line].id
    real = state.ledger.items[share(name)]
    extra = state.ledger.items["supplementary"]
    return [
        real.get(SEATS[seat], 0) + extra.get(supplementary(seat, name), 0)
        for seat in range(state.seats)
    ]


def biddable(state: RocketState, board: Board, line: int, seat: int) -> int:
    """The most shares a player can bid: all he has, if that many real ones are in players' hands
    for the exchange [veto-12]."""
    everybody = sum(real_shares(state, board, line, other) for other in range(state.seats))
    return min(all_shares(state, board, line)[seat], everybody)


def stations_on(state: RocketState, line: int) -> list[int]:
    """Every player's stations on the hexes of a line [station-4, railtown-3]."""
    counts = [0] * state.seats
    for place, seat in state.stations.items():
        if state.owner[place] == line:
            counts[seat] += 1
    return counts


def living(state: RocketState) -> list[int]:
    """The lines that have not been dissolved."""
    return [line for line, into in enumerate(state.merged_into) if into < 0]


def tile_supply(state: RocketState) -> int:
    """How many track tiles are left."""
    return state.ledger.held("tile", "supply")


def clockwise(state: RocketState, seat: int) -> list[int]:
    """All seats clockwise, beginning with that one."""
    return [(seat + n) % state.seats for n in range(state.seats)]


def pay(play: RocketPlay, amounts: Sequence[int]) -> None:
    """Money comes from the bank, which is unlimited [setup-2]."""
    for seat, amount in enumerate(amounts):
        play.state.ledger.move("money", "bank", SEATS[seat], amount)


def rounding_unit(state: RocketState, board: Board) -> int:
    """What amounts are rounded up to [tie-1]."""
    return 1 if state.exact else board.payments.unit


def kind_counts(state: RocketState, board: Board) -> dict[str, list[int]]:
    """Every player's tokens of each of the five kinds."""
    counts = {kind: [0] * state.seats for kind in INDUSTRIES}
    for number in board.metropolises:
        town = board.towns[number]
        row = state.ledger.items[token(town.name)]
        for seat in range(state.seats):
            counts[town.industry][seat] += row.get(SEATS[seat], 0)
    passengers = state.ledger.items["passenger"]
    counts["passengers"] = [passengers.get(SEATS[seat], 0) for seat in range(state.seats)]
    return counts
