"""The board of Stephenson's Rocket as SVG.

Selectable elements carry `data-pick`: `hex:K16` (every open hex), `town:Reading` (a metropolis), `line:GWR` (a
locomotive) and `station:K16` (a station, above its hex). Pages enable clicks only for current choices.

Classes for recolouring: `coast`, `land`, those of `scenery`, `coord`, `town`, `town-name`, `halo`, `token`,
`casing`, `mark`, `ghost`; `line-ID` for a line's colour and `seat-N` for stations. Nothing relies on colour alone:
lines have letters, stations player numbers, metropolises the initial of their industry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.components import KIND_NAMES, Board, Town
from kursbuch.games.rocket.state import Objection, RocketState, Veto, token
from kursbuch.hexmap import scenery, svg
from kursbuch.hexmap.geometry import corners, edge_middle
from kursbuch.hexmap.scenery import Range, Surroundings
from kursbuch.hexmap.svg import Look

INK = "#1d1a16"
WHITE = "#ffffff"
LAND_FILL = "#eef0d8"
OUTLINE: Look = {"stroke": INK, "stroke_width": 1.5, "stroke_linejoin": "round"}
DASHED: Look = {"fill": "none", "stroke_dasharray": "5 4"}
BOLD: Look = {"font_weight": "bold"}

#: Text with a halo, readable on any background.
HALO: Look = BOLD | {
    "fill": INK,
    "stroke": LAND_FILL,
    "stroke_width": 3.2,
    "stroke_linejoin": "round",
    "paint_order": "stroke",
}
LETTERS: Look = {"font_size": 10.8}
COAST: Look = {
    "class_": "coast",
    "fill": "none",
    "stroke": "#7c7350",
    "stroke_width": 3,
    "stroke_linejoin": "round",
}
BROOK: Look = {
    "class_": "brook",
    "fill": "none",
    "stroke": "#a9c9d4",
    "stroke_width": 2,
    "stroke_linecap": "round",
    "stroke_linejoin": "round",
}
LAND: Look = {"class_": "land", "fill": LAND_FILL, "stroke": "#d3cba6", "stroke_width": 1}
COORDINATE: Look = {"class_": "coord", "font_size": 10.8, "fill": "#2f4a56"}
RAILWAY_TOWN: Look = {
    "class_": "town railway",
    "fill": WHITE,
    "stroke": INK,
    "stroke_width": 3,
}
TOWN_NAME: Look = {"class_": "town-name halo", "font_size": 10.8} | HALO
TOKEN: Look = {"class_": "token", "fill": INK, "stroke": INK, "stroke_width": 1.1}
TAKEN_TOKEN: Look = TOKEN | {"class_": "token taken", "fill": "none"}
TRACK: Look = {"fill": "none", "stroke_linecap": "round", "stroke_width": 7}
CASING: Look = TRACK | {"class_": "casing", "stroke": INK, "stroke_width": 10.5}
PLATE: Look = {"rx": 4, "stroke": WHITE, "stroke_width": 1.4}
WHEEL: Look = {"class_": "wheel", "fill": "#f2eee2", "stroke": INK, "stroke_width": 2}
ISOLATED: Look = {"stroke_dasharray": "3 2"}
GHOST: Look = {"class_": "ghost", "stroke_width": 4} | DASHED
MARK: Look = {"class_": "mark", "stroke": "#b3202c", "stroke_width": 2.5} | DASHED
#: Mark of a hex with reconstructed data, before its name, and its look.
DOUBT = "doubt:"
DOUBTFUL: Look = {
    "class_": "doubt",
    "fill": "none",
    "stroke": "#5f4a20",
    "stroke_width": 3,
    "stroke_dasharray": "0.1 6",
    "stroke_linecap": "round",
}

#: Fill and text colour by line colour.
LINES = {
    "red": ("#c8372d", WHITE),
    "blue": ("#2467b3", WHITE),
    "black": ("#26262b", WHITE),
    "violet": ("#7c3f98", WHITE),
    "green": ("#2a7d46", WHITE),
    "orange": ("#e07b1a", INK),
    "yellow": ("#efc71e", INK),
}
OTHER_LINE = ("#6d6a63", WHITE)
INDUSTRIES = {
    "steel": ("#5d7284", WHITE),
    "textile": ("#dc9fca", INK),
    "beer": ("#e3ae3a", INK),
    "leather": ("#85552c", WHITE),
}
SIZE = 30.0

#: Width of the margin with sea and coordinates.
MARGIN = 18.0


class Sheet:
    """Positions of the hexes of a board on the drawing."""

    def __init__(self, board: Board) -> None:
        self.board = board
        # A doubled column is half a hex wide, a row one and a half hex sizes high.
        raw = [place.centre(SIZE) for place in board.places]
        left = min(x for x, _ in raw) - SIZE - MARGIN
        top = min(y for _, y in raw) - SIZE - MARGIN
        self.corner = left, top
        self.centres = [(x - left, y - top) for x, y in raw]
        self.width = max(x for x, _ in self.centres) + SIZE + MARGIN
        self.height = max(y for _, y in self.centres) + SIZE + MARGIN


@lru_cache(maxsize=8)
def sheet_of(board: Board) -> Sheet:
    """The cached sheet of a board."""
    return Sheet(board)


class Page:
    """Context of one drawing: position and sheet."""

    def __init__(self, state: RocketState, board: Board, words: Words) -> None:
        self.state = state
        self.board = board
        self.words = words
        self.sheet = sheet_of(board)
        self.centres = self.sheet.centres
        self.width, self.height = self.sheet.width, self.sheet.height

    def colours(self, line: int) -> tuple[str, str]:
        """Fill and text colour of a line."""
        return LINES.get(self.board.lines[line].colour, OTHER_LINE)


#: Hexes with hills, for decoration: the moors and Pennines, the Welsh border, the Cotswolds, the downs, Exmoor and
#: Dartmoor.
HILLS = {
    "A10",
    "A12",
    "A18",
    "B11",
    "B13",
    "C12",
    "D13",
    "F13",
    "H7",
    "J7",
    "I8",
    "K12",
    "L11",
    "K18",
    "M20",
    "N21",
    "N9",
    "M12",
    "N3",
    "O4",
    "P3",
}


#: Rivers from their sources: Thames, Severn, Trent and Mersey.
RIVERS = scenery.reaches(
    (
        "K12 K14 L15 L17 L19 L21 L23 L25 L27",
        "H7 G8 H9 I10 J11 K10 L9 L7",
        "F13 G14 F15 F17 E18 D19 C20 C22",
        "D11 D9 D7 D5",
    )
)

#: The north, Wales, Cornwall and a corner of France.
AROUND = Surroundings(
    title="ENGLAND",
    year="1830",
    at=(24.6, 2.3),
    land=(
        (
            *((7.4, 2.2), (6, 1.6), (5.4, 0.7), (6, 0), (5, -0.8), (5.2, -9), (24, -9)),
            *((21.6, -0.9), (21.4, 0.2), (22.6, 0.8), (22, 2), (14, 3)),
        ),
        (
            *((7, 3.7), (5.6, 3.9), (3.8, 3.4), (1.6, 3), (0.8, 3.8), (2.2, 4.6), (1.2, 5.4)),
            *((0.2, 6.1), (2.4, 6), (3.2, 6.8), (2.6, 8), (1.4, 9), (-0.4, 9.6), (-0.6, 10.5)),
            *((1.4, 10.6), (3.6, 10.9), (5.4, 11.3), (7.4, 11.3), (9, 10.4), (12, 9), (12, 5)),
        ),
        ((3, 12.4), (0.6, 12.7), (-1, 13.6), (-4, 15), (-3, 17), (1, 16), (4, 15)),
        ((28.3, 17), (28.6, 15.6), (29.8, 14.9), (33, 14.4), (44, 14), (40, 30), (28, 30)),
    ),
    ranges=(
        Range("hill", ((4.6, 4.5), (4.4, 6.3), (5, 8.4), (3.4, 9.8))),
        Range("mountain", ((3.2, 4.9),)),
    ),
)


@lru_cache(maxsize=8)
def shore(sheet: Sheet) -> str:
    """What lies around the map, and the coast."""
    outlines = []
    for x, y in sheet.centres:
        points = [f"{svg.number(a)} {svg.number(b)}" for a, b in corners(x, y, SIZE)]
        outlines.append(f"M{'L'.join(points)}z")
    outline, extent = "".join(outlines), (sheet.width, sheet.height)
    around = scenery.draw_surroundings(AROUND, sheet.corner, SIZE, extent, outline)
    relief = scenery.definitions(sorted({"hill", *(one.kind for one in AROUND.ranges)}))
    return svg.group([relief, around, svg.path(outline, **COAST)], class_="shore")


@lru_cache(maxsize=8)
def rim(sheet: Sheet) -> str:
    """Row letters and column numbers."""
    drawn = []
    places = list(zip(sheet.board.places, sheet.centres, strict=True))
    rows = {
        place.row: (sheet.board.hex_names[number][0], y)
        for number, (place, (_, y)) in enumerate(places)
    }
    for letter, y in rows.values():
        drawn.append(svg.text(10, y + 4, letter, **COORDINATE))
        drawn.append(svg.text(sheet.width - 10, y + 4, letter, **COORDINATE))
    columns = {place.column: x for place, (x, _) in places}
    for column, x in columns.items():
        # Hexes are in every other row of a column.
        low = sheet.height - MARGIN / 2 + 4
        at = 12 if column % 2 == 0 else low
        drawn.append(svg.text(x, at, str(column), **COORDINATE))
    return svg.group(drawn, class_="rim")


def land(page: Page) -> Iterable[str]:
    """All hexes; towns are drawn above them."""
    state, board, words = page.state, page.board, page.words.nameless
    merged, connected = state.merged_into, state.connected
    for place, number in enumerate(board.town_at):
        left = 0
        lines: tuple[int, ...] = ()
        if number >= 0:
            if board.towns[number].kind == "metropolis":
                left = state.ledger.held(token(board.towns[number].name), "map")
            lines = tuple(
                line
                for line, towns in enumerate(connected)
                if towns >> number & 1 and merged[line] < 0
            )
        seat = state.stations.get(place)
        station = "" if seat is None else page.words.name(seat)
        yield _hex(page.sheet, words, place, state.owner[place], station, left, lines)


@lru_cache(maxsize=8192)
def _hex(
    sheet: Sheet,
    words: Words,
    place: int,
    owner: int,
    station: str,
    left: int,
    lines: tuple[int, ...],
) -> str:
    """A hex with the line that owns it, the player with a station there, the number of its metropolis
    tokens and the lines connected to it."""
    board, (x, y) = sheet.board, sheet.centres[place]
    name, number = board.hex_names[place], board.town_at[place]
    town = board.towns[number] if number >= 0 else None
    key = f"hex:{name}" if town is None else None
    shapes = [svg.hexagon(x, y, SIZE - 0.4, **LAND)]
    rivers = "".join(scenery.river(reach, x, y, SIZE) for reach in RIVERS.get(name, ()))
    if rivers:
        shapes.append(svg.group([svg.path(rivers, **BROOK)]))
    if town is None and name in HILLS and owner < 0 and not station:
        shapes.append(scenery.defined("hill", name, x, y, SIZE / scenery.SIZE))
    if town is not None and town.kind == "metropolis":
        key = f"town:{town.name}"
        shapes += _metropolis(x, y, town, left, words._(KIND_NAMES[town.industry])[0])
    elif town is not None and town.kind == "railway":
        shapes.append(svg.circle(x, y - 3, 8.5, **RAILWAY_TOWN))
    title = _tooltip(board, words, place, owner, station, left, lines)
    return svg.group(shapes, title=title, class_="place", data_pick=key, data_hex=name)


def _metropolis(x: float, y: float, town: Town, left: int, letter: str) -> Iterable[str]:
    """A disc with the industry's letter and a dot per token, hollow when taken."""
    fill, ink = INDUSTRIES[town.industry]
    yield svg.disc(x, y - 5, 13.5, class_=f"town industry-{town.industry}", fill=fill, **OUTLINE)
    yield svg.text(x, y + 0.2, letter, font_size=14.5, fill=ink, **BOLD)
    for n in range(town.tokens):
        look = TOKEN if n < left else TAKEN_TOKEN
        yield svg.circle(x + 19, y - 13 + n * 7.6, 2.9, **look)


