"""How things look: colours and named looks, which are attributes of SVG elements."""

from __future__ import annotations

from kursbuch.games.dice.components import MOUNTAIN, WATER
from kursbuch.hexmap.svg import Look

INK = "#1d1a16"
PAPER = "#fbf6e6"
GRASS = "#5d6b46"

# ---- the table and the ground

TABLE: Look = {"class_": "table", "fill": "#e3d9c3"}
MEADOW: Look = {"class_": "meadow", "fill": "#a9cb7f"}
GROUND: dict[str, Look] = {
    MOUNTAIN: {"class_": "mountain", "fill": "#b59a7a"},
    WATER: {"class_": "water", "fill": "#7fb4d8"},
}
PEAK: Look = {"class_": "glyph", "fill": "#8d7353", "stroke": "#6d573c", "stroke_width": 0.8}
WAVES: Look = {"class_": "glyph", "fill": "none", "stroke": "#3f7ba3", "stroke_width": 1.4}
GRID: Look = {"class_": "grid", "fill": "none", "stroke": GRASS, "stroke_width": 0.6}
CANDIDATE: Look = {"class_": "grid", "fill": "none", "stroke": INK, "stroke_width": 1.4}
SMALL: Look = {"class_": "grid", "fill": "none", "stroke": GRASS, "stroke_width": 0.9}
SMALL_IN_PLAY: Look = {"class_": "grid", "fill": "none", "stroke": INK, "stroke_width": 2.2}
FREE_PLACE: Look = {
    "class_": "place-free",
    "fill": "#ffffff",
    "fill_opacity": 0.45,
    "stroke": INK,
    "stroke_width": 1.4,
    "stroke_dasharray": "4 3",
}

# ---- dice, track, screens, cards

DIE: Look = {"class_": "die", "fill": PAPER, "stroke": INK, "stroke_width": 1.3}
EXIT: Look = DIE | {"stroke_width": 2.0}
#: The strokes of track: class, colour, width on a square of the usual size, dashes.
TRACK = (
    ("sleeper", "#7a5a3a", 13.0, "2.4 3.4"),
    ("rail", INK, 7.4, None),
    ("die", PAPER, 4.2, None),
)
SHARE: Look = {"class_": "paper", "fill": "#d9e6c3", "stroke": INK, "stroke_width": 1.1}
SCREEN: Look = {"class_": "screen", "fill": "#6f6145", "stroke": INK, "stroke_width": 1.2}
CARD: Look = {"class_": "card", "fill": PAPER, "stroke": INK, "stroke_width": 1.2}
CUBE: Look = {"stroke": INK, "stroke_width": 1.2}
SQUARE: Look = {"stroke": INK, "stroke_width": 1.4}
#: A player's number in his colour.
SIGN: Look = {"stroke": INK, "stroke_width": 1.2}
NUMBER: Look = {"font_size": 13, "font_weight": "bold"}
ON_TURN: Look = {"class_": "turn", "fill": "#fff3bf"}
#: What can be pointed at has no gaps.
POINTABLE: Look = {"class_": "ground", "fill_opacity": 0}

# ---- the ends of the line and the last move

MARKER: Look = {"stroke": INK, "stroke_width": 1.4}
SMALL_MARKER: Look = {"stroke": INK, "stroke_width": 0.8}
ARROW: Look = {"class_": "arrow", "stroke": "#ffffff", "stroke_width": 1.2}
RING: Look = {
    "fill": "#ffffff",
    "fill_opacity": 0.55,
    "stroke_width": 2.2,
    "stroke_dasharray": "5 3",
}
MARK: Look = {
    "class_": "mark",
    "stroke": "#b3202c",
    "stroke_width": 2.8,
    "fill": "none",
    "stroke_dasharray": "5 4",
}

# ---- letters

COORDINATE: Look = {"class_": "coord", "font_size": 9.8, "fill": "#5c5443"}
BOLD: Look = {"font_weight": "bold"}
ON_SCREEN: Look = {"font_size": 15, "font_weight": "bold", "fill": "#ffffff"}

# ---- companies and ends

#: Fill and text colour for the colours of the companies.
COMPANY_COLOURS = {
    "white": ("#ffffff", INK),
    "blue": ("#2467b3", "#ffffff"),
    "green": ("#2a7d46", "#ffffff"),
    "yellow": ("#efc71e", INK),
    "red": ("#c8372d", "#ffffff"),
    "black": ("#26262b", "#ffffff"),
    "orange": ("#e07b1a", INK),
    "violet": ("#7c3f98", "#ffffff"),
}
OTHER_COMPANY = ("#6d6a63", "#ffffff")
#: The two colours of the tile markers.
END_COLOURS = (("#7a2e1d", "#ffffff"), ("#1f4d63", "#ffffff"))


def bold(size: float, fill: str = INK) -> Look:
    """Bold letters."""
    return {"font_size": size, **BOLD, "fill": fill}
