"""Stations, locomotives, and what is to be pointed out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.games.rocket import looks
from kursbuch.games.rocket.drawing.page import SIZE, Page
from kursbuch.games.rocket.looks import BOLD, OUTLINE
from kursbuch.games.rocket.state import Objection, Veto
from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import edge_middle


def stations(page: Page) -> Iterable[str]:
    """Houses with the number of their player."""
    for place, seat in page.state.stations.items():
        x, y = _station_place(page, place)
        house = [(x - 10, y + 10), (x - 10, y - 3), (x, y - 12), (x + 10, y - 3), (x + 10, y + 10)]
        yield svg.group(
            [
                svg.polygon(house, **svg.seat_fill(seat), **OUTLINE),
                svg.text(x, y + 6.8, str(seat + 1), font_size=13, **svg.seat_ink(seat), **BOLD),
            ],
            title=page.words._("station of {name}", name=page.words.name(seat)),
            class_="station",
            data_pick=f"station:{page.board.hex_names[place]}",
            data_piece=f"station:{page.board.hex_names[place]}",
        )


def _station_place(page: Page, place: int) -> tuple[float, float]:
    """Where a station stands in its hex: beside the track, above a locomotive, out of its way."""
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
    """Locomotives, pointing where they face; one that waits in its start town points nowhere."""
    for line, place in enumerate(page.state.locomotive):
        if place >= 0:
            yield _locomotive(page, line, place, page.state.facing[line])


def _locomotive(page: Page, line: int, place: int, facing: int) -> str:
    """One locomotive with the letters of its line on the boiler, and a pointer to where it goes."""
    x, y = page.centres[place]
    fill, ink = page.colours(line)
    name = page.board.lines[line].id
    isolated = page.state.isolated[line]
    if facing < 0:
        y -= 6
    look = {"fill": fill, "class_": f"line-{name}"} | OUTLINE
    # The chimney is in front: edges 2 to 4 are those to the west.
    front = -1 if facing in (2, 3, 4) else 1
    shapes = [*_engine(x, y, front, look | (looks.ISOLATED if isolated else {}))]
    shapes.append(svg.text(x, y + 4, name, **(BOLD | looks.LETTERS | {"fill": ink})))
    if facing >= 0:
        shapes.append(svg.polygon(_pointer(x, y, facing), **look))
    title = page.words._("locomotive of {line}", line=page.board.lines[line].name)
    if isolated:
        title = f"{title} ({page.words._('isolated')})"
    return svg.group(
        shapes,
        title=title,
        class_="piece locomotive",
        data_pick=f"line:{name}",
        data_piece=f"line:{name}",
    )


def _pointer(x: float, y: float, facing: int) -> list[tuple[float, float]]:
    """A triangle on the edge to which a locomotive goes."""
    tip = edge_middle(x, y, SIZE + 6, facing)
    base = edge_middle(x, y, SIZE - 5, facing)
    aside = edge_middle(0, 0, 9.0, (facing + 3) % 6)
    across = (-aside[1], aside[0])
    return [
        tip,
        (base[0] + across[0], base[1] + across[1]),
        (base[0] - across[0], base[1] - across[1]),
    ]


def _engine(x: float, y: float, front: int, look: svg.Look) -> Iterable[str]:
    """The silhouette: boiler, chimney, driver's stand, a large wheel and a small one."""
    boiler = [(-16, -8), (9, -8), (10, -19), (7, -21), (7, -24), (18, -24), (18, -21), (15, -19)]
    outline = [*boiler, (16, -8), (20, -5), (20, 6), (17, 8), (-22, 8), (-22, -20), (-16, -20)]
    yield svg.circle(x + front * 9, y + 8, 8.0, **looks.WHEEL)
    yield svg.circle(x - front * 12, y + 11, 5.0, **looks.WHEEL)
    yield svg.polygon([(x + front * right, y + down) for right, down in outline], **look)


def ghost(page: Page) -> Iterable[str]:
    """Where a locomotive is about to go while others may still object."""
    for step in page.state.agenda:
        if isinstance(step, Objection | Veto):
            target = step.target if isinstance(step, Veto) else step.hex
            x, y = page.centres[target]
            x1, y1 = page.centres[page.state.locomotive[step.line]]
            fill, _ = page.colours(step.line)
            way = f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x)} {svg.number(y)}"
            yield svg.path(way, stroke=fill, **looks.GHOST)
            yield svg.circle(x, y, 14.0, stroke=fill, **looks.GHOST)


def marked(page: Page, marks: Sequence[str]) -> Iterable[str]:
    """Rings around what the last move changed."""
    board = page.board
    places = {f"hex:{name}": place for place, name in enumerate(board.hex_names)}
    places |= {f"town:{town.name}": town.hex for town in board.towns}
    places |= {
        f"line:{line.id}": page.state.locomotive[index]
        for index, line in enumerate(board.lines)
        if page.state.locomotive[index] >= 0
    }
    for key in marks:
        if key in places:
            yield svg.hexagon(*page.centres[places[key]], SIZE - 2.5, **looks.MARK)