@lru_cache(maxsize=8)
def start_towns(sheet: Sheet) -> str:
    """Squares with the letters of their line, above the track."""
    drawn = []
    for town in sheet.board.towns:
        if town.kind != "start":
            continue
        x, y = sheet.centres[town.hex]
        line = sheet.board.lines[town.line]
        fill, ink = LINES.get(line.colour, OTHER_LINE)
        look = {"rx": 3, "class_": f"town line-{line.id}", "fill": fill} | OUTLINE
        drawn.append(svg.rect(x - 17, y - 15, 34.0, 21.0, **look))
        drawn.append(svg.text(x, y - 0.7, line.id, **(BOLD | LETTERS | {"fill": ink})))
    return svg.group(drawn, class_="starts")


@lru_cache(maxsize=8)
def names(sheet: Sheet) -> str:
    """Town names, above everything else."""
    drawn = []
    for town in sheet.board.towns:
        x, y = sheet.centres[town.hex]
        # A second line would stand in the next hex.
        name = town.name.partition(" upon ")[0]
        drawn.append(svg.text(x, y + 20, name, **TOWN_NAME))
    return svg.group(drawn, class_="names", data_above="")


def _tooltip(
    board: Board,
    words: Words,
    place: int,
    owner: int,
    station: str,
    left: int,
    lines: Sequence[int],
) -> str:
    """Description of a hex."""
    parts = [board.hex_names[place]]
    number = board.town_at[place]
    if number >= 0:
        town = board.towns[number]
        parts.append(town.name)
        if town.kind == "start":
            parts.append(words._("start town of {line}", line=board.lines[town.line].name))
        elif town.kind == "metropolis":
            parts.append(words._("metropolis of {kind}", kind=words._(KIND_NAMES[town.industry])))
            parts.append(words.ngettext("{n} token left", "{n} tokens left", left))
        else:
            parts.append(words._("railway town"))
        if lines:
            names = [board.lines[line].id for line in lines]
            parts.append(words._("connected: {lines}", lines=words.join(names)))
    elif owner >= 0:
        parts.append(words._("line {line}", line=board.lines[owner].id))
    if station:
        parts.append(words._("station of {name}", name=station))
    return ", ".join(parts)


