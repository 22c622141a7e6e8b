"""Signs of terrain, each of a shape of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kursbuch.hexmap import svg

#: Lines are drawn on land, areas are filled: the path data of both around the origin, one unit high.
SIGNS: Mapping[str, tuple[str, str]] = {
    "river": ("M-.6 .1q.2 -.35 .4 0t.4 0t.4 0", ""),
    "rivers": (
        "M-.6 -.3q.2 -.35 .4 0t.4 0t.4 0M-.6 .1q.2 -.35 .4 0t.4 0t.4 0M-.6 .5q.2 -.35 .4 0t.4 0t.4 0",
        "",
    ),
    "hill": ("", "M-.7 .4C-.55 -.45 .1 -.45 .22 .1C.35 -.2 .65 -.05 .7 .4Z"),
    "mountain": ("", "M-.62 .45L0 -.5L.62 .45Z"),
    "high_mountain": (
        "M-.36 -.06l.16 .12l.14 -.14l.14 .1M.4 .06l.12 .1l.14 -.1",
        "M-.9 .5L-.12 -.75L.28 .02L.5 -.25L.95 .5Z",
    ),
}


def draw_signs(names: Sequence[str], x: float, y: float, height: float) -> Iterator[str]:
    """Signs side by side around a point."""
    step = height * 1.45
    for number, name in enumerate(names):
        line, area = SIGNS[name]
        parts = []
        if area:
            colour, kind = ("#94793f", "hills") if name == "hill" else ("#6f5840", "relief")
            parts.append(svg.path(area, fill=colour, class_=kind))
        if line:
            colour, kind = ("#ffffff", "snow") if area else ("#1f62a0", "stream")
            look: svg.Look = {"fill": "none", "stroke_linecap": "round", "stroke_width": ".16"}
            parts.append(svg.path(line, class_=kind, stroke=colour, **look))
        at = x + (number - (len(names) - 1) / 2) * step
        where = f"translate({svg.number(at)} {svg.number(y)}) scale({svg.number(height)})"
        yield svg.group(parts, class_=f"sign-{name}", transform=where)
