"""How the board looks: colours and named looks, which are attributes of SVG elements."""

from __future__ import annotations

from kursbuch.hexmap.svg import Look

INK = "#1d1a16"
WHITE = "#ffffff"
LAND_FILL = "#efe9d6"

OUTLINE: Look = {"stroke": INK, "stroke_width": 1.5, "stroke_linejoin": "round"}
DASHED: Look = {"fill": "none", "stroke_dasharray": "5 4"}
BOLD: Look = {"font_weight": "bold"}
#: Lettering that stays readable on whatever it crosses.
HALO: Look = BOLD | {
    "fill": INK,
    "stroke": LAND_FILL,
    "stroke_width": 2.2,
    "stroke_linejoin": "round",
    "paint_order": "stroke",
}

SEA: Look = {"class_": "sea", "fill": "#cfe0e6"}
LAND: Look = {"class_": "land", "fill": LAND_FILL, "stroke": "#cfc7ae", "stroke_width": 1}
COORDINATE: Look = {"class_": "coord", "font_size": 6.5, "fill": "#6f684f"}
RAILWAY_TOWN: Look = {
    "class_": "town railway",
    "fill": WHITE,
    "stroke": INK,
    "stroke_width": 3,
}
TOWN_NAME: Look = {"class_": "town-name halo", "font_size": 8.5} | HALO
TOKEN: Look = {"class_": "token", "fill": INK, "stroke": INK, "stroke_width": 0.9}
TAKEN_TOKEN: Look = TOKEN | {"class_": "token taken", "fill": "none"}

TRACK: Look = {"fill": "none", "stroke_linecap": "round", "stroke_width": 6}
CASING: Look = TRACK | {"class_": "casing", "stroke": INK, "stroke_width": 9}
TRACK_NAME: Look = {"class_": "track-id halo", "font_size": 6.5} | HALO
ISOLATED: Look = {"stroke_dasharray": "3 2"}
GHOST: Look = {"class_": "ghost", "stroke_width": 4} | DASHED
MARK: Look = {"class_": "mark", "stroke": "#b3202c", "stroke_width": 2.5} | DASHED

#: Fill and text colour for the colours of the lines.
LINES = {
    "red": ("#c8372d", WHITE),
    "blue": ("#2467b3", WHITE),
    "black": ("#26262b", WHITE),
    "violet": ("#7c3f98", WHITE),
    "green": ("#2a7d46", WHITE),
    "orange": ("#e07b1a", INK),
    "yellow": ("#efc71e", INK),
}
OTHER_LINE = ("#6d6a63", WHITE)
SEATS = (
    ("#f4f1e8", INK),
    ("#5c4033", WHITE),
    ("#8fd3d1", INK),
    ("#f2a3b8", INK),
)
INDUSTRIES = {
    "steel": ("#8d9aa5", INK),
    "textile": ("#d9a7c7", INK),
    "beer": ("#e0b84c", INK),
    "leather": ("#a8764a", WHITE),
}
