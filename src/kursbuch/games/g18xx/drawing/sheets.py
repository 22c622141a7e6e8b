"""Sheets of an 18xx title: the map, and the stock market chart with the shareholdings.

`document` draws several sheets side by side in one picture. A page can show one at a time:
`data-sheets` lists them with their frames, `data-sheet` is the relevant one, and each sheet is a
group named by `data-part`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, Literal, NamedTuple

import msgspec

from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import PERCENT, PLAYERS, POOL, column_and_row
from kursbuch.games.g18xx.drawing import legend
from kursbuch.games.g18xx.drawing.faces import (
    INK,
    SIZE,
    TRACK,
    Looks,
    draw_face,
    gauges,
    token_colours,
)
from kursbuch.games.g18xx.drawing.look import PLAIN, USUAL, ByIdentity, MapLook, Note, Sizes
from kursbuch.games.g18xx.drawing.map import NO_NOTES, RUNS, Way, map_parts, point, run_dashes
from kursbuch.games.g18xx.map.board import Board
from kursbuch.games.g18xx.map.revenue import Run, picked_runs
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.share_register import ShareRegister, Stake, share_register
from kursbuch.games.g18xx.state import Build, Pay, PlaceToken, RaiseMoney, Swap
from kursbuch.games.g18xx.text.names import plain
from kursbuch.hexmap import svg

#: Style of chart cells, list rows and tokens, and of a changed one.
CELL_LOOK: svg.Look = {"class_": "field", "fill": "#fbf6e9", "stroke": "#8d8672", "rx": 3}
ROW_LOOK: svg.Look = {"class_": "lane", "fill": "#fbf6e9", "stroke": "#8d8672", "stroke_width": 1}
ROW_IDLE: svg.Look = ROW_LOOK | {"fill": "#efe9d6"}
DISC: svg.Look = {"class_": "edge", "stroke": INK, "stroke_width": 1.2}
MARKED: svg.Look = {"stroke": "#b3202c", "stroke_width": 3}
SOFT = "#5a5545"

#: Style of special chart cells, which differ in their border as well.
CELL_LOOKS: dict[str, svg.Look] = {
    "exempt": {"class_": "field exempt", "fill": "#e4efdc", "stroke_dasharray": "5 3"},
    "end": {"class_": "field end", "fill": "#f3d9d3", "stroke": INK, "stroke_width": 3},
}
#: Kind of special cells by name, and the meaning of each kind.
CellKind = Literal["exempt", "end"]
SpecialCells = Mapping[str, tuple[CellKind, str]]
NO_SPECIAL_CELLS: SpecialCells = {}
#: Maximum number of boxes in a line of a one-row chart.
LINE_OF_BOXES = 12

GAP = 30.0
#: Minimum letter sizes of sheets, and of notes in the list of shares.
LETTERS, NOTES = 13.0, 13.5
CELL_WIDTH, CELL_HEIGHT = 59.0, 54.0
HEAD, ROW = 88.0, 46.0


class Sheet(NamedTuple):
    """One of several drawings in a picture; `narrow` is its size on a narrow screen, if different.
    Highlights stay below what is `above`. `letters` is its smallest lettering, apart from `near`,
    shown when zoomed in. `lines` are rows identified by their start."""

    name: str
    label: str
    width: float
    height: float
    content: Sequence[str]
    narrow: tuple[float, float] | None = None
    above: Sequence[str] = ()
    letters: float = LETTERS
    near: float = 0
    lines: bool = False


def document(sheets: Sequence[Sheet], first: str, label: str, title: str) -> str:
    """Draw all sheets side by side; `first` is the relevant one."""
    left, frames = 0.0, []
    parts: list[str] = []
    above: list[str] = []
    for sheet in sheets:
        where = f"translate({svg.number(left)} 0)" if left else None
        parts.append(svg.group(sheet.content, data_part=sheet.name, transform=where))
        if sheet.above:
            above.append(
                svg.group(sheet.above, data_part=sheet.name, data_above="", transform=where)
            )
        narrow = sheet.narrow or (sheet.width, sheet.height)
        frames.append(
            {
                "name": sheet.name,
                "label": sheet.label,
                "wide": [round(sheet.width), round(sheet.height)],
                "narrow": [round(narrow[0]), round(narrow[1])],
                "letters": round(sheet.letters, 1),
                "near": round(sheet.near, 1),
                "lines": sheet.lines,
            }
        )
        left += sheet.width + GAP
    return svg.document(
        left - GAP,
        max(sheet.height for sheet in sheets),
        [*parts, *above],
        label=label,
        class_="eighteen",
        data_title=title,
        data_sheet=first,
        data_sheets=msgspec.json.encode(frames).decode(),
        # A dot would look like a station.
        data_faint="outline",
    )


def style() -> str:
    """CSS of the drawing on pages."""
    return (resources.files("kursbuch.games.g18xx.drawing") / "drawing.css").read_text("utf-8")


def left_text(x: float, y: float, content: str, size: float, /, **values: object) -> str:
    """Draw text that starts at x."""
    look: dict[str, object] = {"class_": "ink", "fill": INK, "text_anchor": "start"}
    return svg.text(x, y, content, **({"font_size": size} | look | values))


# ---- the stock market chart


@lru_cache(maxsize=32)
def chart_places(ruleset: Ruleset[Any]) -> dict[str, tuple[int, int]]:
    """Column and row of each cell as drawn; a one-row chart is broken into lines."""
    places = {cell: column_and_row(cell) for cell in ruleset.chart.price}
    if any(row for _, row in places.values()):
        return places
    count = 1 + max(column for column, _ in places.values())
    across = -(-count // -(-count // LINE_OF_BOXES))
    return {cell: (column % across, column // across) for cell, (column, _) in places.items()}


def chart_size(ruleset: Ruleset[Any]) -> tuple[float, float]:
    """Width and height of the chart."""
    places = chart_places(ruleset).values()
    columns = 1 + max(column for column, _ in places)
    rows = 1 + max(row for _, row in places)
    return columns * CELL_WIDTH, rows * CELL_HEIGHT


def cell_legend(special: SpecialCells, y: float) -> Iterator[str]:
    """Draw the meanings of special cells side by side."""
    x = 0.0
    for kind, text in dict.fromkeys(special.values()):
        yield svg.rect(x + 1, y - 9, 22, 18, **(CELL_LOOK | CELL_LOOKS[kind]))
        yield left_text(x + 32, y + 5, text, 14)
        x += 62 + 7.6 * len(text)


def draw_chart(
    ruleset: Ruleset[Any],
    state: Any,
    looks: Looks,
    marks: Sequence[str] = (),
    special: SpecialCells = NO_SPECIAL_CELLS,
) -> str:
    """Draw the chart with the price markers of each cell in stack order, and the companies that
    will start there."""
    stacks = tuple((cell, tuple(stack)) for cell, stack in state.chart.items() if stack)
    starting = tuple(
        (ruleset.market.start_cell(state, name), name)
        for name in ruleset.public
        if not state.companies[name].cell and not state.companies[name].closed
    )
    priced = tuple(mark for mark in marks if mark.startswith("price:"))
    return _chart(ruleset, stacks, starting, ByIdentity(looks), priced, tuple(special.items()))


@lru_cache(maxsize=128)
def _chart(
    ruleset: Ruleset[Any],
    stacks: tuple[tuple[str, tuple[str, ...]], ...],
    starting: tuple[tuple[str, str], ...],
    colours: ByIdentity,
    marks: tuple[str, ...],
    kinds: tuple[tuple[str, tuple[CellKind, str]], ...],
) -> str:
    """Draw a chart, which only some moves change."""
    places, stacked, special = chart_places(ruleset), dict(stacks), dict(kinds)
    starts: dict[str, list[str]] = {}
    for cell, name in starting:
        starts.setdefault(cell, []).append(name)
    parts = []
    for cell, price in ruleset.chart.price.items():
        kind, stack = special[cell][0] if cell in special else "", stacked.get(cell, ())
        marked = tuple(company for company in stack if f"price:{company}" in marks)
        shown = ChartCell(price, kind, tuple(starts.get(cell, ())), stack, marked)
        parts.append(_cell(shown, *places[cell], colours))
    return "".join(parts)


class ChartCell(NamedTuple):
    """What a cell of the chart shows: its price, its kind if it is special, companies that will start
    there, and price markers in stack order, some of them `marked`."""

    price: int
    kind: str
    starts: tuple[str, ...]
    stack: tuple[str, ...]
    marked: tuple[str, ...]


@lru_cache(maxsize=4096)
def _cell(shown: ChartCell, column: int, row: int, colours: ByIdentity) -> str:
    """Draw a cell of the chart."""
    x, y = column * CELL_WIDTH, row * CELL_HEIGHT
    look = CELL_LOOK | CELL_LOOKS.get(shown.kind, {})
    parts = [
        svg.rect(x + 1, y + 1, CELL_WIDTH - 2, CELL_HEIGHT - 2, **look),
        left_text(x + 6, y + 17, str(shown.price), 15, font_weight="bold"),
        *_starting(shown.starts, x, y, bool(shown.stack)),
    ]
    # Topmost first, in one column or two.
    columns = -(-len(shown.stack) // 2) if len(shown.stack) > 2 else 1
    wide = (CELL_WIDTH - 7) / columns
    for place, company in enumerate(shown.stack):
        line, column = divmod(place, columns)
        at = (x + 3.5 + (column + 0.5) * wide, y + 28 + 16.5 * line)
        marked = company in shown.marked
        parts.append(_price_marker(company, *at, wide - 1, colours.value[company], marked))
    return "".join(parts)


def _starting(names: Sequence[str], x: float, y: float, beside: bool) -> Iterator[str]:
    """Draw the letters of companies that will start on a cell: below its price, or `beside` it
    above markers."""
    each = max(2, len(names) if beside else -(-len(names) // 2))
    for line in range(0, len(names), each):
        text = " ".join(names[line : line + each])
        most = CELL_WIDTH - (40 if beside else 8)
        down = 16.0 if beside else CELL_HEIGHT - 8 - 14 * (len(names) > each and not line)
        yield svg.text(
            x + CELL_WIDTH - 5,
            y + down,
            text,
            class_="note",
            text_anchor="end",
            fill=SOFT,
            **fitted(text, LETTERS, most),
        )


def _price_marker(
    company: str,
    x: float,
    y: float,
    wide: float,
    colours: tuple[str, str],
    marked: bool,
) -> str:
    fill, ink = colours
    look = MARKED if marked else DISC
    look |= {"class_": f"{'mark' if marked else 'edge'} of-{company}"}
    bold: svg.Look = {"font_weight": "bold", "fill": ink, "class_": f"on-{company}"}
    parts = [
        svg.rect(x - wide / 2, y - 7.5, wide, 15, rx=7.5, fill=fill, **look),
        svg.rect(x - wide / 2, y - 7.5, wide, 15, rx=7.5, **svg.SHEEN),
        svg.text(x, y + 4.6, company, **fitted(company, LETTERS, (wide - 6) / svg.BOLD), **bold),
    ]
    return svg.group(parts, title=company, data_pick=f"price:{company}")


# ---- shareholdings

#: Columns of the list of shares: price, initial offering, pool, then one per player.
PRICE, NEW, POOLED, FIRST, COLUMN = 262.0, 320.0, 384.0, 448.0, 76.0
#: Limit of squeezing a name.
NARROW = 0.68


def shares_width(state: Any) -> float:
    """Width of the list of shares."""
    seats: int = state.seats
    return FIRST + COLUMN * seats - COLUMN / 2 + 4


def draw_shares(
    ruleset: Ruleset[Any],
    state: Any,
    words: Words,
    looks: Looks,
    companies: Sequence[str],
    marks: Sequence[str] = (),
) -> Iterator[str]:
    """Draw what each player has and earns, and a row per company: price, top certificate of the
    initial offering, pool, and each player's shares, the director starred."""
    known, players = share_register(ruleset, state), state.clockwise()
    for x, head in ((PRICE, words._("Price")), (NEW, words._("New")), (POOLED, words._("Pool"))):
        yield _share_head(x, head)
    for place, seat in enumerate(players):
        # The seat number tells names with the same beginning apart.
        yield _share_head(FIRST + COLUMN * place, f"{seat + 1} {words.name(seat)}")
    cash = [words.number(ruleset.cash(state, seat)) for seat in players]
    for place, seat in enumerate(players):
        due = ruleset.noted(state, PLAYERS[seat])
        if due:
            cash[place] += f" + {words.number(due)}"
    holders = [known.holders[seat] for seat in players]
    counts = [f"{holder.certificates}/{holder.limit}" for holder in holders]
    income = [words.number(ruleset.market.round_income(state, seat)) for seat in players]
    worth = [
        words.number(
            ruleset.cash(state, seat)
            + ruleset.noted(state, PLAYERS[seat])
            + holder.worth
            + (holder.unsettled if state.agenda else 0)
        )
        for seat, holder in zip(players, holders, strict=True)
    ]
    lines = (
        (words._("cash"), cash),
        (words._("certificates"), counts),
        (words._("income"), income),
        (words._("worth"), worth),
    )
    for line, (about, texts) in enumerate(lines):
        down = 35 + 15 * line
        yield left_text(8, down, about, NOTES, **SMALL)
        for place, text in enumerate(texts):
            yield _share_sum(FIRST + COLUMN * place, down, text)
    rows, width = _share_rows(ruleset, known, words, ByIdentity(looks)), shares_width(state)
    for line, company in enumerate(companies):
        row = rows[company]._replace(
            facts=_facts(ruleset, state, words, company), marked=f"company:{company}" in marks
        )
        yield _share_row(row, HEAD + line * ROW, width)


