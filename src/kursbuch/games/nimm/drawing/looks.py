"""How things look: colours and named looks, which are attributes of SVG elements."""

from __future__ import annotations

from kursbuch.hexmap.svg import Look

INK = "#1d1a16"
WHITE = "#ffffff"
PAPER_FILL = "#fbf6e9"
MARKED = "#b3202c"

OUTLINE: Look = {"stroke": INK, "stroke_width": 1.3, "stroke_linejoin": "round"}
THIN: Look = {"stroke": INK, "stroke_width": 0.8}
BOLD: Look = {"font_weight": "bold"}

# ---- the table

CLOTH: Look = {"class_": "cloth", "fill": "#d4e0cf"}
TRAY: Look = {"class_": "tray", "rx": 8, "fill": "#e9e2cd"} | OUTLINE
LANE: Look = {"class_": "lane", "rx": 5, "fill": "#f3edda"}
MARKED_LANE: Look = LANE | {"class_": "lane mark", "stroke": MARKED, "stroke_width": 2}
RAIL: Look = {"class_": "rail", "stroke": "#5f594d", "stroke_width": 2.4}
FREE_RAIL: Look = RAIL | {"stroke_dasharray": "10 5"}
SLEEPERS: Look = {
    "class_": "sleeper",
    "stroke": "#b3a689",
    "stroke_width": 5,
    "stroke_dasharray": "4 7",
}
BUFFER: Look = {"class_": "rail", "fill": "none", "stroke": "#5f594d", "stroke_width": 3}

# ---- letters

LETTERS: Look = {"class_": "ink", "fill": INK}
SMALL_LETTERS: Look = LETTERS | {"font_size": 11.3}
NOTE: Look = {"class_": "note", "fill": INK}
SPECIAL_NOTE: Look = {"class_": "note special", "fill": "#8c2f39"} | BOLD
SPECIAL: Look = {"class_": "special", "font_size": 24, "fill": "#8c2f39"} | BOLD

# ---- cards and tiles

PAPER: Look = {"class_": "paper", "rx": 6, "fill": PAPER_FILL, "stroke": INK, "stroke_width": 1.3}
MARKED_PAPER: Look = PAPER | {"class_": "paper mark", "stroke": MARKED, "stroke_width": 3}
BACK: Look = {"class_": "back", "rx": 4, "fill": "#4d6a7a"}
TICKET: Look = {"class_": "ticket", "rx": 3, "fill": "#f4d35e"} | OUTLINE
TICKET_BACK: Look = TICKET | {"class_": "ticket back", "fill": "#8c2f39"}

# ---- vehicles

WHEEL: Look = {"class_": "wheel", "fill": "#d8d3c4", "stroke": INK, "stroke_width": 1.6}
SPARE: Look = {"rx": 4, "fill": "#b8b2a0", "stroke_dasharray": "4 3"} | OUTLINE
WIRE: Look = {"class_": "rail", "fill": "none", "stroke": INK, "stroke_width": 2}
SMOKE: Look = {"class_": "smoke", "fill": "#c9c6bd", "opacity": "0.75"}
HEAP: Look = {"class_": "heap", "fill": INK}
WINDOW: Look = {"fill": "#dcebf5"}
GEM: Look = {"fill": "#f4d35e"} | THIN
APPLE: Look = {"fill": "#d6453d"} | THIN
COPIED: Look = {"stroke_dasharray": "5 2"}

DRIVES: dict[str, Look] = {
    drive: {"class_": f"drive-{drive}", "fill": fill} | OUTLINE
    for drive, fill in {"steam": "#3b3b40", "diesel": "#a5372b", "electric": "#1f6f5c"}.items()
}
KINDS: dict[str, Look] = {
    kind: {"class_": f"kind-{kind}", "fill": fill} | OUTLINE
    for kind, fill in {
        "food": "#7fa650",
        "cattle": "#b98a55",
        "coal": "#6b6b73",
        "oil": "#c9772e",
        "luxury": "#8b62a6",
        "passenger": "#3f78b5",
    }.items()
}
#: Kinds that are so dark that their letters are white.
LIGHT_INK = ("coal", "luxury", "passenger")
