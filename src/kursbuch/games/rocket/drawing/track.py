"""Track, and the letters of whoever runs it, once for every network."""

from __future__ import annotations

from collections.abc import Iterable

from kursbuch.games.rocket import looks
from kursbuch.games.rocket.drawing.page import SIZE, Page
from kursbuch.games.rocket.looks import BOLD
from kursbuch.hexmap import svg


def tracks(page: Page) -> Iterable[str]:
    """Track tiles, the track under the locomotives, and the way into the towns and lines met: the
    casing below everything, and one path for each line."""
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
        yield svg.path(data, **looks.CASING)
    for line, data in whole.items():
        name, colour = board.lines[line].id, page.colours(line)[0]
        yield svg.path(data, class_=f"track line-{name}", stroke=colour, **looks.TRACK)


def labels(page: Page) -> Iterable[str]:
    """A plate with the letters of its line in the middle of every network."""
    for line, network in _networks(page):
        free = [place for place in network if place not in page.state.stations] or network
        x, y = page.centres[_middle(page, network, free)]
        fill, ink = page.colours(line)
        name = page.board.lines[line].id
        width = 9.0 + 7.6 * len(name)
        look = looks.PLATE | {"class_": f"plate line-{name}", "fill": fill}
        yield svg.rect(x - width / 2, y - 8, width, 16.0, **look)
        yield svg.text(x, y + 4, name, **(BOLD | looks.LETTERS | {"fill": ink}))


def _networks(page: Page) -> Iterable[tuple[int, list[int]]]:
    """The tiles of every line that hang together, except those that only follow its locomotive."""
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
        # The locomotive has the letters as well.
        if len(found) > (4 if beside else 1):
            yield line, sorted(found)


def _middle(page: Page, network: list[int], free: list[int]) -> int:
    """The tile from which the others of a network are nearest."""
    places = page.board.places
    return min(free, key=lambda one: (sum(places[one].distance(places[n]) for n in network), one))