#: Style of the figures below the players' names.
SMALL: svg.Look = {"fill": SOFT, "class_": "note"}


@lru_cache(maxsize=1024)
def _share_head(x: float, head: str) -> str:
    """Draw the head of a column of shares. Squeezed letters are better than a cut name."""
    look: svg.Look = {"class_": "ink", "font_weight": "bold", "fill": INK}
    head = svg.shortened(head, 15, (COLUMN - 6) / NARROW, bold=True)
    return svg.text(x, 17, head, **fitted(head, 15, (COLUMN - 6) / svg.BOLD), **look)


@lru_cache(maxsize=4096)
def _share_sum(x: float, y: float, text: str) -> str:
    """Draw a player's cash or number of certificates."""
    return svg.text(x, y, text, **SMALL, **fitted(text, NOTES, COLUMN - 6))


@lru_cache(maxsize=256)
def _share_rows(
    ruleset: Ruleset[Any], known: ShareRegister[Any], words: Words, colours: ByIdentity
) -> Mapping[str, ShareRow]:
    """The rows of all companies, with nothing but the shares, which only some moves change."""
    state, looks = known.state, colours.value
    offered = dict(ruleset.shares.offered(state))
    players = [(seat, known.holders[seat].stakes) for seat in state.clockwise()]
    found = {}
    for number, (company, public) in enumerate(ruleset.public.items()):
        stakes = [(seat, held[number]) for seat, held in players]
        new = ruleset.new_shares(state, company)
        found[company] = ShareRow(
            company,
            public.record.name,
            "",
            looks[company],
            state.companies[company].operating,
            False,
            ruleset.market.price(state, company),
            new,
            offered.get(company, ""),
            words._("of {percent}%", percent=new),
            ruleset.percent(state, POOL, company),
            next((place for place, (_, stake) in enumerate(stakes) if stake.directs), None),
            tuple(stake.percent for _, stake in stakes),
            tuple(_remarks(state, words, seat, stake) for seat, stake in stakes),
        )
    return found


