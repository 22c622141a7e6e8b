"""The land: coast, hills, hexes and towns."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from kursbuch.games.rocket import looks
from kursbuch.games.rocket.components import KIND_NAMES, Town
from kursbuch.games.rocket.drawing.page import MARGIN, SIZE, Page, Sheet
from kursbuch.games.rocket.looks import BOLD, OUTLINE
from kursbuch.games.rocket.state import token
from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import corners

#: Hexes with hills, which mean nothing in the game: the moors and Pennines, the Welsh border, the
#: Cotswolds, the downs, Exmoor and Dartmoor.
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


@lru_cache(maxsize=8)
def shore(sheet: Sheet) -> str:
    """Shallow water and the coast around all the land."""
    outlines = []
    for x, y in sheet.centres:
        points = [f"{svg.number(a)} {svg.number(b)}" for a, b in corners(x, y, SIZE)]
        outlines.append(f"M{'L'.join(points)}z")
    outline = "".join(outlines)
    water = (looks.DEEP, looks.SHALLOWS, looks.COAST)
    return svg.group([svg.path(outline, **look) for look in water], class_="shore")


@lru_cache(maxsize=8)
def rim(sheet: Sheet) -> str:
    """The letters of the rows and the numbers of the columns, which are the names of the hexes."""
    drawn = []
    places = list(zip(sheet.board.places, sheet.centres, strict=True))
    rows = {
        place.row: (sheet.board.hex_names[number][0], y)
        for number, (place, (_, y)) in enumerate(places)
    }
    for letter, y in rows.values():
        drawn.append(svg.text(10, y + 4, letter, **looks.COORDINATE))
        drawn.append(svg.text(sheet.width - 10, y + 4, letter, **looks.COORDINATE))
    columns = {place.column: x for place, (x, _) in places}
    for column, x in columns.items():
        # Every other column has hexes in every other row.
        low = sheet.height - MARGIN / 2 + 4
        at = 12 if column % 2 == 0 else low
        drawn.append(svg.text(x, at, str(column), **looks.COORDINATE))
    return svg.group(drawn, class_="rim")


def land(page: Page) -> Iterable[str]:
    """Every hex; towns are drawn on top of it."""
    state, board, words = page.state, page.board, page.words
    for place, number in enumerate(board.town_at):
        built = state.owner[place] >= 0 or place in state.stations
        left, letter = 0, ""
        if number >= 0 and board.towns[number].kind == "metropolis":
            town = board.towns[number]
            left = state.ledger.held(token(town.name), "map")
            letter = words._(KIND_NAMES[town.industry])[0]
        yield _hex(page.sheet, place, built, left, letter, tooltip(page, place))


@lru_cache(maxsize=8192)
def _hex(sheet: Sheet, place: int, built: bool, left: int, letter: str, title: str) -> str:
    """A hex; `left` is how many tokens of its metropolis are there, and `letter` what it is called by."""
    board, (x, y) = sheet.board, sheet.centres[place]
    name, number = board.hex_names[place], board.town_at[place]
    town = board.towns[number] if number >= 0 else None
    key = f"hex:{name}" if town is None else None
    shapes = [svg.hexagon(x, y, SIZE - 0.4, **looks.LAND)]
    if town is None and name in HILLS and not built:
        shapes.append(svg.path(_hills(x, y), **looks.HILL))
    if town is not None and town.kind == "metropolis":
        key = f"town:{town.name}"
        shapes += _metropolis(x, y, town, left, letter)
    elif town is not None and town.kind == "railway":
        shapes.append(svg.circle(x, y - 3, 8.5, **looks.RAILWAY_TOWN))
    return svg.group(shapes, title=title, class_="place", data_pick=key, data_hex=name)


def _hills(x: float, y: float) -> str:
    """Path data of a few ridges."""
    ridges = ((-13, -3, 12), (1, -7, 14), (-5, 6, 13))
    return "".join(
        f"M{svg.number(x + right)} {svg.number(y + down)}q{svg.number(width / 2)} -9 {width} 0"
        for right, down, width in ridges
    )


def _metropolis(x: float, y: float, town: Town, left: int, letter: str) -> Iterable[str]:
    """A disc with the letter of the industry, and a dot for every token, hollow when taken."""
    fill, ink = looks.INDUSTRIES[town.industry]
    yield svg.circle(x, y - 5, 13.5, class_=f"town industry-{town.industry}", fill=fill, **OUTLINE)
    yield svg.text(x, y + 0.2, letter, font_size=14.5, fill=ink, **BOLD)
    for n in range(town.tokens):
        look = looks.TOKEN if n < left else looks.TAKEN_TOKEN
        yield svg.circle(x + 19, y - 13 + n * 7.6, 2.9, **look)


@lru_cache(maxsize=8)
def start_towns(sheet: Sheet) -> str:
    """Squares in the colour and with the letters of their line, above the track."""
    drawn = []
    for town in sheet.board.towns:
        if town.kind != "start":
            continue
        x, y = sheet.centres[town.hex]
        line = sheet.board.lines[town.line]
        fill, ink = looks.LINES.get(line.colour, looks.OTHER_LINE)
        look = {"rx": 3, "class_": f"town line-{line.id}", "fill": fill} | OUTLINE
        drawn.append(svg.rect(x - 17, y - 15, 34.0, 21.0, **look))
        drawn.append(svg.text(x, y - 0.7, line.id, **(BOLD | looks.LETTERS | {"fill": ink})))
    return svg.group(drawn, class_="starts")


@lru_cache(maxsize=8)
def names(sheet: Sheet) -> str:
    """The names of the towns, above everything so that they stay readable."""
    drawn = []
    for town in sheet.board.towns:
        x, y = sheet.centres[town.hex]
        for offset, part in enumerate(_name_lines(town.name)):
            drawn.append(svg.text(x, y + 20 + offset * 11, part, **looks.TOWN_NAME))
    return svg.group(drawn, class_="names", data_above="")


def _name_lines(name: str) -> list[str]:
    """A long name in two lines."""
    if len(name) < 14 or " " not in name:
        return [name]
    first, _, last = name.rpartition(" ")
    return [first, last]


def tooltip(page: Page, place: int) -> str:
    """What is to be known of a hex, in words."""
    state, board, words = page.state, page.board, page.words
    parts = [board.hex_names[place]]
    number = board.town_at[place]
    if number >= 0:
        town = board.towns[number]
        parts.append(town.name)
        if town.kind == "start":
            parts.append(words._("start town of {line}", line=board.lines[town.line].name))
        elif town.kind == "metropolis":
            left = state.ledger.held(token(town.name), "map")
            parts.append(words._("metropolis of {kind}", kind=words._(KIND_NAMES[town.industry])))
            parts.append(words.ngettext("{n} token left", "{n} tokens left", left))
        else:
            parts.append(words._("railway town"))
        lines = [
            line.id
            for index, line in enumerate(board.lines)
            if state.merged_into[index] < 0 and state.connected[index] >> number & 1
        ]
        if lines:
            parts.append(words._("connected: {lines}", lines=words.join(lines)))
    elif state.owner[place] >= 0:
        parts.append(words._("line {line}", line=board.lines[state.owner[place]].id))
    if place in state.stations:
        parts.append(words._("station of {name}", name=words.name(state.stations[place])))
    return ", ".join(parts)
