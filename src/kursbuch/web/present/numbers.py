"""A game in numbers: sheets, curves, files for spreadsheets, and where the scores come from at the end."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from markupsafe import Markup

from kursbuch.core.figures import Entry, Sheet
from kursbuch.core.numbers import Numbers
from kursbuch.core.voice import Row
from kursbuch.core.words import N_
from kursbuch.web import charts, contexts
from kursbuch.web.errors import Conflict, NotFound
from kursbuch.web.present.labels import rule_link
from kursbuch.web.present.viewer import Viewer

#: So many looks there are for curves and for parts of bars.
LOOKS = 12
#: How many letters a number takes, and how many a narrow column has room for.
NUMBER = 7
NARROW = 42
#: What a spreadsheet would take for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def numbers_of(shown: Viewer) -> Numbers:
    """The numbers of the table as the visitor may know them."""
    if shown.game is None:
        raise Conflict(N_("The game has not begun yet."))
    return Numbers(shown.game, shown.voice, shown.looking, shown.at, reveal=shown.revealed)


# ---- the page


def numbers_page(shown: Viewer) -> contexts.NumbersPage:
    """Everything in numbers."""
    found = numbers_of(shown)
    table = f"/t/{shown.table.id}"
    at = "" if shown.at is None else f"move={shown.at}"
    url = f"{table}/numbers"
    sheets = []
    for sheet in found.sheets:
        csv_url = f"{url}.csv?{'&'.join(part for part in (f'sheet={sheet.id}', at) if part)}"
        sheets.append(_sheet_info(shown, found, sheet, csv_url))
    return contexts.NumbersPage(
        table_url=table + (f"?{at}" if at else ""),
        now_url=url if at else "",
        title=shown.table.title,
        title_name=shown.title.name,
        number=found.number,
        at=shown.at,
        ending=ending(shown, found),
        near_end=shown.voice.near_end(found.state),
        hidden=len(found.known) < len(shown.seats),
        charts=worth_charts(found),
        sheets=sheets,
        highlights=highlights(found.highlights),
        csv_url=f"{url}.csv" + (f"?{at}" if at else ""),
    )


def _sheet_info(shown: Viewer, found: Numbers, sheet: Sheet, csv_url: str) -> contexts.SheetInfo:
    lines = [
        contexts.SheetLine(
            label=line.label,
            url=_move_url(shown, line.number),
            cells=[_cell(shown, sheet, entry) for entry in line.entries],
        )
        for line in sheet.lines
    ]
    drawn = sheet.curves or sheet.id == "levels"
    seats = found.known if len(sheet.head) == len(found.known) and sheet.unit == "score" else None
    return contexts.SheetInfo(
        id=sheet.id,
        title=sheet.title,
        head=list(sheet.head),
        seats=seats,
        lines=lines,
        note=sheet.note,
        sums=sheet.id == "sources",
        charts=_sheet_charts(shown, found, sheet) if drawn else [],
        csv_url=csv_url,
    )


def _move_url(shown: Viewer, number: int | None) -> str:
    if number is None:
        return ""
    now = number == shown.number
    return f"/t/{shown.table.id}" + ("" if now else f"?move={number}")


def _cell(shown: Viewer, sheet: Sheet, entry: Entry) -> contexts.SheetCell:
    if entry.value is None:
        return contexts.SheetCell(entry.text, entry.note)
    value = shown.voice.score_value(entry.value) if sheet.unit == "score" else entry.value
    return contexts.SheetCell(shown.words.number(value), entry.note)


def _sheet_charts(shown: Viewer, found: Numbers, sheet: Sheet) -> list[Markup]:
    """The curves of the columns; levels are known after every move."""
    drawn = []
    for column, name in enumerate(sheet.head):
        entries = [(line.number, line.entries[column].value) for line in sheet.lines]
        points = [(x, y) for x, y in entries if x is not None and y is not None]
        if not points:
            continue
        marks = points
        if sheet.id == "levels":
            points = [
                (number, reading.levels[name])
                for number, reading in enumerate(found.readings)
                if name in reading.levels
            ]
        drawn.append(
            charts.Curve(name, f"look-{column % LOOKS}", points, marks, steps=sheet.id == "levels")
        )
    return [charts.curves(drawn, size, shown.words.number) for size in (charts.WIDE, charts.SMALL)]


def worth_charts(
    found: Numbers, sizes: Sequence[charts.Size] = (charts.WIDE, charts.SMALL)
) -> list[Markup]:
    """What everybody was worth after every move, where it may be known; none before the first move."""
    if not found.known or not found.number:
        return []
    voice = found.voice
    ends = [stretch.number for stretch in found.stretches]
    drawn = []
    for seat in found.known:
        worth = [voice.score_value(amount) for amount in found.worth(seat)]
        marks = [(number, worth[number]) for number in ends]
        look = f"seat-{seat % 8}"
        drawn.append(
            charts.Curve(voice.name(seat), look, list(enumerate(worth)), marks, steps=True)
        )
    return [charts.curves(drawn, size, voice.words.number, ends) for size in sizes]


# ---- the end


def ending(shown: Viewer, found: Numbers) -> contexts.EndingInfo | None:
    """Why the game is over."""
    why = found.ending
    if why is None:
        return None
    reference, url = rule_link(shown.title.id, why.rule)
    return contexts.EndingInfo(why.text, reference, url)


def highlights(rows: Sequence[Row]) -> list[contexts.PanelRow]:
    """What was greatest."""
    return [contexts.PanelRow(row.label, row.value, row.key, row.note) for row in rows]


def bars(found: Numbers) -> list[Markup]:
    """For every seat a bar of what its score is made of."""
    looks = [f"look-{number % LOOKS}" for number in range(len(found.accounts))]
    columns = [[account.amounts[seat] for account in found.accounts] for seat in found.known]
    low = min((sum(amount for amount in column if amount < 0) for column in columns), default=0)
    high = max((sum(amount for amount in column if amount > 0) for column in columns), default=0)
    return [charts.bar(list(zip(looks, column, strict=True)), low, high) for column in columns]


def sources(found: Numbers) -> list[contexts.SourceLine]:
    """What the scores are made of, seat by seat."""
    voice = found.voice
    return [
        contexts.SourceLine(
            f"look-{number % LOOKS}",
            account.label,
            [
                voice.words.number(voice.score_value(account.amounts[seat]))
                if account.amounts[seat]
                else "–"
                for seat in found.known
            ],
        )
        for number, account in enumerate(found.accounts)
    ]


def needs_lines(found: Numbers) -> bool:
    """Whether the names of the sources have no room beside the numbers in a narrow column."""
    longest = max((len(account.label) for account in found.accounts), default=0)
    return longest + NUMBER * len(found.known) > NARROW


# ---- files


def numbers_csv(shown: Viewer, id: str = "") -> str:
    """One sheet as a table, or all of them as a list of numbers, for spreadsheets."""
    found = numbers_of(shown)
    out = io.StringIO()
    # In Germany spreadsheets expect commas within numbers, and something else between them.
    delimiter = ";" if shown.words.language == "de" else ","
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    if id:
        sheet = found.sheet(id)
        if sheet is None:
            raise NotFound(N_("There is no sheet {name}."), name=id[:40])
        writer.writerows(wide(shown, sheet))
    else:
        writer.writerows(long(shown, found.sheets))
    # Spreadsheets know by the mark that this is not text of their own country.
    return "\N{BYTE ORDER MARK}" + out.getvalue()


def wide(shown: Viewer, sheet: Sheet) -> list[list[str | int]]:
    """A sheet as it is on the page; notes stand in columns of their own."""
    words = shown.words
    noted = [
        any(line.entries[column].note for line in sheet.lines) for column in range(len(sheet.head))
    ]
    head = ["", words._("Move")]
    for name, has_notes in zip(sheet.head, noted, strict=True):
        head += [name, words._("{name}, note", name=name)] if has_notes else [name]
    rows: list[list[str | int]] = [[plain(text) for text in head]]
    for line in sheet.lines:
        row: list[str | int] = [plain(line.label), "" if line.number is None else line.number]
        for entry, has_notes in zip(line.entries, noted, strict=True):
            row.append(_value(shown, sheet, entry))
            if has_notes:
                row.append(plain(entry.note))
        rows.append(row)
    return rows


def long(shown: Viewer, sheets: Sequence[Sheet]) -> list[list[str | int]]:
    """A line for every number."""
    words = shown.words
    head = [words._("Sheet"), words._("Line"), words._("Move"), words._("Column")]
    rows: list[list[str | int]] = [[*head, words._("Value"), words._("Note")]]
    for sheet in sheets:
        for line in sheet.lines:
            for name, entry in zip(sheet.head, line.entries, strict=True):
                value = _value(shown, sheet, entry)
                if value != "" or entry.note:
                    number = "" if line.number is None else line.number
                    texts = [plain(text) for text in (sheet.title, line.label, name, entry.note)]
                    rows.append([texts[0], texts[1], number, texts[2], value, texts[3]])
    return rows


def _value(shown: Viewer, sheet: Sheet, entry: Entry) -> str | int:
    if entry.value is None:
        return plain(entry.text)
    return shown.voice.score_value(entry.value) if sheet.unit == "score" else entry.value


def plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> plain("=1+1"), plain("Anna")
    ("'=1+1", 'Anna')
    """
    return f"'{text}" if text.startswith(FORMULA) else text
