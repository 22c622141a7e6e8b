"""The colours of players, the same in every drawing and on the pages.

They are as far as possible from each other and from the colours of lines and companies. Pages know them as
`--seat-N` and `--seat-N-ink`, and may replace them (`base.css`); the literals here are for drawings that
stand alone. A seat always carries its number as well.
"""

from __future__ import annotations

from kursbuch.hexmap.svg import Look

_DARK, _LIGHT = "#1d1a16", "#ffffff"

#: The colour of each seat, and of what is written on it.
SEATS = (
    ("#dd0078", _LIGHT),
    ("#00b8e6", _DARK),
    ("#9cdc00", _DARK),
    ("#1a1a8c", _LIGHT),
    ("#7a3a10", _LIGHT),
    ("#ffb59e", _DARK),
    ("#00596b", _LIGHT),
    ("#b79cff", _DARK),
)


def fill(seat: int) -> Look:
    """The look of what is filled in a player's colour."""
    number = seat % len(SEATS)
    return {"class_": f"seat-fill seat-{number}", "fill": SEATS[number][0]}


def ink(seat: int) -> Look:
    """The look of what is written on a player's colour."""
    number = seat % len(SEATS)
    return {"class_": f"seat-ink seat-{number}", "fill": SEATS[number][1]}