def tracks(page: Page) -> Iterable[str]:
    """Track: tiles, track under locomotives, and links to towns and lines met. The casing is below, with one path
    per line above."""
    state, board = page.state, page.board
    paths: dict[int, list[str]] = {}
    rears = {tile.hex: tile.rear for tile in state.track}
    for line, place in enumerate(state.locomotive):
        if place >= 0 and state.facing[line] >= 0:
            rears[place] = (state.facing[line] + 3) % 6
            paths.setdefault(line, []).append(svg.stub(*page.centres[place], SIZE, rears[place]))

    for tile in state.track:
        path = paths.setdefault(state.owner[tile.hex], [])
        path.append(svg.track(*page.centres[tile.hex], SIZE, tile.rear, tile.exit))
        other = board.neighbours[tile.hex][tile.exit]
        back = (tile.exit + 3) % 6
        if other >= 0 and rears.get(other) != back:
            path.append(svg.stub(*page.centres[other], SIZE, back))
    for place, rear in rears.items():
        other = board.neighbours[place][rear]
        if board.town_at[other] >= 0:
            stub = svg.stub(*page.centres[other], SIZE, (rear + 3) % 6)
            paths.setdefault(state.owner[place], []).append(stub)
    whole = {line: "".join(parts) for line, parts in paths.items()}
    for data in whole.values():
        yield svg.path(data, **CASING)
    for line, data in whole.items():
        name, colour = board.lines[line].id, page.colours(line)[0]
        yield svg.path(data, class_=f"track line-{name}", stroke=colour, **TRACK)


