"""The board of Railroad Dice as SVG: the large tiles in play, the landscape, companies and dice.

Elements a player can point at carry `data-pick`: `square:A:e4` (a square the end A of the line points
to), `exit:A:e4:N` (the piece that leads on northwards from there), `die:curve` (the dice of the player on
turn that show a curve), `company:insel`, `tile:lake:0` (a new tile that fits, unturned), `stock:lake` (the
small tiles that are left). A page that wants clicks lets only the elements that can be chosen at the
moment receive them; exits are hidden until they can be.

Classes for recolouring: `table`, `meadow`, `mountain`, `water`, `glyph`, `grid`, `coord`, `die`, `rail`,
`sleeper`, `card`, `label`, `marker`, `ring`, `letter`, `place-free`, `mark`; `company-ID` on everything in
a company's colour and `seat-N` on a player's sign. Nothing is shown by colour alone: mountains carry peaks, water
waves, companies their letters, ends of the line A and B.

`data-narrow` is how a page may arrange the drawing on a narrow screen: on the drawing its `viewBox`, on
its parts their `transform`; `data-wide` is the `viewBox` as drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.drawing.holdings import cards, pools, stocks
from kursbuch.games.dice.drawing.page import Page
from kursbuch.games.dice.drawing.shapes import TABLE
from kursbuch.games.dice.drawing.tiles import fields, landscape, marked, targets
from kursbuch.games.dice.geography import Geography
from kursbuch.games.dice.state import DiceState
from kursbuch.hexmap import svg


def draw(state: DiceState, geography: Geography, words: Words, marks: Sequence[str] = ()) -> str:
    """The board as a complete SVG document; `marks` are keys of elements to point out."""
    page = Page(state, geography, words)
    return svg.document(
        page.width,
        page.height,
        [
            svg.element("rect", width="100%", height="100%", **TABLE),
            svg.group(fields(page), class_="fields"),
            _moving(landscape(page), "landscape", page.narrow_landscape()),
            _moving(stocks(page), "stocks", page.narrow_landscape()),
            svg.group(cards(page), class_="cards"),
            _moving(pools(page), "pools", page.narrow_pools()),
            svg.group(targets(page), class_="targets"),
            svg.group(marked(page, marks), class_="marks"),
        ],
        label=words._("Board of {title}", title="Railroad Dice"),
        class_="board",
        data_title="dice",
        data_wide=f"0 0 {svg.number(page.width)} {svg.number(page.height)}",
        data_narrow=page.narrow,
    )


def _moving(content: Iterable[str], class_: str, narrow: str) -> str:
    """A group that stands elsewhere on a narrow screen."""
    return svg.group(content, class_=class_, transform="translate(0 0)", data_narrow=narrow)


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.TrackLaid() | happened.StationBuilt():
                found.append(f"square:{event.end}:{event.square}")
            case happened.TileConnected(row=row, column=column):
                found.append(f"place:{row}:{column}")
            case happened.ShareBought(company=company):
                found.append(f"company:{company}")
    return list(dict.fromkeys(found))
