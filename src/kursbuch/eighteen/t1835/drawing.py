"""The table of 1835 as SVG: the map, the share price chart with the holdings, the start packet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursbuch.core.errors import IllegalAction
from kursbuch.core.words import Words
from kursbuch.eighteen.drawing import sheets
from kursbuch.eighteen.drawing.map import RUNS, TRACK, map_parts, run_dashes
from kursbuch.eighteen.drawing.sheets import Sheet, words_of
from kursbuch.eighteen.map.runs import Run, best_runs, given_runs
from kursbuch.eighteen.pieces import PACKET
from kursbuch.eighteen.state import Pay, RaiseMoney, Swap
from kursbuch.eighteen.t1835.book import Book1835
from kursbuch.eighteen.t1835.components import Paper
from kursbuch.eighteen.t1835.state import PacketTurn, State1835
from kursbuch.eighteen.t1835.texts import Texts1835
from kursbuch.hexmap import svg

CARD_WIDTH, CARD_HEIGHT, SPACE = 184.0, 104.0, 10.0
#: Room beside and above the chart for the controls of a page.
EDGE, TOP = 80.0, 44.0


def draw(state: State1835, book: Book1835, words: Words, marks: Sequence[str] = ()) -> str:
    """The whole table; the sheet to look at is the one the round is about."""
    found = [_map(state, book, words, marks), _shares(state, book, words, marks)]
    step = state.agenda[-1] if state.agenda else None
    shares = not state.round.part or isinstance(step, RaiseMoney | Swap)
    first = "shares" if shares else "map"
    if any(_unsold(state, paper) for paper in book.components.packet.values()):
        found.append(_packet(state, book, words, marks))
        if isinstance(step, PacketTurn):
            first = "packet"
    return sheets.document(found, first, words._("The table"), "1835")


# ---- the map


def _map(state: State1835, book: Book1835, words: Words, marks: Sequence[str]) -> Sheet:
    components = book.components
    reserved = {}
    for name, company in state.companies.items():
        if company.closed or any(station.company == name for station in state.layout.stations):
            continue
        for home in components.homes[name]:
            if home.number is not None:
                reserved[home.hex, home.number] = name
    runs = _runs(state, book, marks)
    width, height, content = map_parts(
        components.board,
        state.layout,
        book.phase(state).phase - 1,
        [run.track for run in runs],
        looks=sheets.looks(book),
        reserved=reserved,
        marks=marks,
    )
    content += _legend(runs, width - 190, height - 26 * len(runs) - 60)
    return Sheet("map", words._("Map"), width, height, content)


def _legend(runs: Sequence[Run], x: float, y: float) -> Iterator[str]:
    """Which line is which train, and what it earns."""
    for number, run in enumerate(runs):
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
        yield words_of(x + 74, at + 7, f"{run.train}: {run.value}", 20, font_weight="bold")


def _runs(state: State1835, book: Book1835, marks: Sequence[str]) -> list[Run]:
    """The runs whose revenue is being decided about, or the last ones as they were run."""
    step = state.agenda[-1] if state.agenda else None
    if isinstance(step, Pay):
        trains = book.depot.running_trains(state, step.company)
        return best_runs(book.components, book.position(state), step.company, trains)[1]
    ran = [mark.split(":")[1:] for mark in marks if mark.startswith("run:")]
    if not ran:
        return []
    last = [one for one in ran if one[0] == ran[-1][0]]
    trains, stops = [train for _, _, train, _ in last], [calls.split("-") for *_, calls in last]
    try:
        return given_runs(book.components, book.position(state), ran[-1][0], trains, stops)
    except IllegalAction:
        # Something that followed has changed the track or the stations.
        return []


# ---- prices and shares


def _shares(state: State1835, book: Book1835, words: Words, marks: Sequence[str]) -> Sheet:
    looks = sheets.looks(book)
    width, height = sheets.chart_size(book)
    companies = Texts1835(book, words).shown_companies(state)
    table = sheets.shares_width(state)
    tall = sheets.HEAD + 6 + len(companies) * sheets.ROW
    wide, narrow = min(1.15, width / table), width / table
    top = height + 26
    left = svg.number(10 + (width - table * wide) / 2)
    content = [
        svg.group(
            sheets.draw_chart(book, state, looks, marks),
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


# ---- the start packet


def _unsold(state: State1835, paper: Paper) -> bool:
    return state.ledger.held(paper.item, PACKET) > 0


def _packet(state: State1835, book: Book1835, words: Words, marks: Sequence[str]) -> Sheet:
    most = max(len(row) for row in book.components.rows)
    width = most * (CARD_WIDTH + SPACE) + SPACE
    content: list[str] = []
    for line, row in enumerate(book.components.rows):
        left = (width - len(row) * (CARD_WIDTH + SPACE) + SPACE) / 2
        for place, paper in enumerate(row):
            x = left + place * (CARD_WIDTH + SPACE)
            y = SPACE + line * (CARD_HEIGHT + SPACE)
            content.append(_paper(state, book, words, paper, (x, y), f"paper:{paper.id}" in marks))
    height = SPACE + len(book.components.rows) * (CARD_HEIGHT + SPACE)
    return Sheet("packet", words._("Start packet"), width, height, content)


def _paper(
    state: State1835,
    book: Book1835,
    words: Words,
    paper: Paper,
    at: tuple[float, float],
    marked: bool,
) -> str:
    x, y = at
    texts = Texts1835(book, words)
    unsold = _unsold(state, paper)
    parts = [
        svg.element(
            "rect",
            x=x,
            y=y,
            width=CARD_WIDTH,
            height=CARD_HEIGHT,
            rx=6,
            class_="lane mark" if marked else "lane" if unsold else "lane gone",
            fill="#fbf6e9" if unsold else "none",
            stroke="#b3202c" if marked else "#8d8672",
            stroke_width=3 if marked else 1.2,
            stroke_dasharray=None if unsold else "5 4",
        )
    ]
    parts += _paper_text(state, book, texts, paper, x, y, unsold)
    key = f"paper:{paper.id}" if unsold else None
    return svg.group(parts, title=texts.full_paper(paper.id), data_pick=key)


def _paper_text(
    state: State1835,
    book: Book1835,
    texts: Texts1835,
    paper: Paper,
    x: float,
    y: float,
    unsold: bool,
) -> Iterator[str]:
    _ = texts.words._
    name = paper.company or paper.id
    yield words_of(x + 12, y + 30, name, 24, font_weight="bold", class_="ink" if unsold else "note")
    if not unsold:
        yield words_of(x + 12, y + 54, _("sold"), 15, class_="note")
        return
    price = texts.money(texts.paper_price(state, paper.id))
    yield words_of(x + CARD_WIDTH - 12, y + 30, price, 21, text_anchor="end")
    components = book.components
    lines = []
    if paper.company:
        lines.append(texts.certificate(paper.certificate))
    elif paper.id in components.minors:
        minor = components.minors[paper.id]
        lines.append(minor.name)
        share = f"{minor.exchange.company} {texts.percent(minor.exchange.percent)}"
        lines.append(_("later {share}", share=share))
    else:
        private = components.privates[paper.id]
        lines.append(private.name)
        lines.append(_("income {amount}", amount=texts.money(book.market.income(state, paper.id))))
    if paper.free is not None:
        company, certificate = paper.free
        lines.append(f"+ {company} {texts.certificate(certificate)}")
    for number, line in enumerate(lines):
        yield words_of(x + 12, y + 54 + number * 19, line, 15 if len(line) < 19 else 13)
