"""The end of a game, and its numbers over time."""

from __future__ import annotations

import msgspec
from markupsafe import Markup

from kursbuch.web.contexts.common import PanelRow


class EndingInfo(msgspec.Struct, frozen=True):
    """Why a game is over, with the rule."""

    text: str
    rule: str
    rule_url: str


class RankLine(msgspec.Struct, frozen=True):
    """A place of the ranking; `bar` is what the score is made of, `rating` how a rated game changed what is
    thought of the player, empty if it did not."""

    place: int
    seat: int
    name: str
    score: str
    bar: Markup
    is_winner: bool
    rating: str


class SourceLine(msgspec.Struct, frozen=True):
    """What everybody has from a source of scores; `look` is the class of its part of the bars."""

    look: str
    label: str
    amounts: list[str]


class ResultInfo(msgspec.Struct, frozen=True):
    """How the game ended: why, who won, where the scores come from, what everybody was worth over time,
    what was greatest. `stacked`: the sources need a line of their own above their numbers."""

    sentence: str
    ending: EndingInfo | None
    ranking: list[RankLine]
    sources: list[SourceLine]
    stacked: bool
    chart: Markup
    highlights: list[PanelRow]
    numbers_url: str
    review_url: str
    replay_url: str


class SheetCell(msgspec.Struct, frozen=True):
    """A cell of a sheet of numbers, `note` smaller below."""

    text: str
    note: str


class SheetLine(msgspec.Struct, frozen=True):
    """A line of a sheet; `url` is the table at that moment, empty if it is about none."""

    label: str
    url: str
    cells: list[SheetCell]


class SheetInfo(msgspec.Struct, frozen=True):
    """A sheet of numbers; `seats` are those its columns are about, None for other columns. `sums`: the last
    line is the sum of the others. `charts` are its curves, for wide and for small screens."""

    id: str
    title: str
    head: list[str]
    seats: list[int] | None
    lines: list[SheetLine]
    note: str
    sums: bool
    charts: list[Markup]
    csv_url: str


class NumbersPage(msgspec.Struct, frozen=True):
    """numbers.html: a game in numbers after `number` moves; `at` is None for now, else `now_url` leads
    there. `hidden`: the scores of some may not be known. `charts` show what everybody was worth."""

    table_url: str
    now_url: str
    title: str
    title_name: str
    number: int
    at: int | None
    ending: EndingInfo | None
    near_end: str
    hidden: bool
    charts: list[Markup]
    sheets: list[SheetInfo]
    highlights: list[PanelRow]
    csv_url: str
