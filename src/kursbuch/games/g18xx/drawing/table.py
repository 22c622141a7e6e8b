"""The sheets of every 18xx title: the map, and the stock market with the shareholdings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kursbuch.core.errors import IllegalAction
from kursbuch.core.words import Words
from kursbuch.games.g18xx.drawing import legend, sheets
from kursbuch.games.g18xx.drawing.faces import INK, SIZE, TRACK, gauges
from kursbuch.games.g18xx.drawing.look import PLAIN, MapLook
from kursbuch.games.g18xx.drawing.map import RUNS, Way, map_parts, point, run_dashes
from kursbuch.games.g18xx.drawing.sheets import Sheet, words_of
from kursbuch.games.g18xx.map.revenue import Run, picked_runs
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import Build, Pay, PlaceToken, RaiseMoney, Swap
from kursbuch.hexmap import svg


def draw(
    state: Any,
    ruleset: Ruleset[Any],
    words: Words,
    companies: Sequence[str],
    title: str,
    marks: Sequence[str] = (),
    more: Sequence[Sheet] = (),
    first: str = "",
    look: MapLook = PLAIN,
) -> str:
    """Draw the whole table, with `more` sheets of the title; `first` is the sheet to show, by
    default the one the round is about."""
    found = [
        map_sheet(state, ruleset, words, marks, look),
        shares_sheet(state, ruleset, words, companies, marks),
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
    ruleset: Ruleset[Any],
    words: Words,
    marks: Sequence[str] = (),
    look: MapLook = PLAIN,
    more: Sequence[legend.Line] = (),
) -> Sheet:
    """The map with track, tokens, reserved homes and current runs; `more` are further lines of the
    legend."""
    board, colours = ruleset.components.board, sheets.looks(ruleset)
    reserved = {}
    for name, company in state.companies.items():
        if company.closed or any(station.company == name for station in state.layout.stations):
            continue
        for home in ruleset.builder.homes(state, name):
            if home.number is not None:
                reserved[home.hex, home.number] = name
    runs = _runs(state, ruleset, marks)
    width, height, content, above = map_parts(
        board,
        state.layout,
        ruleset.phase(state).number - 1,
        [Way.of(board, run) for run in runs],
        looks=colours,
        reserved=reserved,
        marks=marks,
        look=look,
        under=legend.companies(board, look, colours, words, acting(state)),
    )
    lines = list(more)
    found = gauges(board)
    if len(found) > 1:
        lines = legend.gauge_lines(found, look.sizes, words) + lines
    if lines:
        at = (16.0, height - legend.LINE * len(lines))
        if look.track_legend:
            at = point(board, look.track_legend, look.sizes)
        content += legend.lines(at, lines)
    said = [_earned(run, words) for run in runs]
    wide = 90 + max((svg.BOLD * svg.width(text, 20) for text in said), default=0)
    content += _legend(runs, said, width - max(wide, 190), height - 26 * len(runs) - 60)
    return Sheet(
        "map",
        words._("Map"),
        width,
        height,
        content,
        above=above,
        letters=SIZE * look.sizes.name,
        near=SIZE * look.sizes.near,
    )


def acting(state: Any) -> str:
    """The company that is laying tiles or placing a token, if any."""
    step = state.agenda[-1] if state.agenda else None
    return step.company if isinstance(step, Build | PlaceToken) else ""


def _earned(run: Run, words: Words) -> str:
    """What a train earns, including mail."""
    text = f"{run.train}: {run.value}"
    return words._("{run} + {mail} mail", run=text, mail=run.mail) if run.mail else text


def _legend(runs: Sequence[Run], said: Sequence[str], x: float, y: float) -> Iterator[str]:
    """Legend of the runs: line, train and earnings."""
    for number, (run, text) in enumerate(zip(runs, said, strict=True)):
        at = y + 26 * number
        yield svg.element(
            "path",
            d=f"M{svg.number(x)} {svg.number(at)}h60",
            class_=f"run-{number}",
            stroke=RUNS[number % len(RUNS)],
            stroke_width=5.5,
            stroke_dasharray=run_dashes(number),
            **TRACK,
        )
        if run.mail:
            yield _letter(x - 24, at)
        yield words_of(x + 74, at + 7, text, 20, font_weight="bold")


def _letter(x: float, y: float) -> str:
    """The mail symbol."""
    data = f"M{svg.number(x - 13)} {svg.number(y - 9)}h26v18h-26zl13 11l13 -11"
    look: svg.Look = {"fill": "#ffffff", "stroke": INK, "stroke_linejoin": "round"}
    return svg.path(data, class_="letter", stroke_width=2, **look)


def _runs(state: Any, ruleset: Ruleset[Any], marks: Sequence[str]) -> Sequence[Run]:
    """The runs to be paid out or withheld, else the last runs as they were run."""
    step = state.agenda[-1] if state.agenda else None
    if isinstance(step, Pay):
        pays = ruleset.control.payout_problem(state, step.company) is None
        return ruleset.depot.best_runs(state, step.company, pays=pays).runs
    ran = [mark.split(":")[1:] for mark in marks if mark.startswith("run:")]
    if not ran:
        return []
    last = [one for one in ran if one[0] == ran[-1][0]]
    trains, stops = [train for _, _, train, _ in last], [calls.split("-") for *_, calls in last]
    mail = ruleset.policy.mail
    try:
        position = ruleset.position(state)
        return picked_runs(ruleset.components, position, ran[-1][0], trains, stops, mail=mail).runs
    except IllegalAction:
        # Track or stations have changed since.
        return []


# ---- prices and shares


def shares_sheet(
    state: Any,
    ruleset: Ruleset[Any],
    words: Words,
    companies: Sequence[str],
    marks: Sequence[str] = (),
    fields: sheets.Fields = sheets.NO_FIELDS,
) -> Sheet:
    """The stock market chart above the list of shares of these companies; `fields` are the special
    cells."""
    looks = sheets.looks(ruleset)
    width, height = sheets.chart_size(ruleset)
    table = sheets.shares_width(state)
    tall = sheets.HEAD + 6 + len(companies) * sheets.ROW
    wide, narrow = min(1.15, width / table), width / table
    meanings = list(sheets.field_legend(fields, height + 16))
    top = height + 26 + 24 * bool(meanings)
    left = svg.number(10 + (width - table * wide) / 2)
    content = [
        svg.group(
            [sheets.draw_chart(ruleset, state, looks, marks, fields), *meanings],
            transform="translate(10 10)",
        ),
        svg.group(
            sheets.draw_shares(ruleset, state, words, looks, companies, marks),
            transform=f"translate({left} {svg.number(top)}) scale({wide:.3f})",
            data_narrow=f"translate(10 {top}) scale({narrow:.3f})",
        ),
    ]
    return Sheet(
        "shares",
        words._("Shares"),
        width + 20,
        top + tall * wide + 10,
        content,
        (width + 20, top + tall * narrow + 10),
        letters=min(sheets.LETTERS, sheets.NOTES * wide),
        lines=True,
    )
