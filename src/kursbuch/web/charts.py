"""Curves and bars as SVG. Colours come from the pages' style sheet, by class, so that they fit a light and
a dark page; a curve is told from others by its dashes, the shape of its marks and its name at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import msgspec
from markupsafe import Markup, escape

#: The size of a letter; the style sheet sees to it that drawings are not shown much smaller.
FONT = 13
#: How high a line of text is.
ROW = 16
#: A number at the lower edge is left out if it is nearer to the last than this part of all.
LAST_TICK = 9
#: So many dash patterns and marks there are; curves with higher numbers begin again.
DASHES = ("", "9 4", "2 4", "12 4 2 4", "6 3", "14 5", "4 2 1 2", "1 3")
#: Marks around the origin.
MARKS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "M-3.500-3.500h7v7h-7z",
    "M0-4.500l4.500 8h-9z",
    "M0-5l5 5-5 5-5-5z",
    "M0 4.500l4.500-8h-9z",
    "M-1.500-4.500h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "M-4.500-2.500h9v5h-9z",
    "M-2.500-4.500h5v9h-5z",
)


class Curve(msgspec.Struct, frozen=True):
    """A curve: its name, its class, and its points from left to right.

    `marks` are those of the points that get a mark. With `steps` it stays where it is until the next point.
    """

    name: str
    look: str
    points: Sequence[tuple[int, int]]
    marks: Sequence[tuple[int, int]] = ()
    steps: bool = False


class Size(msgspec.Struct, frozen=True):
    """How large a chart is drawn, and how much room names have at its right."""

    id: str
    width: int
    height: int
    names: int


#: A page shows the one that fits.
WIDE = Size("wide", 820, 340, 110)
SMALL = Size("small", 360, 250, 84)


def curves(
    found: Sequence[Curve], size: Size, written: Callable[[int], str], rules: Iterable[int] = ()
) -> Markup:
    """Curves over a light grid, with `rules` (moves at which parts of the game ended) across it."""
    points = [point for curve in found for point in curve.points]
    if not points:
        return Markup("")
    ticks = scale(min(0, *(y for _, y in points)), max(1, *(y for _, y in points)), 5)
    labels = [written(tick) for tick in ticks]
    left = 14 + round(max(map(len, labels)) * FONT * 0.6)
    right, top, bottom = size.width - size.names, 10, size.height - 24
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    low, high = ticks[0], ticks[-1]

    def across(x: int) -> float:
        # The only point stands where its number does.
        part = (x - first) / (last - first) if first < last else 1
        return round(left + (right - left) * part, 1)

    def up(y: int) -> float:
        return round(bottom - (bottom - top) * (y - low) / max(1, high - low), 1)

    parts = [
        f'<path class="part-end" d="M{across(x):g} {top}V{bottom}"/>'
        for x in rules
        if first < x < last
    ]
    for tick, label in zip(ticks, labels, strict=True):
        y = up(tick)
        parts.append(f'<path class="{"zero" if tick == 0 else "grid"}" d="M{left} {y:g}H{right}"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:g}" text-anchor="end">{escape(label)}</text>')
    for x in scale(first, last, 4 if size is SMALL else 8)[:-1]:
        if first <= x and (last - x) * LAST_TICK > last - first:
            parts.append(
                f'<text x="{across(x):g}" y="{bottom + 18}" text-anchor="middle">{x}</text>'
            )
    parts.append(f'<text x="{right:g}" y="{bottom + 18}" text-anchor="middle">{last}</text>')
    for number, curve in enumerate(found):
        path = _path([(across(x), up(y)) for x, y in curve.points], curve.steps)
        dash = DASHES[number % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        mark = MARKS[number % len(MARKS)]
        marks = "".join(
            f'<path class="mark" transform="translate({across(x):g} {up(y):g})" d="{mark}"/>'
            for x, y in (curve.marks or curve.points[-1:])
        )
        parts.append(
            f'<g class="curve {curve.look}"><path class="casing" d="{path}"/>'
            f'<path class="line" d="{path}"{dashed}/>{marks}</g>'
        )
    parts += _names(found, size, [up(curve.points[-1][1]) for curve in found], across, top, bottom)
    return Markup(
        f'<svg class="chart {size.id}" viewBox="0 0 {size.width} {size.height}" '
        f'font-size="{FONT}" aria-hidden="true">{"".join(parts)}</svg>'
    )


def _names(
    found: Sequence[Curve],
    size: Size,
    heights: Sequence[float],
    across: Callable[[int], float],
    top: int,
    bottom: int,
) -> list[str]:
    """The names at the ends of the curves, moved apart where they would touch, each with its mark: at
    the right edge, or where a curve ends before."""
    most = round((size.names - 28) / (FONT * 0.57))
    last = max(curve.points[-1][0] for curve in found)
    parts = []
    for end in sorted({curve.points[-1][0] for curve in found}):
        order = sorted(
            (number for number, curve in enumerate(found) if curve.points[-1][0] == end),
            key=lambda number: heights[number],
        )
        places = apart([heights[number] for number in order], ROW, top + 4, bottom + 10)
        edge = size.width - size.names if end == last else across(end)
        for number, y in zip(order, places, strict=True):
            curve = found[number]
            name = curve.name if len(curve.name) <= most else curve.name[: most - 1] + "…"
            parts.append(
                f'<g class="curve {curve.look}"><path class="leader" d="M{across(end) + 5:g} '
                f'{heights[number]:g}L{edge + 12:g} {y:g}"/><path class="mark" '
                f'transform="translate({edge + 17:g} {y:g})" d="{MARKS[number % len(MARKS)]}"/></g>'
                f'<text class="name" x="{edge + 26:g}" y="{y + 4.5:g}">{escape(name)}</text>'
            )
    return parts


def _path(points: Sequence[tuple[float, float]], steps: bool) -> str:
    """The way through points; in steps, those that change nothing are left out."""
    x, y = points[0]
    parts = [f"M{x:g} {y:g}"]
    for (_, before), (x, y) in pairwise(points):
        if not steps:
            parts.append(f"L{x:g} {y:g}")
        elif y != before:
            parts.append(f"H{x:g}V{y:g}")
    if steps:
        parts.append(f"H{points[-1][0]:g}")
    return "".join(parts)


def apart(heights: Sequence[float], least: float, top: float, bottom: float) -> list[float]:
    """Heights in rising order, moved so that neighbours are at least so far from each other.

    >>> apart([10, 12, 40], 10, 0, 100)
    [6.0, 16.0, 40]
    >>> apart([95, 99], 10, 0, 100)
    [90, 100]
    """
    groups: list[list[float]] = []
    for height in heights:
        groups.append([height])
        while True:
            place = _placed(groups[-1], least, top, bottom)
            if len(groups) < 2 or _placed(groups[-2], least, top, bottom)[-1] + least <= place[0]:
                break
            groups[-2:] = [groups[-2] + groups[-1]]
    return [place for group in groups for place in _placed(group, least, top, bottom)]


def _placed(group: Sequence[float], least: float, top: float, bottom: float) -> list[float]:
    """Heights that touch each other, around their middle, within the room there is."""
    if len(group) == 1:
        return [min(max(group[0], top), bottom)]
    length = least * (len(group) - 1)
    start = sum(group) / len(group) - length / 2
    start = max(top, min(start, bottom - length))
    return [start + least * number for number in range(len(group))]


def scale(low: int, high: int, most: int) -> list[int]:
    """Round numbers from `low` or below to `high` or above, about so many.

    >>> scale(0, 6469, 5), scale(0, 9, 5), scale(-300, 900, 5)
    ([0, 2000, 4000, 6000, 8000], [0, 2, 4, 6, 8, 10], [-500, 0, 500, 1000])
    """
    span = max(1, high - low)
    step = 1
    while span / step > most:
        for factor in (2, 5, 10):
            if span / (step * factor) <= most:
                step *= factor
                break
        else:
            step *= 10
    first = low // step * step
    return list(range(first, first + step * (-(-(high - first) // step) + 1), step))


def bar(parts: Sequence[tuple[str, int]], low: int, high: int) -> Markup:
    """A bar of parts by their classes, what is below zero to the left of it; all bars from `low` to `high`
    have the same scale."""
    span = max(1, high - low)

    def percent(value: int) -> str:
        return f"{100 * value / span:.2f}%"

    ends = [0, 0]
    found = []
    for look, amount in parts:
        side = int(amount > 0)
        start = ends[side] if side else ends[side] + amount
        ends[side] += amount
        if amount:
            found.append(
                f'<rect class="{look}" x="{percent(start - low)}" width="{percent(abs(amount))}" '
                'y="0" height="14"/>'
            )
    zero = f'<rect class="zero" x="{percent(-low)}" width="2" y="0" height="14"/>' if low else ""
    return Markup(
        f'<svg class="bar-of-parts" width="100%" height="14" aria-hidden="true">{"".join(found)}{zero}</svg>'
    )