def labels(page: Page) -> Iterable[str]:
    """A label with the line's letters in the middle of each network."""
    for line, network in _networks(page):
        free = [place for place in network if place not in page.state.stations] or network
        x, y = page.centres[_middle(page, network, free)]
        fill, ink = page.colours(line)
        name = page.board.lines[line].id
        width = 9.0 + 7.6 * len(name)
        look = PLATE | {"class_": f"plate line-{name}", "fill": fill}
        yield svg.rect(x - width / 2, y - 8, width, 16.0, **look)
        yield svg.text(x, y + 4, name, **(BOLD | LETTERS | {"fill": ink}))


def _networks(page: Page) -> Iterable[tuple[int, list[int]]]:
    """Connected tiles of each line, except those right behind its locomotive."""
    state, board = page.state, page.board
    left = {tile.hex for tile in state.track}
    while left:
        first = min(left)
        line, found, queue = state.owner[first], [], [first]
        left.discard(first)
        while queue:
            place = queue.pop()
            found.append(place)
            for other in board.neighbours[place]:
                if other in left and state.owner[other] == line:
                    left.discard(other)
                    queue.append(other)
        locomotive = state.locomotive[line]
        beside = any(locomotive in board.neighbours[place] for place in found)
        # The locomotive shows the letters too.
        if len(found) > (4 if beside else 1):
            yield line, sorted(found)


