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
    "hill": ("M-.65 .4C-.45 -.35 .05 -.35 .2 .4M.02 .05C.2 -.3 .55 -.1 .65 .4", ""),
    "mountain": ("", "M-.62 .45L0 -.5L.62 .45Z"),
    "high_mountain": ("M-.3 -.05L-.02 .12L.22 -.12", "M-.85 .5L-.1 -.7L.3 .02L.48 -.2L.9 .5Z"),
}


def draw_signs(names: Sequence[str], x: float, y: float, height: float) -> Iterator[str]:
    """Signs side by side around a point."""
    step = height * 1.45
    for number, name in enumerate(names):
        line, area = SIGNS[name]
        parts = []
        if area:
            parts.append(svg.path(area, fill="#7a6248", class_="relief"))
        if line:
            colour = "#2467a0" if name.startswith("river") else "#7a6248"
            kind = "stream" if name.startswith("river") else "ridge"
            look: svg.Look = {"fill": "none", "stroke_linecap": "round", "stroke_width": ".17"}
            if area:
                colour, kind = "#ffffff", "snow"
            parts.append(svg.path(line, class_=kind, stroke=colour, **look))
        at = x + (number - (len(names) - 1) / 2) * step
        where = f"translate({svg.number(at)} {svg.number(y)}) scale({svg.number(height)})"
        yield svg.group(parts, class_=f"sign-{name}", transform=where)
