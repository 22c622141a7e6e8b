"""The land: coast, hills, hexes and towns."""

from __future__ import annotations

from collections.abc import Iterable

from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import corners
from kursbuch.rocket import looks
from kursbuch.rocket.components import KIND_NAMES, Town
from kursbuch.rocket.drawing.page import MARGIN, SIZE, Page
from kursbuch.rocket.looks import BOLD, OUTLINE
from kursbuch.rocket.state import token

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


def shore(page: Page) -> Iterable[str]:
    """Shallow water and the coast around all the land."""
    outlines = []
    for x, y in page.centres:
        points = [f"{svg.number(a)} {svg.number(b)}" for a, b in corners(x, y, SIZE)]
        outlines.append(f"M{'L'.join(points)}z")
    outline = "".join(outlines)
    for look in (looks.DEEP, looks.SHALLOWS, looks.COAST):
        yield svg.path(outline, **look)


def rim(page: Page) -> Iterable[str]:
    """The letters of the rows and the numbers of the columns, which are the names of the hexes."""
    places = list(zip(page.board.places, page.centres, strict=True))
    rows = {
        place.row: (page.board.hex_names[number][0], y)
        for number, (place, (_, y)) in enumerate(places)
    }
    for letter, y in rows.values():
        yield svg.text(10, y + 4, letter, **looks.COORDINATE)
        yield svg.text(page.width - 10, y + 4, letter, **looks.COORDINATE)
    columns = {place.column: x for place, (x, _) in places}
    for column, x in columns.items():
        # Every other column has hexes in every other row.
        low = page.height - MARGIN / 2 + 4
        yield svg.text(x, 12 if column % 2 == 0 else low, str(column), **looks.COORDINATE)


def land(page: Page) -> Iterable[str]:
    """Every hex; towns are drawn on top of it."""
    board = page.board
    for place, (x, y) in enumerate(page.centres):
        name = board.hex_names[place]
        number = board.town_at[place]
        town = board.towns[number] if number >= 0 else None
        key = f"hex:{name}" if town is None else None
        if town is not None and town.kind == "metropolis":
            key = f"town:{town.name}"
        shapes = [svg.hexagon(x, y, SIZE - 0.4, **looks.LAND)]
        built = page.state.owner[place] >= 0 or place in page.state.stations
        if name in HILLS and town is None and not built:
            shapes.append(svg.path(_hills(x, y), **looks.HILL))
        if town is not None and town.kind == "metropolis":
            shapes += _metropolis(page, x, y, town)
        elif town is not None and town.kind == "railway":
            shapes.append(svg.circle(x, y - 3, 8.5, **looks.RAILWAY_TOWN))
        yield svg.group(
            shapes, title=tooltip(page, place), class_="place", data_pick=key, data_hex=name
        )


def _hills(x: float, y: float) -> str:
    """Path data of a few ridges."""
    ridges = ((-13, -3, 12), (1, -7, 14), (-5, 6, 13))
    return "".join(
        f"M{svg.number(x + right)} {svg.number(y + down)}q{svg.number(width / 2)} -9 {width} 0"
        for right, down, width in ridges
    )


def _metropolis(page: Page, x: float, y: float, town: Town) -> Iterable[str]:
    """A disc with the letter of the industry, and a dot for every token, hollow when taken."""
    fill, ink = looks.INDUSTRIES[town.industry]
    yield svg.circle(x, y - 5, 13.5, class_=f"town industry-{town.industry}", fill=fill, **OUTLINE)
    letter = page.words._(KIND_NAMES[town.industry])[0]
    yield svg.text(x, y + 0.2, letter, font_size=14.5, fill=ink, **BOLD)
    left = page.state.ledger.held(token(town.name), "map")
    for n in range(town.tokens):
        look = looks.TOKEN if n < left else looks.TAKEN_TOKEN
        yield svg.circle(x + 19, y - 13 + n * 7.6, 2.9, **look)


def start_towns(page: Page) -> Iterable[str]:
    """Squares in the colour and with the letters of their line, above the track."""
    for town in page.board.towns:
        if town.kind != "start":
            continue
        x, y = page.centres[town.hex]
        fill, ink = page.colours(town.line)
        name = page.board.lines[town.line].id
        look = {"rx": 3, "class_": f"town line-{name}", "fill": fill} | OUTLINE
        yield svg.rect(x - 17, y - 15, 34.0, 21.0, **look)
        yield svg.text(x, y - 0.7, name, **(BOLD | looks.LETTERS | {"fill": ink}))


def names(page: Page) -> Iterable[str]:
    """The names of the towns, above everything so that they stay readable."""
    for town in page.board.towns:
        x, y = page.centres[town.hex]
        for offset, part in enumerate(_name_lines(town.name)):
            yield svg.text(x, y + 20 + offset * 11, part, **looks.TOWN_NAME)


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