class ShareRow(NamedTuple):
    """A company's row in the list of shares: `top` is the certificate on sale on top of the initial
    offering, `below` the percentage left with it; `held` and `remarks` are by column, one of them
    the `director`'s."""

    company: str
    title: str
    facts: str
    colours: tuple[str, str]
    working: bool
    marked: bool
    price: int
    unsold: int
    top: str
    below: str
    pool: int
    director: int | None
    held: tuple[int, ...]
    remarks: tuple[str, ...]


@lru_cache(maxsize=4096)
def _share_row(lane: ShareRow, y: float, width: float) -> str:
    """Draw the row of a company; most moves change one or two."""
    look = ROW_LOOK if lane.working else ROW_IDLE
    if lane.marked:
        look = look | MARKED | {"class_": "lane mark"}
    name, facts = svg.shortened(plain(lane.title), 15, (PRICE - 72) / NARROW), lane.facts
    parts = [
        svg.rect(1, y + 1, width - 2, ROW - 4, rx=4, **look),
        _disc(lane.company, 24, y + ROW / 2 - 1, lane.colours),
        left_text(48, y + 19, name, 15, **_length(name, 15, PRICE - 72)),
        left_text(48, y + 37, facts, NOTES, class_="note", **_length(facts, NOTES, PRICE - 78)),
        *_holdings(lane, y),
    ]
    return svg.group(parts, title=lane.title, data_pick=f"company:{lane.company}")


