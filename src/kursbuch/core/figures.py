"""Numbers over time, as a title gives them and readers see them: sources of a score, sheets, the end."""

from __future__ import annotations

from typing import Literal

import msgspec

from kursbuch.core.events import Event


class Reading(msgspec.Struct, frozen=True):
    """What is kept of the position after a move: what each seat is worth, and what everybody can see
    things stand at (`Title.worth`, `Title.levels`)."""

    worth: tuple[int | None, ...]
    levels: dict[str, int]


class Account(msgspec.Struct, frozen=True):
    """A source of scores: what every seat has from it, with a remark for each or none at all."""

    label: str
    amounts: tuple[int, ...]
    notes: tuple[str, ...] = ()


class Ending(msgspec.Struct, frozen=True):
    """Why a game is over: a sentence, and the id of the rule."""

    text: str
    rule: str


class Stretch(msgspec.Struct, frozen=True):
    """A stretch of a game, such as a round: what it is called, its last move, and what happened."""

    label: str
    number: int
    events: tuple[Event, ...]


class Entry(msgspec.Struct, frozen=True):
    """A number on a sheet, or a text in its place; `note` stands smaller below it."""

    value: int | None = None
    text: str = ""
    note: str = ""


class Line(msgspec.Struct, frozen=True):
    """A line of a sheet; `number` is the move it leads to, None if it is about no moment."""

    label: str
    entries: tuple[Entry, ...]
    number: int | None = None


class Sheet(msgspec.Struct, frozen=True):
    """A table of numbers. `head` are the columns after the first, `id` names it in addresses.

    `unit` says whether its numbers are scores or plain numbers; `curves`: the lines are moments,
    and each column makes a curve.
    """

    id: str
    title: str
    head: tuple[str, ...]
    lines: tuple[Line, ...]
    note: str = ""
    unit: Literal["score", "number"] = "number"
    curves: bool = False


def sheet_of(
    id: str,
    title: str,
    stretches: list[Stretch],
    columns: dict[str, str],
    found: list[dict[str, Entry]],
    note: str = "",
    *,
    curves: bool = False,
) -> Sheet:
    """A sheet with a line for every stretch in which anything was `found`, by the keys of `columns`;
    columns without anything are left out.

    >>> turns = [Stretch("Turn 1", 3, ()), Stretch("Turn 2", 6, ())]
    >>> found = [{}, {"b": Entry(5)}]
    >>> sheet = sheet_of("wood", "Wood", turns, {"a": "Anna", "b": "Bernd"}, found)
    >>> sheet.head, [(line.label, line.entries) for line in sheet.lines]
    (('Bernd',), [('Turn 2', (Entry(value=5, text='', note=''),))])
    """
    used = [key for key in columns if any(key in row for row in found)]
    lines = tuple(
        Line(stretch.label, tuple(row.get(key, Entry()) for key in used), stretch.number)
        for stretch, row in zip(stretches, found, strict=True)
        if row
    )
    return Sheet(id, title, tuple(columns[key] for key in used), lines, note, curves=curves)
