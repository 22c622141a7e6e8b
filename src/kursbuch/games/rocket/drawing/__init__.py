"""The board of Stephenson's Rocket as SVG.

Elements a player can point at carry `data-pick`: `hex:K16` (every open hex), `town:Reading` (a
metropolis), `line:GWR` (a locomotive) and `station:K16` (a station, above its hex). A page that
wants clicks lets only the elements that can be chosen at the moment receive them.

Classes for recolouring: `sea`, `shallows`, `coast`, `land`, `hill`, `coord`, `town`, `town-name`, `halo`,
`token`, `casing`, `mark`, `ghost`; `line-ID` on everything in a line's colour and `seat-N` on stations.
Nothing is shown by colour alone: lines carry their letters, stations their player's number, metropolises
the first letter of their industry.
"""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.drawing import looks
from kursbuch.games.rocket.drawing.board import (
    ghost,
    labels,
    land,
    locomotives,
    marked,
    names,
    rim,
    shore,
    start_towns,
    stations,
    tracks,
)
from kursbuch.games.rocket.drawing.looks import Page
from kursbuch.games.rocket.state import RocketState
from kursbuch.hexmap import svg


def draw(state: RocketState, board: Board, words: Words, marks: Sequence[str] = ()) -> str:
    """The board as a complete SVG document; `marks` are keys of elements to point out."""
    page = Page(state, board, words)
    return svg.document(
        page.width,
        page.height,
        [
            svg.element("rect", width="100%", height="100%", **looks.SEA),
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
            # Names stay readable where places are marked.
            names(page.sheet),
        ],
        label=words._("Board of {title}", title="Stephenson's Rocket"),
        class_="board",
        data_title="rocket",
    )


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
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
