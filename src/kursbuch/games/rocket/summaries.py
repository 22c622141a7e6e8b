"""Everybody in Stephenson's Rocket at a glance: what each player has, and who leads where."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.voice import Cell, Chip, Grid, Row, Summary
from kursbuch.core.words import Words
from kursbuch.games.rocket.components import KIND_NAMES, KINDS, Board
from kursbuch.games.rocket.counts import all_shares, kind_counts, living
from kursbuch.games.rocket.state import SEATS, RocketState, share


def summary(state: RocketState, board: Board, words: Words, seat: int) -> Summary:
    """The card of a player: stations left, shares and tokens; who has most of something leads there."""
    chips = []
    for line in living(state):
        held = all_shares(state, board, line)
        if held[seat]:
            name = board.lines[line].id
            chips.append(Chip(f"{name} {held[seat]}", f"line:{name}", held[seat] == max(held)))
    for kind, counts in kind_counts(state, board).items():
        if counts[seat]:
            text = f"{words._(KIND_NAMES[kind])} {counts[seat]}"
            chips.append(Chip(text, strong=counts[seat] == max(counts)))
    left = state.ledger.held(f"station:{SEATS[seat]}", "supply")
    figures = (Row(words._("Stations left"), str(left)),)
    return Summary(words.name(seat), seat, figures=figures, chips=tuple(chips))


def majorities(state: RocketState, board: Board, words: Words) -> Grid:
    """Shares of every line and tokens of every kind; who has most has a star."""
    lines = living(state)
    rows = [
        (
            Cell(board.lines[line].id, key=f"line:{board.lines[line].id}"),
            Cell(str(state.connected[line].bit_count())),
            Cell(str(state.ledger.held(share(board.lines[line].id), "stock"))),
            *_ranked(all_shares(state, board, line)),
        )
        for line in lines
    ]
    counts = kind_counts(state, board)
    rows += [
        (Cell(words._(KIND_NAMES[kind])), Cell(""), Cell(""), *_ranked(counts[kind]))
        for kind in KINDS
    ]
    players = tuple(range(state.seats))
    head = (words._("Lines"), words._("Towns"), words._("Stock"), *map(words.name, players))
    note = words._("★ has most.")
    return Grid(words._("Majorities"), head, tuple(rows), note, brief=True, players=players)


def _ranked(counts: Sequence[int]) -> list[Cell]:
    most = max(counts)
    return [Cell(f"★{n}" if n == most else str(n)) if n else Cell("") for n in counts]
