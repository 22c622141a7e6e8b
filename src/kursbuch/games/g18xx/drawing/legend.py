"""What the signs of a map mean, written beside its land."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from kursbuch.core.words import Words
from kursbuch.games.g18xx.drawing.faces import INK, Looks, Point, draw_gauge_sample, draw_marker
from kursbuch.games.g18xx.drawing.look import MapLook, Same, Sizes
from kursbuch.games.g18xx.drawing.map import draw_area, point
from kursbuch.games.g18xx.map.board import Board
from kursbuch.hexmap import svg

#: How far apart lines are, how large their letters, and where the words begin.
LINE, LETTERS, WORDS = 31.0, 20.0, 82.0

#: A sample, drawn around the point it is given, and what it means.
Line = tuple[Callable[[float, float], Iterable[str]], str]


def written(x: float, y: float, text: str, **values: object) -> str:
    """A line of a legend."""
    look: svg.Look = {"class_": "ink", "fill": INK, "font_size": LETTERS, "text_anchor": "start"}
    return svg.text(x, y + LETTERS * 0.36, text, **(look | values))


def lines(at: Point, rows: Sequence[Line]) -> Iterator[str]:
    """Samples with their words, one below the other from a point on."""
    x, y = at
    for number, (sample, text) in enumerate(rows):
        down = y + number * LINE
        yield from sample(x + 35, down)
        yield written(x + WORDS, down, text)


def gauge_lines(gauges: Sequence[str], sizes: Sizes, words: Words) -> list[Line]:
    """How track of every gauge is drawn."""
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
    """The companies with their signs, if they have areas. Pages show the border of the area of one
    that is pointed at, and that of the `acting` one."""
    if look.areas:
        named = tuple(words._("Territory of {company}", company=one) for one in look.areas)
        heading = words._("Territories")
        yield _companies(board, Same(look), Same(looks), heading, named, acting)


@lru_cache(maxsize=64)
def _companies(
    board: Board, looking: Same, colours: Same, heading: str, named: tuple[str, ...], acting: str
) -> str:
    """All companies, of which most moves change nothing."""
    look: MapLook = looking.value
    looks: Looks = colours.value
    x, y = point(board, look.company_legend, look.sizes)
    parts = [written(x - 12, y - LINE, heading, font_weight="bold")]
    for number, company in enumerate(look.areas):
        down = y + number * LINE
        entry = svg.group(
            [
                svg.rect(x - 18, down - LINE / 2, 130, LINE, class_="entry", fill="#ffffff00"),
                draw_marker(company, x, down, 12.5, looks, look.signs.get(company, "")),
                written(x + 24, down, company, font_weight="bold" if company == acting else None),
            ],
            title=named[number],
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