def _middle(page: Page, network: list[int], free: list[int]) -> int:
    """The most central tile of a network."""
    places = page.board.places
    return min(free, key=lambda one: (sum(places[one].distance(places[n]) for n in network), one))


def stations(page: Page) -> Iterable[str]:
    """Houses with their player's number."""
    for place, seat in page.state.stations.items():
        name = page.board.hex_names[place]
        yield _station(page.words, seat, name, _station_place(page, place))


@lru_cache(maxsize=2048)
def _station(words: Words, seat: int, hex: str, middle: tuple[float, float]) -> str:
    """A player's house."""
    x, y = middle
    house = [(x - 10, y + 10), (x - 10, y - 3), (x, y - 12), (x + 10, y - 3), (x + 10, y + 10)]
    return svg.group(
        [
            svg.polygon(house, **svg.seat_fill(seat), **OUTLINE),
            svg.polygon(house, **svg.SHEEN),
            svg.text(x, y + 6.8, str(seat + 1), font_size=13, **svg.seat_ink(seat), **BOLD),
        ],
        title=words._("station of {name}", name=words.name(seat)),
        class_="station",
        data_pick=f"station:{hex}",
        data_piece=f"station:{hex}",
    )


def _station_place(page: Page, place: int) -> tuple[float, float]:
    """Position of a station within its hex: beside the track, above a locomotive and clear of its path."""
    state = page.state
    x, y = page.centres[place]
    if state.owner[place] < 0:
        return x, y
    for line, where in enumerate(state.locomotive):
        if where == place and state.facing[line] >= 0:
            tip_x, tip_y = edge_middle(x, y, SIZE, state.facing[line])
            return (x + 12 if tip_x < x and tip_y < y else x - 12), y - 15
    return x - 12, y - 8


def locomotives(page: Page) -> Iterable[str]:
    """Locomotives with their direction; none before the first move."""
    state = page.state
    for line, place in enumerate(state.locomotive):
        if place >= 0:
            facing, isolated = state.facing[line], state.isolated[line]
            yield _locomotive(page.sheet, page.words.nameless, line, place, facing, isolated)


@lru_cache(maxsize=2048)
def _locomotive(
    sheet: Sheet, words: Words, line: int, place: int, facing: int, isolated: bool
) -> str:
    """A locomotive with the line's letters on its boiler and a direction pointer."""
    x, y = sheet.centres[place]
    record = sheet.board.lines[line]
    fill, ink = LINES.get(record.colour, OTHER_LINE)
    name = record.id
    if facing < 0:
        y -= 6
    look = {"fill": fill, "class_": f"line-{name}"} | OUTLINE
    # The chimney faces forward; edges 2 to 4 are western.
    front = -1 if facing in (2, 3, 4) else 1
    shapes = [*_engine(x, y, front, look | (ISOLATED if isolated else {}))]
    shapes.append(svg.text(x, y + 4, name, **(BOLD | LETTERS | {"fill": ink})))
    if facing >= 0:
        shapes.append(svg.polygon(_pointer(x, y, facing), **look))
    title = words._("locomotive of {line}", line=record.name)
    if isolated:
        title = f"{title} ({words._('isolated')})"
    return svg.group(
        shapes,
        title=title,
        class_="piece locomotive",
        data_pick=f"line:{name}",
        data_piece=f"line:{name}",
    )