def _disc(company: str, x: float, y: float, colours: tuple[str, str]) -> str:
    fill, ink = colours
    look = DISC | {"class_": f"edge of-{company}"}
    return svg.disc(x, y, 16, fill=fill, **look) + svg.text(
        x,
        y + 5,
        company,
        **fitted(company, 14, 29 / svg.BOLD),
        font_weight="bold",
        fill=ink,
        class_=f"on-{company}",
    )


def _facts(ruleset: Ruleset[Any], state: Any, words: Words, company: str) -> str:
    if not state.companies[company].operating:
        par = ruleset.market.par(state, company)
        price = words._("issue price {price}", price=par or "–")
        needed = ruleset.float.needed(state, company)
        if not needed:
            return price
        sold = ruleset.float.issued(state, company)
        return f"{price} · {words._('{sold}/{needed}% sold', sold=sold, needed=needed)}"
    trains = Counter(ruleset.trains(state, company))
    list_ = ", ".join(name if n == 1 else f"{n} × {name}" for name, n in trains.items()) or "–"
    return f"{words.number(ruleset.money(state, company))} · {list_}"


def _remarks(state: Any, words: Words, seat: int, stake: Stake) -> str:
    """Remarks below a player's shares of a company."""
    notes = []
    if stake.unpaid:
        notes.append(words._("{count} not redeemed", count=stake.unpaid))
    # No buying back in the same stock round [no-buying-back].
    if state.round.sold and stake.company in state.round.sold[seat]:
        notes.append(words._("sold"))
    return ", ".join(notes)


