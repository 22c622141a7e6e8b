"""The sheets that every 18xx title has: the map, and the share price chart with the holdings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kursbuch.core.errors import IllegalAction
from kursbuch.core.words import Words
from kursbuch.eighteen.book import Book
from kursbuch.eighteen.drawing import legend, sheets
from kursbuch.eighteen.drawing.look import PLAIN, MapLook
from kursbuch.eighteen.drawing.map import INK, RUNS, TRACK, gauges, map_parts, point, run_dashes
from kursbuch.eighteen.drawing.sheets import Sheet, words_of
from kursbuch.eighteen.events import RunEvent
from kursbuch.eighteen.map.runs import Run, best_runs, given_runs
from kursbuch.eighteen.state import Build, Pay, Place, RaiseMoney, Swap
from kursbuch.hexmap import svg

#: Room beside and above the chart for the controls of a page.
EDGE, TOP = 80.0, 44.0


def draw(
    state: Any,
    book: Book[Any],
    words: Words,
    companies: Sequence[str],
    title: str,
    marks: Sequence[str] = (),
    more: Sequence[Sheet] = (),
    first: str = "",
    look: MapLook = PLAIN,
) -> str:
    """The whole table, with what lies on it only in some title; `first` is the sheet to look at, if it is
    not the one the round is about."""
    found = [
        map_sheet(state, book, words, marks, look),
        shares_sheet(state, book, words, companies, marks),
        *more,
    ]
    return sheets.document(found, first or subject(state), words._("The table"), title)


def subject(state: Any) -> str:
    """The sheet the round is about: "map" or "shares"."""
    step = state.agenda[-1] if state.agenda else None
    shares = not state.round.part or isinstance(step, RaiseMoney | Swap)
    return "shares" if shares else "map"


# ---- the map


def map_sheet(
    state: Any,
    book: Book[Any],
    words: Words,
    marks: Sequence[str] = (),
    look: MapLook = PLAIN,
    more: Sequence[legend.Line] = (),
) -> Sheet:
    """The map with its track, markers and homes kept, and the runs it is about; `more` are further
    lines of the legend."""
    components = book.components
    reserved = {}
    for name, company in state.companies.items():
        if company.closed or any(station.company == name for station in state.layout.stations):
            continue
        for home in components.homes[name]:
            if home.number is not None:
                reserved[home.hex, home.number] = name
    board = components.board
    runs, mail = _runs(state, book, marks)
    colours = sheets.looks(book)
    width, height, content = map_parts(
        board,
        state.layout,
        book.phase(state).phase - 1,
        [run.track for run in runs],
        looks=colours,
        reserved=reserved,
        marks=marks,
        look=look,
        under=legend.companies(board, look, colours, words, acting(state)),
    )
    lines = [*more]
    found = gauges(board)
    if len(found) > 1:
        lines = legend.gauge_lines(found, look.sizes, words) + lines
    if lines:
        at = (16.0, height - legend.LINE * len(lines))
        if look.track_legend:
            at = point(board, look.track_legend, look.sizes)
        content += legend.lines(at, lines)
    content += _legend(runs, mail, words, width - 190, height - 26 * len(runs) - 60)
    return Sheet("map", words._("Map"), width, height, content)


def acting(state: Any) -> str:
    """The company that builds now, if one does."""
    step = state.agenda[-1] if state.agenda else None
    return step.company if isinstance(step, Build | Place) else ""


def _legend(runs: Sequence[Run], mail: int, words: Words, x: float, y: float) -> Iterator[str]:
    """Which line is which train, and what it earns; below the one that carries the mail what that
    earns beside."""
    if mail >= 0:
        y -= 26
    for number, run in enumerate(runs):
        at = y + 26 * (number + (0 <= mail < number))
        yield svg.element(
            "path",
            d=f"M{svg.number(x)} {svg.number(at)}h60",
            class_=f"run-{number}",
            stroke=RUNS[number % len(RUNS)],
            stroke_width=5.5,
            stroke_dasharray=run_dashes(number),
            **TRACK,
        )
        yield words_of(x + 74, at + 7, f"{run.train}: {run.value}", 20, font_weight="bold")
        if number == mail:
            yield _letter(x + 30, at + 26)
            text = words._("mail: {amount}", amount=mail_of(run))
            yield words_of(x + 74, at + 33, text, 20)


def _letter(x: float, y: float) -> str:
    """The sign of the mail."""
    data = f"M{svg.number(x - 13)} {svg.number(y - 9)}h26v18h-26zl13 11l13 -11"
    look: svg.Look = {"fill": "#ffffff", "stroke": INK, "stroke_linejoin": "round"}
    return svg.path(data, class_="letter", stroke_width=2, **look)


def mail_of(run: Run) -> int:
    """What a run earns that carries the mail."""
    return run.calls[0].value + run.calls[-1].value


def _runs(state: Any, book: Book[Any], marks: Sequence[str]) -> tuple[list[Run], int]:
    """The runs whose revenue is being decided about, or the last ones as they were run, and which of
    them carries the mail, -1 if none does."""
    step = state.agenda[-1] if state.agenda else None
    if isinstance(step, Pay):
        if book.policy.mail:
            takings = book.depot.best_runs(state, step.company)
            ran = [
                RunEvent(
                    rule="revenue",
                    company=step.company,
                    revenue=takings.revenue,
                    runs=takings.runs,
                    mail=takings.mail,
                )
            ]
            return _as_run(state, book, sheets.marks(ran))
        trains = book.depot.running_trains(state, step.company)
        return best_runs(book.components, book.position(state), step.company, trains)[1], -1
    return _as_run(state, book, marks)


def _as_run(state: Any, book: Book[Any], marks: Sequence[str]) -> tuple[list[Run], int]:
    """The last runs among the marks."""
    ran = [mark.split(":")[1:] for mark in marks if mark.startswith("run:")]
    if not ran:
        return [], -1
    last = [one for one in ran if one[0] == ran[-1][0]]
    trains, stops = [train for _, _, train, _ in last], [calls.split("-") for *_, calls in last]
    company = ran[-1][0]
    carries = [mark for mark in marks if mark.startswith(f"mail:{company}:")]
    try:
        runs = given_runs(book.components, book.position(state), company, trains, stops)
    except IllegalAction:
        # Something that followed has changed the track or the stations.
        return [], -1
    return runs, int(carries[-1].rpartition(":")[2]) if carries else -1


# ---- prices and shares


def shares_sheet(
    state: Any,
    book: Book[Any],
    words: Words,
    companies: Sequence[str],
    marks: Sequence[str] = (),
    fields: sheets.Fields = sheets.NO_FIELDS,
) -> Sheet:
    """The share price chart, and below it who holds which shares of these companies; `fields` are
    those of the chart that are more than a price."""
    looks = sheets.looks(book)
    width, height = sheets.chart_size(book)
    table = sheets.shares_width(state)
    tall = sheets.HEAD + 6 + len(companies) * sheets.ROW
    wide, narrow = min(1.15, width / table), width / table
    meanings = list(sheets.field_legend(fields, height + 16))
    top = height + 26 + 24 * bool(meanings)
    left = svg.number(10 + (width - table * wide) / 2)
    content = [
        svg.group(
            [*sheets.draw_chart(book, state, looks, marks, fields), *meanings],
            transform=f"translate(10 {svg.number(10 + TOP)})",
            data_narrow="translate(10 10)",
        ),
        svg.group(
            sheets.draw_shares(book, state, words, looks, companies, marks),
            transform=f"translate({left} {svg.number(top + TOP)}) scale({wide:.3f})",
            data_narrow=f"translate(10 {top}) scale({narrow:.3f})",
        ),
    ]
    return Sheet(
        "shares",
        words._("Shares"),
        width + EDGE,
        top + TOP + tall * wide + 10,
        content,
        (width + 20, top + tall * narrow + 10),
    )
