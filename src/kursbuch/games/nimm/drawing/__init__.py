"""The table of Nimm den Zug as SVG: auction, open wagons, and everybody's trains.

Elements a player can point at carry `data-pick`: `loco:E3` (a locomotive card at auction or in hand),
`card:coal200` (an open card of the wagon deck), `train:0:2` (the second train of the first seat),
`seat:0` (a player) and `target:target-7` (a target tile the viewer holds). A page that wants clicks
lets only the elements that can be chosen receive them.

Classes for recolouring: `cloth`, `tray`, `lane`, `paper`, `ink`, `note`, `rail`, `wheel`, `ticket`,
`mark`; `drive-ID` and `kind-ID` on vehicles, `special` on special cards, `seat-N` on a player's sign.
Nothing is shown by colour alone: every kind of vehicle has its shape and its name as tooltip, seats
have numbers.

`data-narrow` is how a page may arrange the drawing on a narrow screen: on the drawing its `viewBox`,
on its parts their `transform`; `data-wide` is the `viewBox` as drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.drawing import looks
from kursbuch.games.nimm.drawing.looks import WIDTH, Page
from kursbuch.games.nimm.drawing.table import heading, middle, players
from kursbuch.games.nimm.state import NimmState
from kursbuch.hexmap import svg


def draw(state: NimmState, cards: Cards, words: Words, marks: Sequence[str] = ()) -> str:
    """The table as a complete SVG document; `marks` are keys of elements to point out."""
    page = Page(state, cards, words, marks)
    table, narrow_top = middle(page)
    return svg.document(
        WIDTH,
        page.height,
        [
            svg.element("rect", width="100%", height="100%", **looks.CLOTH),
            svg.group(heading(page), class_="heading"),
            svg.group(table, class_="table"),
            svg.group(players(page, narrow_top), class_="players"),
        ],
        label=words._("Board of {title}", title="Nimm den Zug"),
        class_="board",
        data_title="nimm",
        data_wide=f"0 0 {svg.number(WIDTH)} {svg.number(page.height)}",
        data_narrow=page.narrow(narrow_top),
    )


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.LocoOffered(loco=loco) | happened.BidMade(loco=loco):
                found.append(f"loco:{loco}")
            case happened.LocoSold(loco=loco) | happened.ChoiceBought(loco=loco):
                found.append(f"loco:{loco}")
            case happened.WagonCoupled(seat=seat, train=train):
                found.append(f"train:{seat}:{train}")
            case happened.MultiplierLaid(seat=seat, train=train):
                found.append(f"train:{seat}:{train}")
            case happened.CardsTurnedUp(cards=names):
                found += [f"card:{name}" for name in names]
    return list(dict.fromkeys(found))