def _holdings(lane: ShareRow, y: float) -> Iterator[str]:
    def number(x: float, text: str, **values: object) -> str:
        look: dict[str, object] = {"class_": "ink", "font_size": 18, "fill": INK}
        return svg.text(x, y + 28, text, **(look | values))

    if lane.price:
        yield number(PRICE, str(lane.price))
    if lane.top:
        # On sale: the top certificate, and how much lies below it.
        box: dict[str, object] = {"fill": "#ffffff", "stroke": INK, "stroke_width": 1.2}
        yield svg.rect(NEW - 29, y + 4, 58, ROW - 10, rx=3, class_="card", **box)
        text = f"{'★' * lane.top.endswith('P')}{PERCENT[lane.top]}%"
        yield number(NEW, text, font_weight="bold", y=y + 22)
        small = fitted(lane.below, NOTES, 50)
        yield svg.text(NEW, y + 36, lane.below, class_="note", fill=SOFT, **small)
    elif lane.unsold:
        yield number(NEW, f"{lane.unsold}%", class_="note", fill=SOFT, font_size=15)
    if lane.pool:
        yield number(POOLED, f"{lane.pool}%")
    for place, percent in enumerate(lane.held):
        if percent:
            star = "★" if place == lane.director else ""
            yield number(
                FIRST + COLUMN * place,
                f"{star}{percent}%",
                font_weight="bold" if star else None,
            )
        text = lane.remarks[place]
        if text:
            look: svg.Look = {"class_": "note", "fill": SOFT} | fitted(text, NOTES, COLUMN - 4)
            yield svg.text(FIRST + COLUMN * place, y + 41, text, **look)


def fitted(text: str, size: float, most: float) -> svg.Look:
    """Font size of a text, squeezed if it would exceed a width."""
    return {"font_size": size} | _length(text, size, most)


def _length(text: str, size: float, most: float) -> svg.Look:
    if svg.width(text, size) <= most:
        return {}
    return {"textLength": round(most, 1), "lengthAdjust": "spacingAndGlyphs"}


# ---- pieces


def draw_pieces(ruleset: Ruleset[Any], sizes: Sizes = USUAL) -> str:
    """Draw every tile unrotated around the origin; `data-piece` is its key."""
    return svg.element("svg", "".join(_pieces(ruleset, sizes)), xmlns="http://www.w3.org/2000/svg")