def _pointer(x: float, y: float, facing: int) -> list[tuple[float, float]]:
    """A triangle on the edge the locomotive faces, clear of the names of towns above."""
    tip = edge_middle(x, y, SIZE + (0 if facing in (4, 5) else 6), facing)
    base = edge_middle(x, y, SIZE - 5, facing)
    aside = edge_middle(0, 0, 9.0, (facing + 3) % 6)
    across = (-aside[1], aside[0])
    return [
        tip,
        (base[0] + across[0], base[1] + across[1]),
        (base[0] - across[0], base[1] - across[1]),
    ]


def _engine(x: float, y: float, front: int, look: svg.Look) -> Iterable[str]:
    """Silhouette: boiler, chimney, cab, a large and a small wheel."""
    boiler = [(-16, -8), (9, -8), (10, -19), (7, -21), (7, -24), (18, -24), (18, -21), (15, -19)]
    outline = [*boiler, (16, -8), (20, -5), (20, 6), (17, 8), (-22, 8), (-22, -20), (-16, -20)]
    yield svg.circle(x + front * 9, y + 8, 8.0, **WHEEL)
    yield svg.circle(x - front * 12, y + 11, 5.0, **WHEEL)
    points = [(x + front * right, y + down) for right, down in outline]
    yield svg.polygon(points, **look)
    yield svg.polygon(points, **svg.SHEEN)


def ghost(page: Page) -> Iterable[str]:
    """A locomotive's target while players may still object."""
    for step in page.state.agenda:
        if isinstance(step, Objection | Veto):
            target = step.target if isinstance(step, Veto) else step.hex
            x, y = page.centres[target]
            x1, y1 = page.centres[page.state.locomotive[step.line]]
            fill, _ = page.colours(step.line)
            way = f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x)} {svg.number(y)}"
            yield svg.path(way, stroke=fill, **GHOST)
            yield svg.circle(x, y, 14.0, stroke=fill, **GHOST)


def marked(page: Page, marks: Sequence[str]) -> Iterable[str]:
    """Rings around the changes of the last move, and around reconstructed towns."""
    board = page.board
    places = {f"hex:{name}": place for place, name in enumerate(board.hex_names)}
    places |= {f"town:{town.name}": town.hex for town in board.towns}
    places |= {
        f"line:{line.id}": page.state.locomotive[index]
        for index, line in enumerate(board.lines)
        if page.state.locomotive[index] >= 0
    }
    places |= {f"{DOUBT}{name}": place for place, name in enumerate(board.hex_names)}
    for key in marks:
        if key in places:
            look = DOUBTFUL if key.startswith(DOUBT) else MARK
            yield svg.hexagon(*page.centres[places[key]], SIZE - 2.5, **look)


def draw(state: RocketState, board: Board, words: Words, marks: Sequence[str] = ()) -> str:
    """The board as an SVG document; `marks` are keys of highlighted elements."""
    page = Page(state, board, words)
    return svg.document(
        page.width,
        page.height,
        [
            shore(page.sheet),
            rim(page.sheet),
            svg.group(land(page), class_="map"),
            svg.group(tracks(page), class_="tracks"),
            start_towns(page.sheet),
            svg.group(ghost(page), class_="ghosts"),
            svg.group(labels(page), class_="labels"),
            svg.group(stations(page), class_="stations"),
            svg.group(locomotives(page), class_="locomotives"),
            svg.group(marked(page, marks), class_="marks"),
            # Names stay readable over marks.
            names(page.sheet),
        ],
        label=words._("Board of {title}", title="Stephenson's Rocket"),
        class_="board",
        data_title="rocket",
    )


def marks(events: Sequence[Event]) -> list[str]:
    """Board elements to highlight after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.TokenTaken(metropolis=metropolis):
                found.append(f"town:{metropolis}")
            case happened.StationPlaced(hex=place) | happened.StationMoved(hex=place):
                found.append(f"hex:{place}")
            case happened.LineExtended(hex=place) | happened.TrackLaid(hex=place):
                found.append(f"hex:{place}")
            case happened.BidMade(hex=place):
                found.append(f"hex:{place}")
            case happened.Connected(town=town):
                found.append(f"town:{town}")
    return list(dict.fromkeys(found))
