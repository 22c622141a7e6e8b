"""The faces of hexes and tiles: their land and track, stops with station spaces and markers, values and
labels; of every gauge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kursbuch.eighteen.drawing import lettering, room
from kursbuch.eighteen.drawing.lettering import radius, stop_points
from kursbuch.eighteen.drawing.look import PLAIN, SMALL, MapLook, Sizes
from kursbuch.eighteen.map.board import GAUGES, STOP, Board, Face, Stop
from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import edge_middle

SIZE = 46.0
INK = "#1d1a16"

FILLS = {
    "white": "#f4f0e2",
    "yellow": "#f3d34a",
    "green": "#7fb567",
    "brown": "#b98a5a",
    "gray": "#b5b2aa",
    "red": "#d9705f",
    "blue": "#9cc3dd",
}
TRACK: dict[str, object] = {"fill": "none", "stroke_linecap": "round"}
#: Lettering that is read over what lies below.
HALO: svg.Look = {"stroke_width": 3, "paint_order": "stroke", "stroke_linejoin": "round"}

Point = tuple[float, float]

#: For every company the colour of its markers, and that of the letters on them.
Looks = Mapping[str, tuple[str, str]]
NO_LOOKS: Looks = {}

#: The names of gauges by their bits.
_NAMES = {bits: name for name, bits in GAUGES.items()}


def path_data(
    face: Face, a: int, b: int, x: float, y: float, size: float, sizes: Sizes = SMALL
) -> str:
    """The path data of a piece of track of a face."""
    if max(a, b) < STOP:
        return svg.track(x, y, size, a, b)
    n = svg.number
    points = stop_points(face, x, y, size, sizes)
    to_x, to_y = points[max(a, b) - STOP]
    if min(a, b) >= STOP:
        from_x, from_y = points[min(a, b) - STOP]
        return f"M{n(from_x)} {n(from_y)}Q{n(x)} {n(y)} {n(to_x)} {n(to_y)}"
    edge = min(a, b)
    at_x, at_y = edge_middle(x, y, size, edge)
    # Leaves the border at a right angle.
    via_x, via_y = at_x + (x - at_x) * 0.45, at_y + (y - at_y) * 0.45
    return f"M{n(at_x)} {n(at_y)}Q{n(via_x)} {n(via_y)} {n(to_x)} {n(to_y)}"


def draw_face(
    face: Face,
    x: float,
    y: float,
    size: float = SIZE,
    markers: Sequence[Sequence[str]] = (),
    phase: int = 0,
    sizes: Sizes = SMALL,
) -> Iterator[str]:
    """A face on its own: hex, track, stops with station spaces and markers, values and label."""
    yield draw_land(face, x, y, size)
    for layer in track_layers(face, x, y, size, sizes):
        yield from layer
    yield from _stops(face, x, y, size, markers, phase, sizes)


def draw_land(face: Face, x: float, y: float, size: float, land: str = "", fill: str = "") -> str:
    """The hex of a face; its `land` is a class of its own."""
    return svg.hexagon(
        x,
        y,
        size - 0.5,
        class_=f"land {face.colour} {land}".rstrip(),
        fill=fill or FILLS[face.colour],
        stroke="#8d8672",
        stroke_width=0.8,
    )


def track_layers(
    face: Face, x: float, y: float, size: float, sizes: Sizes
) -> tuple[list[str], list[str], list[str]]:
    """The track of a face in three layers: what is around it, the dark, and the light within."""
    around, dark, light = [], [], []
    for path in face.paths:
        line = path_data(face, path.a, path.b, x, y, size, sizes)
        around.append(_track_line(line, size, "casing", sizes))
        dark.append(_track_line(line, size, "track", sizes))
        gauge = _NAMES[path.gauge]
        if gauge != "standard":
            light.append(_track_line(line, size, gauge, sizes))
    return around, dark, light


def _track_line(line: str, size: float, kind: str, sizes: Sizes) -> str:
    """A line of one of the layers: "casing", "track", or what is light in "metre" and "dual" track."""
    if kind == "casing":
        return svg.path(
            line, class_=kind, stroke="#ffffff", stroke_width=size * sizes.casing, **TRACK
        )
    if kind == "track":
        return svg.path(line, class_=kind, stroke=INK, stroke_width=size * sizes.track, **TRACK)
    wide = size * sizes.track
    dual = kind == "dual"
    return svg.path(
        line,
        class_=f"core {kind}",
        stroke="#ffffff",
        stroke_width=wide * (0.62 if dual else 0.56),
        # The border of a hex is in the middle of a dark piece.
        stroke_dasharray=f"{svg.number(wide)} {svg.number(wide)}" if dual else None,
        stroke_dashoffset=-wide / 2 if dual else None,
        **(TRACK | {"stroke_linecap": "butt" if dual else "round"}),
    )


def draw_gauge_sample(gauge: str, x: float, y: float, length: float, sizes: Sizes) -> str:
    """A piece of straight track from a point to the east."""
    line = f"M{svg.number(x)} {svg.number(y)}h{svg.number(length)}"
    kinds = ("casing", "track", gauge)[: 2 if gauge == "standard" else 3]
    return "".join(_track_line(line, SIZE, kind, sizes) for kind in kinds)


def gauges(board: Board) -> list[str]:
    """The gauges of all track, in their order."""
    faces = [*board.printed, *(tile.faces[0] for tile in board.tiles.values())]
    used = {path.gauge for face in faces for path in face.paths}
    return [name for name, bits in GAUGES.items() if bits in used]


def _stops(
    face: Face,
    x: float,
    y: float,
    size: float,
    markers: Sequence[Sequence[str]],
    phase: int,
    sizes: Sizes,
) -> Iterator[str]:
    points = stop_points(face, x, y, size, sizes)
    look = MapLook(sizes)
    for number, (stop, point) in enumerate(zip(face.stops, points, strict=True)):
        here = markers[number] if number < len(markers) else ()
        value = value_spot(face, number, sizes)
        parts = draw_stop(stop, *point, size, here, phase, value, NO_LOOKS, look=look)
        yield svg.group(parts, class_="stop", data_edges=edges_of(face, number))
    yield from draw_label(face, x, y, size, sizes)


def value_spot(face: Face, number: int, sizes: Sizes) -> Point | None:
    """Where the value of a stop stands, from the middle of the stop."""
    if not face.paths:
        return None
    return room.values(face, sizes)[number] if sizes.large else lettering.values(face)[number]


def edges_of(face: Face, number: int) -> str:
    """The edges to which track of a stop leads: by them a page finds what becomes of its markers when
    another tile takes its place."""
    return "".join(str(edge) for edge in sorted({edge for edge, _ in face.exits(number)}))


def draw_label(face: Face, x: float, y: float, size: float, sizes: Sizes) -> Iterator[str]:
    """The letters by which special tiles are known."""
    if face.label:
        across, down = room.label(face, sizes) if sizes.large else lettering.place(face, ())[1]
        yield svg.text(
            x + size * across,
            y + size * (down + sizes.label * 0.35),
            face.label,
            class_=f"label on-{face.colour}",
            font_size=size * sizes.label,
            font_weight="bold",
            fill=INK,
            **({"stroke": FILLS[face.colour]} | HALO if sizes.large else {}),
        )


def draw_stop(
    stop: Stop,
    x: float,
    y: float,
    size: float,
    markers: Sequence[str],
    phase: int,
    value: Point | None,
    looks: Looks,
    reserved: str = "",
    look: MapLook = PLAIN,
) -> Iterator[str]:
    """A stop with its station spaces, markers and value; `reserved` is the company for which the next
    space is kept."""
    sizes = look.sizes
    ring: dict[str, object] = {"fill": "#ffffff", "stroke": INK, "stroke_width": size / 32}
    if stop.kind == "junction":
        return
    halo: dict[str, object] = {
        "font_weight": "bold",
        "fill": INK,
        "stroke": "#ffffff",
        "stroke_width": 2,
        "paint_order": "stroke",
    }
    space = size * radius(stop, sizes)
    if stop.kind == "town":
        dot = ring | {"fill": INK, "stroke": "#ffffff"}
        yield svg.element("circle", cx=x, cy=y, r=space, class_="town", **dot)
    elif stop.kind == "offboard":
        yield from _draw_values(stop, x, y, size, phase)
        return
    if sizes.large and stop.slots > 1:
        wide, high = stop.slots * space, space + 1.5
        capsule: svg.Look = {"class_": "capsule", "fill": "#ffffff", "stroke": INK}
        yield svg.rect(
            x - wide - 1.5, y - high, 2 * wide + 3, 2 * high, rx=high, stroke_width=1, **capsule
        )
    for slot in range(stop.slots):
        at = x + (slot - (stop.slots - 1) / 2) * space * 2
        yield svg.element("circle", cx=at, cy=y, r=space, class_="city", **ring)
        if slot < len(markers):
            sign = look.signs.get(markers[slot], "")
            yield draw_marker(markers[slot], at, y, space * (0.94 if sign else 0.9), looks, sign)
        elif reserved and slot == len(markers):
            sign = look.signs.get(reserved, "")
            letters = 1.6 if sign else 0.85
            yield svg.text(
                at,
                y + space * letters * (0.36 if sign else 0.32 / 0.85),
                sign or reserved,
                class_="reserved",
                font_size=space * letters,
                fill="#6b6658",
            )
    if stop.value and value:
        yield svg.text(
            x + size * value[0],
            y + size * (value[1] + sizes.value * 0.35),
            str(stop.value),
            class_="value",
            font_size=size * sizes.value,
            **halo,
        )


def draw_tile(face: Face, label: str = "", sizes: Sizes = SMALL) -> str:
    """A tile on its own."""
    size = 2 * SIZE
    content = draw_face(face, SIZE, SIZE, sizes=sizes)
    return svg.document(size, size, content, label=label, class_="eighteen")


def _draw_values(stop: Stop, x: float, y: float, size: float, phase: int) -> Iterator[str]:
    """The values of an off-board stop by phase; the one that counts now is dark."""
    width, height = size * 0.42, size * 0.36
    for number, value in enumerate(stop.values):
        left = x + (number - len(stop.values) / 2) * width
        now = number == min(phase, len(stop.values) - 1)
        yield svg.element(
            "rect",
            x=left,
            y=y - height / 2,
            width=width,
            height=height,
            class_="now" if now else "later",
            fill=INK if now else "#ffffff",
            stroke=INK,
            stroke_width=1,
        )
        yield svg.text(
            left + width / 2,
            y + size * 0.08,
            str(value),
            class_="value now" if now else "value",
            font_size=size / 4.8,
            font_weight="bold",
            fill="#ffffff" if now else INK,
        )


def draw_marker(
    company: str, x: float, y: float, radius: float, looks: Looks, sign: str = ""
) -> str:
    """A station or price marker with the letters of its company, or a sign."""
    fill, ink = looks.get(company, (INK, "#ffffff"))
    disc = svg.element(
        "circle", cx=x, cy=y, r=radius, class_="marker", fill=fill, stroke=INK, stroke_width=1.2
    )
    if sign:
        high = radius * 1.7
        down = high * 0.36
    else:
        high, down = radius * (1.25 if len(company) < 2 else 0.95), radius * 0.34
    letters = svg.text(
        x,
        y + down,
        sign or company,
        class_="marker-text",
        font_size=high,
        font_weight="bold",
        fill=ink,
    )
    return disc + letters
