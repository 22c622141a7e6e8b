"""A game in numbers: result, sheets, curves and files for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import msgspec
from markupsafe import Markup, escape

from kursbuch.core.stats import GameStats
from kursbuch.core.voice import Entry, Row, Sheet
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Conflict, NotFound
from kursbuch.web.labels import PanelRow, rule_link
from kursbuch.web.tables.viewer import Viewer

#: The font size; the style sheet keeps drawings from shrinking much below it.
FONT = 13

#: The height of a text line.
ROW = 16

#: A tick at the lower edge is left out if it is closer to the last than this share of the axis.
LAST_TICK = 9

#: Number of dash patterns and marker shapes; further curves start over.
DASHES = ("", "9 4", "2 4", "12 4 2 4", "6 3", "14 5", "4 2 1 2", "1 3")

#: Marker shapes around the origin.
MARKS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "M-3.500-3.500h7v7h-7z",
    "M0-4.500l4.500 8h-9z",
    "M0-5l5 5-5 5-5-5z",
    "M0 4.500l4.500-8h-9z",
    "M-1.500-4.500h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "M-4.500-2.500h9v5h-9z",
    "M-2.500-4.500h5v9h-5z",
)


class Curve(msgspec.Struct, frozen=True):
    """A curve: its name, its class, and its points from left to right.
    `marks` are the points with a marker. With `steps`, the value stays until the next point."""

    name: str
    look: str
    points: Sequence[tuple[int, int]]
    marks: Sequence[tuple[int, int]] = ()
    steps: bool = False


class Size(msgspec.Struct, frozen=True):
    """The size of a chart, and the margin for names at its right."""

    id: str
    width: int
    height: int
    names: int


#: A page shows the one that fits.
WIDE = Size("wide", 820, 340, 110)
SMALL = Size("small", 360, 250, 84)


def curves(
    found: Sequence[Curve], size: Size, written: Callable[[int], str], rules: Iterable[int] = ()
) -> Markup:
    """Curves over a light grid, with `rules` across it at the moves where parts of the game ended."""
    points = [point for curve in found for point in curve.points]
    if not points:
        return Markup("")
    ticks = scale(min(0, *(y for _, y in points)), max(1, *(y for _, y in points)), 5)
    labels = [written(tick) for tick in ticks]
    left = 14 + round(max(map(len, labels)) * FONT * 0.6)
    right, top, bottom = size.width - size.names, 10, size.height - 24
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    low, high = ticks[0], ticks[-1]

    def across(x: int) -> float:
        # The only point is where its number is.
        part = (x - first) / (last - first) if first < last else 1
        return round(left + (right - left) * part, 1)

    def up(y: int) -> float:
        return round(bottom - (bottom - top) * (y - low) / max(1, high - low), 1)

    parts = [
        f'<path class="part-end" d="M{across(x):g} {top}V{bottom}"/>'
        for x in rules
        if first < x < last
    ]
    for tick, label in zip(ticks, labels, strict=True):
        y = up(tick)
        parts.append(f'<path class="{"zero" if tick == 0 else "grid"}" d="M{left} {y:g}H{right}"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:g}" text-anchor="end">{escape(label)}</text>')
    for x in scale(first, last, 4 if size is SMALL else 8)[:-1]:
        if first <= x and (last - x) * LAST_TICK > last - first:
            parts.append(
                f'<text x="{across(x):g}" y="{bottom + 18}" text-anchor="middle">{x}</text>'
            )
    parts.append(f'<text x="{right:g}" y="{bottom + 18}" text-anchor="middle">{last}</text>')
    for number, curve in enumerate(found):
        path = _path([(across(x), up(y)) for x, y in curve.points], curve.steps)
        dash = DASHES[number % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        mark = MARKS[number % len(MARKS)]
        marks = "".join(
            f'<path class="mark" transform="translate({across(x):g} {up(y):g})" d="{mark}"/>'
            for x, y in (curve.marks or curve.points[-1:])
        )
        parts.append(
            f'<g class="curve {curve.look}"><path class="casing" d="{path}"/>'
            f'<path class="line" d="{path}"{dashed}/>{marks}</g>'
        )
    parts += _names(found, size, [up(curve.points[-1][1]) for curve in found], across, top, bottom)
    return Markup(
        f'<svg class="chart {size.id}" viewBox="0 0 {size.width} {size.height}" '
        f'font-size="{FONT}" aria-hidden="true">{"".join(parts)}</svg>'
    )


def _names(
    found: Sequence[Curve],
    size: Size,
    heights: Sequence[float],
    across: Callable[[int], float],
    top: int,
    bottom: int,
) -> list[str]:
    """The names at the ends of the curves with their markers, moved apart where they would overlap."""
    most = round((size.names - 28) / (FONT * 0.57))
    last = max(curve.points[-1][0] for curve in found)
    parts = []
    for end in sorted({curve.points[-1][0] for curve in found}):
        order = sorted(
            (number for number, curve in enumerate(found) if curve.points[-1][0] == end),
            key=lambda number: heights[number],
        )
        places = apart([heights[number] for number in order], ROW, top + 4, bottom + 10)
        edge = size.width - size.names if end == last else across(end)
        for number, y in zip(order, places, strict=True):
            curve = found[number]
            name = curve.name if len(curve.name) <= most else curve.name[: most - 1] + "…"
            parts.append(
                f'<g class="curve {curve.look}"><path class="leader" d="M{across(end) + 5:g} '
                f'{heights[number]:g}L{edge + 12:g} {y:g}"/><path class="mark" '
                f'transform="translate({edge + 17:g} {y:g})" d="{MARKS[number % len(MARKS)]}"/></g>'
                f'<text class="name" x="{edge + 26:g}" y="{y + 4.5:g}">{escape(name)}</text>'
            )
    return parts


def _path(points: Sequence[tuple[float, float]], steps: bool) -> str:
    """The path through points; in steps, points that change nothing are left out."""
    x, y = points[0]
    parts = [f"M{x:g} {y:g}"]
    for (_, before), (x, y) in pairwise(points):
        if not steps:
            parts.append(f"L{x:g} {y:g}")
        elif y != before:
            parts.append(f"H{x:g}V{y:g}")
    if steps:
        parts.append(f"H{points[-1][0]:g}")
    return "".join(parts)


def apart(heights: Sequence[float], least: float, top: float, bottom: float) -> list[float]:
    """Rising heights, moved apart to a minimum distance.

    >>> apart([10, 12, 40], 10, 0, 100)
    [6.0, 16.0, 40]
    >>> apart([95, 99], 10, 0, 100)
    [90, 100]
    """
    groups: list[list[float]] = []
    for height in heights:
        groups.append([height])
        while True:
            place = _placed(groups[-1], least, top, bottom)
            if len(groups) < 2 or _placed(groups[-2], least, top, bottom)[-1] + least <= place[0]:
                break
            groups[-2:] = [groups[-2] + groups[-1]]
    return [place for group in groups for place in _placed(group, least, top, bottom)]


def _placed(group: Sequence[float], least: float, top: float, bottom: float) -> list[float]:
    """Overlapping heights, spread around their mean within the room there is."""
    if len(group) == 1:
        return [min(max(group[0], top), bottom)]
    length = least * (len(group) - 1)
    start = sum(group) / len(group) - length / 2
    start = max(top, min(start, bottom - length))
    return [start + least * number for number in range(len(group))]


def scale(low: int, high: int, most: int) -> list[int]:
    """Round numbers that cover `low` to `high`, about `count` of them.

    >>> scale(0, 6469, 5), scale(0, 9, 5), scale(-300, 900, 5)
    ([0, 2000, 4000, 6000, 8000], [0, 2, 4, 6, 8, 10], [-500, 0, 500, 1000])
    """
    span = max(1, high - low)
    step = 1
    while span / step > most:
        for factor in (2, 5, 10):
            if span / (step * factor) <= most:
                step *= factor
                break
        else:
            step *= 10
    first = low // step * step
    return list(range(first, first + step * (-(-(high - first) // step) + 1), step))


class Look(msgspec.Struct, frozen=True):
    """The look of a part of the bars: its class, and the board element that gives its colour, if any."""

    look: str
    key: str = ""


def bar(parts: Sequence[tuple[Look, int]], low: int, high: int) -> Markup:
    """A stacked bar, with negative parts to the left of zero; all bars share the scale from `low` to `high`."""
    span = max(1, high - low)

    def percent(value: int) -> str:
        return f"{100 * value / span:.2f}%"

    ends = [0, 0]
    found = []
    for part, amount in parts:
        side = int(amount > 0)
        start = ends[side] if side else ends[side] + amount
        ends[side] += amount
        if amount:
            found.append(
                f'<rect {_looking(part)} x="{percent(start - low)}" width="{percent(abs(amount))}" '
                'y="0" height="14"/>'
            )
    zero = f'<rect class="zero" x="{percent(-low)}" width="2" y="0" height="14"/>' if low else ""
    return Markup(
        f'<svg class="bar-of-parts" width="100%" height="14" aria-hidden="true">{"".join(found)}{zero}</svg>'
    )


def _looking(part: Look) -> str:
    if not part.key:
        return f'class="{part.look}"'
    return f'class="{part.look} piece-of" data-key="{escape(part.key)}"'


#: Number of colours for curves and bar parts.
LOOKS = 12

#: The width of a number in letters, and that of a narrow column.
NUMBER = 7
NARROW = 42

#: What a spreadsheet would take for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def numbers_of(shown: Viewer) -> GameStats:
    """The statistics of the table as the visitor may know them."""
    if shown.game is None:
        raise Conflict(N_("The game has not begun yet."))
    return GameStats(shown.game, shown.voice, shown.looking, shown.at, reveal=shown.revealed)


class EndingInfo(msgspec.Struct, frozen=True):
    """Why a game is over, with the rule."""

    text: str
    rule: str
    rule_url: str


class SheetCell(msgspec.Struct, frozen=True):
    """A cell of a sheet, `note` smaller below."""

    text: str
    note: str


class SheetLine(msgspec.Struct, frozen=True):
    """A row of a sheet; `url` is the table at that moment, empty without one."""

    label: str
    url: str
    cells: list[SheetCell]


class SheetInfo(msgspec.Struct, frozen=True):
    """A sheet of numbers; `seats` are the seats of its columns, None for other columns. `sums`: the last row is the
    total. `charts` are its curves, for wide and for small screens."""

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
    """numbers.html: a game in numbers after `number` moves; `at` is None for now, else `now_url` leads there.
    `hidden`: some scores are secret. `charts` show worth over time."""

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


def numbers_page(shown: Viewer) -> NumbersPage:
    """Collect all numbers of a game."""
    found = numbers_of(shown)
    table = f"/t/{shown.table.id}"
    at = "" if shown.at is None else f"move={shown.at}"
    url = f"{table}/numbers"
    sheets = []
    for sheet in found.sheets:
        csv_url = f"{url}.csv?{'&'.join(part for part in (f'sheet={sheet.id}', at) if part)}"
        sheets.append(_sheet_info(shown, found, sheet, csv_url))
    return NumbersPage(
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


def _sheet_info(shown: Viewer, found: GameStats, sheet: Sheet, csv_url: str) -> SheetInfo:
    lines = [
        SheetLine(
            label=line.label,
            url=_move_url(shown, line.number),
            cells=[_cell(shown, sheet, entry) for entry in line.entries],
        )
        for line in sheet.lines
    ]
    drawn = sheet.curves or sheet.id == "levels"
    seats = found.known if len(sheet.head) == len(found.known) and sheet.unit == "score" else None
    return SheetInfo(
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


def _cell(shown: Viewer, sheet: Sheet, entry: Entry) -> SheetCell:
    if entry.value is None:
        return SheetCell(entry.text, entry.note)
    value = shown.voice.score_value(entry.value) if sheet.unit == "score" else entry.value
    return SheetCell(shown.words.number(value), entry.note)


def _sheet_charts(shown: Viewer, found: GameStats, sheet: Sheet) -> list[Markup]:
    """The curves of the columns; levels have a value after every move."""
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
            Curve(name, f"look-{column % LOOKS}", points, marks, steps=sheet.id == "levels")
        )
    return [curves(drawn, size, shown.words.number) for size in (WIDE, SMALL)]


def worth_charts(found: GameStats, sizes: Sequence[Size] = (WIDE, SMALL)) -> list[Markup]:
    """The worth of each player after every move, where it is public; none before the first move."""
    if not found.known or not found.number:
        return []
    voice = found.voice
    ends = [stretch.number for stretch in found.stretches]
    drawn = []
    for seat in found.known:
        worth = [voice.score_value(amount) for amount in found.worth(seat)]
        marks = [(number, worth[number]) for number in ends]
        look = f"seat-{seat % 8}"
        drawn.append(Curve(voice.name(seat), look, list(enumerate(worth)), marks, steps=True))
    return [curves(drawn, size, voice.words.number, ends) for size in sizes]


def ending(shown: Viewer, found: GameStats) -> EndingInfo | None:
    """Why the game is over."""
    why = found.ending
    if why is None:
        return None
    reference, url = rule_link(shown.title.id, why.rule)
    return EndingInfo(why.text, reference, url)


def highlights(rows: Sequence[Row]) -> list[PanelRow]:
    """The records of the game."""
    return [PanelRow(row.label, row.value, row.key, row.note) for row in rows]


def looks(found: GameStats) -> list[Look]:
    """The looks of the sources of the scores."""
    colours = found.game.title.colours
    return [
        Look(f"look-{number % LOOKS}", account.key if account.key in colours else "")
        for number, account in enumerate(found.accounts)
    ]


def bars(found: GameStats) -> list[Markup]:
    """A bar per seat with the sources of its score."""
    parts = looks(found)
    columns = [[account.amounts[seat] for account in found.accounts] for seat in found.known]
    low = min((sum(amount for amount in column if amount < 0) for column in columns), default=0)
    high = max((sum(amount for amount in column if amount > 0) for column in columns), default=0)
    return [bar(list(zip(parts, column, strict=True)), low, high) for column in columns]


class SourceLine(msgspec.Struct, frozen=True):
    """The amounts of all players from a source of scores, and the look of its part of the bars."""

    look: Look
    label: str
    amounts: list[str]


def sources(found: GameStats) -> list[SourceLine]:
    """The sources of the scores, by seat."""
    voice = found.voice
    return [
        SourceLine(
            look,
            account.label,
            [
                voice.words.number(voice.score_value(account.amounts[seat]))
                if account.amounts[seat]
                else "–"
                for seat in found.known
            ],
        )
        for look, account in zip(looks(found), found.accounts, strict=True)
    ]


def needs_lines(found: GameStats) -> bool:
    """Whether the names of the sources do not fit beside the numbers in a narrow column."""
    longest = max((len(account.label) for account in found.accounts), default=0)
    return longest + NUMBER * len(found.known) > NARROW


def numbers_csv(shown: Viewer, id: str = "") -> str:
    """One sheet as a table, or all of them as a list of numbers, for spreadsheets."""
    found = numbers_of(shown)
    out = io.StringIO()
    # German spreadsheets expect decimal commas, and semicolons as separators.
    delimiter = ";" if shown.words.language == "de" else ","
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    if id:
        sheet = found.sheet(id)
        if sheet is None:
            raise NotFound(N_("There is no sheet {name}."), name=id[:40])
        writer.writerows(wide(shown, sheet))
    else:
        writer.writerows(long(shown, found.sheets))
    # The byte order mark tells spreadsheets the encoding.
    return "\N{BYTE ORDER MARK}" + out.getvalue()


def wide(shown: Viewer, sheet: Sheet) -> list[list[str | int]]:
    """A sheet as on the page; notes get columns of their own."""
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
    """A row for every number."""
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
    """Text that no spreadsheet takes for a formula.

    >>> plain("=1+1"), plain("Anna")
    ("'=1+1", 'Anna')
    """
    return f"'{text}" if text.startswith(FORMULA) else text
