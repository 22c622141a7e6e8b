"""The legend: each sign drawn by its own function, and the company list beside the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from kursbuch.core.title import LegendPart, Sign
from kursbuch.core.words import Words
from kursbuch.games.g18xx.drawing.faces import (
    INK,
    SIZE,
    TRACK,
    Looks,
    Point,
    draw_face,
    draw_gauge_sample,
    draw_land,
    draw_marker,
    draw_stop,
    draw_terrain_sample,
    gauges,
    token_colours,
    track_layers,
)
from kursbuch.games.g18xx.drawing.look import ByIdentity, MapLook, Sizes
from kursbuch.games.g18xx.drawing.map import draw_area, draw_run_sample, point
from kursbuch.games.g18xx.map.board import Board, Stop, StopKind
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.text.names import COLOUR_NAMES
from kursbuch.hexmap import svg

#: Line spacing, letter size, and the x at which the words begin: beside pieces of track, or signs.
LINE, LETTERS, WORDS, NEAR = 31.0, 20.0, 82.0, 60.0

#: A sample drawn around a given point, and its meaning.
Line = tuple[Callable[[float, float], Iterable[str]], str]


def written(x: float, y: float, text: str, **values: object) -> str:
    """Draw one line of a legend."""
    look: svg.Look = {"class_": "ink", "fill": INK, "font_size": LETTERS, "text_anchor": "start"}
    return svg.text(x, y + LETTERS * 0.36, text, **(look | values))


def lines(at: Point, rows: Sequence[Line], words: float = WORDS) -> Iterator[str]:
    """Draw samples with their words, one below the other."""
    x, y = at
    for number, (sample, text) in enumerate(rows):
        down = y + number * LINE
        yield from sample(x + 35, down)
        yield written(x + words, down, text)


def gauge_lines(gauges: Sequence[str], sizes: Sizes, words: Words) -> list[Line]:
    """Legend lines of the gauges."""
    names = {
        "standard": words._("standard gauge"),
        "metre": words._("metre gauge"),
        "dual": words._("dual gauge"),
    }

    def sample(gauge: str) -> Line:
        def draw(x: float, y: float) -> Iterator[str]:
            yield draw_gauge_sample(gauge, x - 33, y, 66, sizes)

        return draw, names[gauge]

    return [sample(gauge) for gauge in gauges]


def companies(
    board: Board, look: MapLook, looks: Looks, words: Words, acting: str = ""
) -> Iterator[str]:
    """Draw the companies that have areas, with their signs. Pages show the border of the area
    pointed at, and of the `acting` company's."""
    if look.areas:
        yield _companies(board, ByIdentity(look), ByIdentity(looks), words, acting)


@lru_cache(maxsize=256)
def _companies(
    board: Board,
    looking: ByIdentity,
    colours: ByIdentity,
    words: Words,
    acting: str,
) -> str:
    """The company list, which most moves leave unchanged."""
    look: MapLook = looking.value
    looks: Looks = colours.value
    x, y = point(board, look.company_legend, look.sizes)
    parts = [written(x - 12, y - LINE, words._("Territories"), font_weight="bold")]
    for number, company in enumerate(look.areas):
        down = y + number * LINE
        entry = svg.group(
            [
                svg.rect(x - 18, down - LINE / 2, 130, LINE, class_="entry", fill="#ffffff00"),
                draw_marker(company, x, down, 12.5, looks, look.signs.get(company, "")),
                written(x + 24, down, company, font_weight="bold" if company == acting else None),
            ],
            title=words._("Territory of {company}", company=company),
            data_area=company,
        )
        border = svg.group(
            [draw_area(board, company, look, looks[company][0])],
            class_="area shown" if company == acting else "area",
            data_area_of=company,
            visibility=None if company == acting else "hidden",
        )
        parts.append(svg.group([entry, border]))
    return "".join(parts)


#: Space around a sample.
WIDE, HIGH = 96.0, 84.0


def parts(
    ruleset: Ruleset[Any],
    look: MapLook,
    words: Words,
    title: str,
    terrain: Sequence[Line] = (),
    more: Sequence[Line] = (),
) -> list[LegendPart]:
    """Legend of a title under headings; `terrain` replaces the terrain of the hex records, `more`
    belongs to this map only."""
    board: Board = ruleset.components.board
    _ = words._

    def sign(parts: Iterable[str], meaning: str, wide: float = WIDE, high: float = HIGH) -> Sign:
        drawing = svg.document(
            wide, high, parts, label="", class_="eighteen", data_title=title, aria_hidden="true"
        )
        return Sign(drawing, meaning)

    def line(one: Line) -> Sign:
        sample, meaning = one
        return sign(sample(WIDE / 2, HIGH / 4), meaning, WIDE, HIGH / 2)

    found = [
        LegendPart(_("Land and tiles"), [sign(*one) for one in _land(board, look, words)]),
        LegendPart(_("Terrain and what the first tile costs"), [
            line(one) for one in terrain or terrain_lines(board, words)
        ]),
        LegendPart(_("Track"), [line(one) for one in _track(board, look, words)]),
        LegendPart(_("Stations"), [
            sign(*one) for one in _stations(look, token_colours(ruleset), words)
        ]),
        LegendPart(_("On the map now"), [
            Sign(draw_run_sample(0), _("the route of a train")),
            *(line(one) for one in (*more, (_mark, _("changed by the last move")))),
        ]),
    ]  # fmt: skip
    return [part for part in found if part.signs]


