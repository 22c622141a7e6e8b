"""The board of Stephenson's Rocket as SVG.

Elements a player can point at carry `data-pick`: `hex:K16` (every open hex), `town:Reading` (a
metropolis), `line:GWR` (a locomotive) and `station:K16` (a station, above its hex). A page that
wants clicks lets only the elements that can be chosen at the moment receive them.

Classes for recolouring: `sea`, `land`, `grid`, `coord`, `town`, `town-name`, `halo`, `token`,
`casing`, `track-id`, `mark`, `ghost`; `line-ID` on everything in a line's colour and `seat-N` on
stations. Nothing is shown by colour alone: lines carry their letters, stations their player's number,
metropolises the first letter of their industry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import edge_middle
from kursbuch.rocket import events as happened
from kursbuch.rocket import looks
from kursbuch.rocket.components import KIND_NAMES, Board, Town
from kursbuch.rocket.looks import BOLD, OUTLINE
from kursbuch.rocket.state import Objection, RocketState, Veto, token

SIZE = 30.0
MARGIN = 34.0


class Drawing:
    """One drawing in the making: the position and where things are on the page."""

    def __init__(self, state: RocketState, board: Board, words: Words) -> None:
        self.state = state
        self.board = board
        self.words = words
        # Doubled columns grow by half a hex's width, rows by one and a half times its size.
        raw = [place.centre(SIZE) for place in board.places]
        left = min(x for x, _ in raw) - SIZE - MARGIN / 2
        top = min(y for _, y in raw) - SIZE - MARGIN / 2
        self.centres = [(x - left, y - top) for x, y in raw]
        self.width = max(x for x, _ in self.centres) + SIZE + MARGIN / 2
        self.height = max(y for _, y in self.centres) + SIZE + MARGIN / 2

    def colours(self, line: int) -> tuple[str, str]:
        """The fill and text colour of a line."""
        return looks.LINES.get(self.board.lines[line].colour, looks.OTHER_LINE)

    # ---- land

    def land(self) -> Iterable[str]:
        """Every hex with its coordinate; towns are drawn on top of it."""
        for place, (x, y) in enumerate(self.centres):
            name = self.board.hex_names[place]
            number = self.board.town_at[place]
            town = self.board.towns[number] if number >= 0 else None
            key = f"hex:{name}" if town is None else None
            if town is not None and town.kind == "metropolis":
                key = f"town:{town.name}"
            shapes = [
                svg.hexagon(x, y, SIZE - 0.6, **looks.LAND),
                svg.text(x, y - 17.5, name, **looks.COORDINATE),
            ]
            if town is not None and town.kind == "metropolis":
                shapes += self.metropolis(x, y, town)
            elif town is not None and town.kind == "railway":
                shapes.append(svg.circle(x, y - 3, 8.5, **looks.RAILWAY_TOWN))
            yield svg.group(
                shapes, title=self.tooltip(place), class_="place", data_pick=key, data_hex=name
            )

    def metropolis(self, x: float, y: float, town: Town) -> Iterable[str]:
        """A disc with the letter of the industry, and a dot for every token, hollow when taken."""
        fill, ink = looks.INDUSTRIES[town.industry]
        yield svg.circle(x, y - 3, 12.5, class_="town", fill=fill, **OUTLINE)
        letter = self.words._(KIND_NAMES[town.industry])[0]
        yield svg.text(x, y + 1.5, letter, font_size=12, fill=ink, **BOLD)
        left = self.state.ledger.held(token(town.name), "map")
        for n in range(town.tokens):
            look = looks.TOKEN if n < left else looks.TAKEN_TOKEN
            yield svg.circle(x + 18.5, y - 10 + n * 7.0, 2.6, **look)

    def start_towns(self) -> Iterable[str]:
        """Squares in the colour and with the letters of their line, above the track."""
        for town in self.board.towns:
            if town.kind != "start":
                continue
            x, y = self.centres[town.hex]
            fill, ink = self.colours(town.line)
            name = self.board.lines[town.line].id
            look = {"rx": 3, "class_": f"town line-{name}", "fill": fill} | OUTLINE
            yield svg.rect(x - 14, y - 13.5, 28.0, 21.0, **look)
            yield svg.text(x, y + 0.5, name, font_size=8, fill=ink, **BOLD)

    def names(self) -> Iterable[str]:
        """The names of the towns, above everything so that they stay readable."""
        for town in self.board.towns:
            x, y = self.centres[town.hex]
            for offset, part in enumerate(_name_lines(town.name)):
                yield svg.text(x, y + 18.5 + offset * 8.5, part, **looks.TOWN_NAME)

    def tooltip(self, place: int) -> str:
        """What is to be known of a hex, in words."""
        state, board, words = self.state, self.board, self.words
        parts = [board.hex_names[place]]
        number = board.town_at[place]
        if number >= 0:
            town = board.towns[number]
            parts.append(town.name)
            if town.kind == "start":
                parts.append(words._("start town of {line}", line=board.lines[town.line].name))
            elif town.kind == "metropolis":
                left = state.ledger.held(token(town.name), "map")
                parts.append(
                    words._("metropolis of {kind}", kind=words._(KIND_NAMES[town.industry]))
                )
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

    # ---- pieces

    def tracks(self) -> Iterable[str]:
        """Track tiles, the track under the locomotives, and the way into the towns and lines met."""
        state, board = self.state, self.board
        pieces: list[tuple[int, str]] = []
        rears = {tile.hex: tile.rear for tile in state.track}
        for line, place in enumerate(state.locomotive):
            if place >= 0 and state.facing[line] >= 0:
                rears[place] = (state.facing[line] + 3) % 6
                pieces.append((line, svg.stub(*self.centres[place], SIZE, rears[place])))

        def onward(place: int, edge: int, line: int) -> None:
            other = board.neighbours[place][edge]
            if other >= 0 and rears.get(other) != (edge + 3) % 6:
                pieces.append((line, svg.stub(*self.centres[other], SIZE, (edge + 3) % 6)))

        for tile in state.track:
            line = state.owner[tile.hex]
            pieces.append((line, svg.track(*self.centres[tile.hex], SIZE, tile.rear, tile.exit)))
            onward(tile.hex, tile.exit, line)
        for place, rear in rears.items():
            other = board.neighbours[place][rear]
            if board.town_at[other] >= 0:
                stub = svg.stub(*self.centres[other], SIZE, (rear + 3) % 6)
                pieces.append((state.owner[place], stub))
        for _, path in pieces:
            yield svg.path(path, **looks.CASING)
        for line, path in pieces:
            name, colour = board.lines[line].id, self.colours(line)[0]
            yield svg.path(path, class_=f"track line-{name}", stroke=colour, **looks.TRACK)
        for tile in state.track:
            x, y = self.centres[tile.hex]
            yield svg.text(x, y + 19, board.lines[state.owner[tile.hex]].id, **looks.TRACK_NAME)

    def stations(self) -> Iterable[str]:
        """Houses with the number of their player."""
        for place, seat in self.state.stations.items():
            x, y = self.station_place(place)
            fill, ink = looks.SEATS[seat % len(looks.SEATS)]
            house = [(x - 8, y + 8), (x - 8, y - 2), (x, y - 10), (x + 8, y - 2), (x + 8, y + 8)]
            yield svg.group(
                [
                    svg.polygon(house, class_=f"seat-{seat}", fill=fill, **OUTLINE),
                    svg.text(x, y + 5.2, str(seat + 1), font_size=10, fill=ink, **BOLD),
                ],
                title=self.words._("station of {name}", name=self.words.name(seat)),
                class_="station",
                data_pick=f"station:{self.board.hex_names[place]}",
            )

    def station_place(self, place: int) -> tuple[float, float]:
        """Where a station stands in its hex: beside the track, above a locomotive, out of its way."""
        x, y = self.centres[place]
        if self.state.owner[place] < 0:
            return x, y
        for line, where in enumerate(self.state.locomotive):
            if where == place and self.state.facing[line] >= 0:
                tip_x, tip_y = edge_middle(x, y, SIZE, self.state.facing[line])
                return (x + 12 if tip_x < x and tip_y < y else x - 12), y - 15
        return x - 12, y - 8

    def locomotives(self) -> Iterable[str]:
        """Locomotives, pointing where they face; one that waits in its start town points nowhere."""
        for line, place in enumerate(self.state.locomotive):
            if place >= 0:
                yield self.locomotive(line, place, self.state.facing[line])

    def locomotive(self, line: int, place: int, facing: int) -> str:
        """One locomotive with the letters of its line."""
        x, y = self.centres[place]
        fill, ink = self.colours(line)
        name = self.board.lines[line].id
        isolated = self.state.isolated[line]
        if facing < 0:
            y -= 4
        shapes = []
        look = {"fill": fill} | OUTLINE
        if facing >= 0:
            tip = edge_middle(x, y, SIZE + 1, facing)
            left = edge_middle(x, y, 13.0, (facing + 4) % 6)
            right = edge_middle(x, y, 13.0, (facing + 2) % 6)
            shapes.append(svg.polygon([tip, right, left], class_=f"line-{name}", **look))
        look |= {"class_": f"locomotive line-{name}", "rx": 9}
        if isolated:
            look |= looks.ISOLATED
        shapes.append(svg.rect(x - 14, y - 9, 28.0, 18.0, **look))
        size = 8.5 if len(name) < 4 else 7.6
        shapes.append(svg.text(x, y + 3, name, font_size=size, fill=ink, **BOLD))
        title = self.words._("locomotive of {line}", line=self.board.lines[line].name)
        if isolated:
            title = f"{title} ({self.words._('isolated')})"
        return svg.group(shapes, title=title, class_="piece", data_pick=f"line:{name}")

    def ghost(self) -> Iterable[str]:
        """Where a locomotive is about to go while others may still object."""
        for step in self.state.agenda:
            if isinstance(step, Objection | Veto):
                target = step.target if isinstance(step, Veto) else step.hex
                x, y = self.centres[target]
                x1, y1 = self.centres[self.state.locomotive[step.line]]
                fill, _ = self.colours(step.line)
                way = f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x)} {svg.number(y)}"
                yield svg.path(way, stroke=fill, **looks.GHOST)
                yield svg.circle(x, y, 14.0, stroke=fill, **looks.GHOST)

    def marked(self, marks: Sequence[str]) -> Iterable[str]:
        """Rings around what the last move changed."""
        board = self.board
        places = {f"hex:{name}": place for place, name in enumerate(board.hex_names)}
        places |= {f"town:{town.name}": town.hex for town in board.towns}
        places |= {
            f"line:{line.id}": self.state.locomotive[index]
            for index, line in enumerate(board.lines)
            if self.state.locomotive[index] >= 0
        }
        for key in marks:
            if key in places:
                yield svg.hexagon(*self.centres[places[key]], SIZE - 2.5, **looks.MARK)


def _name_lines(name: str) -> list[str]:
    """A long name in two lines."""
    if len(name) < 14 or " " not in name:
        return [name]
    first, _, last = name.rpartition(" ")
    return [first, last]


def draw(state: RocketState, board: Board, words: Words, marks: Sequence[str] = ()) -> str:
    """The board as a complete SVG document; `marks` are keys of elements to point out."""
    page = Drawing(state, board, words)
    return svg.document(
        page.width,
        page.height,
        [
            svg.element("rect", width="100%", height="100%", **looks.SEA),
            svg.group(page.land(), class_="map"),
            svg.group(page.tracks(), class_="tracks"),
            svg.group(page.start_towns(), class_="starts"),
            svg.group(page.ghost(), class_="ghosts"),
            svg.group(page.stations(), class_="stations"),
            svg.group(page.locomotives(), class_="locomotives"),
            svg.group(page.marked(marks), class_="marks"),
            # Names stay readable where places are marked.
            svg.group(page.names(), class_="names", data_above=""),
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
