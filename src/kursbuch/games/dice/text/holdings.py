"""What every player holds, the companies, and the bank."""

from __future__ import annotations

from kursbuch.core.voice import Panel, Row
from kursbuch.games.dice.holdings import (
    behind,
    built,
    faces,
    held_shares,
    passengers,
    shares_left,
    stations_left,
    supply,
    tiles_left,
)
from kursbuch.games.dice.landscape import chains, station_places
from kursbuch.games.dice.state import DiceState
from kursbuch.games.dice.text.names import Names


def panels(state: DiceState, names: Names) -> list[Panel]:
    """What every player holds, the companies, and the bank."""
    players = [_player(state, seat, names) for seat in range(state.seats)]
    return [*players, _companies(state, names), _bank(state, names)]


def _player(state: DiceState, seat: int, names: Names) -> Panel:
    words, board = names.words, names.board
    hidden = seat in state.screened
    carried = names.passengers(passengers(state, seat))
    in_front = faces(state, seat)
    rows = [
        Row(words._("Passengers carried"), "–" if hidden else carried),
        Row(
            words._("Dice behind the screen"),
            "–" if hidden else str(behind(state, seat)),
        ),
        Row(
            words._("Dice in front"),
            str(sum(in_front)),
            "",
            names.dice(in_front) if any(in_front) else "",
        ),
    ]
    for index, company in enumerate(board.companies):
        held = held_shares(state, board, index)[seat]
        is_director = state.directors[index] == seat
        if held or is_director:
            note = words._("director") if is_director else ""
            label = words._("Shares of {company}", company=company.name)
            rows.append(Row(label, str(held), f"company:{company.id}", note))
    if state.start == seat and state.agenda:
        rows.append(Row(words._("Start player"), words._("this year")))
    return Panel(words.name(seat), seat, tuple(rows))


def _companies(state: DiceState, names: Names) -> Panel:
    rows = []
    for index, company in enumerate(names.board.companies):
        left = shares_left(state, company.id)
        rows.append(
            Row(
                company.name,
                names.words.ngettext("{n} share in the bank", "{n} shares in the bank", left),
                f"company:{company.id}",
                "; ".join(_about_company(state, index, names)),
            )
        )
    return Panel(names.words._("Companies"), None, tuple(rows))


def _about_company(state: DiceState, index: int, names: Names) -> list[str]:
    """The director of a company and its stations."""
    words, board = names.words, names.board
    director = state.directors[index]
    parts = [
        words._("no director")
        if director is None
        else words._("director {name}", name=words.name(director)),
        words._(
            "{built} of {all} stations built",
            built=built(state, board, index),
            all=board.totals[index],
        ),
    ]
    stations = [
        f"{names.surroundings(board.surroundings[stock.terrain].terrain)} {count} × {stock.cost}"
        for stock in board.stocks_of[index]
        if (count := stations_left(state, stock))
    ]
    if stations:
        parts.append(words._("left: {list}", list=", ".join(stations)))
    chain = chains(station_places(state), index)
    if chain:
        parts.append(words._("longest chain {n}", n=chain))
    return parts


def _bank(state: DiceState, names: Names) -> Panel:
    words = names.words
    rows = [
        Row(words._("Year"), words.number(state.year)),
        Row(words._("Dice in the bank"), str(supply(state))),
    ]
    rows += [
        Row(
            words._("Small tiles: {tile}", tile=names.tile(tile.id)),
            str(tiles_left(state, tile.id)),
            f"stock:{tile.id}",
        )
        for tile in names.board.tiles
    ]
    return Panel(words._("Bank"), None, tuple(rows))