def _land(board: Board, look: MapLook, words: Words) -> Iterator[tuple[Iterable[str], str]]:
    """Legend of land, print and tiles."""
    x, y = WIDE / 2, HIGH / 2
    size = SIZE * 0.85
    bare = next((face for face in board.printed if face.colour == "white"), None)
    if bare is not None:
        yield [draw_land(bare, x, y, size)], words._("land without track")
    printed = next((f for f in board.printed if f.colour not in ("white", "red") and f.paths), None)
    if printed is not None:
        land = draw_land(printed, x, y, size)
        track = track_layers(printed, x, y, size, look.sizes)
        yield [land, *track], words._("pre-printed: no border")
    shown = set()
    for tile in board.tiles.values():
        if tile.colour in shown:
            continue
        shown.add(tile.colour)
        face = draw_face(tile.faces[0], x, y, size, sizes=look.sizes)
        yield (
            face,
            words._("{colour} tile: with a border", colour=words._(COLOUR_NAMES[tile.colour])),
        )
    outside = next((face for face in board.printed if "offboard" in face.kinds()), None)
    if outside is not None:
        text = words._("off-board: value by phase; the current one is dark")
        yield draw_face(outside, x, y, size, sizes=look.sizes), text


def terrain_line(kind: str, cost: str, lands: Mapping[str, str], words: Words) -> Line:
    """Legend line of one kind of terrain, with what the first tile costs there."""
    names = {
        "river": words._("river"),
        "rivers": words._("several rivers"),
        "hill": words._("hills"),
        "mountain": words._("mountains"),
        "high_mountain": words._("high mountains"),
    }

    def draw(x: float, y: float) -> Iterable[str]:
        return draw_terrain_sample(kind, x, y, lands)

    return draw, f"{names[kind]} {cost}"


@lru_cache(maxsize=32)
def terrain_lines(board: Board, words: Words) -> Sequence[Line]:
    """Legend of the terrain in the hex records."""
    costs: dict[str, set[int]] = {}
    for record in board.records:
        if record.cost and record.terrain:
            costs.setdefault(record.terrain, set()).add(record.cost)
    return [
        terrain_line(terrain, "/".join(map(str, sorted(amounts))), {}, words)
        for terrain, amounts in costs.items()
    ]


def _track(board: Board, look: MapLook, words: Words) -> Iterator[Line]:
    """Legend of the gauges, and of sides closed to track."""
    kinds = gauges(board)
    if len(kinds) > 1:
        yield from gauge_lines(kinds, look.sizes, words)
    if any(record.impassable for record in board.records):

        def bar(x: float, y: float) -> Iterable[str]:
            data = f"M{svg.number(x - 20)} {svg.number(y)}h40"
            look: svg.Look = {"stroke": "#2467b3", "stroke_width": 6.0} | TRACK
            return [svg.path(data, class_="bar", **look)]

        yield bar, words._("no track may cross this side")


def _stations(look: MapLook, looks: Looks, words: Words) -> Iterator[tuple[Iterable[str], str]]:
    """Legend of towns, cities, tokens and reserved homes."""
    x, y = WIDE / 2, HIGH / 2
    company = next(iter(looks))

    def stop(kind: StopKind, slots: int, *tokens: str, home: str = "") -> list[str]:
        drawn = Stop(kind=kind, value=0, slots=slots)
        return list(draw_stop(drawn, x, y, SIZE, tokens, 0, None, looks, home, look))

    yield stop("town", 0), words._("town: no space for a token")
    yield stop("city", 1), words._("city with a space for a token")
    yield stop("city", 2), words._("city with two spaces")
    sign = look.signs.get(company, "")
    token = [draw_marker(company, x, y, SIZE * look.sizes.city, looks, sign)]
    yield token, words._("station token of a company")
    yield stop("city", 1, home=company), words._("reserved as the home of a company")


def _mark(x: float, y: float) -> Iterable[str]:
    return [svg.hexagon(x, y, 17, class_="mark", fill="none", stroke="#b3202c", stroke_width=3)]