def _pieces(ruleset: Ruleset[Any], sizes: Sizes) -> Iterable[str]:
    for tile in ruleset.components.board.tiles.values():
        key = f"tile:{tile.id}"
        face = draw_face(tile.faces[0], 0, 0, sizes=sizes)
        yield svg.group(face, id=f"tile-{tile.id}", data_piece=key)


def marks(events: Sequence[Event]) -> list[str]:
    """Elements of the board to highlight after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.TileLaid(hex=hex):
                found.append(f"hex:{hex}")
            case happened.StationPlaced(hex=hex, stop=stop):
                found.append(f"stop:{hex}/{stop}")
            case happened.ShareBought(company=company) | happened.SharesSold(company=company):
                found.append(f"company:{company}")
            case happened.Nationalised(company=company):
                found.append(f"company:{company}")
            case happened.PaperBought(paper=paper):
                found.append(f"paper:{paper}")
            case happened.PriceMoved(company=company):
                found.append(f"price:{company}")
            case happened.RunEvent(company=company, runs=runs):
                for number, (train, _, calls) in enumerate(runs):
                    stops = "-".join(f"{hex}/{stop}" for hex, stop, _ in calls)
                    found.append(f"run:{company}:{number}:{train}:{stops}")
    return list(dict.fromkeys(found))


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
    terrain = legend.terrain_lines(ruleset.components.board, words.nameless)
    found = [
        map_sheet(state, ruleset, words, marks, look, more=terrain),
        shares_sheet(state, ruleset, words, companies, marks),
        *more,
    ]
    return document(found, first or subject(state), words._("The table"), title)


def subject(state: Any) -> str:
    """The sheet the round is about: "map" or "shares"."""
    step = state.agenda[-1] if state.agenda else None
    shares = not state.round.part or isinstance(step, RaiseMoney | Swap)
    return "shares" if shares else "map"


# ---- the sheets of every title


def map_sheet(
    state: Any,
    ruleset: Ruleset[Any],
    words: Words,
    marks: Sequence[str] = (),
    look: MapLook = PLAIN,
    notes: Mapping[str, Note] = NO_NOTES,
    more: Sequence[legend.Line] = (),
) -> Sheet:
    """The map with track, tokens, reserved homes and current runs; `notes` replace notes of the map
    style, `more` are further lines of the legend."""
    board, colours = ruleset.components.board, token_colours(ruleset)
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
        notes=notes,
        under=legend.companies(board, look, colours, words, acting(state)),
    )
    content.append(_signs(board, ByIdentity(look), height, words, ByIdentity(more)))
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


@lru_cache(maxsize=256)
def _signs(board: Board, style: ByIdentity, height: float, words: Words, more: ByIdentity) -> str:
    """Legend of the gauges, if there are several, and of `more` signs."""
    look: MapLook = style.value
    lines, found, words_at = [*more.value], gauges(board), legend.NEAR
    if len(found) > 1:
        words_at = legend.WORDS
        lines = legend.gauge_lines(found, look.sizes, words) + lines
    at = (16.0, height - legend.LINE * len(lines))
    if look.track_legend:
        at = point(board, look.track_legend, look.sizes)
    return "".join(legend.lines(at, lines, words_at))


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
        yield left_text(x + 74, at + 7, text, 20, font_weight="bold")


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


def shares_sheet(
    state: Any,
    ruleset: Ruleset[Any],
    words: Words,
    companies: Sequence[str],
    marks: Sequence[str] = (),
    special: SpecialCells = NO_SPECIAL_CELLS,
) -> Sheet:
    """The stock market chart above the list of shares of these companies; `special` are the special
    cells."""
    colours = token_colours(ruleset)
    width, height = chart_size(ruleset)
    table = shares_width(state)
    tall = HEAD + 6 + len(companies) * ROW
    wide, narrow = min(1.15, width / table), width / table
    meanings = list(cell_legend(special, height + 16))
    top = height + 26 + 24 * bool(meanings)
    left = svg.number(10 + (width - table * wide) / 2)
    content = [
        svg.group(
            [draw_chart(ruleset, state, colours, marks, special), *meanings],
            transform="translate(10 10)",
        ),
        svg.group(
            draw_shares(ruleset, state, words, colours, companies, marks),
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
        letters=min(LETTERS, NOTES * wide),
        lines=True,
    )
