"""Every player and every company of Railroad Dice at a glance."""

from __future__ import annotations

from kursbuch.core.voice import Chip, Row, Summary
from kursbuch.games.dice.holdings import behind, built, faces, held_shares, shares_left
from kursbuch.games.dice.landscape import chains, station_places
from kursbuch.games.dice.state import DiceState
from kursbuch.games.dice.text.names import Names


def summaries(state: DiceState, names: Names) -> list[Summary]:
    """A card for each player and each company."""
    players = [_player(state, seat, names) for seat in range(state.seats)]
    return [
        *players,
        *(_company(state, index, names) for index in range(len(names.board.companies))),
    ]


def _player(state: DiceState, seat: int, names: Names) -> Summary:
    words, board = names.words, names.board
    hidden = "–" if seat in state.screened else str(behind(state, seat))
    figures = (
        Row(words._("Dice behind the screen"), hidden),
        Row(words._("Dice in front"), str(sum(faces(state, seat)))),
    )
    chips = []
    for index, company in enumerate(board.companies):
        held = held_shares(state, board, index)[seat]
        directs = state.directors[index] == seat
        if held or directs:
            note = words._("director") if directs else ""
            chips.append(Chip(f"{company.name} {held}", f"company:{company.id}", directs, note))
    note = words._("start player") if state.start == seat and state.agenda else ""
    return Summary(words.name(seat), seat, figures=figures, chips=tuple(chips), note=note)


def _company(state: DiceState, index: int, names: Names) -> Summary:
    words, board = names.words, names.board
    company, director = board.companies[index], state.directors[index]
    return Summary(
        company.name,
        key=f"company:{company.id}",
        figures=(
            Row(words._("Stations"), f"{built(state, board, index)}/{board.totals[index]}"),
            Row(words._("Longest chain"), str(chains(station_places(state), index))),
            Row(words._("Shares in the bank"), str(shares_left(state, company.id))),
        ),
        note=words._("no director") if director is None else words.name(director),
    )
